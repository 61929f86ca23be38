//! What an arrival at a join costs, and what its firing does.

use std::time::{Duration, Instant};

use trackside_engine::reach::{Counters, Rule};

use crate::graphs::Dice;
use crate::ground::Ground;
use crate::marking::{Answers, Marking, Place};
use crate::peers::{Csr, Peer};

/// How many joins take part, at most.
const JOINS_MAX: usize = 64;
/// How many arrivals one timed run has at least, over several instances if need be.
const ARRIVALS: usize = 8192;
/// Tokens elsewhere.
const LIVE: usize = 100;
/// How many joins are asked about in the check.
const CHECKED_MAX: usize = 8;

/// Waves of tokens at some joins: one arrives on every input, then all are consumed.
#[derive(Debug)]
pub struct Waves<'g> {
    ground: &'g Ground,
    joins: Vec<u32>,
    /// All inputs of these joins, in an order of no meaning.
    inputs: Vec<u32>,
    base: Marking,
    instances: Vec<Counters>,
}

impl<'g> Waves<'g> {
    /// Waves at joins that are drawn from those of a graph.
    pub fn new(ground: &'g Ground) -> Self {
        let mut dice = Dice(2);
        let mut joins = ground.decided();
        while joins.len() > JOINS_MAX {
            joins.swap_remove(dice.below(joins.len() as u32) as usize);
        }
        let mut inputs: Vec<u32> = (0..ground.flows() as u32)
            .filter(|&flow| joins.contains(&ground.case.edges[flow as usize].target))
            .collect();
        for at in 1..inputs.len() {
            inputs.swap(at, dice.below(at as u32 + 1) as usize);
        }
        let mut base = Marking::new(&ground.case);
        for place in ground.question(LIVE, Answers::Any).state.marking.tokens {
            if !matches!(place, Place::Registered(_)) {
                base.add(&ground.case, place);
            }
        }
        let instance = base.count(&ground.case, &ground.index, Rule::Standard);
        Self {
            ground,
            joins,
            instances: vec![instance; ARRIVALS.div_ceil(inputs.len())],
            inputs,
            base,
        }
    }

    /// How many tokens arrive and are consumed in [`Self::time`].
    pub fn count(&self) -> usize {
        self.inputs.len() * self.instances.len()
    }

    /// Tokens arrive on all inputs, each followed by a decision; then all are consumed. Gives the time of either.
    pub fn time(&mut self) -> [Duration; 2] {
        let start = Instant::now();
        for instance in &mut self.instances {
            arrive(self.ground, &self.inputs, instance);
        }
        let arriving = start.elapsed();
        let start = Instant::now();
        for instance in &mut self.instances {
            for &flow in &self.inputs {
                instance.unmark(&self.ground.index, flow);
            }
        }
        [arriving, start.elapsed()]
    }

    /// Holds decisions after the wave against a search, and the counts after firing against those before it.
    ///
    /// # Panics
    ///
    /// If they differ.
    pub fn check(&mut self) {
        let Ground { case, index } = self.ground;
        let mut instance = self.instances[0].clone();
        let mut marking = self.base.clone();
        let mut search = Csr::new(case);
        let (some, rest) = self.inputs.split_at(self.inputs.len() / 2);
        for part in [some, rest] {
            arrive(self.ground, part, &mut instance);
            for &flow in part {
                marking.add(case, Place::Node(case.edges[flow as usize].target));
                marking.registered[flow as usize] += 1;
                instance.enter(index, case.edges[flow as usize].target);
            }
            for &join in self.joins.iter().take(CHECKED_MAX) {
                let number = index.join_at(join).expect("it is decided");
                assert_eq!(instance.may_fire(number), search.may_fire(&marking, join));
            }
        }
        self.time();
        let before = self.base.count(case, index, Rule::Standard);
        assert!(
            self.instances.iter().all(|instance| instance.agrees(&before)),
            "firing undoes arrivals"
        );
    }
}

#[inline(never)]
fn arrive(ground: &Ground, inputs: &[u32], instance: &mut Counters) {
    for &flow in inputs {
        instance.mark(&ground.index, flow);
        while instance.freed().is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graphs::SHAPES;

    #[test]
    fn waves_are_decided_as_by_search() {
        for shape in SHAPES {
            Waves::new(&Ground::new(shape, 300)).check();
        }
    }
}
