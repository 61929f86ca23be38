//! Backward search over arrays: the best plain search.

use super::{Adjacency, Peer, Seen};
use crate::graphs::Case;
use crate::marking::Marking;

/// Two walks backwards from the join: first all that reaches a marked input, then what else reaches any.
#[derive(Clone, Debug)]
pub struct Csr {
    entering: Adjacency,
    sources: Vec<u32>,
    seen: Seen,
    stack: Vec<u32>,
}

impl Csr {
    /// Arrays for a graph.
    pub fn new(case: &Case) -> Self {
        Self {
            entering: Adjacency::entering(case),
            sources: case.edges.iter().map(|edge| edge.source).collect(),
            seen: Seen::new(case.nodes),
            stack: Vec::new(),
        }
    }

    /// Walks on from the nodes on the stack; true as soon as one of them holds a token that `stops`.
    fn walk(&mut self, stops: impl Fn(u32) -> bool) -> bool {
        while let Some(node) = self.stack.pop() {
            if stops(node) {
                return true;
            }
            for &flow in self.entering.of(node) {
                let source = self.sources[flow as usize];
                if self.seen.insert(source) {
                    self.stack.push(source);
                }
            }
        }
        false
    }

    /// How many nodes lead to a join.
    pub fn behind(&mut self, join: u32) -> usize {
        self.begin(join);
        self.start(join, |_| true);
        let nodes = std::cell::Cell::new(0);
        self.walk(|_| {
            nodes.set(nodes.get() + 1);
            false
        });
        nodes.get()
    }

    /// The decision by the conservative rule (ORJ-2): no other token reaches an input without a token.
    pub fn may_fire_conservatively(&mut self, marking: &Marking, join: u32) -> bool {
        self.begin(join);
        let inputs = self.entering.of(join);
        let registered = |flow: &u32| marking.registered[*flow as usize] != 0;
        let imminent = |flow: &u32| !registered(flow) && marking.on[*flow as usize] != 0;
        if !inputs.iter().any(registered) || inputs.iter().any(imminent) {
            return false;
        }
        self.start(join, |flow| marking.registered[flow as usize] == 0);
        !self.walk(|node| marking.at[node as usize] != 0)
    }

    fn begin(&mut self, join: u32) {
        self.seen.clear();
        self.stack.clear();
        self.seen.insert(join);
    }

    fn start(&mut self, join: u32, wanted: impl Fn(u32) -> bool) -> bool {
        let mut any = false;
        for &flow in self.entering.of(join) {
            if wanted(flow) {
                any = true;
                let source = self.sources[flow as usize];
                if self.seen.insert(source) {
                    self.stack.push(source);
                }
            }
        }
        any
    }
}

impl Peer for Csr {
    fn may_fire(&mut self, marking: &Marking, join: u32) -> bool {
        self.begin(join);
        if !self.start(join, |flow| marking.registered[flow as usize] != 0) {
            return false;
        }
        self.walk(|_| false);
        let mut imminent = false;
        for &flow in self.entering.of(join) {
            imminent |= marking.registered[flow as usize] == 0 && marking.on[flow as usize] != 0;
        }
        self.start(join, |flow| marking.registered[flow as usize] == 0);
        !imminent && !self.walk(|node| marking.at[node as usize] != 0)
    }
}
