//! A finding, made small and told: the model, the schedule, and what happens in it.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use trackside_engine::InstanceId;
use trackside_engine::model::Definitions;
use trackside_engine::world::{Action, World};

use super::case::{Case, Space};
use super::checks::{self, Sample};
use super::drain::Tiring;
use super::round::{PANIC, unfinished};
use super::runner::{Runner, Watch};
use super::tally::{Found, Tally, words};
use crate::oracle::Violation;
use crate::run::{Settings, begin};
use crate::schedule::{Deviation, Replay, Strategy};
use crate::shrink::{self, Failing, Limits, Recorder, Shrunk, Trial, shrink};
use crate::trace::{Deed, Event, Row, What};

/// A schedule that breaks an invariant, on a model from which nothing more could be cut.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The invariant, such as `V2`.
    pub invariant: String,
    /// The rule, or the first of several that may be concerned.
    pub rule: String,
    /// What is wrong, at which element.
    pub message: String,
    /// The seed that found it.
    pub seed: u64,
    /// The strategy that found it.
    pub by: &'static str,
    /// How many schedules had been run by then, in the order of seeds.
    pub after: u64,
    /// How many nodes the model has.
    pub nodes: usize,
    /// At how many steps the schedule differs from the default order.
    pub deviations: usize,
    /// Plays it again; beside the model's file.
    pub token: String,
    /// Where the model has been written.
    pub model: Option<PathBuf>,
    /// What happens, step by step.
    pub story: Vec<String>,
    #[serde(skip)]
    kept: Kept,
}

/// The message, then the story, then how to see it again.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({}) {}", self.invariant, self.rule, self.message)?;
        self.story.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        writeln!(f, "trackside replay {}", self.token)
    }
}

impl Finding {
    /// Writes model and case into a store, in place of what an earlier campaign has written of this seed, and notes where.
    ///
    /// # Errors
    ///
    /// [`shrink::store::StoreError`] if they can't be written.
    pub fn keep(&mut self, store: &shrink::store::Store) -> Result<(), shrink::store::StoreError> {
        let name = format!("{}-seed-{}", self.invariant.to_lowercase(), self.seed);
        let Kept {
            definitions,
            process,
            settings,
            birth,
            schedule,
        } = &self.kept;
        let plant = settings.plant();
        let name = plant.map_or(name, ToOwned::to_owned);
        let finding = shrink::store::Finding {
            name: &name,
            model: definitions,
            process,
            settings,
            birth: birth.as_deref(),
            deviations: schedule,
            invariant: &self.invariant,
            message: &self.message,
            strategy: Some(self.by),
            plant,
        };
        store.overwrite(&finding)?;
        let case = store.case(&name)?;
        self.token = case.token.to_string();
        self.model = Some(PathBuf::from(case.token.model));
        Ok(())
    }
}

/// The findings of a campaign that differ in what they say, each shrunk, in the order of seeds.
pub(super) fn all(space: &Space, tally: &Tally, findings_max: usize) -> Vec<Finding> {
    let mut distinct: Vec<&Found> = Vec::new();
    for found in &tally.found {
        if distinct.len() < findings_max && !distinct.iter().any(|known| known.resembles(found)) {
            distinct.push(found);
        }
    }
    distinct.into_iter().filter_map(|found| of(space, found)).collect()
}

fn of(space: &Space, found: &Found) -> Option<Finding> {
    let case = space.case(found.seed);
    let mut again = Again::of(case, found)?;
    let seed = Space::schedule_seed(found.seed, found.schedule);
    let mut strategy = space.strategy.build(seed);
    // The engine may be what is not deterministic: then the finding may not show up a second time.
    let failing = again.fails(&mut Tiring::new(strategy.as_mut()))?;
    let model = Definitions::clone(&again.case.definitions);
    let shrunk = shrink(&mut again, model, failing, &Limits::default());
    again.prepare(&shrunk.model);
    let story = again.story(&shrunk);
    let violation = again.violation.take();
    Some(Finding {
        invariant: found.invariant.clone(),
        rule: violation
            .as_ref()
            .map_or(found.rule.clone(), |violation| violation.rule.to_owned()),
        message: violation.map_or(found.message.clone(), |violation| words(&violation)),
        seed: found.seed,
        by: space.strategy.player(seed),
        after: found.after,
        nodes: shrunk.model.scopes.iter().map(|scope| scope.nodes.len()).sum(),
        deviations: shrunk.failing.deviations.len(),
        token: String::new(),
        model: None,
        story,
        kept: Kept {
            birth: again.birth_element(),
            settings: Settings {
                steps_max: shrunk.failing.steps,
                ..again.case.settings.clone()
            },
            process: shrunk.model.processes[again.case.process].id.clone(),
            definitions: shrunk.model,
            schedule: shrunk.failing.deviations,
        },
    })
}

/// What it takes to write a finding down.
#[derive(Clone, Debug, PartialEq)]
struct Kept {
    definitions: Definitions,
    process: String,
    settings: Settings,
    birth: Option<String>,
    schedule: Vec<Deviation>,
}

/// The same case again and again, on models that get smaller.
struct Again<'f> {
    case: Case,
    wanted: &'f Found,
    runner: Runner,
    /// The element that begins the instance.
    start: Option<String>,
    violation: Option<Violation>,
}

impl<'f> Again<'f> {
    fn of(case: Case, wanted: &'f Found) -> Option<Self> {
        let runner = Runner::new(&case).ok()?;
        let start = begin::element_of(&runner.template, runner.birth((wanted.seed, wanted.schedule)));
        Some(Self {
            case,
            wanted,
            runner,
            start,
            violation: None,
        })
    }

    /// The way in which the instance begins: at the same element as long as it is there.
    fn birth(&self) -> usize {
        let same = self
            .start
            .as_ref()
            .and_then(|id| begin::find(&self.runner.template, id));
        same.unwrap_or_else(|| self.runner.first_birth())
    }

    /// The element that a token has to name.
    fn birth_element(&self) -> Option<String> {
        let birth = self.birth();
        let first = birth == self.runner.first_birth();
        (!first)
            .then(|| begin::element_of(&self.runner.template, birth))
            .flatten()
    }

    /// The law that this run breaks, if that is what is wanted.
    fn unlawful(&mut self, birth: usize, failing: &Failing) -> Option<Violation> {
        let is_law = matches!(&*self.wanted.invariant, "V11" | "V12" | "V13" | "V14" | "V15");
        let seed = Space::schedule_seed(self.wanted.seed, self.wanted.schedule);
        let mut again = checks::Again::new(failing.deviations.clone());
        let how = (Sample::ALL, birth, seed);
        let held = || checks::hold(&self.case, &mut self.runner, &mut again, how);
        is_law.then(held)?.err()
    }

    /// What happens, row by row.
    fn story(&mut self, shrunk: &Shrunk) -> Vec<String> {
        let mut story = Story::default();
        let mut replay = Replay::lenient(shrunk.failing.deviations.iter().cloned());
        let birth = self.birth();
        let ran = catch_unwind(AssertUnwindSafe(|| self.runner.run(birth, &mut replay, &mut story)));
        self.violation = ran
            .ok()
            .and_then(|ran| ran.violation.clone().or_else(|| unfinished(&self.case, &ran)));
        story.rows
    }
}

impl Trial for Again<'_> {
    fn prepare(&mut self, model: &Definitions) -> bool {
        // What is made of blocks need not be when something is cut out of it.
        if *model != *self.case.definitions {
            self.case.family = None;
        }
        self.case.definitions = Arc::new(model.clone());
        match Runner::new(&self.case) {
            Ok(runner) => {
                self.runner = runner;
                true
            }
            Err(_) => false,
        }
    }

    fn fails(&mut self, strategy: &mut dyn Strategy) -> Option<Failing> {
        let birth = self.birth();
        let mut recorder = Recorder::new(strategy);
        let ran = catch_unwind(AssertUnwindSafe(|| self.runner.run(birth, &mut recorder, &mut ())));
        let Ok(ran) = ran else {
            let failing = recorder.failing(&self.runner.world);
            let model = Arc::clone(&self.case.definitions);
            // What a panic leaves behind is of no use.
            self.prepare(&model);
            return (self.wanted.invariant == PANIC).then_some(failing);
        };
        let failing = recorder.failing(&self.runner.world);
        let violation = ran.violation.clone().or_else(|| unfinished(&self.case, &ran));
        let violation = violation.or_else(|| self.unlawful(birth, &failing))?;
        (violation.invariant == self.wanted.invariant).then_some(failing)
    }
}

/// The rows of a run, as it happens.
#[derive(Default)]
struct Story {
    rows: Vec<String>,
    cause: Option<Deed>,
}

impl Story {
    fn tell(&mut self, world: &World) {
        for (instance, record) in world.records() {
            let row = Row::of(&Event {
                step: world.transitions(),
                time: world.now(),
                instance: *instance,
                template: Some(world.instance(*instance).template()),
                deed: self.cause.unwrap_or(Deed::Start),
                what: What::Record(record),
            });
            self.rows.push(row.to_string());
        }
    }
}

impl Watch for Story {
    fn started(&mut self, world: &World, _: InstanceId) {
        self.tell(world);
    }

    fn before(&mut self, _: &World, action: Action) {
        self.cause = Some(Deed::Action(action.class()));
    }

    fn after(&mut self, world: &World) {
        self.tell(world);
    }
}
