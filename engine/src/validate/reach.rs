//! Nodes that no token can come to, and joins that wait for one of them (FLOW-1, PAR-5).
//!
//! Control goes along sequence flows, from a host to its boundary events and from a link throw to its catch, as for an
//! inclusive join (ORJ-3, ORJ-4). Of the nodes that it never comes to, the first ones are reported: those that nothing
//! leads to, and cycles that nothing enters. What is behind them is only counted.

use std::collections::BTreeMap;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, NodeFiltered};

use crate::model::{Gateway, NodeKind, SubProcessKind};

use super::index::{Index, NodeIx, ScopeIx, Spot};
use super::report::{Report, called};
use super::start::can_begin;

/// FLOW-1, PAR-5.
pub(super) fn check(index: &Index<'_>, report: &mut Report) {
    let graph = graph(index);
    let mut walk = Dfs::empty(&graph);
    walk.stack.extend(roots(index).into_iter().map(at));
    while walk.next(&graph).is_some() {}
    let reached = |node: NodeIx| walk.discovered.contains(node.ix());
    for (_, spot) in index.spots() {
        starved(index, spot, &reached, report);
    }
    let unreached = NodeFiltered::from_fn(&graph, |node| !walk.discovered.contains(node.index()));
    unreached_parts(index, &graph, &unreached, report);
}

fn at(node: NodeIx) -> NodeIndex {
    NodeIndex::new(node.ix())
}

fn back(node: NodeIndex) -> NodeIx {
    NodeIx::new(node.index())
}

/// How control can move.
fn graph(index: &Index<'_>) -> DiGraph<(), ()> {
    let mut graph = DiGraph::new();
    let mut catches: BTreeMap<(ScopeIx, &str), NodeIx> = BTreeMap::new();
    for (ix, spot) in index.spots() {
        graph.add_node(());
        if let (NodeKind::Catch { .. }, Some(name)) = (&spot.node.kind, spot.link()) {
            catches.entry((spot.scope, name)).or_insert(ix);
        }
    }
    for (ix, spot) in index.spots() {
        let boundaries = spot.boundaries.iter().copied();
        for to in spot.outgoing.iter().map(|line| line.other).chain(boundaries) {
            graph.add_edge(at(ix), at(to), ());
        }
        if let (NodeKind::Throw { .. }, Some(name)) = (&spot.node.kind, spot.link())
            && let Some(&catch) = catches.get(&(spot.scope, name))
        {
            graph.add_edge(at(ix), at(catch), ());
        }
    }
    graph
}

/// Where control comes from, and nodes about which another problem says all there is to say.
fn roots(index: &Index<'_>) -> Vec<NodeIx> {
    let mut roots = Vec::new();
    for scope in index.scopes() {
        let nodes = || index.nodes_of(scope).map(|ix| (ix, index.spot(ix)));
        let has_start = nodes().any(|(_, spot)| spot.begins());
        let unordered = matches!(
            index.kind_of(scope),
            Some(SubProcessKind::AdHoc | SubProcessKind::Event)
        );
        let stray = unordered && !has_start || !nodes().any(|(_, spot)| can_begin(spot));
        let begins = |spot: &Spot<'_>| if has_start { spot.begins() } else { can_begin(spot) };
        let found = nodes().filter(|(_, spot)| stray || begins(spot) || is_accounted_for(spot));
        roots.extend(found.map(|(ix, _)| ix));
    }
    roots
}

fn is_accounted_for(spot: &Spot<'_>) -> bool {
    match &spot.node.kind {
        _ if spot.broken_in || spot.handles() => true,
        NodeKind::Boundary { .. } => spot.host.is_none(),
        NodeKind::Gateway { .. } => spot.incoming.is_empty() && spot.outgoing.is_empty(),
        NodeKind::Task { for_compensation, .. }
        | NodeKind::Call { for_compensation, .. }
        | NodeKind::SubProcess { for_compensation, .. } => *for_compensation,
        _ => false,
    }
}

/// PAR-5: a join whose set of tokens can never be complete.
fn starved(index: &Index<'_>, spot: &Spot<'_>, reached: &dyn Fn(NodeIx) -> bool, report: &mut Report) {
    let NodeKind::Gateway {
        gateway: Gateway::Parallel,
        ..
    } = spot.node.kind
    else {
        return;
    };
    let lost = |other: NodeIx| !reached(other) || std::ptr::eq(index.spot(other), spot);
    let Some(missing) = spot.incoming.iter().find(|line| lost(line.other)) else {
        return;
    };
    if !spot.incoming.iter().any(|line| !lost(line.other)) {
        return;
    }
    let from = index.node(missing.other);
    let why = if from.id == spot.node.id {
        "only comes from itself".to_owned()
    } else {
        format!("comes from {}, which is never reached", called(from))
    };
    let message = format!("{} never fires: `{}` {why}", called(spot.node), missing.flow.id);
    let hint = "a parallel join needs a token on every incoming flow; merge alternatives with an exclusive gateway";
    report.warning("PAR-5", spot.node, message, hint);
}

/// FLOW-1: the first nodes of every part that is never reached.
fn unreached_parts<F>(
    index: &Index<'_>,
    graph: &DiGraph<(), ()>,
    unreached: &NodeFiltered<&DiGraph<(), ()>, F>,
    report: &mut Report,
) where
    F: petgraph::visit::FilterNode<NodeIndex>,
{
    // Components come with those behind them first.
    let components = kosaraju_scc(unreached);
    let mut component = vec![usize::MAX; graph.node_count()];
    for (number, members) in components.iter().enumerate() {
        for member in members {
            component[member.index()] = number;
        }
    }
    let is_entered = |members: &[NodeIndex]| {
        let mut before = members
            .iter()
            .flat_map(|&member| graph.neighbors_directed(member, petgraph::Incoming));
        before.any(|before| component[before.index()] != component[members[0].index()])
    };
    let mut walk = Dfs::empty(graph);
    let mut heads: Vec<NodeIx> = components
        .iter()
        .filter(|members| !is_entered(members))
        .filter_map(|members| members.iter().copied().map(back).min())
        .collect();
    heads.sort_unstable();
    for head in heads {
        walk.move_to(at(head));
        let mut behind = 0usize;
        while let Some(node) = walk.next(graph) {
            let new = component[node.index()] != usize::MAX;
            behind += usize::from(new && back(node) != head);
        }
        never_reached(index, head, behind, report);
    }
}

fn never_reached(index: &Index<'_>, head: NodeIx, behind: usize, report: &mut Report) {
    let node = index.node(head);
    let why = if index.spot(head).incoming.is_empty() {
        "nothing leads to it"
    } else {
        "it is part of a cycle that nothing leads into"
    };
    let rest = match behind {
        0 => String::new(),
        1 => ", and neither is the node behind it".to_owned(),
        _ => format!(", and neither are the {behind} nodes behind it"),
    };
    let message = format!("{} is never reached{rest}: {why}", called(node));
    report.warning("FLOW-1", node, message, "connect it to the flow, or remove it");
}
