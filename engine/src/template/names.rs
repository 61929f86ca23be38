//! Names that templates agree on: messages, signals, and the elements of one process.
//!
//! Inside a template a message or signal is a dense [`EventRef`]; between templates, and from outside, it is found by
//! its name or id.

use std::collections::BTreeMap;

use crate::expr::Program;
use crate::ids::NodeId;

/// A message or signal of one template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventRef(pub u32);

/// How a message or signal is called.
#[derive(Clone, Debug)]
pub struct EventName {
    /// Whether it is a message (one receiver) or a signal (all).
    pub message: bool,
    /// The id of its declaration.
    pub id: String,
    /// The name of its declaration; the id where it has none.
    pub name: String,
    /// COR-1: the keys that this message carries, each with its retrieval expressions.
    pub(crate) keys: Vec<(String, Vec<Program>)>,
}

/// The names of one template.
#[derive(Debug, Default)]
pub struct Names {
    events: Vec<EventName>,
    messages: EventIndex,
    signals: EventIndex,
    by_id: BTreeMap<String, NodeId>,
}

/// Messages, or signals, by what they are called; the first declaration of a name or id is the one that counts.
#[derive(Debug, Default)]
struct EventIndex {
    by_id: BTreeMap<String, EventRef>,
    by_name: BTreeMap<String, EventRef>,
}

impl Names {
    pub(crate) fn new(events: Vec<EventName>, by_id: BTreeMap<String, NodeId>) -> Self {
        let mut names = Self {
            by_id,
            ..Self::default()
        };
        for (event, ix) in events.iter().zip(0..) {
            let index = if event.message {
                &mut names.messages
            } else {
                &mut names.signals
            };
            index.by_id.entry(event.id.clone()).or_insert(EventRef(ix));
            index.by_name.entry(event.name.clone()).or_insert(EventRef(ix));
        }
        names.events = events;
        names
    }

    fn index(&self, message: bool) -> &EventIndex {
        if message { &self.messages } else { &self.signals }
    }

    /// The message or signal behind `event`.
    ///
    /// # Panics
    ///
    /// If `event` is not of this template.
    pub fn event(&self, event: EventRef) -> &EventName {
        &self.events[event.0 as usize]
    }

    /// All messages and signals.
    pub fn events(&self) -> &[EventName] {
        &self.events
    }

    /// The message (or signal) with this name, else with this id.
    pub fn find_event(&self, message: bool, name: &str) -> Option<EventRef> {
        let index = self.index(message);
        index.by_name.get(name).or_else(|| index.by_id.get(name)).copied()
    }

    /// The message (or signal) that a reference in the model stands for: with this id, else with this name.
    pub(crate) fn resolve_event(&self, message: bool, reference: &str) -> Option<EventRef> {
        let index = self.index(message);
        index
            .by_id
            .get(reference)
            .or_else(|| index.by_name.get(reference))
            .copied()
    }

    /// The node with this element id.
    pub fn node(&self, id: &str) -> Option<NodeId> {
        self.by_id.get(id).copied()
    }
}
