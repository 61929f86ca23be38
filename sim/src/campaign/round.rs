//! The work of one seed: its model under its schedules, judged, and counted.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use trackside_engine::InstanceId;
use trackside_engine::instance::Record;
use trackside_engine::world::World;

use super::case::{Case, Space};
use super::checks::{self, Laws, Sample};
use super::coverage::{Coverage, Facts, Observer};
use super::drain::{CHAOS_MAX, Tiring};
use super::runner::{Ran, Runner, Watch};
use super::tally::{Found, Tally};
use crate::oracle::Violation;
use crate::schedule::{Promise, Seeded};

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
        laws: Laws::default(),
    };
    let mut strategy = space.strategy.build(0);
    for schedule in 0..space.schedules {
        let played = catch_unwind(AssertUnwindSafe(|| {
            play(&case, &mut runner, strategy.as_mut(), (seed, schedule), &mut covering)
        }));
        let (ran, promise) = played.unwrap_or_else(|panic| (Ran::of_panic(panicked(&*panic)), None));
        tally.count(&ran);
        if let Some(promise) = promise {
            tally.chances.count(promise, covering.tasks);
        }
        if let Some(violation) = &ran.violation {
            tally.find(Found::new((seed, schedule), case.model, violation));
            // A panic leaves an engine that nothing more can be expected of.
            break;
        }
    }
    tally.coverage = covering.coverage;
    tally.laws.append(&covering.laws);
}

/// Notes what the runs of a model cover.
struct Covering<'f> {
    facts: &'f Facts,
    observer: Observer,
    coverage: Coverage,
    /// How many tasks this run can have had: tracks, external work and its late answers, subscriptions, the clock and
    /// cancellation.
    tasks: u64,
    laws: Laws,
}

impl Watch for Covering<'_> {
    fn started(&mut self, world: &World, instance: InstanceId) {
        self.observer.begin(self.facts, world.options(), instance);
        self.tasks = 2;
    }

    fn judged(&mut self, world: &World) {
        self.observer.see(self.facts, world.records(), &mut self.coverage);
        let is_task = |record: &Record| {
            matches!(
                record,
                Record::Born { .. }
                    | Record::Armed { .. }
                    | Record::WorkStarted { .. }
                    | Record::WorkAskedToStop { .. }
            )
        };
        self.tasks += world.records().iter().filter(|(_, record)| is_task(record)).count() as u64;
    }

    fn finished(&mut self, world: &World) {
        self.observer.finish(world, &mut self.coverage);
    }
}

/// Runs one schedule, judged, and holds its model to the laws; gives what the strategy promised of the run, too.
fn play(
    case: &Case,
    runner: &mut Runner,
    strategy: &mut dyn Seeded,
    (seed, schedule): (u64, u32),
    covering: &mut Covering<'_>,
) -> (Ran, Option<Promise>) {
    let choices = Space::schedule_seed(seed, schedule);
    strategy.restart(choices);
    let birth = runner.birth((seed, schedule));
    let mut ran = runner.run(birth, &mut Tiring::new(strategy), covering);
    // What was drained was not the strategy's.
    let promise = strategy.promise().filter(|_| ran.actions <= CHAOS_MAX);
    // The laws are of the model more than of a schedule: the first one stands for it.
    if schedule == 0 && ran.violation.is_none() {
        let how = (Sample::of(seed), birth, choices);
        ran.violation = checks::hold(case, runner, strategy, how, &mut covering.laws).err();
    }
    (ran, promise)
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
