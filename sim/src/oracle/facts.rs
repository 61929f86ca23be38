//! What happens in a transition, as the oracle says it; the engine's records say the same in its own terms.
//!
//! A transition is judged by its facts: those that the rules bring about and those that the engine recorded must be the
//! same, whatever their order.

use trackside_engine::instance::{Cause, Final, LifeCycle};

use super::marking::TokenRef;
use super::net::{BodyRef, FlowRef, NodeRef};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    Born {
        token: TokenRef,
        parent: Option<TokenRef>,
        node: NodeRef,
        flow: Option<FlowRef>,
    },
    Stepped(TokenRef, NodeRef),
    JoinFired {
        join: NodeRef,
        survivor: TokenRef,
        flows: Vec<FlowRef>,
    },
    Merged {
        token: TokenRef,
        into: TokenRef,
    },
    Trailing(TokenRef, FlowRef),
    Rearmed(NodeRef),
    WorkStarted(TokenRef, NodeRef),
    WorkEnded(TokenRef, NodeRef),
    WorkAskedToStop(TokenRef, NodeRef),
    Discarded(TokenRef, NodeRef),
    Armed(NodeRef, Option<TokenRef>),
    Fired(NodeRef, Option<TokenRef>),
    Disarmed(NodeRef, Option<TokenRef>),
    Interrupted(TokenRef, LifeCycle, NodeRef),
    Thrown(TokenRef, Cause),
    Undelivered(Cause),
    ScopeOpened(BodyRef, Option<TokenRef>),
    ScopeCompleted(BodyRef, Option<TokenRef>),
    ScopeWithdrawn(BodyRef, Option<TokenRef>),
    Ended(TokenRef, Final),
}

impl Fact {
    /// The invariant and the rule that are broken if the engine has not done this although the rules do.
    pub(super) fn missing(&self) -> (&'static str, &'static str) {
        match self {
            Fact::JoinFired { .. } | Fact::Rearmed(_) => ("V3", "ORJ-6"),
            _ => self.broken(),
        }
    }

    /// The invariant and the rule that are broken if the engine has done this although the rules do not.
    pub(super) fn excess(&self) -> (&'static str, &'static str) {
        match self {
            Fact::JoinFired { .. } | Fact::Rearmed(_) => ("V2", "ORJ-1"),
            _ => self.broken(),
        }
    }

    fn broken(&self) -> (&'static str, &'static str) {
        match self {
            Fact::JoinFired { .. } | Fact::Rearmed(_) => ("V1", "GW-2"),
            Fact::Trailing(..) => ("V1", "CPX-6"),
            Fact::Merged { .. } => ("V1", "TRK-5"),
            Fact::Born { .. } => ("V6", "TRK-2"),
            Fact::Ended(..) => ("V6", "TRK-4"),
            Fact::Stepped(..) => ("V8", "TRK-6"),
            Fact::WorkStarted(..) => ("V8", "BND-11"),
            Fact::WorkEnded(..) => ("V8", "BND-2"),
            Fact::WorkAskedToStop(..) | Fact::Discarded(..) => ("V8", "BND-4"),
            Fact::Armed(..) | Fact::Disarmed(..) => ("V8", "BND-1"),
            Fact::Fired(..) => ("V9", "EVG-1"),
            Fact::Interrupted(..) => ("V8", "BND-10"),
            Fact::Thrown(..) | Fact::Undelivered(_) => ("V8", "EVT-2"),
            Fact::ScopeOpened(..) | Fact::ScopeCompleted(..) | Fact::ScopeWithdrawn(..) => ("V8", "INS-9"),
        }
    }

    /// The node it is about.
    pub(super) fn node(&self) -> Option<NodeRef> {
        match self {
            Fact::JoinFired { join: node, .. }
            | Fact::Born { node, .. }
            | Fact::Stepped(_, node)
            | Fact::Rearmed(node)
            | Fact::WorkStarted(_, node)
            | Fact::WorkEnded(_, node)
            | Fact::WorkAskedToStop(_, node)
            | Fact::Discarded(_, node)
            | Fact::Armed(node, _)
            | Fact::Fired(node, _)
            | Fact::Disarmed(node, _)
            | Fact::Interrupted(_, _, node) => Some(*node),
            _ => None,
        }
    }
}
