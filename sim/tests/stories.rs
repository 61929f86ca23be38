//! Stories and diagnostics as people read them. Each expectation follows from the rules that its test names.

mod common;

use common::{model, root, run, stdout};
use trackside_sim::run::{Script, Simulation};
use trackside_sim::schedule::Named;
use trackside_sim::trace::{Row, json};

/// The story of a run in the default order, without the columns that only count.
fn story(text: &str, script: &str) -> String {
    let source = model(text);
    let script = Script::parse(script).expect("the script is right");
    let simulation = Simulation::of(&source).strategy(Named::Fifo, 0).script(script);
    let mut rows = Vec::new();
    let told = simulation.run_with(&mut |event| {
        let row = Row::of(event);
        rows.push(format!(
            "{:>2} {:<2} {:<10} {:<8} {}",
            row.step, row.track, row.action, row.element, row.words
        ));
    });
    told.expect("the model runs");
    rows.join("\n")
}

/// PAR-1..3, TRK-2, TRK-3, TRK-5: one track forks, the completing arrival survives, merges come before it executes.
#[test]
fn a_parallel_diamond() {
    insta::assert_snapshot!(story("s > F > A* > J > e; F > B* > J", ""));
}

/// BND-3, BND-4, BND-8, BND-10: the host is interrupted, the child leaves on the boundary's flow, the late answer is
/// discarded, and its data appear nowhere.
#[test]
fn an_interrupted_host_and_its_late_answer() {
    insta::assert_snapshot!(story(
        "s > service A{!timer PT1H as t > B* > e1} > e",
        "advance PT1H\ncomplete A secret=1"
    ));
}

/// BND-5: the host goes on, the timer fires again, and is torn down when the host is done.
#[test]
fn a_watcher_that_does_not_interrupt() {
    insta::assert_snapshot!(story(
        "s > A{~timer R2/PT1H as t > B* > e1} > e",
        "advance PT2H\ncomplete A"
    ));
}

/// EVG-1: the first event routes, the sibling finds no subscription.
#[test]
fn a_gate_and_the_event_that_comes_too_late() {
    insta::assert_snapshot!(story(
        "s > G; G > catch a(message m) > e; G > catch b(signal go) > e1",
        "message m\nsignal go"
    ));
}

/// CPX-2, CPX-6: two of three fire the join, the third is a trailing token.
#[test]
fn a_complex_join_and_its_trailing_token() {
    insta::assert_snapshot!(story("s > F > A* > K(2) > e; F > B* > K; F > C > K", "complete C"));
}

/// ERR-2, ERR-5, TRK-1: an uncaught error fails its track and cancels the others.
#[test]
fn an_uncaught_error() {
    insta::assert_snapshot!(story("s > F > A > e; F > B > e1", "error A E1"));
}

/// INS-9, EVT-5, ESP-1: scopes begin and are withdrawn, data are written by name only.
#[test]
fn scopes_and_data() {
    insta::assert_snapshot!(story(
        "s > SP{s1 > F1 > A > e1; F1 > B > ET} > e; ESP~h{start hs(message m) > e2}",
        "message m secret=\"x\"\ncomplete B\nset n=1"
    ));
}

/// The canonical lines that trace hashes are made of: a change here is a change of the trace format.
#[test]
fn canonical_lines() {
    let source = model("s > X -[n > 1]> A{!error x > e2} > e; X -[default]> e1");
    let script = Script::parse("error A x").expect("the script is right");
    let simulation = Simulation::of(&source).script(script).variable("n", 2.into());
    let mut lines = Vec::new();
    simulation
        .run_with(&mut |event| lines.push(json(event)))
        .expect("the model runs");
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn the_end_of_a_stuck_run() {
    let text = stdout(&run(&["run", "corpus/models/starved-join.bpmn"]));
    let (_, ending) = text.split_once("\n\n").expect("the ending stands apart");
    let bytes = std::fs::read(root().join("corpus/models/starved-join.bpmn")).expect("the model is there");
    let fingerprint = trackside_sim::hash::Fnv::of(&bytes).hex();
    let (ending, checksum) = ending.rsplit_once(",z=").expect("a token ends with its checksum");
    assert_eq!(checksum.trim_end().len(), 16);
    insta::assert_snapshot!(
        ending
            .replace(&fingerprint, "MODEL")
            .replace(env!("CARGO_PKG_VERSION"), "VERSION")
    );
}

/// ORJ-10, INS-6: two joins that wait for each other are named.
#[test]
fn a_vicious_circle() {
    let source = model("s > F > O1 > A* > X1 > O2; F > O2 > B* > X2 > O1; X1 > e1; X2 > e2; or O1 O2; and X1 X2");
    let mut settings = trackside_sim::run::Settings::default();
    settings.set("or-join", "conservative").expect("a setting");
    let report = Simulation::of(&source)
        .settings(settings)
        .strategy(Named::Fifo, 0)
        .run()
        .expect("it runs");
    let details: Vec<_> = report.main.waiting.iter().map(|wait| wait.detail.as_str()).collect();
    insta::assert_snapshot!(format!("{:?}\n{}", report.main.end, details.join("\n")));
}

#[test]
fn diagnostics() {
    let broken = r#"<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL">
  <process id="p">
    <startEvent id="s"/>
    <eventBasedGateway id="g"/>
    <userTask id="a"/>
    <sequenceFlow id="f1" sourceRef="s" targetRef="g"/>
    <sequenceFlow id="f2" sourceRef="g" targetRef="a"/>
    <sequenceFlow id="f3" sourceRef="a" targetRef="nowhere"/>
  </process>
</definitions>
"#;
    let path = common::scratch("diagnostics.bpmn", broken);
    let path = path.to_str().expect("a plain path");
    let text = stdout(&run(&["validate", path]));
    insta::assert_snapshot!(text.replace(path, "diagnostics.bpmn"));
}
