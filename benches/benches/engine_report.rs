//! Writes `reports/engine.md`: this engine beside the crate `snurr`, measured in turn in one run.
//!
//! `snurr` executes the same files without keeping state: no records, no events, no snapshot, no choice of order, and
//! its joins count tokens. It is the fastest peer there is for plain control flow, which makes it a good yardstick.

// Figures are counts and times far below 2^53.
#![allow(clippy::cast_precision_loss)]

mod peer;

use std::fmt::Write as _;
use std::time::Duration;

use trackside_benches::families::{self, Family};
use trackside_benches::measure::{Again, Bench, quartiles, quiet, rounds};

/// Rounds per family; each contender runs at least this long per round.
const ROUNDS: usize = 31;
const ROUND: Duration = Duration::from_millis(20);

const HEAD: &str = "\
# Instances per second

Regenerate with `cargo bench -p trackside-benches --bench engine_report` (release profile, about a minute).

Each family is run by this engine and by the crate `snurr` 0.15 in turn, round by round in one process, so that noise hits
both alike. Records are off, the grain is atomic, tasks run by themselves; every instance of ours is checked to have
completed. *ratio* is ours over theirs in instances per second (above 1: ours are faster): the median over the rounds, and
the quartiles of the ratio. `snurr` keeps no state and has no events; its inclusive join counts tokens and never asks what
can still arrive.

| family | ours, µs per instance | transitions | ns per transition | `snurr`, µs | ratio | quartiles |
|---|---|---|---|---|---|---|
";

fn main() {
    // `cargo test --benches` runs this too: there is nothing to test here.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let mut report = HEAD.to_owned();
    let mut medians = Vec::new();
    for Family { name, definitions } in families::all() {
        let mut bench = Bench::new(&families::template(&definitions), quiet());
        let transitions = bench.run();
        let transitions_of_one = f64::from(u32::try_from(transitions).expect("an instance is short"));
        let peer = peer::process(&name, &definitions);
        let times = rounds(
            ROUNDS,
            ROUND,
            &mut [&mut || assert_eq!(bench.run(), transitions), &mut || {
                peer.run(()).expect("the peer completes");
            }],
        );
        let [_, ours, _] = quartiles(&times[0]);
        let [_, theirs, _] = quartiles(&times[1]);
        let mut ratios: Vec<f64> = times[0]
            .iter()
            .zip(&times[1])
            .map(|(ours, theirs)| theirs.as_secs_f64() / ours.as_secs_f64())
            .collect();
        ratios.sort_by(f64::total_cmp);
        let at = |quarter: usize| ratios[(ratios.len() - 1) * quarter / 4];
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let _ = writeln!(
            report,
            "| {name} | {:.2} | {transitions} | {:.1} | {:.2} | {:.2} | {:.2}–{:.2} |",
            micros(ours),
            micros(ours) * 1e3 / transitions_of_one,
            micros(theirs),
            at(2),
            at(1),
            at(3),
        );
        println!("{name}: {ours:?} against {theirs:?}, ratio {:.2}", at(2));
        medians.push((name, micros(ours)));
    }
    report.push_str("\n## Growth\n\nTime of the larger family over that of the smaller one.\n\n| families | graph | time |\n|---|---|---|\n");
    for (small, large, factor) in GROWTH {
        let time = |name: &str| {
            medians
                .iter()
                .find(|(n, _)| n == name)
                .map_or(f64::NAN, |(_, time)| *time)
        };
        let _ = writeln!(
            report,
            "| {small} → {large} | ×{factor} | ×{:.1} |",
            time(large) / time(small)
        );
    }
    hosts(&mut report);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../reports/engine.md");
    std::fs::write(path, report).expect("the report can be written");
    println!("wrote {path}");
}

/// What three watchers cost their host, by the number of hosts.
fn hosts(report: &mut String) {
    report.push_str(
        "\n## Boundary events\n\nWhat arming and tearing down three watchers costs their host (an interrupting timer, a \
         non-interrupting message and an error boundary), by the number of hosts: the difference to the same host without \
         them. *One among them*: one host ends and begins again and again while the others stay armed. *All of them*: all \
         are armed, then all are torn down, so that between the two the state of all the others has passed through the \
         caches. Nanoseconds per host, medians and quartiles of the difference over the rounds.\n\n\
         | hosts | one among them, with | without | arming and tearing down | quartiles | all of them, with | without | \
         arming and tearing down | quartiles |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for hosts in [10u32, 100, 1_000, 10_000] {
        let size = hosts as usize;
        let again = |watched| Again::new(&families::template(&families::host_among(size, watched)), "H");
        let (mut with, mut without) = (again(true), again(false));
        let one = difference(1, &mut || with.run(), &mut || without.run());
        let bench = |watched| Bench::new(&families::template(&families::hosts(size, watched)), quiet());
        let (mut with, mut without) = (bench(true), bench(false));
        let transitions = (with.run(), without.run());
        let all = difference(hosts, &mut || assert_eq!(with.run(), transitions.0), &mut || {
            assert_eq!(without.run(), transitions.1);
        });
        let _ = writeln!(report, "| {hosts} | {one} | {all} |");
        println!("{hosts} hosts: one {one}; all {all}");
    }
}

/// With, without, and the median and quartiles of the difference, in nanoseconds per host.
fn difference(hosts: u32, with: &mut dyn FnMut(), without: &mut dyn FnMut()) -> String {
    let times = rounds(ROUNDS, ROUND, &mut [with, without]);
    let per_host = |time: Duration| time.as_secs_f64() * 1e9 / f64::from(hosts);
    let mut extra: Vec<f64> = times[0]
        .iter()
        .zip(&times[1])
        .map(|(with, without)| per_host(*with) - per_host(*without))
        .collect();
    extra.sort_by(f64::total_cmp);
    let at = |quarter: usize| extra[(extra.len() - 1) * quarter / 4];
    let [with, without] = [&times[0], &times[1]].map(|times| per_host(quartiles(times)[1]));
    format!("{with:.0} | {without:.0} | {:.0} | {:.0}–{:.0}", at(2), at(1), at(3))
}

const GROWTH: [(&str, &str, u32); 5] = [
    ("linear 10", "linear 100", 10),
    ("linear 100", "linear 1000", 10),
    ("linear 1000", "linear 10000", 10),
    ("fork 10×5", "fork 100×5", 10),
    ("fork 1000×1", "fork 10000×1", 10),
];
