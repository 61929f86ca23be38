//! Delivery (EVT-2, COR-1): a message to exactly one subscription, a signal to all, and births.

use serde_json::Value;

use super::World;
use super::input::Delivery;
use crate::expr::Data;
use crate::ids::{InstanceId, NodeId, WatcherId};
use crate::instance::{Cause, Instance, Mode, Owner, Record, Thrown, WatcherIx, mark};
use crate::node::Spec;
use crate::template::EventRef;

/// A subscription somewhere in the world.
#[derive(Clone, Copy, Debug)]
struct Receiver {
    instance: InstanceId,
    watcher: WatcherIx,
    id: WatcherId,
    /// When it was armed; older ones come first.
    armed: u64,
}

/// Where a signal comes from, and what it may do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sender {
    /// Nobody else applies what the receivers throw in turn.
    outside: bool,
    /// It may start instances.
    gives_birth: bool,
    /// The receiver whose way out is chosen, and the choice, where conditions are free.
    chosen: Option<WatcherId>,
    choice: u32,
}

impl Sender {
    /// An instance that throws it.
    const INSIDE: Self = Self {
        outside: false,
        gives_birth: true,
        chosen: None,
        choice: 0,
    };
    /// A driver that brings it.
    pub(super) const OUTSIDE: Self = Self {
        outside: true,
        ..Self::INSIDE
    };
}

impl World {
    /// Applies what an instance has thrown, until nothing is on its way, and strikes instances that have ended.
    #[inline]
    pub(super) fn settle(&mut self, id: InstanceId) {
        if self.core(id).news {
            self.deliver_all(id);
        }
    }

    fn deliver_all(&mut self, id: InstanceId) {
        if self.core(id).outbox.is_empty() {
            self.core_mut(id).news = false;
            return self.strike_ended();
        }
        let mut pending = vec![id];
        while let Some(at) = pending.last().copied() {
            let Some(thrown) = self.core_mut(at).outbox.pop_front() else {
                self.core_mut(at).news = false;
                pending.pop();
                continue;
            };
            let receivers = self.deliver_thrown(at, &thrown);
            let choice = thrown.choice / receivers.max(1);
            self.lend(at, |instance| instance.thrown(thrown.token, thrown.track, choice));
            // Whoever was reached may have thrown in turn.
            pending.extend(
                self.live
                    .iter()
                    .copied()
                    .filter(|&other| other != at && self.has_thrown(other)),
            );
        }
        self.strike_ended();
    }

    fn strike_ended(&mut self) {
        let instances = &self.instances;
        self.live.retain(|id| {
            instances[id.ix()]
                .as_ref()
                .is_some_and(|instance| instance.end().is_none())
        });
    }

    fn core_mut(&mut self, id: InstanceId) -> &mut crate::instance::Core {
        &mut self.instances[id.ix()]
            .as_deref_mut()
            .expect("a live instance is not forgotten")
            .core
    }

    #[inline]
    fn has_thrown(&self, id: InstanceId) -> bool {
        !self.core(id).outbox.is_empty()
    }

    /// Gives the number of receivers that there were to choose from.
    fn deliver_thrown(&mut self, from: InstanceId, thrown: &Thrown) -> u32 {
        let name = self.instance(from).template().names().event(thrown.event).clone();
        let (delivery, receivers) = if name.message {
            // The first message of a conversation sets its keys, received or sent (COR-1).
            self.set_keys(from, &name.name, &thrown.payload);
            let receivers = self.receivers(&name.name, &thrown.payload).len().max(1) as u32;
            (
                self.send(&name.name, &thrown.payload, thrown.choice % receivers),
                receivers,
            )
        } else {
            (self.broadcast(&name.name, &thrown.payload, Sender::INSIDE), 1)
        };
        if delivery == Delivery::Undelivered && self.options.records {
            let cause = if name.message {
                Cause::Message(name.name)
            } else {
                Cause::Signal(name.name)
            };
            self.records.push((from, Record::Undelivered { cause }));
        }
        receivers
    }

    /// How many receivers the message that `node` throws could reach now, at least 1.
    pub(super) fn receivers_of_throw(&self, id: InstanceId, node: NodeId) -> u32 {
        let instance = self.instance(id);
        if !instance.template().chances[node.ix()].throws {
            return 1;
        }
        let Some(event) = instance.template().kind(node).throws() else {
            return 1;
        };
        let name = &instance.template().names().event(event).name;
        self.receivers(name, instance.data()).len().max(1) as u32
    }

    /// Sends a message: to a subscription, else to a start event, else nowhere.
    pub(super) fn send(&mut self, name: &str, payload: &Data, choice: u32) -> Delivery {
        let receivers = self.receivers(name, payload);
        if !receivers.is_empty() {
            mark!(self.core_mut(receivers[0].instance), SeveralReceivers if receivers.len() > 1);
            let chosen = receivers[(choice % receivers.len() as u32) as usize];
            self.hand_over(chosen, name, payload);
            return Delivery::Reached(vec![chosen.instance]);
        }
        match self.births_by(true, name).first() {
            Some(&(template, birth)) => Delivery::Born(vec![self.born_by(template, birth, name, payload)]),
            None => Delivery::Undelivered,
        }
    }

    /// Sends a signal to all that wait for it at this moment. Interrupting handlers of outer scopes come first, and what
    /// they withdraw no longer gets it.
    pub(super) fn broadcast(&mut self, name: &str, payload: &Data, from: Sender) -> Delivery {
        let mut receivers: Vec<_> = self
            .all_subscribed(false, name)
            .into_iter()
            .map(|r| (self.precedence(r), r))
            .collect();
        receivers.sort_by_key(|(precedence, receiver)| (*precedence, receiver.armed));
        let births = if from.gives_birth {
            self.births_by(false, name)
        } else {
            Vec::new()
        };
        let mut reached = Vec::new();
        for (_, receiver) in receivers {
            let watcher = self.core(receiver.instance).watchers.get(receiver.watcher.0);
            // What was armed since is not what was there when the signal was thrown.
            let same = watcher.lives() && watcher.id == receiver.id;
            mark!(self.core_mut(receiver.instance), ReceiverGone if !same);
            if same && self.instance(receiver.instance).end().is_none() {
                self.core_mut(receiver.instance).parts += 1;
                let choice = (from.chosen == Some(receiver.id)).then_some(from.choice);
                self.lend(receiver.instance, |i| {
                    i.deliver(receiver.watcher, Some(payload), choice);
                });
                reached.push(receiver.instance);
                if from.outside {
                    self.settle(receiver.instance);
                }
            }
        }
        for &id in &reached {
            self.lend(id, Instance::conclude);
            if from.outside {
                self.settle(id);
            }
        }
        let born: Vec<_> = births
            .into_iter()
            .map(|(template, birth)| self.born_by(template, birth, name, payload))
            .collect();
        match (reached.is_empty(), born.is_empty()) {
            (_, false) => Delivery::Born(born),
            (false, true) => Delivery::Reached(reached),
            (true, true) => Delivery::Undelivered,
        }
    }

    /// Fires one subscription as an enabled action: a signal reaches all, a message or timer this one.
    pub(super) fn fire(&mut self, id: InstanceId, watcher: WatcherIx, choice: u32) {
        let template = self.instance(id).template();
        let node = self.core(id).watchers.get(watcher.0).node;
        if let Some(Spec::Signal(event)) = template.kind(node).spec() {
            let name = template.names().event(*event).name.clone();
            let chosen = Some(self.core(id).watchers.get(watcher.0).id);
            let gives_birth = self.options.environment.births;
            let from = Sender {
                outside: true,
                gives_birth,
                chosen,
                choice,
            };
            self.broadcast(&name, &crate::instance::no_data(), from);
        } else {
            self.lend(id, |instance| instance.deliver(watcher, None, Some(choice)));
        }
        self.settle(id);
    }

    /// Outer interrupting handlers first: event sub-processes of a scope, then boundary events on what is in it.
    fn precedence(&self, receiver: Receiver) -> u32 {
        let instance = self.instance(receiver.instance);
        let watcher = self.core(receiver.instance).watchers.get(receiver.watcher.0);
        let template = instance.template();
        if template.kind(watcher.node).mode() != Mode::Interrupting {
            return u32::MAX;
        }
        let scope = match watcher.owner {
            Owner::Token(token) => self.core(receiver.instance).tokens.get(token.0).scope,
            Owner::Scope(scope) => scope,
        };
        let depth = template
            .scope(self.core(receiver.instance).scopes.get(scope.0).def)
            .depth;
        2 * depth + u32::from(matches!(watcher.owner, Owner::Token(_)))
    }

    /// All subscriptions for a message or signal, oldest first.
    fn all_subscribed(&self, message: bool, name: &str) -> Vec<Receiver> {
        let mut found = Vec::new();
        for &id in &self.live {
            let Some(event) = self.instance(id).template().names().find_event(message, name) else {
                continue;
            };
            let core = self.core(id);
            let mut next = core.subscribers[event.0 as usize].first;
            while let Some(ix) = next.some() {
                let watcher = core.watchers.get(ix.0);
                next = watcher.event_next;
                found.push(Receiver {
                    instance: id,
                    watcher: ix,
                    id: watcher.id,
                    armed: watcher.armed,
                });
            }
        }
        found.sort_by_key(|receiver| receiver.armed);
        found
    }

    /// The subscriptions that a message with this payload may go to, oldest first.
    fn receivers(&self, name: &str, payload: &Data) -> Vec<Receiver> {
        let mut found = self.all_subscribed(true, name);
        found.retain(|receiver| self.correlates(receiver.instance, name, payload));
        found.retain(|receiver| {
            let core = self.core(receiver.instance);
            !core.is_eclipsed(core.watchers.get(receiver.watcher.0))
        });
        found
    }

    /// COR-1: whether the keys that a message carries agree with those that the instance has set.
    fn correlates(&self, id: InstanceId, name: &str, payload: &Data) -> bool {
        let instance = self.instance(id);
        let Some(event) = instance.template().names().find_event(true, name) else {
            return false;
        };
        let keys = keys_in(instance, event, payload);
        keys.is_some_and(|keys| {
            keys.iter()
                .all(|(key, value)| instance.core.keys.get(key).is_none_or(|set| set == value))
        })
    }

    fn hand_over(&mut self, receiver: Receiver, name: &str, payload: &Data) {
        self.set_keys(receiver.instance, name, payload);
        self.lend(receiver.instance, |i| i.deliver(receiver.watcher, Some(payload), None));
        // What the receiver throws in turn is applied by whoever is settling; from outside that is us.
        self.settle(receiver.instance);
    }

    /// The first correlated message sets the keys of an instance.
    fn set_keys(&mut self, id: InstanceId, name: &str, payload: &Data) {
        let instance = self.instance(id);
        let Some(event) = instance.template().names().find_event(true, name) else {
            return;
        };
        let keys = keys_in(instance, event, payload).unwrap_or_default();
        let set = &mut self.core_mut(id).keys;
        for (key, value) in keys {
            set.entry(key).or_insert(value);
        }
    }

    /// The ways in which a message or signal starts an instance.
    fn births_by(&self, message: bool, name: &str) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (at, template) in self.templates.iter().enumerate() {
            let Some(event) = template.names().find_event(message, name) else {
                continue;
            };
            for (way, birth) in template.births().iter().enumerate() {
                let spec = birth.node.and_then(|_| template.kind(birth.arm).spec());
                let starts = match spec {
                    Some(Spec::Message(own)) => message && *own == event,
                    Some(Spec::Signal(own)) => !message && *own == event,
                    _ => false,
                };
                if starts {
                    found.push((at, way));
                }
            }
        }
        found
    }

    fn born_by(&mut self, template: usize, birth: usize, name: &str, payload: &Data) -> InstanceId {
        let data = Data::clone(&self.furnished[template]);
        let id = self.give_birth(template, birth, data, Some(payload));
        self.set_keys(id, name, payload);
        self.settle(id);
        id
    }
}

/// The values of the keys that a message carries; `None` if one of them can't be read out of the payload.
fn keys_in(instance: &Instance, event: EventRef, payload: &Data) -> Option<Vec<(String, Vec<Value>)>> {
    let keys = &instance.template().names().event(event).keys;
    let read = |(key, programs): &(String, Vec<crate::expr::Program>)| {
        let values: Option<Vec<Value>> = programs
            .iter()
            .map(|program| program.value(payload, &[]).ok())
            .collect();
        values.map(|values| (key.clone(), values))
    };
    keys.iter().map(read).collect()
}
