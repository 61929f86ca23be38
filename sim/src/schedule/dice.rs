//! Randomness under a seed: numbers one after another, and numbers by name.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use trackside_engine::world::{Action, World};

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

    /// Sixty-four bits: a seed for others.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
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
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            let low = product as u64;
            // The remainder is below the bound, so that it is hardly ever needed.
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }

    /// The action with an outcome and a choice of its own, with equal odds each.
    pub(super) fn decide(&mut self, world: &World, action: Action) -> Action {
        let (outcomes, choices) = world.choices(action);
        let outcome = self.below(u64::from(outcomes.max(1))) as u32;
        let choice = self.below(u64::from(choices.max(1))) as u32;
        action.choose(outcome, choice)
    }
}

/// A random number for every pair of numbers, always the same one under a key that [`Dice`] have drawn. So a priority need
/// not be kept anywhere: it is what its owner's name gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lots {
    keys: [u64; 2],
}

/// An odd number without pattern: the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Lots {
    pub(super) fn new(dice: &mut Dice) -> Self {
        Self {
            keys: [dice.word(), dice.word() | 1],
        }
    }

    /// The number of `what` in the situation `when`.
    #[inline]
    pub(super) fn of(self, what: u64, when: u64) -> u64 {
        let inner = fold(what ^ self.keys[0], SPREAD);
        // Situations that follow each other are spread first: else so would be their products.
        fold(inner ^ when.wrapping_mul(SPREAD), self.keys[1])
    }
}

/// The halves of a product, one over the other: every bit of both factors reaches every bit of it.
#[inline]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::{Dice, Lots};

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

    /// Of small neighbouring names, as tracks have them, each order comes up about as often.
    #[test]
    fn lots_put_neighbours_in_every_order() {
        let mut dice = Dice::new(2);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let lots = Lots::new(&mut dice);
            let mut order = [0, 1, 2, 1 << 32];
            order.sort_by_key(|&name| lots.of(name, 7));
            *seen.entry(order).or_insert(0_u32) += 1;
        }
        assert_eq!(seen.len(), 24);
        assert!(seen.values().all(|count| (850..1_150).contains(count)), "{seen:?}");
    }

    /// What one name draws in one situation says nothing about the next.
    #[test]
    fn lots_of_different_situations_are_independent() {
        let mut dice = Dice::new(3);
        let mut agree = 0;
        for _ in 0..10_000 {
            let lots = Lots::new(&mut dice);
            let first = lots.of(0, 1) < lots.of(1, 1);
            let second = lots.of(0, 2) < lots.of(1, 2);
            agree += u32::from(first == second);
        }
        assert!((4_800..5_200).contains(&agree), "{agree}");
    }
}
