//! Events and what they wait for or cause.

use crate::model::{Binding, EventDefinition, Expression, FlowNode, NodeKind, Timer, Trigger};

use super::super::namespace::Space;
use super::super::tree::Element;
use super::context::Context;

/// An event of any kind.
pub(super) fn node<'t>(context: &mut Context<'t>, el: &Element<'t>) -> Option<FlowNode> {
    let kind = match el.local {
        "startEvent" => NodeKind::Start {
            events: definitions(context, el),
            binding: binding(context, el),
            interrupting: context.bool(el, "isInterrupting", true),
        },
        "endEvent" => NodeKind::End {
            events: definitions(context, el),
        },
        "intermediateThrowEvent" => NodeKind::Throw {
            events: definitions(context, el),
        },
        "intermediateCatchEvent" => NodeKind::Catch {
            events: definitions(context, el),
            binding: binding(context, el),
        },
        "boundaryEvent" => NodeKind::Boundary {
            attached_to: el.reference("attachedToRef"),
            interrupting: context.bool(el, "cancelActivity", true),
            events: definitions(context, el),
            binding: binding(context, el),
        },
        _ => return None,
    };
    Some(context.flow_node(el, kind))
}

fn binding(context: &mut Context<'_>, el: &Element<'_>) -> Binding {
    if context.bool(el, "parallelMultiple", false) {
        Binding::All
    } else {
        Binding::Any
    }
}

/// Whether an element of this name says what an event is about.
pub(super) fn is_definition(local: &str) -> bool {
    matches!(
        local,
        "messageEventDefinition"
            | "signalEventDefinition"
            | "errorEventDefinition"
            | "escalationEventDefinition"
            | "timerEventDefinition"
            | "conditionalEventDefinition"
            | "linkEventDefinition"
            | "terminateEventDefinition"
            | "compensateEventDefinition"
            | "cancelEventDefinition"
    )
}

fn definitions(context: &mut Context<'_>, el: &Element<'_>) -> Vec<EventDefinition> {
    let mut definitions = Vec::new();
    for child in el.children() {
        if child.space() == Space::Bpmn && is_definition(child.local) {
            definitions.push(EventDefinition {
                id: child.id(),
                at: child.at(),
                trigger: trigger(context, &child),
            });
        } else if child.is("eventDefinitionRef") {
            definitions.extend(shared(context, &child));
        } else {
            context.leftover(&child, el.local);
        }
    }
    definitions
}

/// A definition from the top of the file, as if it stood here. Its id stays with the original.
fn shared(context: &mut Context<'_>, el: &Element<'_>) -> Option<EventDefinition> {
    let id = context.text_reference(el);
    let original = context.shared_event(el, &id)?;
    Some(EventDefinition {
        id: None,
        at: el.at(),
        trigger: trigger(context, &original),
    })
}

fn trigger(context: &mut Context<'_>, el: &Element<'_>) -> Trigger {
    match el.local {
        "timerEventDefinition" => return Trigger::Timer(timer(context, el)),
        "conditionalEventDefinition" => return Trigger::Conditional(condition(context, el)),
        _ => context.all_leftover(el),
    }
    match el.local {
        "messageEventDefinition" => Trigger::Message(el.reference("messageRef")),
        "signalEventDefinition" => Trigger::Signal(el.reference("signalRef")),
        "errorEventDefinition" => Trigger::Error(el.reference("errorRef")),
        "escalationEventDefinition" => Trigger::Escalation(el.reference("escalationRef")),
        "linkEventDefinition" => Trigger::Link(el.string("name")),
        "terminateEventDefinition" => Trigger::Terminate,
        "compensateEventDefinition" => Trigger::Compensate,
        other => {
            debug_assert_eq!(other, "cancelEventDefinition", "every name of is_definition is handled");
            Trigger::Cancel
        }
    }
}

/// BPMN allows one of the three; the first counts, any other is reported.
fn timer(context: &mut Context<'_>, el: &Element<'_>) -> Option<Timer> {
    let mut timer = None;
    for child in el.children() {
        let kind: fn(Expression) -> Timer = match child.local {
            "timeDuration" => Timer::Duration,
            "timeDate" => Timer::Date,
            "timeCycle" => Timer::Cycle,
            _ => {
                context.leftover(&child, el.local);
                continue;
            }
        };
        if child.space() != Space::Bpmn {
            context.leftover(&child, el.local);
        } else if timer.is_some() {
            let message = format!("the timer has a second time, `{}`", child.local);
            context.wrong(&child, message, "Keep the one that is meant.");
        } else {
            timer = Some(kind(context.expression(&child)));
        }
    }
    timer
}

fn condition(context: &mut Context<'_>, el: &Element<'_>) -> Option<Expression> {
    let mut condition = None;
    for child in el.children() {
        if child.is("condition") && condition.is_none() {
            condition = Some(context.expression(&child));
        } else {
            context.leftover(&child, el.local);
        }
    }
    condition
}
