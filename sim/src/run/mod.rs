//! One simulated execution: a model, what the outside does, and a strategy that decides the rest.
//!
//! Without a script, external work completes and events fire as the strategy says, in the default environment. With one,
//! only what it says happens from outside, and the strategy orders what happens inside. Either way the result is a
//! [`Report`], whose token plays the same run again.
//!
//! ```
//! use trackside_engine::model::notation;
//! use trackside_sim::run::{RunEnd, Script, Simulation};
//! use trackside_sim::source::Source;
//!
//! let source = Source::of_model("p.bpmn", &notation::parse("s > A{!timer PT1H > B* > e2} > e").unwrap());
//! let script = Script::parse("advance PT2H\ncomplete A").unwrap();
//! let report = Simulation::of(&source).seed(7).script(script).run()?;
//! assert_eq!(report.main.end, Some(RunEnd::Completed));
//! assert_eq!(report.main.executed.get("e2"), Some(&1));
//!
//! let again = Simulation::replay(&source, &report.token.parse()?)?.run()?;
//! assert_eq!(again.trace_hash, report.trace_hash);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod begin;
mod drive;
mod log;
mod play;
mod report;
pub mod script;
mod settings;
mod tally;
mod waiting;

use std::sync::Arc;

use serde_json::Value;
use trackside_engine::model::Process;
use trackside_engine::problem::Problem;
use trackside_engine::template::{Compiled, Template, compile};
use trackside_engine::world::World;

use crate::schedule::{Deviation, Divergence, Named};
use crate::source::Source;
use crate::token::{Fingerprints, Mismatch, Plan, Token};
use crate::trace::Event;
use drive::{Chooser, Drive};

pub(crate) use report::incident;
pub use report::{
    FaultReport, Incident, InstanceReport, MissingFlow, OptionsReport, REPORT_VERSION, Report, RunEnd, TrackReport,
    Undelivered, Waiting,
};
pub use script::{Script, ScriptError};
pub(crate) use settings::within_bound;
pub use settings::{REFIRES_DEFAULT, STEPS_DEFAULT, STEPS_MAX, Settings};

/// Why there is no run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The file holds no such process.
    #[error("{0} holds no process {1}")]
    NoProcess(String, String),
    /// The model can't be run as it stands.
    #[error("the model has {} errors", .0.iter().filter(|problem| problem.severity == trackside_engine::problem::Severity::Error).count())]
    Invalid(Vec<Problem>),
    /// A timer is to be set that the process does not have.
    #[error("process `{process}` has no timer `{timer}`")]
    NoTimer {
        /// The id of the process.
        process: String,
        /// The id that is no timer's.
        timer: String,
    },
    /// An instance is to begin where none can.
    #[error("process `{process}` can't begin at `{element}`")]
    NoBirth {
        /// The id of the process.
        process: String,
        /// The id that is no start's.
        element: String,
    },
    /// The script of a token can't be read.
    #[error("the token's script: {0}")]
    Script(ScriptError),
    /// A token is from elsewhere.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// A schedule does not fit.
    #[error("the schedule does not fit this model: {0}")]
    Divergence(#[from] Divergence),
}

/// A run in preparation.
#[derive(Clone, Debug)]
pub struct Simulation<'s> {
    source: &'s Source,
    process: Option<String>,
    settings: Settings,
    script: Option<Script>,
    plan: Plan,
    birth: Option<String>,
    replayed: bool,
}

impl<'s> Simulation<'s> {
    /// A run of the first process of `source`, at random under seed 0.
    pub fn of(source: &'s Source) -> Self {
        Self {
            source,
            process: None,
            settings: Settings::default(),
            script: None,
            plan: Plan::Seeded(Named::default(), 0),
            birth: None,
            replayed: false,
        }
    }

    /// The run that a token saves.
    ///
    /// # Errors
    ///
    /// [`RunError::Mismatch`] where engine, model or options are not those of the token, naming which.
    pub fn replay(source: &'s Source, token: &Token) -> Result<Self, RunError> {
        let script = token.script.as_ref().map(|lines| Script::parse(&lines.join("\n")));
        let script = script
            .transpose()
            .map_err(|mut errors| RunError::Script(errors.remove(0)))?;
        let simulation = Self {
            source,
            process: Some(token.process.clone()),
            settings: token.settings.clone(),
            script,
            plan: token.schedule.clone(),
            birth: token.birth.clone(),
            replayed: true,
        };
        match token.fingerprints.mismatch(&simulation.fingerprints()) {
            Some(mismatch) => Err(mismatch.into()),
            None => Ok(simulation),
        }
    }

    /// Runs the process with this id.
    #[must_use]
    pub fn process(mut self, id: impl Into<String>) -> Self {
        self.process = Some(id.into());
        self
    }

    /// Chooses by this strategy.
    #[must_use]
    pub fn strategy(mut self, strategy: Named, seed: u64) -> Self {
        self.plan = Plan::Seeded(strategy, seed);
        self
    }

    /// Takes the default order, except for these.
    #[must_use]
    pub fn deviating(mut self, deviations: Vec<Deviation>) -> Self {
        self.plan = Plan::Deviations(deviations);
        self
    }

    /// Begins at this element, where an instance can begin in several ways.
    #[must_use]
    pub fn begin_at(mut self, element: impl Into<String>) -> Self {
        self.birth = Some(element.into());
        self
    }

    /// Chooses at random under this seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        self.strategy(Named::Random, seed)
    }

    /// Under these settings.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// The instance begins with this process data too.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: Value) -> Self {
        self.settings.variables.insert(name.into(), value);
        self
    }

    /// From outside, only what this script says happens.
    #[must_use]
    pub fn script(mut self, script: Script) -> Self {
        self.script = Some(script);
        self
    }

    /// Runs.
    ///
    /// # Errors
    ///
    /// [`RunError`], before anything has happened; or [`RunError::Divergence`], from a replay.
    pub fn run(&self) -> Result<Report, RunError> {
        self.run_with(&mut |_| {})
    }

    /// Runs, and shows `observer` everything that happens, as it happens.
    ///
    /// # Errors
    ///
    /// As [`Self::run`].
    pub fn run_with(&self, observer: &mut dyn FnMut(&Event<'_>)) -> Result<Report, RunError> {
        let process = self.chosen_process()?;
        if !self.settings.lenient && self.source.has_errors() {
            return Err(RunError::Invalid(self.source.problems.clone()));
        }
        let (world, template) = self.populate(process)?;
        let mut drive = Drive::new(world, Chooser::of(&self.plan), self.settings.steps_max, observer);
        let births = begin::possible(&template);
        let begun = begin::Begin {
            template: Arc::clone(&template),
            births,
            data: Arc::new(self.settings.variables.clone()),
            chosen: self.birth_index(&template)?,
        };
        let born = match &self.script {
            None => Some(drive.run_open(&begun, &self.plan)),
            Some(script) => drive.run_script(begun, script, &self.plan),
        };
        if let Some(divergence) = drive.divergence() {
            return Err(divergence.into());
        }
        Ok(self.report(&template, drive, born))
    }

    fn chosen_process(&self) -> Result<&'s Process, RunError> {
        let process = self.source.process(self.process.as_deref());
        process.ok_or_else(|| {
            if self.process.is_none() && self.source.has_errors() {
                return RunError::Invalid(self.source.problems.clone());
            }
            let named = self
                .process
                .as_ref()
                .map_or("at all".to_owned(), |id| format!("`{id}`"));
            RunError::NoProcess(self.source.path.clone(), named)
        })
    }

    /// The world of the run: the chosen process first, then (in a collaboration) the others.
    fn populate(&self, process: &Process) -> Result<(World, Arc<Template>), RunError> {
        let settings = Compiled {
            timers: self.settings.timers.clone(),
            external: self.script.as_ref().map(Script::external).unwrap_or_default(),
            ..Compiled::default()
        };
        let definitions = &self.source.definitions;
        let compile = |process| compile(definitions, process, &settings).map_err(RunError::Invalid);
        let template = Arc::new(compile(process)?);
        let mut world = World::new(self.settings.engine_options(self.script.is_some()));
        world.add(Arc::clone(&template));
        let mut templates = vec![Arc::clone(&template)];
        if self.settings.collaboration {
            for other in definitions.processes.iter().filter(|other| other.id != process.id) {
                let other = Arc::new(compile(other)?);
                world.add(Arc::clone(&other));
                templates.push(other);
            }
        }
        let unknown = self
            .settings
            .timers
            .keys()
            .find(|id| !templates.iter().any(|t| begin::is_timer(t, id)));
        match unknown {
            Some(timer) => Err(RunError::NoTimer {
                process: process.id.clone(),
                timer: timer.clone(),
            }),
            None => Ok((world, template)),
        }
    }

    fn birth_index(&self, template: &Template) -> Result<Option<usize>, RunError> {
        let Some(element) = &self.birth else { return Ok(None) };
        match begin::find(template, element) {
            Some(index) => Ok(Some(index)),
            None => Err(RunError::NoBirth {
                process: template.id().to_owned(),
                element: element.clone(),
            }),
        }
    }

    fn fingerprints(&self) -> Fingerprints {
        Fingerprints {
            engine: Fingerprints::engine(),
            model: self.source.fingerprint.hex(),
            options: self.settings.fingerprint(self.script.is_some()).hex(),
        }
    }

    fn token(&self, template: &Template, drive: &Drive<'_>) -> Token {
        let lines = |script: &Script| script.lines().iter().map(|line| line.text.clone()).collect();
        Token {
            model: self.source.path.clone(),
            process: template.id().to_owned(),
            fingerprints: self.fingerprints(),
            settings: self.settings.clone(),
            birth: drive.birth().map(ToOwned::to_owned),
            script: self.script.as_ref().map(lines),
            schedule: drive.schedule(&self.plan),
        }
    }
}
