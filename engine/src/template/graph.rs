//! Which incoming flows of a join a position can reach (ORJ-3, ORJ-4): the plain, obviously right version.
//!
//! Reachability ignores conditions, walks over cycles once, never passes the join, and stays inside the scope: a token in
//! a child scope counts as being at the sub-process node, which is where its host track stands. Beyond sequence flow, a
//! host reaches its boundary events and a link throw its catch. The walk goes backwards from flows of the join, so that
//! its cost is the size of the part that can reach them, whatever the number of tokens.

use super::Template;
use crate::ids::{FlowId, NodeId};
use crate::planted::planted;

/// The outcome of one or several backward walks, kept for reuse. Scratch memory, not state.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    marks: Vec<u8>,
    touched: Vec<NodeId>,
    stack: Vec<NodeId>,
    /// How the next walks go wrong.
    #[cfg(feature = "planted-faults")]
    pub(crate) plant: Option<crate::planted::Fault>,
}

#[cfg(feature = "planted-faults")]
impl crate::planted::Plants for Reach {
    fn plant(&self) -> Option<crate::planted::Fault> {
        self.plant
    }
}

impl Reach {
    /// Forgets all walks.
    pub fn clear(&mut self) {
        for node in self.touched.drain(..) {
            self.marks[node.ix()] = 0;
        }
    }

    /// Marks with `bit` every node from which one of `flows`, incoming flows of `join`, is reachable without passing
    /// `join`.
    pub fn mark(&mut self, t: &Template, join: NodeId, flows: impl Iterator<Item = FlowId>, bit: u8) {
        self.marks.resize(t.nodes.len(), 0);
        debug_assert!(self.stack.is_empty());
        for flow in flows {
            debug_assert_eq!(t.flow(flow).target, join);
            self.push(t.flow(flow).source, join, bit);
        }
        while let Some(node) = self.stack.pop() {
            for &flow in t.incoming(node) {
                self.push(t.flow(flow).source, join, bit);
            }
            if planted!(self, ReachabilityMissesJumps) {
                continue;
            }
            for &from in t.jumps_to(node) {
                self.push(from, join, bit);
            }
        }
    }

    fn push(&mut self, node: NodeId, join: NodeId, bit: u8) {
        let beyond = node == join && !planted!(self, ReachabilityWalksThroughJoin);
        let mark = &mut self.marks[node.ix()];
        if beyond || *mark & bit != 0 {
            return;
        }
        if *mark == 0 {
            self.touched.push(node);
        }
        *mark |= bit;
        self.stack.push(node);
    }

    /// The bits of the walks that came past `node`.
    pub fn at(&self, node: NodeId) -> u8 {
        self.marks.get(node.ix()).copied().unwrap_or(0)
    }
}
