//! Intermediate throw events (EVT-1): none, message, signal, escalation.
//!
//! Configuration: what the event throws. State: none. Its effects are applied in the same transition, before the token
//! goes on; if they withdraw the thrower, it does not.

use super::exit::{self, Rule};
use super::spec::{Coded, code_of};
use super::{Build, Node};
use crate::ids::NodeId;
use crate::instance::{Cx, TokenIx};
use crate::model::{NodeKind, Trigger};
use crate::template::{self, EventRef, Template};

#[derive(Debug)]
struct Throw {
    id: NodeId,
    effect: Effect,
}

#[derive(Debug)]
enum Effect {
    Nothing,
    Event { event: EventRef, message: bool },
    Escalation(String),
}

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let NodeKind::Throw { events } = &build.node.kind else {
        return None;
    };
    let effect = match build.single(events).map(|event| &event.trigger) {
        Some(Trigger::Link(_)) if events.len() == 1 => return None,
        None | Some(Trigger::Link(_)) => Effect::Nothing,
        Some(trigger) => effect(build, trigger).unwrap_or(Effect::Nothing),
    };
    Some(Box::new(Throw { id: build.id, effect }))
}

fn effect(build: &mut Build<'_, '_>, trigger: &Trigger) -> Option<Effect> {
    Some(match trigger {
        Trigger::Message(name) => Effect::Event {
            event: build.event(true, name.as_deref())?,
            message: true,
        },
        Trigger::Signal(name) => Effect::Event {
            event: build.event(false, name.as_deref())?,
            message: false,
        },
        Trigger::Escalation(name) => Effect::Escalation(
            code_of(build, Coded::Escalation, name.as_deref())
                .ok()?
                .unwrap_or_default(),
        ),
        Trigger::Compensate => {
            build.unsupported("a compensation throw event");
            return None;
        }
        _ => {
            build.error(
                "EVT-1",
                format!("`{}` throws what an intermediate event can't throw", build.node.id),
                "throw a message, a signal, an escalation, a link or nothing; or use an end event",
            );
            return None;
        }
    })
}

impl Node for Throw {
    fn place(&self) -> NodeId {
        self.id
    }

    fn passes(&self) -> bool {
        matches!(self.effect, Effect::Nothing)
    }

    fn throws(&self) -> Option<EventRef> {
        match self.effect {
            Effect::Event { event, message: true } => Some(event),
            _ => None,
        }
    }

    fn effect(&self) -> template::Effect {
        match self.effect {
            Effect::Nothing => template::Effect::None,
            Effect::Event { event, .. } => template::Effect::Throws(event),
            Effect::Escalation(_) => template::Effect::Raises,
        }
    }

    fn ways(&self, t: &Template) -> u32 {
        exit::ways(t, self.id, Rule::Uncontrolled)
    }

    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        match &self.effect {
            Effect::Nothing => exit::leave(cx, token, Rule::Uncontrolled, Some(choice), &[]),
            Effect::Event { event, .. } => cx.throw(token, *event, choice),
            Effect::Escalation(code) => {
                let track = cx.track(token);
                cx.raise_escalation(token, code);
                if cx.lives(token, track) {
                    exit::leave(cx, token, Rule::Uncontrolled, Some(choice), &[]);
                }
            }
        }
    }

    fn thrown(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        exit::leave(cx, token, Rule::Uncontrolled, Some(choice), &[]);
    }
}
