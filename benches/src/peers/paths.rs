//! `petgraph`'s own question, asked for each token and input.

use petgraph::algo::{DfsSpace, has_path_connecting};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::NodeFiltered;

use super::{Adjacency, Peer};
use crate::graphs::Case;
use crate::marking::{Marking, Place};

/// The graph, and the space that all questions share.
#[derive(Debug)]
pub struct Paths {
    graph: DiGraph<(), ()>,
    entering: Adjacency,
    space: DfsSpace<NodeIndex, fixedbitset::FixedBitSet>,
}

impl Paths {
    /// The graph in `petgraph`'s form.
    pub fn new(case: &Case) -> Self {
        let mut graph = DiGraph::with_capacity(case.nodes, case.edges.len());
        for _ in 0..case.nodes {
            graph.add_node(());
        }
        for edge in &case.edges {
            graph.add_edge(
                NodeIndex::new(edge.source as usize),
                NodeIndex::new(edge.target as usize),
                (),
            );
        }
        Self {
            space: DfsSpace::new(&graph),
            graph,
            entering: Adjacency::entering(case),
        }
    }

    /// Whether a token at `node` reaches inputs of the join, but none that is marked.
    fn blocks(&mut self, marking: &Marking, join: u32, node: u32) -> bool {
        let join = NodeIndex::new(join as usize);
        let around = NodeFiltered::from_fn(&self.graph, |node| node != join);
        let mut reaches = |flow: u32| {
            let source = self.graph.raw_edges()[flow as usize].source();
            source != join && has_path_connecting(&around, NodeIndex::new(node as usize), source, Some(&mut self.space))
        };
        let inputs = self.entering.of(join.index() as u32);
        let (marked, unmarked): (Vec<u32>, Vec<u32>) =
            inputs.iter().partition(|&&flow| marking.registered[flow as usize] != 0);
        !marked.into_iter().any(&mut reaches) && unmarked.into_iter().any(&mut reaches)
    }
}

impl Peer for Paths {
    fn may_fire(&mut self, marking: &Marking, join: u32) -> bool {
        let mut marked = false;
        for &place in &marking.tokens {
            let (node, flow) = match place {
                Place::Node(node) => (node, None),
                Place::Flow(flow) | Place::Registered(flow) => (
                    self.graph.raw_edges()[flow as usize].target().index() as u32,
                    Some(flow),
                ),
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
