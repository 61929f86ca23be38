//! What it costs to keep the index up to date when a token moves.

use std::hint::black_box;
use std::time::{Duration, Instant};

use trackside_engine::reach::{Counters, Rule};

use crate::graphs::Dice;
use crate::ground::Ground;
use crate::marking::{Marking, Place};
use crate::peers::{Csr, Peer};

/// Joins touched by the moves of a group: at least and at most.
const GROUPS: [(usize, usize); 7] = [(0, 0), (1, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, usize::MAX)];
/// How many different moves a group has: few enough for the innermost cache.
const MOVES_MAX: usize = 16;
/// How many moves from anywhere to anywhere are taken.
const ANYWHERE_MAX: usize = 1 << 16;
/// How many touches one timed run makes, about.
const TOUCHES: usize = 100_000;
/// How many joins are asked about in the check.
const CHECKED_MAX: usize = 8;

/// Moves along flows that touch about as many joins, each made over and over by tokens that stand ready.
#[derive(Debug)]
pub struct Moves<'g> {
    ground: &'g Ground,
    flows: Vec<u32>,
    passes: u32,
    base: Marking,
    ready: Counters,
    /// What they have in common, as reports show it.
    pub name: String,
    /// Joins touched by a move, on average.
    pub touched: f64,
}

impl<'g> Moves<'g> {
    /// The moves of a graph, by the number of joins that they touch; at last moves anywhere in it.
    pub fn groups(ground: &'g Ground) -> Vec<Self> {
        let mut dice = Dice(1);
        let flows: Vec<u32> = (0..ground.flows() as u32).collect();
        let mut groups = Vec::new();
        for (least, most) in GROUPS {
            let within = |flow: &u32| (least..=most).contains(&ground.index.touched(*flow));
            let flows = draw(flows.iter().copied().filter(within).collect(), MOVES_MAX, &mut dice);
            let name = match (least, most) {
                _ if least == most => format!("{least}"),
                (_, usize::MAX) => format!("{least} and more"),
                _ => format!("{least} to {most}"),
            };
            groups.extend(Self::new(ground, name, flows));
        }
        groups.extend(Self::new(
            ground,
            "anywhere".to_owned(),
            draw(flows, ANYWHERE_MAX, &mut dice),
        ));
        groups
    }

    fn new(ground: &'g Ground, name: String, flows: Vec<u32>) -> Option<Self> {
        if flows.is_empty() {
            return None;
        }
        let touches: usize = flows.iter().map(|&flow| ground.index.touched(flow)).sum();
        let passes = (TOUCHES / touches.max(flows.len())).clamp(1, 4096) as u32;
        // Every second join has a token on its first input, so that classes with and without a mark are touched.
        let mut base = Marking::new(&ground.case);
        for &join in ground.decided().iter().step_by(2) {
            let input = (0..).zip(&ground.case.edges).find(|(_, edge)| edge.target == join);
            base.add(&ground.case, Place::Registered(input.expect("a join has inputs").0));
        }
        let mut ready = base.count(&ground.case, &ground.index, Rule::Standard);
        for &flow in &flows {
            for _ in 0..passes {
                ready.enter(&ground.index, ground.case.edges[flow as usize].source);
            }
        }
        Some(Self {
            ground,
            touched: touches as f64 / flows.len() as f64,
            flows,
            passes,
            base,
            ready,
            name,
        })
    }

    /// How many moves [`Self::time`] makes.
    pub fn count(&self) -> u32 {
        self.passes * self.flows.len() as u32
    }

    /// Makes all moves, each with its arrival; gives the time that took, and the time to go through the list alone.
    /// In each `round` the counts stand elsewhere in memory: how their addresses fall beside those of the index matters.
    pub fn time(&self, round: usize) -> [Duration; 2] {
        let elsewhere = black_box(vec![0u8; 1 + 64 * (round * 37 % 64)]);
        let mut counters = self.ready.clone();
        drop(elsewhere);
        let start = Instant::now();
        self.run(&mut counters);
        let moving = start.elapsed();
        let start = Instant::now();
        for _ in 0..self.passes {
            for &flow in &self.flows {
                black_box(flow);
            }
        }
        [moving, start.elapsed()]
    }

    #[inline(never)]
    fn run(&self, counters: &mut Counters) {
        let index = &self.ground.index;
        for _ in 0..self.passes {
            for &flow in &self.flows {
                counters.depart(index, flow);
                counters.arrive(index, flow);
                while counters.freed().is_some() {}
            }
        }
    }

    /// Holds the counts after all moves against counts made from nothing, and decisions against a search.
    ///
    /// # Panics
    ///
    /// If they differ.
    pub fn check(&self) {
        let Ground { case, index } = self.ground;
        let mut moved = self.ready.clone();
        self.run(&mut moved);
        let mut counted = self.base.count(case, index, Rule::Standard);
        let mut marking = self.base.clone();
        for &flow in &self.flows {
            let target = case.edges[flow as usize].target;
            for _ in 0..self.passes {
                counted.enter(index, target);
            }
            marking.add(case, Place::Node(target));
        }
        assert!(moved.agrees(&counted), "moves keep the counts");
        assert!(self.touched > 0.0 || moved.agrees(&self.ready), "nothing is touched");
        let mut search = Csr::new(case);
        for &join in self.ground.decided().iter().take(CHECKED_MAX) {
            let number = index.join_at(join).expect("it is decided");
            assert_eq!(moved.may_fire(number), search.may_fire(&marking, join));
        }
    }
}

fn draw(mut from: Vec<u32>, count_max: usize, dice: &mut Dice) -> Vec<u32> {
    for at in 0..count_max.min(from.len()) {
        let other = at + dice.below((from.len() - at) as u32) as usize;
        from.swap(at, other);
    }
    from.truncate(count_max);
    from
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graphs::SHAPES;

    #[test]
    fn moves_keep_the_counts() {
        for shape in SHAPES {
            let ground = Ground::new(shape, 300);
            let groups = Moves::groups(&ground);
            assert!(groups.len() > 2, "{}", shape.name);
            for group in groups {
                group.check();
            }
        }
    }
}
