//! Parallel gateways (PAR): a join fires when each incoming flow has a token; a split takes every flow.
//!
//! Configuration: none beyond the flows. State: one word, the number of incoming flows that hold a token, and the queue
//! of each flow.

use super::{Build, Node};
use crate::ids::{FlowId, NodeId};
use crate::instance::{Cx, Phase, TokenIx, mark};
use crate::model::{Gateway, NodeKind};
use crate::planted::planted;

#[derive(Debug)]
struct Parallel {
    id: NodeId,
    join: bool,
}

/// The word that counts incoming flows with a token.
const FLOWS_MARKED: usize = 0;

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let parallel = matches!(
        build.node.kind,
        NodeKind::Gateway {
            gateway: Gateway::Parallel,
            ..
        }
    );
    let join = build.t.incoming(build.id).len() > 1;
    parallel.then(|| Box::new(Parallel { id: build.id, join }) as Box<dyn Node>)
}

impl Node for Parallel {
    fn place(&self) -> NodeId {
        self.id
    }

    fn passes(&self) -> bool {
        !self.join
    }

    fn words(&self) -> u32 {
        u32::from(self.join)
    }

    fn queues(&self) -> bool {
        self.join
    }

    /// PAR-2, PAR-3: the arrival that completes the set survives; surplus waits on its flow.
    fn arrive(&self, cx: &mut Cx<'_>, token: TokenIx, flow: FlowId) {
        if !self.join {
            return cx.ready(token);
        }
        let scope = cx.join_run(token);
        let first_on_flow = cx.park(token, flow, Phase::AwaitingMerge);
        planted!(cx, AndJoinCountsTokens => return super::planted::join_by_count(cx, self.id, scope, token));
        planted!(cx, AndJoinOverwritesSurplus => if !first_on_flow { cx.lose_first(scope, flow) });
        if !first_on_flow {
            mark!(cx.core, ParallelSurplus);
            return;
        }
        let t = cx.t;
        let flows = t.incoming(self.id);
        let marked = &mut cx.words(scope, self.id)[FLOWS_MARKED];
        *marked += 1;
        if *marked as usize != flows.len() {
            return;
        }
        planted!(cx, LatchSurvivesRearming => if cx.is_latched(scope, self.id) { return });
        let (survivor, left) = cx.consume(scope, self.id, flows, Some(token), true);
        mark!(cx.core, ParallelLeavesSurplus if left > 0);
        cx.words(scope, self.id)[FLOWS_MARKED] = left;
        cx.ready(survivor);
    }

    /// PAR-1: conditions and defaults are not looked at.
    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, _: u32) {
        let t = cx.t;
        match t.outgoing(self.id) {
            [] => cx.end_here(token),
            flows => cx.leave(token, flows),
        }
    }
}
