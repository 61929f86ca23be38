//! Intermediate catch events (EVT-1, EVT-2, EVT-4), alone or as the arm of a gate (EVG-1, EVG-7).
//!
//! Configuration: what the event waits for. State: its subscription, owned by the token that waits: here, or at the gate
//! in front. An arm of a parallel start is owned by the scope run (EVG-4).

use super::event_gate::took_arm;
use super::exit::{self, Rule};
use super::{Build, Node, Occasion, Spec};
use crate::ids::NodeId;
use crate::instance::{Cx, Owner, TokenIx, WatcherIx};
use crate::model::{NodeKind, Trigger};
use crate::template::Template;

#[derive(Debug)]
struct Catch {
    id: NodeId,
    spec: Option<Spec>,
}

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let NodeKind::Catch { events, .. } = &build.node.kind else {
        return None;
    };
    let event = build.single(events);
    if matches!(events.as_slice(), [only] if matches!(only.trigger, Trigger::Link(_))) {
        return None;
    }
    let spec = event.and_then(|event| Spec::compile(build, event));
    let waits = event.is_some_and(|event| {
        matches!(
            event.trigger,
            Trigger::Message(_) | Trigger::Signal(_) | Trigger::Timer(_) | Trigger::Conditional(_) | Trigger::Link(_)
        )
    });
    if !waits {
        build.error(
            "EVT-1",
            format!(
                "`{}` waits for nothing that an intermediate catch event can wait for",
                build.node.id
            ),
            "give it a message, a signal, a timer, a condition or a link",
        );
    }
    Some(Box::new(Catch { id: build.id, spec }))
}

impl Node for Catch {
    fn place(&self) -> NodeId {
        self.id
    }

    fn prompt(&self) -> bool {
        true
    }

    fn spec(&self) -> Option<&Spec> {
        self.spec.as_ref()
    }

    fn ways(&self, t: &Template) -> u32 {
        exit::ways(t, self.id, Rule::Uncontrolled)
    }

    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, _: u32) {
        cx.wait(token);
        cx.arm(self.id, Owner::Token(token));
    }

    fn occur(&self, cx: &mut Cx<'_>, watcher: WatcherIx, occasion: Occasion<'_>) {
        let token = took_arm(cx, watcher, self.id);
        exit::leave(cx, token, Rule::Uncontrolled, occasion.choice, &[]);
    }
}
