//! Laws that compare runs with one another (V11 to V15), on a sample of the seeds: what they cost is not the sample's to
//! decide, so that it is the same on every machine.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trackside_engine::InstanceId;
use trackside_engine::world::{Action, Part, World};

use super::case::Case;
use super::drain::Tiring;
use super::runner::{Runner, Watch};
use crate::oracle::Violation;
use crate::oracle::laws::{self, Apart, Outcome, Search, Trace, confluence};
use crate::schedule::{Deviation, Random, Replay, Seeded, Strategy};

/// One seed in so many has its first schedule run once more (V11).
const AGAIN: u64 = 2;
/// One seed in so many is restored from snapshots and continued (V13).
const RESTORED: u64 = 32;
/// After every so many of its transitions.
const RESTORED_EVERY: u64 = 8;
/// One seed in so many is checked for confluence (V12), or run side by side (V15).
const COMPARED: u64 = 64;
/// One seed in so many has its outcomes looked for by an exhaustive search (V14).
const SEARCHED: u64 = 256;
/// The most states of an exhaustive search, and transitions of a compared run.
const STATES_MAX: usize = 300;
const STEPS_MAX: u64 = 200;
/// How far a restored world is followed.
const CONTINUED: u64 = 20;

/// Which laws a seed is held to, beside those that every transition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample<'l> {
    /// Those of a seed, mixed so that the sample has nothing to do with what else goes by the seed.
    Seed(u64),
    /// This one, to find a finding again.
    Law(&'l str),
}

impl Sample<'_> {
    pub(super) const fn of(seed: u64) -> Self {
        Self::Seed((seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491) >> 20)
    }

    fn takes(self, law: &str, every: u64) -> bool {
        match self {
            Self::Seed(number) => number.is_multiple_of(every),
            Self::Law(wanted) => wanted == law,
        }
    }
}

/// How often each law had something to judge: it says nothing of what is too large, or where orders may matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "by their ids, and what they are about")]
pub struct Laws {
    #[serde(rename = "V11")]
    pub determinism: u64,
    #[serde(rename = "V12")]
    pub confluence: u64,
    #[serde(rename = "V13")]
    pub snapshots: u64,
    #[serde(rename = "V14")]
    pub outcomes: u64,
    #[serde(rename = "V15")]
    pub side_by_side: u64,
}

impl Laws {
    pub(super) fn append(&mut self, next: &Self) {
        self.determinism += next.determinism;
        self.confluence += next.confluence;
        self.snapshots += next.snapshots;
        self.outcomes += next.outcomes;
        self.side_by_side += next.side_by_side;
    }
}

/// A run that has been judged well, written down so that it can be compared.
#[derive(Default)]
pub(super) struct Noted {
    pub(super) trace: Trace,
}

impl Watch for Noted {
    fn after(&mut self, world: &World) {
        self.trace.note(world);
    }
}

/// A schedule that has been written down, as often as it takes.
pub(super) struct Again {
    deviations: Vec<Deviation>,
    replay: Replay,
}

impl Again {
    pub(super) fn new(deviations: Vec<Deviation>) -> Self {
        let replay = Replay::lenient(deviations.iter().cloned());
        Self { deviations, replay }
    }
}

impl Strategy for Again {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        self.replay.choose(world, part)
    }
}

impl Seeded for Again {
    fn restart(&mut self, _: u64) {
        self.replay = Replay::lenient(self.deviations.iter().cloned());
    }
}

/// Holds a model to the laws; `seed` is that of a schedule. Counts those that had something to judge.
pub(super) fn hold(
    case: &Case,
    runner: &mut Runner,
    strategy: &mut dyn Seeded,
    (sample, birth, seed): (Sample<'_>, usize, u64),
    laws: &mut Laws,
) -> Result<(), Violation> {
    if sample.takes("V11", AGAIN) {
        laws.determinism += 1;
        same_again(runner, strategy, birth, seed)?;
    }
    if sample.takes("V13", RESTORED) {
        laws.snapshots += 1;
        restored(runner, strategy, birth, seed)?;
    }
    if sample.takes("V12", COMPARED) {
        laws.confluence += u64::from(confluent(case, runner, birth, seed)?);
    }
    if sample.takes("V15", COMPARED) {
        laws.side_by_side += u64::from(side_by_side(case, runner, birth, seed)?);
    }
    if sample.takes("V14", SEARCHED) {
        laws.outcomes += u64::from(among_all(runner, strategy, birth, seed)?);
    }
    Ok(())
}

/// V11: one schedule run twice leaves the same records.
fn same_again(runner: &mut Runner, strategy: &mut dyn Seeded, birth: usize, seed: u64) -> Result<(), Violation> {
    let mut trace = || {
        strategy.restart(seed);
        let mut noted = Noted::default();
        runner.replay(birth, &mut Tiring::new(strategy), &mut noted);
        noted.trace
    };
    laws::same_trace(&trace(), &trace())
}

/// V13: a copy of a world, taken anywhere, is equal and goes on alike.
fn restored(runner: &mut Runner, strategy: &mut dyn Seeded, birth: usize, seed: u64) -> Result<(), Violation> {
    struct Restored {
        violation: Option<Violation>,
        at: u64,
    }
    impl Watch for Restored {
        fn after(&mut self, world: &World) {
            let looks = world.transitions().is_multiple_of(RESTORED_EVERY) || world.transitions() == self.at;
            if self.violation.is_some() || !looks {
                return;
            }
            let restored = laws::restores(world, World::clone);
            let continued = restored.and_then(|mut restored| {
                if world.transitions() != self.at {
                    return Ok(());
                }
                laws::continues(&mut world.clone(), &mut restored, &mut Random::new(self.at), CONTINUED)
            });
            self.violation = continued.err();
        }
    }
    strategy.restart(seed);
    let mut watch = Restored {
        violation: None,
        at: 2 + seed % 16,
    };
    runner.replay(birth, &mut Tiring::new(strategy), &mut watch);
    watch.violation.map_or(Ok(()), Err)
}

/// V12: where nothing races, every order comes out alike.
fn confluent(case: &Case, runner: &mut Runner, birth: usize, seed: u64) -> Result<bool, Violation> {
    let compiled = case.compiled();
    let options = *runner.world.options();
    if confluence::judge(&case.definitions, case.process, &compiled, &options).is_err() {
        return Ok(false);
    }
    let mut run = |order| confluence::run(&mut runner.world, birth, seed, order, STEPS_MAX);
    match (run(seed), run(!seed)) {
        (Some(one), Some(other)) => confluence::same_story(&one, &other).map(|()| true),
        // Loops may take too long to be compared.
        _ => Ok(false),
    }
}

/// V15: two instances in one world record what each would record alone.
fn side_by_side(case: &Case, runner: &Runner, birth: usize, seed: u64) -> Result<bool, Violation> {
    let options = *runner.world.options();
    let apart = |seed| Apart {
        template: Arc::clone(&runner.template),
        birth,
        data: Arc::new(case.settings.variables.clone()),
        seed,
        steps_max: STEPS_MAX,
    };
    let all = [apart(seed), apart(!seed)];
    let alone = all.each_ref().map(|apart| laws::solo(apart, options));
    laws::beside(&all, &alone, options, seed)
}

/// V14: how a run comes out is among what an exhaustive search finds.
fn among_all(runner: &mut Runner, strategy: &mut dyn Seeded, birth: usize, seed: u64) -> Result<bool, Violation> {
    #[derive(Default)]
    struct Ends {
        begun: Option<(World, InstanceId)>,
        outcome: Option<Outcome>,
    }
    impl Watch for Ends {
        fn started(&mut self, world: &World, instance: InstanceId) {
            self.begun = Some((world.clone(), instance));
        }

        fn finished(&mut self, world: &World) {
            self.outcome = self
                .begun
                .as_ref()
                .and_then(|(_, instance)| Outcome::of(world, *instance));
        }
    }
    strategy.restart(seed);
    let mut ends = Ends::default();
    runner.replay(birth, strategy as &mut dyn Strategy, &mut ends);
    let (Some((begun, instance)), Some(outcome)) = (ends.begun, ends.outcome) else {
        return Ok(false);
    };
    match Search::from(&begun, instance, STATES_MAX) {
        Search::Complete(reachable) => reachable.includes(&outcome).map(|()| true),
        Search::TooLarge => Ok(false),
    }
}
