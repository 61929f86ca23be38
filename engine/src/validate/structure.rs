//! Which flows a node can have by its kind, and which triggers an event (EVT-1, ESP-1).

use std::collections::BTreeMap;

use crate::model::{FlowNode, NodeKind, Trigger};

use super::index::{Index, Line, ScopeIx, Spot};
use super::report::{Report, called, flow_called};

/// EVT-1, ESP-1, FLOW-2.
pub(super) fn check(index: &Index<'_>, report: &mut Report) {
    for (_, spot) in index.spots() {
        flows(spot, report);
        if let NodeKind::Start { .. } = spot.node.kind {
            start_trigger(spot.node, report);
        }
        unnamed(spot.node, report);
    }
    links(index, report);
}

fn flows(spot: &Spot<'_>, report: &mut Report) {
    let (node, incoming, outgoing) = (spot.node, spot.incoming.first(), spot.outgoing.first());
    match &node.kind {
        NodeKind::Start { .. } => refuse(node, "EVT-1", incoming, "entered by", START, report),
        NodeKind::End { .. } => refuse(node, "EVT-1", outgoing, "left by", END, report),
        NodeKind::Boundary { .. } => refuse(node, "EVT-1", incoming, "entered by", BOUNDARY, report),
        _ if spot.handles() => {
            refuse(node, "ESP-1", incoming, "entered by", HANDLER, report);
            refuse(node, "ESP-1", outgoing, "left by", HANDLER, report);
        }
        NodeKind::Throw { .. } if spot.link().is_some() => ignored(node, outgoing, "leaves", LINK_THROW, report),
        NodeKind::Catch { .. } if spot.link().is_some() => ignored(node, incoming, "enters", LINK_CATCH, report),
        NodeKind::Gateway { gateway, .. } => {
            let gate = matches!(gateway, crate::model::Gateway::EventBased { .. });
            let bare = incoming.is_none() && outgoing.is_none() && !spot.broken_in && !spot.broken_out;
            // A gate without arms breaks EVG-5 already.
            if bare && !gate {
                let message = format!("{} has neither an incoming nor an outgoing flow", called(node));
                report.error("FLOW-2", node, message, "connect it, or remove it");
            }
        }
        _ => {}
    }
}

const START: &str = "remove the flow; to come back to the beginning, lead it to a gateway behind the start event";
const END: &str = "remove the flow, or make the event an intermediate one";
const BOUNDARY: &str = "remove the flow: only the event itself begins here";
const HANDLER: &str = "remove the flow: its start event begins it, and it ends by itself";
const LINK_THROW: &str = "remove the flow: the link goes on at its catch event";
const LINK_CATCH: &str = "lead the flow to the node behind the link, or make it a link throw event";

fn refuse(node: &FlowNode, rule: &str, line: Option<&Line<'_>>, verb: &str, hint: &str, report: &mut Report) {
    let Some(line) = line else { return };
    let message = format!("{} can't be {verb} {}", called(node), flow_called(line.flow));
    report.error(rule, node, message, hint);
}

fn ignored(node: &FlowNode, line: Option<&Line<'_>>, verb: &str, hint: &str, report: &mut Report) {
    let Some(line) = line else { return };
    let message = format!(
        "{} {verb} {}, which is a link event",
        flow_called(line.flow),
        called(node)
    );
    report.warning("EVT-1", node, message, hint);
}

/// An event may leave its message or signal open; then nothing else in the model can throw or catch it.
fn unnamed(node: &FlowNode, report: &mut Report) {
    for event in node.kind.events() {
        let what = match event.trigger {
            Trigger::Message(None) => "message",
            Trigger::Signal(None) => "signal",
            Trigger::Timer(None) => {
                let message = format!("{} has a timer without a value: it may fire at any time", called(node));
                let hint =
                    "add a timeDuration, timeDate or timeCycle in ISO 8601, or give one to the run (--set-timer)";
                report.warning("EVT-3", node, message, hint);
                continue;
            }
            _ => continue,
        };
        let message = format!(
            "{} names no {what}: only the outside can reach it, by the id of the event",
            called(node)
        );
        let hint = "declare what it throws or waits for beside the processes, and refer to it";
        report.warning("EVT-1", node, message, hint);
    }
}

/// What neither starts a process nor an event sub-process. (Errors and escalations are the compiler's.)
fn start_trigger(node: &FlowNode, report: &mut Report) {
    let NodeKind::Start { events, .. } = &node.kind else {
        return;
    };
    let what = match events.as_slice() {
        [event] => match event.trigger {
            Trigger::Link(_) => "a link",
            Trigger::Terminate => "a termination",
            Trigger::Cancel => "a cancellation",
            Trigger::Compensate => {
                let message = format!("compensation, which starts {}, is not supported", called(node));
                let hint = "replace it by supported elements, or leave it out of the model you run";
                return report.error("UNSUPPORTED", node, message, hint);
            }
            _ => return,
        },
        _ => return,
    };
    let message = format!("{} can't be triggered by {what}", called(node));
    let hint = "use a message, a signal, a timer, a condition or no trigger";
    report.error("EVT-1", node, message, hint);
}

/// A link leads to one place.
fn links(index: &Index<'_>, report: &mut Report) {
    let mut first: BTreeMap<(ScopeIx, &str), &FlowNode> = BTreeMap::new();
    for (_, spot) in index.spots() {
        let (NodeKind::Catch { .. }, Some(name)) = (&spot.node.kind, spot.link()) else {
            continue;
        };
        if let Some(other) = first.get(&(spot.scope, name)) {
            let message = format!("{} catches link `{name}`, as {} does", called(spot.node), called(other));
            let hint = "keep one catch event for each link name in a scope";
            report.error("EVT-1", spot.node, message, hint);
        } else {
            first.insert((spot.scope, name), spot.node);
        }
    }
}
