//! What a cut leaves hanging goes: nodes that are never reached, flows that lead nowhere, references to what is not there.

use std::collections::BTreeSet;

use trackside_engine::model::{Declaration, Definitions, Gateway, NodeKind, Process, Scope, ScopeRef, Trigger};

use super::Cut;
use super::graph::Graph;

/// What stands beside the flow: all at once.
pub(super) fn beside(_: &Definitions) -> Vec<Cut> {
    vec![Cut::Beside, Cut::Correlation]
}

pub(super) fn drop_beside(model: &mut Definitions) {
    for scope in &mut model.scopes {
        scope.lanes.clear();
        scope.artifacts.clear();
        scope.data.clear();
    }
    model.diagrams.clear();
    for collaboration in &mut model.collaborations {
        collaboration.participants.clear();
        collaboration.message_flows.clear();
    }
    model
        .collaborations
        .retain(|collaboration| !collaboration.keys.is_empty());
}

pub(super) fn drop_correlation(model: &mut Definitions) {
    for collaboration in &mut model.collaborations {
        collaboration.keys.clear();
    }
    model.correlation_properties.clear();
}

pub(super) fn tidy(model: &mut Definitions) {
    model.scopes.iter_mut().for_each(reach);
    compact(model);
    model.scopes.iter_mut().for_each(settle);
    declarations(model);
}

/// Drops what no token comes to, and flows without an end.
fn reach(scope: &mut Scope) {
    let alive = Graph::of(scope).alive();
    let mut at = 0;
    scope.nodes.retain(|_| {
        at += 1;
        alive[at - 1]
    });
    let ids: BTreeSet<&str> = scope.nodes.iter().map(|node| node.id.as_str()).collect();
    let flows = &mut scope.flows;
    flows.retain(|flow| ids.contains(&*flow.source) && ids.contains(&*flow.target));
}

/// Drops the scopes that are nobody's body, and numbers the others in the order in which they open.
fn compact(model: &mut Definitions) {
    let mut old = std::mem::take(&mut model.scopes);
    let processes: Vec<&mut Process> = model.processes.iter_mut().collect();
    for process in processes {
        // Each body on the way, with the scope around it and the node whose body it is.
        let mut pending: Vec<(ScopeRef, Option<(ScopeRef, usize)>)> = vec![(process.body, None)];
        while let Some((body, around)) = pending.pop() {
            let new = ScopeRef(model.scopes.len() as u32);
            let mut scope = std::mem::take(&mut old[body.0 as usize]);
            scope.parent = around.map(|(scope, _)| scope);
            let bodies = scope.nodes.iter().enumerate().rev();
            pending.extend(bodies.filter_map(|(at, node)| match node.kind {
                NodeKind::SubProcess { body, .. } => Some((body, Some((new, at)))),
                _ => None,
            }));
            model.scopes.push(scope);
            match around {
                None => process.body = new,
                Some((outer, at)) => {
                    if let NodeKind::SubProcess { body, .. } = &mut model.scopes[outer.0 as usize].nodes[at].kind {
                        *body = new;
                    }
                }
            }
        }
    }
}

/// Makes default flows, activations and lanes fit the flows and nodes that there are.
fn settle(scope: &mut Scope) {
    let ids: BTreeSet<&str> = scope.nodes.iter().map(|node| node.id.as_str()).collect();
    for lane in &mut scope.lanes {
        lane.nodes.retain(|node| ids.contains(&**node));
    }
    for node in &mut scope.nodes {
        let leaves = |id: &str| scope.flows.iter().any(|flow| flow.id == id && flow.source == node.id);
        if node.default.as_deref().is_some_and(|flow| !leaves(flow)) {
            node.default = None;
        }
        let incoming = scope.flows.iter().filter(|flow| flow.target == node.id);
        let incoming: BTreeSet<&str> = incoming.map(|flow| flow.id.as_str()).collect();
        if let NodeKind::Gateway { gateway, .. } = &mut node.kind {
            activations(gateway, &incoming);
        }
    }
}

/// CPX-7: counts are within the number of incoming flows, what is required comes in. Where nothing is to be joined, there
/// is nothing to say.
fn activations(gateway: &mut Gateway, incoming: &BTreeSet<&str>) {
    let Gateway::Complex { activations, condition } = gateway else {
        return;
    };
    if incoming.len() < 2 {
        activations.clear();
        *condition = None;
    }
    for triple in activations {
        triple.required.retain(|flow| incoming.contains(&**flow));
        // The author may require a flow twice; that is the validator's business.
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let (least, most) = (number(triple.required.len().max(1)), number(incoming.len()));
        triple.count = triple.count.map(|count| count.max(least).min(most));
    }
}

/// Drops the messages, signals, errors and escalations that nothing refers to.
fn declarations(model: &mut Definitions) {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for node in model.scopes.iter().flat_map(|scope| &scope.nodes) {
        if let NodeKind::Task {
            message: Some(message), ..
        } = &node.kind
        {
            used.insert(message);
        }
        for event in node.kind.events() {
            used.extend(match &event.trigger {
                Trigger::Message(id) | Trigger::Signal(id) | Trigger::Error(id) | Trigger::Escalation(id) => {
                    id.as_deref()
                }
                _ => None,
            });
        }
    }
    let retrievals = model
        .correlation_properties
        .iter()
        .flat_map(|property| &property.retrievals);
    used.extend(retrievals.map(|retrieval| retrieval.message.as_str()));
    let keep = |declared: &Declaration| used.contains(&*declared.id);
    model.messages.retain(keep);
    model.signals.retain(keep);
    model.errors.retain(keep);
    model.escalations.retain(keep);
}
