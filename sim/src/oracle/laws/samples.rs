//! V14: how sampled runs come out is among what an exhaustive search finds.

use std::collections::BTreeSet;

use trackside_engine::InstanceId;
use trackside_engine::world::{Part, World};

use super::outcome::Outcome;
use crate::oracle::Violation;

/// All outcomes of one instance, found by applying every enabled action with every choice to copies of its world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reachable {
    outcomes: BTreeSet<Outcome>,
    states: usize,
}

/// How a search went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Search {
    /// Everything was seen.
    Complete(Reachable),
    /// There are more states than were allowed, or more choices than are listed; nothing is known.
    TooLarge,
}

/// More ways to take one action than this are not tried one by one.
const CHOICES_MAX: u32 = 256;

impl Search {
    /// Searches from where `world` is; at most `states_max` different states.
    pub fn from(world: &World, instance: InstanceId, states_max: usize) -> Self {
        let mut found = Reachable {
            outcomes: BTreeSet::new(),
            states: 0,
        };
        found.outcomes.extend(Outcome::of(world, instance));
        let mut seen = BTreeSet::from([value(world)]);
        let mut pending = vec![world.clone()];
        while let Some(world) = pending.pop() {
            found.states += 1;
            for action in world.enabled(Part::All) {
                let (outcomes, ways) = world.choices(action);
                if outcomes.saturating_mul(ways) > CHOICES_MAX {
                    return Self::TooLarge;
                }
                for (outcome, way) in (0..outcomes).flat_map(|outcome| (0..ways).map(move |way| (outcome, way))) {
                    let mut next = world.clone();
                    let applied = next.apply(action.choose(outcome, way)).is_ok();
                    // Ends of one kind have one value, whatever ended where.
                    found.outcomes.extend(Outcome::of(&next, instance));
                    if applied && seen.insert(value(&next)) {
                        pending.push(next);
                    }
                }
            }
            if seen.len() > states_max {
                return Self::TooLarge;
            }
        }
        Self::Complete(found)
    }
}

/// What decides how a world goes on: equal ones do alike (INS-10). That time stands still between equal values is left
/// to them.
fn value(world: &World) -> Vec<Vec<u64>> {
    world.instances().map(|(_, instance)| instance.canonical()).collect()
}

impl Reachable {
    /// The outcomes.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter()
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Holds a sampled outcome against them.
    ///
    /// # Errors
    ///
    /// [`Violation`] of V14 if it is none of them.
    pub fn includes(&self, sampled: &Outcome) -> Result<(), Violation> {
        if self.outcomes.contains(sampled) {
            return Ok(());
        }
        let message = format!("a run came out as {sampled:?}; a search finds only {:?}", self.outcomes);
        Err(Violation::new("V14", "INS-4", None, message))
    }
}
