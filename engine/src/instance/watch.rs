//! Subscriptions: armed, fired, armed again, torn down (BND-1, EVG-1, ESP-1).
//!
//! One mechanism serves catch events, receive tasks, arms of a gate, boundary events and event sub-processes. A
//! subscription belongs to a token or to a scope run and is torn down with it at the latest. What it does when it fires
//! is its node's business.

use std::sync::Arc;

use super::agenda::{Deed, NO_TICKET};
use super::cx::Cx;
use super::state::{Owner, Subscribers, Waits, Watcher, WatcherIx, Work};
use super::{Conditions, FaultKind, Mode, Record, TriggerKind, Withdrawal};
use crate::expr::Data;
use crate::ids::{NodeId, TrackId, WatcherId};
use crate::node::{Occasion, Spec, Timing};
use crate::time::Schedule;

impl Cx<'_> {
    pub(crate) fn watcher(&self, ix: WatcherIx) -> &Watcher {
        self.core.watchers.get(ix.0)
    }

    fn owner_list(&mut self, owner: Owner) -> &mut WatcherIx {
        match owner {
            Owner::Token(token) => &mut self.core.tokens.get_mut(token.0).watchers,
            Owner::Scope(scope) => &mut self.core.scopes.get_mut(scope.0).watchers,
        }
    }

    /// The track that owns a subscription, where a track does.
    pub(crate) fn host_of(&self, owner: Owner) -> Option<TrackId> {
        match owner {
            Owner::Token(token) => Some(self.track(token)),
            Owner::Scope(scope) => {
                let host = self.core.scopes.get(scope.0).host;
                host.some().map(|host| self.track(host))
            }
        }
    }

    /// Arms the subscription of the catching node `node` for `owner`. After a fault the instance has ended.
    pub(crate) fn arm(&mut self, node: NodeId, owner: Owner) {
        let t = self.t;
        let Some(spec) = t.kind(node).spec() else { return };
        let mut true_now = false;
        let waits = match spec {
            Spec::Message(event) | Spec::Signal(event) => Waits::Event(*event),
            Spec::Error(_) | Spec::Escalation(_) => Waits::Raised,
            Spec::Conditional(_) if self.core.options.conditions == Conditions::Symbolic => {
                Waits::Condition { last: false }
            }
            Spec::Conditional(condition) => {
                let Some(holds) = self.holds(self.host_of(owner), node, condition, &[]) else {
                    return;
                };
                true_now = holds;
                Waits::Condition { last: holds }
            }
            Spec::Timer(Timing::Open) => Waits::Sometime,
            Spec::Timer(timing) => match self.schedule(node, owner, timing) {
                Some((schedule, due)) => Waits::Timer {
                    schedule: Box::new(schedule),
                    due,
                },
                None => return,
            },
        };
        let ix = self.insert(node, owner, waits);
        self.record_armed(ix);
        self.offer(ix);
        if true_now {
            let id = self.watcher(ix).id;
            self.core.later(Work::Fire(ix, id));
        }
    }

    fn schedule(&mut self, node: NodeId, owner: Owner, timing: &Timing) -> Option<(Schedule, i64)> {
        let now = self.core.now;
        let schedule = match timing.schedule(&self.core.data) {
            Ok(schedule) => schedule,
            Err(message) => {
                let track = self.host_of(owner);
                self.fault(FaultKind::Expression, node, track, None, message, timing.variables());
                return None;
            }
        };
        // A cycle of no repetitions never fires and need not be armed.
        let due = schedule.first(now)?;
        Some((schedule, due))
    }

    fn insert(&mut self, node: NodeId, owner: Owner, waits: Waits) -> WatcherIx {
        let id = WatcherId(self.core.next_watcher);
        self.core.next_watcher += 1;
        let watcher = Watcher {
            id,
            node,
            owner,
            waits,
            fired: 0,
            armed: self.core.transition,
            live: true,
            ticket: NO_TICKET,
            next: WatcherIx::NONE,
            prev: WatcherIx::NONE,
            event_prev: WatcherIx::NONE,
            event_next: WatcherIx::NONE,
        };
        let ix = WatcherIx(self.core.watchers.insert(watcher));
        let first = std::mem::replace(self.owner_list(owner), ix);
        self.core.watchers.get_mut(ix.0).next = first;
        if let Some(first) = first.some() {
            self.core.watchers.get_mut(first.0).prev = ix;
        }
        if let Some(list) = self.list_of(ix) {
            let last = std::mem::replace(&mut self.core.subscribers[list].last, ix);
            self.core.watchers.get_mut(ix.0).event_prev = last;
            match last.some() {
                Some(last) => self.core.watchers.get_mut(last.0).event_next = ix,
                None => self.core.subscribers[list].first = ix,
            }
        }
        ix
    }

    /// The list of subscribers that a subscription stands in.
    fn list_of(&self, ix: WatcherIx) -> Option<usize> {
        match self.watcher(ix).waits {
            Waits::Event(event) => Some(event.0 as usize),
            Waits::Condition { .. } => Some(self.core.subscribers.len() - 1),
            Waits::Timer { .. } | Waits::Raised | Waits::Sometime => None,
        }
    }

    /// Puts a subscription on the agenda, or its timer on the clock.
    fn offer(&mut self, ix: WatcherIx) {
        let symbolic = self.core.options.conditions == Conditions::Symbolic;
        let timed = self.core.options.timed;
        let watcher = self.watcher(ix);
        // Only what stays armed after it fired can fire too often.
        let again = watcher.fired > 0 || self.t.kind(watcher.node).mode() == Mode::NonInterrupting;
        if again && self.core.options.refires.is_some_and(|most| watcher.fired >= most) {
            return;
        }
        match watcher.waits {
            Waits::Event(_) | Waits::Sometime => {}
            Waits::Condition { .. } if symbolic => {}
            Waits::Timer { due, .. } if timed && due > self.core.now => {
                self.core.timers.insert((due, ix));
                return;
            }
            Waits::Timer { .. } => self.core.due += u32::from(timed),
            Waits::Condition { .. } | Waits::Raised => return,
        }
        let ticket = self.outside(Deed::Fire, ix.0);
        self.core.watchers.get_mut(ix.0).ticket = ticket;
    }

    /// Takes a subscription off the agenda and the clock.
    fn retract(&mut self, ix: WatcherIx) {
        let watcher = self.core.watchers.get_mut(ix.0);
        let ticket = std::mem::replace(&mut watcher.ticket, NO_TICKET);
        let timer = match watcher.waits {
            Waits::Timer { due, .. } => Some(due),
            _ => None,
        };
        if ticket != NO_TICKET {
            self.core.outside.remove(ticket);
            self.core.due -= u32::from(timer.is_some() && self.core.options.timed);
        } else if let Some(due) = timer {
            self.core.timers.remove(&(due, ix));
        }
    }

    /// The timers that are due by now may fire.
    pub(crate) fn ring(&mut self) {
        while let Some(&(due, ix)) = self.core.timers.first() {
            if due > self.core.now {
                return;
            }
            self.core.timers.pop_first();
            self.offer(ix);
        }
    }

    /// Tears a subscription down.
    pub(crate) fn disarm(&mut self, ix: WatcherIx, why: Withdrawal) {
        let (id, node, owner) = {
            let watcher = self.watcher(ix);
            debug_assert!(watcher.live, "a subscription is torn down once");
            (watcher.id, watcher.node, watcher.owner)
        };
        self.retract(ix);
        let Watcher {
            next,
            prev,
            event_prev,
            event_next,
            ..
        } = *self.watcher(ix);
        match prev.some() {
            Some(prev) => self.core.watchers.get_mut(prev.0).next = next,
            None => *self.owner_list(owner) = next,
        }
        if let Some(next) = next.some() {
            self.core.watchers.get_mut(next.0).prev = prev;
        }
        if let Some(list) = self.list_of(ix) {
            match event_prev.some() {
                Some(prev) => self.core.watchers.get_mut(prev.0).event_next = event_next,
                None => self.core.subscribers[list].first = event_next,
            }
            match event_next.some() {
                Some(next) => self.core.watchers.get_mut(next.0).event_prev = event_prev,
                None => self.core.subscribers[list].last = event_prev,
            }
        }
        self.core.watchers.get_mut(ix.0).live = false;
        self.core.watchers.release(ix.0);
        let host = self.host_of(owner);
        self.record(|_| Record::Disarmed {
            watcher: id,
            node,
            host,
            why,
        });
    }

    /// Tears down all subscriptions of one owner.
    pub(crate) fn disarm_all_of(&mut self, owner: Owner, why: Withdrawal) {
        while let Some(ix) = self.owner_list(owner).some() {
            self.disarm(ix, why);
        }
    }

    /// A subscription receives its trigger; its node says what follows. Errors and escalations bring their code.
    pub(crate) fn fire(&mut self, ix: WatcherIx, payload: Option<&Data>, code: Option<&str>, choice: u32) {
        let t = self.t;
        let node = {
            let watcher = self.core.watchers.get_mut(ix.0);
            watcher.fired += 1;
            watcher.node
        };
        self.record_fired(ix, code);
        if let Some(values) = payload {
            self.write(values);
        }
        t.kind(node).occur(self, ix, Occasion { code, choice });
    }

    /// After a non-interrupting firing the subscription stays armed (BND-5), unless its timer is used up.
    pub(crate) fn refire(&mut self, ix: WatcherIx) {
        self.retract(ix);
        let fired = self.watcher(ix).fired;
        let next = match &mut self.core.watchers.get_mut(ix.0).waits {
            Waits::Timer { schedule, due } => match schedule.next(*due, fired) {
                Some(next) => {
                    *due = next;
                    Some(next)
                }
                None => return self.disarm(ix, Withdrawal::Taken),
            },
            _ => None,
        };
        self.offer(ix);
        let Watcher { id, node, .. } = *self.watcher(ix);
        self.record(|_| Record::Refired {
            watcher: id,
            node,
            due: next,
        });
    }

    /// Evaluates the conditional events again after a change of data (EVT-4).
    pub(crate) fn watch_conditions(&mut self) {
        if self.core.options.conditions == Conditions::Symbolic {
            return;
        }
        let t = self.t;
        let mut next = self.core.subscribers.last().map_or(WatcherIx::NONE, |list| list.first);
        while let Some(ix) = next.some() {
            let Watcher {
                id,
                node,
                owner,
                event_next,
                ..
            } = *self.watcher(ix);
            next = event_next;
            let Some(Spec::Conditional(condition)) = t.kind(node).spec() else {
                continue;
            };
            let Some(holds) = self.holds(self.host_of(owner), node, condition, &[]) else {
                return;
            };
            let Waits::Condition { last } = &mut self.core.watchers.get_mut(ix.0).waits else {
                continue;
            };
            if !std::mem::replace(last, holds) && holds {
                self.core.later(Work::Fire(ix, id));
            }
        }
    }

    fn record_armed(&mut self, ix: WatcherIx) {
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

    fn record_fired(&mut self, ix: WatcherIx, code: Option<&str>) {
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

/// What the records of arming and firing have in common.
struct Facts {
    watcher: WatcherId,
    node: NodeId,
    host: Option<TrackId>,
    trigger: TriggerKind,
    mode: Mode,
    target: Option<crate::ids::FlowId>,
    code: Option<String>,
}

/// Empty lists for `events` events and the conditional ones.
pub(crate) fn no_subscribers(events: usize) -> Vec<Subscribers> {
    vec![Subscribers::NONE; events + 1]
}

/// No data at all.
pub(crate) fn no_data() -> Data {
    Arc::new(std::collections::BTreeMap::new())
}
