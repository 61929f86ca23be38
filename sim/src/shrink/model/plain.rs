//! Plainer elements in the same places: without triggers, conditions and defaults, gateways of a simpler kind.

use trackside_engine::model::{Binding, Definitions, Gateway, NodeKind, TaskKind};

use super::{Cut, Spot, lines, node, node_mut, spots};

/// What an element becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::shrink) enum Plainer {
    /// An event without triggers (a catch event then waits for nothing), an abstract task, a gateway that takes one way.
    Bare,
    /// An event with its first trigger only.
    OneTrigger,
    /// A complex gateway with this one activation only.
    OneActivation(usize),
    /// A complex gateway whose activations ask for one token, without guards and required flows.
    BareActivations,
    /// A parallel gateway.
    Parallel,
    /// An inclusive gateway.
    Inclusive,
}

/// All conditions at once.
pub(super) fn all_conditions(_: &Definitions) -> Vec<Cut> {
    vec![Cut::AllConditions]
}

pub(super) fn drop_conditions(model: &mut Definitions) {
    for scope in &mut model.scopes {
        scope.flows.iter_mut().for_each(|flow| flow.condition = None);
        scope.nodes.iter_mut().for_each(|node| node.default = None);
    }
}

/// Conditions and default flows, one at a time.
pub(super) fn conditions(model: &Definitions) -> Vec<Cut> {
    let conditions = lines(model).filter(|line| model.scope(line.scope).flows[line.flow].condition.is_some());
    let defaults = spots(model).filter(|spot| node(model, *spot).default.is_some());
    conditions
        .map(Cut::Condition)
        .chain(defaults.map(Cut::Default))
        .collect()
}

/// What each element could be instead.
pub(super) fn nodes(model: &Definitions) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for spot in spots(model) {
        cuts.extend(
            plainer(&node(model, spot).kind)
                .into_iter()
                .map(|plainer| Cut::Plain(spot, plainer)),
        );
    }
    cuts
}

fn plainer(kind: &NodeKind) -> Vec<Plainer> {
    match kind {
        NodeKind::Boundary { events, .. } => several(events.len()),
        NodeKind::Start { events, .. } | NodeKind::Catch { events, .. } => {
            [vec![Plainer::Bare], several(events.len())].concat()
        }
        NodeKind::Throw { events } | NodeKind::End { events } if events.is_empty() => Vec::new(),
        NodeKind::Throw { events } | NodeKind::End { events } => [vec![Plainer::Bare], several(events.len())].concat(),
        NodeKind::Task { .. } | NodeKind::Call { .. } => vec![Plainer::Bare],
        NodeKind::Gateway { gateway, .. } => plainer_gateway(gateway),
        _ => Vec::new(),
    }
}

fn plainer_gateway(gateway: &Gateway) -> Vec<Plainer> {
    match gateway {
        Gateway::Exclusive => Vec::new(),
        Gateway::Parallel | Gateway::EventBased { .. } => vec![Plainer::Bare],
        Gateway::Inclusive => vec![Plainer::Bare, Plainer::Parallel],
        Gateway::Complex { activations, .. } => {
            let single = (0..activations.len()).filter(|_| activations.len() > 1);
            let kinds = [
                Plainer::Bare,
                Plainer::Parallel,
                Plainer::Inclusive,
                Plainer::BareActivations,
            ];
            kinds.into_iter().chain(single.map(Plainer::OneActivation)).collect()
        }
    }
}

fn several(events: usize) -> Vec<Plainer> {
    if events > 1 {
        vec![Plainer::OneTrigger]
    } else {
        Vec::new()
    }
}

pub(super) fn make(model: &mut Definitions, spot: Spot, plainer: Plainer) {
    let kind = &mut node_mut(model, spot).kind;
    match plainer {
        Plainer::Bare => bare(kind),
        Plainer::OneTrigger => one_trigger(kind),
        Plainer::OneActivation(nth) => one_activation(kind, nth),
        Plainer::BareActivations => bare_activations(kind),
        Plainer::Parallel => become_gateway(kind, Gateway::Parallel),
        Plainer::Inclusive => become_gateway(kind, Gateway::Inclusive),
    }
}

fn become_gateway(kind: &mut NodeKind, new: Gateway) {
    if let NodeKind::Gateway { gateway, .. } = kind {
        *gateway = new;
    }
}

fn bare(kind: &mut NodeKind) {
    match kind {
        NodeKind::Start { events, .. } | NodeKind::End { events } | NodeKind::Throw { events } => events.clear(),
        NodeKind::Catch { .. } => *kind = NodeKind::Throw { events: Vec::new() },
        NodeKind::Task { .. } | NodeKind::Call { .. } => {
            *kind = NodeKind::Task {
                task: TaskKind::Abstract,
                message: None,
                instantiate: false,
                repeat: None,
                for_compensation: false,
            };
        }
        NodeKind::Gateway { gateway, .. } => *gateway = Gateway::Exclusive,
        _ => {}
    }
}

fn one_trigger(kind: &mut NodeKind) {
    match kind {
        NodeKind::Start { events, binding, .. }
        | NodeKind::Catch { events, binding }
        | NodeKind::Boundary { events, binding, .. } => {
            events.truncate(1);
            *binding = Binding::Any;
        }
        NodeKind::End { events } | NodeKind::Throw { events } => events.truncate(1),
        _ => {}
    }
}

fn one_activation(kind: &mut NodeKind, nth: usize) {
    if let NodeKind::Gateway {
        gateway: Gateway::Complex { activations, .. },
        ..
    } = kind
    {
        activations.swap(0, nth);
        activations.truncate(1);
    }
}

fn bare_activations(kind: &mut NodeKind) {
    if let NodeKind::Gateway {
        gateway: Gateway::Complex { activations, .. },
        ..
    } = kind
    {
        for triple in activations {
            triple.count = triple.count.map(|_| 1);
            triple.required.clear();
            triple.condition = None;
        }
    }
}
