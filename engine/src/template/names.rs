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
    pub(crate) events: Vec<EventName>,
    pub(crate) by_id: BTreeMap<String, NodeId>,
}

impl Names {
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
        let of_kind = |e: &&EventName| e.message == message;
        let find = |f: &dyn Fn(&EventName) -> bool| self.events.iter().position(|e| of_kind(&e) && f(e));
        find(&|e| e.name == name)
            .or_else(|| find(&|e| e.id == name))
            .map(|ix| EventRef(ix as u32))
    }

    /// The node with this element id.
    pub fn node(&self, id: &str) -> Option<NodeId> {
        self.by_id.get(id).copied()
    }
}
