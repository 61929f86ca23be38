//! TRK, OBS: tracks and their records.

use std::collections::BTreeSet;

use trackside_engine::instance::{Phase, RECORD_VERSION, Record};
use trackside_engine::world::{Class, Part};

use crate::kinds;
use crate::run::Run;
use crate::scenario::{check, check_definitions, check_every, parse, play, play_one};

#[test]
fn trk_1_every_state_is_shown() {
    let model = "s > F > A > J; F > B > J > E; F > C > O; F > D > O > E; F > c > E; catch c(message m)";
    let run = play_one(model, "A C");
    let phase = |name: &str| {
        let node = run.node(name);
        let found: Vec<_> = run
            .tracks()
            .into_iter()
            .filter(|track| track.node == node)
            .map(|track| track.phase)
            .collect();
        found
    };
    assert_eq!(phase("J"), [Phase::AwaitingMerge]);
    assert_eq!(phase("O"), [Phase::AwaitSync]);
    assert_eq!((phase("B"), phase("c")), (vec![Phase::Waiting], vec![Phase::Waiting]));
    let held = play_one(model, "@hold |");
    assert_eq!(held.tracks()[0].phase, Phase::Ready);
    let held = play_one(model, "@hold | step:s");
    assert_eq!(held.tracks()[0].phase, Phase::InTransit);
}

/// Who left `node` along which flow.
fn left(run: &Run, node: &str) -> Vec<(u32, String)> {
    let source = run.node(node);
    let of = |record: &Record| match record {
        Record::Left { track, flow } if run.template().flow(*flow).source == source => {
            Some((track.0, run.template().flow(*flow).id.clone()))
        }
        _ => None,
    };
    run.log.iter().filter_map(of).collect()
}

#[test]
fn trk_2_the_track_goes_on_along_the_first_flow_and_spawns_the_others() {
    for kind in ["auto", "throw", "or", "and", "complex", "catch"] {
        let trigger = if kind == "catch" { "(if true)" } else { "" };
        let run = play_one(&format!("s > T > B; T > C; T > D; {kind} T{trigger}"), "");
        let expected = [(0, "T_B".to_owned()), (1, "T_C".to_owned()), (2, "T_D".to_owned())];
        assert_eq!(left(&run, "T"), expected, "{kind}");
    }
}

#[test]
fn trk_2_a_flow_straight_back_is_kept_by_the_track_itself() {
    let run = play_one("s > A > B; A -[again]> A; A > C", "again=true | A");
    let mut found = left(&run, "A");
    found.sort();
    assert_eq!(
        found,
        [(0, "A_A".to_owned()), (1, "A_B".to_owned()), (2, "A_C".to_owned())]
    );
}

#[test]
fn trk_3_lineage_is_kept_through_joins() {
    // The ledger of every run checks that parents are older, that a track is born once and that a merge names its survivor.
    let run = play_one("s > F > A > J; F > B > J > D", "A B [at D]");
    let merged: Vec<_> = run
        .log
        .iter()
        .filter_map(|record| match record {
            Record::Merged { track, into, .. } => Some((track.0, into.0)),
            _ => None,
        })
        .collect();
    assert_eq!(
        merged,
        [(0, 1)],
        "the root track is absorbed by its child, whose parent it stays"
    );
    let births = run
        .log
        .iter()
        .filter(|record| matches!(record, Record::Born { .. }))
        .count();
    assert_eq!(births, 2, "no track is created at a join");
}

#[test]
fn trk_4_tokens_are_consumed_nowhere_else() {
    check_every(
        "s > F > A* > M; F > B* > M > C* > E",
        "",
        "completed; records TrackEnded=2 TrackEnded@E=2 Merged=0",
    );
    check(
        "s > F > A > J; F > B > J > E",
        "A B",
        "completed; records TrackEnded=1 Merged=1",
    );
}

#[test]
fn trk_5_merges_come_before_the_join_executes() {
    let run = play_one("s > F > A > J; F > B > J > C; J > D", "A B");
    let join = run.node("J");
    let order: Vec<&str> = run
        .log
        .iter()
        .filter(|record| kinds::node(record) == Some(join))
        .map(kinds::name)
        .collect();
    assert_eq!(
        order,
        [
            "Arrived",
            "Parked",
            "Arrived",
            "Parked",
            "JoinFired",
            "Merged",
            "Stepped",
            "Born"
        ]
    );
}

#[test]
fn trk_6_a_node_executes_in_one_step() {
    for (kind, event) in [
        ("catch A(message m)", "m!"),
        ("user A", "A"),
        ("receive A(m)", "m!"),
        ("throw A(message m)", ""),
        ("service A", "A"),
    ] {
        check(
            &format!("s > A > E; {kind}"),
            event,
            "completed; ran A=1; records Stepped=3",
        );
    }
    check("s > SP{s1 > e} > E", "", "completed; ran SP=1; records Stepped=5");
}

#[test]
fn trk_7_document_order_decides_preferences_and_no_firing() {
    let xor = parse("s > X -[a]> A; X -[b]> B");
    let mut turned = xor.clone();
    turned.scopes[0].flows.reverse();
    check_definitions(&xor, "a=true b=true |", "at A");
    check_definitions(&turned, "a=true b=true |", "at B");
    let joins = parse("s > F > A > J; F > B > J > O; F > C > O > K; F > D > K(1) > E");
    let mut reversed = joins.clone();
    reversed.scopes[0].flows.reverse();
    reversed.scopes[0].nodes.reverse();
    for model in [joins, reversed] {
        check_definitions(&model, "A B C D", "completed; fired J=1 O=1 K=1");
    }
}

#[test]
fn trk_8_flows_out_of_activities_and_events() {
    for node in ["user T", "catch T(if go)", "throw T(signal g)"] {
        let model = format!("s > T -[a]> A; T > B; T -[b]> C; T -[default]> D; {node}");
        let done = if node.starts_with("user") { "T" } else { "" };
        check(&model, &format!("go=true a=true b=false | {done}"), "at A B; ran T=1");
        check(&model, &format!("go=true a=false b=false | {done}"), "at B");
        let only = format!("s > T -[a]> A; T -[b]> C; T -[default]> D; {node}");
        check(&only, &format!("go=true a=false b=false | {done}"), "at D");
        check(&only, &format!("go=true a=true b=true | {done}"), "at A C");
        let bare = format!("s > T -[a]> A; T -[b]> C; {node}");
        check(&bare, &format!("go=true a=false b=false | {done}"), "faulted no-flow T");
    }
    check("start s -[a]> A; s -[default]> B", "a=false |", "at B");
    check("s > SP{s1 > e} -[a]> A; SP -[default]> B", "a=true |", "at A");
    check("s > H{!m as T -[a]> A} > B; T -[default]> C", "a=false | m!", "at C");
}

#[test]
fn trk_9_a_node_without_outgoing_flow_ends_its_token() {
    for node in [
        "user T",
        "auto T",
        "and T",
        "xor T",
        "or T",
        "complex T",
        "throw T",
        "catch T(message m)",
    ] {
        let done = match node {
            "user T" => "T",
            "catch T(message m)" => "m!",
            _ => "",
        };
        check(
            &format!("s > T; {node}"),
            done,
            "completed; ran T=1; records TrackEnded@T=1",
        );
    }
    check("s > H{!m} > B", "m!", "completed; ran H_m=1");
    check("s > SP{s1 > A}", "A", "completed; ran SP=1");
}

// ---- OBS ----

#[test]
fn obs_1_the_list_of_record_kinds_is_closed_and_every_kind_occurs() {
    assert_eq!(RECORD_VERSION, 1, "docs/records.md and this list describe version 1");
    let mut seen = BTreeSet::new();
    for (model, script) in [
        ("s > F > A > J; F > B > J > O; F > C > O > E", "x=1 C A B"),
        ("s > Os > A > O; Os > B{!m > E2} > O > E", "A m!"),
        ("s > F > A > K; F > B > K(1) > C > E; F > D", "A B"),
        (
            "s > A{!m > C > E2}{~timer R2/PT1H as T > D} > B; service A",
            "+PT1H m! late:A sig:nobody",
        ),
        ("s > SP{s1 > A > t > e; throw t(message m)}{!n > C} > B", "A B"),
        ("s > SP{s1 > A > e}{!n > C} > B", "n!"),
    ] {
        for run in play(&parse(model), script) {
            seen.extend(run.log.iter().map(kinds::name));
        }
    }
    let missing: Vec<_> = kinds::ALL
        .iter()
        .map(|(kind, _)| *kind)
        .filter(|kind| !seen.contains(kind))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn obs_1_labels_are_stable_names_of_actions() {
    let run = play_one("s > A{!m > C} > B", "");
    let labels: Vec<_> = run
        .world
        .enabled(Part::All)
        .into_iter()
        .map(|action| run.world.label(action))
        .collect();
    let of = |class: Class, node: &str| {
        labels
            .iter()
            .any(|label| label.class == class && label.node == Some(run.node(node)))
    };
    assert!(of(Class::Completion, "A") && of(Class::Firing, "A_m"));
    assert_eq!(labels.len(), 2);
}
