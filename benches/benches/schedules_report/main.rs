//! Writes `reports/schedules.md`: how many schedules a core gets through, beside the crate `shuttle` in one run, and under
//! all judges on generated models.
//!
//! A build without debug assertions writes the first part, one with them the second; each leaves the other as it is.

// Figures are counts and times far below 2^53.
#![allow(clippy::cast_precision_loss)]

mod layers;
mod ours;
mod peer;

use std::fmt::Write as _;
use std::time::Duration;

use layers::{Layer, Loop};
use ours::{How, Ours};
use trackside_benches::families;
use trackside_benches::measure::{quartiles, rounds};
use trackside_engine::instance::Grain;
use trackside_engine::model::Definitions;
use trackside_sim::campaign::Campaign;

/// Rounds; each contender runs at least this long per round.
const ROUNDS: usize = 31;
const ROUND: Duration = Duration::from_millis(20);
/// Schedules that are timed as one.
const BATCH: u64 = 256;
/// Rounds of the judged loop, and seeds of the campaign.
const ROUNDS_JUDGED: usize = 15;
const SEEDS: u64 = 2_000;

const HEAD: &str = "\
# Schedules per second

Regenerate with `cargo bench -p trackside-benches --bench schedules_report` (release profile) and then
`cargo bench --profile checked -p trackside-benches --bench schedules_report` (the same with debug assertions in the engine
and the simulator); a minute each, after building. All on one core. Medians over the rounds, with quartiles.
";

const SPLIT: &str = "\n<!-- with debug assertions -->\n";

fn main() {
    // `cargo test --benches` runs this too: there is nothing to test here.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    // For looking into one of them, as with a profiler: nothing is written.
    if let Some(section) = std::env::args().find_map(|arg| arg.strip_prefix("only=").map(str::to_owned)) {
        return one(&section);
    }
    let part = part();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../reports/schedules.md");
    let old = std::fs::read_to_string(path).unwrap_or_default();
    let (plain, checked) = old.split_once(SPLIT).unwrap_or((&old, ""));
    let report = if cfg!(debug_assertions) {
        format!("{plain}{SPLIT}{part}")
    } else {
        format!("{HEAD}{part}{SPLIT}{checked}")
    };
    std::fs::write(path, report).expect("the report can be written");
    println!("wrote {path}");
}

/// One section, or one line of the comparison, for some seconds.
fn one(section: &str) {
    let mut part = String::new();
    match section {
        "judged" => judged(&mut part, "alone"),
        "campaign" => campaign(&mut part, "alone"),
        line => {
            let (fork, way) = (
                line.starts_with("fork"),
                line.trim_start_matches(|c: char| !c.is_ascii_digit()),
            );
            let definitions = if fork {
                families::fork(10, 2)
            } else {
                ours::or_diamond()
            };
            let way = How::all()
                .nth(way.parse().expect("a number of a way"))
                .expect("there are eight");
            let mut ours = Ours::new(&definitions, way);
            let times = rounds(ROUNDS, 5 * ROUND, &mut [&mut || ours.run()]);
            println!("{way:?}: {} schedules/s", per_second(BATCH, quartiles(&times[0])[1]));
        }
    }
}

/// What this build measures.
fn part() -> String {
    let build = if cfg!(debug_assertions) {
        "with debug assertions"
    } else {
        "as users have it"
    };
    let sampled = if cfg!(debug_assertions) {
        " Assertions that take constant time are made always; those that go through the whole state (audits among them) in \
         the first 256 runs of a world, and from then on, as here, in one run of 16."
    } else {
        ""
    };
    let mut part = format!(
        "\n## Beside `shuttle`, {build}\n\n\
         The same forks and joins as threads under `shuttle` 0.9 at its defaults (no vector clocks), in turn with ours, round \
         by round. In the OR diamond a random set of three branches that is not empty runs, one task each; in the fork, ten \
         branches of two tasks. *Shared*: a thread for each branch looks whether it is to run, a task is a change under a \
         mutex, and the join waits for all of them on a condition variable. The other lines share nothing, and are what \
         threads cost at least: a task is a yield, the join is that of threads, and without *guarded* only those threads are \
         started that run (which PCT refuses: there may be one alone). *ratio* is to *shared*; to the leanest threads it is \
         about half of that. Of ours, every schedule begins with a reset world and a strategy under a new seed, and is checked \
         to have completed.{sampled}\n\n\
         | model | who | grain | records | transitions | schedules/s | quartiles | ratio | quartiles |\n\
         |---|---|---|---|---|---|---|---|---|\n"
    );
    let guarded = peer::or_diamond_guarded;
    let peers: [(&str, peer::By, peer::Program); 4] = [
        ("random, shared", peer::random, peer::or_diamond_shared),
        ("random", peer::random, peer::or_diamond),
        ("random, guarded", peer::random, guarded),
        ("PCT, guarded", peer::pct, guarded),
    ];
    beside(&mut part, "OR 3", &ours::or_diamond(), &peers);
    let peers: [(&str, peer::By, peer::Program); 3] = [
        ("random, shared", peer::random, peer::fork_shared),
        ("random", peer::random, peer::fork),
        ("PCT", peer::pct, peer::fork),
    ];
    beside(&mut part, "fork 10×2", &families::fork(10, 2), &peers);
    judged(&mut part, build);
    campaign(&mut part, build);
    part
}

fn beside(part: &mut String, model: &str, definitions: &Definitions, peers: &[(&str, peer::By, peer::Program)]) {
    let ways: Vec<How> = How::all().collect();
    let mut all: Vec<Ours> = ways.iter().map(|&how| Ours::new(definitions, how)).collect();
    let times = {
        let mut theirs: Vec<_> = peers.iter().map(|&(_, by, program)| (0.., by, program)).collect();
        let mut theirs: Vec<_> = theirs
            .iter_mut()
            .map(|(seeds, by, program)| || by(*program, seeds.next().unwrap_or_default()))
            .collect();
        let mut runs: Vec<_> = all.iter_mut().map(|ours| || ours.run()).collect();
        let mut contenders: Vec<&mut dyn FnMut()> = theirs.iter_mut().map(|run| run as &mut dyn FnMut()).collect();
        contenders.extend(runs.iter_mut().map(|run| run as &mut dyn FnMut()));
        rounds(ROUNDS, ROUND, &mut contenders)
    };
    for (at, own) in times.iter().enumerate() {
        let what = match at.checked_sub(peers.len()) {
            None => format!("`shuttle` {} | | |", peers[at].0),
            Some(at) => {
                let How {
                    strategy,
                    grain,
                    records,
                } = ways[at];
                let grain = if grain == Grain::Atomic { "atomic" } else { "protocol" };
                let records = if records { "kept" } else { "off" };
                format!(
                    "{} | {grain} | {records} | {:.1}",
                    strategy.name(),
                    all[at].transitions()
                )
            }
        };
        let mut ratios: Vec<f64> = own
            .iter()
            .zip(&times[0])
            .map(|(own, peer)| peer.as_secs_f64() / own.as_secs_f64())
            .collect();
        ratios.sort_by(f64::total_cmp);
        let ratio = |quarter: usize| ratios[(ratios.len() - 1) * quarter / 4];
        let [fast, median, slow] = quartiles(own).map(|time| per_second(BATCH, time));
        let row = format!(
            "| {model} | {what} | {median} | {slow}–{fast} | {:.1} | {:.1}–{:.1} |",
            ratio(2),
            ratio(1),
            ratio(3)
        );
        println!("{row}");
        let _ = writeln!(part, "{row}");
    }
}

/// Schedules per second, to three digits, with the thousands apart.
fn per_second(schedules: u64, time: Duration) -> String {
    let exact = schedules as f64 / time.as_secs_f64();
    let unit = 10_f64.powf(exact.log10().floor() - 2.0).max(1.0);
    let digits = format!("{:.0}", (exact / unit).round() * unit);
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("digits"))
        .collect();
    groups.join(",")
}

fn judged(part: &mut String, build: &str) {
    let mut all = Loop::new();
    let (schedules, models) = (layers::schedules(), layers::models());
    let _ = write!(
        part,
        "\n## Generated models, {build}\n\n\
         {models} models of about 20 nodes, a third of each family, {} schedules each under the portfolio, in the protocol \
         grain, of at most {} transitions: {:.1} in the mean. The reference has rules for {} of the models. Each row has \
         everything that stands above it; what is generated and compiled once per model is shared by its schedules. There is \
         an audit after one transition in {}; one schedule in {} is run twice more and its records are compared, and one in {} \
         is restored and compared after each of its transitions.\n\n\
         | with | µs per schedule | adds | share | schedules/s | quartiles |\n|---|---|---|---|---|---|\n",
        layers::SCHEDULES,
        layers::STEPS_MAX,
        all.transitions as f64 / schedules as f64,
        all.complete,
        layers::AUDIT_EVERY,
        layers::AGAIN_EVERY,
        layers::RESTORED_EVERY,
    );
    let times: Vec<Vec<Duration>> = {
        let all = std::cell::RefCell::new(&mut all);
        let mut runs: Vec<_> = Layer::ALL
            .map(|layer| {
                let all = &all;
                move || all.borrow_mut().run(layer)
            })
            .into();
        let mut contenders: Vec<&mut dyn FnMut()> = runs.iter_mut().map(|run| run as &mut dyn FnMut()).collect();
        rounds(ROUNDS_JUDGED, ROUND, &mut contenders)
    };
    let micros: Vec<f64> = times
        .iter()
        .map(|own| quartiles(own)[1].as_secs_f64() * 1e6 / schedules as f64)
        .collect();
    let whole = micros.last().copied().unwrap_or(f64::NAN);
    let mut before = 0.0;
    for ((layer, own), &micros) in Layer::ALL.iter().zip(&times).zip(&micros) {
        let [fast, median, slow] = quartiles(own).map(|time| per_second(schedules, time));
        let adds = micros - before;
        before = micros;
        let row = format!(
            "| {} | {micros:.2} | {adds:.2} | {:.0} % | {median} | {slow}–{fast} |",
            layer.name(),
            100.0 * adds / whole
        );
        println!("{row}");
        let _ = writeln!(part, "{row}");
    }
    let generate = micros[0] * schedules as f64 / models as f64;
    let line = format!("\nGenerating one model takes {generate:.1} µs, its end included.\n");
    println!("{line}");
    part.push_str(&line);
}

/// Whole campaigns, as the command runs them on one thread.
fn campaign(part: &mut String, build: &str) {
    let _ = write!(
        part,
        "\n## Campaigns, {build}\n\n\
         {SEEDS} seeds of generated models on one thread, as `trackside fuzz` runs them: models of up to so many nodes, chosen \
         among several, all settings drawn, everything counted, laws V11 to V15 on samples of the seeds.\n\n\
         | nodes | schedules per model | transitions per schedule | schedules/s | transitions/s |\n|---|---|---|---|---|\n"
    );
    for (nodes, schedules) in [(24, 4), (24, 16), (36, 4)] {
        let summary = Campaign::generated()
            .nodes(nodes)
            .schedules(schedules)
            .seeds(SEEDS)
            .run();
        let summary = summary.expect("the campaign needs nothing");
        assert_eq!(summary.violated, 0, "{summary}");
        let row = format!(
            "| up to {nodes} | {schedules} | {:.1} | {} | {} |",
            summary.actions as f64 / summary.schedules as f64,
            per_second(summary.schedules, summary.elapsed),
            per_second(summary.actions, summary.elapsed),
        );
        println!("{row}");
        let _ = writeln!(part, "{row}");
    }
}
