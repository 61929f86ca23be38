//! Tasks, sub-processes and call activities.

use crate::model::{FlowNode, Loop, NodeKind, ScopeRef, SubProcessKind, TaskKind};

use super::super::namespace::Space;
use super::super::rule;
use super::super::tree::Element;
use super::context::Context;

/// A task or a call activity.
pub(super) fn node<'t>(context: &mut Context<'t>, el: &Element<'t>) -> Option<FlowNode> {
    let kind = match (task_kind(el.local), el.local) {
        (Some(task), _) => NodeKind::Task {
            task,
            message: matches!(task, TaskKind::Send | TaskKind::Receive)
                .then(|| el.reference("messageRef"))
                .flatten(),
            instantiate: task == TaskKind::Receive && context.bool(el, "instantiate", false),
            repeat: marker(context, el),
            for_compensation: context.bool(el, "isForCompensation", false),
        },
        (None, "callActivity") => NodeKind::Call {
            called: el.reference("calledElement"),
            repeat: marker(context, el),
            for_compensation: context.bool(el, "isForCompensation", false),
        },
        _ => return None,
    };
    for child in el.children().filter(|child| !is_marker(child)) {
        context.leftover(&child, el.local);
    }
    Some(context.flow_node(el, kind))
}

fn task_kind(local: &str) -> Option<TaskKind> {
    Some(match local {
        "task" => TaskKind::Abstract,
        "manualTask" => TaskKind::Manual,
        "scriptTask" => TaskKind::Script,
        "sendTask" => TaskKind::Send,
        "receiveTask" => TaskKind::Receive,
        "userTask" => TaskKind::User,
        "serviceTask" => TaskKind::Service,
        "businessRuleTask" => TaskKind::BusinessRule,
        _ => return None,
    })
}

/// Which kind of sub-process `el` is, if any.
pub(super) fn sub_process_kind(context: &mut Context<'_>, el: &Element<'_>) -> Option<SubProcessKind> {
    if el.space() != Space::Bpmn {
        return None;
    }
    let kind = match el.local {
        "subProcess" => SubProcessKind::Embedded,
        "transaction" => SubProcessKind::Transaction,
        "adHocSubProcess" => SubProcessKind::AdHoc,
        _ => return None,
    };
    if !context.bool(el, "triggeredByEvent", false) {
        return Some(kind);
    }
    if kind != SubProcessKind::Embedded {
        let message = format!("`{}` cannot be triggered by an event", el.local);
        context.error(
            rule::VALUE,
            el,
            message,
            "Remove `triggeredByEvent`, or make it a `subProcess`.",
        );
        return Some(kind);
    }
    Some(SubProcessKind::Event)
}

/// A sub-process whose body is read elsewhere.
pub(super) fn sub_process<'t>(
    context: &mut Context<'t>,
    el: &Element<'t>,
    kind: SubProcessKind,
    body: ScopeRef,
) -> FlowNode {
    let kind = NodeKind::SubProcess {
        kind,
        body,
        repeat: marker(context, el),
        for_compensation: context.bool(el, "isForCompensation", false),
    };
    context.flow_node(el, kind)
}

/// Whether an element of this name makes an activity repeat.
pub(super) fn is_loop(local: &str) -> bool {
    matches!(
        local,
        "standardLoopCharacteristics" | "multiInstanceLoopCharacteristics"
    )
}

fn is_marker(el: &Element<'_>) -> bool {
    el.space() == Space::Bpmn && is_loop(el.local)
}

fn marker(context: &mut Context<'_>, el: &Element<'_>) -> Option<Loop> {
    let tree = context.tree;
    let mut markers = tree
        .children(el.node)
        .filter(|&child| tree.node(child).space == Space::Bpmn && is_loop(tree.local(child)));
    let first = markers.next()?;
    if let Some(second) = markers.next() {
        let hint = "Keep the one that is meant.";
        context.error(
            rule::VALUE,
            &tree.element(second),
            "an activity has two loop markers",
            hint,
        );
    }
    Some(Loop {
        at: tree.node(first).at,
        multi_instance: tree.local(first) == "multiInstanceLoopCharacteristics",
    })
}
