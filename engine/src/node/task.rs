//! Tasks of all kinds. Call activities are refused here for now.
//!
//! Configuration: whether the task runs by itself or is external work, what a receive task waits for and what a send task
//! sends, whether its work can answer late (BND-4). State: whether work is running, in its token; the subscriptions of
//! its boundary events and of a receive task, owned by the token.

use super::event_gate::took_arm;
use super::exit::{self, Rule};
use super::{Build, Node, Occasion, Spec, boundary};
use crate::ids::NodeId;
use crate::instance::{Cx, Owner, ScopeIx, TokenIx, WatcherIx, Withdrawal};
use crate::model::{Loop, NodeKind, TaskKind};
use crate::template::{EventRef, Template};

#[derive(Debug)]
struct Task {
    id: NodeId,
    /// External work: the outside completes it.
    external: bool,
    /// Running work is asked to stop; waiting work stops at once.
    stoppable: bool,
    receives: Option<Spec>,
    sends: Option<EventRef>,
}

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let (kind, message) = match &build.node.kind {
        NodeKind::Task {
            task,
            message,
            repeat,
            for_compensation,
            ..
        } => {
            refuse_markers(build, repeat.as_ref(), *for_compensation);
            (Some(*task), message.as_deref())
        }
        NodeKind::Call {
            repeat,
            for_compensation,
            called,
        } => {
            refuse_markers(build, repeat.as_ref(), *for_compensation);
            let what = called.as_deref().map(|called| format!("a call of `{called}`"));
            build.unsupported(what.as_deref().unwrap_or("a call activity that names nothing"));
            (None, None)
        }
        _ => return None,
    };
    let runs_by_itself = matches!(
        kind,
        Some(TaskKind::Abstract | TaskKind::Manual | TaskKind::Script | TaskKind::Send)
    );
    // BND-11.
    let named = build.around.settings.external.contains(&build.node.id);
    let hosts = !build.t.boundary_events(build.id).is_empty();
    let waits = matches!(
        kind,
        Some(TaskKind::User | TaskKind::Receive | TaskKind::Manual | TaskKind::Abstract)
    );
    let event = message.and_then(|name| build.event(true, Some(name)));
    Some(Box::new(Task {
        id: build.id,
        external: !runs_by_itself || named || hosts,
        stoppable: !waits,
        receives: event.filter(|_| kind == Some(TaskKind::Receive)).map(Spec::Message),
        sends: event.filter(|_| kind == Some(TaskKind::Send)),
    }))
}

/// Markers that are not executed yet.
pub(super) fn refuse_markers(build: &mut Build<'_, '_>, repeat: Option<&Loop>, for_compensation: bool) {
    if let Some(repeat) = repeat {
        build.unsupported(if repeat.multi_instance {
            "a multi-instance activity"
        } else {
            "a looping activity"
        });
    }
    if for_compensation {
        build.unsupported("a compensation handler");
    }
}

impl Task {
    /// Sends what there is to send, then leaves.
    fn finish(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        match self.sends {
            Some(event) => cx.throw(token, event, choice),
            None => exit::leave(cx, token, Rule::Uncontrolled, Some(choice), &[]),
        }
    }
}

impl Node for Task {
    fn place(&self) -> NodeId {
        self.id
    }

    fn passes(&self) -> bool {
        !self.external && self.sends.is_none()
    }

    fn prompt(&self) -> bool {
        self.external
    }

    fn external(&self) -> bool {
        self.external
    }

    fn spec(&self) -> Option<&Spec> {
        self.receives.as_ref()
    }

    fn throws(&self) -> Option<EventRef> {
        self.sends
    }

    fn ways(&self, t: &Template) -> u32 {
        exit::ways(t, self.id, Rule::Uncontrolled)
    }

    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        if !self.external {
            return self.finish(cx, token, choice);
        }
        cx.start_work(token, self.stoppable);
        cx.arm(self.id, Owner::Token(token));
        if cx.core.end.is_none() {
            boundary::arm(cx, token);
        }
    }

    fn completed(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        cx.disarm_all_of(Owner::Token(token), Withdrawal::HostEnded);
        self.finish(cx, token, choice);
    }

    /// A receive task takes its message, here or as the arm of a gate.
    fn occur(&self, cx: &mut Cx<'_>, watcher: WatcherIx, occasion: Occasion<'_>) {
        let token = took_arm(cx, watcher, self.id);
        exit::leave(cx, token, Rule::Uncontrolled, occasion.choice, &[]);
    }

    fn thrown(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        exit::leave(cx, token, Rule::Uncontrolled, Some(choice), &[]);
    }

    /// An instantiating receive task has its message already.
    fn instantiate(&self, cx: &mut Cx<'_>, scope: ScopeIx, _: NodeId) {
        let token = cx.born_at(scope, None, self.id);
        exit::leave(cx, token, Rule::Uncontrolled, None, &[]);
    }
}
