//! What a campaign without a finding means, in numbers.
//!
//! Two bounds, with what they assume. *By depth* (Burckhardt et al. 2010): in a run of at most k choices by at most n tasks,
//! `pct` of depth d has a given fault of that depth with probability at least 1/(n·k^(d−1)), whatever the model. So all of
//! N such schedules miss it with probability at most the product of the complements; that holds for a fault that every one
//! of these runs could have shown. *By share* (the rule of three): if more than one in N/3 of the runs that such a campaign
//! draws showed a fault, it would have been found with 95 % confidence.

#![allow(
    clippy::cast_precision_loss,
    reason = "figures for people and bounds: sixteen digits are plenty"
)]

use serde::{Deserialize, Serialize};

/// The depths for which a bound is given: so many constraints on the order make a fault.
pub const DEPTHS: usize = 3;

/// What a campaign counts for its bounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Chances {
    /// How many schedules were by plain `pct`, by its depth.
    schedules: [u64; DEPTHS],
    /// The logarithm of the bound on missing a fault of each depth. Seeds are added in order, so that sums are the same
    /// whoever worked them off.
    missed_ln: [f64; DEPTHS],
}

impl Chances {
    /// Counts a schedule of `steps` choices among at most `tasks` tasks, by plain `pct` of this depth. It counts for all
    /// depths up to its own.
    pub(super) fn count(&mut self, depth: usize, tasks: u64, steps: u64) {
        let (tasks, steps) = (tasks.max(1) as f64, steps.max(1) as f64);
        for below in 0..depth.min(DEPTHS) {
            self.schedules[below] += 1;
            let hit = 1.0 / (tasks * steps.powf(below as f64));
            // One task and one step leave no chance to miss; the logarithm would not be a number that adds up.
            self.missed_ln[below] += (-hit).max(-0.999_999_999).ln_1p();
        }
    }

    pub(super) fn append(&mut self, next: &Self) {
        for depth in 0..DEPTHS {
            self.schedules[depth] += next.schedules[depth];
            self.missed_ln[depth] += next.missed_ln[depth];
        }
    }

    pub(super) fn statistics(&self, schedules: u64) -> Statistics {
        let by_depth = (0..DEPTHS).map(|depth| Depth {
            depth: depth as u32 + 1,
            schedules: self.schedules[depth],
            missed: self.missed_ln[depth].exp(),
        });
        Statistics {
            by_depth: by_depth.collect(),
            share: 3.0 / schedules.max(3) as f64,
        }
    }
}

/// What a campaign without a finding means.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// For each depth, the bound on having missed a fault that every run could have shown.
    pub by_depth: Vec<Depth>,
    /// With 95 % confidence, no fault shows in more than this share of the runs that such a campaign draws.
    pub share: f64,
}

/// The bound of one depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Depth {
    /// So many constraints on the order make the fault.
    pub depth: u32,
    /// The schedules by `pct` of at least this depth.
    pub schedules: u64,
    /// The probability that all of them miss it is at most this.
    pub missed: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_the_product_of_the_complements() {
        let mut chances = Chances::default();
        chances.count(2, 4, 10);
        chances.count(1, 2, 7);
        let statistics = chances.statistics(600);
        let missed: Vec<f64> = statistics.by_depth.iter().map(|depth| depth.missed).collect();
        let near = |one: f64, other: f64| (one - other).abs() < 1e-12;
        assert!(near(missed[0], 0.75 * 0.5), "{missed:?}");
        assert!(near(missed[1], 1.0 - 1.0 / 40.0), "{missed:?}");
        assert!(near(missed[2], 1.0), "{missed:?}");
        assert!(near(statistics.share, 0.005));
    }

    #[test]
    fn sums_do_not_depend_on_how_they_are_cut() {
        let (mut all, mut first, mut second) = (Chances::default(), Chances::default(), Chances::default());
        for (depth, tasks) in [(1, 3), (2, 5)] {
            all.count(depth, tasks, 9);
            first.count(depth, tasks, 9);
        }
        all.count(3, 2, 4);
        second.count(3, 2, 4);
        first.append(&second);
        assert_eq!(first.statistics(3), all.statistics(3));
    }
}
