//! Decisions of inclusive joins (ORJ), as a table: a marking, and what the join does in it under either reading.
//!
//! A marking is brought about by putting tokens on flows and nodes and registering those that are to stand at a join,
//! in every order; nothing else happens.

use crate::orj_rows::{B1, B2, C, D, Decision, EV, K, L, LD, N, P, Q, Row, TABLE, U, V, W, X};
use crate::scenario::play_one;

use Decision::{Fire, Wait};

/// All models, each with an inclusive join of it.
#[rustfmt::skip]
pub(crate) const MODELS: &[(&str, &str)] = &[
    (D, "J"), (X, "J"), (C, "J"), (L, "J"), (LD, "J"), (N, "J"), (V, "J1"), (W, "J1"), (W, "J2"), (K, "J"), (U, "J2"),
    (P, "J"), (Q, "J"), (EV, "J"), (B1, "J"), (B2, "J"),
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
