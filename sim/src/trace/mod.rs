//! Traces: what a run did, record by record, for programs ([`json`]) and for people ([`Row`]).
//!
//! Both speak of elements by their ids. A trace never holds process data: records name what was written, and of a
//! discarded answer only that it came (BND-9). The one exception are the values that an unredacted fault saw (XOR-2).

mod json;
mod object;
mod row;
mod words;

use trackside_engine::InstanceId;
use trackside_engine::instance::Record;
use trackside_engine::template::Template;
use trackside_engine::world::Class;

pub use json::json;
pub(crate) use object::Object;
pub use row::Row;
pub(crate) use words::{cause_words, fault_name, phase_name};
pub use words::{class_name, final_name, trigger_name};

/// The version of trace lines.
pub const TRACE_VERSION: u32 = 1;

/// One thing that a run did, with its circumstances.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// The number of the transition, from 1.
    pub step: u64,
    /// Virtual time, in milliseconds since 1970-01-01T00:00Z.
    pub time: i64,
    /// The instance.
    pub instance: InstanceId,
    /// Its template; absent for what reached no instance at all.
    pub template: Option<&'a Template>,
    /// What caused it.
    pub deed: Deed,
    /// The thing itself.
    pub what: What<'a>,
}

/// What caused an [`Event`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// The instance began.
    Start,
    /// An action, or an input that stands for one.
    Action(Class),
}

/// The thing itself.
#[derive(Clone, Copy, Debug)]
pub enum What<'a> {
    /// A record of the engine.
    Record(&'a Record),
    /// An input that nobody waited for yet, beside those that the engine records.
    Missed(&'a Missed),
}

/// An input that found nothing running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// Its command: `complete`, `error`, `fail`, `advance`, `set`, `cancel`.
    pub command: &'static str,
    /// The id of the node that it names, where it names one.
    pub element: Option<String>,
}

impl Deed {
    /// Its name in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Action(class) => class_name(class),
        }
    }
}
