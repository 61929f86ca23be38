//! Events.

use crate::model::{Binding, EventDefinition, NodeKind, Timer, Trigger};

use super::out::Out;
use super::{expression, reference};

/// Writes what distinguishes an event whose element is open.
pub(super) fn event(out: &mut Out, kind: &NodeKind) {
    match kind {
        NodeKind::Start {
            events,
            binding,
            interrupting,
        } => {
            out.flag("isInterrupting", *interrupting, true);
            bound(out, events, *binding);
        }
        NodeKind::End { events } | NodeKind::Throw { events } => bound(out, events, Binding::Any),
        NodeKind::Catch { events, binding } => bound(out, events, *binding),
        NodeKind::Boundary {
            attached_to,
            interrupting,
            events,
            binding,
        } => {
            out.optional("attachedToRef", attached_to.as_deref().map(reference).as_deref())
                .flag("cancelActivity", *interrupting, true);
            bound(out, events, *binding);
        }
        _ => debug_assert!(false, "{kind:?} is no event"),
    }
}

fn bound(out: &mut Out, events: &[EventDefinition], binding: Binding) {
    out.flag("parallelMultiple", binding == Binding::All, false);
    for event in events {
        definition(out, event);
    }
}

fn definition(out: &mut Out, event: &EventDefinition) {
    let (name, refers) = match &event.trigger {
        Trigger::Message(to) => ("bpmn:messageEventDefinition", Some(("messageRef", to))),
        Trigger::Signal(to) => ("bpmn:signalEventDefinition", Some(("signalRef", to))),
        Trigger::Error(to) => ("bpmn:errorEventDefinition", Some(("errorRef", to))),
        Trigger::Escalation(to) => ("bpmn:escalationEventDefinition", Some(("escalationRef", to))),
        Trigger::Timer(_) => ("bpmn:timerEventDefinition", None),
        Trigger::Conditional(_) => ("bpmn:conditionalEventDefinition", None),
        Trigger::Link(_) => ("bpmn:linkEventDefinition", None),
        Trigger::Terminate => ("bpmn:terminateEventDefinition", None),
        Trigger::Compensate => ("bpmn:compensateEventDefinition", None),
        Trigger::Cancel => ("bpmn:cancelEventDefinition", None),
    };
    out.start(name).optional("id", event.id.as_deref());
    if let Some((attribute, to)) = refers {
        out.optional(attribute, to.as_deref().map(reference).as_deref());
    }
    match &event.trigger {
        Trigger::Link(name) => {
            out.optional("name", name.as_deref());
        }
        Trigger::Conditional(Some(condition)) => expression(out, "bpmn:condition", condition),
        Trigger::Timer(Some(timer)) => {
            let name = match timer {
                Timer::Duration(_) => "bpmn:timeDuration",
                Timer::Date(_) => "bpmn:timeDate",
                Timer::Cycle(_) => "bpmn:timeCycle",
            };
            expression(out, name, timer.expression());
        }
        _ => {}
    }
    out.end();
}
