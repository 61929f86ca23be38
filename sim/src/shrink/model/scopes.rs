//! Cuts of whole scopes: processes, sub-processes, event sub-processes.

use trackside_engine::model::{Definitions, FlowNode, NodeKind, Scope, ScopeRef, TaskKind};

use super::graph::is_handler;
use super::{Cut, Spot, node, node_mut, scope_mut, spots};

/// One process alone; then without one of them.
pub(super) fn processes(model: &Definitions) -> Vec<Cut> {
    let all = 0..model.processes.len();
    match model.processes.len() {
        0 | 1 => Vec::new(),
        _ => all.clone().map(Cut::OnlyProcess).chain(all.map(Cut::Process)).collect(),
    }
}

fn body(node: &FlowNode) -> Option<ScopeRef> {
    match node.kind {
        NodeKind::SubProcess { body, .. } => Some(body),
        _ => None,
    }
}

fn with_body(model: &Definitions) -> impl Iterator<Item = Spot> + '_ {
    spots(model).filter(|spot| body(node(model, *spot)).is_some())
}

/// Each sub-process as the whole process.
pub(super) fn hoists(model: &Definitions) -> Vec<Cut> {
    with_body(model).map(Cut::Hoist).collect()
}

/// Each sub-process as a task, and as what is inside of it.
pub(super) fn inside(model: &Definitions) -> Vec<Cut> {
    let embedded = with_body(model).filter(|spot| !is_handler(node(model, *spot)));
    embedded.flat_map(|spot| [Cut::Task(spot), Cut::Inline(spot)]).collect()
}

pub(super) fn only(model: &mut Definitions, at: usize) {
    model.processes.swap(0, at);
    model.processes.truncate(1);
}

pub(super) fn task(model: &mut Definitions, spot: Spot) {
    node_mut(model, spot).kind = NodeKind::Task {
        task: TaskKind::Abstract,
        message: None,
        instantiate: false,
        repeat: None,
        for_compensation: false,
    };
}

/// The process around becomes the inside. A handler's start loses its trigger: nothing is to be waited for.
pub(super) fn hoist(model: &mut Definitions, spot: Spot) {
    let mut root = spot.scope;
    while let Some(around) = model.scope(root).parent {
        root = around;
    }
    let Some(inside) = body(node(model, spot)) else { return };
    for process in &mut model.processes {
        if process.body == root {
            process.body = inside;
        }
    }
    for node in &mut scope_mut(model, inside).nodes {
        if let NodeKind::Start {
            events, interrupting, ..
        } = &mut node.kind
        {
            events.clear();
            *interrupting = true;
        }
    }
}

/// What led to the sub-process leads to its start, what left it leaves its first plain end, or the start, where there is no
/// plain end; both are plain events now. Its boundary events go.
pub(super) fn inline(model: &mut Definitions, spot: Spot) {
    let Some(body) = body(node(model, spot)) else { return };
    let mut inside = std::mem::take(scope_mut(model, body));
    let scope = scope_mut(model, spot.scope);
    let host = scope.nodes.remove(spot.node).id;
    let entry = open_start(&mut inside);
    let exit = open_end(&mut inside).or_else(|| entry.clone());
    scope.flows.retain_mut(|flow| {
        let target = (flow.target == host).then_some(&entry);
        let source = (flow.source == host).then_some(&exit);
        for (end, new) in [(&mut flow.target, target), (&mut flow.source, source)] {
            match new {
                Some(Some(new)) => end.clone_from(new),
                Some(None) => return false,
                None => {}
            }
        }
        true
    });
    scope.nodes.splice(spot.node..spot.node, inside.nodes);
    scope.flows.extend(inside.flows);
}

/// The first start is a plain event within the flow, the others go.
fn open_start(scope: &mut Scope) -> Option<String> {
    let mut first = None;
    scope.nodes.retain_mut(|node| {
        if !matches!(node.kind, NodeKind::Start { .. }) {
            return true;
        }
        if first.is_some() {
            return false;
        }
        node.kind = NodeKind::Throw { events: Vec::new() };
        first = Some(node.id.clone());
        true
    });
    let unentered = |node: &&FlowNode| {
        let entered = scope.flows.iter().any(|flow| flow.target == node.id);
        !entered && !is_handler(node) && !matches!(node.kind, NodeKind::Boundary { .. })
    };
    first.or_else(|| scope.nodes.iter().find(unentered).map(|node| node.id.clone()))
}

/// The first plain end is a plain event within the flow, and what led to the others leads to it.
fn open_end(scope: &mut Scope) -> Option<String> {
    let is_plain_end = |node: &FlowNode| matches!(&node.kind, NodeKind::End { events } if events.is_empty());
    let ends = scope.nodes.iter().filter(|node| is_plain_end(node));
    let ends: Vec<String> = ends.map(|node| node.id.clone()).collect();
    let first = ends.first()?.clone();
    for flow in scope.flows.iter_mut().filter(|flow| ends.contains(&flow.target)) {
        flow.target.clone_from(&first);
    }
    scope.nodes.retain(|node| node.id == first || !is_plain_end(node));
    let node = scope.nodes.iter_mut().find(|node| node.id == first)?;
    node.kind = NodeKind::Throw { events: Vec::new() };
    Some(first)
}
