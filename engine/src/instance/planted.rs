//! What the loop does when a fault is planted and it takes more than a line, and what it has to remember for that.

use std::collections::{BTreeMap, BTreeSet};

use super::cx::Cx;
use super::state::{Core, Owner, Phase, Queue, ScopeIx, Token, TokenIx, Waits, WatcherIx, Work};
use super::{End, FaultKind, Final, Joins, Mode, Options, Record, Withdrawal};
use crate::ids::{FlowId, NodeId, ScopeId, TrackId};
use crate::planted::{Fault, Plants, in_any_order, planted};

/// What planted faults remember of an instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Planted {
    /// The transition that `arrived` and `died` are of.
    transition: u64,
    /// The joins at which a token has arrived.
    arrived: Vec<(ScopeIx, NodeId)>,
    /// Whether a track has died.
    died: bool,
    /// Whether an error was caught.
    caught: bool,
    /// Siblings that have not executed a node yet.
    fresh: BTreeSet<TrackId>,
    /// What the last run of a scope has left.
    words: BTreeMap<ScopeId, Vec<u32>>,
    /// The joins that have fired, by the number of the scope run.
    latched: BTreeSet<(u32, NodeId)>,
    /// The parents of siblings that are still to appear.
    parents: BTreeMap<TrackId, TrackId>,
    /// The lineage that a survivor has taken over.
    lineage: BTreeMap<TrackId, TrackId>,
}

impl Plants for Options {
    fn plant(&self) -> Option<Fault> {
        self.plant
    }
}

impl Plants for Core {
    fn plant(&self) -> Option<Fault> {
        self.options.plant
    }
}

impl Plants for Cx<'_> {
    fn plant(&self) -> Option<Fault> {
        self.core.options.plant
    }
}

impl Options {
    /// Faults that concern what a join sees are planted in the search, which is asked after every transition.
    pub(crate) fn with_joins_for_plant(self) -> Self {
        let searches = planted!(
            self,
            JoinRedecidedOnArrivalOnly
                | JoinNotRedecidedOnMove
                | JoinNotRedecidedOnCaughtError
                | ForkInTwoSteps
                | InTransitArrivalIgnored
                | NewSiblingInvisible
                | ReachabilityMissesJumps
                | ReachabilityWalksThroughJoin
                | JoinStateSharedByPasses
        );
        let joins = if searches { Joins::Search } else { self.joins };
        Self { joins, ..self }
    }
}

// ---- what joins see, and when they look (faults 1 to 6) ----

impl Core {
    /// What happens in the current transition.
    fn occasions(&mut self) -> &mut Planted {
        if self.planted.transition != self.transition {
            self.planted.transition = self.transition;
            self.planted.arrived.clear();
            (self.planted.died, self.planted.caught) = (false, false);
        }
        &mut self.planted
    }

    /// Fault 4: a sibling that is still to appear. No other track chooses its way out and has one already.
    pub(crate) fn hides(&self, token: &Token) -> bool {
        planted!(self, ForkInTwoSteps) && token.phase == Phase::Leaving && !token.flow.is_none()
    }
}

impl Cx<'_> {
    /// A token parks at a join; gives the run that keeps the state of the join (fault 14).
    pub(super) fn note_arrival(&mut self, token: TokenIx, scope: ScopeIx) -> ScopeIx {
        let Token { id: track, node, .. } = *self.token(token);
        self.core.planted.fresh.remove(&track);
        self.core.occasions().arrived.push((scope, node));
        self.join_run(token)
    }

    pub(super) fn note_death(&mut self) {
        self.core.occasions().died = true;
    }

    pub(super) fn note_caught_error(&mut self) {
        self.core.occasions().caught = true;
    }

    /// Whether what has happened in this transition does not count as an occasion to decide (faults 1 to 3).
    pub(super) fn misses_occasion(&mut self, scope: ScopeIx, join: NodeId) -> bool {
        let plant = self.plant();
        let occasions = self.core.occasions();
        let arrived = occasions.arrived.contains(&(scope, join));
        match plant {
            Some(Fault::JoinRedecidedOnArrivalOnly) => !arrived,
            Some(Fault::JoinNotRedecidedOnMove) => !arrived && !occasions.died,
            Some(Fault::JoinNotRedecidedOnCaughtError) => !arrived && occasions.caught,
            _ => false,
        }
    }

    /// Whether a join does not see a token (faults 4 to 6).
    pub(super) fn overlooks(&self, join: NodeId, token: &Token) -> bool {
        match self.plant() {
            Some(Fault::ForkInTwoSteps) => self.core.hides(token),
            Some(Fault::InTransitArrivalIgnored) => token.phase == Phase::InTransit && token.node == join,
            Some(Fault::NewSiblingInvisible) => self.core.planted.fresh.contains(&token.id),
            _ => false,
        }
    }

    pub(super) fn note_fresh(&mut self, track: TrackId) {
        self.core.planted.fresh.insert(track);
    }

    pub(super) fn no_longer_fresh(&mut self, token: TokenIx) {
        let track = self.track(token);
        self.core.planted.fresh.remove(&track);
    }
}

// ---- forks (faults 4, 20, 30) ----

impl Cx<'_> {
    /// Faults 4 and 30: `own` is the place of the flow that the track itself takes.
    pub(super) fn fork_oddly(&mut self, token: TokenIx, flows: &[FlowId], own: usize) {
        if planted!(self, ForkInTwoSteps) {
            return self.fork_in_two_steps(token, flows, own);
        }
        let Token {
            id: parent,
            node,
            scope,
            ..
        } = *self.token(token);
        for (rank, flow) in in_any_order(flows.iter().copied().enumerate()) {
            if rank == own {
                self.put_on(token, flow);
            } else {
                self.spawn(scope, parent, node, flow);
            }
        }
    }

    fn fork_in_two_steps(&mut self, token: TokenIx, flows: &[FlowId], own: usize) {
        let Token {
            id: parent,
            node,
            scope,
            ..
        } = *self.token(token);
        let siblings = flows.iter().enumerate().filter(|(rank, _)| *rank != own);
        for (_, &flow) in siblings {
            let sibling = self.born(scope, node);
            self.hesitate(sibling);
            let here = self.token_mut(sibling);
            here.flow = flow;
            let track = here.id;
            self.core.planted.parents.insert(track, parent);
        }
        self.put_on(token, flows[own]);
    }

    /// The second step of a fork: a sibling comes to be, of the track that has left.
    pub(super) fn appear(&mut self, token: TokenIx) {
        let Token {
            id: track, node, flow, ..
        } = *self.token(token);
        let parent = self.core.planted.parents.remove(&track);
        self.record(|_| Record::Born {
            track,
            parent,
            node,
            flow: Some(flow),
        });
        self.put_on(token, flow);
    }

    /// Fault 20: the tracks of an open run that are about to fork, with their nodes.
    pub(super) fn forks_in(&self, scope: ScopeIx) -> Vec<(TrackId, NodeId)> {
        let run = self.core.scopes.get(scope.0);
        if !planted!(self, InterruptedForkSpawns) || !run.open {
            return Vec::new();
        }
        let mut forks = Vec::new();
        let mut next = run.tokens;
        while let Some(token) = next.some() {
            let Token { id, node, phase, .. } = *self.token(token);
            next = self.token(token).next;
            let kind = self.t.kind(node);
            if phase == Phase::Ready && kind.passes() && kind.ways(self.t) == 1 {
                forks.push((id, node));
            }
        }
        forks
    }

    pub(super) fn spawn_at_all(&mut self, scope: ScopeIx, forks: Vec<(TrackId, NodeId)>) {
        for (track, node) in forks {
            self.spawn_at(scope, track, node);
        }
    }

    /// Siblings for all flows without a condition but the first, which the track itself would have taken.
    pub(super) fn spawn_at(&mut self, scope: ScopeIx, track: TrackId, node: NodeId) {
        let t = self.t;
        for &flow in t.outgoing(node).iter().skip(1) {
            if t.flow(flow).condition.is_none() && t.nodes[node.ix()].default != flow {
                self.spawn(scope, track, node, flow);
            }
        }
    }
}

// ---- joins (faults 8, 10, 14, 15, 29) ----

impl Cx<'_> {
    /// Fault 8: the token parks, and is in no queue.
    pub(crate) fn strand(&mut self, token: TokenIx, flow: FlowId) {
        self.quiet(token);
        let here = self.token_mut(token);
        (here.phase, here.flow) = (Phase::AwaitSync, flow);
        let (track, node) = (here.id, here.node);
        self.record(|_| Record::Parked {
            track,
            flow,
            node,
            phase: Phase::AwaitSync,
        });
    }

    /// Fault 10: the first of two tokens on a flow is lost.
    pub(crate) fn lose_first(&mut self, scope: ScopeIx, flow: FlowId) {
        let (lost, _) = self.take(scope, flow);
        self.end_track(lost, Final::Ended);
    }

    /// Fault 14: of the runs of one scope that are open, the one that was opened first.
    pub(super) fn shared_run(&self, token: TokenIx) -> ScopeIx {
        let own = self.token(token).scope;
        let def = self.core.scopes.get(own.0).def;
        let runs = self.core.scopes.all().filter(|(_, run)| run.open && run.def == def);
        let first = runs.min_by_key(|(_, run)| run.serial);
        first.map_or(own, |(slot, _)| ScopeIx(slot))
    }

    /// Fault 14: a run is gone, and the words of its nodes stay for the next one.
    pub(super) fn leave_words(&mut self, scope: ScopeIx) {
        let run = self.core.scopes.get_mut(scope.0);
        let words = std::mem::take(&mut run.words);
        self.core.planted.words.insert(run.def, words);
    }

    /// Fault 14: a new run finds the words that the last one has left.
    pub(super) fn find_words(&mut self, scope: ScopeIx) {
        let run = self.core.scopes.get_mut(scope.0);
        if let Some(words) = self.core.planted.words.remove(&run.def) {
            run.words = words;
        }
    }

    /// Fault 14: words may count what is no longer there.
    pub(crate) fn holds_any(&mut self, scope: ScopeIx, join: NodeId) -> bool {
        let t = self.t;
        t.incoming(join).iter().any(|&flow| self.marked(scope, flow))
    }

    pub(super) fn held(&mut self, scope: ScopeIx, flows: &[FlowId]) -> Vec<FlowId> {
        let held = flows.iter().copied().filter(|&flow| self.marked(scope, flow));
        held.collect()
    }

    /// Fault 14: a track that ends must not stand in the queue of another run.
    pub(super) fn unqueue(&mut self, token: TokenIx) {
        let Token { flow, phase, .. } = *self.token(token);
        if !matches!(phase, Phase::AwaitSync | Phase::AwaitingMerge) {
            return;
        }
        let scope = self.shared_run(token);
        let mut kept = Vec::new();
        let mut next = self.queue(scope, flow).first;
        while let Some(ix) = next.some() {
            next = self.token(ix).behind;
            kept.extend((ix != token).then_some(ix));
        }
        if kept.len() == self.queue(scope, flow).len as usize {
            return;
        }
        if kept.is_empty() {
            self.take(scope, flow);
            return;
        }
        for (at, &ix) in kept.iter().enumerate() {
            self.token_mut(ix).behind = kept.get(at + 1).copied().unwrap_or(TokenIx::NONE);
        }
        let (first, last, len) = (kept[0], kept[kept.len() - 1], kept.len() as u32);
        *self.queue(scope, flow) = Queue { first, last, len };
    }

    /// Fault 15.
    pub(super) fn latch(&mut self, scope: ScopeIx, join: NodeId) {
        let serial = self.core.scopes.get(scope.0).serial;
        self.core.planted.latched.insert((serial, join));
    }

    pub(crate) fn is_latched(&self, scope: ScopeIx, join: NodeId) -> bool {
        let serial = self.core.scopes.get(scope.0).serial;
        self.core.planted.latched.contains(&(serial, join))
    }

    /// Fault 29.
    pub(super) fn rewrite_lineage(&mut self, survivor: TrackId, absorbed: TrackId) {
        self.core.planted.lineage.insert(survivor, absorbed);
    }

    /// The track that children of `track` name as their parent.
    pub(super) fn lineage_of(&self, track: TrackId) -> TrackId {
        self.core.planted.lineage.get(&track).copied().unwrap_or(track)
    }
}

// ---- the end of a scope (faults 11, 23 to 26) ----

impl Cx<'_> {
    /// Faults 11 and 26: whether the tokens that are left do not count.
    pub(super) fn seems_drained(&self, scope: ScopeIx) -> bool {
        let run = self.core.scopes.get(scope.0);
        let counts = |token: &Token| match self.plant() {
            Some(Fault::StarvedAndJoinCompletes) => token.phase != Phase::AwaitingMerge,
            Some(Fault::CompletionBeforeSibling) => !self.core.planted.fresh.contains(&token.id),
            _ => true,
        };
        let mut next = run.tokens;
        while let Some(token) = next.some() {
            if counts(self.token(token)) {
                return false;
            }
            next = self.token(token).next;
        }
        run.handlers.is_none()
    }

    pub(super) fn may_seem_drained(&mut self, scope: ScopeIx) {
        let run = self.core.scopes.get(scope.0);
        let (open, generation) = (run.open, run.generation);
        if open && self.seems_drained(scope) {
            self.core.later(Work::Drained(scope, generation));
        }
    }

    fn tokens_of(&self, scope: ScopeIx) -> Vec<TokenIx> {
        let mut next = self.core.scopes.get(scope.0).tokens;
        let mut found = Vec::new();
        while let Some(token) = next.some() {
            found.push(token);
            next = self.token(token).next;
        }
        found
    }

    fn is_parked(&self, token: TokenIx) -> bool {
        matches!(self.token(token).phase, Phase::AwaitSync | Phase::AwaitingMerge)
    }

    pub(super) fn parks_in(&self, scope: ScopeIx) -> bool {
        self.tokens_of(scope).iter().any(|&token| self.is_parked(token))
    }

    /// Fault 23: terminate cancels all but what is parked, so that the run does not end.
    pub(super) fn cancel_all_but_parked(&mut self, token: TokenIx) {
        let scope = self.token(token).scope;
        self.end_here(token);
        for token in self.tokens_of(scope) {
            if self.is_parked(token) {
                continue;
            }
            if let Some(child) = self.token(token).child.some() {
                self.withdraw(child);
            }
            self.stop_work(token);
            self.end_track(token, Final::Canceled);
        }
        let mut next = std::mem::replace(&mut self.run_mut(scope).handlers, ScopeIx::NONE);
        while let Some(handler) = next.some() {
            next = self.core.scopes.get(handler.0).sibling;
            self.withdraw(handler);
            self.run_mut(scope).live -= 1;
        }
    }

    /// The run around a run.
    pub(super) fn parent_of(&self, scope: ScopeIx) -> Option<ScopeIx> {
        self.core.scopes.get(scope.0).parent.some()
    }

    /// Fault 24: terminates the run `scope`, which is not the one that `token` stands in.
    pub(super) fn terminate_run(&mut self, token: TokenIx, scope: ScopeIx) {
        let track = self.track(token);
        self.end_here(token);
        match self.parent_of(scope) {
            None => self.end(End::Terminated, Some(track)),
            Some(_) => self.cancel_all_in(scope),
        }
    }

    /// Fault 25: the run that `token` stands in completes with it.
    pub(crate) fn complete_run(&mut self, token: TokenIx) {
        let scope = self.token(token).scope;
        self.end_here(token);
        if self.core.scopes.get(scope.0).live == 0 {
            return;
        }
        match self.parent_of(scope) {
            None => self.end(End::Completed, None),
            Some(_) => self.cancel_all_in(scope),
        }
    }
}

// ---- subscriptions and work (faults 16 to 18, 21) ----

impl Cx<'_> {
    /// Faults 16 and 17: whether the subscription is of an arm whose gate has been left by another one.
    pub(crate) fn has_lost(&self, ix: WatcherIx) -> bool {
        let watcher = self.watcher(ix);
        let Owner::Token(token) = watcher.owner else {
            return false;
        };
        let Token { node, phase, .. } = *self.token(token);
        let leads = |&flow: &FlowId| self.t.flow(flow).target == watcher.node;
        let at_gate = phase == Phase::Waiting && self.t.outgoing(node).iter().any(leads);
        self.t.kind(watcher.node).mode() == Mode::Catching && node != watcher.node && !at_gate
    }

    /// Fault 18: boundary events of a host that ends pass to its scope run.
    pub(super) fn outlive(&mut self, owner: Owner, why: Withdrawal) {
        let Owner::Token(host) = owner else { return };
        let scope = self.token(host).scope;
        if why != Withdrawal::HostEnded || self.core.end.is_some() || !self.core.scopes.get(scope.0).open {
            return;
        }
        let mut next = self.token(host).watchers;
        while let Some(ix) = next.some() {
            next = self.watcher(ix).next;
            let raised = matches!(self.watcher(ix).waits, Waits::Raised);
            if self.t.kind(self.watcher(ix).node).mode() != Mode::Catching && !raised {
                self.pass_to_scope(ix, scope);
            }
        }
    }

    fn pass_to_scope(&mut self, ix: WatcherIx, scope: ScopeIx) {
        let (owner, next, prev) = (self.watcher(ix).owner, self.watcher(ix).next, self.watcher(ix).prev);
        match prev.some() {
            Some(prev) => self.core.watchers.get_mut(prev.0).next = next,
            None => *self.owner_list(owner) = next,
        }
        if let Some(next) = next.some() {
            self.core.watchers.get_mut(next.0).prev = prev;
        }
        let first = std::mem::replace(self.owner_list(Owner::Scope(scope)), ix);
        if let Some(first) = first.some() {
            self.core.watchers.get_mut(first.0).prev = ix;
        }
        let watcher = self.core.watchers.get_mut(ix.0);
        (watcher.owner, watcher.next, watcher.prev) = (Owner::Scope(scope), first, WatcherIx::NONE);
    }

    /// Fault 21.
    pub(super) fn fault_by_late(&mut self, track: TrackId, node: NodeId) {
        let message = "an answer that nobody waited for".to_owned();
        self.fault(FaultKind::Technical, node, Some(track), None, message, &[]);
    }
}
