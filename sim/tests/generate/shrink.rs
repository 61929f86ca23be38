//! What fails shrinks to what makes it fail, and stays valid on the way.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestError, TestRunner};
use trackside_engine::model::{Definitions, Gateway, NodeKind, SubProcessKind};
use trackside_engine::problem::any_error;
use trackside_engine::validate::validate;
use trackside_engine::xml;
use trackside_sim::generate::{Family, Parameters, Plan, plan, plans};

fn size(definitions: &Definitions) -> usize {
    definitions.scopes.iter().map(|scope| scope.nodes.len()).sum()
}

/// The plan that `fails` is shrunk to, from random ones of this family.
fn shrunk(family: Family, fails: impl Fn(&Definitions) -> bool) -> Plan {
    let config = Config {
        cases: 2_000,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let result = runner.run(&plans(Parameters::of(family).nodes(60)), |plan| {
        let definitions = plan.definitions();
        assert!(!any_error(&validate(&definitions)), "{}", xml::write(&definitions));
        if fails(&definitions) {
            return Err(proptest::test_runner::TestCaseError::fail("found"));
        }
        Ok(())
    });
    match result {
        Err(TestError::Fail(_, plan)) => plan,
        other => panic!("it is found: {other:?}"),
    }
}

fn has_join(definitions: &Definitions, is: fn(&Gateway) -> bool) -> bool {
    definitions.scopes.iter().any(|scope| {
        let mut gateways = scope
            .nodes
            .iter()
            .filter(|n| matches!(&n.kind, NodeKind::Gateway { gateway, .. } if is(gateway)));
        gateways.any(|node| scope.flows.iter().filter(|flow| flow.target == node.id).count() > 1)
    })
}

fn kinds(definitions: &Definitions, is: fn(&NodeKind) -> bool) -> usize {
    definitions
        .scopes
        .iter()
        .flat_map(|scope| &scope.nodes)
        .filter(|node| is(&node.kind))
        .count()
}

#[test]
fn a_model_shrinks_to_a_handful_of_nodes() {
    for family in Family::ALL {
        let plan = shrunk(family, |model| {
            has_join(model, |gateway| matches!(gateway, Gateway::Inclusive))
        });
        let model = plan.definitions();
        assert!(size(&model) <= 6, "{family:?}: {plan:#?}\n{}", xml::write(&model));
        let plan = shrunk(family, |model| {
            has_join(model, |gateway| matches!(gateway, Gateway::Complex { .. }))
        });
        let model = plan.definitions();
        assert!(size(&model) <= 7, "{family:?}: {plan:#?}\n{}", xml::write(&model));
    }
}

#[test]
fn what_matters_is_kept_and_the_rest_is_cut() {
    for family in Family::ALL {
        let plan = shrunk(family, |model| {
            kinds(model, |kind| {
                matches!(
                    kind,
                    NodeKind::Boundary {
                        interrupting: false,
                        ..
                    }
                )
            }) > 0
                && kinds(model, |kind| {
                    matches!(
                        kind,
                        NodeKind::SubProcess {
                            kind: SubProcessKind::Event,
                            ..
                        }
                    )
                }) > 0
        });
        let model = plan.definitions();
        // The process: start, host, boundary event, and the ends of both ways; the handler: itself, start and end. One may
        // be inside the other.
        assert!(size(&model) <= 12, "{family:?}: {plan:#?}\n{}", xml::write(&model));
    }
}

#[test]
fn every_reduction_is_valid_and_another_plan() {
    for family in Family::ALL {
        for seed in 0..60 {
            let plan = plan(seed, &Parameters::of(family));
            for (n, smaller) in plan.reductions().enumerate() {
                assert_ne!(smaller, plan, "{family:?} {seed} {n}");
                let model = smaller.definitions();
                let problems = validate(&model);
                assert!(
                    !any_error(&problems),
                    "{family:?} {seed} {n}: {problems:?}\n{}",
                    xml::write(&model)
                );
            }
        }
    }
}

/// Cutting comes to an end, at a process with nothing in it.
#[test]
fn the_smallest_model_is_a_start_and_an_end() {
    for family in Family::ALL {
        let mut tree = plans(Parameters::of(family))
            .new_tree(&mut TestRunner::deterministic())
            .expect("a plan");
        while tree.simplify() {}
        assert!(size(&tree.current().definitions()) <= 2, "{:#?}", tree.current());
        assert_eq!(tree.current().reductions().count(), 0, "{:#?}", tree.current());
    }
}
