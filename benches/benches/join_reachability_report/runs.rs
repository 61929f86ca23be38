//! Whole runs of the engine: with the index, with the plain search, and beside the crate `snurr`.

use std::sync::Arc;
use std::time::Duration;

use trackside_benches::families::{Family, or_diamond, or_ladder, template};
use trackside_benches::fit::exponent;
use trackside_benches::measure::{Bench, quiet, rounds_within};
use trackside_engine::InstanceId;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Joins, Options, Record};
use trackside_engine::template::Template;
use trackside_engine::world::{Part, World};

use crate::Report;
use crate::peer;
use crate::plot::Plot;
use crate::spread::{Spread, number};

const DIAMONDS: [usize; 4] = [3, 30, 300, 3000];
const LADDERS: [usize; 3] = [1, 10, 100];
/// Diamonds that have to be run as fast as by the peer.
const COMPARED_MAX: usize = 300;

const ROUNDS: usize = 21;
const AT_LEAST: Duration = Duration::from_millis(10);
const AT_MOST: Duration = Duration::from_secs(4);

/// The core's settings with the joins left to search.
fn searching() -> Options {
    Options {
        joins: Joins::Search,
        ..quiet()
    }
}

pub(crate) fn measure(report: &mut Report) {
    report.say("## Whole runs\n");
    report.say(
        "Microseconds for one instance from start to end: records off, the grain is atomic, tasks run by themselves, every \
         branch is taken. *search*: the same engine with its joins left to search after every transition (it still keeps the \
         counters, a few nanoseconds per move). Records of one run with either were found equal, and every instance is \
         checked to have completed. `snurr` 0.15 keeps no state, and its inclusive join counts tokens and never asks what can \
         still arrive. *ratio*: instances per second of ours over theirs, round by round.\n",
    );
    let diamonds = DIAMONDS.map(|n| {
        (
            n,
            Family {
                name: format!("OR diamond {n}"),
                definitions: or_diamond(n),
            },
        )
    });
    let ladders = LADDERS.map(|n| {
        (
            n,
            Family {
                name: format!("OR ladder {n}"),
                definitions: or_ladder(n),
            },
        )
    });
    let mut table = Vec::new();
    let mut curves: [Vec<(f64, f64)>; 3] = Default::default();
    for (at, (n, family)) in diamonds.iter().chain(&ladders).enumerate() {
        let [index, search, snurr, gain, ratio] = compare(family);
        println!("runs, {}", family.name);
        if at < diamonds.len() {
            for (curve, spread) in curves.iter_mut().zip([index, search, snurr]) {
                curve.push((*n as f64, spread.median));
            }
            if *n <= COMPARED_MAX {
                report.target(
                    format!("{}: as many instances per second as `snurr`", family.name),
                    format!("{}×", ratio.cell()),
                    ratio.median >= 1.0,
                );
            }
        }
        let mut cells = vec![family.name.clone()];
        cells.extend([index, search, snurr, gain, ratio].map(Spread::cell));
        table.push(cells);
    }
    let head = [
        "model",
        "index",
        "search",
        "`snurr`",
        "search over index",
        "ratio to `snurr`",
    ]
    .map(str::to_owned);
    report.table(&head, &table);
    report.say("Time of a diamond over that of one with a tenth of the branches, and growth over all four:\n");
    let names = ["index", "search", "`snurr`"];
    let mut head = vec![String::new()];
    head.extend(DIAMONDS.windows(2).map(|pair| format!("{} → {}", pair[0], pair[1])));
    head.push("growth".to_owned());
    let mut table = Vec::new();
    for (name, curve) in names.iter().zip(&curves) {
        let steps: Vec<f64> = curve.windows(2).map(|pair| pair[1].1 / pair[0].1).collect();
        let mut cells = vec![(*name).to_owned()];
        cells.extend(steps.iter().map(|step| format!("×{}", number(*step))));
        cells.push(format!("{:.2}", exponent(curve)));
        table.push(cells);
        if *name == names[0] {
            let worst = steps.iter().copied().fold(0.0, f64::max);
            report.target(
                "time ≤ 11× for a 10× larger diamond",
                format!("at most ×{}", number(worst)),
                worst <= 11.0,
            );
        }
    }
    report.table(&head, &table);
    let plot = Plot {
        title: "one instance of an OR diamond".to_owned(),
        x: "branches",
        y: "microseconds",
        curves: names
            .iter()
            .map(|name| name.trim_matches('`').to_owned())
            .zip(curves)
            .collect(),
    };
    report.plot("runs", &plot);
}

/// Ours with the index and with the search, the peer's; what the index gains, and the ratio to the peer.
fn compare(family: &Family) -> [Spread; 5] {
    let template = template(&family.definitions);
    let same = recorded(&template, quiet()) == recorded(&template, searching());
    assert!(same, "{} runs alike", family.name);
    let [mut index, mut search] = [quiet(), searching()].map(|options| Bench::new(&template, options));
    let transitions = index.run();
    let peer = peer::process(&family.name, &family.definitions);
    let times = rounds_within(
        ROUNDS,
        AT_LEAST,
        AT_MOST,
        &mut [
            &mut || assert_eq!(index.run(), transitions),
            &mut || assert_eq!(search.run(), transitions),
            &mut || {
                peer.run(()).expect("the peer completes");
            },
        ],
    );
    let micros = |times: &[Duration]| Spread::of(times, 1000);
    [
        micros(&times[0]),
        micros(&times[1]),
        micros(&times[2]),
        Spread::of_ratio(&times[1], 1, &times[0], 1),
        Spread::of_ratio(&times[2], 1, &times[0], 1),
    ]
}

/// The records of one run.
fn recorded(template: &Arc<Template>, options: Options) -> Vec<(InstanceId, Record)> {
    let mut world = World::new(Options {
        records: true,
        ..options
    });
    world.add(Arc::clone(template));
    world.start(0, 0, Data::default());
    let mut all = world.records().to_vec();
    while let Some(action) = world.oldest(Part::All) {
        all.extend_from_slice(world.apply(action).expect("the oldest action is enabled"));
    }
    all
}
