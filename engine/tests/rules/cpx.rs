//! CPX: complex gateways.

use trackside_engine::instance::{CoverageMark, Record};
use trackside_engine::template::{Compiled, compile};

use crate::marks::hits;
use crate::scenario::{check, check_every, parse, play_one};

const TWO_OF_THREE: &str = "s > F > A > K; F > B > K; F > D > K(2) > C > E";

#[test]
fn cpx_1_a_split_is_that_of_an_inclusive_gateway() {
    let model = "s > K -[a]> A; K -[b]> B; K -[default]> C";
    check(model, "a=true b=true |", "at A B");
    check(model, "a=false b=false |", "at C");
    check("s > K -[a]> A; K -[b]> B", "a=false b=false |", "faulted no-flow K");
}

#[test]
fn cpx_2_a_count_of_flows_fires() {
    check(
        TWO_OF_THREE,
        "A [fired K=0; at B D K.A_K] D [fired K=1; at B C] B [at C] C",
        "completed; ran C=1",
    );
    check_every(
        TWO_OF_THREE,
        "A B D C",
        "completed; fired K=1; ran C=1; records Trailing=1",
    );
}

#[test]
fn cpx_2_a_count_counts_flows_not_tokens() {
    let model = "s > F > A > M; F > B > M > K.1; F > D > K.2; F > H > K(2) > C > E";
    check(
        model,
        "A B [fired K=0; at D H K.1 K.1] D [fired K=1; at C H K.1]",
        "waiting",
    );
}

#[test]
fn cpx_2_required_flows_must_be_among_them() {
    let model = "s > F > A > K.a; F > B > K.b; F > D > K.d; complex K(2 requires d); K > C > E";
    check(
        model,
        "A B [fired K=0; at D K.a K.b] D [fired K=1; at C] C",
        "completed",
    );
    check(model, "D A [fired K=1; at B C] B C", "completed; records Trailing=1");
}

#[test]
fn cpx_2_any_triple_is_enough_and_an_absent_guard_is_true() {
    let _tied = hits(CoverageMark::ComplexGuardFalse);
    let model = "s > F > A > K; F > B > K; F > D > K(1 if quick; 3) > C > E";
    check(
        model,
        "quick=true | A [fired K=1] B D C",
        "completed; ran C=1; records Trailing=2",
    );
    check(
        model,
        "quick=false | A B [fired K=0] D [fired K=1] C",
        "completed; ran C=1; records Trailing=0",
    );
}

#[test]
fn cpx_2_the_completing_arrival_survives() {
    let run = play_one(TWO_OF_THREE, "A D [at B C]");
    let last = run.log.iter().rev().find_map(|record| match record {
        Record::Arrived { track, node, .. } if *node == run.node("K") => Some(*track),
        _ => None,
    });
    let survivor = run
        .tracks()
        .iter()
        .find(|track| track.node == run.node("C"))
        .map(|track| track.id);
    assert_eq!(survivor, last);
}

#[test]
fn cpx_3_dead_triples_fault_instead_of_waiting() {
    let _tied = hits(CoverageMark::ComplexDead);
    let model = "s > F > A > K; F > X -[p]> B > K; X -[default]> D > E2; K(2) > E";
    check(model, "p=true | A B", "completed; fired K=1");
    check(model, "p=false | A", "faulted activation-unsatisfiable K");
    check(model, "p=false | [at A D] D A", "faulted activation-unsatisfiable K");
    // The last token that could come turns away while one is parked.
    let late = "s > F > A > K; F > B > X -[p]> K; X -[default]> E2; K(2) > E";
    check(late, "p=false | A [waiting] B", "faulted activation-unsatisfiable K");
    // Nothing is parked: nothing is decided.
    check(late, "p=false | B [waiting; ran E2=1]", "at A");
    let required =
        "s > F > A > K.a; F > B > K.b; F > D > X -[p]> K.d; X -[default]> E2; complex K(2 requires d); K > E";
    check(
        required,
        "p=false | A B [waiting] D",
        "faulted activation-unsatisfiable K",
    );
}

#[test]
fn cpx_3_one_live_triple_keeps_it_waiting() {
    let model =
        "s > F > A > K.a; F > B > K.b; F > D > X -[p]> K.d; X -[default]> E2; complex K(2 requires d; 2); K > E";
    check(
        model,
        "p=false | A [waiting] D [waiting] B",
        "completed; fired K=1; ran E=1 E2=1",
    );
}

#[test]
fn cpx_4_nothing_can_arrive_and_no_triple_holds() {
    let _tied = hits(CoverageMark::ComplexExhausted);
    let model = "s > F > A > K; F > B > X -[p]> K; X -[default]> E2; K(1 if go) > E";
    check(
        model,
        "p=false go=false | A [waiting] B",
        "faulted arrivals-exhausted K",
    );
    check(model, "p=true go=false | A [waiting] B", "faulted arrivals-exhausted K");
    // A token that also reaches a flow that has its token still reaches the other one, whatever the reading of ORJ.
    let upstream = "s > F > A > K.1; F > B > X -[p]> K.1; X -[default]> K.2; K(2) > E"
        .replace("A > K.1; F > B > X -[p]> K.1", "A > M > K.1; F > B > X -[p]> M");
    check(&upstream, "p=false | A [waiting; fired K=0] B", "completed; fired K=1");
}

#[test]
fn cpx_5_a_change_of_data_decides_again_and_the_earliest_parked_survives() {
    let _tied = hits(CoverageMark::ComplexDecidesAgain);
    let model = "s > F > A > K; F > B > K; F > D > K(2 if go; 3) > C > E";
    check(
        model,
        "go=false | B A [fired K=0; waiting] go=true [fired K=1; at C D; records Resumed=1] D C",
        "completed",
    );
    let run = play_one(model, "go=false | B A go=true [at C D]");
    let first = run.log.iter().find_map(|record| match record {
        Record::Parked { track, .. } => Some(*track),
        _ => None,
    });
    let survivor = run
        .tracks()
        .iter()
        .find(|track| track.node == run.node("C"))
        .map(|track| track.id);
    assert_eq!(survivor, first);
}

#[test]
fn cpx_5_a_death_and_a_move_decide_again() {
    let model = "s > F > A > K; F > B{!m > E2} > K(2) > E";
    check(model, "A [waiting] m!", "faulted activation-unsatisfiable K");
}

#[test]
fn cpx_6_a_late_token_is_consumed_and_the_join_rearms() {
    let _tied = hits(CoverageMark::ComplexWaveStaysOpen);
    let _tied = hits(CoverageMark::ComplexWaveCloses);
    let _tied = hits(CoverageMark::ComplexTrailing);
    let script = "A B [fired K=1; at C D; records Rearmed=0] D [at C; records Trailing=1 Rearmed=1 TrackEnded@K=1] C";
    check(TWO_OF_THREE, script, "completed; ran C=1 K=1");
    // A flow that can get none any more does not hold up the next wave.
    let turns = "s > F > A > K; F > B > K; F > D > X -[p]> K; X -[default]> E2; complex K(2); K > C > E";
    check(
        turns,
        "p=false | A B [records Rearmed=0] D [records Rearmed=1 Trailing=0] C",
        "completed",
    );
}

#[test]
fn cpx_6_a_second_token_on_a_used_flow_is_for_the_next_wave() {
    let _tied = hits(CoverageMark::ComplexSecondOnUsedFlow);
    let model = "s > F > A > M; F > B > M > K.1; F > D > K.2; complex K(1); K > C > E";
    let script = "A [fired K=1] B [fired K=1; at C D K.1; records Trailing=0] D [fired K=2; records Trailing=1] C C";
    check(model, script, "completed; ran C=2");
}

#[test]
fn cpx_6_the_standards_reset_waits_and_emits_with_waiting_for_start_false() {
    let _tied = hits(CoverageMark::ComplexResetEmitsNothing);
    let _tied = hits(CoverageMark::ComplexResetFires);
    let model = "s > F > A > K; F > B > K; F > D > K(1) -[waitingForStart]> C > E; K -[!waitingForStart]> H > E";
    check(
        model,
        "@standard-reset | A [at B C D] B [at C D K.B_K] D [at C H; records Rearmed=1 Trailing=0] C H",
        "completed; ran C=1 H=1 E=2 K=2; fired K=1",
    );
    // Nothing true is no fault in the second phase.
    let silent = "s > F > A > K; F > B > K(1) -[waitingForStart]> C > E";
    check(
        silent,
        "@standard-reset | A B [at C; records Rearmed=1] C",
        "completed; ran C=1 K=1; fired K=1",
    );
    // No late token, nothing emitted.
    let none = "s > F > A > K; F > X -[p]> K; X -[default]> E2; complex K(1); K > C > E";
    check(
        none,
        "@standard-reset p=false | A [at C; records Rearmed=1] C",
        "completed; fired K=1; ran C=1",
    );
}

#[test]
fn cpx_6_waiting_for_start_is_a_name_of_complex_joins_only() {
    check(
        "s > X -[waitingForStart]> A; X -[default]> B",
        "",
        "faulted expression X",
    );
    check(
        "s > O -[waitingForStart]> A; O -[default]> B",
        "",
        "faulted expression O",
    );
    check(
        "s > K -[waitingForStart]> A; K -[default]> B",
        "",
        "faulted expression K",
    );
    let guard = "s > F > A > K; F > B > K(1 if waitingForStart) > C";
    check(guard, "A", "faulted expression K");
}

#[test]
fn cpx_8_plain_activation_conditions_of_the_common_forms() {
    for form in ["activationCount >= 2", "${activationCount > 1}", "x1 + x2 + x3 >= 2"] {
        let model = format!("s > F > A > K; F > B > K; F > D > K(if {form}) > C > E");
        check(&model, "A [fired K=0] B [fired K=1] D C", "completed; ran C=1");
    }
    let model = parse("s > F > A > K; F > B > K(if amount > 2) > C > E");
    let problems = compile(&model, &model.processes[0], &Compiled::default()).expect_err("it is not understood");
    assert_eq!((problems.len(), problems[0].rule.as_str()), (1, "CPX-8"));
    assert_eq!(problems[0].element.as_deref(), Some("K"));
}

#[test]
fn cpx_2_symbolic_conditions_take_guards_as_true() {
    let model = "s > F > A > K; F > B > K(1 if nobody_knows) > C > E";
    check(model, "@symbolic | A [fired K=1] B C", "completed; ran C=1");
}
