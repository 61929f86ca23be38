//! Cuts of nodes: bypassed one by one or many at once, fused with the one before, merged with another of their kind.

use trackside_engine::model::{Definitions, FlowNode, NodeKind, Scope};

use super::graph::link;
use super::{Cut, Spot, node, scope_mut, spots};

/// Halves of all nodes, then quarters, and so on down to two.
pub(super) fn chunks(model: &Definitions) -> Vec<Cut> {
    let all: Vec<Spot> = spots(model).filter(|spot| !is_start(node(model, *spot))).collect();
    let mut cuts = Vec::new();
    let mut size = all.len() / 2;
    while size > 1 {
        cuts.extend(all.chunks(size).map(|chunk| Cut::Bypass(chunk.to_vec())));
        size /= 2;
    }
    cuts
}

/// Each node, along each of its ways out. The last start event of a scope stays, so that one sees where it begins.
pub(super) fn ways(model: &Definitions) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for spot in spots(model) {
        let scope = model.scope(spot.scope);
        let of = &scope.nodes[spot.node];
        if is_start(of) && scope.nodes.iter().filter(|node| is_start(node)).count() == 1 {
            continue;
        }
        let ways = targets(scope, of).len().max(1);
        cuts.extend((0..ways).map(|way| Cut::Way(spot, way)));
    }
    cuts
}

/// Nodes with one way in, whose ways out can begin one node earlier.
pub(super) fn fusions(model: &Definitions) -> Vec<Cut> {
    let fits = |spot: &Spot| {
        let scope = model.scope(spot.scope);
        let id = &scope.nodes[spot.node].id;
        let incoming = scope.flows.iter().filter(|flow| flow.target == *id);
        let sources: Vec<&String> = incoming.map(|flow| &flow.source).collect();
        sources.len() == 1 && sources[0] != id && scope.flows.iter().any(|flow| flow.source == *id)
    };
    spots(model).filter(fits).map(Cut::Fuse).collect()
}

/// Each node, into each other one of its kind, and each boundary event into another one of its host.
pub(super) fn mergers(model: &Definitions) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for spot in spots(model) {
        let nodes = &model.scope(spot.scope).nodes;
        let others = (0..nodes.len()).filter(|&other| other != spot.node && alike(&nodes[spot.node], &nodes[other]));
        cuts.extend(others.map(|into| Cut::Merge(spot, into)));
    }
    cuts
}

fn alike(node: &FlowNode, other: &FlowNode) -> bool {
    let host = |node: &FlowNode| match &node.kind {
        NodeKind::Boundary { attached_to, .. } => attached_to.clone(),
        _ => None,
    };
    node.kind.element() == other.kind.element() && host(node) == host(other)
}

fn is_start(node: &FlowNode) -> bool {
    matches!(node.kind, NodeKind::Start { .. })
}

/// Where a node leads, but for itself: along its flows, or behind the catch event of its link.
fn targets(scope: &Scope, node: &FlowNode) -> Vec<String> {
    let is_catch = |other: &&FlowNode| matches!(other.kind, NodeKind::Catch { .. }) && link(other) == link(node);
    let caught = match node.kind {
        NodeKind::Throw { .. } if link(node).is_some() => scope.nodes.iter().find(is_catch),
        _ => None,
    };
    let from = &caught.unwrap_or(node).id;
    let flows = scope
        .flows
        .iter()
        .filter(|flow| flow.source == *from && flow.target != node.id);
    flows.map(|flow| flow.target.clone()).collect()
}

pub(super) fn bypass(model: &mut Definitions, spot: Spot, way: usize) {
    bypass_in(scope_mut(model, spot.scope), spot.node, way);
}

/// From the last to the first, so that the indices of those before stay right.
pub(super) fn bypass_all(model: &mut Definitions, spots: &[Spot]) {
    for spot in spots.iter().rev() {
        bypass(model, *spot, 0);
    }
}

/// Removes a node. What led to it leads on; if nothing lies behind, it is gone too.
fn bypass_in(scope: &mut Scope, at: usize, way: usize) {
    let target = targets(scope, &scope.nodes[at]).into_iter().nth(way);
    let gone = scope.nodes.remove(at).id;
    scope.flows.retain_mut(|flow| {
        if flow.source == gone {
            return false;
        }
        if flow.target == gone {
            let Some(target) = &target else { return false };
            flow.target.clone_from(target);
        }
        true
    });
}

/// The node before takes over the flows that leave this one.
pub(super) fn fuse(model: &mut Definitions, spot: Spot) {
    let scope = scope_mut(model, spot.scope);
    let gone = scope.nodes.remove(spot.node).id;
    let Some(at) = scope.flows.iter().position(|flow| flow.target == gone) else {
        return;
    };
    let before = scope.flows.remove(at).source;
    for flow in scope.flows.iter_mut().filter(|flow| flow.source == gone) {
        flow.source.clone_from(&before);
    }
}

/// What led to the node leads to the other one, and what left it leaves that; its boundary events are at that. Flows between
/// the two go.
pub(super) fn merge(model: &mut Definitions, spot: Spot, into: usize) {
    let scope = scope_mut(model, spot.scope);
    let into = scope.nodes[into].id.clone();
    let gone = scope.nodes.remove(spot.node).id;
    for node in &mut scope.nodes {
        if let NodeKind::Boundary {
            attached_to: Some(host),
            ..
        } = &mut node.kind
            && *host == gone
        {
            host.clone_from(&into);
        }
    }
    scope.flows.retain_mut(|flow| {
        let loops = flow.source == flow.target;
        for end in [&mut flow.source, &mut flow.target] {
            if *end == gone {
                end.clone_from(&into);
            }
        }
        loops || flow.source != flow.target
    });
}
