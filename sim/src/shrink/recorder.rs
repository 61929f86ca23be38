//! Writes down what a strategy chooses, as identities and as deviations, while it chooses.

use trackside_engine::world::{Action, Part, World};

use super::Failing;
use super::identity::{Face, chosen};
use crate::schedule::{Deviation, Strategy};

/// A strategy that chooses as another one does, and remembers it.
///
/// A [`Trial`](super::Trial) wraps the strategy that it is given, runs, and when the finding shows up again asks for
/// [`Recorder::failing`].
///
/// ```
/// use std::sync::Arc;
/// use trackside_engine::instance::Options;
/// use trackside_engine::model::notation;
/// use trackside_engine::template::{Compiled, compile};
/// use trackside_engine::world::{Part, World};
/// use trackside_sim::schedule::{Fifo, Strategy};
/// use trackside_sim::shrink::Recorder;
///
/// let file = notation::parse("s > A* > e").unwrap();
/// let template = compile(&file, &file.processes[0], &Compiled::default()).unwrap();
/// let mut world = World::new(Options::default());
/// let process = world.add(Arc::new(template));
/// world.start(process, 0, Default::default());
/// let mut fifo = Fifo;
/// let mut recorder = Recorder::new(&mut fifo);
/// while let Some(action) = recorder.choose(&world, Part::All) {
///     world.apply(action).unwrap();
/// }
/// let run = recorder.failing(&world);
/// assert_eq!(run.choices.len(), 5);
/// assert!(run.deviations.is_empty());
/// ```
pub struct Recorder<'s> {
    strategy: &'s mut dyn Strategy,
    failing: Failing,
    /// The last action had a free choice, and what it did has not been looked at.
    open: bool,
}

impl<'s> Recorder<'s> {
    /// Remembers what `strategy` chooses.
    pub fn new(strategy: &'s mut dyn Strategy) -> Self {
        Self {
            strategy,
            failing: Failing::default(),
            open: false,
        }
    }

    /// What has been chosen, once `world` has applied the last of it.
    pub fn failing(mut self, world: &World) -> Failing {
        self.look_back(world);
        self.failing.steps = world.transitions();
        self.failing
    }

    /// The records of the last action say what its choice was.
    fn look_back(&mut self, world: &World) {
        if std::mem::take(&mut self.open)
            && let Some(last) = self.failing.choices.last_mut()
        {
            last.chosen = Some(chosen(world));
        }
    }
}

impl Strategy for Recorder<'_> {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        self.look_back(world);
        let action = self.strategy.choose(world, part)?;
        self.open = world.choices(action).1 > 1;
        let face = Face::of(world, action);
        let rank = rank(world, part, action, &face);
        self.failing.choices.push(face.identity(rank, action.outcome()));
        self.failing.deviations.extend(Deviation::of(world, part, action));
        Some(action)
    }
}

/// How many older enabled actions have the same face. The oldest of all has none, which saves looking.
fn rank(world: &World, part: Part, action: Action, face: &Face<'_>) -> u32 {
    let plain = action.choose(0, 0);
    if world.oldest(part) == Some(plain) {
        return 0;
    }
    let older = world.enabled(part).into_iter().take_while(|&other| other != plain);
    older.filter(|&other| Face::of(world, other) == *face).count() as u32
}
