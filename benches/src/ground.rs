//! A graph with its index, and questions about states of it that everyone has answered alike.

use std::hint::black_box;

use trackside_engine::reach::{Counters, Index, Rule};

use crate::graphs::{Case, Dice, Shape};
use crate::marking::{Answers, State};
use crate::peers::{Csr, Peer, WAYS, Way};

/// How often the joins asked about are gone through in one timed run of the index.
const PASSES: usize = 64;
/// Memory of the instances among which a cold decision is taken: more than caches hold.
const RING_BYTES: usize = 64 << 20;
/// How many cold decisions one timed run takes.
const RING_STEPS: usize = 1024;

/// A graph with its index.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The graph.
    pub case: Case,
    /// Its index.
    pub index: Index,
}

/// A state, and what the index counts in it.
#[derive(Clone, Debug)]
pub struct Question {
    /// Where tokens are, and the joins asked about.
    pub state: State,
    /// The same for the index.
    pub counters: Counters,
    /// The joins asked about, by their numbers in the index.
    pub joins: Vec<u32>,
    /// What is right, for each of them.
    pub answers: Vec<bool>,
}

impl Ground {
    /// A graph of this shape and about this size.
    pub fn new(shape: Shape, flows: usize) -> Self {
        let case = (shape.make)(flows);
        let index = Index::new(&case.graph(), &case.joins);
        Self { case, index }
    }

    /// How many flows there are.
    pub fn flows(&self) -> usize {
        self.case.edges.len()
    }

    /// Joins that the index decides, by node.
    pub fn decided(&self) -> Vec<u32> {
        let joins = self.case.joins.iter().copied();
        joins.filter(|&join| self.index.join_at(join).is_some()).collect()
    }

    /// A state with so many tokens beside those registered at the joins asked about.
    pub fn question(&self, live: usize, wanted: Answers) -> Question {
        self.ask(State::new(&self.case, &self.index, live, wanted))
    }

    /// The same about one join: that which most nodes lead to, so that a search has most to look at.
    ///
    /// # Panics
    ///
    /// If the index decides no join.
    pub fn hardest(&self, live: usize, wanted: Answers) -> Question {
        let mut search = Csr::new(&self.case);
        let hardest = self.decided().into_iter().max_by_key(|&join| search.behind(join));
        let asked = vec![hardest.expect("there are joins")];
        self.ask(State::about(&self.case, &self.index, live, wanted, asked))
    }

    fn ask(&self, state: State) -> Question {
        let counters = state.marking.count(&self.case, &self.index, Rule::Standard);
        let joins: Vec<u32> = state
            .asked
            .iter()
            .filter_map(|&join| self.index.join_at(join))
            .collect();
        let answers = joins.iter().map(|&join| counters.may_fire(join)).collect();
        Question {
            state,
            counters,
            joins,
            answers,
        }
    }

    /// The peers that can be asked this question.
    ///
    /// # Panics
    ///
    /// If one of them answers otherwise than the index: no figure could be taken from that.
    pub fn peers(&self, question: &Question) -> Vec<(Way, Box<dyn Peer>)> {
        let State { marking, asked } = &question.state;
        let affordable = WAYS
            .into_iter()
            .filter(|way| (way.affordable)(&self.case, marking.tokens.len()));
        affordable
            .map(|way| {
                let mut peer = (way.make)(&self.case, asked);
                for (&join, &answer) in asked.iter().zip(&question.answers) {
                    assert_eq!(peer.may_fire(marking, join), answer, "{} about {join}", way.name);
                }
                (way, peer)
            })
            .collect()
    }

    /// Makes an instance for this state and takes one decision in it.
    pub fn fresh(&self, question: &Question) -> bool {
        let counters = question.state.marking.count(&self.case, &self.index, Rule::Standard);
        counters.may_fire(black_box(question.joins[0]))
    }

    /// Memory of one instance's counts, in bytes.
    pub fn instance_bytes(&self) -> usize {
        12 * (self.index.classes() + self.decided().len())
    }
}

impl Question {
    /// How many decisions [`Self::decide`] takes.
    pub fn decisions(&self) -> usize {
        PASSES * self.joins.len()
    }

    /// Warm decisions by the index; gives how many joins may fire.
    #[inline(never)]
    pub fn decide(&self) -> u32 {
        let mut firing = 0;
        for &join in &self.joins {
            for _ in 0..PASSES {
                firing += u32::from(black_box(self.counters.may_fire(black_box(join))));
            }
        }
        firing
    }

    /// One decision about each join by a peer.
    pub fn ask(&self, peer: &mut dyn Peer) {
        for &join in &self.state.asked {
            black_box(peer.may_fire(black_box(&self.state.marking), black_box(join)));
        }
    }
}

/// Many instances in the same state, visited in an order that no cache foresees.
#[derive(Debug)]
pub struct Ring {
    instances: Vec<Counters>,
    order: Vec<(u32, u32)>,
    at: usize,
}

impl Ring {
    /// Copies of the instance of a question.
    pub fn new(ground: &Ground, question: &Question) -> Self {
        let count = (RING_BYTES / (ground.instance_bytes() + size_of::<Counters>())).clamp(8, 100_000);
        let mut dice = Dice(count as u64);
        let order = (0..8 * RING_STEPS).map(|_| {
            let join = question.joins[dice.below(question.joins.len() as u32) as usize];
            (dice.below(count as u32), join)
        });
        Self {
            order: order.collect(),
            instances: vec![question.counters.clone(); count],
            at: 0,
        }
    }

    /// How many decisions [`Self::decide`] takes.
    pub const DECISIONS: usize = RING_STEPS;

    /// Decisions in other instances than those looked at before.
    #[inline(never)]
    pub fn decide(&mut self) {
        for &(instance, join) in &self.order[self.at..self.at + RING_STEPS] {
            black_box(self.instances[instance as usize].may_fire(join));
        }
        self.at = (self.at + RING_STEPS) % self.order.len();
    }
}
