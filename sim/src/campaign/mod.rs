//! Campaigns: many models under many schedules, every transition judged, what is found shrunk and kept.
//!
//! One seed decides a model, the settings it runs under, and the schedules it is run by; a campaign is a range of seeds,
//! worked off on any number of threads with the same result. Models come from the generator, or are given.
//!
//! ```
//! use trackside_sim::campaign::Campaign;
//!
//! let summary = Campaign::generated().seed(1).seeds(50).run()?;
//! assert_eq!(summary.seeds, 50);
//! assert!(summary.schedules >= summary.seeds);
//! assert!(summary.findings.is_empty(), "{summary}");
//! # Ok::<(), trackside_sim::campaign::CampaignError>(())
//! ```
//!
//! What is judged are the invariants of `docs/invariants.md`, by [`crate::oracle`]: they say whether the *engine* keeps to
//! the rules, not whether a model is a good one.

mod case;
mod checks;
pub mod coverage;
mod drain;
mod finding;
#[cfg(feature = "planted-faults")]
pub mod planted;
mod progress;
mod round;
mod runner;
pub mod statistics;
mod store;
mod summary;
mod tally;
mod taste;
mod workers;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use trackside_engine::problem::Problem;

use crate::hash::Fnv;
use crate::run::{Settings, begin};
use crate::schedule::Named;
use crate::shrink::store::Store as Cases;
use crate::source::Source;

pub use case::{NODES_DEFAULT, SCHEDULES_DEFAULT};
pub use checks::Laws;
pub use finding::Finding;
pub use progress::Progress;
pub use store::StoreError;
pub use summary::Summary;
pub use tally::Ends;

use case::{Given, Models, Space};
use runner::Runner;
use store::{Kept, Store};
use workers::Range;

/// So many findings that differ are shrunk and told.
const KINDS_MAX: usize = 16;
/// How many seeds a campaign has, unless it is told.
pub const SEEDS_DEFAULT: u64 = 1_000;

/// Why a campaign did not come about, or broke off.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// A given model has errors.
    #[error("{path} has errors")]
    Invalid {
        /// The path of the model.
        path: String,
        /// What is wrong with it.
        problems: Vec<Problem>,
    },
    /// A given file holds no process.
    #[error("{0} holds no process")]
    NoProcess(String),
    /// A setting can't be what it was to be.
    #[error("{0}")]
    Setting(String),
    /// The store can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A finding can't be written; what the campaign has done is in its store, if it has one.
    #[error("a finding can't be written: {0}")]
    Finding(#[from] crate::shrink::store::StoreError),
}

/// A campaign in preparation.
#[derive(Clone, Debug)]
pub struct Campaign {
    space: Space,
    first_seed: u64,
    seeds: Option<u64>,
    time: Option<Duration>,
    jobs: usize,
    store: Option<PathBuf>,
    until_found: bool,
    cases: Option<Cases>,
}

impl Campaign {
    fn over(models: Models) -> Self {
        Self {
            space: Space {
                models,
                pinned: Vec::new(),
                strategy: Named::Portfolio,
                schedules: SCHEDULES_DEFAULT,
                wild: true,
            },
            first_seed: 0,
            seeds: None,
            time: None,
            jobs: 1,
            store: None,
            until_found: false,
            cases: None,
        }
    }

    /// A campaign over generated models.
    pub fn generated() -> Self {
        Self::over(Models::Generated {
            nodes_max: NODES_DEFAULT,
            swarm: true,
        })
    }

    /// A campaign over every process of these files.
    ///
    /// # Errors
    ///
    /// [`CampaignError::Invalid`] with all its problems for a model that has errors, [`CampaignError::NoProcess`] for one
    /// without a process.
    pub fn of(sources: &[Source]) -> Result<Self, CampaignError> {
        let mut given = Vec::new();
        for source in sources {
            if source.has_errors() {
                return Err(CampaignError::Invalid {
                    path: source.path.clone(),
                    problems: source.problems.clone(),
                });
            }
            let definitions = Arc::new(source.definitions.clone());
            let processes = 0..definitions.processes.len();
            if processes.is_empty() {
                return Err(CampaignError::NoProcess(source.path.clone()));
            }
            given.extend(processes.map(|process| Given {
                path: source.path.clone(),
                definitions: Arc::clone(&definitions),
                process,
            }));
        }
        Ok(Self::over(Models::Given(given)))
    }

    /// Generated models have up to so many nodes (roughly). Of no meaning where models are given.
    #[must_use]
    pub fn nodes(mut self, nodes_max: u32) -> Self {
        if let Models::Generated { nodes_max: nodes, .. } = &mut self.space.models {
            *nodes = nodes_max;
        }
        self
    }

    /// Generated models are all as likely. By default each seed prefers some kinds of elements, and some models.
    #[must_use]
    pub fn even(mut self) -> Self {
        if let Models::Generated { swarm, .. } = &mut self.space.models {
            *swarm = false;
        }
        self
    }

    /// The first seed; the others follow it.
    #[must_use]
    pub fn seed(mut self, first: u64) -> Self {
        self.first_seed = first;
        self
    }

    /// So many seeds. Without this and a time there are [`SEEDS_DEFAULT`].
    #[must_use]
    pub fn seeds(mut self, seeds: u64) -> Self {
        self.seeds = Some(seeds);
        self
    }

    /// No new seeds after this time; those that are done have no gap.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// On so many threads. The result is the same for any number.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs;
        self
    }

    /// Every seed runs its model by so many schedules.
    #[must_use]
    pub fn schedules(mut self, schedules: u32) -> Self {
        self.space.schedules = schedules;
        self
    }

    /// All schedules are chosen by this strategy.
    #[must_use]
    pub fn strategy(mut self, strategy: Named) -> Self {
        self.space.strategy = strategy;
        self
    }

    /// Keeps what is done in this folder, so that an interrupted campaign goes on where it was.
    #[must_use]
    pub fn store(mut self, folder: impl Into<PathBuf>) -> Self {
        self.store = Some(folder.into());
        self
    }

    /// Writes findings there, each a model and its case.
    #[must_use]
    pub fn cases(mut self, cases: Cases) -> Self {
        self.cases = Some(cases);
        self
    }

    /// Ends with the first seed that finds something.
    #[must_use]
    pub fn until_found(mut self) -> Self {
        self.until_found = true;
        self
    }

    /// A setting that all runs have, by its name and value on the command line; otherwise seeds vary it.
    ///
    /// # Errors
    ///
    /// [`CampaignError::Setting`] for what is no setting, no value of it, or of no use in a campaign.
    pub fn setting(mut self, name: &str, value: &str) -> Result<Self, CampaignError> {
        let mut settings = Settings::default();
        settings.set(name, value).map_err(CampaignError::Setting)?;
        if name == "steps" && settings.steps_max > runner::STEPS_MAX {
            let most = format!("a schedule of a campaign has at most {} transitions", runner::STEPS_MAX);
            return Err(CampaignError::Setting(most));
        }
        if name.starts_with("timer.") && matches!(self.space.models, Models::Generated { .. }) {
            return Err(CampaignError::Setting(
                "timers can be set in given models only".to_owned(),
            ));
        }
        self.space.pinned.push((name.to_owned(), value.to_owned()));
        Ok(self)
    }

    /// Runs.
    ///
    /// # Errors
    ///
    /// [`CampaignError::Store`] if its store can't be used; what it holds stays.
    pub fn run(&self) -> Result<Summary, CampaignError> {
        self.run_with(&mut |_| {})
    }

    /// Runs, and shows `progress` how far it has come, a few times a second.
    ///
    /// # Errors
    ///
    /// As [`Self::run`].
    pub fn run_with(&self, progress: &mut dyn FnMut(&Progress<'_>)) -> Result<Summary, CampaignError> {
        let seeds = match (self.seeds, self.time) {
            (None, None) => Some(SEEDS_DEFAULT),
            (seeds, _) => seeds,
        };
        let range = Range {
            first_seed: self.first_seed,
            seeds,
            time: self.time,
            until_found: self.until_found,
        };
        self.compile_all()?;
        let (store, kept) = match &self.store {
            Some(folder) => {
                let (store, kept) = Store::open(folder, &self.fingerprint())?;
                (Some(store), kept)
            }
            None => (None, Kept::default()),
        };
        let (tally, elapsed) = workers::run(&self.space, range, self.jobs, (store.as_ref(), kept), progress)?;
        let mut findings = finding::all(&self.space, &tally, KINDS_MAX);
        if let Some(cases) = &self.cases {
            findings.iter_mut().try_for_each(|finding| finding.keep(cases))?;
        }
        let summary = Summary::new(self, &tally, findings, elapsed);
        // Not before everything has been written.
        if let Some(store) = store {
            store.close()?;
        }
        Ok(summary)
    }

    /// Given models compile under the settings that are given with them, and some of them has each timer that is set.
    fn compile_all(&self) -> Result<(), CampaignError> {
        let Models::Given(all) = &self.space.models else {
            return Ok(());
        };
        let mut unknown: Vec<&str> = self
            .space
            .pinned
            .iter()
            .filter_map(|(name, _)| name.strip_prefix("timer."))
            .collect();
        for (seed, given) in (0..).zip(all) {
            let runner = Runner::new(&self.space.case(seed)).map_err(|problems| CampaignError::Invalid {
                path: given.path.clone(),
                problems,
            })?;
            unknown.retain(|id| !begin::is_timer(&runner.template, id));
        }
        match unknown.first() {
            Some(timer) => Err(CampaignError::Setting(format!("no model has a timer `{timer}`"))),
            None => Ok(()),
        }
    }

    /// What decides the results, in a word: seed, settings, models, and this very program.
    fn fingerprint(&self) -> String {
        let mut hash = Fnv::default();
        let Space {
            models,
            pinned,
            strategy,
            schedules,
            wild,
        } = &self.space;
        hash.write(
            format!(
                "{pinned:?} {strategy:?} {schedules} {wild} {} {:?} {:?}",
                self.first_seed, self.seeds, self.until_found
            )
            .as_bytes(),
        );
        match models {
            Models::Generated { nodes_max, swarm } => hash.write(format!("{nodes_max} {swarm}").as_bytes()),
            Models::Given(all) => all.iter().for_each(|given| {
                hash.write(format!("{:?} {}", given.definitions, given.process).as_bytes());
            }),
        }
        // Another build may judge differently: what it has in store is another campaign.
        if let Ok(program) = std::env::current_exe().and_then(std::fs::read) {
            hash.write(&program);
        }
        hash.hex()
    }
}
