//! Event-based gateways (EVG).
//!
//! Configuration: the arms, and whether the gate instantiates (one arm per instance, or all of them). State: the
//! subscriptions of its arms, owned by the token that rests at the gate, or, for a parallel start, by the scope run,
//! which owes the arms that have not occurred. An arm takes its event in its own room; [`took_arm`] brings the token there.

use super::{Build, Node};
use crate::ids::NodeId;
use crate::instance::{Cx, Owner, ScopeIx, TokenIx, WatcherIx, Withdrawal, mark};
use crate::model::{Gateway, NodeKind};
use crate::planted::planted;

#[derive(Debug)]
struct EventGate {
    id: NodeId,
    arms: Vec<NodeId>,
    /// A start whose instance waits for every arm.
    parallel: bool,
}

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let NodeKind::Gateway {
        gateway: Gateway::EventBased { parallel, .. },
        ..
    } = build.node.kind
    else {
        return None;
    };
    let arms = build
        .t
        .outgoing(build.id)
        .iter()
        .map(|&flow| build.t.flow(flow).target)
        .collect();
    Some(Box::new(EventGate {
        id: build.id,
        arms,
        parallel,
    }))
}

impl Node for EventGate {
    fn place(&self) -> NodeId {
        self.id
    }

    fn prompt(&self) -> bool {
        true
    }

    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, _: u32) {
        cx.wait(token);
        for &arm in &self.arms {
            cx.arm(arm, Owner::Token(token));
            if cx.core.end.is_some() {
                return;
            }
        }
    }

    /// EVG-3, EVG-4: the event that creates the instance goes along its arm; a parallel start arms the others.
    fn instantiate(&self, cx: &mut Cx<'_>, scope: ScopeIx, arm: NodeId) {
        let t = cx.t;
        if self.parallel {
            for &other in self.arms.iter().filter(|&&other| other != arm) {
                cx.arm(other, Owner::Scope(scope));
                cx.owe(scope, other);
            }
        }
        let token = cx.born_at(scope, None, self.id);
        cx.executed(token);
        cx.move_to(token, arm);
        super::exit::leave(cx, token, super::exit::Rule::Uncontrolled, None, &[]);
        debug_assert!(!t.outgoing(self.id).is_empty());
    }
}

/// The event of `node` has occurred: gives the token that goes on from there. Where it waited at a gate, it leaves the
/// gate for this arm and all other subscriptions are dropped.
pub(super) fn took_arm(cx: &mut Cx<'_>, watcher: WatcherIx, node: NodeId) -> TokenIx {
    match cx.watcher(watcher).owner {
        Owner::Token(token) => {
            planted!(cx, TwoArmsWin => if cx.has_lost(watcher) { return super::planted::win_too(cx, watcher, token, node) });
            cx.disarm(watcher, Withdrawal::Taken);
            let at_gate = cx.token(token).node != node;
            if at_gate {
                mark!(cx.core, ArmTakesToken);
                if !planted!(cx, TwoArmsWin | LosingSubscriptionLeaks) {
                    cx.disarm_all_of(Owner::Token(token), Withdrawal::Lost);
                }
                cx.executed(token);
                cx.move_to(token, node);
            } else {
                cx.disarm_all_of(Owner::Token(token), Withdrawal::HostEnded);
            }
            token
        }
        Owner::Scope(scope) => {
            mark!(cx.core, ArmWasOwed);
            cx.disarm(watcher, Withdrawal::Taken);
            let token = cx.born_at(scope, None, node);
            cx.owe_no_more(scope, node);
            token
        }
    }
}
