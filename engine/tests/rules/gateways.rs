//! GW, PAR, XOR, ORS: what splits and joins of the simple kinds do.

use trackside_engine::instance::{CoverageMark, End, Record};
use trackside_engine::model::{Expression, Position};

use crate::marks::hits;
use crate::scenario::{check, check_definitions, check_every, parse, play_one};

// ---- GW ----

#[test]
fn gw_2_every_join_rearms_by_itself() {
    let parallel = "s > M > F > A > J; F > B > J > X -[again]> M; X -[default]> E";
    check(
        parallel,
        "again=true | A B [at A B] B A [at A B] again=false A B",
        "completed; fired J=3; ran E=1",
    );
    let inclusive = "s > M > Os > A > O; Os > B > O > X -[again]> M; X -[default]> E";
    check(
        inclusive,
        "again=true | A B [at A B] B A again=false A B",
        "completed; fired O=3; ran E=1",
    );
    let complex = "s > M > F > A > K; F > B > K(2) > X -[again]> M; X -[default]> E";
    check(
        complex,
        "again=true | A B [at A B] B A again=false A B",
        "completed; fired K=3; ran E=1",
    );
}

#[test]
fn gw_2_a_surplus_token_counts_for_the_next_firing() {
    let _tied = hits(CoverageMark::ParallelSurplus);
    let model = "s > F > A > M; F > B > M > J.1; F > C > M2 > J.2; F > D > M2; J > E; xor M2";
    check(model, "A B C [fired J=1; at D J.1] D", "completed; fired J=2; ran E=2");
}

// ---- PAR ----

#[test]
fn par_1_a_split_looks_at_no_condition() {
    let model = "s > F -[1 > 2]> A; F -[nobody.knows]> B; F -[default]> C";
    check(model, "[at A B C] A B C", "completed; ran F=1 A=1 B=1 C=1");
}

#[test]
fn par_2_a_join_needs_each_flow_and_takes_one_token_of_each() {
    let _tied = hits(CoverageMark::ParallelLeavesSurplus);
    let model = "s > F > A > M; F > B > M > J.1; F > C > J.2; J > D > E";
    check(
        model,
        "A B [fired J=0; at C J.1 J.1] C [fired J=1; at D J.1] D",
        "stuck; missing J.2",
    );
}

#[test]
fn par_3_the_completing_arrival_survives() {
    let model = "s > F > A > J; F > B > J > D";
    let run = play_one(model, "A B [at D]");
    let survivor = run.tracks()[0].id;
    let last = run.log.iter().rev().find_map(|record| match record {
        Record::Arrived { track, node, .. } if *node == run.node("J") => Some(*track),
        _ => None,
    });
    assert_eq!(Some(survivor), last);
    check(
        model,
        "A [at B J.A_J; records Merged=0] B",
        "records Merged=1 Resumed=0 Parked=2",
    );
}

#[test]
fn par_4_a_mixed_gateway_joins_then_forks() {
    let model = "s > F > A > J; F > B > J > C > E; J > D > E";
    let run = play_one(model, "A B [at C D]");
    let fork: Vec<_> = run.tracks().iter().map(|track| track.id).collect();
    let born = run.log.iter().filter_map(|record| match record {
        Record::Born {
            track, parent, node, ..
        } if *node == run.node("J") => Some((*track, *parent)),
        _ => None,
    });
    let born: Vec<_> = born.collect();
    assert_eq!(
        born,
        [(fork[1], Some(fork[0]))],
        "the one survivor goes on and spawns the other"
    );
    check(model, "A B C D", "completed; fired J=1; ran J=1 E=2");
}

#[test]
fn par_5_a_join_that_can_never_complete_is_stuck() {
    let model = "s > X -[p]> A > J; X -[default]> B > J > E";
    check(
        model,
        "p=true | A",
        "stuck; at J.A_J; missing J.B_J; records InstanceEnded=0",
    );
}

// ---- XOR ----

#[test]
fn xor_1_the_first_true_condition_wins_and_no_later_one_is_evaluated() {
    let model = "s > X -[a]> A; X -[b]> B; X -[nobody_knows]> C";
    check(model, "a=false b=true |", "at B; only s=1 X=1");
    check(model, "a=true b=true |", "at A");
    check(model, "a=false b=false |", "faulted expression X");
}

#[test]
fn xor_2_none_true_takes_the_default_or_faults_with_the_values() {
    let model = "s > X -[a > 1]> A; X -[default]> B";
    check(model, "a=1 |", "at B");
    let bare = "s > X -[a > 1]> A; X -[b == \"x\"]> B";
    check(bare, "a=1 b=y |", "faulted no-flow X");
    let seen = |setup: &str| match play_one(bare, setup).end() {
        Some(End::Faulted(fault)) => (fault.message.clone(), fault.values.clone()),
        end => panic!("{end:?}"),
    };
    let (message, values) = seen("a=1 b=y |");
    assert!(message.contains("`X`"), "{message}");
    assert_eq!(values, "a = 1, b = \"y\"");
    assert_eq!(seen("@redact a=1 b=y |").1, "");
}

#[test]
fn xor_3_only_the_attribute_marks_the_default_and_its_condition_is_ignored() {
    let mut model = parse("s > X -[a]> A; X -[default]> B");
    let default = model.scopes[0]
        .flows
        .iter_mut()
        .find(|flow| flow.id == "X_B")
        .expect("the flow");
    default.condition = Some(Expression {
        text: "nobody_knows".into(),
        language: None,
        at: Position::default(),
    });
    check_definitions(&model, "a=false |", "at B");
    check_definitions(&model, "a=true |", "at A");
    check("s > X -[a]> A; X > B", "a=true |", "at A");
}

#[test]
fn xor_4_a_merge_lets_every_token_pass() {
    let end = "completed; ran C=2 E=2; records JoinFired=0 Merged=0 Parked=0";
    check_every("s > F > A* > M; F > B* > M > C* > E", "", &format!("{end}; ran M=2"));
    check_every("s > F > A* > C*; F > B* > C > E", "", end);
    check_every(
        "s > F > A* > t; F > B* > t > C* > E; throw t",
        "",
        &format!("{end}; ran t=2"),
    );
}

#[test]
fn xor_5_a_flow_without_condition_is_true_at_its_place() {
    check("s > X -[a]> A; X > B; X -[b]> C", "a=false b=true |", "at B");
    check("s > X > B; X -[a]> A", "a=true |", "at B");
}

// ---- ORS ----

#[test]
fn ors_1_every_true_flow_gets_a_token() {
    let model = "s > O -[a]> A; O -[b]> B; O -[c]> C";
    check(model, "a=true b=false c=true |", "at A C");
    check(model, "a=false b=true c=false |", "at B");
    let careless = "s > O -[a]> A; O -[nobody_knows]> B";
    check(careless, "a=true |", "faulted expression O");
}

#[test]
fn ors_2_none_true_takes_the_default_alone_or_faults() {
    let model = "s > O -[a]> A; O -[b]> B; O -[default]> C";
    check(model, "a=false b=false |", "at C");
    check(model, "a=true b=false |", "at A");
    check(model, "a=true b=true |", "at A B");
    check("s > O -[a]> A; O -[b]> B", "a=false b=false |", "faulted no-flow O");
}

#[test]
fn ors_3_a_flow_without_condition_is_always_taken() {
    let model = "s > O -[a]> A; O > B; O -[default]> C";
    check(model, "a=false |", "at B");
    check(model, "a=true |", "at A B");
}
