//! Campaigns against an engine that misbehaves: what is found is shrunk, told, kept, and can be played again.

use std::path::Path;

use trackside_engine::planted::Fault;
use trackside_sim::campaign::Campaign;
use trackside_sim::campaign::planted::hunt;
use trackside_sim::run::Simulation;
use trackside_sim::schedule::Named;
use trackside_sim::shrink::store::Store;

fn hunted(fault: Fault) -> trackside_sim::campaign::planted::Hunt {
    let campaign = Campaign::generated().seed(1).seeds(4_000);
    hunt(&campaign, fault, Named::Portfolio).expect("it runs")
}

#[test]
fn every_planted_fault_is_found_and_shrunk_to_at_most_eight_nodes() {
    for &fault in Fault::ALL {
        let hunt = hunted(fault);
        let finding = hunt.finding.unwrap_or_else(|| panic!("{} was not found", fault.name()));
        assert!(finding.nodes <= 8, "{}: {} nodes", fault.name(), finding.nodes);
        assert!(finding.reproduced && !finding.story.is_empty(), "{}", fault.name());
    }
}

#[test]
fn a_finding_is_kept_and_can_be_played_again() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kept");
    let store = Store::new(&root, "found");
    let mut finding = hunted(Fault::TwoArmsWin).finding.expect("it is found");
    finding.keep(&store).expect("it can be written");
    let case = store.case("two-arms-win").expect("it can be read");
    assert_eq!(case.plant.as_deref(), Some("two-arms-win"));
    assert_eq!(finding.token, case.token.to_string());
    let source = store.source(&case).expect("its model can be read");
    let report = Simulation::replay(&source, &case.token)
        .expect("it fits")
        .run()
        .expect("it can be played");
    assert!(report.main.executed.len() > 1);
}
