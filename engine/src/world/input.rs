//! What a driver with a real outside says to the world: answers of work, events with their data, time.
//!
//! An enabled [`super::Action`] is a stand-in for such an input where only the order matters; these bring data and names.

use super::World;
use super::route::Sender;
use crate::expr::Data;
use crate::ids::InstanceId;
use crate::instance::{Activation, Cause, Instance, Outcome, Phase, Record, TokenIx};
use crate::planted::planted;

/// What became of an answer of external work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was running; its end has been applied.
    Taken,
    /// It was not running any more: the answer was discarded and recorded (BND-4).
    Discarded,
}

/// What became of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It reached subscriptions of these instances, in this order.
    Reached(Vec<InstanceId>),
    /// It gave birth to these instances; a signal may have reached others too.
    Born(Vec<InstanceId>),
    /// Nobody waited for it.
    Undelivered,
}

impl World {
    /// External work ends with `outcome` and (if well) these data. Choices of where it goes are those of `choice`. An
    /// activation that is not running any more answers late.
    ///
    /// # Panics
    ///
    /// If `instance` is not of this world.
    pub fn complete(
        &mut self,
        instance: InstanceId,
        work: Activation,
        outcome: &Outcome,
        data: &Data,
        choice: u32,
    ) -> Answer {
        self.begin();
        let Activation { track, node, began } = work;
        let external = self.instance(instance).template().kind(node).external();
        let running = self.core(instance).tokens.all().find(|(_, token)| {
            let there = token.id == track && token.node == node && token.phase == Phase::Waiting;
            external && there && token.began == began
        });
        let Some(token) = running.map(|(slot, _)| TokenIx(slot)) else {
            planted!(self.options, LateResultTaken => self.take_late(instance, data));
            self.lend(instance, |i| i.discard(track, node));
            return Answer::Discarded;
        };
        self.lend(instance, |i| i.complete(token, outcome, data, choice));
        self.settle(instance);
        Answer::Taken
    }

    #[cfg(feature = "planted-faults")]
    fn take_late(&mut self, instance: InstanceId, data: &Data) {
        if self.instance(instance).end().is_none() {
            self.lend(instance, |i| i.set(data));
        }
    }

    /// A message from outside, by its name or id: it reaches the oldest matching subscription (or, of several, the
    /// `choice`-th), else starts an instance, else is recorded as undelivered (EVT-2, COR-1).
    pub fn message(&mut self, name: &str, payload: &Data, choice: u32) -> Delivery {
        self.begin();
        let delivery = self.send(name, payload, choice);
        self.note_undelivered(&delivery, || Cause::Message(name.to_owned()));
        delivery
    }

    /// A signal from outside, by its name or id: it reaches every subscription there is and starts every process that
    /// it can start (EVT-2).
    pub fn signal(&mut self, name: &str, payload: &Data) -> Delivery {
        self.begin();
        let delivery = self.broadcast(name, payload, Sender::OUTSIDE);
        self.note_undelivered(&delivery, || Cause::Signal(name.to_owned()));
        delivery
    }

    fn note_undelivered(&mut self, delivery: &Delivery, cause: impl FnOnce() -> Cause) {
        if *delivery == Delivery::Undelivered && self.options.records {
            let first = self.live.first().copied().unwrap_or(InstanceId(0));
            self.records.push((first, Record::Undelivered { cause: cause() }));
        }
    }

    /// Process data change from outside.
    ///
    /// # Panics
    ///
    /// If `instance` is not of this world.
    pub fn set(&mut self, instance: InstanceId, values: &Data) {
        self.begin();
        if self.instance(instance).end().is_none() {
            self.lend(instance, |i| i.set(values));
            self.settle(instance);
        }
    }

    /// The instance is canceled from outside.
    ///
    /// # Panics
    ///
    /// If `instance` is not of this world.
    pub fn cancel(&mut self, instance: InstanceId) {
        self.begin();
        if self.instance(instance).end().is_none() {
            self.lend(instance, Instance::cancel);
            self.settle(instance);
        }
    }

    /// When the next timer is due, in milliseconds since 1970-01-01T00:00Z. Costs as much as there are timers armed since
    /// the clock last moved.
    pub fn next_due(&self) -> Option<i64> {
        self.live.iter().filter_map(|&id| self.core(id).next_due()).min()
    }

    /// Virtual time goes on to `to`, but not past the next due timer: it stops there, so that the timer can fire, and goes
    /// on only when all that are due have fired ([`Part::Due`](super::Part::Due); EVT-3). Gives the time that it is now.
    pub fn pass_time(&mut self, to: i64) -> i64 {
        self.begin();
        if self.live.iter().all(|&id| self.core(id).due == 0) {
            let stop = self.next_due().map_or(to, |due| due.min(to));
            self.set_clock(stop);
        }
        self.now
    }

    /// Virtual time jumps to the next due timer.
    pub(super) fn run_clock(&mut self) {
        if let Some(due) = self.next_due() {
            self.set_clock(due);
        }
    }

    fn set_clock(&mut self, to: i64) {
        self.now = self.now.max(to);
        let now = self.now;
        for at in 0..self.live.len() {
            let id = self.live[at];
            self.lend(id, |instance| {
                instance.ring(now);
            });
        }
        if self.options.records
            && let Some(&first) = self.live.first()
        {
            self.records.push((first, Record::Clock { now }));
        }
    }
}
