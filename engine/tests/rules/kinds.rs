//! The closed list of record kinds (OBS-1), as tests name them.

use trackside_engine::NodeId;
use trackside_engine::instance::Record;

macro_rules! kinds {
    ($($kind:ident { $($field:ident),* })*) => {
        /// Every kind with its fields. Exhaustive: a new kind or field does not compile until it is listed here.
        pub(crate) const ALL: &[(&str, &[&str])] = &[$((stringify!($kind), &[$(stringify!($field)),*])),*];

        /// The name of a record's kind.
        pub(crate) fn name(record: &Record) -> &'static str {
            match record {
                $(Record::$kind { $($field: _),* } => stringify!($kind),)*
            }
        }
    };
}

kinds! {
    Born { track, parent, node, flow }
    Stepped { track, node }
    Left { track, flow }
    Arrived { track, flow, node }
    Parked { track, flow, node, phase }
    JoinFired { node, survivor, flows }
    Resumed { track, node }
    Merged { track, into, node }
    Trailing { track, flow, node }
    Rearmed { node }
    WorkStarted { track, node }
    WorkEnded { track, node, outcome }
    WorkAskedToStop { track, node }
    Discarded { track, node }
    Armed { watcher, node, host, trigger, mode, target, code, due }
    Fired { watcher, node, host, trigger, mode, target, code }
    Refired { watcher, node, due }
    Disarmed { watcher, node, host, why }
    Interrupted { track, node, by, state, code }
    Thrown { track, node, cause }
    Undelivered { cause }
    ScopeOpened { scope, host }
    ScopeCompleted { scope, host }
    ScopeWithdrawn { scope, host }
    DataChanged { names }
    Clock { now }
    TrackEnded { track, node, state }
    InstanceEnded { end }
}

/// The node that a record is about, where it is about one.
pub(crate) fn node(record: &Record) -> Option<NodeId> {
    match *record {
        Record::Born { node, .. }
        | Record::Stepped { node, .. }
        | Record::Arrived { node, .. }
        | Record::Parked { node, .. }
        | Record::JoinFired { node, .. }
        | Record::Resumed { node, .. }
        | Record::Merged { node, .. }
        | Record::Trailing { node, .. }
        | Record::Rearmed { node }
        | Record::WorkStarted { node, .. }
        | Record::WorkEnded { node, .. }
        | Record::WorkAskedToStop { node, .. }
        | Record::Discarded { node, .. }
        | Record::Armed { node, .. }
        | Record::Fired { node, .. }
        | Record::Refired { node, .. }
        | Record::Disarmed { node, .. }
        | Record::Interrupted { node, .. }
        | Record::Thrown { node, .. }
        | Record::TrackEnded { node, .. } => Some(node),
        Record::Left { .. }
        | Record::Undelivered { .. }
        | Record::ScopeOpened { .. }
        | Record::ScopeCompleted { .. }
        | Record::ScopeWithdrawn { .. }
        | Record::DataChanged { .. }
        | Record::Clock { .. }
        | Record::InstanceEnded { .. } => None,
    }
}

/// A kind by its name; a test that misspells one fails.
pub(crate) fn known(name: &str) -> &'static str {
    let found = ALL.iter().find(|(kind, _)| *kind == name);
    found.unwrap_or_else(|| panic!("`{name}` is no record kind")).0
}
