//! Joins: parking, consuming, merging, and when a decision is taken again (ORJ-6, CPX-5).
//!
//! What a join's state *is* stands here once for all kinds: tokens per incoming flow, in order of arrival (GW-2). When it
//! fires is the kind's own business, in its room.

use super::cx::Cx;
use super::state::{Phase, Queue, ScopeIx, TokenIx};
use super::{OrJoin, Record};
use crate::ids::{FlowId, NodeId};

/// Bit of flows that hold no token, in a [`crate::template::Reach`].
const UNMARKED: u8 = 1;
/// Bit of flows that hold one.
const MARKED: u8 = 2;

impl Cx<'_> {
    /// Registers a token on its flow and suspends it there (PAR-3, ORJ-9).
    pub(crate) fn park(&mut self, token: TokenIx, flow: FlowId, phase: Phase) {
        self.quiet(token);
        self.core.parkings += 1;
        let parked = self.core.parkings;
        let (track, node, scope) = {
            let here = self.token_mut(token);
            (here.phase, here.flow, here.behind, here.parked) = (phase, flow, TokenIx::NONE, parked);
            (here.id, here.node, here.scope)
        };
        let queue = self.queue(scope, flow);
        queue.len += 1;
        let last = std::mem::replace(&mut queue.last, token);
        if last.is_none() {
            queue.first = token;
        } else {
            self.token_mut(last).behind = token;
        }
        self.record(|_| Record::Parked {
            track,
            flow,
            node,
            phase,
        });
    }

    /// Takes the earliest token off a flow.
    pub(crate) fn take(&mut self, scope: ScopeIx, flow: FlowId) -> Option<TokenIx> {
        let first = self.queue(scope, flow).first.some()?;
        let behind = self.token(first).behind;
        let queue = self.queue(scope, flow);
        queue.first = behind;
        queue.len -= 1;
        if behind.is_none() {
            *queue = Queue::EMPTY;
        }
        Some(first)
    }

    pub(crate) fn marked(&mut self, scope: ScopeIx, flow: FlowId) -> bool {
        self.queue(scope, flow).len > 0
    }

    /// Consumes one token per flow of `flows`, each of which holds one; all but the survivor merge into it (TRK-5). The
    /// completing arrival survives; where there is none, or it waits behind another token of its flow, the earliest of
    /// the consumed ones does (ORJ-8). Gives the survivor, and how many of the flows still hold a token.
    pub(crate) fn consume(
        &mut self,
        scope: ScopeIx,
        node: NodeId,
        flows: &[FlowId],
        completing: Option<TokenIx>,
    ) -> (TokenIx, u32) {
        let foremost = completing.filter(|&token| {
            let flow = self.token(token).flow;
            self.queue(scope, flow).first == token
        });
        let survivor = foremost.unwrap_or_else(|| self.earliest(scope, flows));
        let track = self.track(survivor);
        self.record(|_| Record::JoinFired {
            node,
            survivor: track,
            flows: flows.to_vec(),
        });
        let mut left = 0;
        for &flow in flows {
            let token = self.take(scope, flow).expect("a join consumes only what is there");
            left += u32::from(self.marked(scope, flow));
            if token != survivor {
                self.merge(token, track);
            }
        }
        if foremost.is_none() {
            self.record(|_| Record::Resumed { track, node });
        }
        (survivor, left)
    }

    fn earliest(&mut self, scope: ScopeIx, flows: &[FlowId]) -> TokenIx {
        let fronts = flows.iter().map(|&flow| {
            let front = self.queue(scope, flow).first;
            (self.token(front).parked, front)
        });
        fronts.min().expect("a join fires only with a token").1
    }

    /// Puts a join on the list of those whose decision is taken again after every transition.
    pub(crate) fn keep_deciding(&mut self, scope: ScopeIx, node: NodeId) {
        if !self.core.waiting.contains(&(scope, node)) {
            self.core.waiting.push((scope, node));
        }
    }

    pub(crate) fn stop_deciding(&mut self, scope: ScopeIx, node: NodeId) {
        self.core.waiting.retain(|&join| join != (scope, node));
    }

    /// Takes every open decision again; says whether one fired.
    pub(crate) fn decide_again(&mut self) -> bool {
        let mut fired = false;
        let mut at = 0;
        while let Some(&(scope, node)) = self.core.waiting.get(at) {
            let t = self.t;
            fired |= t.kind(node).decide(self, scope, None);
            if self.core.end.is_some() {
                return false;
            }
            if self.core.waiting.get(at) == Some(&(scope, node)) {
                at += 1;
            }
        }
        fired
    }

    /// Whether what happens now is the whole of a transition, so that joins decide on what there is after it (INS-3,
    /// EVT-2). In between they would see a marking that nobody can observe.
    pub(crate) fn is_whole(&self) -> bool {
        self.core.parts == 0
    }

    /// Whether an inclusive join may fire with the flows it has (ORJ-1, ORJ-2).
    pub(crate) fn may_fire(&mut self, scope: ScopeIx, join: NodeId) -> bool {
        let mut reach = std::mem::take(&mut self.core.reach);
        let t = self.t;
        let flows = t.incoming(join);
        let unmarked = flows
            .iter()
            .copied()
            .filter(|&f| !self.marked(scope, f))
            .collect::<Vec<_>>();
        let marked = flows
            .iter()
            .copied()
            .filter(|&f| self.marked(scope, f))
            .collect::<Vec<_>>();
        let standard = self.core.options.or_join == OrJoin::Standard;
        reach.mark(t, join, unmarked.iter().copied(), UNMARKED);
        if standard {
            reach.mark(t, join, marked.iter().copied(), MARKED);
        }
        let blocked = self.others(scope, join).any(|(node, flow)| {
            let bits = match flow {
                Some(flow) if t.flow(flow).target == join => {
                    if self.core.scopes.get(scope.0).queues[t.lanes[flow.ix()].queue as usize].len > 0 {
                        MARKED
                    } else {
                        UNMARKED
                    }
                }
                _ => reach.at(node),
            };
            bits & UNMARKED != 0 && (!standard || bits & MARKED == 0)
        });
        reach.clear();
        self.core.reach = reach;
        !marked.is_empty() && !blocked
    }

    /// Whether some live token can still reach `flow`, an incoming flow of `join` (CPX-4).
    pub(crate) fn reachable(&mut self, scope: ScopeIx, join: NodeId, flow: FlowId) -> bool {
        let mut reach = std::mem::take(&mut self.core.reach);
        let t = self.t;
        reach.mark(t, join, std::iter::once(flow), UNMARKED);
        let found = self.others(scope, join).any(|(node, on)| match on {
            Some(on) if t.flow(on).target == join => on == flow,
            _ => reach.at(node) != 0,
        });
        reach.clear();
        self.core.reach = reach;
        found
    }

    /// The positions of all live tokens of a scope run but those registered at `join`: where they are, or the flow they
    /// are in transit on and its target.
    ///
    /// A survivor that has not left `join` yet stands at each of the join's own targets.
    fn others(&self, scope: ScopeIx, join: NodeId) -> impl Iterator<Item = (NodeId, Option<FlowId>)> + '_ {
        let mut next = self.core.scopes.get(scope.0).tokens;
        let tokens = std::iter::from_fn(move || {
            let token = self.token(next.some()?);
            next = token.next;
            Some(token)
        });
        tokens
            .filter(move |token| token.node != join || !matches!(token.phase, Phase::AwaitSync | Phase::AwaitingMerge))
            .flat_map(move |token| {
                let here = token.node == join && token.phase == Phase::Ready;
                let flows = if here { self.t.outgoing(join) } else { &[] };
                let ahead = flows.iter().map(|&f| (self.t.flow(f).target, Some(f)));
                let flow = (token.phase == Phase::InTransit).then_some(token.flow);
                let own = (!here).then_some((token.node, flow));
                ahead.chain(own)
            })
    }
}
