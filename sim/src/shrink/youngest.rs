//! The default order turned around: the action that has been enabled for the shortest time.

use trackside_engine::world::{Action, Class, Part, World};

use crate::schedule::Strategy;

/// Last in, first out; the clock, and what cancels the instance, only where nothing else is left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Youngest;

impl Strategy for Youngest {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        let enabled = world.enabled(part);
        let ordinary = |action: &&Action| !matches!(action.class(), Class::Clock | Class::Control);
        enabled.iter().rev().find(ordinary).or(enabled.first()).copied()
    }
}
