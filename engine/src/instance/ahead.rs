//! What can still come to a join: whether an inclusive one may fire (ORJ-1, ORJ-2), and what a complex one can still get
//! (CPX-3, CPX-4).
//!
//! The index counts the tokens that reach some inputs of a join. Those that reach all of them are not counted, since most
//! tokens do so for most joins; the rule of the standard never asks for them. Where the answer hangs on them, a *witness*
//! is remembered, one token that did, and only when it does no more are the others looked through.

use super::cx::Cx;
use super::state::{Phase, ScopeIx, TokenIx, WatcherIx};
use super::{Joins, OrJoin};
use crate::ids::{FlowId, NodeId};
use crate::reach::{Index, NONE, Rule};

/// Bit of flows that hold no token, in a [`crate::template::Reach`].
const UNMARKED: u8 = 1;
/// Bit of flows that hold one.
const MARKED: u8 = 2;

impl OrJoin {
    pub(crate) const fn rule(self) -> Rule {
        match self {
            Self::Standard => Rule::Standard,
            Self::Conservative => Rule::Conservative,
        }
    }
}

impl Cx<'_> {
    /// The number of a join that the index knows, if this run asks it.
    fn known(&self, node: NodeId) -> Option<u32> {
        let join = self.t.hot[node.ix()].join;
        (join != NONE && self.core.options.joins == Joins::Index).then_some(join)
    }

    /// The number of an inclusive join that the counts of the index decide alone, so that it is decided when they free it.
    pub(super) fn counted(&self, node: NodeId) -> Option<u32> {
        let counts = self.by_counts() && self.t.hot[node.ix()].inclusive;
        self.known(node).filter(|_| counts)
    }

    /// Whether there are such joins in this run.
    #[inline]
    pub(super) fn by_counts(&self) -> bool {
        self.core.options.joins == Joins::Index && self.core.options.or_join == OrJoin::Standard
    }

    fn index(&self, scope: ScopeIx) -> &Index {
        &self.t.indexes[self.core.scopes.get(scope.0).def.ix()]
    }

    /// Whether an inclusive join may fire with the flows it has.
    pub(crate) fn may_fire(&mut self, scope: ScopeIx, join: NodeId) -> bool {
        let Some(number) = self.known(join) else {
            return self.search(scope, join);
        };
        let counters = &self.core.scopes.get(scope.0).counters;
        let every = counters.marked(number) as usize == self.t.incoming(join).len();
        if !counters.may_fire(number) || every || self.core.options.or_join == OrJoin::Standard {
            return counters.may_fire(number);
        }
        match self.any_reaches_all(scope, join, number) {
            Some(found) => !found,
            None => self.search(scope, join),
        }
    }

    /// Which of these incoming flows of `join`, none of which holds a token, a token can still reach that does not reach all
    /// inputs: what can be told without looking at tokens. Nothing where the index does not know the join.
    pub(crate) fn surely_reachable(&self, scope: ScopeIx, join: NodeId, mut flows: Vec<FlowId>) -> Vec<FlowId> {
        if self.known(join).is_none() {
            return Vec::new();
        }
        let (run, index) = (self.core.scopes.get(scope.0), self.index(scope));
        flows.retain(|flow| run.counters.some_reach(index, self.t.lanes[flow.ix()].edge));
        flows
    }

    /// Whether some live token can still reach one of these incoming flows of `join`, none of which holds a token.
    pub(crate) fn any_reachable(&mut self, scope: ScopeIx, join: NodeId, flows: Vec<FlowId>) -> bool {
        !self.surely_reachable(scope, join, flows.clone()).is_empty()
            || !self.still_reachable(scope, join, flows).is_empty()
    }

    /// Which of these incoming flows of `join`, none of which holds a token, some live token can still reach.
    pub(crate) fn still_reachable(&mut self, scope: ScopeIx, join: NodeId, mut flows: Vec<FlowId>) -> Vec<FlowId> {
        let all = match self.known(join) {
            Some(number) if !flows.is_empty() => self.any_reaches_all(scope, join, number),
            _ => None,
        };
        match all {
            Some(true) => {}
            Some(false) => {
                let ahead = self.ahead_of_survivors(scope, join);
                let (run, index, t) = (self.core.scopes.get(scope.0), self.index(scope), self.t);
                flows.retain(|flow| {
                    let edge = t.lanes[flow.ix()].edge;
                    let from = |&(on, node): &(FlowId, u32)| on == *flow || index.reaches_some(node, edge);
                    run.counters.some_reach(index, edge) || ahead.iter().any(from)
                });
            }
            None => flows.retain(|&flow| self.search_for(scope, join, flow)),
        }
        flows
    }

    /// Whether some live token reaches every input of a join; `None` where the index can't tell.
    fn any_reaches_all(&mut self, scope: ScopeIx, join: NodeId, number: u32) -> Option<bool> {
        let witness = self.core.scopes.get(scope.0).witness;
        if let Some(witness) = witness.some()
            && self.reaches_all(scope, join, number, witness)?
        {
            return Some(true);
        }
        let mut next = self.core.scopes.get(scope.0).tokens;
        while let Some(token) = next.some() {
            if self.reaches_all(scope, join, number, token)? {
                self.run_mut(scope).witness = token;
                return Some(true);
            }
            next = self.token(token).next;
        }
        let ahead = self.ahead_of_survivors(scope, join);
        let owed = self.owed(scope).map(|node| self.local(node));
        let index = self.index(scope);
        let mut others = ahead.into_iter().map(|(_, node)| node).chain(owed);
        others.try_fold(false, |any, node| {
            index.reaches_all(number, node).map(|reaches| any || reaches)
        })
    }

    /// The arms of a parallel start that are owed: the subscriptions of a scope run that are not of its event sub-processes.
    pub(super) fn owed(&self, scope: ScopeIx) -> impl Iterator<Item = NodeId> + '_ {
        let run = self.core.scopes.get(scope.0);
        let mut next = if run.owed > 0 { run.watchers } else { WatcherIx::NONE };
        let watchers = std::iter::from_fn(move || {
            let watcher = self.watcher(next.some()?);
            next = watcher.next;
            Some(watcher.node)
        });
        watchers.filter(move |node| self.t.nodes[node.ix()].scope == run.def)
    }

    /// Whether a token, if it is live and of this scope run, reaches every input of a join.
    fn reaches_all(&self, scope: ScopeIx, join: NodeId, number: u32, token: TokenIx) -> Option<bool> {
        let token = self.token(token);
        if token.scope != scope || token.phase == Phase::Dead || token.node == join {
            // On an input of the join it reaches that one; registered there, or a survivor, it is no token before it.
            return Some(false);
        }
        self.index(scope).reaches_all(number, self.local(token.node))
    }

    /// The number of a node in the index of its scope.
    fn local(&self, node: NodeId) -> u32 {
        node.0 - self.t.scopes[self.t.nodes[node.ix()].scope.ix()].first
    }

    /// Where survivors that have not left `join` yet can go next: flows, and their targets by numbers of the index.
    fn ahead_of_survivors(&self, scope: ScopeIx, join: NodeId) -> Vec<(FlowId, u32)> {
        let ahead = self
            .others(scope, join)
            .filter_map(|(node, flow)| Some((flow?, self.local(node))));
        ahead.filter(|&(flow, _)| self.t.flow(flow).source == join).collect()
    }

    /// The same by a search, for joins that the index leaves to it; and what the index is held against in debug builds.
    pub(crate) fn search(&mut self, scope: ScopeIx, join: NodeId) -> bool {
        let mut reach = std::mem::take(&mut self.core.reach);
        #[cfg(feature = "planted-faults")]
        {
            reach.plant = self.core.options.plant;
        }
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

    /// The same for one flow by a search.
    pub(super) fn search_for(&mut self, scope: ScopeIx, join: NodeId, flow: FlowId) -> bool {
        let mut reach = std::mem::take(&mut self.core.reach);
        #[cfg(feature = "planted-faults")]
        {
            reach.plant = self.core.options.plant;
        }
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
    /// A survivor that has not left `join` yet stands at each of the join's own targets, and an arm that is owed at its node.
    fn others(&self, scope: ScopeIx, join: NodeId) -> impl Iterator<Item = (NodeId, Option<FlowId>)> + '_ {
        let mut next = self.core.scopes.get(scope.0).tokens;
        let tokens = std::iter::from_fn(move || {
            let token = self.token(next.some()?);
            next = token.next;
            Some(token)
        });
        #[cfg(feature = "planted-faults")]
        let tokens = tokens.filter(move |token| !self.overlooks(join, token));
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
            .chain(self.owed(scope).map(|node| (node, None)))
    }
}
