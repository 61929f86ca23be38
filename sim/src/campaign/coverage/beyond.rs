//! What does not count: combinations that cannot be, and what generated models and the environment of a campaign don't
//! make.

use super::families::Family;
use super::universe::matches;

/// Combinations that BPMN or the rules forbid, with the reason. They are no items.
#[rustfmt::skip]
const FORBIDDEN: &[(Family, &str, &str)] = &[
    (Family::Boundary, "boundary.error.non-interrupting.*.*", "errors always interrupt (BND-3)"),
    (Family::Boundary, "boundary.escalation.*.working.*", "nothing inside of external work throws (ESC-1)"),
    (Family::Boundary, "boundary.*.interrupting.refired.*", "what interrupts fires once"),
    (Family::Handler, "handler.error.non-interrupting.*", "errors always interrupt (BND-3)"),
    (Family::Arms, "arms.message.receive", "a gate has message events or receive tasks, not both (EVG-5)"),
    (Family::Arms, "arms.receive.message", "a gate has message events or receive tasks, not both (EVG-5)"),
    (Family::Unblocked, "unblocked.or.data", "inclusive joins look at no data (ORJ-6)"),
    (Family::Armed, "Armed.error.catching", "errors are caught at boundaries and by handlers only (EVT-1)"),
    (Family::Armed, "Armed.error.non-interrupting", "errors always interrupt (BND-3)"),
    (Family::Armed, "Armed.escalation.catching", "escalations are caught at boundaries and by handlers only (EVT-1)"),
    (Family::Fired, "Fired.error.catching", "errors are caught at boundaries and by handlers only (EVT-1)"),
    (Family::Fired, "Fired.error.non-interrupting", "errors always interrupt (BND-3)"),
    (Family::Fired, "Fired.escalation.catching", "escalations are caught at boundaries and by handlers only (EVT-1)"),
];

/// Why there is no item with this id.
pub(super) fn forbidden(family: Family, id: &str) -> Option<&'static str> {
    let found = FORBIDDEN
        .iter()
        .find(|(of, pattern, _)| *of == family && matches(pattern, id));
    found.map(|(.., why)| *why)
}

const NO_GATE_STARTS: &str = "no instantiating gate is generated";
const ALL_CAUGHT: &str = "generated models raise only what something around catches";
const NO_DATA: &str = "nothing outside changes process data";
const DRIVER: &str = "it comes from a driver only: no action of the world is that";

/// Items that can happen and that a campaign does not make today, with what is missing.
#[rustfmt::skip]
pub(super) const BEYOND: &[(&str, &str)] = &[
    ("gate.start-exclusive", NO_GATE_STARTS),
    ("gate.start-parallel", NO_GATE_STARTS),
    ("EVG-3", NO_GATE_STARTS),
    ("EVG-4", NO_GATE_STARTS),
    ("mark.ArmWasOwed", NO_GATE_STARTS),
    ("faulted.error", ALL_CAUGHT),
    ("ERR-2", ALL_CAUGHT),
    ("Undelivered.escalation", ALL_CAUGHT),
    ("mark.EscalationUncaught", ALL_CAUGHT),
    ("unblocked.complex.data", NO_DATA),
    ("mark.ConditionBecomesTrue", NO_DATA),
    ("late-answer.after-end", DRIVER),
    ("mark.LateAnswerBrought", DRIVER),
    ("faulted.too-many-tokens", "a million tokens at a time are more than a campaign waits for"),
];
