//! Fault by fault: who notices it, and which models and options let it show.

use trackside_engine::instance::Options;

use super::Fault;
use crate::generate::{Family, Kind};

/// What it takes to notice a fault.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge {
    /// The fault.
    pub fault: Fault,
    /// The invariants of which one fails first.
    pub noticed_by: &'static [&'static str],
    /// What models can be made of in which it shows. Others may do as well.
    pub kinds: &'static [Kind],
    /// Families of such models.
    pub families: &'static [Family],
    /// Whether interrupted work has to answer late ([`trackside_engine::instance::Environment::late`]).
    pub late: bool,
}

impl Knowledge {
    /// What is known of a fault.
    ///
    /// # Panics
    ///
    /// Never: something is known of every fault.
    pub fn of(fault: Fault) -> &'static Self {
        let found = KNOWN.iter().find(|knowledge| knowledge.fault == fault);
        found.expect("something is known of every fault")
    }

    /// The same options with the fault planted, and with what it needs from the environment.
    #[must_use]
    pub fn planted_in(&self, options: Options) -> Options {
        let mut planted = self.innocent(options);
        planted.plant = Some(self.fault);
        planted
    }

    /// What [`Self::planted_in`] gives, without the fault.
    #[must_use]
    pub fn innocent(&self, mut options: Options) -> Options {
        options.environment.late |= self.late;
        options
    }
}

/// What is known of most faults: whoever notices them, in whatever model of these families that has these kinds.
const fn known(
    fault: Fault,
    noticed_by: &'static [&'static str],
    kinds: &'static [Kind],
    families: &'static [Family],
) -> Knowledge {
    Knowledge {
        fault,
        noticed_by,
        kinds,
        families,
        late: false,
    }
}

/// Blocks are sound: no join of theirs starves or has tokens to spare, and no scope of theirs is left with one parked.
const UNSOUND: &[Family] = &[Family::Acyclic, Family::Cyclic];
const CYCLIC: &[Family] = &[Family::Cyclic];
const ALL: &[Family] = &Family::ALL;

#[rustfmt::skip]
const KNOWN: &[Knowledge] = &[
    known(Fault::JoinRedecidedOnArrivalOnly, &["V3", "V4"], &[Kind::Exclusive, Kind::Inclusive], UNSOUND),
    known(Fault::JoinNotRedecidedOnMove, &["V3", "V4"], &[Kind::Exclusive, Kind::Inclusive], UNSOUND),
    known(Fault::JoinNotRedecidedOnCaughtError, &["V3", "V4"], &[Kind::Inclusive, Kind::Parallel, Kind::Error, Kind::Boundary, Kind::Interrupting], UNSOUND),
    known(Fault::ForkInTwoSteps, &["V6", "V5"], &[Kind::Parallel], ALL),
    known(Fault::InTransitArrivalIgnored, &["V2", "V1", "V3", "V4"], &[Kind::Inclusive], ALL),
    known(Fault::NewSiblingInvisible, &["V2", "V1", "V3", "V4"], &[Kind::Inclusive], ALL),
    known(Fault::AllMarkedFiringForgetsParked, &["V1"], &[Kind::Inclusive], ALL),
    known(Fault::LateTokenParksForEver, &["V1", "V4"], &[Kind::Complex], ALL),
    known(Fault::AndJoinCountsTokens, &["V2", "V1"], &[Kind::Parallel, Kind::Exclusive], UNSOUND),
    known(Fault::AndJoinOverwritesSurplus, &["V6", "V1"], &[Kind::Parallel, Kind::Exclusive], UNSOUND),
    known(Fault::StarvedAndJoinCompletes, &["V4", "V6", "V8"], &[Kind::Parallel, Kind::Exclusive], UNSOUND),
    known(Fault::ReachabilityMissesJumps, &["V2", "V1", "V4"], &[Kind::Inclusive, Kind::Link], ALL),
    known(Fault::ReachabilityWalksThroughJoin, &["V2", "V3"], &[Kind::Inclusive, Kind::Loop], CYCLIC),
    known(Fault::JoinStateSharedByPasses, &["V3", "V2", "V1"], &[Kind::SubProcess, Kind::Complex, Kind::Loop], CYCLIC),
    known(Fault::LatchSurvivesRearming, &["V3"], &[Kind::Parallel, Kind::Loop], CYCLIC),
    known(Fault::TwoArmsWin, &["V8", "V6"], &[Kind::EventBased, Kind::Signal], ALL),
    known(Fault::LosingSubscriptionLeaks, &["V8"], &[Kind::EventBased, Kind::Signal], ALL),
    known(Fault::WatcherOutlivesHost, &["V8", "V9"], &[Kind::Boundary, Kind::Signal, Kind::Interrupting], ALL),
    known(Fault::InterruptedHostGoesOn, &["V6", "V4", "V8"], &[Kind::Boundary, Kind::Signal, Kind::Interrupting], ALL),
    known(Fault::InterruptedForkSpawns, &["V6", "V4", "V3"], &[Kind::Boundary, Kind::Signal, Kind::Interrupting, Kind::ImplicitSplit, Kind::Parallel], UNSOUND),
    Knowledge { late: true, ..known(Fault::LateResultTaken, &["V4"], &[Kind::Boundary, Kind::Signal, Kind::Interrupting], ALL) },
    known(Fault::WatcherNotRearmed, &["V8", "V6"], &[Kind::Boundary, Kind::Signal, Kind::NonInterrupting], ALL),
    known(Fault::TerminateLeavesParked, &["V4"], &[Kind::Parallel, Kind::Terminate], UNSOUND),
    known(Fault::ScopedTerminateKillsParent, &["V4", "V8"], &[Kind::Parallel, Kind::Terminate, Kind::SubProcess], ALL),
    known(Fault::PlainEndTerminates, &["V4", "V8", "V1", "V6", "V9"], &[Kind::Parallel, Kind::SubProcess], ALL),
    known(Fault::CompletionBeforeSibling, &["V4", "V8"], &[Kind::Parallel, Kind::SubProcess], ALL),
    known(Fault::ComplexJoinSamplesTwice, &["V4", "V3", "V8"], &[Kind::Complex], ALL),
    known(Fault::TrailingTokenRefires, &["V1", "V4"], &[Kind::Complex], ALL),
    known(Fault::LineageRewrittenAtMerge, &["V6"], &[Kind::Parallel], ALL),
    known(Fault::BranchOrderFromHashMap, &["V11", "V1", "V8"], &[Kind::Parallel], ALL),
];
