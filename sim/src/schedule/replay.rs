//! A saved schedule, made again: the default order, except where it deviates.

use std::collections::BTreeMap;

use trackside_engine::world::{Action, Class, Part, World};

use super::{Deviation, Strategy};

/// Plays deviations; everything else is in the default order.
///
/// A deviation that can't be taken stops a strict replay with a [`Divergence`]. A lenient one passes over it, which is
/// what shrinking needs: there, half of a schedule is a schedule too.
#[derive(Clone, Debug)]
pub struct Replay {
    deviations: BTreeMap<u64, Deviation>,
    strict: bool,
    taken: usize,
    divergence: Option<Divergence>,
}

/// Where a replay can't follow its schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Divergence {
    /// The action is not enabled at its step.
    #[error("`{0}` is not possible at step {step}", step = .0.step)]
    Impossible(Deviation),
    /// The run was over before.
    #[error("the run was over before `{0}`")]
    NotReached(Deviation),
}

impl Replay {
    /// A replay that stops where it can't follow.
    pub fn strict(deviations: impl IntoIterator<Item = Deviation>) -> Self {
        Self {
            deviations: deviations.into_iter().map(|d| (d.step, d)).collect(),
            strict: true,
            taken: 0,
            divergence: None,
        }
    }

    /// A replay that passes over what it can't follow.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use trackside_engine::instance::Options;
    /// # use trackside_engine::model::notation;
    /// # use trackside_engine::template::{Compiled, compile};
    /// # use trackside_engine::world::{Part, World};
    /// use trackside_sim::schedule::{Deviation, Replay, Strategy};
    ///
    /// # let file = notation::parse("s > A* > e").unwrap();
    /// # let template = compile(&file, &file.processes[0], &Compiled::default()).unwrap();
    /// # let mut world = World::new(Options::default());
    /// # let process = world.add(Arc::new(template));
    /// world.start(process, 0, Default::default());
    /// let elsewhere = Deviation::parse("2s7.A").unwrap();
    /// assert!(Replay::lenient([elsewhere.clone()]).choose(&world, Part::All).is_some());
    /// let mut strict = Replay::strict([elsewhere]);
    /// assert!(strict.choose(&world, Part::All).is_none());
    /// assert_eq!(strict.divergence().unwrap().to_string(), "`2s7.A` is not possible at step 2");
    /// ```
    pub fn lenient(deviations: impl IntoIterator<Item = Deviation>) -> Self {
        Self {
            strict: false,
            ..Self::strict(deviations)
        }
    }

    /// Why a strict replay stopped, or which deviation it has not come to (so far).
    pub fn divergence(&self) -> Option<Divergence> {
        let missed = || self.deviations.values().nth(self.taken).cloned();
        match &self.divergence {
            Some(divergence) => Some(divergence.clone()),
            None if self.strict => missed().map(Divergence::NotReached),
            None => None,
        }
    }
}

impl Strategy for Replay {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        let default = world.oldest(part);
        let Some(deviation) = self.deviations.get(&(world.transitions() + 1)) else {
            return default;
        };
        // What is not enabled in this part does not count, even where the world would allow it.
        default?;
        match deviation.find(world).filter(|&action| is_of(world, part, action)) {
            Some(action) => {
                self.taken += 1;
                Some(action)
            }
            None if self.strict => {
                self.divergence = Some(Divergence::Impossible(deviation.clone()));
                None
            }
            None => default,
        }
    }
}

/// Whether an enabled action is of a part.
fn is_of(world: &World, part: Part, action: Action) -> bool {
    match part {
        Part::All => true,
        Part::Inside => matches!(action.class(), Class::Step | Class::Arrival),
        Part::Due => {
            let label = world.label(action);
            let mut due = world.enabled(Part::Due).into_iter();
            due.any(|due| world.label(due) == label)
        }
    }
}
