//! Subscriptions: armed, fired, armed again, torn down (BND-1, EVG-1, ESP-1).
//!
//! One mechanism serves catch events, receive tasks, arms of a gate, boundary events and event sub-processes. A
//! subscription belongs to a token or to a scope run and is torn down with it at the latest. What it does when it fires
//! is its node's business.

use std::sync::Arc;

use super::agenda::{Deed, NO_TICKET};
use super::cx::Cx;
use super::mark::mark;
use super::state::{Core, Owner, ScopeIx, Waits, Watcher, WatcherIx, Work};
use super::timer::Clock;
use super::{Conditions, FaultKind, Record, Withdrawal};
use crate::expr::Data;
use crate::ids::{NodeId, TrackId, WatcherId};
use crate::node::{Occasion, Spec, Timing};
use crate::planted::planted;
use crate::template::{Caught, EventRef};

impl Cx<'_> {
    pub(crate) fn watcher(&self, ix: WatcherIx) -> &Watcher {
        self.core.watchers.get(ix.0)
    }

    pub(super) fn owner_list(&mut self, owner: Owner) -> &mut WatcherIx {
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
        let mut true_now = false;
        let waits = match t.catches[node.ix()].what {
            Caught::Nothing => return,
            Caught::Event(event) => Waits::Event(event),
            Caught::Raised => Waits::Raised,
            Caught::Sometime => Waits::Sometime,
            Caught::Condition if self.core.options.conditions == Conditions::Symbolic => {
                Waits::Condition { last: false }
            }
            Caught::Condition | Caught::Timer => match t.kind(node).spec() {
                Some(Spec::Conditional(condition)) => {
                    let Some(holds) = self.holds(self.host_of(owner), node, condition, &[]) else {
                        return;
                    };
                    true_now = holds;
                    Waits::Condition { last: holds }
                }
                Some(Spec::Timer(timing)) => {
                    let Some(due) = self.schedule(node, owner, timing) else {
                        return;
                    };
                    let clock = Clock::Off;
                    Waits::Timer { due, clock }
                }
                _ => return,
            },
        };
        let ix = self.insert(node, owner, waits);
        self.record_armed(ix);
        self.offer(ix);
        if let (Owner::Scope(scope), Waits::Event(event)) = (owner, waits) {
            self.eclipse(scope, event, Self::retract);
        }
        if true_now {
            mark!(self.core, ConditionTrueWhenArmed);
            let id = self.watcher(ix).id;
            self.core.later(Work::Fire(ix, id));
        }
    }

    /// When a timer that is armed now is due first. The schedule that an expression gives is kept for the subscription that
    /// comes next.
    fn schedule(&mut self, node: NodeId, owner: Owner, timing: &Timing) -> Option<i64> {
        let now = self.core.now;
        if let Timing::Fixed(schedule) = timing {
            return schedule.first(now);
        }
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
        self.core.schedules.insert(WatcherId(self.core.next_watcher), schedule);
        Some(due)
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
            self.core.link(list, ix);
        }
        ix
    }

    /// The list that a subscription stands in as long as it lives.
    fn list_of(&self, ix: WatcherIx) -> Option<usize> {
        match self.watcher(ix).waits {
            Waits::Event(event) => Some(event.0 as usize),
            Waits::Condition { .. } => Some(self.core.conditional()),
            Waits::Timer { .. } | Waits::Raised | Waits::Sometime | Waits::Nothing => None,
        }
    }

    /// ESP-2: what an inner handler and a boundary event of its scope's activity could both take goes to the handler, so
    /// that the boundary event is not offered while the handler is armed. Does `deed` to those of `scope`'s host.
    fn eclipse(&mut self, scope: ScopeIx, event: EventRef, deed: fn(&mut Self, WatcherIx)) {
        let Some(host) = self.core.scopes.get(scope.0).host.some() else {
            return;
        };
        let mut next = self.token(host).watchers;
        while let Some(ix) = next.some() {
            next = self.watcher(ix).next;
            if matches!(self.watcher(ix).waits, Waits::Event(own) if own == event) && self.t.names.event(event).message
            {
                deed(self, ix);
            }
        }
    }

    /// Puts a subscription on the agenda, or its timer on the clock.
    fn offer(&mut self, ix: WatcherIx) {
        let symbolic = self.core.options.conditions == Conditions::Symbolic;
        let timed = self.core.options.timed;
        let watcher = self.watcher(ix);
        // Only what stays armed after it fired can fire too often.
        let worn = |most| watcher.fired >= most && (watcher.fired > 0 || self.t.catches[watcher.node.ix()].again);
        if self.core.options.refires.is_some_and(worn) {
            mark!(self.core, OfferedNoMore);
            return;
        }
        match watcher.waits {
            Waits::Event(event) if self.t.names.event(event).message && self.core.is_eclipsed(watcher) => {
                mark!(self.core, BoundaryEclipsed);
                return;
            }
            Waits::Event(_) | Waits::Sometime => {}
            Waits::Condition { .. } if symbolic => {}
            Waits::Timer { due, .. } if timed && due > self.core.now => return self.core.start_timer(ix),
            Waits::Timer { .. } => self.core.due += u32::from(timed),
            Waits::Condition { .. } | Waits::Raised | Waits::Nothing => return,
        }
        let ticket = self.outside(Deed::Fire, ix.0);
        self.core.watchers.get_mut(ix.0).ticket = ticket;
    }

    /// Offers a subscription that is not on the agenda.
    fn offer_again(&mut self, ix: WatcherIx) {
        if self.watcher(ix).ticket == NO_TICKET {
            mark!(self.core, BoundaryOfferedAgain);
            self.offer(ix);
        }
    }

    /// Takes a subscription off the agenda and the clock.
    fn retract(&mut self, ix: WatcherIx) {
        let watcher = self.core.watchers.get_mut(ix.0);
        let ticket = std::mem::replace(&mut watcher.ticket, NO_TICKET);
        let is_timer = matches!(watcher.waits, Waits::Timer { .. });
        if ticket != NO_TICKET {
            self.core.outside.remove(ticket);
            self.core.due -= u32::from(is_timer && self.core.options.timed);
        } else if is_timer {
            self.core.stop_timer(ix);
        }
    }

    /// The timers that are due by now may fire.
    pub(crate) fn ring(&mut self) {
        while let Some(ix) = self.core.ripe() {
            self.offer(ix);
        }
    }

    /// Tears a subscription down.
    pub(crate) fn disarm(&mut self, ix: WatcherIx, why: Withdrawal) {
        debug_assert!(self.watcher(ix).lives(), "a subscription is torn down once");
        self.retract(ix);
        let Watcher {
            id,
            node,
            owner,
            waits,
            next,
            prev,
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
            self.core.unlink(list, ix);
        }
        if !self.core.schedules.is_empty() {
            self.core.schedules.remove(&id);
        }
        self.core.watchers.get_mut(ix.0).waits = Waits::Nothing;
        self.core.watchers.release(ix.0);
        if let (Owner::Scope(scope), Waits::Event(event)) = (owner, waits) {
            self.eclipse(scope, event, Self::offer_again);
        }
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
        planted!(self, WatcherOutlivesHost => self.outlive(owner, why));
        while let Some(ix) = self.owner_list(owner).some() {
            self.disarm(ix, why);
        }
    }

    /// A subscription receives its trigger; its node says what follows. Errors and escalations bring their code.
    pub(crate) fn fire(&mut self, ix: WatcherIx, payload: Option<&Data>, code: Option<&str>, choice: Option<u32>) {
        let t = self.t;
        let node = {
            let watcher = self.core.watchers.get_mut(ix.0);
            watcher.fired += 1;
            watcher.node
        };
        self.record_fired(ix, code);
        planted!(self, LosingSubscriptionLeaks => if self.has_lost(ix) { return self.disarm(ix, Withdrawal::Taken) });
        if let Some(values) = payload {
            self.write(values);
        }
        t.kind(node).occur(self, ix, Occasion { code, choice });
    }

    /// After a non-interrupting firing the subscription stays armed (BND-5), unless its timer is used up.
    pub(crate) fn refire(&mut self, ix: WatcherIx) {
        planted!(self, WatcherNotRearmed => return self.disarm(ix, Withdrawal::Taken));
        self.retract(ix);
        let t = self.t;
        let schedule = self.core.schedule(t, self.watcher(ix)).copied();
        let watcher = self.core.watchers.get_mut(ix.0);
        let next = match (&mut watcher.waits, schedule) {
            (Waits::Timer { due, .. }, Some(schedule)) => {
                let Some(next) = schedule.next(*due, watcher.fired) else {
                    mark!(self.core, TimerUsedUp);
                    return self.disarm(ix, Withdrawal::Taken);
                };
                *due = next;
                Some(next)
            }
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
        let mut next = self.core.subscribers[self.core.conditional()].first;
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
                mark!(self.core, ConditionBecomesTrue);
                self.core.later(Work::Fire(ix, id));
            }
        }
    }
}

impl Core {
    /// ESP-2: whether an inner handler is armed for the message that a boundary event waits for.
    pub(crate) fn is_eclipsed(&self, watcher: &Watcher) -> bool {
        let (Owner::Token(host), Waits::Event(event)) = (watcher.owner, watcher.waits) else {
            return false;
        };
        let Some(child) = self.tokens.get(host.0).child.some() else {
            return false;
        };
        let mut next = self.scopes.get(child.0).watchers;
        while let Some(ix) = next.some() {
            let handler = self.watchers.get(ix.0);
            next = handler.next;
            if matches!(handler.waits, Waits::Event(own) if own == event) {
                return true;
            }
        }
        false
    }
}

/// No data at all.
pub(crate) fn no_data() -> Data {
    Arc::new(std::collections::BTreeMap::new())
}
