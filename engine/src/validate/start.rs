//! How a process or sub-process begins (INS-8, INS-9, ESP-1).
//!
//! A process begins at one of its start events, instantiating gates or tasks; a sub-process at its one plain start
//! event; an event sub-process at its one start event with a trigger. Without any of these, every node that nothing leads
//! to begins.

use crate::model::{FlowNode, NodeKind, SubProcessKind};

use super::index::{Index, NodeIx, ScopeIx, Spot};
use super::report::{Element, Report, called};

/// INS-8, INS-9, ESP-1, FLOW-3.
pub(super) fn check(index: &Index<'_>, report: &mut Report) {
    for scope in index.scopes() {
        let starts: Vec<&FlowNode> = index
            .nodes_of(scope)
            .map(|ix| index.node(ix))
            .filter(|node| matches!(node.kind, NodeKind::Start { .. }))
            .collect();
        match index.kind_of(scope) {
            None => process(index, scope, &starts, report),
            Some(SubProcessKind::Event) => handler(index, scope, &starts, report),
            Some(SubProcessKind::Embedded | SubProcessKind::Transaction) => body(index, scope, &starts, report),
            Some(SubProcessKind::AdHoc) => {}
        }
        if index.area(scope).host.is_some() {
            creators(index, scope, report);
        }
    }
}

/// What a start event waits for.
fn has_trigger(start: &FlowNode) -> bool {
    matches!(&start.kind, NodeKind::Start { events, .. } if !events.is_empty())
}

fn process(index: &Index<'_>, scope: ScopeIx, starts: &[&FlowNode], report: &mut Report) {
    let process = index.area(scope).process;
    let plain: Vec<_> = starts.iter().filter(|start| !has_trigger(start)).collect();
    if let [first, second, ..] = plain.as_slice() {
        let message = format!(
            "process `{}` has {} start events without a trigger, {} the first: each instance begins at one of them only",
            process.id,
            plain.len(),
            called(first),
        );
        let hint = "keep one of them, and fork behind it where all are meant";
        report.warning("INS-8", **second, message, hint);
    }
    begins(
        index,
        scope,
        process,
        &format!("process `{}`", process.id),
        "INS-8",
        report,
    );
}

fn body(index: &Index<'_>, scope: ScopeIx, starts: &[&FlowNode], report: &mut Report) {
    let Some(host) = index.area(scope).host.map(|host| index.node(host)) else {
        return;
    };
    for start in starts.iter().filter(|start| has_trigger(start)) {
        let message = format!(
            "{} has a trigger, but {} begins with the token that enters it",
            called(start),
            called(host)
        );
        let hint = "remove the trigger, or catch the event behind a plain start event";
        report.error("INS-9", *start, message, hint);
    }
    let plain: Vec<_> = starts.iter().filter(|start| !has_trigger(start)).collect();
    if let [first, second, ..] = plain.as_slice() {
        let message = format!(
            "{} has {} start events: it begins at {} only",
            called(host),
            plain.len(),
            called(first)
        );
        let hint = "keep one of them, and fork behind it where all are meant";
        report.warning("INS-9", **second, message, hint);
    }
    begins(index, scope, host, &called(host), "INS-9", report);
}

/// Whether there is anything to begin with.
fn begins(index: &Index<'_>, scope: ScopeIx, owner: &dyn Element, name: &str, rule: &str, report: &mut Report) {
    let mut nodes = index.nodes_of(scope).map(|ix| index.spot(ix)).peekable();
    if nodes.peek().is_none() {
        let message = format!("{name} has no flow node: it ends as soon as it begins");
        let is_process = index.area(scope).host.is_none();
        let hint = if is_process {
            "draw what it does, or take `processRef` from its pool, which is a black box then"
        } else {
            "draw what it does, or make it a task"
        };
        report.warning("FLOW-3", owner, message, hint);
    } else if index.nodes_of(scope).all(|ix| index.spot(ix).handles()) {
        let message = format!("{name} has only event sub-processes: it ends as soon as it begins");
        let hint = "add a start event and what is to be done beside them";
        report.warning(rule, owner, message, hint);
    } else if !nodes.any(can_begin) {
        let message = format!("{name} can't begin: it has no start event, and a flow leads to each of its nodes");
        report.error(rule, owner, message, "add a start event");
    }
}

/// Whether a run of its scope can begin at this node. (For one with a broken flow, that flow is the problem.)
pub(super) fn can_begin(spot: &Spot<'_>) -> bool {
    let placed = match &spot.node.kind {
        NodeKind::Boundary { .. } => true,
        NodeKind::Task { for_compensation, .. } | NodeKind::Call { for_compensation, .. } => *for_compensation,
        _ => spot.handles() || matches!(spot.node.kind, NodeKind::Catch { .. }) && spot.link().is_some(),
    };
    spot.begins() || spot.broken_in || !placed && spot.incoming.is_empty()
}

fn handler(index: &Index<'_>, scope: ScopeIx, starts: &[&FlowNode], report: &mut Report) {
    let Some(host) = index.area(scope).host.map(|host| index.node(host)) else {
        return;
    };
    match starts {
        [] => {
            let message = format!("event sub-process `{}` has no start event", host.id);
            report.error(
                "ESP-1",
                host,
                message,
                "add a start event with the trigger it waits for",
            );
        }
        [start] if has_trigger(start) => {}
        [start] => {
            let message = format!("{} of event sub-process `{}` has no trigger", called(start), host.id);
            report.error("ESP-1", *start, message, "say what it waits for");
        }
        [first, second, ..] => {
            let message = format!(
                "event sub-process `{}` has {} start events, {} the first",
                host.id,
                starts.len(),
                called(first)
            );
            let hint = "keep one, and make an event sub-process for each other trigger";
            report.error("ESP-1", *second, message, hint);
        }
    }
}

/// Only a process has instances.
fn creators(index: &Index<'_>, scope: ScopeIx, report: &mut Report) {
    let nodes = index.nodes_of(scope).map(|ix: NodeIx| index.spot(ix));
    for spot in nodes.filter(|spot| spot.instantiates()) {
        let message = format!(
            "{} creates process instances, but stands in a sub-process",
            called(spot.node)
        );
        report.error(
            "INS-8",
            spot.node,
            message,
            "remove `instantiate`, or move it into the process",
        );
    }
}
