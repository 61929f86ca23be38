//! The baseline: every enabled action is as likely as every other, then every outcome, then every choice.

use trackside_engine::world::{Action, Part, World};

use super::{Dice, Seeded, Strategy};

/// Picks among all enabled actions with equal odds; then its outcome, then its choice, with equal odds each. Constant
/// time per choice.
#[derive(Clone, Debug)]
pub struct Random {
    dice: Dice,
}

impl Random {
    /// The schedule of one seed.
    pub fn new(seed: u64) -> Self {
        Self { dice: Dice::new(seed) }
    }
}

impl Strategy for Random {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        uniform(world, part, &mut self.dice)
    }
}

impl Seeded for Random {
    fn restart(&mut self, seed: u64) {
        *self = Self::new(seed);
    }
}

/// Any enabled action, with equal odds.
pub(super) fn uniform(world: &World, part: Part, dice: &mut Dice) -> Option<Action> {
    let count = world.count(part);
    if count == 0 {
        return None;
    }
    let action = world.nth(part, dice.below(count as u64) as usize);
    Some(dice.decide(world, action))
}
