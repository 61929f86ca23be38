//! Boundary events (BND).
//!
//! Configuration: what the event waits for, and whether it interrupts. State: its subscription, owned by the token of
//! its host, which arms it when it starts and takes it along when it leaves.

use super::exit::{self, Rule};
use super::{Build, Node, Occasion, Spec};
use crate::ids::NodeId;
use crate::instance::{Cx, Mode, Owner, TokenIx, WatcherIx, Withdrawal};
use crate::model::{NodeKind, Trigger};
use crate::planted::planted;
use crate::template::Template;

#[derive(Debug)]
pub(super) struct Boundary {
    pub(super) id: NodeId,
    spec: Option<Spec>,
    pub(super) interrupting: bool,
}

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let NodeKind::Boundary {
        events, interrupting, ..
    } = &build.node.kind
    else {
        return None;
    };
    let event = build.single(events);
    match event.map(|event| &event.trigger) {
        Some(Trigger::Compensate) => build.unsupported("a compensation boundary event"),
        Some(Trigger::Cancel) => build.unsupported("a cancel boundary event"),
        _ => {}
    }
    let spec = event.and_then(|event| Spec::compile(build, event));
    let interrupting = *interrupting || spec.as_ref().is_some_and(Spec::always_interrupts);
    Some(Box::new(Boundary {
        id: build.id,
        spec,
        interrupting,
    }))
}

impl Node for Boundary {
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

    /// BND-3, BND-5: a new track, child of the host's, leaves along the boundary's flow.
    fn occur(&self, cx: &mut Cx<'_>, watcher: WatcherIx, occasion: Occasion<'_>) {
        let Owner::Token(host) = cx.watcher(watcher).owner else {
            planted!(cx, WatcherOutlivesHost => super::planted::fire_without_host(cx, watcher, self, occasion));
            return;
        };
        let (parent, scope) = (cx.track(host), cx.token(host).scope);
        let failed = matches!(self.spec, Some(Spec::Error(_)));
        let token = cx.born_at(scope, Some(parent), self.id);
        if self.interrupting {
            cx.disarm(watcher, Withdrawal::Taken);
            cx.interrupt(host, self.id, occasion.code, failed);
            planted!(cx, InterruptedHostGoesOn => if cx.core.end.is_some() { return });
        } else {
            cx.refire(watcher);
        }
        exit::leave(cx, token, Rule::Uncontrolled, occasion.choice, &[]);
    }
}

/// Arms the boundary events of the host at `token`; says whether the instance is still running.
pub(super) fn arm(cx: &mut Cx<'_>, token: TokenIx) -> bool {
    let t = cx.t;
    let events = t.hot[cx.token(token).node.ix()].boundary;
    for &boundary in events.of(&t.boundaries) {
        cx.arm(boundary, Owner::Token(token));
        if cx.core.end.is_some() {
            return false;
        }
    }
    true
}
