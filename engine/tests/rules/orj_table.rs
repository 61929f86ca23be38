//! Decisions of inclusive joins (ORJ), as a table: a marking, and what the join does in it under either reading.
//!
//! A marking is brought about by putting tokens on flows and nodes and registering those that are to stand at a join,
//! in every order; nothing else happens. `*` marks rows where the two readings differ.

use crate::scenario::play_one;

use Decision::{Fire, Wait};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    Fire,
    Wait,
}

/// Two branches from an inclusive split.
const D: &str = "e: S > O > A > J.1; O > B > J.2; J > End.o; start S; or O J; auto A B";
/// The same, but one branch may turn away.
const X: &str = "e: S > O > A > J.1; O > B > X.c; X > J.2; X > Q > E2; J > End; start S; or O J; auto A B Q";
/// Two flows from one node.
const C: &str = "S > O > X.a; X > J.1; X > J.2; O > B > J.3; start S; or O J; auto B";
/// A loop back into the join.
const L: &str = "S > J.1; J > T > X > J.x; X > End; start S; or J; auto T";
/// A diamond in a loop.
const LD: &str = "S > m > O > A > J.1; O > B > J.2; J > X > m.r; X > End; start S; or O J; auto A B";
/// A join behind a join.
const N: &str = "O > A > J1.1; O > B > J1.2; J1 > J.3; O > C > J.4; or O J J1; auto A B C";
/// Two joins, each behind the other.
const V: &str = "F > J1.a; F > J2.b; J1 > P1 > J2.y; P1 > End; J2 > P2 > J1.x; P2 > End; or J1 J2; xor P1 P2";
/// The same, lopsided, in a loop.
const W: &str = "S > m > X1 > End; X1 > O > J1.3; O > J2.4; J1 > J2.8; J2 > X2 > J1.1; X2 > m; start S; or O J1 J2";
/// A loop around a parallel block that holds an inclusive one.
const K: &str = "S > m > F > O > J.1; O > J.2; F > PJ.p; J > PJ > X > m; X > End; start S; or O J; and PJ";
/// An inclusive join fed by two parallel splits, in a loop.
const U: &str =
    "S > F > G.g; F > m; G > J1.5; G > J2.6; m > J2.7; J2 > J1.9; J1 > X > m; X > End; start S; and G; or J1 J2";
/// A branch that may turn to a parallel join instead.
const P: &str = "F > A > J.1; F > B > X > J.2; X > PJ.p; J > PJ > End; or J; and PJ; auto A B";
/// A branch that hangs on a dead parallel join.
const Q: &str = "F > A > J.1; F > PJ.p; Z > PJ > W > J.2; or J; and PJ; auto A W";
/// A gate that may choose the join's branch.
const EV: &str = "F > A > J.1; F > E > M > J.2; E > T > E2; or J; gate E; catch M(message m) T(timer PT1H); auto A";
/// A boundary event that leads to the join.
const B1: &str = "A > J.1; B{!timer PT1H as C > J.2} > E2; or J; auto A";
/// A boundary event that leads to a flow that has its token.
const B2: &str = "A > m > J.1; B{!timer PT1H as T > m} > J.2; or J; auto A";

/// All models, each with an inclusive join of it.
#[rustfmt::skip]
pub(crate) const MODELS: &[(&str, &str)] = &[
    (D, "J"), (X, "J"), (C, "J"), (L, "J"), (LD, "J"), (N, "J"), (V, "J1"), (W, "J1"), (W, "J2"), (K, "J"), (U, "J2"),
    (P, "J"), (Q, "J"), (EV, "J"), (B1, "J"), (B2, "J"),
];

struct Row {
    name: &'static str,
    model: &'static str,
    /// Tokens to be registered, by flow.
    registered: &'static [&'static str],
    /// Live tokens beside them.
    others: &'static str,
    join: &'static str,
    standard: Decision,
    conservative: Decision,
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

#[rustfmt::skip]
const TABLE: &[Row] = &[
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

const READINGS: [&str; 2] = ["", "@conservative"];

fn permutations(items: &[&'static str]) -> Vec<Vec<&'static str>> {
    let Some((first, rest)) = items.split_first() else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for shorter in permutations(rest) {
        for at in 0..=shorter.len() {
            let mut longer = shorter.clone();
            longer.insert(at, *first);
            all.push(longer);
        }
    }
    all
}

fn decision(row: &Row, reading: &str, order: &[&str]) -> Decision {
    let marks: Vec<String> = row.registered.iter().map(|flow| format!("on:{flow}")).collect();
    let arrivals: Vec<String> = order.iter().map(|flow| format!("arrive:{flow}")).collect();
    let script = format!(
        "@hold {reading} {} {} | {}",
        marks.join(" "),
        row.others,
        arrivals.join(" ")
    );
    let run = play_one(row.model, &script);
    let fired = crate::expect::holds(&run, &format!("fired {}=1", row.join));
    let waits = crate::expect::holds(&run, &format!("fired {}=0", row.join));
    assert!(fired.is_ok() != waits.is_ok(), "{}: {fired:?}", row.name);
    if fired.is_ok() { Fire } else { Wait }
}

#[test]
fn orj_1_orj_2_every_row_decides_as_the_table_says() {
    for row in TABLE {
        for (reading, expected) in READINGS.into_iter().zip([row.standard, row.conservative]) {
            for order in permutations(row.registered) {
                let found = decision(row, reading, &order);
                assert_eq!(found, expected, "row {} {reading}, registered as {order:?}", row.name);
            }
        }
    }
}

/// Row 7: counts per flow, decided again after the survivor has left.
#[test]
fn orj_8_two_tokens_on_one_flow_fire_and_fire_again() {
    for reading in READINGS {
        let script = format!(
            "@hold {reading} on:1 on:1 | arrive:1 [fired J=1] arrive:1 [fired J=1; at J J.1] step:J [fired J=2] :settle"
        );
        crate::scenario::check(D, &script, "completed; fired J=2; ran J=2 End=2");
    }
}

/// Row 8, and what comes of it: the surplus fires once its blocker is gone, one token per firing.
#[test]
fn gw_2_surplus_waits_on_its_flow_for_the_next_firing() {
    let script = "@hold on:1 on:1 at:B | arrive:1 arrive:1 [at B J.1 J.1] step:B arrive:2 [fired J=1; at J J.1] \
                  step:J [fired J=2] :settle";
    crate::scenario::check(D, script, "completed; ran End=2");
}

/// Rows 18 and 19 together: both joins wait for each other, and the diagnosis says so by name.
#[test]
fn orj_10_a_vicious_circle_is_named() {
    for reading in READINGS {
        for order in ["arrive:a arrive:b", "arrive:b arrive:a"] {
            let script = format!("@hold {reading} on:a on:b | {order}");
            crate::scenario::check(V, &script, "stuck; fired J1=0 J2=0; circle J1 J2; awaits J1.x J2.y");
        }
    }
}

/// Rows 20 and 21 together: under the standard's reading one goes first, under the conservative one neither.
#[test]
fn orj_10_a_lopsided_circle_is_one_under_the_conservative_reading_only() {
    for order in ["arrive:3 arrive:4", "arrive:4 arrive:3"] {
        let script = format!("@hold on:3 on:4 | {order}");
        crate::scenario::check(W, &script, "running; fired J1=1 J2=0; circle -");
        let script = format!("@hold @conservative on:3 on:4 | {order}");
        crate::scenario::check(W, &script, "stuck; fired J1=0 J2=0; circle J1 J2");
    }
}

/// Row 22, played on: the conservative reading deadlocks a sound loop.
#[test]
fn orj_2_a_loop_around_a_parallel_block_deadlocks_conservatively() {
    let script = "@hold @conservative on:1 on:p | arrive:1 arrive:p";
    crate::scenario::check(K, script, "stuck; at J.1 PJ.p; circle J PJ");
}

/// Row 25: fed by a dead parallel join, so stuck, and it says so.
#[test]
fn ins_6_a_join_behind_a_dead_join_is_stuck_and_says_why() {
    let script = "@hold on:1 on:p | arrive:1 arrive:p";
    crate::scenario::check(Q, script, "stuck; missing PJ.Z_PJ; awaits J.2; circle -");
}

/// Rows 11, 24 and 27, as moves: the token turns away without dying, and that alone makes the join fire.
#[test]
fn orj_6_a_move_out_of_reach_fires_the_join() {
    let script = "@hold go=true on:1 on:c | arrive:1 arrive:c [fired J=0] step:X [fired J=1; records TrackEnded=0]";
    let x = X.replace("X > J.2", "X -[default]> J.2").replace("X > Q", "X -[go]> Q");
    crate::scenario::check(&x, script, "at J >X_Q");
    let p = P
        .replace("X > J.2", "X -[default]> J.2")
        .replace("X > PJ.p", "X -[go]> PJ.p");
    let script = "@hold go=true on:1 at:B | arrive:1 step:B arrive:B_X [fired J=0] step:X [fired J=1]";
    crate::scenario::check(&p, script, "at J >p; records TrackEnded=0");
    let script = "@hold on:1 at:E | arrive:1 step:E [fired J=0; at E J.1] :clock fire:T [fired J=1]";
    crate::scenario::check(EV, script, "at J >T_E2; records TrackEnded=0");
    let script = "@hold on:1 at:E | arrive:1 step:E m! [fired J=0; at J.1 >2] arrive:2";
    crate::scenario::check(EV, script, "fired J=1");
}
