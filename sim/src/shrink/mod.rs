//! Shrinking: from a model and a schedule on which something goes wrong to the smallest model and the plainest schedule
//! on which it still does.
//!
//! The model is shrunk as what an author wrote ([`Definitions`]), so that users' files shrink as generated ones do, and
//! what is left keeps its element ids. Cuts (see `model`) are tried one after the other, large ones first, until none is
//! left that keeps the finding. A cut has to leave a model without errors and a smaller one than before.
//!
//! On a smaller model the schedule means nothing as it stands: tracks and steps have other numbers. So a run is kept as the
//! list of its choices, each by its [`Identity`], and played on another model as a list of [`Wishes`]. Where that does not
//! bring the finding back, some other schedules are tried before the cut is given up.
//!
//! Then the schedule: fewer deviations from the default order, then plainer ones, then fewer steps. For short schedules
//! the fewest that there are is found by trying all.
//!
//! What is *the same finding* is up to the [`Trial`]. Everything is deterministic.

mod hunt;
mod identity;
mod model;
mod recorder;
mod schedule;
pub mod store;
mod wishes;
mod youngest;

use trackside_engine::model::Definitions;

use crate::schedule::{Deviation, Strategy};

pub use identity::Identity;
pub use recorder::Recorder;
pub use wishes::Wishes;

/// What a finding is, and how to see whether a run has it.
pub trait Trial {
    /// Makes ready for runs of this model, until the next call. The model has no errors. Says whether it can be run and
    /// judged at all.
    fn prepare(&mut self, model: &Definitions) -> bool;

    /// Runs the model under this strategy, until the finding shows up or the run is over. Where it shows up, what was
    /// chosen until then; a [`Recorder`] around the strategy knows that. The run begins with exactly one start, in the
    /// same way each time.
    fn fails(&mut self, strategy: &mut dyn Strategy) -> Option<Failing>;
}

/// A run on which the finding shows up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failing {
    /// What was chosen, in order.
    pub choices: Vec<Identity>,
    /// The same as deviations from the default order, as a token holds it.
    pub deviations: Vec<Deviation>,
    /// How many transitions there were, with the start.
    pub steps: u64,
}

impl Failing {
    /// What makes one schedule plainer than another: fewer deviations, then lower outcomes and choices, then fewer steps.
    fn weight(&self) -> (usize, u64, u64) {
        let choices = self
            .deviations
            .iter()
            .map(|d| u64::from(d.outcome) + u64::from(d.choice));
        (self.deviations.len(), choices.sum(), self.steps)
    }
}

/// How much work shrinking may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most runs in all.
    pub runs_max: u64,
    /// How many random schedules are tried on a smaller model, beside the one that failed, the default order and its
    /// reverse.
    pub seeds: u64,
    /// The most runs in search of the fewest deviations.
    pub search_max: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            runs_max: 10_000,
            seeds: 4,
            search_max: 1_000,
        }
    }
}

/// What shrinking came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Shrunk {
    /// The model.
    pub model: Definitions,
    /// The run of it on which the finding shows up.
    pub failing: Failing,
    /// How many cuts were made.
    pub cuts: u64,
    /// How many runs it took.
    pub runs: u64,
    /// Whether [`Limits::runs_max`] put an end to it, so that something smaller may still be found.
    pub bounded: bool,
}

/// Shrinks a model and a run of it on which something goes wrong.
///
/// ```
/// use std::sync::Arc;
/// use trackside_engine::instance::{Options, Record};
/// use trackside_engine::model::{Definitions, notation};
/// use trackside_engine::template::{Compiled, compile};
/// use trackside_engine::world::{Part, World};
/// use trackside_sim::schedule::{Fifo, Strategy};
/// use trackside_sim::shrink::{Failing, Limits, Recorder, Trial, shrink};
///
/// /// A track is absorbed by another one.
/// struct Merges(World);
///
/// impl Trial for Merges {
///     fn prepare(&mut self, model: &Definitions) -> bool {
///         let Ok(template) = compile(model, &model.processes[0], &Compiled::default()) else { return false };
///         self.0 = World::new(Options::default());
///         self.0.add(Arc::new(template));
///         true
///     }
///
///     fn fails(&mut self, strategy: &mut dyn Strategy) -> Option<Failing> {
///         let world = &mut self.0;
///         world.reset();
///         world.start(0, 0, Default::default());
///         let mut recorder = Recorder::new(strategy);
///         while let Some(action) = recorder.choose(world, Part::All) {
///             let records = world.apply(action).unwrap();
///             if records.iter().any(|(_, record)| matches!(record, Record::Merged { .. })) {
///                 return Some(recorder.failing(world));
///             }
///         }
///         None
///     }
/// }
///
/// let model = notation::parse("s > A{!timer PT1H > e2} > F > B > J > C > e1; F > D > J; F > H > J").unwrap();
/// let mut trial = Merges(World::new(Options::default()));
/// assert!(trial.prepare(&model));
/// let failing = trial.fails(&mut Fifo).unwrap();
/// let shrunk = shrink(&mut trial, model, failing, &Limits::default());
/// let ids: Vec<&str> = shrunk.model.scopes[0].nodes.iter().map(|node| node.id.as_str()).collect();
/// assert_eq!(ids, ["s", "J"]);
/// assert_eq!(shrunk.failing.deviations, []);
/// ```
pub fn shrink(trial: &mut impl Trial, model: Definitions, failing: Failing, limits: &Limits) -> Shrunk {
    let mut hunt = hunt::Hunt::new(trial, model, failing, *limits);
    hunt.shrink_model();
    // A plainer schedule may show up again on a smaller model.
    while hunt.shrink_schedule() && hunt.shrink_model() {}
    hunt.done()
}
