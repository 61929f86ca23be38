//! The words that ids of coverage items are made of, one list for each question that an item answers.

/// An enumeration whose values have words. The words are ids in stores and documents: they stay as they are.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($value:ident $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub(super) enum $name { $($value),* }

        #[allow(dead_code, reason = "not every list is gone through")]
        impl $name {
            pub(super) const WORDS: &'static [&'static str] = &[$($word),*];
            pub(super) const ALL: &'static [Self] = &[$(Self::$value),*];

            pub(super) const fn ix(self) -> usize {
                self as usize
            }
        }
    };
}
pub(super) use words;

words! {
    /// A kind of gateway in a role, or an implicit one, and how it was passed.
    Passage {
        AndSplit "and.split", AndJoin "and.join", AndMixed "and.mixed",
        XorSplit "xor.split", XorJoin "xor.join", XorMixed "xor.mixed", XorDefault "xor.default", XorBare "xor.bare",
        OrSplit "or.split", OrJoin "or.join", OrMixed "or.mixed", OrDefault "or.default", OrBare "or.bare",
        ComplexSplit "complex.split", ComplexJoin "complex.join", ComplexMixed "complex.mixed",
        ComplexDefault "complex.default", ComplexBare "complex.bare", ComplexCount "complex.count",
        ComplexRequired "complex.required", ComplexGuard "complex.guard", ComplexSeveral "complex.several",
        GateMessage "gate.message", GateReceive "gate.receive", GateSignal "gate.signal", GateTimer "gate.timer",
        GateConditional "gate.conditional", GateStart "gate.start-exclusive", GateStartParallel "gate.start-parallel",
        SplitAll "implicit.split-all", SplitSome "implicit.split-some", SplitDefault "implicit.default",
        Merge "implicit.merge", End "implicit.end",
    }
}

words! {
    /// What a catching node waits for.
    Trigger {
        Message "message", Signal "signal", Timer "timer", Conditional "conditional", Error "error",
        Escalation "escalation",
    }
}

impl Trigger {
    /// Those that come from outside, so that they can be enabled beside something else.
    pub(super) const OUTSIDE: &'static [&'static str] = &["message", "signal", "timer", "conditional"];

    pub(super) const fn is_from_outside(self) -> bool {
        !matches!(self, Self::Error | Self::Escalation)
    }
}

words! {
    /// Whether a watcher interrupts.
    Mode { Interrupting "interrupting", Beside "non-interrupting" }
}

words! {
    /// What the host of a boundary event is doing when that fires.
    HostPhase {
        Working "working", Moving "scope-moving", Parked "scope-parked", Nested "scope-nested", Again "refired",
    }
}

words! {
    /// The kind of a synchronizing join.
    Join { And "and", Or "or", Complex "complex" }
}

words! {
    /// A kind of join that a boundary event's flow leads to, or that there is none.
    Lead { And "and", Or "or", Complex "complex", None "none" }
}

words! {
    /// What an arm of a gate waits for.
    Arm {
        Message "message", Receive "receive", Signal "signal", Timer "timer", Conditional "conditional",
    }
}

words! {
    /// Which of two enabled actions on one host came first.
    Order {
        Completes "completes-before", Fires "fires-before-completion", Drains "drains-before",
    }
}

words! {
    /// Where a token is, or (the last) an event sub-process that runs in a scope.
    State {
        InTransit "in-transit", Ready "ready", Working "working", Catching "catching", Hosting "hosting",
        And "parked-and", Or "parked-or", Complex "parked-complex", Handler "handler",
    }
}

words! {
    /// What ended tokens from outside.
    Cause {
        Terminate "terminate-process", TerminateScope "terminate-scope", Interruption "interruption",
        Takeover "takeover", Cancel "cancel", Fault "fault",
    }
}

words! {
    /// How a token came to wait behind others at a join.
    Surplus { Behind "while-marked", After "after-firing", Consumed "consumed" }
}

words! {
    /// A token that comes to a complex join whose wave is open.
    Wave { Late "late", Used "used-flow" }
}

words! {
    /// What goes on in a scope when one of its event sub-processes starts.
    ScopePhase {
        Moving "moving", Parked "parked", Working "working", Nested "nested", Handler "handler",
    }
}

words! {
    /// A join that decides without an arrival.
    Unblocked { Or "or", Complex "complex" }
}

words! {
    /// What made a join decide without an arrival; of several in one transition, the last of this list.
    By {
        Data "data", Move "move", End "end", Absorbed "absorbed", Interruption "interruption", Error "caught-error",
    }
}

words! {
    /// Two joins that were freed by one transition.
    Freed { Ors "or-or", OrComplex "or-complex", Complexes "complex-complex" }
}

words! {
    /// When a late answer came.
    Late { BeforeEnd "before-end", Again "node-works-again", AfterEnd "after-end" }
}

words! {
    /// What began at a non-interrupting boundary event against its host.
    Branch { Outlives "outlives-host", First "ends-before-host" }
}

words! {
    /// Who got one signal.
    Heard {
        CatchCatch "catch-catch", CatchBoundary "catch-boundary", CatchHandler "catch-handler",
        BoundaryBoundary "boundary-boundary", BoundaryHandler "boundary-handler", HandlerHandler "handler-handler",
        Withdrawn "withdrawn-receiver",
    }
}

words! {
    /// Who of several got a message.
    Addressed {
        OneOfSeveral "one-of-several", HandlerFirst "handler-before-boundary", Boundary "boundary-behind-handler",
    }
}

words! {
    /// Timers that are due at one time.
    Ties { Tie "due-together" }
}

words! {
    /// Kinds of records but those of subscriptions, with what tells them apart.
    Kind {
        Born "Born", BornFork "Born.fork", BornBoundary "Born.boundary", Stepped "Stepped", Left "Left",
        Arrived "Arrived", ParkedMerge "Parked.awaiting-merge", ParkedSync "Parked.await-sync", JoinFired "JoinFired",
        Resumed "Resumed", Merged "Merged", Trailing "Trailing", Rearmed "Rearmed", WorkStarted "WorkStarted",
        WorkOk "WorkEnded.ok", WorkError "WorkEnded.error", WorkFailure "WorkEnded.failure",
        WorkAskedToStop "WorkAskedToStop", Discarded "Discarded", Refired "Refired", RefiredDue "Refired.due",
        DisarmedTaken "Disarmed.taken", DisarmedLost "Disarmed.lost", DisarmedHost "Disarmed.host-ended",
        Terminating "Interrupted.terminating", Terminated "Interrupted.terminated", Failing "Interrupted.failing",
        Failed "Interrupted.failed", ThrownMessage "Thrown.message", ThrownSignal "Thrown.signal",
        ThrownError "Thrown.error", ThrownEscalation "Thrown.escalation", LostMessage "Undelivered.message",
        LostSignal "Undelivered.signal", LostEscalation "Undelivered.escalation", Opened "ScopeOpened.process",
        OpenedSub "ScopeOpened.sub-process", OpenedHandler "ScopeOpened.handler", CompletedSub "ScopeCompleted.sub-process",
        CompletedHandler "ScopeCompleted.handler", WithdrawnSub "ScopeWithdrawn.sub-process",
        WithdrawnHandler "ScopeWithdrawn.handler", DataChanged "DataChanged", Clock "Clock",
        Ended "TrackEnded.ended", Canceled "TrackEnded.canceled", FailedTrack "TrackEnded.failed",
        InstanceEnded "InstanceEnded",
    }
}

words! {
    /// What a subscription is to its model.
    Role { Catching "catching", Interrupting "interrupting", Beside "non-interrupting" }
}

words! {
    /// How a run ends.
    Ending {
        Completed "completed", Terminated "terminated", Canceled "canceled", Error "faulted.error",
        Technical "faulted.technical", NoFlow "faulted.no-flow", Expression "faulted.expression",
        Unsatisfiable "faulted.activation-unsatisfiable", Exhausted "faulted.arrivals-exhausted",
        TooMany "faulted.too-many-tokens", Stuck "stuck", Bounded "bounded",
    }
}
