//! The rules that a run can exercise, each with the observation that shows it; and those that no run shows, with the
//! reason.
//!
//! Most observations are items of other groups: a rule about surplus is exercised by a run that has surplus. What has no
//! such item is seen by the observer itself ([`Own`]). Together the two lists name every rule of `docs/semantics.md`; a
//! test compares them.

use super::words::words;

words! {
    /// Rules that the observer sees by itself, and what it sees.
    Own {
        // An instance began in one of several ways.
        Ins8 "INS-8",
        // A parallel join is left waiting in a stuck instance.
        Par5 "PAR-5",
        // An inclusive join fired under the conservative reading.
        Orj2 "ORJ-2",
        // One waits while all other tokens of its scope run are hosts of sub-processes.
        Orj3 "ORJ-3",
        // One fired with a token on every flow while other tokens of its scope run were about.
        Orj5 "ORJ-5",
        // One holds a token while another is in transit to it on a flow that has none.
        Orj7 "ORJ-7",
        // A stuck instance names a circle of joins.
        Orj10 "ORJ-10",
        // An arm that was taken wrote data.
        Evg7 "EVG-7",
        // A task that would run by itself is work, since it hosts a boundary event.
        Bnd11 "BND-11",
        // A split was passed while conditions were free.
        Evt6 "EVT-6",
    }
}

/// A rule that a run can exercise.
pub(super) struct Rule {
    pub(super) id: &'static str,
    /// The ids of the items of which any one shows it; `*` stands for any one word of an id.
    pub(super) shown_by: &'static [&'static str],
}

const fn rule(id: &'static str, shown_by: &'static [&'static str]) -> Rule {
    Rule { id, shown_by }
}

/// All rules that a run can exercise. Those with nothing behind them are [`Own`].
#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    rule("INS-3", &["Born.fork"]),
    rule("INS-5", &["completed", "terminated", "canceled", "faulted.*"]),
    rule("INS-6", &["stuck"]),
    rule("INS-8", &[]),
    rule("INS-9", &["ScopeCompleted.sub-process"]),
    rule("TRK-1", &["Parked.*"]),
    rule("TRK-2", &["Born.fork"]),
    rule("TRK-3", &["Merged"]),
    rule("TRK-4", &["TrackEnded.ended"]),
    rule("TRK-5", &["and.mixed", "or.mixed", "complex.mixed"]),
    rule("TRK-6", &["Stepped"]),
    rule("TRK-8", &["implicit.split-all", "implicit.split-some"]),
    rule("TRK-9", &["implicit.end"]),
    rule("GW-2", &["surplus.*.consumed"]),
    rule("PAR-1", &["and.split"]),
    rule("PAR-2", &["and.join"]),
    rule("PAR-3", &["and.join"]),
    rule("PAR-4", &["and.mixed"]),
    rule("PAR-5", &[]),
    rule("XOR-1", &["xor.split"]),
    rule("XOR-2", &["xor.default"]),
    rule("XOR-3", &["xor.default"]),
    rule("XOR-4", &["xor.join", "implicit.merge"]),
    rule("XOR-5", &["xor.bare"]),
    rule("ORS-1", &["or.split"]),
    rule("ORS-2", &["or.default"]),
    rule("ORS-3", &["or.bare"]),
    rule("ORJ-1", &["or.join", "or.mixed"]),
    rule("ORJ-2", &[]),
    rule("ORJ-3", &[]),
    rule("ORJ-4", &["boundary.*.*.*.or"]),
    rule("ORJ-5", &[]),
    rule("ORJ-6", &["unblocked.or.*"]),
    rule("ORJ-7", &[]),
    rule("ORJ-8", &["surplus.or.consumed", "or.mixed"]),
    rule("ORJ-9", &["ended-by.*.parked-or"]),
    rule("ORJ-10", &[]),
    rule("CPX-1", &["complex.split"]),
    rule("CPX-2", &["complex.join", "complex.mixed"]),
    rule("CPX-3", &["faulted.activation-unsatisfiable"]),
    rule("CPX-4", &["faulted.arrivals-exhausted"]),
    rule("CPX-5", &["unblocked.complex.*"]),
    rule("CPX-6", &["wave.*"]),
    rule("EVG-1", &["arms.*.*"]),
    rule("EVG-2", &["gate.message", "gate.receive", "gate.signal", "gate.timer", "gate.conditional"]),
    rule("EVG-3", &["gate.start-exclusive"]),
    rule("EVG-4", &["gate.start-parallel"]),
    rule("EVG-7", &[]),
    rule("BND-1", &["Disarmed.host-ended"]),
    rule("BND-2", &["completion.*.*.*"]),
    rule("BND-3", &["ended-by.interruption.*"]),
    rule("BND-4", &["Discarded"]),
    rule("BND-5", &["boundary.*.non-interrupting.refired.*"]),
    rule("BND-6", &["boundary.*.*.*.*"]),
    rule("BND-8", &["Interrupted.terminated", "Interrupted.failed"]),
    rule("BND-10", &["Interrupted.terminated", "Interrupted.failed"]),
    rule("BND-11", &[]),
    rule("ESP-1", &["handler.*.*.*"]),
    rule("ESP-2", &["message.handler-before-boundary", "signal.boundary-handler"]),
    rule("ESP-3", &["handler.error.*.*", "handler.escalation.*.*"]),
    rule("ESC-1", &["Fired.escalation.*"]),
    rule("ERR-1", &["Fired.error.*"]),
    rule("ERR-2", &["faulted.error"]),
    rule("ERR-3", &["faulted.technical"]),
    rule("ERR-5", &["faulted.*"]),
    rule("EVT-1", &["Fired.*.*", "Thrown.*"]),
    rule("EVT-2", &["signal.*", "message.one-of-several", "Undelivered.*"]),
    rule("EVT-3", &["Clock"]),
    rule("EVT-4", &["Fired.conditional.*"]),
    rule("EVT-5", &["ended-by.terminate-process.*", "ended-by.terminate-scope.*"]),
    rule("EVT-6", &[]),
    rule("EVT-8", &["faulted.expression"]),
    rule("OBS-1", &["InstanceEnded"]),
];

/// Their ids.
pub(super) const IDS: &[&str] = &{
    let mut ids = [""; RULES.len()];
    let mut at = 0;
    while at < ids.len() {
        ids[at] = RULES[at].id;
        at += 1;
    }
    ids
};

/// Why no run shows a rule.
const STRUCTURE: &str = "it is about how the engine is built";
const COMPARES: &str = "it compares runs; one run alone does not show it";
const REGISTERS: &str = "it is about which models are taken, before anything runs";
const READS: &str = "it is about reading a file";
const ABSENCE: &str = "it says what is never in a record; a run that keeps it looks like any other";
const DRIVER: &str = "it is about a driver with real handlers";

/// The rules that no run shows, with the reason.
#[rustfmt::skip]
pub(super) const NOT_SHOWN: &[(&str, &str)] = &[
    ("INS-1", COMPARES), ("INS-2", STRUCTURE), ("INS-4", STRUCTURE), ("INS-7", STRUCTURE), ("INS-10", COMPARES),
    ("INS-11", COMPARES), ("TRK-7", COMPARES), ("GW-1", REGISTERS), ("CPX-7", REGISTERS), ("CPX-8", REGISTERS),
    ("EVG-5", REGISTERS), ("EVG-6", REGISTERS), ("BND-7", REGISTERS), ("BND-9", ABSENCE),
    ("COR-1", "it is about conversations of several instances; a campaign runs one"),
    ("ERR-4", REGISTERS), ("EVT-7", "the value of a timer is compiled; a run shows only when it is due"),
    ("DRV-1", DRIVER), ("XML-1", READS), ("XML-2", READS), ("XML-3", READS), ("XML-4", READS), ("XML-5", READS),
    ("XML-6", READS), ("XML-7", READS), ("XML-8", READS), ("XML-9", READS), ("XML-ID", READS), ("XML-REF", READS),
    ("FLOW-1", REGISTERS), ("FLOW-2", REGISTERS), ("FLOW-3", REGISTERS),
];

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Where each of [`Own`] stands in [`RULES`].
pub(super) const OWN_RANKS: [usize; Own::WORDS.len()] = {
    let mut ranks = [0; Own::WORDS.len()];
    let mut own = 0;
    while own < ranks.len() {
        while !same(IDS[ranks[own]], Own::WORDS[own]) {
            ranks[own] += 1;
        }
        own += 1;
    }
    ranks
};
