//! Plainer schedules on the same model: without some deviations, with the first outcome and choice in the others, and at
//! last the fewest deviations that there are.

use std::collections::VecDeque;

use trackside_engine::world::{Action, Part, World};

use super::hunt::Hunt;
use super::{Failing, Trial};
use crate::schedule::{Deviation, Fifo, Replay, Strategy};

/// How many ways of taking one action are tried in the search; a wide inclusive split has thousands.
const WAYS_MAX: u32 = 16;

impl<T: Trial> Hunt<'_, T> {
    /// Makes the schedule plainer, on the model that the trial is ready for. Says whether it did.
    pub(super) fn shrink_schedule(&mut self) -> bool {
        let before = self.failing.weight();
        let default = self.run(&mut Fifo);
        self.keep_plainer(default);
        while self.drop_deviations() || self.lower_choices() {}
        self.search_fewest();
        self.failing.weight() < before
    }

    /// Keeps a run if it is plainer than the one so far. What it deviates by has been recorded anew: a deviation that was
    /// not possible any more is gone.
    fn keep_plainer(&mut self, found: Option<Failing>) -> bool {
        match found {
            Some(found) if found.weight() < self.failing.weight() => {
                self.failing = found;
                true
            }
            _ => false,
        }
    }

    fn replay(&mut self, deviations: Vec<Deviation>) -> bool {
        let found = self.run(&mut Replay::lenient(deviations));
        self.keep_plainer(found)
    }

    /// Delta debugging: half of the deviations in the default order, then quarters, then single ones.
    fn drop_deviations(&mut self) -> bool {
        let mut any = false;
        let mut size = self.failing.deviations.len().div_ceil(2);
        while size > 0 {
            let mut from = 0;
            while from < self.failing.deviations.len() {
                let mut kept = self.failing.deviations.clone();
                kept.drain(from..(from + size).min(kept.len()));
                if self.replay(kept) {
                    any = true;
                } else {
                    from += size;
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        any
    }

    /// The first outcome and the first choice, where a deviation has another.
    fn lower_choices(&mut self) -> bool {
        for at in 0..self.failing.deviations.len() {
            let Deviation { outcome, choice, .. } = self.failing.deviations[at];
            for (lower_outcome, lower_choice) in [(0, 0), (0, choice), (outcome, 0)] {
                if (lower_outcome, lower_choice) != (outcome, choice) {
                    let mut lowered = self.failing.deviations.clone();
                    (lowered[at].outcome, lowered[at].choice) = (lower_outcome, lower_choice);
                    if self.replay(lowered) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Breadth-first over sets of deviations: all schedules with one, then all with two, as long as that is fewer than now.
    fn search_fewest(&mut self) {
        let runs_max = self.runs + self.limits.search_max;
        let mut pending = VecDeque::from([Vec::new()]);
        while let Some(deviations) = pending.pop_front() {
            if deviations.len() >= self.failing.deviations.len() || self.runs >= runs_max {
                return;
            }
            let last_level = deviations.len() + 1 >= self.failing.deviations.len();
            let mut scout = Scout::new(deviations);
            let found = self.run(&mut scout);
            if self.keep_plainer(found) {
                return;
            }
            if !last_level {
                // More than can still be run need not be remembered.
                let room = (runs_max - self.runs) as usize;
                pending.extend(scout.further().take(room.saturating_sub(pending.len())));
            }
        }
    }
}

/// Replays deviations and looks out for what else could have been done after the last of them.
struct Scout {
    deviations: Vec<Deviation>,
    replay: Replay,
    others: Vec<Deviation>,
}

impl Scout {
    fn new(deviations: Vec<Deviation>) -> Self {
        Self {
            replay: Replay::lenient(deviations.iter().cloned()),
            deviations,
            others: Vec::new(),
        }
    }

    /// The same deviations and one more each.
    fn further(self) -> impl Iterator<Item = Vec<Deviation>> {
        let Self { deviations, others, .. } = self;
        others.into_iter().map(move |other| {
            let mut further = deviations.clone();
            further.push(other);
            further
        })
    }
}

impl Strategy for Scout {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        let step = world.transitions() + 1;
        if self.deviations.last().is_none_or(|last| last.step < step) {
            for action in world.enabled(part) {
                let (outcomes, ways) = world.choices(action);
                let outcomes = 0..outcomes.max(1);
                let ways = 0..ways.clamp(1, WAYS_MAX);
                let taken = outcomes.flat_map(|outcome| ways.clone().map(move |way| action.choose(outcome, way)));
                self.others
                    .extend(taken.filter_map(|action| Deviation::of(world, part, action)));
            }
        }
        self.replay.choose(world, part)
    }
}

#[cfg(test)]
mod tests {
    use super::Failing;
    use crate::schedule::Deviation;

    #[test]
    fn fewer_deviations_count_before_fewer_steps() {
        let long = Failing {
            steps: 9,
            ..Failing::default()
        };
        let deviations = vec![Deviation::parse("2s0").expect("a deviation")];
        let short = Failing {
            deviations,
            steps: 3,
            ..Failing::default()
        };
        assert!(long.weight() < short.weight());
    }
}
