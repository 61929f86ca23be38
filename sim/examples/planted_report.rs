//! Writes `reports/planted-faults.md`: how many schedules it takes to find each planted fault, by strategy.
//!
//! ```sh
//! cargo run --release -p trackside-sim --features planted-faults --example planted_report
//! ```

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use trackside_engine::planted::Fault;
use trackside_sim::campaign::planted::{Hunt, hunt};
use trackside_sim::campaign::{Campaign, CampaignError};
use trackside_sim::schedule::Named;

/// The campaigns that are compared, by their first seeds.
const SEEDS: [u64; 7] = [1, 1_000_001, 2_000_001, 3_000_001, 4_000_001, 5_000_001, 6_000_001];
/// The most seeds of one hunt.
const SEEDS_MAX: u64 = 20_000;

/// Who hunts.
struct Hunter {
    name: &'static str,
    strategy: Named,
    even: bool,
}

const HUNTERS: [Hunter; 7] = [
    hunter("default", Named::Portfolio, false),
    hunter("random, even models", Named::Random, true),
    hunter("random", Named::Random, false),
    hunter("pct", Named::Pct, false),
    hunter("pos", Named::Pos, false),
    hunter("surw", Named::Surw, false),
    hunter("swarm", Named::Swarm, false),
];

const fn hunter(name: &'static str, strategy: Named, even: bool) -> Hunter {
    Hunter { name, strategy, even }
}

/// All hunts of one hunter: by fault, then by seed.
struct Bag {
    hunts: Vec<Vec<Hunt>>,
    /// How long all faults took, by seed, in seconds.
    seconds: Vec<f64>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut bags = Vec::new();
    for hunter in &HUNTERS {
        eprintln!("{} …", hunter.name);
        bags.push(all(hunter)?);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports/planted-faults.md");
    std::fs::write(&path, report(&bags))?;
    eprintln!("{}", path.display());
    Ok(())
}

fn all(hunter: &Hunter) -> Result<Bag, CampaignError> {
    let mut bag = Bag {
        hunts: vec![Vec::new(); Fault::ALL.len()],
        seconds: Vec::new(),
    };
    let jobs = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    for seed in SEEDS {
        let campaign = Campaign::generated().seed(seed).seeds(SEEDS_MAX).jobs(jobs);
        let campaign = if hunter.even { campaign.even() } else { campaign };
        let began = Instant::now();
        for (hunts, &fault) in bag.hunts.iter_mut().zip(Fault::ALL) {
            hunts.push(hunt(&campaign, fault, hunter.strategy)?);
        }
        bag.seconds.push(began.elapsed().as_secs_f64());
    }
    Ok(bag)
}

/// The geometric mean.
fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().fold(0.0, |count, _| count + 1.0);
    (values.map(f64::ln).sum::<f64>() / count).exp()
}

#[allow(clippy::cast_precision_loss, reason = "counts of schedules are small")]
fn schedules(hunts: &[Hunt]) -> f64 {
    mean(hunts.iter().map(|hunt| hunt.schedules as f64))
}

fn found(hunts: &[Hunt]) -> bool {
    hunts.iter().all(|hunt| hunt.found)
}

/// By how much `one` needs fewer schedules than `other`, over the faults that both find under every seed.
fn gain(one: &Bag, other: &Bag) -> f64 {
    let pairs = one.hunts.iter().zip(&other.hunts);
    let both = pairs.filter(|(one, other)| found(one) && found(other));
    mean(both.map(|(one, other)| schedules(other) / schedules(one)))
}

fn report(bags: &[Bag]) -> String {
    let mut text = HEAD.replace("{seeds}", &SEEDS.map(|seed| seed.to_string()).join(", "));
    let default = &bags[0];
    let slowest = default.seconds.iter().copied().fold(0.0, f64::max);
    let _ = writeln!(
        text,
        "All 30 with the default, shrinking included: {:.1} s in the mean, {slowest:.1} s at most.\n",
        mean(default.seconds.iter().copied())
    );
    text += "| | fault | noticed by | nodes | deviations |";
    for hunter in &HUNTERS {
        let _ = write!(text, " {} |", hunter.name);
    }
    text += "\n|---|---|---|---|---|";
    text += &"---|".repeat(HUNTERS.len());
    text.push('\n');
    for (at, fault) in Fault::ALL.iter().enumerate() {
        line(&mut text, *fault, at, bags);
    }
    text += "| | geometric mean | | | |";
    for bag in bags {
        let _ = write!(text, " {:.0} |", mean(bag.hunts.iter().map(|hunts| schedules(hunts))));
    }
    text += "\n| | schedules saved by the default: factor | | | |";
    for bag in bags {
        let _ = write!(text, " {:.1} |", gain(default, bag));
    }
    text.push('\n');
    text += TAIL;
    text
}

fn line(text: &mut String, fault: Fault, at: usize, bags: &[Bag]) {
    let hunts = &bags[0].hunts[at];
    let findings = || hunts.iter().filter_map(|hunt| hunt.finding.as_ref());
    let mut by: Vec<&str> = findings().map(|finding| finding.invariant.as_str()).collect();
    by.sort_unstable();
    by.dedup();
    let nodes = findings().map(|finding| finding.nodes).max().unwrap_or(0);
    let deviations = findings().map(|finding| finding.deviations).max().unwrap_or(0);
    let (number, name) = (fault.number(), fault.name());
    let _ = write!(
        text,
        "| {number} | `{name}` | {} | {nodes} | {deviations} |",
        by.join(", ")
    );
    for bag in bags {
        let hunts = &bag.hunts[at];
        let lost = hunts.iter().filter(|hunt| !hunt.found).count();
        let lost = if lost > 0 {
            format!(" ({lost} not found)")
        } else {
            String::new()
        };
        let _ = write!(text, " {:.0}{lost} |", schedules(hunts));
    }
    text.push('\n');
}

const HEAD: &str = "# Planted faults: schedules to detection

Regenerate with `cargo run --release -p trackside-sim --features planted-faults --example planted_report`. Counts are the
same on every machine; times are not.

Each of the thirty faults of [docs/planted-faults.md](../docs/planted-faults.md) was planted alone and hunted by campaigns
from the first seeds {seeds}; a figure is the geometric mean, over these, of the schedules that were run until a judge
objected. *noticed by*: the invariants under the default. *nodes*, *deviations*: the largest after shrinking under the default.

The *default* is what `trackside fuzz` does: each seed likes some features and picks the model that has most of them among
six, made of kinds that it weighs wildly; a strategy of the portfolio orders it. *random, even models* is the baseline: the
generator without preferences, ordered by a random walk. The other columns change the strategy alone: they run the default's
models.

";

const TAIL: &str = "
What the factors say: against the baseline the default needs fewer schedules because its *models* more often have what a
fault needs. On the same models the strategies differ little: most of these faults show under nearly every order once the
model is there, so that what is counted is how soon such a model comes up. A factor of three was aimed at, and is not reached
here. The orders that a random walk hardly ever has are measured on thirteen races in `sim/tests/strategies/races.rs`, where
the portfolio has them about eight times as often.
";
