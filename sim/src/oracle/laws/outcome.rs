//! How a run has come out: what V12 and V14 compare.

use trackside_engine::instance::{End, FaultKind, Instance};
use trackside_engine::world::{Part, World};
use trackside_engine::{InstanceId, NodeId};

/// The end of an instance, without what only words say of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// No live track was left.
    Completed,
    /// By a terminate end event.
    Terminated,
    /// From outside.
    Canceled,
    /// Something went wrong.
    Faulted(FaultKind, NodeId, Option<String>),
    /// It has not ended, and nothing is enabled in its world (INS-6).
    Stuck,
}

impl Outcome {
    /// The outcome of an instance, if it has one.
    pub fn of(world: &World, instance: InstanceId) -> Option<Self> {
        let ended = Self::of_ended(world.instance(instance));
        ended.or_else(|| (world.count(Part::All) == 0).then_some(Self::Stuck))
    }

    fn of_ended(instance: &Instance) -> Option<Self> {
        Some(match instance.end()? {
            End::Completed => Self::Completed,
            End::Terminated => Self::Terminated,
            End::Canceled => Self::Canceled,
            End::Faulted(fault) => Self::Faulted(fault.kind, fault.node, fault.code.clone()),
        })
    }
}
