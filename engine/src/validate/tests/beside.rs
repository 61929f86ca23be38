//! Ids, and what stands beside the flow.

use super::{check_with, kind, node, problems_with, scope_of};
use crate::model::{
    Artifact, ArtifactKind, Collaboration, CorrelationKey, CorrelationProperty, DataElement, Definitions, Expression,
    Lane, MessageFlow, NodeKind, Participant, Position, Process, Retrieval, ScopeRef,
};

const AT: Position = Position { line: 9, column: 1 };

fn collaboration(model: &mut Definitions) -> &mut Collaboration {
    model.collaborations.push(Collaboration::default());
    &mut model.collaborations[0]
}

fn lane(id: &str, nodes: &[&str]) -> Lane {
    Lane {
        id: id.into(),
        name: None,
        at: AT,
        parent: None,
        nodes: nodes.iter().map(|&node| node.into()).collect(),
    }
}

#[test]
fn ids_are_used_once() {
    check_with(
        "s > A > E",
        |model| node(model, "E").id = "A".into(),
        &["error XML-REF A_E", "error XML-ID A"],
    );
    check_with(
        "s > A > E",
        |model| model.scopes[0].flows[0].id = "A".into(),
        &["error XML-ID A"],
    );
    check_with(
        "s > catch A(m) > E",
        |model| model.messages[0].id = "E".into(),
        &["error XML-ID E"],
    );
    check_with(
        "s > A > E",
        |model| model.scopes[0].lanes.push(lane("A", &[])),
        &["warning XML-ID A"],
    );
    check_with("s > A > E", |model| model.scopes[0].lanes.push(lane("L", &[])), &[]);
}

#[test]
fn a_second_id_names_both_places() {
    let problems = problems_with("s > A > E\nB", |model| {
        node(model, "B").id = "A".into();
    });
    assert_eq!(
        problems[0].message,
        "the id `A` of the user task at 2:1 is already that of the user task at 1:5"
    );
}

#[test]
fn pools() {
    let pool = |process: Option<&str>| Participant {
        id: "P".into(),
        name: None,
        at: AT,
        process: process.map(Into::into),
    };
    check_with("s > A > E", |m| collaboration(m).participants.push(pool(None)), &[]);
    check_with(
        "s > A > E",
        |m| collaboration(m).participants.push(pool(Some("p"))),
        &[],
    );
    check_with(
        "s > A > E",
        |m| collaboration(m).participants.push(pool(Some("q"))),
        &["warning XML-REF P"],
    );
}

#[test]
fn message_flows() {
    let flow = |source: &str, target: &str| MessageFlow {
        id: "F".into(),
        name: None,
        at: AT,
        source: source.into(),
        target: target.into(),
    };
    let with = |source, target, expected: &[&str]| {
        let change = |m: &mut Definitions| collaboration(m).message_flows.push(flow(source, target));
        check_with("s > A > sub S{s1 > e1} > E", change, expected);
    };
    with("A", "e1", &[]);
    with("A", "none", &["warning XML-REF F"]);
    with("none", "none too", &["warning XML-REF F", "warning XML-REF F"]);
}

#[test]
fn lanes() {
    let with = |nodes: &[&str], expected: &[&str]| {
        check_with("s > A > E", |m| scope_of(m, "A").lanes.push(lane("L", nodes)), expected);
    };
    with(&["s", "A", "E"], &[]);
    with(&["s", "none"], &["warning XML-REF L"]);
}

#[test]
fn associations_and_data() {
    let with = |target: &str, expected: &[&str]| {
        let change = |m: &mut Definitions| {
            m.scopes[0].artifacts.push(Artifact {
                id: "T".into(),
                at: AT,
                kind: ArtifactKind::Annotation(String::new()),
            });
            m.scopes[0].artifacts.push(Artifact {
                id: "As".into(),
                at: AT,
                kind: ArtifactKind::Association {
                    source: "T".into(),
                    target: target.into(),
                    direction: None,
                },
            });
        };
        check_with("s > A > E", change, expected);
    };
    with("A", &[]);
    with("s_A", &[]);
    with("none", &["warning XML-REF As"]);
    let data = |element: &str| DataElement {
        id: "D".into(),
        name: None,
        at: AT,
        element: element.into(),
        refers_to: Some("none".into()),
    };
    let refer = |element: &'static str| move |m: &mut Definitions| m.scopes[0].data.push(data(element));
    check_with("s > A > E", refer("dataObjectReference"), &["warning XML-REF D"]);
    check_with("s > A > E", refer("dataStoreReference"), &[]);
}

#[test]
fn correlation() {
    let with = |property: &str, message: &str, expected: &[&str]| {
        let change = |m: &mut Definitions| {
            collaboration(m).keys.push(CorrelationKey {
                id: "K".into(),
                name: None,
                at: AT,
                properties: vec![property.into()],
            });
            m.correlation_properties.push(CorrelationProperty {
                id: "P".into(),
                name: None,
                at: AT,
                retrievals: vec![Retrieval {
                    message: message.into(),
                    path: Expression {
                        text: "order".into(),
                        language: None,
                        at: AT,
                    },
                }],
            });
        };
        check_with("s > catch c(m) > E", change, expected);
    };
    with("P", "m", &[]);
    with("none", "m", &["warning XML-REF K"]);
    with("P", "none", &["warning XML-REF P"]);
}

#[test]
fn every_process_is_judged_and_what_they_share_only_once() {
    check_with(
        "s > sub S{s1 > A > A2 > A} > E",
        |model| {
            let body = ScopeRef(model.scopes.len() as u32);
            model.scopes.push(model.scopes[0].clone());
            let scope = &mut model.scopes[body.0 as usize];
            scope
                .nodes
                .retain(|node| !matches!(node.kind, NodeKind::SubProcess { .. }));
            scope.flows.clear();
            for node in &mut scope.nodes {
                node.id.push_str("_q");
                node.at = AT;
            }
            model.processes.push(Process {
                id: "q".into(),
                body,
                at: AT,
                ..model.processes[0].clone()
            });
        },
        &["warning FLOW-1 E_q"],
    );
}

#[test]
fn bodies_that_are_no_tree() {
    for body in [ScopeRef(0), ScopeRef(9)] {
        check_with(
            "s > sub S{s1 > e1} > E",
            |model| {
                let NodeKind::SubProcess { body: of, .. } = kind(model, "S") else {
                    panic!()
                };
                *of = body;
            },
            &["error MODEL S"],
        );
    }
    check_with(
        "s > E",
        |model| model.processes[0].body = ScopeRef(7),
        &["error MODEL p"],
    );
}
