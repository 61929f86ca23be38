//! Event-based gateways and their arms (EVG-5, EVG-6, COR-1).

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{EventDefinition, Gateway, NodeKind, TaskKind, Trigger};
use crate::template::correlation_keys;

use super::index::{Index, Line, Spot};
use super::report::{Report, called, flow_called};

/// EVG-2, EVG-5, EVG-6, COR-1.
pub(super) fn check(index: &Index<'_>, report: &mut Report) {
    let keys = correlation_keys(index.definitions);
    let keys = keys
        .iter()
        .map(|(&message, keys)| (message, keys.iter().map(|&(key, _)| key).collect()))
        .collect();
    for (_, spot) in index.spots() {
        let NodeKind::Gateway {
            gateway: Gateway::EventBased { instantiate, parallel },
            ..
        } = spot.node.kind
        else {
            continue;
        };
        let gate = Gate { index, spot };
        gate.kind(instantiate, parallel, report);
        gate.shape(report);
        for arm in &spot.outgoing {
            gate.arm(arm, instantiate, report);
        }
        gate.mixture(report);
        if instantiate && parallel {
            gate.correlation(&keys, report);
        }
    }
}

/// The keys that each message carries.
type Keys<'m> = BTreeMap<&'m str, BTreeSet<&'m str>>;

struct Gate<'i, 'm> {
    index: &'i Index<'m>,
    spot: &'i Spot<'m>,
}

/// What can stand behind a gate.
enum Arm<'m> {
    /// A catch event with the trigger it waits for, or one that is wrong in itself.
    Catch(Option<&'m EventDefinition>),
    Receive(Option<&'m str>),
    Other,
}

impl<'m> Arm<'m> {
    fn of(spot: &Spot<'m>) -> Self {
        match &spot.node.kind {
            NodeKind::Catch { events, .. } => match events.as_slice() {
                [event] if matches!(event.trigger, Trigger::Link(_)) => Arm::Other,
                [event] => Arm::Catch(Some(event)),
                _ => Arm::Catch(None),
            },
            NodeKind::Task {
                task: TaskKind::Receive,
                message,
                ..
            } => Arm::Receive(message.as_deref()),
            _ => Arm::Other,
        }
    }

    /// The reference to the message that it waits for.
    fn message(&self) -> Option<&'m str> {
        match self {
            Arm::Receive(message) => *message,
            Arm::Catch(Some(event)) => match &event.trigger {
                Trigger::Message(message) => message.as_deref(),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_message_catch(&self) -> bool {
        matches!(self, Arm::Catch(Some(event)) if matches!(event.trigger, Trigger::Message(_)))
    }
}

impl<'m> Gate<'_, 'm> {
    fn called(&self) -> String {
        called(self.spot.node)
    }

    /// EVG-6.
    fn kind(&self, instantiate: bool, parallel: bool, report: &mut Report) {
        if parallel && !instantiate {
            let message = format!("{} is parallel but does not instantiate", self.called());
            let hint = "only the start of a process waits for all of its events: set `instantiate`, or drop `Parallel`";
            report.error("EVG-6", self.spot.node, message, hint);
        }
        if let (true, Some(line)) = (instantiate, self.spot.incoming.first()) {
            let message = format!(
                "{} instantiates but is entered by {}",
                self.called(),
                flow_called(line.flow)
            );
            let hint = "remove the flow, or drop `instantiate`";
            report.error("EVG-6", self.spot.node, message, hint);
        }
    }

    fn shape(&self, report: &mut Report) {
        if self.spot.outgoing.len() < 2 && !self.spot.broken_out {
            let message = format!(
                "{} has {} arms; a race needs two",
                self.called(),
                self.spot.outgoing.len()
            );
            let hint = "add an arm, or use a catch event alone";
            report.error("EVG-5", self.spot.node, message, hint);
        }
    }

    fn arm(&self, line: &Line<'m>, instantiate: bool, report: &mut Report) {
        let spot = self.index.spot(line.other);
        let arm = Arm::of(spot);
        if line.flow.condition.is_some() {
            let message = format!(
                "{}, an arm of {}, has a condition",
                flow_called(line.flow),
                self.called()
            );
            let hint = "remove the condition: the first event decides";
            report.error("EVG-5", line.flow, message, hint);
        }
        if let Arm::Other = arm {
            let message = format!("{} can't be an arm of {}", called(spot.node), self.called());
            let hint = "put a message, timer, signal or conditional catch event, or a receive task, in front of it";
            report.error("EVG-5", spot.node, message, hint);
            return;
        }
        if spot.incoming.len() > 1 {
            let message = format!(
                "{}, an arm of {}, has {} incoming flows; it must have one",
                called(spot.node),
                self.called(),
                spot.incoming.len()
            );
            let hint = "lead the other flows to a gateway behind it";
            report.error("EVG-5", spot.node, message, hint);
        }
        self.receive(spot, &arm, report);
        let other_event = matches!(arm, Arm::Catch(Some(_))) && !arm.is_message_catch();
        if instantiate && other_event {
            let message = format!(
                "{}, an arm of the start {}, waits for no message",
                called(spot.node),
                self.called()
            );
            let hint = "only messages start a process at a gate; use a start event with this trigger";
            report.error("EVG-5", spot.node, message, hint);
        }
    }

    fn receive(&self, spot: &Spot<'m>, arm: &Arm<'m>, report: &mut Report) {
        let Arm::Receive(message) = arm else { return };
        if message.is_none() {
            let message = format!("{}, an arm of {}, names no message", called(spot.node), self.called());
            let hint = "add `messageRef`: at a gate nothing else can complete the task";
            report.error("EVG-2", spot.node, message, hint);
        }
        if let Some(&boundary) = spot.boundaries.first() {
            let message = format!(
                "{}, an arm of {}, has boundary event `{}`",
                called(spot.node),
                self.called(),
                self.index.node(boundary).id
            );
            let hint = "make the event an arm of the gate, or use a message catch event";
            report.error("EVG-5", spot.node, message, hint);
        }
    }

    /// The arms, each with its room; only those that may be arms.
    fn arms(&self) -> impl Iterator<Item = (&Spot<'m>, Arm<'m>)> {
        let spots = self.spot.outgoing.iter().map(|line| self.index.spot(line.other));
        spots.map(|spot| (spot, Arm::of(spot)))
    }

    fn mixture(&self, report: &mut Report) {
        let catch = self.arms().find(|(_, arm)| arm.is_message_catch());
        let receive = self.arms().find(|(_, arm)| matches!(arm, Arm::Receive(_)));
        if let (Some((catch, _)), Some((receive, _))) = (catch, receive) {
            let message = format!(
                "{} has both a message catch event, `{}`, and a receive task, `{}`",
                self.called(),
                catch.node.id,
                receive.node.id
            );
            report.error(
                "EVG-5",
                self.spot.node,
                message,
                "use one kind for all messages of the gate",
            );
        }
    }

    /// EVG-4 needs COR-1: without a key that its messages share, a later message can't find its instance.
    fn correlation(&self, keys: &Keys<'m>, report: &mut Report) {
        let mut shared: Option<BTreeSet<&str>> = None;
        for (spot, arm) in self.arms() {
            let Some(message) = arm.message().and_then(|reference| self.index.message(reference)) else {
                continue;
            };
            let Some(own) = keys.get(message) else {
                let message = format!(
                    "{}, an arm of the parallel start {}, waits for message `{message}`, which carries no correlation key",
                    called(spot.node),
                    self.called()
                );
                let hint = "add a correlation key with a retrieval expression for this message";
                report.error("COR-1", spot.node, message, hint);
                return;
            };
            shared = Some(match shared {
                Some(shared) => shared.intersection(own).copied().collect(),
                None => own.clone(),
            });
        }
        if shared.is_some_and(|shared| shared.is_empty()) {
            let message = format!("the messages of {} have no correlation key in common", self.called());
            let hint = "give one key a retrieval expression for each of them";
            report.error("COR-1", self.spot.node, message, hint);
        }
    }
}
