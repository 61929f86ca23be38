//! Decisions by the conservative rule (ORJ-2), where a token that reaches every input blocks unless all hold a token.

use std::hint::black_box;

use trackside_engine::reach::{Counters, Rule};

use crate::ground::{Ground, Question};
use crate::marking::{Marking, Place};
use crate::peers::Csr;

/// How often the joins asked about are gone through in one timed run.
const PASSES: usize = 16;

/// A state, counted by the conservative rule, and the joins asked about.
#[derive(Debug)]
pub struct Cautious<'g> {
    ground: &'g Ground,
    marking: &'g Marking,
    counters: Counters,
    /// Where tokens are, or what they are in transit to.
    nodes: Vec<u32>,
    /// By node, by number, and with the number of inputs.
    joins: Vec<(u32, u32, u32)>,
    search: Csr,
}

impl<'g> Cautious<'g> {
    /// The state of a question.
    ///
    /// # Panics
    ///
    /// If the index and a search answer differently: no figure could be taken from that.
    pub fn new(ground: &'g Ground, question: &'g Question) -> Self {
        let marking = &question.state.marking;
        let nodes = marking.tokens.iter().map(|&place| match place {
            Place::Node(node) => node,
            Place::Flow(flow) | Place::Registered(flow) => ground.case.edges[flow as usize].target,
        });
        let inputs = |join| ground.case.edges.iter().filter(|edge| edge.target == join).count();
        let joins = question.state.asked.iter().zip(&question.joins);
        let mut new = Self {
            ground,
            marking,
            counters: marking.count(&ground.case, &ground.index, Rule::Conservative),
            nodes: nodes.collect(),
            joins: joins
                .map(|(&join, &number)| (join, number, inputs(join) as u32))
                .collect(),
            search: Csr::new(&ground.case),
        };
        for at in 0..new.joins.len() {
            let (join, ..) = new.joins[at];
            let searched = new.search.may_fire_conservatively(marking, join);
            assert_eq!(new.may_fire(at), searched, "join {join}");
        }
        new
    }

    fn may_fire(&self, at: usize) -> bool {
        let (_, join, inputs) = self.joins[at];
        let index = &self.ground.index;
        let reaches_all = |&node: &u32| index.reaches_all(join, node).expect("the index knows what leads where");
        self.counters.may_fire(join) && (self.counters.marked(join) == inputs || !self.nodes.iter().any(reaches_all))
    }

    /// How many joins are asked about, and how many of them may fire.
    pub fn firing(&self) -> (usize, usize) {
        let firing = (0..self.joins.len()).filter(|&at| self.may_fire(at)).count();
        (firing, self.joins.len())
    }

    /// How many decisions [`Self::decide`] takes.
    pub fn decisions(&self) -> usize {
        PASSES * self.joins.len()
    }

    /// Decisions by the index.
    #[inline(never)]
    pub fn decide(&self) {
        for _ in 0..PASSES {
            for at in 0..self.joins.len() {
                black_box(self.may_fire(black_box(at)));
            }
        }
    }

    /// A decision about each join by a search backwards.
    #[inline(never)]
    pub fn search(&mut self) {
        for at in 0..self.joins.len() {
            black_box(
                self.search
                    .may_fire_conservatively(self.marking, black_box(self.joins[at].0)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graphs::SHAPES;
    use crate::marking::Answers;

    #[test]
    fn the_index_decides_conservatively_as_a_search_does() {
        let mut firing = [0; 2];
        for shape in SHAPES {
            let ground = Ground::new(shape, 300);
            for (live, answers) in [
                (0, Answers::Any),
                (1, Answers::Fire),
                (1, Answers::Any),
                (7, Answers::Any),
            ] {
                let question = ground.question(live, answers);
                let (fire, all) = Cautious::new(&ground, &question).firing();
                firing[0] += fire;
                firing[1] += all - fire;
            }
        }
        assert!(firing.iter().all(|&count| count > 10), "{firing:?}");
    }
}
