//! What each line of a script does (`trackside run --events`), as a table: a model, a script, and what came of it.

mod common;

use common::scripted;
use trackside_sim::run::{Report, RunEnd, Script};

/// `END | node=count … | undelivered …`, without what is empty.
fn outcome(report: &Report) -> String {
    let main = &report.main;
    let executed = main
        .executed
        .iter()
        .filter(|(id, _)| !id.starts_with('s') && !id.starts_with('F'));
    let executed: Vec<_> = executed
        .map(|(id, count)| {
            if *count == 1 {
                id.clone()
            } else {
                format!("{id}={count}")
            }
        })
        .collect();
    let undelivered = main.undelivered.iter().map(|u| {
        let line = u.line.map_or(String::new(), |line| format!("@{line}"));
        format!("{}:{}{line}", u.cause, u.name.as_deref().unwrap_or(""))
    });
    let undelivered: Vec<_> = undelivered.collect();
    let parts = [
        main.end.map_or("none", RunEnd::name).to_owned(),
        executed.join(" "),
        undelivered.join(" "),
    ];
    parts.join(" | ").trim_end_matches([' ', '|']).to_owned()
}

fn check(model: &str, script: &str, expected: &str) {
    assert_eq!(outcome(&scripted(model, script)), expected, "\n{model}\n{script}");
}

#[test]
fn work_ends_as_a_line_says() {
    let model = "s > A{!error bad > B > e2} > e";
    check(model, "", "waiting");
    check(model, "complete A", "completed | A e");
    check(model, "error A bad", "waiting | A_bad");
    check(model, "error A bad\ncomplete B", "completed | A_bad B e2");
    check(model, "error A worse", "faulted");
    check(model, "fail A the disk is full", "faulted");
    check(model, "# nothing\n\n   complete A   \n# more", "completed | A e");
}

#[test]
fn work_that_has_not_begun_is_undelivered_and_work_that_is_over_answers_late() {
    check("s > A > B > e", "complete B\ncomplete A", "waiting | A | complete:B@1");
    check(
        "s > A > B > e",
        "complete A\ncomplete A\nerror A x\nfail A y",
        "waiting | A",
    );
    check(
        "s > A > B > e",
        "complete A#2\ncomplete C",
        "waiting | | complete:A@1 complete:C@2".replace("| |", "|  |").as_str(),
    );
    check(
        "s > A{!timer PT1H > B > e2} > e",
        "advance PT1H\ncomplete A\ncomplete B",
        "completed | A_timer B e2",
    );
    // An error that work raises while it is being stopped is no fault (BND-4).
    check(
        "s > service A{!timer PT1H > B > e2} > e",
        "advance PT1H\nerror A bad",
        "waiting | A_timer",
    );
    check("s > A > e", "complete A\ncomplete A", "completed | A e");
}

#[test]
fn activations_are_counted_from_the_start() {
    let twice = "s > F > M > A > e; F > B* > M";
    check(twice, "complete A", "waiting | A B M=2 e");
    check(twice, "complete A#2\ncomplete A#1", "completed | A=2 B M=2 e=2");
    check(twice, "complete A#1\ncomplete A#1", "waiting | A B M=2 e");
    check(twice, "complete A#3", "waiting | B M=2 | complete:A@1");
}

#[test]
fn events_reach_who_waits_at_that_moment() {
    let gate = "s > G; G > catch a(message m) > e; G > catch b(signal go) > e1; G > catch c(timer PT1H) > e2";
    check(gate, "message m", "completed | G a e");
    check(gate, "signal go", "completed | G b e1");
    check(gate, "advance PT1H", "completed | G c e2");
    check(gate, "message m\nsignal go", "completed | G a e | signal:go@2");
    check(
        gate,
        "message other\nsignal m",
        "waiting |  | message:other@1 signal:m@2",
    );
    check(gate, "advance PT59M\nadvance PT59S\nadvance PT1S", "completed | G c e2");
    // A message has one receiver, a signal all (EVT-2).
    let two = "s > F > catch a(message m) > e; F > catch b(message m) > e1";
    let one = outcome(&scripted(two, "message m"));
    assert!(
        ["waiting | a e", "waiting | b e1"].contains(&one.as_str()),
        "the oldest takes it: {one}"
    );
    check(
        two.replace("message", "signal").as_str(),
        "signal m",
        "completed | a b e e1",
    );
}

#[test]
fn events_and_answers_bring_data() {
    let model = "s > catch a(message m) > X -[n > 1]> B* > e; X -[default]> e1";
    check(model, "message m n=2", "completed | B X a e");
    check(model, "message m n=1", "completed | X a e1");
    check(model, "set n=2\nmessage m", "completed | B X a e");
    check(
        "s > A > X -[a.b[0] == \"x y\"]> e; X -[default]> e1",
        "complete A a={\"b\": [\"x y\"]}",
        "completed | A X e",
    );
    check("s > catch c(if n > 1) > e", "set n=2", "faulted |  | set:@1");
}

#[test]
fn conditional_events_follow_data() {
    let model = "s > A > catch c(if n > 1) > e";
    check(model, "set n=0\ncomplete A", "waiting | A");
    check(model, "set n=0\ncomplete A\nset n=2", "completed | A c e");
    check(model, "set n=2\ncomplete A", "completed | A c e");
}

#[test]
fn time_stops_at_every_due_timer() {
    check(
        "s > A{~timer R3/PT1H as t > B* > e1} > e",
        "advance P1D",
        "waiting | B=3 e1=3 t=3",
    );
    check(
        "s > A{~timer R3/PT1H as t > B* > e1} > e",
        "advance PT2H\ncomplete A",
        "completed | A B=2 e e1=2 t=2",
    );
    // The second timer is armed by the first, within one `advance`.
    check(
        "s > catch a(timer PT1H) > catch b(timer PT1H) > e",
        "advance PT2H",
        "completed | a b e",
    );
    check(
        "s > catch a(timer PT1H) > catch b(timer PT1H) > e",
        "advance PT119M",
        "waiting | a",
    );
    // What is due needs no outside.
    check("s > catch a(timer PT0S) > e", "", "completed | a e");
    // Time itself ends with the year 9999.
    check("s > A > e", "advance P9000Y", "waiting |  | advance:@1");
    // The earlier timer wins, though the later one was armed first.
    let race = "s > G; G > catch a(timer PT2H) > e; G > catch b(timer PT1H) > e1";
    check(race, "advance PT3H", "completed | G b e1");
}

#[test]
fn an_instance_is_canceled_from_outside_once() {
    check("s > A > e", "cancel", "canceled");
    check(
        "s > A > e",
        "cancel\ncomplete A\nset n=1\ncancel",
        "canceled |  | set:@3 cancel:@4",
    );
}

#[test]
fn what_a_script_names_is_external_work() {
    check("s > script A > e", "", "completed | A e");
    check("s > script A > e", "message m", "completed | A e | message:m@1");
    check("s > script A > e", "complete A#2", "waiting |  | complete:A@1");
    check("s > script A > e", "complete A", "completed | A e");
}

#[test]
fn an_instance_begins_by_its_event() {
    let message = "start s(message m) > A* > e";
    check(message, "", "waiting");
    check(message, "complete A\nmessage m", "waiting |  | complete:A@1");
    check(message, "message x\nmessage m", "completed | A e | message:x@1");
    check("start s(signal go) > A* > e", "signal go", "completed | A e");
    check("start s(timer PT1H) > A* > e", "advance PT30M", "waiting");
    check("start s(timer PT1H) > A* > e", "advance PT2H", "completed | A e");
    check("start s(if n > 1) > A* > e", "set n=1", "waiting");
    check("start s(if n > 1) > A* > e", "set n=1\nset n=2", "completed | A e");
    check(message, "cancel", "waiting |  | cancel:@1");
}

#[test]
fn further_instances_are_reported_beside_the_first() {
    let report = scripted(
        "start s(message m) > A > e",
        "message m\nmessage m\ncomplete A\nmessage m x=1",
    );
    assert_eq!(outcome(&report), "completed | A e");
    let ends: Vec<_> = report.others.iter().map(|other| (other.instance, other.end)).collect();
    assert_eq!(
        ends,
        [(Some(1), Some(RunEnd::Waiting)), (Some(2), Some(RunEnd::Waiting))]
    );
}

#[test]
fn a_thrown_event_that_nobody_waits_for_is_listed_without_a_line() {
    check("s > throw t(signal go) > e", "", "completed | e t | signal:go");
    check("s > end E(escalation late)", "", "completed | E | escalation:late");
}

#[test]
fn starved_joins_are_stuck_and_say_why() {
    let report = scripted("s > X -[true]> A* > J > e; X -[default]> B* > J", "");
    assert_eq!(outcome(&report), "stuck | A X");
    let waiting = &report.main.waiting[0];
    assert_eq!(
        (waiting.kind, waiting.element.as_str(), &waiting.tracks[..]),
        ("join", "J", &[0][..])
    );
    assert_eq!(waiting.detail, "J misses B_J (no token is left that could come by it)");
    assert_eq!(report.exit_code(), 1);
}

#[test]
fn joins_that_may_still_be_fed_only_wait() {
    let report = scripted("s > F > A > J > e; F > B* > J", "");
    let kinds: Vec<_> = report
        .main
        .waiting
        .iter()
        .map(|w| (w.kind, w.element.as_str()))
        .collect();
    assert_eq!(
        (outcome(&report).as_str(), &kinds[..]),
        ("waiting | B", &[("work", "A"), ("join", "J")][..])
    );
    assert_eq!(report.main.waiting[1].missing[0].why, "it may still come from A");
}

#[test]
fn incidents_name_code_element_track_and_instance() {
    let report = scripted("s > F > A > e; F > B > e1", "error B E42");
    let incident = report.main.incident.expect("an uncaught error is one");
    assert_eq!(
        (incident.code.as_deref(), incident.element.as_str()),
        (Some("E42"), "B")
    );
    assert_eq!(
        (incident.track, incident.instance, incident.kind),
        (Some(1), 0, "error")
    );
    let report = scripted("s > A > e", "fail A out of paper");
    assert_eq!(
        report.main.incident.map(|i| (i.kind, i.message)),
        Some(("technical", "out of paper".to_owned()))
    );
    // Only those two are incidents (ERR-5).
    let report = scripted("s > X -[false]> e; X -[false]> e1", "");
    assert_eq!(
        (report.main.fault.map(|f| f.kind), report.main.incident),
        (Some("no-flow"), None)
    );
}

#[test]
fn tracks_tell_their_lives() {
    let report = scripted("s > F > A{!timer PT1H > e2} > J > e; F > B* > J", "advance PT1H");
    let tracks = report.main.tracks.iter().map(|track| {
        let into = track.merged_into.map_or(String::new(), |into| format!(" into {into}"));
        let parent = track.parent.map_or(String::new(), |parent| format!(" of {parent}"));
        format!("{}{parent}{into} {} {}", track.id, track.state, track.path.join(" "))
    });
    let tracks: Vec<_> = tracks.collect();
    assert_eq!(
        tracks,
        ["0 Canceled s F", "1 of 0 AwaitingMerge B", "2 of 0 Ended A_timer e2"]
    );
}

#[test]
fn a_bound_ends_a_run_that_has_no_end() {
    let source = common::model("s > M > A* > M");
    let mut settings = trackside_sim::run::Settings::default();
    settings.set("steps", "100").expect("a setting");
    let report = trackside_sim::run::Simulation::of(&source)
        .settings(settings)
        .run()
        .expect("it runs");
    assert_eq!(
        (report.main.end, report.steps, report.exit_code()),
        (Some(RunEnd::Bounded), 100, 3)
    );
}

#[test]
fn lines_that_the_bound_leaves_no_room_for_are_told() {
    let source = common::model("s > user A > B* > e");
    let mut settings = trackside_sim::run::Settings::default();
    settings.set("steps", "5").expect("a setting");
    let script = Script::parse("complete A\nmessage m\nadvance PT1H").expect("a script");
    let report = trackside_sim::run::Simulation::of(&source)
        .settings(settings)
        .script(script)
        .run()
        .expect("it runs");
    let told: Vec<_> = report
        .main
        .undelivered
        .iter()
        .map(|u| (u.cause, u.name.as_deref(), u.line))
        .collect();
    assert_eq!(told, [("message", Some("m"), Some(2)), ("advance", None, Some(3))]);
    assert_eq!(report.exit_code(), 3);
}
