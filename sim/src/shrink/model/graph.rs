//! Which nodes of a scope lead to which: flows, boundary events of a host, and links.

use std::collections::{BTreeMap, BTreeSet};

use trackside_engine::model::{FlowNode, Gateway, NodeKind, Scope, SubProcessKind, Trigger};

/// The name of the link that an event throws or catches.
pub(super) fn link(node: &FlowNode) -> Option<&str> {
    node.kind.events().iter().find_map(|event| match &event.trigger {
        Trigger::Link(Some(name)) => Some(name.as_str()),
        _ => None,
    })
}

/// Whether a node is an event sub-process.
pub(super) fn is_handler(node: &FlowNode) -> bool {
    let kind = SubProcessKind::Event;
    matches!(&node.kind, NodeKind::SubProcess { kind: of, .. } if *of == kind)
}

/// Whether an instance can begin at a node by itself.
fn begins(node: &FlowNode) -> bool {
    match &node.kind {
        NodeKind::Start { .. } => true,
        NodeKind::Task { instantiate, .. }
        | NodeKind::Gateway {
            gateway: Gateway::EventBased { instantiate, .. },
            ..
        } => *instantiate,
        _ => false,
    }
}

/// The nodes of a scope by index, and where each leads.
pub(super) struct Graph {
    pub(super) leads: Vec<Vec<usize>>,
    roots: Vec<usize>,
}

impl Graph {
    pub(super) fn of(scope: &Scope) -> Self {
        let index: BTreeMap<&str, usize> = scope.nodes.iter().map(|node| node.id.as_str()).zip(0..).collect();
        let mut leads = vec![Vec::new(); scope.nodes.len()];
        let mut entered = BTreeSet::new();
        for flow in &scope.flows {
            if let (Some(&source), Some(&target)) = (index.get(&*flow.source), index.get(&*flow.target)) {
                leads[source].push(target);
                entered.insert(target);
            }
        }
        for (at, node) in scope.nodes.iter().enumerate() {
            let from = match &node.kind {
                NodeKind::Boundary { attached_to, .. } => {
                    let host = attached_to.as_deref().and_then(|host| index.get(host)).copied();
                    host.into_iter().collect()
                }
                NodeKind::Catch { .. } if link(node).is_some() => throws(scope, link(node)),
                _ => continue,
            };
            entered.insert(at);
            for source in from {
                leads[source].push(at);
            }
        }
        let roots = roots(scope, &entered);
        Self { leads, roots }
    }

    /// What a token can come to from these nodes, with them, without passing `wall`.
    pub(super) fn reachable(&self, from: &[usize], wall: Option<usize>) -> Vec<bool> {
        let mut reached = vec![false; self.leads.len()];
        let mut pending = from.to_vec();
        while let Some(at) = pending.pop() {
            if Some(at) != wall && !std::mem::replace(&mut reached[at], true) {
                pending.extend(&self.leads[at]);
            }
        }
        reached
    }

    /// What a token can come to at all.
    pub(super) fn alive(&self) -> Vec<bool> {
        self.reachable(&self.roots, None)
    }
}

fn throws(scope: &Scope, name: Option<&str>) -> Vec<usize> {
    let throws = scope.nodes.iter().enumerate();
    let throws = throws.filter(|(_, node)| matches!(node.kind, NodeKind::Throw { .. }) && link(node) == name);
    throws.map(|(at, _)| at).collect()
}

/// Where tokens come from: starts and event sub-processes; without a start, whatever nothing leads to (INS-8).
fn roots(scope: &Scope, entered: &BTreeSet<usize>) -> Vec<usize> {
    let any = scope.nodes.iter().any(begins);
    let nodes = scope.nodes.iter().enumerate();
    let is_root = |at: usize, node: &FlowNode| {
        let open = !any && !entered.contains(&at) && !matches!(node.kind, NodeKind::Boundary { .. });
        begins(node) || is_handler(node) || open
    };
    nodes
        .filter(|(at, node)| is_root(*at, node))
        .map(|(at, _)| at)
        .collect()
}
