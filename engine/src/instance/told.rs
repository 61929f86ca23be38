//! What records say of subscriptions (OBS-1): trigger, mode, host, target flow and code of each arming and firing.

use super::cx::Cx;
use super::state::{Waits, Watcher, WatcherIx};
use super::{Mode, Record, TriggerKind};
use crate::ids::{FlowId, NodeId, TrackId, WatcherId};
use crate::node::Spec;

/// What the records of arming and firing have in common.
struct Facts {
    watcher: WatcherId,
    node: NodeId,
    host: Option<TrackId>,
    trigger: TriggerKind,
    mode: Mode,
    target: Option<FlowId>,
    code: Option<String>,
}

impl Cx<'_> {
    pub(super) fn record_armed(&mut self, ix: WatcherIx) {
        if !self.core.options.records {
            return;
        }
        let Facts {
            watcher,
            node,
            host,
            trigger,
            mode,
            target,
            code,
        } = self.facts(ix, None);
        let due = match self.watcher(ix).waits {
            Waits::Timer { due, .. } if self.core.options.timed => Some(due),
            _ => None,
        };
        self.record(|_| Record::Armed {
            watcher,
            node,
            host,
            trigger,
            mode,
            target,
            code,
            due,
        });
    }

    pub(super) fn record_fired(&mut self, ix: WatcherIx, code: Option<&str>) {
        if !self.core.options.records {
            return;
        }
        let Facts {
            watcher,
            node,
            host,
            trigger,
            mode,
            target,
            code,
        } = self.facts(ix, code);
        self.record(|_| Record::Fired {
            watcher,
            node,
            host,
            trigger,
            mode,
            target,
            code,
        });
    }

    fn facts(&self, ix: WatcherIx, raised: Option<&str>) -> Facts {
        let Watcher { id, node, owner, .. } = *self.watcher(ix);
        let kind = self.t.kind(node);
        let (trigger, code) = match kind.spec() {
            Some(Spec::Message(event)) => (TriggerKind::Message, Some(self.t.names.event(*event).name.clone())),
            Some(Spec::Signal(event)) => (TriggerKind::Signal, Some(self.t.names.event(*event).name.clone())),
            Some(Spec::Timer(_)) => (TriggerKind::Timer, None),
            Some(Spec::Conditional(_)) | None => (TriggerKind::Conditional, None),
            Some(Spec::Error(code)) => (TriggerKind::Error, code.clone()),
            Some(Spec::Escalation(code)) => (TriggerKind::Escalation, code.clone()),
        };
        let target = match *self.t.outgoing(node) {
            [only] => Some(only),
            _ => None,
        };
        let code = raised.map(ToOwned::to_owned).or(code);
        Facts {
            watcher: id,
            node,
            host: self.host_of(owner),
            trigger,
            mode: kind.mode(),
            target,
            code,
        }
    }

    /// The value that a thrown event shows in records.
    pub(crate) fn cause(&self, event: crate::template::EventRef) -> super::Cause {
        let name = self.t.names.event(event);
        if name.message {
            super::Cause::Message(name.name.clone())
        } else {
            super::Cause::Signal(name.name.clone())
        }
    }
}
