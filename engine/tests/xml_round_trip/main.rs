//! What is written reads back as the same model, but for the positions.

mod models;

use proptest::prelude::*;
use trackside_engine::model::{Definitions, FlowNode, Lane, NodeKind, Process, Scope, ScopeRef, SubProcessKind};
use trackside_engine::xml;

use models::AT;

/// The model as data without positions.
fn without_positions(definitions: &Definitions) -> serde_json::Value {
    let mut value = serde_json::to_value(definitions).expect("a model is data");
    let mut left = vec![&mut value];
    while let Some(value) = left.pop() {
        match value {
            serde_json::Value::Object(map) => {
                map.remove("at");
                left.extend(map.values_mut());
            }
            serde_json::Value::Array(list) => left.extend(list),
            _ => {}
        }
    }
    value
}

fn check(definitions: &Definitions) {
    let text = xml::write(definitions);
    let reading = xml::read(text.as_bytes());
    assert_eq!(
        without_positions(&reading.definitions),
        without_positions(definitions),
        "{text}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn any_model(definitions in models::definitions()) {
        check(&definitions);
    }
}

#[test]
fn the_empty_model() {
    check(&Definitions::default());
}

#[test]
fn bodies_that_contain_each_other_are_written_once() {
    let inside = |body| FlowNode {
        id: "s".to_owned(),
        name: None,
        at: AT,
        default: None,
        kind: NodeKind::SubProcess {
            kind: SubProcessKind::Embedded,
            body: ScopeRef(body),
            repeat: None,
            for_compensation: false,
        },
    };
    let definitions = Definitions {
        processes: vec![Process {
            id: "p".to_owned(),
            name: None,
            at: AT,
            is_executable: None,
            body: ScopeRef(0),
        }],
        scopes: vec![Scope {
            nodes: vec![inside(0), inside(7)],
            ..Scope::default()
        }],
        ..Definitions::default()
    };
    let text = xml::write(&definitions);
    assert_eq!(text.matches("<bpmn:subProcess").count(), 2, "{text}");
}

#[test]
fn lanes_whose_parents_go_in_a_circle_are_outermost() {
    let lane = |parent| Lane {
        id: "l".to_owned(),
        name: None,
        at: AT,
        parent: Some(parent),
        nodes: Vec::new(),
    };
    let mut definitions =
        xml::read(b"<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'><process id='p'/></definitions>")
            .definitions;
    definitions.scopes[0].lanes = vec![lane(1), lane(0), lane(2), lane(99)];
    let lanes = xml::read(xml::write(&definitions).as_bytes())
        .definitions
        .scopes
        .remove(0)
        .lanes;
    let mut parents: Vec<_> = lanes.iter().map(|lane| lane.parent).collect();
    parents.sort_unstable();
    assert_eq!(parents, [None, None, None, Some(0)]);
}

#[test]
fn what_xml_cannot_hold_is_replaced() {
    let definitions = Definitions {
        name: Some("a\u{0}b\u{FFFF}".to_owned()),
        ..Definitions::default()
    };
    let name = xml::read(xml::write(&definitions).as_bytes()).definitions.name;
    assert_eq!(name.as_deref(), Some("a\u{FFFD}b\u{FFFD}"));
}
