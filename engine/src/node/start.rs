//! Start events (EVT-1, INS-8), also those of event sub-processes (ESP).
//!
//! Configuration: the trigger, and for an event sub-process its scope and mode. State: none. A start of a process is an
//! alternative to the others; what creates the instance has chosen it. A start of an event sub-process holds a
//! subscription of the scope around it, and the handler begins when that fires.

use super::exit::{self, Rule};
use super::{Build, Node, Occasion, Spec};
use crate::ids::{NodeId, ScopeId};
use crate::instance::{Cx, Mode, Owner, TokenIx, WatcherIx, Withdrawal};
use crate::model::NodeKind;
use crate::template::Template;

#[derive(Debug)]
struct Start {
    id: NodeId,
    spec: Option<Spec>,
    /// The event sub-process it starts.
    handler: Option<ScopeId>,
    interrupting: bool,
}

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let NodeKind::Start {
        events, interrupting, ..
    } = &build.node.kind
    else {
        return None;
    };
    let event = build.single(events);
    let spec = event.and_then(|event| Spec::compile(build, event));
    let interrupting = *interrupting || spec.as_ref().is_some_and(Spec::always_interrupts);
    let scope = build.t.node(build.id).scope;
    let handler = build.t.scope(scope).handles.then_some(scope);
    if handler.is_none() && matches!(spec, Some(Spec::Error(_) | Spec::Escalation(_))) {
        build.error(
            "EVT-1",
            format!(
                "`{}` starts with an error or escalation, but stands outside of an event sub-process",
                build.node.id
            ),
            "move it into an event sub-process",
        );
    }
    Some(Box::new(Start {
        id: build.id,
        spec,
        handler,
        interrupting,
    }))
}

impl Node for Start {
    fn place(&self) -> NodeId {
        self.id
    }

    fn passes(&self) -> bool {
        true
    }

    fn spec(&self) -> Option<&Spec> {
        self.spec.as_ref()
    }

    fn mode(&self) -> Mode {
        if self.interrupting {
            Mode::Interrupting
        } else {
            Mode::NonInterrupting
        }
    }

    fn ways(&self, t: &Template) -> u32 {
        exit::ways(t, self.id, Rule::Uncontrolled)
    }

    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        exit::leave(cx, token, Rule::Uncontrolled, Some(choice), &[]);
    }

    fn occur(&self, cx: &mut Cx<'_>, watcher: WatcherIx, occasion: Occasion<'_>) {
        let (Owner::Scope(scope), Some(handler)) = (cx.watcher(watcher).owner, self.handler) else {
            return;
        };
        if self.interrupting {
            cx.disarm(watcher, Withdrawal::Taken);
        } else {
            cx.refire(watcher);
        }
        let token = cx.start_handler(handler, self.id, scope, self.interrupting);
        if cx.core.end.is_none() {
            exit::leave(cx, token, Rule::Uncontrolled, occasion.choice, &[]);
        }
    }
}
