//! Forward search from each token.

use super::{Adjacency, Peer, Seen};
use crate::graphs::Case;
use crate::marking::{Marking, Place};

/// One walk for each token that is not registered at the join.
#[derive(Clone, Debug)]
pub struct Forward {
    leaving: Adjacency,
    targets: Vec<u32>,
    seen: Seen,
    stack: Vec<u32>,
}

impl Forward {
    /// Arrays for a graph.
    pub fn new(case: &Case) -> Self {
        Self {
            leaving: Adjacency::leaving(case),
            targets: case.edges.iter().map(|edge| edge.target).collect(),
            seen: Seen::new(case.nodes),
            stack: Vec::new(),
        }
    }

    /// Whether a token at `node` reaches inputs of the join, but none that is marked.
    fn blocks(&mut self, marking: &Marking, join: u32, node: u32) -> bool {
        self.seen.clear();
        self.stack.clear();
        self.seen.insert(node);
        self.stack.push(node);
        let mut reaches = false;
        while let Some(node) = self.stack.pop() {
            for &flow in self.leaving.of(node) {
                let target = self.targets[flow as usize];
                if target == join {
                    if marking.registered[flow as usize] != 0 {
                        return false;
                    }
                    reaches = true;
                } else if self.seen.insert(target) {
                    self.stack.push(target);
                }
            }
        }
        reaches
    }
}

impl Peer for Forward {
    fn may_fire(&mut self, marking: &Marking, join: u32) -> bool {
        let mut marked = false;
        for &place in &marking.tokens {
            let (node, flow) = match place {
                Place::Node(node) => (node, None),
                Place::Flow(flow) | Place::Registered(flow) => (self.targets[flow as usize], Some(flow)),
            };
            let blocks = match (place, flow) {
                (Place::Registered(_), _) if node == join => {
                    marked = true;
                    false
                }
                (_, Some(flow)) if node == join => marking.registered[flow as usize] == 0,
                _ => self.blocks(marking, join, node),
            };
            if blocks {
                return false;
            }
        }
        marked
    }
}
