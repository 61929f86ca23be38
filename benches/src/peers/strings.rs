//! Backward search over maps and sets of ids.

use std::collections::{HashMap, HashSet};

use super::Peer;
use crate::graphs::Case;
use crate::marking::Marking;

/// A process as an engine keeps it that looks everything up by id.
#[derive(Clone, Debug)]
pub struct Strings {
    names: Vec<String>,
    nodes: HashMap<String, Node>,
    flows: HashMap<String, Flow>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    number: u32,
    incoming: Vec<String>,
}

#[derive(Clone, Debug)]
struct Flow {
    number: u32,
    source: String,
}

impl Strings {
    /// Maps for a graph.
    pub fn new(case: &Case) -> Self {
        let names: Vec<String> = (0..case.nodes).map(|node| format!("Activity_{node:07}")).collect();
        let mut nodes: HashMap<String, Node> = HashMap::new();
        for (number, name) in (0..).zip(&names) {
            nodes.entry(name.clone()).or_default().number = number;
        }
        let mut flows = HashMap::new();
        for (number, edge) in (0..).zip(&case.edges) {
            let id = format!("Flow_{number:07}");
            let source = names[edge.source as usize].clone();
            let target = nodes.entry(names[edge.target as usize].clone()).or_default();
            target.incoming.push(id.clone());
            flows.insert(id, Flow { number, source });
        }
        Self { names, nodes, flows }
    }

    /// All nodes from which some flow of `starts` can be reached without passing `join`.
    fn walk<'a>(&'a self, join: &'a str, starts: impl Iterator<Item = &'a String>) -> HashSet<&'a str> {
        let mut seen = HashSet::from([join]);
        let mut stack: Vec<&str> = starts.map(|flow| self.flows[flow].source.as_str()).collect();
        while let Some(node) = stack.pop() {
            if seen.insert(node) {
                stack.extend(
                    self.nodes[node]
                        .incoming
                        .iter()
                        .map(|flow| self.flows[flow].source.as_str()),
                );
            }
        }
        seen
    }
}

impl Peer for Strings {
    fn may_fire(&mut self, marking: &Marking, join: u32) -> bool {
        let join = self.names[join as usize].as_str();
        let inputs = &self.nodes[join].incoming;
        let number = |flow: &String| self.flows[flow].number as usize;
        let is_marked = |flow: &&String| marking.registered[number(flow)] != 0;
        if !inputs.iter().any(|flow| is_marked(&flow)) {
            return false;
        }
        let mut unmarked = inputs.iter().filter(|flow| !is_marked(flow));
        if unmarked.clone().any(|flow| marking.on[number(flow)] != 0) {
            return false;
        }
        let good = self.walk(join, inputs.iter().filter(is_marked));
        let bad = self.walk(join, unmarked.by_ref());
        !bad.iter()
            .any(|&node| marking.at[self.nodes[node].number as usize] != 0 && !good.contains(node))
    }
}
