//! Random models under a seed.
//!
//! [`model`] makes one from a seed in microseconds; [`models`] is the same as a strategy of `proptest`, and shrinks. Both
//! draw a [`Plan`], a description of a few words that can be cut ([`Plan::reductions`]), and write it out as
//! [`Definitions`]. Every plan gives a model without errors.
//!
//! Models come in families. *Block-structured* ones are sound by construction: under symbolic conditions they complete,
//! whatever the schedule (in the default environment). *Acyclic* ones have any gateway anywhere, and may deadlock.
//! *Cyclic* ones have loops: blocks that are repeated, or flows that lead back to anywhere.
//!
//! Under each seed some kinds of elements are switched off and the others weighed wildly (*swarm*), so that rare
//! combinations come up as well. [`Parameters::kinds`] leaves out what a test can't use.
//!
//! ```
//! use trackside_engine::instance::Conditions;
//! use trackside_sim::generate::{Parameters, model};
//! use trackside_sim::run::{RunEnd, Settings, Simulation};
//! use trackside_sim::source::Source;
//!
//! let source = Source::of_model("generated.bpmn", &model(7, &Parameters::default()));
//! assert!(!source.has_errors());
//! let mut settings = Settings::default();
//! settings.options.conditions = Conditions::Symbolic;
//! let report = Simulation::of(&source).seed(1).settings(settings).run()?;
//! assert_eq!(report.main.end, Some(RunEnd::Completed));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Conditions are over the whole numbers [`VARIABLES`]; a run over data has to begin with them.

mod build;
mod draw;
mod grow;
mod kinds;
mod plan;
mod reduce;
mod strategy;

use trackside_engine::model::Definitions;
use trackside_engine::template::Compiled;

pub use kinds::{Kind, Kinds};
pub use plan::Plan;
pub use reduce::Reductions;
pub use strategy::{PlanTree, Plans, models, plans};

/// The variables that conditions of generated models are over: whole numbers, all of them.
pub const VARIABLES: [&str; 3] = build::VARIABLES;

/// The largest size that can be asked for, in nodes.
pub const NODES_MAX: u32 = 20_000;

/// What a model is promised to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Family {
    /// Blocks in blocks: it completes whatever the schedule.
    #[default]
    Block,
    /// Any flows that lead on, never back.
    Acyclic,
    /// Blocks with loops, or any flows.
    Cyclic,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 3] = [Self::Block, Self::Acyclic, Self::Cyclic];
}

/// What a model is to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parameters {
    /// The family.
    pub family: Family,
    /// About how many nodes it has in all scopes; at most [`NODES_MAX`].
    pub nodes: u32,
    /// What it may be made of.
    pub kinds: Kinds,
    /// Whether each seed switches some of these kinds off and weighs the others wildly. Otherwise all are as likely.
    pub swarm: bool,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            family: Family::Block,
            nodes: 20,
            kinds: Kinds::ALL,
            swarm: true,
        }
    }
}

impl Parameters {
    /// Those of a family, and otherwise the default.
    ///
    /// ```
    /// use trackside_sim::generate::{Family, Kind, Parameters};
    ///
    /// let parameters = Parameters::of(Family::Acyclic).nodes(50).without(Kind::Complex);
    /// assert_eq!(parameters.nodes, 50);
    /// ```
    pub fn of(family: Family) -> Self {
        Self {
            family,
            ..Self::default()
        }
    }

    /// The same with another size.
    #[must_use]
    pub const fn nodes(self, nodes: u32) -> Self {
        Self { nodes, ..self }
    }

    /// The same without a kind.
    #[must_use]
    pub const fn without(self, kind: Kind) -> Self {
        Self {
            kinds: self.kinds.without(kind),
            ..self
        }
    }
}

/// The model of a seed: the same one everywhere and always.
///
/// ```
/// use trackside_sim::generate::{Parameters, model};
///
/// let parameters = Parameters::default();
/// assert_eq!(model(1, &parameters), model(1, &parameters));
/// assert_ne!(model(1, &parameters), model(2, &parameters));
/// ```
pub fn model(seed: u64, parameters: &Parameters) -> Definitions {
    plan(seed, parameters).definitions()
}

/// The settings to compile a generated model with: the defaults, with its expressions compiled already. Parsing them takes
/// longer than all else that compiling does.
///
/// ```
/// use trackside_engine::template::compile;
/// use trackside_sim::generate::{Parameters, model, settings};
///
/// let file = model(1, &Parameters::default());
/// assert!(compile(&file, &file.processes[0], &settings()).is_ok());
/// ```
pub fn settings() -> Compiled {
    Compiled {
        known: build::KNOWN.clone(),
        ..Compiled::default()
    }
}

/// The plan behind [`model`].
pub fn plan(seed: u64, parameters: &Parameters) -> Plan {
    let nodes = parameters.nodes.min(NODES_MAX);
    grow::plan(seed, &Parameters { nodes, ..*parameters })
}
