//! Coverage marks: each ties tests to one branch of the engine that is easily missed.
//!
//! Only a build with the feature `coverage-marks` collects them; the engine's own tests have it on. In any other build
//! [`mark!`] is nothing, and no instance has a place for them. An instance collects its own, so that nothing is global and
//! two instances side by side don't see each other's.

macro_rules! marks {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// A branch of the engine that tests are tied to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum CoverageMark { $($(#[$doc])* $name),* }

        impl CoverageMark {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];
            /// Their names, in the same order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];
        }
    };
}

marks! {
    /// A token parks behind another one of its flow at a parallel join (PAR-2).
    ParallelSurplus,
    /// A parallel join fires and flows are still marked (GW-2).
    ParallelLeavesSurplus,
    /// An inclusive join has a token on every flow (ORJ-5).
    InclusiveAllMarked,
    /// One fires with fewer, since no other token can come (ORJ-1).
    InclusiveByReach,
    /// One is held up by a token that can still come (ORJ-1, ORJ-7).
    InclusiveHeldUp,
    /// A survivor has not left; the join does not decide (ORJ-8).
    InclusiveSurvivorInside,
    /// The survivor leaves, and surplus is decided on (ORJ-8).
    InclusiveSurplusAgain,
    /// A token disappears and frees a join by that (ORJ-6).
    JoinFreedByDeath,
    /// A token moves out of reach and frees a join by that (ORJ-6).
    JoinFreedByMove,
    /// No arrival completed the join: the earliest parked token survives (ORJ-8).
    EarliestSurvives,
    /// The completing arrival waits behind another token of its flow (ORJ-8).
    CompletingWaitsBehind,
    /// A join has to wait until the transition is whole (EVT-2).
    JoinWaitsForWhole,
    /// A late token at a complex join is consumed (CPX-6).
    ComplexTrailing,
    /// A second token on a flow that the wave used waits (CPX-6).
    ComplexSecondOnUsedFlow,
    /// A wave closes (CPX-6).
    ComplexWaveCloses,
    /// A wave stays open, since late tokens can still come (CPX-6).
    ComplexWaveStaysOpen,
    /// The reset of the standard consumes late tokens (CPX-6).
    ComplexResetFires,
    /// And emits nothing (CPX-6).
    ComplexResetEmitsNothing,
    /// A guard is false (CPX-2).
    ComplexGuardFalse,
    /// Every triple is dead (CPX-3).
    ComplexDead,
    /// Nothing can arrive any more (CPX-4).
    ComplexExhausted,
    /// A complex join fires on another occasion than an arrival (CPX-5).
    ComplexDecidesAgain,
    /// An arm takes the token from its gate (EVG-1).
    ArmTakesToken,
    /// An arm of a parallel start occurs (EVG-4).
    ArmWasOwed,
    /// Running work is asked to stop (BND-4).
    WorkAskedToStop,
    /// The host of a scope run is interrupted (BND-3).
    InterruptedHostOfScope,
    /// A host fails by a caught error (BND-3).
    InterruptedByError,
    /// A run in a run that ends is ended too (INS-9).
    RunBelowEnds,
    /// An event sub-process takes over its scope (ESP-1).
    HandlerTakesOver,
    /// Terminate in the process (EVT-5).
    TerminatesProcess,
    /// Terminate in another scope run (EVT-5).
    TerminatesScope,
    /// A track that a fault is blamed on fails (ERR-2).
    BlamedTrackFails,
    /// A run that drained has more to come, or is gone (INS-9).
    DrainedInVain,
    /// A late answer is an action (BND-4).
    LateAnswerTaken,
    /// A late answer comes from outside (BND-4).
    LateAnswerBrought,
    /// A boundary event is not offered what a handler inside takes (ESP-2).
    BoundaryEclipsed,
    /// It is offered again (ESP-2).
    BoundaryOfferedAgain,
    /// A subscription has fired as often as it is offered (BND-5).
    OfferedNoMore,
    /// A timer is used up (BND-5).
    TimerUsedUp,
    /// A condition is true when it is armed (EVT-4).
    ConditionTrueWhenArmed,
    /// A condition becomes true (EVT-4).
    ConditionBecomesTrue,
    /// A catcher of every code is there, and one of this code goes first (ERR-1).
    ExactCodeFirst,
    /// A handler does not catch what its own run raises (ESP-3).
    OwnRunSkipped,
    /// An escalation is caught nowhere (ESC-1).
    EscalationUncaught,
    /// A receiver of a signal is gone before its turn (EVT-2).
    ReceiverGone,
    /// What a track threw has withdrawn it (EVT-2).
    ThrowerGone,
    /// A message has several receivers (EVT-2).
    SeveralReceivers,
    /// A track chooses its way out in a transition of its own (EVT-6).
    ChoosesLater,
    /// A chain of causes is cut (INS-4).
    ChainCut,
}

impl CoverageMark {
    /// Whether this build collects marks.
    pub const COLLECTED: bool = cfg!(feature = "coverage-marks");
}

/// The marks of one instance.
#[cfg(feature = "coverage-marks")]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Marks(u64);

#[cfg(feature = "coverage-marks")]
impl Marks {
    pub(crate) const fn hit(&mut self, mark: CoverageMark) {
        const { assert!(CoverageMark::ALL.len() <= u64::BITS as usize, "a mark is a bit") }
        self.0 |= 1 << mark as u8;
    }

    const fn has(self, mark: CoverageMark) -> bool {
        self.0 >> mark as u8 & 1 == 1
    }
}

/// Notes in `$core` that a branch was taken; `Name if condition`, where the branch is there for the mark alone; `= expression`
/// where the mark is a value.
macro_rules! mark {
    ($core:expr, $mark:ident) => {
        #[cfg(feature = "coverage-marks")]
        $core.marks.hit($crate::instance::CoverageMark::$mark);
    };
    ($core:expr, $mark:ident if $condition:expr) => {
        #[cfg(feature = "coverage-marks")]
        if $condition {
            $core.marks.hit($crate::instance::CoverageMark::$mark);
        }
    };
    ($core:expr, = $mark:expr) => {
        #[cfg(feature = "coverage-marks")]
        $core.marks.hit($mark);
    };
}
pub(crate) use mark;

impl super::Instance {
    /// The marks of the branches that this instance has taken since its start; none in a build that does not collect
    /// them.
    pub fn marks(&self) -> impl Iterator<Item = CoverageMark> + '_ {
        #[cfg(feature = "coverage-marks")]
        let marked = |mark: &CoverageMark| self.core.marks.has(*mark);
        #[cfg(not(feature = "coverage-marks"))]
        let marked = |_: &CoverageMark| false;
        CoverageMark::ALL.iter().copied().filter(marked)
    }
}
