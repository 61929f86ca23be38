//! Diagrams of generated models: nothing overlaps, everything is in its place, every flow has a line.

use std::collections::BTreeMap;

use proptest::prelude::*;
use trackside_engine::model::{Definitions, Diagram, NodeKind, notation};
use trackside_sim::generate::{Family, Parameters, model, models};
use trackside_sim::layout::{diagram, lay_out};

type Bounds = [f64; 4];

fn shapes(diagram: &Diagram) -> BTreeMap<&str, Bounds> {
    diagram
        .shapes
        .iter()
        .map(|shape| (&*shape.element, shape.bounds))
        .collect()
}

fn overlap(one: Bounds, other: Bounds) -> bool {
    (0..2).all(|axis| one[axis] < other[axis] + other[axis + 2] && other[axis] < one[axis] + one[axis + 2])
}

fn inside(inner: Bounds, outer: Bounds) -> bool {
    (0..2).all(|axis| outer[axis] <= inner[axis] && inner[axis] + inner[axis + 2] <= outer[axis] + outer[axis + 2])
}

/// Whether a point is on the border of a box.
fn touches([x, y]: [f64; 2], [left, top, width, height]: Bounds) -> bool {
    let near = |one: f64, other: f64| (one - other).abs() < 0.01;
    let within = |value: f64, from: f64, length: f64| (from - 0.01..=from + length + 0.01).contains(&value);
    let upright = near(x, left) || near(x, left + width);
    let flat = near(y, top) || near(y, top + height);
    within(x, left, width) && within(y, top, height) && (upright || flat)
}

/// Whatever is wrong with the diagram of a model.
fn check(definitions: &Definitions) -> Result<(), TestCaseError> {
    let diagram = diagram(definitions);
    let shapes = shapes(&diagram);
    let nodes = definitions.scopes.iter().flat_map(|scope| &scope.nodes);
    prop_assert_eq!(diagram.shapes.len(), nodes.count(), "one shape for each node");
    for scope in &definitions.scopes {
        for (at, node) in scope.nodes.iter().enumerate() {
            let own = shapes[&*node.id];
            prop_assert!(
                own.iter().all(|side| side.is_finite() && *side >= 0.0),
                "{}: {own:?}",
                node.id
            );
            if let NodeKind::SubProcess { body, .. } = node.kind {
                for inner in &definitions.scope(body).nodes {
                    prop_assert!(inside(shapes[&*inner.id], own), "{} is in {}", inner.id, node.id);
                }
            }
            let host = match &node.kind {
                NodeKind::Boundary { attached_to, .. } => attached_to.as_deref(),
                _ => None,
            };
            if let Some(host) = host {
                let [x, y, width, height] = own;
                let [left, top, across, down] = shapes[host];
                let below = y + height / 2.0 - (top + down);
                prop_assert!(below.abs() < 0.01, "{} is on the lower edge", node.id);
                prop_assert!(left <= x && x + width <= left + across, "{} is below {host}", node.id);
            }
            for other in &scope.nodes[..at] {
                let attached = |one: &NodeKind, id: &str| matches!(one, NodeKind::Boundary { attached_to: Some(host), .. } if host == id);
                let together = attached(&node.kind, &other.id) || attached(&other.kind, &node.id);
                prop_assert!(
                    together || !overlap(own, shapes[&*other.id]),
                    "{} and {} overlap",
                    node.id,
                    other.id
                );
            }
        }
        for flow in &scope.flows {
            let edge = diagram.edges.iter().find(|edge| edge.element == flow.id);
            let line = &edge.expect("every flow has a line").waypoints;
            prop_assert!(line.len() >= 2, "{}: {line:?}", flow.id);
            prop_assert!(
                touches(line[0], shapes[&*flow.source]),
                "{} begins at its source: {line:?}",
                flow.id
            );
            let last = line[line.len() - 1];
            prop_assert!(
                touches(last, shapes[&*flow.target]),
                "{} ends at its target: {line:?}",
                flow.id
            );
            let straight = |pair: &[[f64; 2]]| (0..2).any(|axis| (pair[0][axis] - pair[1][axis]).abs() < 0.01);
            prop_assert!(
                line.windows(2).all(straight),
                "{} bends at right angles: {line:?}",
                flow.id
            );
        }
    }
    Ok(())
}

fn families() -> impl Strategy<Value = Definitions> {
    let of = |family| models(Parameters::of(family).nodes(40));
    prop_oneof![of(Family::Block), of(Family::Acyclic), of(Family::Cyclic)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn nothing_overlaps_and_everything_is_in_its_place(definitions in families()) {
        check(&definitions)?;
    }

    #[test]
    fn the_same_model_has_the_same_diagram(definitions in families()) {
        prop_assert_eq!(diagram(&definitions), diagram(&definitions));
    }
}

#[test]
fn large_models_are_laid_out() {
    for family in Family::ALL {
        let definitions = model(3, &Parameters::of(family).nodes(1_800));
        let diagram = diagram(&definitions);
        assert_eq!(
            diagram.shapes.len(),
            definitions.scopes.iter().map(|scope| scope.nodes.len()).sum::<usize>()
        );
    }
}

/// A line that passes a layer runs beside the nodes in it.
#[test]
fn long_flows_have_a_lane() {
    let definitions = notation::parse("s > A > B > C > D > e; A > D").expect("the notation is right");
    let diagram = diagram(&definitions);
    let shapes = shapes(&diagram);
    let flow = definitions.scopes[0]
        .flows
        .iter()
        .find(|flow| flow.source == "A" && flow.target == "D")
        .expect("it is there");
    let edge = diagram
        .edges
        .iter()
        .find(|edge| edge.element == flow.id)
        .expect("it has a line");
    for node in ["B", "C"] {
        let crosses = edge.waypoints.windows(2).any(|pair| {
            let [from, to] = [pair[0], pair[1]];
            let [x, y] = [from[0].min(to[0]), from[1].min(to[1])];
            overlap(
                [x, y, (from[0] - to[0]).abs().max(0.1), (from[1] - to[1]).abs().max(0.1)],
                shapes[node],
            )
        });
        assert!(!crosses, "{node}: {:?}", edge.waypoints);
    }
}

/// What is wrong in a model is drawn as far as it can be: nobody said that it is valid.
#[test]
fn broken_models_are_drawn_too() {
    let mut definitions = model(3, &Parameters::default());
    for scope in &mut definitions.scopes {
        for flow in scope.flows.iter_mut().step_by(3) {
            flow.target = "nowhere".to_owned();
        }
        for node in &mut scope.nodes {
            if let NodeKind::Boundary { attached_to, .. } = &mut node.kind {
                *attached_to = Some(node.id.clone());
            }
            if let NodeKind::SubProcess { body, .. } = &mut node.kind {
                body.0 = 0;
            }
        }
    }
    lay_out(&mut definitions);
    assert!(!definitions.diagrams[0].shapes.is_empty());
    lay_out(&mut Definitions::default());
}

/// Pools are around their processes, and messages between them have lines.
#[test]
fn pools_are_drawn() {
    use trackside_engine::model::{Collaboration, MessageFlow, Participant, Position};
    let mut definitions = notation::parse("s > A > e").expect("the notation is right");
    let at = Position::default();
    let pool = |id: &str, process: Option<&str>| Participant {
        id: id.to_owned(),
        name: None,
        at,
        process: process.map(ToOwned::to_owned),
    };
    let process = definitions.processes[0].id.clone();
    definitions.collaborations = vec![Collaboration {
        id: Some("all".to_owned()),
        at,
        participants: vec![pool("ours", Some(&process)), pool("theirs", None)],
        message_flows: vec![MessageFlow {
            id: "letter".to_owned(),
            name: None,
            at,
            source: "A".to_owned(),
            target: "theirs".to_owned(),
        }],
        keys: Vec::new(),
    }];
    let diagram = diagram(&definitions);
    let shapes = shapes(&diagram);
    assert!(["s", "A", "e"].iter().all(|node| inside(shapes[node], shapes["ours"])));
    assert!(!overlap(shapes["ours"], shapes["theirs"]));
    assert_eq!(diagram.plane.as_deref(), Some("all"));
    let letter = diagram
        .edges
        .iter()
        .find(|edge| edge.element == "letter")
        .expect("it has a line");
    assert!(touches(letter.waypoints[0], shapes["A"]) && touches(letter.waypoints[1], shapes["theirs"]));
}
