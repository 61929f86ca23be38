//! Joins: parking, consuming, merging, and when a decision is taken again (ORJ-6, CPX-5).
//!
//! What a join's state *is* stands here once for all kinds: tokens per incoming flow, in order of arrival (GW-2). When it
//! fires is the kind's own business, in its room.

use super::cx::Cx;
use super::mark::mark;
use super::state::{Phase, Queue, ScopeIx, Token, TokenIx};
use super::{CoverageMark, Record};
use crate::ids::{FlowId, NodeId};
use crate::planted::planted;
use crate::reach::NONE;

impl Cx<'_> {
    /// Registers a token on its flow and suspends it there (PAR-3, ORJ-9); says whether it is the first one there.
    #[inline]
    pub(crate) fn park(&mut self, token: TokenIx, flow: FlowId, phase: Phase) -> bool {
        self.quiet(token);
        self.core.parkings += 1;
        let parked = self.core.parkings;
        let (track, node, scope) = {
            let here = self.token_mut(token);
            (here.phase, here.flow, here.behind, here.parked) = (phase, flow, TokenIx::NONE, parked);
            (here.id, here.node, here.scope)
        };
        #[cfg(feature = "planted-faults")]
        let scope = {
            planted!(self, StarvedAndJoinCompletes => self.may_seem_drained(scope));
            self.note_arrival(token, scope)
        };
        let queue = self.queue(scope, flow);
        queue.len += 1;
        let first_on_flow = queue.len == 1;
        let last = std::mem::replace(&mut queue.last, token);
        if last.is_none() {
            queue.first = token;
        } else {
            self.token_mut(last).behind = token;
        }
        if first_on_flow && self.t.lanes[flow.ix()].own != NONE {
            let run = self.core.scopes.get_mut(scope.0);
            run.counters
                .mark(&self.t.indexes[run.def.ix()], self.t.lanes[flow.ix()].edge);
            // The arrival itself decides.
            while run.counters.freed().is_some() {}
        }
        self.record(|_| Record::Parked {
            track,
            flow,
            node,
            phase,
        });
        first_on_flow
    }

    /// Takes the earliest token off a flow that holds one; says whether there are more.
    #[inline]
    pub(super) fn take(&mut self, scope: ScopeIx, flow: FlowId) -> (TokenIx, bool) {
        let lane = &self.t.lanes[flow.ix()];
        let queue = &mut self.core.scopes.get_mut(scope.0).queues[lane.queue as usize];
        let first = queue.first;
        let behind = self.core.tokens.get(first.0).behind;
        queue.first = behind;
        queue.len -= 1;
        let more = !behind.is_none();
        if !more {
            *queue = Queue::EMPTY;
            if lane.own != NONE {
                let run = self.core.scopes.get_mut(scope.0);
                run.counters.unmark(&self.t.indexes[run.def.ix()], lane.edge);
            }
        }
        (first, more)
    }

    pub(crate) fn marked(&mut self, scope: ScopeIx, flow: FlowId) -> bool {
        self.queue(scope, flow).len > 0
    }

    /// Consumes one token per flow of `flows`, each of which holds one; all but the survivor merge into it (TRK-5). The
    /// completing arrival survives; where there is none, or it waits behind another token of its flow, the earliest of
    /// the consumed ones does (ORJ-8). `fires` is false for the second phase of a complex join, which is no firing of its own
    /// (CPX-6). Gives the survivor, and how many of the flows still hold a token.
    pub(crate) fn consume(
        &mut self,
        scope: ScopeIx,
        node: NodeId,
        flows: &[FlowId],
        completing: Option<TokenIx>,
        fires: bool,
    ) -> (TokenIx, u32) {
        #[cfg(feature = "planted-faults")]
        let flows = &*self.held(scope, flows);
        let foremost = completing.filter(|&token| {
            let flow = self.token(token).flow;
            self.queue(scope, flow).first == token
        });
        mark!(self.core, EarliestSurvives if completing.is_none());
        mark!(self.core, CompletingWaitsBehind if completing.is_some() && foremost.is_none());
        let survivor = foremost.unwrap_or_else(|| self.earliest(scope, flows));
        let track = self.track(survivor);
        if fires {
            self.record(|_| Record::JoinFired {
                node,
                survivor: track,
                flows: flows.to_vec(),
            });
        }
        planted!(self, LatchSurvivesRearming => self.latch(scope, node));
        let forgets = planted!(self, AllMarkedFiringForgetsParked) && self.completes_all(node, flows, completing);
        let mut left = 0;
        for &flow in flows {
            let (token, more) = self.take(scope, flow);
            left += u32::from(more);
            if token != survivor && !forgets {
                self.merge(token, track);
            }
        }
        if foremost.is_none() {
            self.record(|_| Record::Resumed { track, node });
        }
        (survivor, left)
    }

    /// Whether an arrival has brought an inclusive join its last missing flow (ORJ-5).
    fn completes_all(&self, node: NodeId, flows: &[FlowId], completing: Option<TokenIx>) -> bool {
        let all = flows.len() == self.t.incoming(node).len();
        all && completing.is_some() && self.t.hot[node.ix()].inclusive
    }

    fn earliest(&mut self, scope: ScopeIx, flows: &[FlowId]) -> TokenIx {
        let fronts = flows.iter().map(|&flow| {
            let front = self.queue(scope, flow).first;
            (self.token(front).parked, front)
        });
        fronts.min().expect("a join fires only with a token").1
    }

    /// The scope run that keeps the state of the join at which a token is: the token's own (INS-1, GW-2).
    #[inline]
    pub(crate) fn join_run(&self, token: TokenIx) -> ScopeIx {
        planted!(self, JoinStateSharedByPasses => return self.shared_run(token));
        self.token(token).scope
    }

    /// Makes sure that a join's decision is taken again: by the index when it becomes free, else after every transition.
    pub(crate) fn keep_deciding(&mut self, scope: ScopeIx, node: NodeId) {
        if let Some(join) = self.counted(node) {
            if self.core.scopes.get(scope.0).counters.may_fire(join) {
                self.core.freed.push((scope, node));
            }
        } else if !self.core.waiting.contains(&(scope, node)) {
            self.core.waiting.push((scope, node));
        }
    }

    pub(crate) fn stop_deciding(&mut self, scope: ScopeIx, node: NodeId) {
        if self.counted(node).is_none() {
            self.core.waiting.retain(|&join| join != (scope, node));
        }
    }

    /// A scope run is gone, and its joins with it.
    pub(crate) fn forget_joins(&mut self, scope: ScopeIx) {
        self.core.waiting.retain(|&(of, _)| of != scope);
        self.core.freed.retain(|&(of, _)| of != scope);
    }

    /// Takes every open decision again, once the transition is whole; says whether one fired.
    pub(crate) fn decide_again(&mut self) -> bool {
        if !self.is_whole() {
            mark!(self.core, JoinWaitsForWhole);
            return false;
        }
        let t = self.t;
        let mut fired = false;
        let mut at = 0;
        while let Some(&(scope, node)) = self.core.waiting.get(at) {
            #[cfg(feature = "planted-faults")]
            if self.misses_occasion(scope, node) {
                at += 1;
                continue;
            }
            fired |= t.kind(node).decide(self, scope, None);
            if self.core.end.is_some() {
                return false;
            }
            if self.core.waiting.get(at) == Some(&(scope, node)) {
                at += 1;
            }
        }
        let mut at = 0;
        while let Some(&(scope, node)) = self.core.freed.get(at) {
            at += 1;
            fired |= t.kind(node).decide(self, scope, None);
        }
        self.core.freed.clear();
        fired
    }

    // ---- the index of inclusive joins, kept up to date by every move ----

    /// A token appears at `node`.
    #[inline]
    pub(crate) fn enter_zone(&mut self, scope: ScopeIx, node: NodeId) {
        let zone = self.t.hot[node.ix()].zone;
        if zone != 0 {
            let run = self.core.scopes.get_mut(scope.0);
            run.counters.enter_zone(&self.t.indexes[run.def.ix()], zone);
        }
    }

    /// A token disappears from where it is.
    #[inline]
    pub(crate) fn leave_zone(&mut self, token: TokenIx) {
        let Token {
            node,
            flow,
            phase,
            scope,
            ..
        } = *self.token(token);
        let zone = match phase {
            Phase::InTransit => self.t.lanes[flow.ix()].zone,
            _ => self.t.hot[node.ix()].zone,
        };
        if zone != 0 {
            let run = self.core.scopes.get_mut(scope.0);
            run.counters.leave_zone(&self.t.indexes[run.def.ix()], zone);
            self.note_freed(scope, CoverageMark::JoinFreedByDeath);
        }
    }

    /// A token leaves a node along a flow on which it is in another zone.
    pub(crate) fn change_zone(&mut self, scope: ScopeIx, change: u32) {
        let run = self.core.scopes.get_mut(scope.0);
        run.counters.change(&self.t.indexes[run.def.ix()], change);
        self.note_freed(scope, CoverageMark::JoinFreedByMove);
    }

    /// An arm of a parallel start is owed (EVG-4): for joins it counts as a token at its node, for that is where one will be.
    pub(crate) fn owe(&mut self, scope: ScopeIx, arm: NodeId) {
        self.run_mut(scope).owed += 1;
        self.enter_zone(scope, arm);
    }

    /// It has occurred.
    pub(crate) fn owe_no_more(&mut self, scope: ScopeIx, arm: NodeId) {
        self.run_mut(scope).owed -= 1;
        let zone = self.t.hot[arm.ix()].zone;
        if zone != 0 {
            let run = self.core.scopes.get_mut(scope.0);
            run.counters.leave_zone(&self.t.indexes[run.def.ix()], zone);
            self.note_freed(scope, CoverageMark::JoinFreedByMove);
        }
    }

    /// A token that was on its way to a join is there; what it does there is up to the join.
    pub(crate) fn no_longer_imminent(&mut self, token: TokenIx, own: u32) {
        let here = self.token_mut(token);
        here.phase = Phase::Ready;
        let scope = here.scope;
        let run = self.core.scopes.get_mut(scope.0);
        run.counters.remove(own);
        // Nothing is freed: the arrival is registered next, and decides then.
    }

    #[inline]
    fn note_freed(&mut self, scope: ScopeIx, occasion: CoverageMark) {
        let _ = occasion;
        let by_counts = self.by_counts();
        let run = self.core.scopes.get_mut(scope.0);
        while let Some(join) = run.counters.freed() {
            let node = self.t.join_node(run.def, join);
            // All others are decided after every transition anyway.
            if by_counts && self.t.hot[node.ix()].inclusive {
                mark!(self.core, = occasion);
                self.core.freed.push((scope, node));
            }
        }
    }

    /// Whether what happens now is the whole of a transition, so that joins decide on what there is after it (INS-3,
    /// EVT-2). In between they would see a marking that nobody can observe.
    pub(crate) fn is_whole(&self) -> bool {
        self.core.parts == 0
    }
}
