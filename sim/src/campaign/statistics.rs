//! What a campaign without a finding means, in numbers.
//!
//! Two bounds, with what they assume. *By depth* (Burckhardt et al. 2010), where models are given: `pct` of depth d has a
//! fault of that depth or less in a run of k choices by n tasks with a probability of at least 1/(n·k^(d−1)), choices and
//! outcomes aside. So all of N such schedules miss it with probability at most the product of the complements; that is, a
//! fault that every one of these runs could have shown. *By share* (the rule of three), where the strategy draws: a seed is
//! one draw of a model, settings and schedules. If more than one in N/3 of the seeds showed a fault, N seeds would have found
//! it with 95 % confidence; a fault, that is, of a kind that is judged in every run.

#![allow(
    clippy::cast_precision_loss,
    reason = "figures for people and bounds: sixteen digits are plenty"
)]

use serde::{Deserialize, Serialize};

use crate::schedule::Promise;

/// The depths for which a bound is given: so many constraints on the order make a fault.
pub const DEPTHS: usize = 3;

/// What a campaign counts for its bounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Chances {
    /// How many schedules promise something of each depth.
    schedules: [u64; DEPTHS],
    /// The logarithm of the bound on missing a fault of each depth. Seeds are added in order, so that sums are the same
    /// whoever worked them off.
    missed_ln: [f64; DEPTHS],
}

impl Chances {
    /// Counts a schedule with at most `tasks` tasks. A fault of less depth than promised is one of the promised depth too.
    pub(super) fn count(&mut self, promise: Promise, tasks: u64) {
        let (tasks, steps) = (tasks.max(1) as f64, promise.steps.max(1) as f64);
        let hit = 1.0 / (tasks * steps.powf(f64::from(promise.depth) - 1.0));
        for depth in 0..(promise.depth as usize).min(DEPTHS) {
            self.schedules[depth] += 1;
            // One task and one step leave no chance to miss; the logarithm would not be a number that adds up.
            self.missed_ln[depth] += (-hit).max(-0.999_999_999).ln_1p();
        }
    }

    pub(super) fn append(&mut self, next: &Self) {
        for depth in 0..DEPTHS {
            self.schedules[depth] += next.schedules[depth];
            self.missed_ln[depth] += next.missed_ln[depth];
        }
    }

    /// The bounds on what so many seeds have missed.
    pub(super) fn statistics(&self, seeds: u64, (given, drawn): (bool, bool)) -> Statistics {
        let by_depth = (0..DEPTHS).filter(|&depth| given && self.schedules[depth] > 0);
        let by_depth = by_depth.map(|depth| Depth {
            depth: depth as u32 + 1,
            schedules: self.schedules[depth],
            missed: self.missed_ln[depth].exp(),
        });
        Statistics {
            by_depth: by_depth.collect(),
            share: drawn.then_some(3.0 / seeds.max(3) as f64),
        }
    }
}

/// What a campaign without a finding means.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// Where models are given: for each depth, the bound on having missed a fault that every run could have shown.
    pub by_depth: Vec<Depth>,
    /// With 95 % confidence, no fault shows under more than this share of all seeds. None for a strategy that draws nothing.
    pub share: Option<f64>,
}

/// The bound of one depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Depth {
    /// So many constraints on the order make the fault.
    pub depth: u32,
    /// The schedules by `pct` of at least this depth that were no longer than expected.
    pub schedules: u64,
    /// The probability that all of them miss it is at most this.
    pub missed: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn promise(depth: u32, steps: u64) -> Promise {
        Promise { depth, steps }
    }

    #[test]
    fn the_bound_is_the_product_of_the_complements() {
        let mut chances = Chances::default();
        chances.count(promise(2, 10), 4);
        chances.count(promise(1, 7), 2);
        let statistics = chances.statistics(600, (true, true));
        let missed: Vec<f64> = statistics.by_depth.iter().map(|depth| depth.missed).collect();
        let near = |one: f64, other: f64| (one - other).abs() < 1e-12;
        assert!(near(missed[0], (1.0 - 1.0 / 40.0) * 0.5), "{missed:?}");
        assert!(near(missed[1], 1.0 - 1.0 / 40.0), "{missed:?}");
        assert_eq!(missed.len(), 2, "nothing is promised of depth 3");
        assert!(statistics.share.is_some_and(|share| near(share, 0.005)));
    }

    #[test]
    fn nothing_is_claimed_where_nothing_is_given_or_drawn() {
        let mut chances = Chances::default();
        chances.count(promise(1, 7), 2);
        let statistics = chances.statistics(600, (false, false));
        assert_eq!((statistics.by_depth, statistics.share), (Vec::new(), None));
    }

    #[test]
    fn sums_do_not_depend_on_how_they_are_cut() {
        let (mut all, mut first, mut second) = (Chances::default(), Chances::default(), Chances::default());
        for (depth, tasks) in [(1, 3), (2, 5)] {
            all.count(promise(depth, 9), tasks);
            first.count(promise(depth, 9), tasks);
        }
        all.count(promise(3, 4), 2);
        second.count(promise(3, 4), 2);
        first.append(&second);
        assert_eq!(first.statistics(3, (true, true)), all.statistics(3, (true, true)));
    }
}
