//! Each group can be hit and can be missed.

use trackside_engine::instance::{CoverageMark, Options};
use trackside_sim::campaign::coverage::{Coverage, Group};

use super::drive::{free, play};

fn check(model: &str, options: Options, script: &str, hits: &[&str], misses: &[&str]) {
    let coverage = play(model, options, script);
    let shown = |coverage: &Coverage| coverage.seen().join(" ");
    for id in hits {
        assert!(
            coverage.has(id),
            "`{id}` is hit by `{script}` on `{model}`: {}",
            shown(&coverage)
        );
    }
    for id in misses {
        assert!(
            !coverage.has(id),
            "`{id}` is missed by `{script}` on `{model}`: {}",
            shown(&coverage)
        );
    }
}

#[test]
fn gateways() {
    let model = "s > X > A* > O; X -[default]> B* > O; O > e; or O; xor X";
    check(
        model,
        free(),
        "go",
        &["xor.split", "or.join"],
        &["xor.default", "and.join"],
    );
    check(model, free(), "step:s arrive:X step:X/1 go", &["xor.default"], &[]);
    check(
        "s > A* > B*; A > C*; B > D*; C > D",
        free(),
        "go",
        &["implicit.split-all", "implicit.merge", "implicit.end"],
        &["implicit.split-some"],
    );
    let gate = "s > G > catch a(message m) > e; G > catch b(timer PT1H) > e";
    check(gate, free(), "go fire:a go", &["gate.message"], &["gate.timer"]);
    check(gate, free(), "go fire:b go", &["gate.timer"], &["gate.message"]);
}

#[test]
fn records_and_ends() {
    let model = "s > service A{!error k > e2}{~message m > B > e3} > e";
    check(
        model,
        free(),
        "go done:A go",
        &["WorkEnded.ok", "completed", "Disarmed.host-ended"],
        &["WorkEnded.error", "Fired.message.non-interrupting"],
    );
    check(
        model,
        free(),
        "go error:A go",
        &["WorkEnded.error", "Interrupted.failed", "TrackEnded.failed"],
        &["WorkEnded.ok"],
    );
    check(
        model,
        free(),
        "go fail:A",
        &["faulted.technical", "ERR-3"],
        &["completed", "faulted.error"],
    );
    check(model, free(), "go cancel", &["canceled", "INS-5"], &["stuck"]);
    check(model, free(), "go", &["bounded"], &["stuck", "completed"]);
    let starved = "s > X > A* > J; X > B* > J; J > e; and J; xor X";
    check(
        starved,
        free(),
        "go",
        &["stuck", "PAR-5", "INS-6"],
        &["bounded", "ORJ-10"],
    );
}

#[test]
fn rules() {
    let model = "s > F > A* > O; F > user B > O; O > e; or O; and F";
    check(model, free(), "go", &["PAR-1"], &["ORJ-1", "PAR-4", "ORJ-2"]);
    check(model, free(), "go done:B go", &["ORJ-1", "PAR-1"], &["ORJ-6", "ORJ-2"]);
    let conservative = Options {
        or_join: trackside_engine::instance::OrJoin::Conservative,
        ..free()
    };
    check(model, conservative, "go done:B go", &["ORJ-2"], &[]);
}

#[test]
fn marks() {
    let coverage = play("s > F > A* > J > e; F > B* > J; and J F", free(), "go");
    let share = coverage.share(Group::Marks);
    assert!(
        (40..=CoverageMark::ALL.len()).contains(&share.total),
        "tests are built with marks"
    );
    assert!(coverage.has("mark.InclusiveHeldUp") == coverage.has("or.join"));
}
