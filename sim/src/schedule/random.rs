//! The baseline: every enabled action is as likely as every other, then every outcome, then every choice.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use trackside_engine::world::{Action, Part, World};

use super::Strategy;

/// Random numbers under a seed: `ChaCha8`, never the operating system, the same on every machine.
///
/// ```
/// use trackside_sim::schedule::Dice;
///
/// let rolls = |seed| { let mut dice = Dice::new(seed); [0; 8].map(|_| dice.below(6)) };
/// assert_eq!(rolls(1), rolls(1));
/// assert_ne!(rolls(1), rolls(2));
/// assert!(rolls(3).iter().all(|&roll| roll < 6));
/// ```
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The numbers of one seed.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `bound`, all equally likely. Draws nothing where there is nothing to choose.
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        if bound == 1 {
            return 0;
        }
        // Lemire's multiplication, with the few products refused that would make some numbers likelier.
        let refused = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            if product as u64 >= refused {
                return (product >> 64) as u64;
            }
        }
    }
}

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
        let count = world.count(part);
        if count == 0 {
            return None;
        }
        let action = world.nth(part, self.dice.below(count as u64) as usize);
        let (outcomes, choices) = world.choices(action);
        let outcome = self.dice.below(u64::from(outcomes.max(1))) as u32;
        let choice = self.dice.below(u64::from(choices.max(1))) as u32;
        Some(action.choose(outcome, choice))
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn every_number_is_about_as_likely() {
        let mut dice = Dice::new(0);
        let mut seen = [0_u32; 7];
        for _ in 0..70_000 {
            seen[dice.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (9_500..10_500).contains(count)), "{seen:?}");
    }

    #[test]
    fn a_bound_near_the_top_is_kept() {
        let mut dice = Dice::new(1);
        let bound = u64::MAX / 2 + 2;
        assert!((0..1_000).all(|_| dice.below(bound) < bound));
    }
}
