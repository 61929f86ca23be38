//! The directed graph that an index is made of.

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::Index;

/// An edge of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it leaves from.
    pub source: u32,
    /// Where it leads to.
    pub target: u32,
    /// A way for control that no token travels and that is no input of a join: from a host to its boundary event, over a
    /// link.
    pub jump: bool,
}

/// A directed graph with adjacency in both directions.
#[derive(Clone, Debug)]
pub struct Graph {
    pub(super) nodes: usize,
    pub(super) edges: Vec<Edge>,
    out_starts: Vec<u32>,
    out: Vec<u32>,
    in_starts: Vec<u32>,
    inc: Vec<u32>,
}

impl Graph {
    /// A graph of `nodes` nodes and these edges.
    ///
    /// # Panics
    ///
    /// If an edge names a node that is not there.
    pub fn new(nodes: usize, edges: Vec<Edge>) -> Self {
        let (out_starts, out) = bucket(nodes, edges.iter().map(|edge| edge.source));
        let (in_starts, inc) = bucket(nodes, edges.iter().map(|edge| edge.target));
        Self {
            nodes,
            edges,
            out_starts,
            out,
            in_starts,
            inc,
        }
    }

    /// The edges that leave a node.
    ///
    /// # Panics
    ///
    /// If there is no such node.
    pub fn leaving(&self, node: u32) -> impl Iterator<Item = (u32, Edge)> + '_ {
        let range = self.out_starts[node as usize] as usize..self.out_starts[node as usize + 1] as usize;
        self.out[range].iter().map(|&edge| (edge, self.edges[edge as usize]))
    }

    /// The edges that enter a node.
    ///
    /// # Panics
    ///
    /// If there is no such node.
    pub fn entering(&self, node: u32) -> impl Iterator<Item = (u32, Edge)> + '_ {
        let range = self.in_starts[node as usize] as usize..self.in_starts[node as usize + 1] as usize;
        self.inc[range].iter().map(|&edge| (edge, self.edges[edge as usize]))
    }

    /// The inputs of a join, jumps aside, that can be reached from `node` without passing the join, in order: L of the rules,
    /// by a walk. What the index saves, and what is left for the joins that it does not know.
    ///
    /// # Panics
    ///
    /// If there is no such node.
    ///
    /// ```
    /// use trackside_engine::reach::{Edge, Graph};
    ///
    /// let edge = |source, target| Edge { source, target, jump: false };
    /// let graph = Graph::new(4, vec![edge(0, 1), edge(0, 2), edge(1, 3), edge(2, 3), edge(3, 1)]);
    /// assert_eq!(graph.inputs_from(3, 0), [2, 3]);
    /// assert_eq!(graph.inputs_from(3, 1), [2]);
    /// assert_eq!(graph.inputs_from(3, 3), [2], "from the join, around");
    /// ```
    pub fn inputs_from(&self, join: u32, node: u32) -> Vec<u32> {
        let mut seen = vec![false; self.nodes];
        let mut found = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            for (number, edge) in self.leaving(node) {
                if edge.target == join {
                    found.extend((!edge.jump).then_some(number));
                } else if !std::mem::replace(&mut seen[edge.target as usize], true) {
                    open.push(edge.target);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// For each node, the place of its strongly connected component in reverse topological order.
    pub(super) fn ranks(&self) -> Vec<u32> {
        let mut graph = DiGraph::<(), ()>::with_capacity(self.nodes, self.edges.len());
        for _ in 0..self.nodes {
            graph.add_node(());
        }
        for edge in &self.edges {
            graph.add_edge(
                NodeIndex::new(edge.source as usize),
                NodeIndex::new(edge.target as usize),
                (),
            );
        }
        let mut ranks = vec![0; self.nodes];
        for (rank, component) in (0..).zip(petgraph::algo::kosaraju_scc(&graph)) {
            for node in component {
                ranks[node.index()] = rank;
            }
        }
        ranks
    }
}

/// Sorts edge numbers by node, keeping their order within one.
fn bucket(nodes: usize, ends: impl Iterator<Item = u32> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; nodes + 1];
    for end in ends.clone() {
        starts[end as usize + 1] += 1;
    }
    for node in 0..nodes {
        starts[node + 1] += starts[node];
    }
    let mut next = starts.clone();
    let mut items = vec![0; starts[nodes] as usize];
    for (edge, end) in (0..).zip(ends) {
        items[next[end as usize] as usize] = edge;
        next[end as usize] += 1;
    }
    (starts, items)
}

impl Index {
    /// The index of a `petgraph` graph; nodes and edges keep their numbers. `joins` are the nodes at which tokens wait;
    /// their inputs are their incoming edges.
    ///
    /// # Panics
    ///
    /// If a join is no node of the graph.
    pub fn from_petgraph<N, E>(graph: &DiGraph<N, E>, joins: &[NodeIndex]) -> Self {
        let edges = graph.edge_references().map(|edge| Edge {
            source: edge.source().index() as u32,
            target: edge.target().index() as u32,
            jump: false,
        });
        let joins: Vec<u32> = joins.iter().map(|join| join.index() as u32).collect();
        Self::new(&Graph::new(graph.node_count(), edges.collect()), &joins)
    }
}
