//! Every model is valid, compiles, and reads back as it was written; a seed gives the same one always.

use trackside_engine::model::Definitions;
use trackside_engine::problem::{Severity, any_error};
use trackside_engine::validate::validate;
use trackside_engine::xml;
use trackside_sim::generate::{Family, Kind, Kinds, Parameters, model, plan};

use crate::driven::{run, symbolic};

fn check(definitions: &Definitions, what: &dyn std::fmt::Debug) {
    let problems = validate(definitions);
    assert!(
        !any_error(&problems),
        "{what:?}: {problems:?}\n{}",
        xml::write(definitions)
    );
}

fn without_positions(definitions: &Definitions) -> serde_json::Value {
    fn strip(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(map) => {
                map.remove("at");
                map.values_mut().for_each(strip);
            }
            serde_json::Value::Array(list) => list.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(definitions).expect("a model is data");
    strip(&mut value);
    value
}

#[test]
fn every_model_of_every_family_and_size_is_valid() {
    for family in Family::ALL {
        for seed in 0..400 {
            let nodes = [0, 1, 3, 8, 20, 40][seed as usize % 6];
            check(&model(seed, &Parameters::of(family).nodes(nodes)), &(family, seed));
        }
        for nodes in [200, 1_800] {
            check(&model(1, &Parameters::of(family).nodes(nodes)), &(family, nodes));
        }
    }
}

#[test]
fn every_model_reads_back_as_it_was_written() {
    for family in Family::ALL {
        for seed in 0..60 {
            let definitions = model(seed, &Parameters::of(family));
            let reading = xml::read(xml::write(&definitions).as_bytes());
            assert_eq!(reading.problems, []);
            assert_eq!(
                without_positions(&reading.definitions),
                without_positions(&definitions),
                "{family:?} {seed}"
            );
        }
    }
}

#[test]
fn whatever_is_switched_off_models_are_valid() {
    for &kind in Kind::ALL {
        for (seed, family) in (0..12).zip(Family::ALL.into_iter().cycle()) {
            let only = Parameters {
                kinds: Kinds::NONE.with(kind),
                swarm: false,
                ..Parameters::of(family)
            };
            check(&model(seed, &only), &(kind, family, seed));
            check(
                &model(seed, &Parameters::of(family).without(kind)),
                &(kind, family, seed),
            );
        }
    }
}

#[test]
fn models_are_about_as_large_as_was_asked() {
    for family in Family::ALL {
        for nodes in [10, 20, 100, 1_000] {
            let size = |seed| {
                let definitions = model(seed, &Parameters::of(family).nodes(nodes));
                definitions.scopes.iter().map(|scope| scope.nodes.len()).sum::<usize>()
            };
            let sizes: Vec<usize> = (0..60).map(size).collect();
            let mean = sizes.iter().sum::<usize>() / sizes.len();
            let asked = nodes as usize;
            assert!(
                (asked * 3 / 4..asked * 3 / 2).contains(&mean),
                "{family:?} {nodes}: {mean} {sizes:?}"
            );
        }
    }
}

/// The promise of blocks holds without a warning about what can't go well (what merely is never used is another matter).
#[test]
fn blocks_give_no_warning_about_how_they_end() {
    for seed in 0..300 {
        let problems = validate(&model(seed, &Parameters::default()));
        let doubtful = problems
            .iter()
            .find(|p| !matches!(&*p.rule, "ERR-4" | "ESC-1" | "FLOW-1"));
        assert_eq!(doubtful, None, "{seed}");
    }
    // Other families do.
    let warned = |seed| {
        let problems = validate(&model(seed, &Parameters::of(Family::Acyclic)));
        problems
            .iter()
            .any(|p| p.severity == Severity::Warning && matches!(&*p.rule, "XOR-2" | "XOR-5" | "ORS-2"))
    };
    assert!((0..300).any(warned));
}

/// One seed decides everything, and another one decides otherwise.
#[test]
fn a_seed_is_a_model() {
    for family in Family::ALL {
        let text = |seed| xml::write(&model(seed, &Parameters::of(family).nodes(30)));
        let all: std::collections::BTreeSet<String> = (0..50).map(text).collect();
        assert_eq!(all.len(), 50, "{family:?}");
        assert!((0..50).rev().map(text).all(|again| all.contains(&again)), "{family:?}");
    }
}

/// Nothing in a generated model starts itself again without end: a bounded number of steps is enough where there is no
/// loop.
#[test]
fn acyclic_models_come_to_rest() {
    for seed in 0..300 {
        let plan = plan(seed, &Parameters::of(Family::Acyclic));
        let outcome = run(&plan.definitions(), symbolic(), seed, 20_000);
        assert_ne!(
            outcome,
            crate::driven::Outcome::Bounded,
            "{seed}\n{}",
            xml::write(&plan.definitions())
        );
    }
}
