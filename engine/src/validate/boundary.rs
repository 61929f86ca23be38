//! Boundary events and, where the rules are the same, event sub-processes (BND-1, BND-3, BND-7).

use std::collections::BTreeMap;

use crate::model::{EventDefinition, FlowNode, NodeKind, Trigger};

use super::index::{Handled, Index, NodeIx, ScopeIx, Spot};
use super::report::{Report, called};

/// BND-1, BND-3, BND-7, XML-REF.
pub(super) fn check(index: &Index<'_>, report: &mut Report) {
    for (_, spot) in index.spots() {
        if let NodeKind::Boundary {
            attached_to, events, ..
        } = &spot.node.kind
        {
            attachment(index, spot, attached_to.as_deref(), report);
            kind(spot.node, events, report);
        }
        if let Some(handler) = Handler::of(spot.node) {
            mode(&handler, report);
        }
        let handlers = spot.boundaries.iter().filter_map(|&ix| Handler::of(index.node(ix)));
        duplicates(index, handlers, called(spot.node).as_str(), report);
    }
    for (scope, handlers) in event_sub_processes(index) {
        let host = index.area(scope).host;
        let host = host.map_or_else(
            || format!("process `{}`", index.area(scope).process.id),
            |host| called(index.node(host)),
        );
        duplicates(index, handlers.into_iter(), &host, report);
    }
}

/// Where it hangs.
fn attachment(index: &Index<'_>, spot: &Spot<'_>, attached_to: Option<&str>, report: &mut Report) {
    let Some(name) = attached_to else {
        let message = format!("{} is attached to nothing", called(spot.node));
        let hint = "name its activity in `attachedToRef`";
        return report.error("XML-REF", spot.node, message, hint);
    };
    let Some(host) = spot.host.map(|host| index.spot(host)) else {
        let message = format!(
            "{} is attached to `{name}`, which is no node of its scope",
            called(spot.node)
        );
        let hint = "attach it to an activity that stands beside it";
        return report.error("XML-REF", spot.node, message, hint);
    };
    let message = format!("{} is attached to {}", called(spot.node), called(host.node));
    if host.handles() {
        let hint = "handle the event inside the event sub-process: no token ever enters it from outside";
        report.error("BND-1", spot.node, format!("{message}, an event sub-process"), hint);
    } else if !is_activity(host.node) {
        let hint = "attach it to a task, a sub-process or a call activity";
        report.error("BND-1", spot.node, format!("{message}, which is no activity"), hint);
    }
}

fn is_activity(node: &FlowNode) -> bool {
    matches!(
        node.kind,
        NodeKind::Task { .. } | NodeKind::SubProcess { .. } | NodeKind::Call { .. }
    )
}

/// BND-7: what a boundary event can't wait for. (Compensation and cancellation are the compiler's.)
fn kind(node: &FlowNode, events: &[EventDefinition], report: &mut Report) {
    let what = match events {
        [] => "nothing",
        [event] => match event.trigger {
            Trigger::Link(_) => "a link",
            Trigger::Terminate => "a termination",
            _ => return,
        },
        _ => return,
    };
    let message = format!("{} waits for {what}", called(node));
    let hint = "give it a timer, a message, a signal, a condition, an error or an escalation";
    report.error("BND-7", node, message, hint);
}

/// A boundary event, or the start event of an event sub-process.
struct Handler<'m> {
    node: &'m FlowNode,
    event: &'m EventDefinition,
    interrupting: bool,
}

impl<'m> Handler<'m> {
    fn of(node: &'m FlowNode) -> Option<Self> {
        let (events, interrupting) = match &node.kind {
            NodeKind::Boundary {
                events, interrupting, ..
            }
            | NodeKind::Start {
                events, interrupting, ..
            } => (events, *interrupting),
            _ => return None,
        };
        match events.as_slice() {
            [event] => Some(Self {
                node,
                event,
                interrupting,
            }),
            _ => None,
        }
    }

    fn catches_errors(&self) -> bool {
        matches!(self.event.trigger, Trigger::Error(_))
    }
}

/// BND-3.
fn mode(handler: &Handler<'_>, report: &mut Report) {
    if handler.catches_errors() && !handler.interrupting {
        let message = format!(
            "{} interrupts, whatever it says: what raised an error can't go on",
            called(handler.node)
        );
        let hint = "drop `cancelActivity` or `isInterrupting`, or use an escalation";
        report.warning("BND-3", handler.node, message, hint);
    }
}

/// BND-7: at most one interrupting handler for each declaration.
fn duplicates<'m>(index: &Index<'m>, handlers: impl Iterator<Item = Handler<'m>>, host: &str, report: &mut Report) {
    let mut first: BTreeMap<Handled<'m>, &FlowNode> = BTreeMap::new();
    for handler in handlers.filter(|handler| handler.interrupting || handler.catches_errors()) {
        let Some(handled) = index.handled(&handler.event.trigger) else {
            continue;
        };
        let Some(other) = first.get(&handled) else {
            first.insert(handled, handler.node);
            continue;
        };
        let message = format!(
            "{} and {} both interrupt {host} for {}",
            called(other),
            called(handler.node),
            described(handled)
        );
        let hint = "keep one of them, or make the other non-interrupting";
        report.error("BND-7", handler.node, message, hint);
    }
}

/// What is handled, in words.
fn described(handled: Handled<'_>) -> String {
    match handled {
        Handled::Message(id) => format!("message `{id}`"),
        Handled::Signal(id) => format!("signal `{id}`"),
        Handled::Error(Some(code)) => format!("error `{code}`"),
        Handled::Error(None) => "every error".to_owned(),
        Handled::Escalation(Some(code)) => format!("escalation `{code}`"),
        Handled::Escalation(None) => "every escalation".to_owned(),
    }
}

/// The handlers that stand in each scope.
fn event_sub_processes<'m>(index: &Index<'m>) -> BTreeMap<ScopeIx, Vec<Handler<'m>>> {
    let mut handlers: BTreeMap<ScopeIx, Vec<Handler<'m>>> = BTreeMap::new();
    for (_, spot) in index.spots().filter(|(_, spot)| spot.handles()) {
        let Some(body) = spot.body else { continue };
        let starts = index.nodes_of(body).map(|ix: NodeIx| index.node(ix));
        let mut starts = starts.filter(|node| matches!(node.kind, NodeKind::Start { .. }));
        if let Some(handler) = starts.next().and_then(Handler::of) {
            handlers.entry(spot.scope).or_default().push(handler);
        }
    }
    handlers
}
