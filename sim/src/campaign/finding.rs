//! A finding, made small and told: the model, the schedule, and what happens in it.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use trackside_engine::InstanceId;
use trackside_engine::model::Definitions;
use trackside_engine::world::{Action, World};
use trackside_engine::xml;

use super::case::{Case, Space};
use super::checks::{self, Laws, Sample};
use super::drain::Tiring;
use super::round::PANIC;
use super::runner::{Runner, Watch};
use super::tally::{Found, Tally, words};
use crate::hash::Fnv;
use crate::oracle::Violation;
use crate::run::{Settings, begin};
use crate::schedule::{Deviation, Replay, Strategy};
use crate::shrink::{self, Failing, Limits, Recorder, Shrunk, Trial, shrink};
use crate::trace::{Deed, Event, Row, What};

/// A schedule that breaks an invariant, on a model from which nothing more could be cut. One that did not come a second time
/// is not shrunk, and has no story.
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
    /// Whether it came again when the same schedule was run once more. An engine that is not deterministic may not let it.
    pub reproduced: bool,
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
        if !self.reproduced {
            return writeln!(f, "  (seed {}; it did not come a second time)", self.seed);
        }
        if self.token.is_empty() {
            return Ok(());
        }
        writeln!(f, "trackside replay {}", self.token)
    }
}

impl Finding {
    /// Writes model and case into a store, and notes where. Their name has a hash of both in it, so that nothing else is
    /// overwritten. What did not come a second time is not written.
    ///
    /// # Errors
    ///
    /// [`shrink::store::StoreError`] if they can't be written.
    pub fn keep(&mut self, store: &shrink::store::Store) -> Result<(), shrink::store::StoreError> {
        if !self.reproduced {
            return Ok(());
        }
        let Kept {
            definitions,
            process,
            settings,
            birth,
            schedule,
        } = &self.kept;
        let plant = settings.plant();
        let name = plant.map_or_else(|| self.name(), ToOwned::to_owned);
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

    fn name(&self) -> String {
        let Kept {
            definitions,
            settings,
            schedule,
            ..
        } = &self.kept;
        let mut hash = Fnv::of(xml::write(definitions).as_bytes());
        hash.write(format!("{:?} {schedule:?}", settings.pairs(false)).as_bytes());
        format!("{}-{}", self.invariant.to_lowercase(), &hash.hex()[8..])
    }
}

/// The findings of a campaign that differ in what they say, each shrunk, in the order of seeds. Of those that say the same,
/// the first that comes again stands for all.
pub(super) fn all(space: &Space, tally: &Tally, findings_max: usize) -> Vec<Finding> {
    let mut kinds: Vec<Vec<&Found>> = Vec::new();
    for found in &tally.found {
        match kinds.iter_mut().find(|kind| kind[0].resembles(found)) {
            Some(kind) => kind.push(found),
            None => kinds.push(vec![found]),
        }
    }
    let told = kinds.iter().take(findings_max).map(|kind| {
        let again = kind.iter().find_map(|found| shrunk(space, found));
        again.unwrap_or_else(|| lost(space, kind[0]))
    });
    told.collect()
}

/// Runs a finding once more and shrinks it; `None` if it does not come again.
fn shrunk(space: &Space, found: &Found) -> Option<Finding> {
    let case = space.case(found.seed);
    let mut again = Again::of(case, found)?;
    let mut strategy = space.strategy.build(Space::schedule_seed(found.seed, found.schedule));
    let failing = again.fails(&mut Tiring::new(strategy.as_mut()))?;
    let model = Definitions::clone(&again.case.definitions);
    let Shrunk { model, failing, .. } = shrink(&mut again, model, failing, &Limits::default());
    again.prepare(&model);
    let mut replay = Replay::lenient(failing.deviations.iter().cloned());
    again.fails(&mut replay);
    let kept = Kept {
        birth: again.birth_element(),
        settings: Settings {
            steps_max: failing.steps,
            ..again.case.settings.clone()
        },
        process: model.processes[again.case.process].id.clone(),
        definitions: model,
        schedule: failing.deviations,
    };
    // Confluence and instances side by side are judged on runs of their own.
    let own_runs = matches!(&*found.invariant, "V12" | "V15");
    let story = if own_runs { Vec::new() } else { again.story(&kept) };
    let violation = again.violation;
    Some(Finding {
        rule: violation.as_ref().map_or(found.rule.clone(), |it| it.rule.to_owned()),
        message: violation.map_or(found.message.clone(), |it| words(&it)),
        reproduced: true,
        story,
        ..told(space, found, kept)
    })
}

/// A finding that has not come again, as it was found.
fn lost(space: &Space, found: &Found) -> Finding {
    let case = space.case(found.seed);
    let kept = Kept {
        process: case.definitions.processes[case.process].id.clone(),
        definitions: Definitions::clone(&case.definitions),
        settings: case.settings,
        birth: None,
        schedule: Vec::new(),
    };
    told(space, found, kept)
}

fn told(space: &Space, found: &Found, kept: Kept) -> Finding {
    Finding {
        invariant: found.invariant.clone(),
        rule: found.rule.clone(),
        message: found.message.clone(),
        seed: found.seed,
        by: space.strategy.player(Space::schedule_seed(found.seed, found.schedule)),
        after: found.after,
        reproduced: false,
        nodes: kept.definitions.scopes.iter().map(|scope| scope.nodes.len()).sum(),
        deviations: kept.schedule.len(),
        token: String::new(),
        model: None,
        story: Vec::new(),
        kept,
    }
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
        let seed = Space::schedule_seed(self.wanted.seed, self.wanted.schedule);
        let mut again = checks::Again::new(failing.deviations.clone());
        let how = (Sample::Law(&self.wanted.invariant), birth, seed);
        let held = checks::hold(&self.case, &mut self.runner, &mut again, how, &mut Laws::default());
        held.err()
    }

    /// What happens, row by row.
    fn story(&mut self, kept: &Kept) -> Vec<String> {
        let mut story = Story::default();
        let mut replay = Replay::lenient(kept.schedule.iter().cloned());
        let birth = self.birth();
        // What was told until a panic is the story.
        let _ = catch_unwind(AssertUnwindSafe(|| self.runner.run(birth, &mut replay, &mut story)));
        story.rows
    }
}

impl Trial for Again<'_> {
    fn prepare(&mut self, model: &Definitions) -> bool {
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
        let violation = ran.violation.or_else(|| self.unlawful(birth, &failing))?;
        let same = violation.invariant == self.wanted.invariant;
        if same {
            self.violation = Some(violation);
        }
        same.then_some(failing)
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
