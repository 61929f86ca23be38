//! Where tokens are: the state that the index and its peers are asked about.

use fixedbitset::FixedBitSet;
use trackside_engine::reach::{Counters, Index, Rule};

use crate::graphs::{Case, Dice};

/// How many joins are asked about in one state, at most.
pub const ASKED_MAX: usize = 8;
/// How many tokens are registered at a join that is asked about, at most.
const REGISTERED_MAX: u32 = 4;
/// How often a place is drawn until it suits.
const DRAWS_MAX: u32 = 200;

/// Where a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At a node.
    Node(u32),
    /// In transit on a flow.
    Flow(u32),
    /// Registered on a flow at the join that it enters.
    Registered(u32),
}

/// The tokens of one graph, in the forms that searches like: a list, and counts by node and flow.
#[derive(Clone, Debug)]
pub struct Marking {
    /// All tokens.
    pub tokens: Vec<Place>,
    /// Tokens at a node, or in transit towards it.
    pub at: Vec<u32>,
    /// Nodes that hold a token or have one in transit towards them.
    pub occupied: FixedBitSet,
    /// Tokens in transit on a flow.
    pub on: Vec<u32>,
    /// Tokens registered on a flow.
    pub registered: Vec<u32>,
}

impl Marking {
    /// No tokens.
    pub fn new(case: &Case) -> Self {
        Self {
            tokens: Vec::new(),
            at: vec![0; case.nodes],
            occupied: FixedBitSet::with_capacity(case.nodes),
            on: vec![0; case.edges.len()],
            registered: vec![0; case.edges.len()],
        }
    }

    /// One more token.
    pub fn add(&mut self, case: &Case, place: Place) {
        self.tokens.push(place);
        let node = match place {
            Place::Node(node) => node,
            Place::Flow(flow) => {
                self.on[flow as usize] += 1;
                case.edges[flow as usize].target
            }
            Place::Registered(flow) => {
                self.registered[flow as usize] += 1;
                case.edges[flow as usize].target
            }
        };
        self.at[node as usize] += 1;
        self.occupied.insert(node as usize);
    }

    /// Counts of these tokens, from nothing.
    pub fn count(&self, case: &Case, index: &Index, rule: Rule) -> Counters {
        let mut counters = Counters::new(index, rule);
        let mut registered = Vec::new();
        for &place in &self.tokens {
            put(&mut counters, case, index, place, false);
            if let Place::Registered(flow) = place {
                registered.push(flow);
            }
        }
        registered.sort_unstable();
        registered.dedup();
        for flow in registered {
            counters.mark(index, flow);
        }
        while counters.freed().is_some() {}
        counters
    }
}

/// A token appears at a place; `first` says that it is the only one registered there.
fn put(counters: &mut Counters, case: &Case, index: &Index, place: Place, first: bool) {
    match place {
        Place::Node(node) => counters.enter(index, node),
        Place::Flow(flow) => {
            counters.enter(index, case.edges[flow as usize].source);
            counters.depart(index, flow);
        }
        Place::Registered(flow) => {
            counters.enter(index, case.edges[flow as usize].target);
            if first {
                counters.mark(index, flow);
            }
        }
    }
}

/// What is asked of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Tokens stand where they block none of the joins asked about: a search has to look at everything.
    Fire,
    /// Tokens stand anywhere: a search may stop early.
    Any,
}

/// A state and the joins that are asked about in it.
#[derive(Clone, Debug)]
pub struct State {
    /// Where tokens are.
    pub marking: Marking,
    /// Joins that are asked about; each has a token registered.
    pub asked: Vec<u32>,
}

impl State {
    /// Tokens registered at some joins that the index decides, and `live` more anywhere.
    pub fn new(case: &Case, index: &Index, live: usize, answers: Answers) -> Self {
        let mut dice = Dice(case.edges.len() as u64);
        let decided: Vec<u32> = case
            .joins
            .iter()
            .copied()
            .filter(|&j| index.join_at(j).is_some())
            .collect();
        let mut asked: Vec<u32> = Vec::new();
        for _ in 0..ASKED_MAX.min(decided.len()) {
            let join = decided[dice.below(decided.len() as u32) as usize];
            if !asked.contains(&join) {
                asked.push(join);
            }
        }
        Self::about(case, index, live, answers, asked)
    }

    /// Tokens registered at these joins, which the index decides, and `live` more anywhere.
    pub fn about(case: &Case, index: &Index, live: usize, answers: Answers, mut asked: Vec<u32>) -> Self {
        let mut dice = Dice(case.edges.len() as u64 ^ (live as u64) << 32);
        let mut marking = Marking::new(case);
        let mut counters = Counters::new(index, Rule::Standard);
        for &join in &asked {
            register(case, index, join, &mut dice, &mut marking, &mut counters);
        }
        if answers == Answers::Fire {
            asked.retain(|&join| fires(index, &counters, join));
        }
        for _ in 0..live {
            for draw in 1.. {
                let place = anywhere(case, &mut dice);
                put(&mut counters, case, index, place, false);
                let suits = answers == Answers::Any || asked.iter().all(|&join| fires(index, &counters, join));
                if suits || draw == DRAWS_MAX {
                    marking.add(case, place);
                    break;
                }
                match place {
                    Place::Flow(flow) => counters.leave_edge(index, flow),
                    Place::Node(node) | Place::Registered(node) => counters.leave(index, node),
                }
            }
        }
        Self { marking, asked }
    }
}

fn fires(index: &Index, counters: &Counters, join: u32) -> bool {
    index.join_at(join).is_some_and(|join| counters.may_fire(join))
}

/// Tokens on up to half of a join's inputs.
fn register(case: &Case, index: &Index, join: u32, dice: &mut Dice, marking: &mut Marking, counters: &mut Counters) {
    let inputs: Vec<u32> = (0..case.edges.len() as u32)
        .filter(|&flow| case.edges[flow as usize].target == join)
        .collect();
    for _ in 0..(inputs.len() as u32 / 2).min(REGISTERED_MAX) {
        let flow = inputs[dice.below(inputs.len() as u32) as usize];
        if marking.registered[flow as usize] == 0 {
            marking.add(case, Place::Registered(flow));
            put(counters, case, index, Place::Registered(flow), true);
        }
    }
}

/// At a node that is no join, or in transit on a flow.
fn anywhere(case: &Case, dice: &mut Dice) -> Place {
    if dice.below(4) == 0 {
        return Place::Flow(dice.below(case.edges.len() as u32));
    }
    loop {
        let node = dice.below(case.nodes as u32);
        if case.joins.binary_search(&node).is_err() {
            return Place::Node(node);
        }
    }
}
