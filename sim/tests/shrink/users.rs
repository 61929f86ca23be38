//! Users' files: with pools, lanes, data, correlation and a diagram. What is left keeps its ids and names.

use trackside_sim::shrink::{Limits, shrink};
use trackside_sim::source::Source;

use super::findings::JoinAfterTimer;
use super::trial::Search;

#[test]
fn a_users_file_shrinks_and_keeps_its_ids() {
    let source = Source::of_bytes("pools.bpmn", include_bytes!("pools.bpmn"));
    assert!(!source.has_errors(), "{:?}", source.problems);
    let mut search = Search::<JoinAfterTimer>::new();
    let failing = search.find(&source.definitions, 0..50).expect("some run has it");
    let shrunk = shrink(&mut search, source.definitions, failing, &Limits::default());
    let model = &shrunk.model;
    let processes: Vec<_> = model.processes.iter().map(|process| process.id.as_str()).collect();
    assert_eq!(processes, ["insurer"]);
    let nodes = model.scopes.iter().flat_map(|scope| &scope.nodes);
    let nodes: Vec<_> = nodes.map(|node| (node.id.as_str(), node.name.as_deref())).collect();
    let expected = [
        ("Start_claim", Some("Claim received")),
        ("Assess", Some("Assess the damage")),
        ("Overdue", Some("A week")),
        ("Join", Some("All there")),
    ];
    assert_eq!(nodes, expected);
    assert_eq!(
        (model.collaborations.len(), model.messages.len(), model.diagrams.len()),
        (0, 0, 0)
    );
    assert!(shrunk.failing.deviations.len() <= 1, "{:?}", shrunk.failing.deviations);
}
