//! Checks of a model inside `cargo test`: does every one of many schedules come out as it should?
//!
//! ```
//! use trackside_engine::model::notation;
//! use trackside_sim::property::Property;
//! use trackside_sim::source::Source;
//!
//! // A choice between two ways that a parallel join waits for: it can only get stuck.
//! let model = notation::parse("s > X > A > J > e; X > B > J; and J").unwrap();
//! let source = Source::of_model("choice.bpmn", &model);
//! let counterexample = Property::of(&source).schedules(20).check().unwrap_err();
//! assert!(counterexample.message.contains("stuck"));
//! assert!(counterexample.token.starts_with("ts1:"));
//!
//! let model = notation::parse("s > F > A > J > e; F > B > J; and F J").unwrap();
//! let source = Source::of_model("both.bpmn", &model);
//! Property::of(&source)
//!     .holds("A is executed once", |report| report.main.executed["A"] == 1)
//!     .assert();
//! ```
//!
//! In a test, `Property::of(&Source::read("models/order.bpmn").unwrap()).assert()` is often all there is to write. What it
//! judges is the *model*; whether the engine keeps to the rules is a matter of [`crate::campaign`].

use std::fmt;

use trackside_engine::instance::Conditions;

use crate::cli::Style;
use crate::report::problems::human;
use crate::run::{Report, RunEnd, RunError, Settings, Simulation};
use crate::schedule::Named;
use crate::source::Source;
use crate::trace::Row;

/// How many schedules are run, unless asked otherwise.
pub const SCHEDULES_DEFAULT: u64 = 200;
/// The most transitions of one schedule, unless the settings say otherwise.
const STEPS_MAX: u64 = 10_000;

type Claim<'c> = (&'c str, Box<dyn Fn(&Report) -> bool + 'c>);

/// A property of a model, to be checked under many schedules.
pub struct Property<'c> {
    source: &'c Source,
    process: Option<String>,
    settings: Settings,
    strategy: Named,
    seed: u64,
    schedules: u64,
    allowed: Vec<RunEnd>,
    claims: Vec<Claim<'c>>,
}

/// A schedule under which a property does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterexample {
    /// The path of the model.
    pub model: String,
    /// What is wrong.
    pub message: String,
    /// The seed of the schedule.
    pub seed: u64,
    /// Plays it again: `trackside replay TOKEN`.
    pub token: String,
    /// What happens, record by record.
    pub story: Vec<String>,
}

/// What was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// How many schedules were run.
    pub schedules: u64,
    /// How many transitions these had in all.
    pub steps: u64,
}

impl<'c> Property<'c> {
    /// The property that every schedule of the first process of `source` completes, or terminates: conditions are free
    /// choices, and the outside does what the default environment allows.
    pub fn of(source: &'c Source) -> Self {
        let mut settings = Settings {
            steps_max: STEPS_MAX,
            ..Settings::default()
        };
        settings.options.conditions = Conditions::Symbolic;
        settings.options.timed = false;
        Self {
            source,
            process: None,
            settings,
            strategy: Named::Portfolio,
            seed: 0,
            schedules: SCHEDULES_DEFAULT,
            allowed: vec![RunEnd::Completed, RunEnd::Terminated],
            claims: Vec::new(),
        }
    }

    /// Of the process with this id.
    #[must_use]
    pub fn process(mut self, id: impl Into<String>) -> Self {
        self.process = Some(id.into());
        self
    }

    /// Under so many schedules.
    #[must_use]
    pub fn schedules(mut self, schedules: u64) -> Self {
        self.schedules = schedules;
        self
    }

    /// The first seed; each schedule has the next one.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Chosen by this strategy.
    #[must_use]
    pub fn strategy(mut self, strategy: Named) -> Self {
        self.strategy = strategy;
        self
    }

    /// Under these settings.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// A run may also end like this.
    #[must_use]
    pub fn allow(mut self, end: RunEnd) -> Self {
        self.allowed.push(end);
        self
    }

    /// This holds of every run, too.
    #[must_use]
    pub fn holds(mut self, claim: &'c str, of: impl Fn(&Report) -> bool + 'c) -> Self {
        self.claims.push((claim, Box::new(of)));
        self
    }

    /// Runs the schedules, up to the first under which the property does not hold.
    ///
    /// # Errors
    ///
    /// [`Counterexample`]. A model that can't be run is one too.
    pub fn check(&self) -> Result<Checked, Counterexample> {
        let mut steps = 0;
        for seed in (0..self.schedules).map(|at| self.seed.wrapping_add(at)) {
            let report = self
                .simulation(seed)
                .run()
                .map_err(|error| self.refused(seed, &error))?;
            steps += report.steps;
            if let Some(message) = self.objection(&report) {
                return Err(self.told(seed, message));
            }
        }
        Ok(Checked {
            schedules: self.schedules,
            steps,
        })
    }

    /// The same for tests: panics with model, token and story.
    ///
    /// # Panics
    ///
    /// If the property does not hold.
    #[track_caller]
    pub fn assert(&self) {
        if let Err(counterexample) = self.check() {
            panic!("{counterexample}");
        }
    }

    fn simulation(&self, seed: u64) -> Simulation<'c> {
        let simulation = Simulation::of(self.source)
            .settings(self.settings.clone())
            .strategy(self.strategy, seed);
        match &self.process {
            Some(id) => simulation.process(id),
            None => simulation,
        }
    }

    fn objection(&self, report: &Report) -> Option<String> {
        let end = report.main.end;
        if let Some(end) = end.filter(|end| !self.allowed.contains(end)) {
            let waits = report.main.waiting.iter().map(|waiting| waiting.detail.as_str());
            let fault = report.main.fault.iter().map(|fault| fault.message.as_str());
            let why: Vec<&str> = waits.chain(fault).collect();
            return Some(format!("the run ends {}: {}", end.name(), why.join("; ")));
        }
        let broken = self.claims.iter().find(|(_, of)| !of(report));
        broken.map(|(claim, _)| format!("it does not hold that {claim}"))
    }

    fn told(&self, seed: u64, message: String) -> Counterexample {
        let mut story = Vec::new();
        let report = self
            .simulation(seed)
            .run_with(&mut |event| story.push(Row::of(event).to_string()));
        Counterexample {
            model: self.source.path.clone(),
            message,
            seed,
            token: report.map_or(String::new(), |report| report.token),
            story,
        }
    }

    fn refused(&self, seed: u64, error: &RunError) -> Counterexample {
        let story = match error {
            RunError::Invalid(problems) => vec![human(&self.source.path, problems, Style::Plain)],
            _ => Vec::new(),
        };
        Counterexample {
            model: self.source.path.clone(),
            message: error.to_string(),
            seed,
            token: String::new(),
            story,
        }
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} (seed {})", self.model, self.message, self.seed)?;
        self.story.iter().try_for_each(|row| writeln!(f, "  {row}"))?;
        if self.token.is_empty() {
            return Ok(());
        }
        writeln!(f, "to see it again:\ntrackside replay {}", self.token)
    }
}
