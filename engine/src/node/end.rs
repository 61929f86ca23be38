//! End events (EVT-1, TRK-4, EVT-5, ERR-2, ESC-1).
//!
//! Configuration: what the event causes. State: none. Every end consumes the token that reaches it; what it throws
//! belongs to the same transition.

use super::spec::{Coded, code_of};
use super::{Build, Node};
use crate::ids::NodeId;
use crate::instance::{Cx, Final, TokenIx};
use crate::model::{NodeKind, Trigger};
use crate::planted::planted;
use crate::template::{self, EventRef};

#[derive(Debug)]
struct End {
    id: NodeId,
    effect: Effect,
}

#[derive(Debug)]
enum Effect {
    Nothing,
    Event { event: EventRef, message: bool },
    Error(String),
    Escalation(String),
    Terminate,
}

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let NodeKind::End { events } = &build.node.kind else {
        return None;
    };
    let effect = match build.single(events).map(|event| &event.trigger) {
        None => Effect::Nothing,
        Some(trigger) => effect(build, trigger).unwrap_or(Effect::Nothing),
    };
    Some(Box::new(End { id: build.id, effect }))
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
        // An end that names no error raises one without a code: only a catcher of every error takes it.
        Trigger::Error(name) => Effect::Error(code_of(build, Coded::Error, name.as_deref()).ok()?.unwrap_or_default()),
        Trigger::Escalation(name) => Effect::Escalation(
            code_of(build, Coded::Escalation, name.as_deref())
                .ok()?
                .unwrap_or_default(),
        ),
        Trigger::Terminate => Effect::Terminate,
        Trigger::Compensate => return unsupported(build, "a compensation end event"),
        Trigger::Cancel => return unsupported(build, "a cancel end event"),
        Trigger::Timer(_) | Trigger::Conditional(_) | Trigger::Link(_) => {
            build.error(
                "EVT-1",
                format!(
                    "`{}` is an end event, which can't wait for anything or link",
                    build.node.id
                ),
                "use an event that throws",
            );
            return None;
        }
    })
}

fn unsupported(build: &mut Build<'_, '_>, what: &str) -> Option<Effect> {
    build.unsupported(what);
    None
}

impl Node for End {
    fn place(&self) -> NodeId {
        self.id
    }

    fn prompt(&self) -> bool {
        !matches!(self.effect, Effect::Event { message: true, .. })
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
            Effect::Error(_) | Effect::Escalation(_) => template::Effect::Raises,
            Effect::Terminate => template::Effect::Terminates,
        }
    }

    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        match &self.effect {
            Effect::Nothing => {
                planted!(cx, PlainEndTerminates => return cx.complete_run(token));
                cx.end_here(token);
            }
            Effect::Event { event, .. } => cx.throw(token, *event, choice),
            Effect::Terminate => cx.terminate(token),
            Effect::Error(code) => {
                cx.executed(token);
                cx.raise_error(token, code, false);
            }
            Effect::Escalation(code) => {
                let track = cx.track(token);
                cx.executed(token);
                cx.raise_escalation(token, code);
                if cx.lives(token, track) {
                    cx.end_track(token, Final::Ended);
                }
            }
        }
    }

    fn thrown(&self, cx: &mut Cx<'_>, token: TokenIx, _: u32) {
        cx.end_here(token);
    }
}
