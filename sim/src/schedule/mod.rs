//! Strategies: who decides what happens next.
//!
//! The engine says which actions are enabled; a [`Strategy`] picks one, with its outcome and its free choices made. One
//! strategy is one file. Whatever a strategy does, its choices can be written down as [`Deviation`]s from the default
//! order (oldest first, outcome 0, choice 0), and [`Replay`] makes them again.

mod deviation;
mod fifo;
mod random;
mod replay;

use trackside_engine::world::{Action, Part, World};

pub use deviation::{Deviation, DeviationError};
pub use fifo::Fifo;
pub use random::{Dice, Random};
pub use replay::{Divergence, Replay};

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

/// The strategies that a run can be asked for by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Named {
    /// [`Random`].
    #[default]
    Random,
    /// [`Fifo`].
    Fifo,
}

impl Named {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Random, Self::Fifo];

    /// Its name on the command line and in tokens.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Fifo => "fifo",
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
    pub fn build(self, seed: u64) -> Box<dyn Strategy> {
        match self {
            Self::Random => Box::new(Random::new(seed)),
            Self::Fifo => Box::new(Fifo),
        }
    }
}
