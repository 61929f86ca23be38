//! Strategies: who decides what happens next.
//!
//! The engine says which actions are enabled; a [`Strategy`] picks one, with its outcome and its free choices made. One
//! strategy is one file. Whatever a strategy does, its choices can be written down as [`Deviation`]s from the default
//! order (oldest first, outcome 0, choice 0), and [`Replay`] makes them again.

mod deviation;
mod dice;
mod exhaustive;
mod fifo;
mod outline;
mod pct;
mod portfolio;
mod pos;
mod random;
mod replay;
mod surw;
mod swarm;

use trackside_engine::world::{Action, Part, World};

pub use deviation::{Deviation, DeviationError};
pub use dice::Dice;
pub use exhaustive::Exhaustive;
pub use fifo::Fifo;
pub use pct::{DEPTH, DEPTH_MAX, Pct};
pub use portfolio::Portfolio;
pub use pos::Pos;
pub use random::Random;
pub use replay::{Divergence, Replay};
pub use surw::Surw;
pub use swarm::Swarm;

/// Picks the next action.
///
/// ```
/// use std::sync::Arc;
/// use trackside_engine::instance::Options;
/// use trackside_engine::model::notation;
/// use trackside_engine::template::{Compiled, compile};
/// use trackside_engine::world::{Part, World};
/// use trackside_sim::schedule::{Random, Strategy};
///
/// let file = notation::parse("s > F > A* > J > e; F > B* > J").unwrap();
/// let template = compile(&file, &file.processes[0], &Compiled::default()).unwrap();
/// let mut world = World::new(Options::default());
/// let process = world.add(Arc::new(template));
/// let instance = world.start(process, 0, Default::default());
/// let mut strategy = Random::new(7);
/// while let Some(action) = strategy.choose(&world, Part::All) {
///     world.apply(action).unwrap();
/// }
/// assert!(world.instance(instance).end().is_some());
/// ```
pub trait Strategy {
    /// One of the actions of `part` that are enabled in `world`, or `None` to go no further: because there is none, or
    /// because the strategy has reached the end of what it knows.
    fn choose(&mut self, world: &World, part: Part) -> Option<Action>;
}

/// A strategy that one seed decides.
pub trait Seeded: Strategy {
    /// Begins anew, for another run: the same as a fresh strategy under this seed, without its cost. What has been worked
    /// out about the templates of a world is kept, and so is memory. One that no seed changes plays the same again.
    fn restart(&mut self, seed: u64);

    /// What the strategy promises of the run that it has just chosen. Most promise nothing.
    fn promise(&self) -> Option<Promise> {
        None
    }
}

/// The bound of `pct`: an order of this depth or less comes up in a run with a probability of at least 1/(n·k^(d−1)), for n
/// tasks, choices and outcomes aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// d.
    pub depth: u32,
    /// k: what the change points were drawn from. The run was not longer.
    pub steps: u64,
}

/// The strategies that a run can be asked for by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Named {
    /// [`Random`].
    #[default]
    Random,
    /// [`Fifo`].
    Fifo,
    /// [`Pct`], with depth [`DEPTH`].
    Pct,
    /// [`Pos`].
    Pos,
    /// [`Surw`].
    Surw,
    /// [`Swarm`].
    Swarm,
    /// [`Portfolio`].
    Portfolio,
}

impl Named {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Random,
        Self::Fifo,
        Self::Pct,
        Self::Pos,
        Self::Surw,
        Self::Swarm,
        Self::Portfolio,
    ];

    /// Its name on the command line and in tokens.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Fifo => "fifo",
            Self::Pct => "pct",
            Self::Pos => "pos",
            Self::Surw => "surw",
            Self::Swarm => "swarm",
            Self::Portfolio => "portfolio",
        }
    }

    /// The strategy with this name.
    ///
    /// ```
    /// use trackside_sim::schedule::Named;
    ///
    /// assert_eq!(Named::parse("fifo"), Some(Named::Fifo));
    /// assert_eq!(Named::parse("luck"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|named| named.name() == name)
    }

    /// The strategy itself, under a seed.
    pub fn build(self, seed: u64) -> Box<dyn Seeded> {
        match self {
            Self::Random => Box::new(Random::new(seed)),
            Self::Fifo => Box::new(Fifo),
            Self::Pct => Box::new(Pct::new(seed)),
            Self::Pos => Box::new(Pos::new(seed)),
            Self::Surw => Box::new(Surw::new(seed)),
            Self::Swarm => Box::new(Swarm::new(seed)),
            Self::Portfolio => Box::new(Portfolio::new(seed)),
        }
    }

    /// Who plays this seed: the strategy itself, or the member of the portfolio. What is found is attributed to it.
    ///
    /// ```
    /// use trackside_sim::schedule::Named;
    ///
    /// assert_eq!(Named::Pos.player(3), "pos");
    /// assert_ne!(Named::Portfolio.player(3), "portfolio");
    /// ```
    pub fn player(self, seed: u64) -> &'static str {
        match self {
            Self::Portfolio => Portfolio::member_of(seed),
            other => other.name(),
        }
    }
}
