//! No model makes validation panic, however large or deep; without errors every process compiles.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::validate;
use crate::model::notation::parse;
use crate::model::{Definitions, NodeKind, ScopeRef, SubProcessKind};
use crate::problem::any_error;
use crate::template::{Compiled, compile};

const MODELS: &[&str] = &[
    "s > A{!m > C > E1}{~timer PT1H > D > E2} > F; F > B > J; F > H > J; J > E",
    "s > SP{s1 > A* > end e1(error x)}{!error x > C > E2} > E; ESP~h{start hs(escalation y) > H > e2}",
    "s > G; G > catch a(message m) > X; G > receive R(n) > X; X -[a > 1]> O; X -[default]> E; O > E; O -[b]> E",
    "gate G(instantiate parallel); G > catch a(message m) > K; G > catch b(message n) > K; K(2 requires a_K) > E",
    "s > throw t(link l); catch c(link l) > sub S{s1 > sub S2{s2 > throw t2(escalation y) > e2} > e1} > ET",
];

/// One change: `what` says which, `a` and `b` pick what is changed.
fn mutate(model: &mut Definitions, what: u8, a: usize, b: usize) {
    let nodes: Vec<String> = model
        .scopes
        .iter()
        .flat_map(|s| &s.nodes)
        .map(|n| n.id.clone())
        .collect();
    let flows: Vec<String> = model
        .scopes
        .iter()
        .flat_map(|s| &s.flows)
        .map(|f| f.id.clone())
        .collect();
    let scopes = model.scopes.len();
    let scope = &mut model.scopes[a % scopes];
    let (node_count, flow_count) = (scope.nodes.len(), scope.flows.len());
    let other = nodes.get(b % nodes.len().max(1)).cloned().unwrap_or_default();
    match what % 12 {
        0 if flow_count > 0 => scope.flows[b % flow_count].source = other,
        1 if flow_count > 0 => scope.flows[b % flow_count].target = "none".into(),
        2 if flow_count > 0 => drop(scope.flows.remove(b % flow_count)),
        3 if node_count > 0 => drop(scope.nodes.remove(b % node_count)),
        4 if node_count > 0 => scope.nodes[b % node_count].id = other,
        5 if node_count > 0 => scope.nodes[b % node_count].default = flows.first().cloned(),
        6 if node_count > 1 => {
            let kind = scope.nodes[b % node_count].kind.clone();
            scope.nodes[(b + 1) % node_count].kind = kind;
        }
        7 if node_count > 0 => match &mut scope.nodes[b % node_count].kind {
            NodeKind::SubProcess { body, .. } => *body = ScopeRef(a as u32 % 9),
            NodeKind::Boundary { attached_to, .. } => *attached_to = Some(other),
            NodeKind::Start { events, .. } | NodeKind::Catch { events, .. } => events.clear(),
            _ => {}
        },
        8 if node_count > 0 => {
            if let NodeKind::SubProcess { kind, .. } = &mut scope.nodes[b % node_count].kind {
                *kind = [SubProcessKind::Event, SubProcessKind::AdHoc, SubProcessKind::Embedded][a % 3];
            }
        }
        9 => model.messages.clear(),
        10 => model.errors.clear(),
        11 if flow_count > 0 => {
            let copy = scope.flows[b % flow_count].clone();
            scope.flows.push(copy);
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn mutations_never_panic(
        model in 0..MODELS.len(),
        changes in prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 0..8),
    ) {
        let mut model = parse(MODELS[model]).expect("the model is of the notation");
        for (what, a, b) in changes {
            mutate(&mut model, what, a, b % 1_000_000);
        }
        let problems = validate(&model);
        prop_assert!(problems.is_sorted_by_key(|p| p.at));
        if !any_error(&problems) {
            for process in &model.processes {
                prop_assert!(compile(&model, process, &Compiled::default()).is_ok());
            }
        }
    }
}

/// How many problems a model has.
fn validated(text: &str) -> usize {
    let model = parse(text).unwrap_or_else(|error| panic!("{error}"));
    validate(&model).len()
}

#[test]
fn large_models_of_every_family() {
    const N: usize = 3_000;
    let mut chain = String::from("s");
    let mut links = String::new();
    let mut handlers = String::from("s > E0\n");
    let mut raised = String::from("s > E0\n");
    let mut arms = String::from("s > G\n");
    for n in 0..N {
        let _ = write!(chain, " > T{n}");
        let _ = writeln!(links, "A{n} > throw t{n}(link l{n}); catch c{n}(link l{n}) > B{n}");
        let _ = writeln!(handlers, "ESP~h{n}{{start hs{n}(message m{n}) > e{n}}}");
        let _ = writeln!(raised, "ESP!h{n}{{start hs{n}(error x{n}) > end e{n}(error x{n})}}");
        let _ = writeln!(arms, "G > catch a{n}(message m{n}) > Z");
    }
    assert_eq!(validated(&chain), 0);
    assert_eq!(validated(&links), 0);
    assert_eq!(validated(&handlers), 0);
    // Nothing raises what each catches, and nothing catches what each raises.
    assert_eq!(validated(&raised), 2 * N);
    assert_eq!(validated(&arms), 0);
}

#[test]
fn deep_nesting_does_not_recurse() {
    const DEPTH: u32 = 20_000;
    let mut model = parse("s > sub S{s1 > e1} > E").expect("the model is of the notation");
    for depth in 1..DEPTH {
        let mut inner = model.scopes[1].clone();
        inner.parent = Some(ScopeRef(depth));
        let mut host = model.scopes[0]
            .nodes
            .iter()
            .find(|n| n.id == "S")
            .expect("it has one")
            .clone();
        host.id = format!("S{depth}");
        host.kind = match host.kind {
            NodeKind::SubProcess {
                kind,
                repeat,
                for_compensation,
                ..
            } => NodeKind::SubProcess {
                kind,
                body: ScopeRef(depth + 1),
                repeat,
                for_compensation,
            },
            kind => kind,
        };
        let outer = &mut model.scopes[depth as usize];
        outer.nodes = vec![host];
        outer.flows.clear();
        for node in &mut inner.nodes {
            node.id = format!("{}_{depth}", node.id);
        }
        for flow in &mut inner.flows {
            flow.id = format!("f_{depth}");
            flow.source = format!("{}_{depth}", flow.source);
            flow.target = format!("{}_{depth}", flow.target);
        }
        model.scopes.push(inner);
    }
    model.scopes.truncate(DEPTH as usize);
    assert_eq!(validate(&model).len(), 1);
}
