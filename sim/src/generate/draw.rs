//! Random numbers under a seed, a few bits at a time.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// How many bits one draw takes.
const BITS: u32 = 16;

/// `ChaCha8` under a seed, the same on every machine. A draw takes 16 bits: enough for choices among a few, and four
/// draws to a number of the generator.
pub(super) struct Draw {
    numbers: ChaCha8Rng,
    bits: u64,
    left: u32,
}

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            numbers: ChaCha8Rng::seed_from_u64(seed),
            bits: 0,
            left: 0,
        }
    }

    /// Sixteen bits.
    pub(super) fn word(&mut self) -> u16 {
        if self.left == 0 {
            self.bits = self.numbers.next_u64();
            self.left = u64::BITS / BITS;
        }
        let word = self.bits as u16;
        self.bits >>= BITS;
        self.left -= 1;
        word
    }

    /// Eight bits: an index into some small table, whatever its size.
    pub(super) fn index(&mut self) -> u8 {
        self.word() as u8
    }

    /// A number below `bound`, about equally likely each; 0 where there is none.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        if bound < 2 {
            return 0;
        }
        if bound <= 1 << BITS {
            return (u32::from(self.word()) * bound) >> BITS;
        }
        let wide = u64::from(self.word()) << BITS | u64::from(self.word());
        ((wide * u64::from(bound)) >> (2 * BITS)) as u32
    }

    /// True once in `times` draws.
    pub(super) fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_kept_and_reached() {
        let mut draw = Draw::new(1);
        let mut seen = [0_u32; 5];
        for _ in 0..50_000 {
            seen[draw.below(5) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (9_000..11_000).contains(count)), "{seen:?}");
        for bound in [0, 1, 2, 65_535, 65_536, 65_537, u32::MAX] {
            assert!((0..1_000).all(|_| draw.below(bound) < bound.max(1)), "{bound}");
        }
        assert!((0..1_000).any(|_| draw.below(200_000) > 65_536));
    }
}
