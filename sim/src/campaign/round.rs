//! The work of one seed: its model under its schedules, judged, and counted.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use trackside_engine::InstanceId;
use trackside_engine::instance::{Conditions, Environment, Record};
use trackside_engine::world::World;

use super::case::{Case, Space};
use super::checks::{self, Sample};
use super::coverage::{Coverage, Facts, Observer};
use super::drain::{CHAOS_MAX, Tiring};
use super::runner::{Ended, Ran, Runner, Watch};
use super::tally::{Found, Tally};
use crate::generate::Family;
use crate::oracle::Violation;
use crate::schedule::{DEPTH, Seeded};

/// The invariant of a finding that no judge made: the engine itself panicked.
pub(super) const PANIC: &str = "panic";

/// Runs all that a seed decides, up to its first finding, and counts it.
///
/// # Panics
///
/// If a given model can't be compiled: a campaign looks at that before it begins.
pub(super) fn run(space: &Space, seed: u64, tally: &mut Tally) {
    let case = space.case(seed);
    let mut runner = Runner::new(&case).expect("models of a campaign have been validated");
    tally.seeds += 1;
    tally.uncovered += u64::from(!runner.is_complete());
    let facts = Facts::new(&case.definitions, &runner.template);
    let mut covering = Covering {
        facts: &facts,
        observer: Observer::default(),
        coverage: std::mem::take(&mut tally.coverage),
        tasks: 0,
    };
    let mut strategy = space.strategy.build(0);
    for schedule in 0..space.schedules {
        let played = catch_unwind(AssertUnwindSafe(|| {
            play(&case, &mut runner, strategy.as_mut(), (seed, schedule), &mut covering)
        }));
        let (ran, found) = match played {
            Ok((ran, violation)) => (ran, violation.map(|violation| Found::new(seed, schedule, &violation))),
            Err(panic) => (Ran::default(), Some(Found::new(seed, schedule, &panicked(&*panic)))),
        };
        tally.count(&ran);
        if let Some(depth) = pct_depth(space.strategy.player(Space::schedule_seed(seed, schedule))) {
            tally.chances.count(depth, covering.tasks, ran.actions.max(CHAOS_MAX));
        }
        if let Some(found) = found {
            tally.find(found);
            // A panic leaves an engine that nothing more can be expected of.
            break;
        }
    }
    tally.coverage = covering.coverage;
}

/// The depth of plain `pct`; the portfolio's other members promise nothing.
fn pct_depth(player: &str) -> Option<usize> {
    match player {
        "pct" => Some(DEPTH as usize),
        _ => player.strip_prefix("pct-")?.parse().ok(),
    }
}

/// Notes what the runs of a model cover.
struct Covering<'f> {
    facts: &'f Facts,
    observer: Observer,
    coverage: Coverage,
    /// How many tasks (tracks, external work, subscriptions) this run has had, and the clock.
    tasks: u64,
}

impl Watch for Covering<'_> {
    fn started(&mut self, world: &World, instance: InstanceId) {
        self.observer.begin(self.facts, world.options(), instance);
        self.tasks = 1;
    }

    fn judged(&mut self, world: &World) {
        self.observer.see(self.facts, world.records(), &mut self.coverage);
        let is_task = |record: &Record| {
            matches!(
                record,
                Record::Born { .. } | Record::Armed { .. } | Record::WorkStarted { .. }
            )
        };
        self.tasks += world.records().iter().filter(|(_, record)| is_task(record)).count() as u64;
    }

    fn finished(&mut self, world: &World) {
        self.observer.finish(world, &mut self.coverage);
    }
}

/// Runs one schedule, judged, and checks what a campaign knows of its model beyond the rules.
fn play(
    case: &Case,
    runner: &mut Runner,
    strategy: &mut dyn Seeded,
    (seed, schedule): (u64, u32),
    covering: &mut Covering<'_>,
) -> (Ran, Option<Violation>) {
    strategy.restart(Space::schedule_seed(seed, schedule));
    let birth = runner.birth((seed, schedule));
    let ran = runner.run(birth, &mut Tiring::new(strategy), covering);
    let violation = ran.violation.clone().or_else(|| unfinished(case, &ran));
    // The laws are of the model more than of a schedule: the first one stands for it.
    let violation = violation.or_else(|| {
        let how = (Sample::of(seed), birth, Space::schedule_seed(seed, schedule));
        (schedule == 0)
            .then(|| checks::hold(case, runner, strategy, how).err())
            .flatten()
    });
    (ran, violation)
}

/// What is made of blocks completes, whatever the schedule, as long as nobody interferes.
pub(super) fn unfinished(case: &Case, ran: &Ran) -> Option<Violation> {
    let options = &case.settings.options;
    let promised = case.family == Some(Family::Block)
        && options.conditions == Conditions::Symbolic
        && options.environment == Environment::default();
    let kept = matches!(ran.ended, Ended::Completed | Ended::Bounded);
    (promised && !kept).then(|| Violation {
        invariant: "V5",
        rule: "INS-5",
        node: None,
        message: format!("a model made of blocks ends {:?}", ran.ended),
    })
}

fn panicked(panic: &(dyn Any + Send)) -> Violation {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    Violation {
        invariant: PANIC,
        rule: "INS-4",
        node: None,
        message: text.unwrap_or("without a word").to_owned(),
    }
}
