//! How large a model is: what every cut has to make smaller.

use trackside_engine::model::{Activation, Binding, Definitions, FlowNode, Gateway, NodeKind, TaskKind};

/// Nodes first, then scopes and processes, then flows, then what nodes and flows have to say, then what stands beside.
pub(in crate::shrink) fn weight(model: &Definitions) -> [usize; 5] {
    let scopes = &model.scopes;
    let conditions = scopes.iter().flat_map(|scope| &scope.flows);
    let words: usize = scopes.iter().flat_map(|scope| &scope.nodes).map(words).sum();
    [
        scopes.iter().map(|scope| scope.nodes.len()).sum(),
        scopes.len() + model.processes.len(),
        scopes.iter().map(|scope| scope.flows.len()).sum(),
        words + conditions.filter(|flow| flow.condition.is_some()).count(),
        beside(model),
    ]
}

fn beside(model: &Definitions) -> usize {
    let scopes = model.scopes.iter();
    let scopes = scopes.map(|scope| scope.lanes.len() + scope.artifacts.len() + scope.data.len());
    let declared = [&model.messages, &model.signals, &model.errors, &model.escalations].map(Vec::len);
    scopes.sum::<usize>()
        + declared.iter().sum::<usize>()
        + model.collaborations.len()
        + model.correlation_properties.len()
        + model.diagrams.len()
}

/// What an element says beyond being there.
fn words(node: &FlowNode) -> usize {
    let events = node.kind.events().len();
    let kind = match &node.kind {
        NodeKind::Start { binding, .. } | NodeKind::Catch { binding, .. } | NodeKind::Boundary { binding, .. } => {
            usize::from(*binding == Binding::All)
        }
        NodeKind::Task {
            task, message, repeat, ..
        } => usize::from(*task != TaskKind::Abstract) + usize::from(message.is_some()) + usize::from(repeat.is_some()),
        NodeKind::SubProcess { repeat, .. } => 2 + usize::from(repeat.is_some()),
        NodeKind::Call { .. } => 3,
        NodeKind::Gateway { gateway, .. } => gateway_words(gateway),
        _ => 0,
    };
    2 * events + kind + usize::from(node.default.is_some())
}

fn gateway_words(gateway: &Gateway) -> usize {
    match gateway {
        Gateway::Exclusive => 1,
        Gateway::Parallel => 2,
        Gateway::Inclusive => 3,
        Gateway::EventBased { .. } => 4,
        Gateway::Complex { activations, condition } => {
            let triple = |triple: &Activation| {
                let count = triple.count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
                2 + count + triple.required.len() + usize::from(triple.condition.is_some())
            };
            4 + usize::from(condition.is_some()) + activations.iter().map(triple).sum::<usize>()
        }
    }
}
