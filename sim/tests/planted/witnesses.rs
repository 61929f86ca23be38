//! For each fault a small model that gives it away.

use trackside_engine::instance::Grain;
use trackside_engine::model::notation;
use trackside_sim::fault::{Fault, Knowledge};

use super::judge::{Subject, options};

/// Schedules per model and grain.
const SCHEDULES: u64 = 60;
/// The most nodes of a witness, over all its scopes.
const NODES_MAX: usize = 12;

/// Fault and model.
#[rustfmt::skip]
const WITNESSES: &[(Fault, &str)] = &[
    (Fault::JoinRedecidedOnArrivalOnly, "s > F > A > J > e; F > B > X > J; X > C > e2; or J"),
    (Fault::JoinNotRedecidedOnMove, "s > F > A > J > e; F > B > X > J; X > C > e2; or J"),
    (Fault::JoinNotRedecidedOnCaughtError, "s > F > A > J > e; F > service B{!error k > C > e2} > J; or J"),
    (Fault::ForkInTwoSteps, "s > F > A > J > e; F > B > J"),
    (Fault::InTransitArrivalIgnored, "s > F > J > e; F > J; or J; and F"),
    (Fault::NewSiblingInvisible, "s > F > J > e; F > B > J; or J; and F"),
    (Fault::AllMarkedFiringForgetsParked, "s > F > A > J > e; F > B > J; or J"),
    (Fault::LateTokenParksForEver, "s > F > A > K; F > B > K; K(1) > e"),
    (Fault::AndJoinCountsTokens, "s > F > m; F > m; F > A > J; m > J > e; and J F"),
    (Fault::AndJoinOverwritesSurplus, "s > F > m; F > m; F > A > J; m > J > e; and J F"),
    (Fault::StarvedAndJoinCompletes, "s > X > A > J; X > B > J; J > e; and J"),
    (Fault::ReachabilityMissesJumps, "s > F > A > J > e; F > B{!m > C > J} > e2; or J"),
    (Fault::ReachabilityWalksThroughJoin, "s > F > m; F > m; m > B > J > X > J; X > e; or J; and F; xor X"),
    (Fault::JoinStateSharedByPasses, "s > F > m; F > m; m > SP{s1 > G > A > J; G > B > J; J > e1; and J G} > e; and F"),
    (Fault::LatchSurvivesRearming, "s > m > F > A* > J; F > B* > J; J > X -[again]> m; X -[done]> e"),
    (Fault::TwoArmsWin, "s > G > catch a(message m) > A > e; G > catch b(signal g) > B > e"),
    (Fault::LosingSubscriptionLeaks, "s > G > catch a(message m) > A > e; G > catch b(signal g) > B > e"),
    (Fault::WatcherOutlivesHost, "s > user A{!m > B > e2} > C > e"),
    (Fault::InterruptedHostGoesOn, "s > user A{!m > B > e2} > C > e"),
    (Fault::InterruptedForkSpawns, "s > user A{!m > B > e2} > C > e; A > D > e"),
    (Fault::LateResultTaken, "s > service A{!m > user B > e2} > e"),
    (Fault::WatcherNotRearmed, "s > user A{~m > B > e2} > e"),
    (Fault::TerminateLeavesParked, "s > F > A > J > e; F > B > J; F > C > ET; and J"),
    (Fault::ScopedTerminateKillsParent, "s > SP{s1 > F > A > ET; F > B > e1} > C > e"),
    (Fault::PlainEndTerminates, "s > F > A > e; F > B > e2"),
    (Fault::CompletionBeforeSibling, "s > F > e; F > A* > e2"),
    (Fault::ComplexJoinSamplesTwice, "s > F > A > K; F > B > K; K(2) > e"),
    (Fault::TrailingTokenRefires, "s > F > A > K; F > B > K; K(1) > e"),
    (Fault::LineageRewrittenAtMerge, "s > F > A > J > C > e; F > B > J; J > D > e; and J"),
    (Fault::BranchOrderFromHashMap, "s > F > A > e; F > B > e2"),
];

fn subject(model: &str) -> Subject {
    let file = notation::parse(model).unwrap_or_else(|error| panic!("the model is of the notation: {error}\n{model}"));
    let nodes: usize = file.scopes.iter().map(|scope| scope.nodes.len()).sum();
    assert!(nodes <= NODES_MAX, "a witness is small: {nodes} nodes in {model}");
    Subject::new(file).expect("the reference covers the model")
}

#[test]
fn every_fault_has_one_witness() {
    let faults: Vec<Fault> = WITNESSES.iter().map(|&(fault, _)| fault).collect();
    assert_eq!(faults, Fault::ALL);
    assert_eq!(faults.len(), 30);
}

#[test]
fn every_fault_is_noticed_and_by_whom_it_should() {
    for &(fault, model) in WITNESSES {
        let (subject, known) = (subject(model), Knowledge::of(fault));
        for grain in [Grain::Protocol, Grain::Atomic] {
            let planted = |seed| subject.judge(known.planted_in(options(grain)), seed).err();
            let objections: Vec<_> = (0..SCHEDULES).filter_map(planted).collect();
            assert!(!objections.is_empty(), "{fault:?} shows in {grain:?}: {model}");
            for (invariant, message) in objections {
                assert!(
                    known.noticed_by.contains(&invariant),
                    "{fault:?} in {grain:?}: {message}"
                );
            }
        }
    }
}

#[test]
fn nothing_is_noticed_where_nothing_is_planted() {
    for &(fault, model) in WITNESSES {
        let (subject, known) = (subject(model), Knowledge::of(fault));
        for grain in [Grain::Protocol, Grain::Atomic] {
            for seed in 0..SCHEDULES {
                let said = subject.judge(known.innocent(options(grain)), seed);
                assert_eq!(said, Ok(()), "{grain:?}, schedule {seed}: {model}");
            }
        }
    }
}
