//! Names of the engine's values, as documents and people read them.

use trackside_engine::instance::{Cause, End, FaultKind, Final, LifeCycle, Mode, Phase, TriggerKind, Withdrawal};
use trackside_engine::world::Class;

/// The name of a class of actions.
pub const fn class_name(class: Class) -> &'static str {
    match class {
        Class::Step => "step",
        Class::Arrival => "arrival",
        Class::Completion => "completion",
        Class::Late => "late",
        Class::Firing => "firing",
        Class::Clock => "clock",
        Class::Data => "data",
        Class::Control => "control",
    }
}

/// The name of what a subscription waits for.
pub const fn trigger_name(trigger: TriggerKind) -> &'static str {
    match trigger {
        TriggerKind::Message => "message",
        TriggerKind::Signal => "signal",
        TriggerKind::Timer => "timer",
        TriggerKind::Conditional => "conditional",
        TriggerKind::Error => "error",
        TriggerKind::Escalation => "escalation",
    }
}

/// The name of a final state (TRK-1).
pub const fn final_name(state: Final) -> &'static str {
    match state {
        Final::Ended => "Ended",
        Final::Canceled => "Canceled",
        Final::Failed => "Failed",
    }
}

pub(crate) const fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::InTransit | Phase::Ready | Phase::Throwing | Phase::Leaving | Phase::Dead => "Running",
        Phase::Waiting => "WaitingEvent",
        Phase::AwaitingMerge => "AwaitingMerge",
        Phase::AwaitSync => "AwaitSync",
    }
}

pub(crate) const fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Catching => "catching",
        Mode::Interrupting => "interrupting",
        Mode::NonInterrupting => "non-interrupting",
    }
}

pub(crate) const fn withdrawal_name(why: Withdrawal) -> &'static str {
    match why {
        Withdrawal::Taken => "taken",
        Withdrawal::Lost => "lost",
        Withdrawal::HostEnded => "host-ended",
    }
}

pub(crate) const fn life_cycle_name(state: LifeCycle) -> &'static str {
    match state {
        LifeCycle::Terminating => "terminating",
        LifeCycle::Terminated => "terminated",
        LifeCycle::Failing => "failing",
        LifeCycle::Failed => "failed",
    }
}

pub(crate) const fn end_name(end: &End) -> &'static str {
    match end {
        End::Completed => "completed",
        End::Terminated => "terminated",
        End::Faulted(_) => "faulted",
        End::Canceled => "canceled",
    }
}

pub(crate) const fn fault_name(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Error => "error",
        FaultKind::Technical => "technical",
        FaultKind::NoFlow => "no-flow",
        FaultKind::Expression => "expression",
        FaultKind::ActivationUnsatisfiable => "activation-unsatisfiable",
        FaultKind::ArrivalsExhausted => "arrivals-exhausted",
        FaultKind::TooManyTokens => "too-many-tokens",
    }
}

/// What was thrown: its kind and its name or code.
pub(crate) fn cause_words(cause: &Cause) -> (&'static str, &str) {
    match cause {
        Cause::Message(name) => ("message", name),
        Cause::Signal(name) => ("signal", name),
        Cause::Error(code) => ("error", code),
        Cause::Escalation(code) => ("escalation", code),
    }
}
