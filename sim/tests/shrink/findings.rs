//! Findings in generated models of all families. What each needs at least is known, so what is left is known.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use trackside_engine::instance::{Final, Phase, Record, TriggerKind};
use trackside_engine::model::Definitions;
use trackside_engine::world::World;
use trackside_engine::{NodeId, TrackId, xml};
use trackside_sim::generate::{Family, Parameters, model};
use trackside_sim::run::Simulation;
use trackside_sim::schedule::Replay;
use trackside_sim::shrink::store::{Finding as Stored, Store};
use trackside_sim::shrink::{Limits, Shrunk, Trial, shrink};

use super::trial::{Finding, ONLY, Search, settings};

/// The most runs that one finding may take here; typical are 100 to 500.
const RUNS_MAX: u64 = 1_000;

fn element(world: &World, node: NodeId) -> &'static str {
    world.instance(ONLY).template().node(node).element
}

/// An inclusive join fires after a timer at a boundary has.
#[derive(Default)]
pub(crate) struct JoinAfterTimer(bool);

impl Finding for JoinAfterTimer {
    fn after(&mut self, world: &World) -> bool {
        world.records().iter().any(|(_, record)| match record {
            Record::Fired {
                node,
                trigger: TriggerKind::Timer,
                ..
            } => {
                self.0 |= element(world, *node) == "boundaryEvent";
                false
            }
            Record::JoinFired { node, .. } => self.0 && element(world, *node) == "inclusiveGateway",
            _ => false,
        })
    }
}

/// Two tokens are on one flow.
#[derive(Default)]
struct TwoOnOneFlow;

impl Finding for TwoOnOneFlow {
    fn after(&mut self, world: &World) -> bool {
        let mut flows = BTreeSet::new();
        let tracks = world.instance(ONLY).tracks().into_iter();
        let mut moving = tracks.filter(|track| track.phase == Phase::InTransit);
        moving.any(|track| track.flow.is_some_and(|flow| !flows.insert(flow)))
    }
}

/// An end event withdraws a token that is parked at a join.
#[derive(Default)]
struct EndWithdrawsParked(BTreeSet<TrackId>);

impl Finding for EndWithdrawsParked {
    fn after(&mut self, world: &World) -> bool {
        let parked = std::mem::take(&mut self.0);
        let tracks = world.instance(ONLY).tracks().into_iter();
        let waiting = tracks.filter(|track| matches!(track.phase, Phase::AwaitingMerge | Phase::AwaitSync));
        self.0 = waiting.map(|track| track.id).collect();
        let records = || world.records().iter().map(|(_, record)| record);
        let ends =
            |record: &Record| matches!(record, Record::Stepped { node, .. } if element(world, *node) == "endEvent");
        let withdrawn = |record: &Record| matches!(record, Record::TrackEnded { track, state: Final::Canceled, .. } if parked.contains(track));
        records().any(ends) && records().any(withdrawn)
    }
}

/// A boundary event withdraws the run of a handler inside of its host.
#[derive(Default)]
struct BoundaryWithdrawsHandler;

impl Finding for BoundaryWithdrawsHandler {
    fn after(&mut self, world: &World) -> bool {
        let records = || world.records().iter().map(|(_, record)| record);
        let interrupts = |record: &Record| matches!(record, Record::Interrupted { by, .. } if element(world, *by) == "boundaryEvent");
        let handler = |record: &Record| matches!(record, Record::ScopeWithdrawn { host: None, .. });
        records().any(interrupts) && records().any(handler)
    }
}

fn size(model: &Definitions) -> usize {
    model.scopes.iter().map(|scope| scope.nodes.len()).sum()
}

/// What the findings of a kind shrink to, of the first models of a family in which a few random runs have it.
fn shrunk<F: Finding>(family: Family, models: usize) -> Vec<Shrunk> {
    let parameters = Parameters::of(family).nodes(25);
    let mut search = Search::<F>::new();
    let mut all = Vec::new();
    for seed in 0..2_000 {
        let model = model(seed, &parameters);
        if let Some(failing) = search.find(&model, 0..4) {
            all.push(shrink(&mut search, model, failing, &Limits::default()));
            if all.len() == models {
                break;
            }
        }
    }
    assert!(!all.is_empty(), "{family:?}: no model has it");
    all
}

/// The finding shrinks to so many nodes and deviations, and to nearly the fewest in some model of each family; and it shows
/// up again in what was written and read.
fn check<F: Finding>(models: usize, nodes: RangeInclusive<usize>, deviations_max: usize) {
    for family in Family::ALL {
        let all = shrunk::<F>(family, models);
        for shrunk in &all {
            let text = xml::write(&shrunk.model);
            let deviations = &shrunk.failing.deviations;
            let told = || format!("{family:?}, {} runs: {deviations:?}\n{text}", shrunk.runs);
            assert!(!shrunk.bounded && shrunk.runs <= RUNS_MAX, "{}", told());
            assert!(nodes.contains(&size(&shrunk.model)), "{}", told());
            assert!(deviations.len() <= deviations_max, "{}", told());
            replays::<F>(shrunk);
        }
        let fewest = all.iter().map(|shrunk| size(&shrunk.model)).min();
        assert!(fewest <= Some(nodes.start() + 1), "{family:?}: {fewest:?}");
    }
}

/// Written to a store and read again, the run has the finding, and plays as a token.
fn replays<F: Finding>(shrunk: &Shrunk) {
    let Shrunk { model, failing, .. } = shrunk;
    let root = std::env::temp_dir().join(format!(
        "trackside-shrink-{}-{}",
        std::process::id(),
        std::any::type_name::<F>().len()
    ));
    let store = Store::of_repository(&root);
    let finding = Stored {
        name: "found",
        model,
        process: &model.processes[0].id,
        settings: &settings(),
        birth: None,
        deviations: &failing.deviations,
        invariant: "V0",
        message: "made up",
        strategy: None,
        plant: None,
    };
    store.write(&finding).expect("it is written");
    let case = store.case("found").expect("it is read");
    let source = store.source(&case).expect("its model is read");
    std::fs::remove_dir_all(&root).expect("it is removed");
    assert!(!source.has_errors(), "{:?}", source.problems);
    let simulation = Simulation::replay(&source, &case.token).expect("it fits");
    assert!(simulation.run().is_ok(), "it plays to its end");
    let mut search = Search::<F>::new();
    assert!(search.prepare(&source.definitions));
    let again = search.fails(&mut Replay::strict(failing.deviations.clone()));
    let again = again.expect("it shows up again");
    assert_eq!(again, *failing);
}

/// A start, a host, its boundary event and a join that both lead to.
#[test]
fn a_join_after_a_timer_needs_four_nodes() {
    check::<JoinAfterTimer>(8, 4..=4, 3);
}

/// A start with two flows to a node, and one behind it. Two flows from a node to itself will do as well. Where it is an event
/// that fires twice, its host comes to it.
#[test]
fn two_tokens_on_a_flow_need_three_nodes() {
    check::<TwoOnOneFlow>(8, 2..=4, 2);
}

/// A start, a join and an end event, with three flows from the start, two of them to the join. Where the token is surplus at
/// a join and the end comes behind it, or where a handler interrupts, more is needed.
#[test]
fn a_token_that_an_end_withdraws_needs_three_nodes() {
    check::<EndWithdrawsParked>(4, 3..=6, 2);
}

/// A start, a sub-process and its boundary event; in it a start and a handler; in that a start and something after it.
#[test]
fn a_handler_that_a_boundary_event_withdraws_needs_seven_nodes() {
    check::<BoundaryWithdrawsHandler>(5, 7..=7, 2);
}

#[test]
fn the_same_finding_shrinks_to_the_same() {
    for family in Family::ALL {
        assert_eq!(shrunk::<JoinAfterTimer>(family, 2), shrunk::<JoinAfterTimer>(family, 2));
    }
}

/// With few runs it stops where it is, with a smaller model on which the finding still shows up.
#[test]
fn a_bound_on_the_runs_is_kept() {
    let mut search = Search::<JoinAfterTimer>::new();
    let whole = (0..).map(|seed| model(seed, &Parameters::of(Family::Cyclic).nodes(25)));
    let (whole, failing) = whole
        .into_iter()
        .find_map(|model| search.find(&model, 0..4).map(|failing| (model, failing)))
        .expect("some model has it");
    let limits = Limits {
        runs_max: 60,
        ..Limits::default()
    };
    let shrunk = shrink(&mut search, whole.clone(), failing, &limits);
    assert!(shrunk.bounded && shrunk.runs == 60);
    assert!(size(&shrunk.model) < size(&whole));
    replays::<JoinAfterTimer>(&shrunk);
}
