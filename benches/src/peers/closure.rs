//! Bitset closures: for each input of a join, the nodes that reach it without passing the join.

use fixedbitset::FixedBitSet;

use super::{Adjacency, Peer};
use crate::graphs::Case;
use crate::marking::{Marking, Place};

/// The most bytes that the closures of all joins of a graph may take.
pub(super) const BYTES_MAX: usize = 256 << 20;

/// How the sets are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// All nodes at once, 64 in a word.
    Words,
    /// Token by token.
    Tokens,
}

/// The closures of the joins that are asked about; an engine would keep those of all joins.
#[derive(Clone, Debug)]
pub struct Closure {
    scan: Scan,
    /// By node: the inputs of a join with their sets.
    inputs: Vec<Vec<(u32, FixedBitSet)>>,
    targets: Vec<u32>,
    good: FixedBitSet,
    bad: FixedBitSet,
}

impl Closure {
    /// Sets for some joins of a graph.
    pub fn new(case: &Case, asked: &[u32], scan: Scan) -> Self {
        let entering = Adjacency::entering(case);
        let mut inputs = vec![Vec::new(); case.nodes];
        for &join in asked {
            let sets = entering
                .of(join)
                .iter()
                .map(|&flow| (flow, reaching(case, &entering, join, flow)));
            inputs[join as usize] = sets.collect();
        }
        let empty = FixedBitSet::with_capacity(case.nodes);
        Self {
            scan,
            inputs,
            targets: case.edges.iter().map(|edge| edge.target).collect(),
            good: empty.clone(),
            bad: empty,
        }
    }

    /// Memory of the closures of all joins of a graph.
    pub fn bytes(case: &Case) -> usize {
        let entering = Adjacency::entering(case);
        let inputs: usize = case.joins.iter().map(|&join| entering.of(join).len()).sum();
        inputs * case.nodes.div_ceil(64) * 8
    }

    fn words(&mut self, marking: &Marking, join: u32) -> bool {
        self.good.clear();
        self.bad.clear();
        for (flow, set) in &self.inputs[join as usize] {
            let union = if marking.registered[*flow as usize] == 0 {
                &mut self.bad
            } else {
                &mut self.good
            };
            union.union_with(set);
        }
        self.bad.difference_with(&self.good);
        self.bad.intersect_with(&marking.occupied);
        self.bad.is_clear()
    }

    fn node(&self, place: Place) -> u32 {
        match place {
            Place::Node(node) => node,
            Place::Flow(flow) | Place::Registered(flow) => self.targets[flow as usize],
        }
    }

    fn tokens(&self, marking: &Marking, join: u32) -> bool {
        let sets = &self.inputs[join as usize];
        let marked = |flow: u32| marking.registered[flow as usize] != 0;
        marking.tokens.iter().all(|&place| {
            let node = self.node(place);
            if node == join {
                return true;
            }
            let mut reached = sets.iter().filter(|(_, set)| set.contains(node as usize)).peekable();
            reached.peek().is_none() || reached.any(|(flow, _)| marked(*flow))
        })
    }
}

fn reaching(case: &Case, entering: &Adjacency, join: u32, flow: u32) -> FixedBitSet {
    let mut seen = FixedBitSet::with_capacity(case.nodes);
    let mut stack = vec![case.edges[flow as usize].source];
    while let Some(node) = stack.pop() {
        if node != join && !seen.put(node as usize) {
            stack.extend(entering.of(node).iter().map(|&flow| case.edges[flow as usize].source));
        }
    }
    seen
}

impl Peer for Closure {
    fn may_fire(&mut self, marking: &Marking, join: u32) -> bool {
        let inputs = &self.inputs[join as usize];
        let marked = |flow: u32| marking.registered[flow as usize] != 0;
        if !inputs.iter().any(|(flow, _)| marked(*flow)) {
            return false;
        }
        let imminent = inputs
            .iter()
            .any(|(flow, _)| !marked(*flow) && marking.on[*flow as usize] != 0);
        !imminent
            && match self.scan {
                Scan::Words => self.words(marking, join),
                Scan::Tokens => self.tokens(marking, join),
            }
    }
}
