//! The rows of the table of decisions of inclusive joins (ORJ): data, from which the engine's tests and those of the
//! reference semantics bring about a marking, each in its way.

use Decision::{Fire, Wait};

/// What a join does in a marking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Fire,
    Wait,
}

/// Two branches from an inclusive split.
pub(crate) const D: &str = "e: S > O > A > J.1; O > B > J.2; J > End.o; start S; or O J; auto A B";
/// The same, but one branch may turn away.
pub(crate) const X: &str = "e: S > O > A > J.1; O > B > X.c; X > J.2; X > Q > E2; J > End; start S; or O J; auto A B Q";
/// Two flows from one node.
pub(crate) const C: &str = "S > O > X.a; X > J.1; X > J.2; O > B > J.3; start S; or O J; auto B";
/// A loop back into the join.
pub(crate) const L: &str = "S > J.1; J > T > X > J.x; X > End; start S; or J; auto T";
/// A diamond in a loop.
pub(crate) const LD: &str = "S > m > O > A > J.1; O > B > J.2; J > X > m.r; X > End; start S; or O J; auto A B";
/// A join behind a join.
pub(crate) const N: &str = "O > A > J1.1; O > B > J1.2; J1 > J.3; O > C > J.4; or O J J1; auto A B C";
/// Two joins, each behind the other.
pub(crate) const V: &str =
    "F > J1.a; F > J2.b; J1 > P1 > J2.y; P1 > End; J2 > P2 > J1.x; P2 > End; or J1 J2; xor P1 P2";
/// The same, lopsided, in a loop.
pub(crate) const W: &str =
    "S > m > X1 > End; X1 > O > J1.3; O > J2.4; J1 > J2.8; J2 > X2 > J1.1; X2 > m; start S; or O J1 J2";
/// A loop around a parallel block that holds an inclusive one.
pub(crate) const K: &str = "S > m > F > O > J.1; O > J.2; F > PJ.p; J > PJ > X > m; X > End; start S; or O J; and PJ";
/// An inclusive join fed by two parallel splits, in a loop.
pub(crate) const U: &str =
    "S > F > G.g; F > m; G > J1.5; G > J2.6; m > J2.7; J2 > J1.9; J1 > X > m; X > End; start S; and G; or J1 J2";
/// A branch that may turn to a parallel join instead.
pub(crate) const P: &str = "F > A > J.1; F > B > X > J.2; X > PJ.p; J > PJ > End; or J; and PJ; auto A B";
/// A branch that hangs on a dead parallel join.
pub(crate) const Q: &str = "F > A > J.1; F > PJ.p; Z > PJ > W > J.2; or J; and PJ; auto A W";
/// A gate that may choose the join's branch.
pub(crate) const EV: &str =
    "F > A > J.1; F > E > M > J.2; E > T > E2; or J; gate E; catch M(message m) T(timer PT1H); auto A";
/// A boundary event that leads to the join.
pub(crate) const B1: &str = "A > J.1; B{!timer PT1H as C > J.2} > E2; or J; auto A";
/// A boundary event that leads to a flow that has its token.
pub(crate) const B2: &str = "A > m > J.1; B{!timer PT1H as T > m} > J.2; or J; auto A";

/// One row.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) model: &'static str,
    /// Tokens to be registered, by flow.
    pub(crate) registered: &'static [&'static str],
    /// Live tokens beside them.
    pub(crate) others: &'static str,
    pub(crate) join: &'static str,
    pub(crate) standard: Decision,
    pub(crate) conservative: Decision,
}

const fn row(
    name: &'static str,
    model: &'static str,
    registered: &'static [&'static str],
    others: &'static str,
    join: &'static str,
    (standard, conservative): (Decision, Decision),
) -> Row {
    Row {
        name,
        model,
        registered,
        others,
        join,
        standard,
        conservative,
    }
}

const BOTH_FIRE: (Decision, Decision) = (Fire, Fire);
const BOTH_WAIT: (Decision, Decision) = (Wait, Wait);
const DIFFER: (Decision, Decision) = (Fire, Wait);

/// `*` marks rows where the two readings differ.
#[rustfmt::skip]
pub(crate) const TABLE: &[Row] = &[
    row("1: a branch that was never taken", D, &["1"], "", "J", BOTH_FIRE),
    row("2: a live branch", D, &["1"], "at:B", "J", BOTH_WAIT),
    row("3: every flow has its token", D, &["1", "2"], "", "J", BOTH_FIRE),
    row("4: nothing has arrived", D, &[], "at:A", "J", BOTH_WAIT),
    row("5: another token for a flow that has one", D, &["1"], "at:A", "J", BOTH_FIRE),
    row("6*: upstream, towards both flows", D, &["1"], "on:e", "J", DIFFER),
    row("8: tokens of one flow are not counted as flows", D, &["1", "1"], "at:B", "J", BOTH_WAIT),
    row("9: a token below the join", D, &["1"], "on:o", "J", BOTH_FIRE),
    row("10: may still turn towards the join", X, &["1"], "on:c", "J", BOTH_WAIT),
    row("11: has turned away", X, &["1"], "at:Q", "J", BOTH_FIRE),
    row("12: two flows from one node", C, &["3"], "on:a", "J", BOTH_WAIT),
    row("13*: one of two flows from one node", C, &["1", "3"], "on:a", "J", DIFFER),
    row("14: a token in the join's own loop", L, &["1"], "at:T", "J", BOTH_WAIT),
    row("15: the second pass", L, &["x"], "", "J", BOTH_FIRE),
    row("16*: a token in the loop around", LD, &["1"], "on:r", "J", DIFFER),
    row("17: a token parked at another join counts", N, &["4", "1"], "", "J", BOTH_WAIT),
    row("17: and that join fires", N, &["4", "1"], "", "J1", BOTH_FIRE),
    row("18: a circle, from one side", V, &["a"], "on:b", "J1", BOTH_WAIT),
    row("19: a circle, from the other side", V, &["b"], "on:a", "J2", BOTH_WAIT),
    row("20*: a lopsided circle", W, &["3"], "on:4", "J1", DIFFER),
    row("21: a lopsided circle, from the other side", W, &["4"], "on:3", "J2", BOTH_WAIT),
    row("22*: a loop around a parallel block", K, &["1"], "on:p", "J", DIFFER),
    row("23*: early under the standard's reading", U, &["7"], "on:g", "J2", DIFFER),
    row("24: parked elsewhere, out of reach", P, &["1", "p"], "", "J", BOTH_FIRE),
    row("25: hangs on a dead parallel join", Q, &["1", "p"], "", "J", BOTH_WAIT),
    row("26: the gate may still choose", EV, &["1"], "at:E", "J", BOTH_WAIT),
    row("27: the other arm has won", EV, &["1"], "at:T", "J", BOTH_FIRE),
    row("28: a boundary flow can still deliver", B1, &["1"], "at:B", "J", BOTH_WAIT),
    row("29*: a boundary flow leads to a flow that has its token", B2, &["1"], "at:B", "J", DIFFER),
];
