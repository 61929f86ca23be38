//! ORJ: reachability, the occasions of a decision, and what a firing does. The decisions themselves are in
//! [`super::orj_table`].

use trackside_engine::instance::{CoverageMark, Record};

use crate::marks::hits;
use crate::run::Run;
use crate::scenario::{check, check_every, check_interleaved, play_one};

const DIAMOND: &str = "s > Os > A > O; Os > B > O > E";

#[test]
fn orj_3_reachability_ignores_conditions() {
    let model = "s > F > A > O; F > B > X -[1 > 2]> O; X -[default]> E2; O > E";
    check(model, "A [fired O=0] B [fired O=1]", "completed; ran E=1 E2=1");
}

#[test]
fn orj_3_reachability_walks_cycles_once() {
    let model = "s > F > A > O; F > B > M > C > X -[again]> M; X -[default]> O > E";
    check(
        model,
        "again=true | A B [fired O=0] C [at C O.A_O] again=false C",
        "completed; fired O=1",
    );
    // A cycle that leads nowhere near the join does not hold it up.
    let away = "s > F > A > O; F > B > M > C > X -[again]> M; X -[default]> E2; F > D > O > E";
    check(
        away,
        "again=true | A B D [fired O=1] C again=false C",
        "completed; ran E=1 E2=1",
    );
}

#[test]
fn orj_3_reachability_never_passes_the_join() {
    // The token at A reaches flow 1, and flow 2 only through the join itself.
    let model = "F > A > J.1; J > X -[go]> B > J.2; X -[default]> End; or J; auto A";
    for reading in ["", "@conservative"] {
        check(model, &format!("@hold {reading} on:1 at:A | arrive:1"), "fired J=1");
    }
}

#[test]
fn orj_3_a_token_in_a_child_scope_counts_at_its_sub_process() {
    let model = "s > F > B > O; F > SP{s1 > A > e} > O > E";
    check(model, "B [fired O=0; awaits O.SP_O] A", "completed; fired O=1");
    // And the other way round: what is outside does not reach a join inside.
    let inside = "s > F > B > O; F > SP{s1 > Os > A > O2; Os -[no]> C > O2 > e; or O2} > O > E";
    check(
        inside,
        "no=false | A [ran e=1; at B O.SP_O] B",
        "completed; fired O=1 O2=1",
    );
}

#[test]
fn orj_4_a_host_reaches_its_boundary_events() {
    let model = "s > F > A > O; F > B{!timer PT1H > O} > E2; O > E";
    check(model, "A [fired O=0] +PT1H", "completed; fired O=1; not B E2");
    check(model, "A [fired O=0] B", "completed; fired O=1; ran E2=1");
}

#[test]
fn orj_4_a_link_throw_reaches_its_catch() {
    let _tied = hits(CoverageMark::JoinFreedByMove);
    let model = "s > F > A > O; F > B > X -[go]> t; X -[default]> E2; c > O > E; throw t(link l); catch c(link l)";
    check(
        model,
        "go=true | A [fired O=0; awaits O.c_O] B",
        "completed; fired O=1; not E2",
    );
    check(model, "go=false | A [fired O=0] B", "completed; fired O=1; ran E2=1");
}

#[test]
fn orj_4_a_timer_that_is_used_up_still_counts() {
    let _tied = hits(CoverageMark::TimerUsedUp);
    let model = "s > F > A > O; F > B{~timer R1/PT1H as T > X -[go]> O} > E2; X -[default]> E3; O > E";
    check(
        model,
        "go=false | A +PT1H [ran E3=1; armed -; fired O=0; awaits O.X_O] B",
        "completed; fired O=1",
    );
}

#[test]
fn orj_5_all_flows_marked_fires_whatever_is_upstream() {
    let _tied = hits(CoverageMark::InclusiveAllMarked);
    let model = "e: S > O > A > J.1; O > B > J.2; J > End; start S; or O J; auto A B";
    for reading in ["", "@conservative"] {
        check(
            model,
            &format!("@hold {reading} on:1 on:2 on:e | arrive:1 arrive:2"),
            "fired J=1; at J >e",
        );
    }
}

#[test]
fn orj_6_every_way_to_die_decides_again() {
    let around = |branch: &str| format!("s > F > A > O; F > {branch} > O > E");
    let end = "completed; fired O=1; ran E=1";
    check(&around("B{!error err > E2}"), "A B(err)", end);
    check(&around("B{!m > E2}"), "A m!", end);
    check(
        &around("SP{s1 > B > e(error err)}{!error err > E2}"),
        "A [fired O=0] B",
        end,
    );
    let ends = "s > F > A > O; F > B > X -[go]> O; X -[default]> E2; O > E";
    check(ends, "go=false | A B", &format!("{end} E2=1"));
    let joins = "s > F > A > O; F > B > J; F > C > J > X -[go]> O; X -[default]> E2; O > E";
    check(joins, "go=false | A B [fired O=0] C", &format!("{end} E2=1"));
    let gone = "s > F > A > O; F > B > K(1) > E2; F > C > K; K > O; O > E";
    check(gone, "A B [fired O=1] C", "completed; records Trailing=1; ran E=1");
}

#[test]
fn orj_6_a_death_while_another_waits_at_the_join_is_enough() {
    let _tied = hits(CoverageMark::JoinFreedByDeath);
    check_every(
        "s > F > A > O; F > B{!m > E2} > O; F > C{!n > E2} > O > E",
        "A m! n!",
        "completed; fired O=1; ran E=1 E2=2",
    );
}

#[test]
fn orj_7_a_token_on_an_unmarked_flow_defers_the_firing() {
    let _tied = hits(CoverageMark::InclusiveHeldUp);
    let model = "A > J.1; B > J.2; C > J.3; J > End; or J; auto A B C";
    for reading in ["", "@conservative"] {
        let script = format!("@hold {reading} on:1 on:2 | arrive:1 [fired J=0; at J.1 >2] arrive:2 [fired J=1]");
        check(model, &script, "fired J=1");
    }
}

fn survivor(run: &Run, join: &str) -> (Option<trackside_engine::TrackId>, usize) {
    let node = run.node(join);
    let fired = run.log.iter().rev().find_map(|record| match record {
        Record::JoinFired { node: at, survivor, .. } if *at == node => Some(*survivor),
        _ => None,
    });
    let resumed = run
        .log
        .iter()
        .filter(|record| matches!(record, Record::Resumed { .. }))
        .count();
    (fired, resumed)
}

#[test]
fn orj_8_the_completing_arrival_survives_else_the_earliest_parked() {
    let _tied = hits(CoverageMark::EarliestSurvives);
    let model = "s > F > A > O; F > B > O; F > C > X -[go]> O; X -[default]> E2; O > E";
    let by_arrival = play_one(model, "go=true | C A B");
    let arrived: Vec<_> = by_arrival
        .log
        .iter()
        .filter_map(|record| match record {
            Record::Arrived { track, node, .. } if *node == by_arrival.node("O") => Some(*track),
            _ => None,
        })
        .collect();
    assert_eq!(survivor(&by_arrival, "O"), (arrived.last().copied(), 0), "last in");
    let by_death = play_one(model, "go=false | B A C");
    let parked = by_death.log.iter().find_map(|record| match record {
        Record::Parked { track, .. } => Some(*track),
        _ => None,
    });
    assert_eq!(survivor(&by_death, "O"), (parked, 1), "first in, and resumed");
}

#[test]
fn orj_8_the_survivor_splits_by_ors() {
    let model = "s > F > A > O; F > B > O -[a]> C > E; O -[b]> D > E; O -[default]> D2 > E";
    check(
        model,
        "a=true b=true | A B [at C D] C D",
        "completed; fired O=1; ran O=1 E=2",
    );
    check(model, "a=false b=false | A B [at D2] D2", "completed");
}

#[test]
fn orj_8_surplus_is_decided_once_the_survivor_has_left() {
    let _tied = hits(CoverageMark::InclusiveSurvivorInside);
    // The survivor may come round to the other flow, so the surplus waits for it.
    let model = "F > A > J.1; J > X -[again]> B > J.2; X -[default]> E; or J; auto A";
    let script = "@hold again=true on:1 on:1 | arrive:1 arrive:1 [fired J=1; at J J.1] step:J [fired J=1] arrive:J_X \
                  [fired J=1] step:X [fired J=1; at J.1 >X_B] again=false :settle [at B J.1] B :settle";
    check(model, script, "completed; fired J=2; ran E=1");
    let script =
        "@hold again=false on:1 on:1 | arrive:1 arrive:1 step:J arrive:J_X [fired J=1] step:X [fired J=2] :settle";
    check(model, script, "completed; fired J=2; ran E=2");
}

#[test]
fn orj_9_cancellation_releases_what_is_parked() {
    check(
        DIAMOND,
        "A [at B O.A_O] :cancel [canceled; at -; armed -] late:B",
        "canceled; fired O=0; records Discarded=1",
    );
    let inner = "s > SP{s1 > Os > A > O; Os > B > O > e}{!m > C > E2} > E1";
    check(
        inner,
        "A [at B O.A_O SP] m! [at C] C",
        "completed; fired O=0; records TrackEnded@O=1",
    );
    let ended = "s > F > A > O; F > B > O > E; F > C > ET";
    check(ended, "A C", "terminated; at -; fired O=0");
    let faulted = "s > F > A > O; F > B > O > E";
    check(faulted, "A B(!broken)", "faulted technical B; at -; fired O=0");
}

#[test]
fn orj_9_a_parked_token_counts_for_other_joins() {
    let model = "s > F > A > O; F > B > O > O2; F > C > O2 > E; or O2";
    check(
        model,
        "C [at A B O2.C_O2] A [fired O2=0; at B O.A_O O2.C_O2] B",
        "completed; fired O=1 O2=1",
    );
    check_interleaved(model, "C A B", "completed; fired O=1 O2=1; ran E=1");
}

#[test]
fn orj_1_orj_2_the_readings_agree_on_a_diamond() {
    for reading in ["", "@conservative"] {
        check_every(DIAMOND, &format!("{reading} | A B"), "completed; fired O=1; ran E=1");
    }
}

#[test]
fn orj_8_the_completing_arrival_may_wait_behind_another() {
    let _tied = hits(CoverageMark::CompletingWaitsBehind);
    // In the atomic grain the second token turns towards the join and arrives there in one transition. The first one of
    // its flow is consumed and survives; the second fires the join again.
    check(
        "s > F > A > X -[c]> C > O; X -[default]> O; F > B > X; O > E",
        "@conservative @atomic c=false | A [fired O=0] B",
        "completed; fired O=2; ran E=2",
    );
}
