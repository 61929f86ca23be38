//! What must hold of an instance after every transition and at the end of everything in it, asserted in debug builds.

use super::state::Core;
#[cfg(debug_assertions)]
use super::{Cx, Owner, Phase, ScopeIx, Token};
#[cfg(debug_assertions)]
use crate::{ids::NodeId, reach::Counters};

impl Core {
    /// After the end nothing is left: no live track, scope run, subscription, timer or join mark (INS-5).
    pub(crate) fn assert_withdrawn(&mut self) {
        let late: Vec<u32> = self
            .late
            .all()
            .filter(|(_, late)| !late.track.is_none())
            .map(|(slot, _)| slot)
            .collect();
        for slot in late {
            self.forget_late(slot);
        }
        debug_assert_eq!(self.tokens.used(), 0, "an ended instance has no live track");
        debug_assert_eq!(self.watchers.used(), 0, "an ended instance has no subscription");
        debug_assert!(
            !self.has_timers() && self.schedules.is_empty() && self.due == 0,
            "an ended instance has no timer"
        );
        // The root keeps its slot. Queues of the others were seen to be empty when these ended.
        debug_assert!(
            self.scopes.used() == 1 && !self.scopes.get(0).open,
            "an ended instance has no open scope run"
        );
        debug_assert!(
            self.scopes.get(0).queues.iter().all(|queue| queue.len == 0),
            "an ended instance has no token at a join"
        );
        debug_assert!(
            self.waiting.is_empty() && self.freed.is_empty(),
            "an ended instance has no join to decide"
        );
        debug_assert_eq!(
            self.inside.len() + self.outside.len(),
            0,
            "an ended instance has nothing to do"
        );
    }

    /// Whether to look now. On large states a sample has to do: a check costs as much as the state.
    #[cfg(debug_assertions)]
    fn samples(&self, at: u64) -> bool {
        let largest = self.tokens.slots().max(self.scopes.slots()).max(self.watchers.slots());
        largest <= 64 || at.is_multiple_of(97)
    }

    /// A scope run that ends leaves nothing: no live track, child run, subscription, timer or join mark (INS-5, INS-9).
    #[cfg(debug_assertions)]
    pub(crate) fn assert_scope_gone(&self, scope: ScopeIx) {
        // Many may end in one transition, so that its number alone would not spread the sample.
        if !self.samples(self.transition + u64::from(scope.0)) {
            return;
        }
        let run = self.scopes.get(scope.0);
        let (def, in_it) = (run.def, |owner: Owner| match owner {
            Owner::Token(token) => self.tokens.get(token.0).scope == scope,
            Owner::Scope(of) => of == scope,
        });
        assert!(!run.open && run.live == 0, "scope {def} has ended and has drained");
        assert!(
            run.tokens.is_none() && run.handlers.is_none() && run.watchers.is_none(),
            "nothing is linked to scope {def}"
        );
        let mut tokens = self.tokens.all();
        assert!(
            tokens.all(|(_, token)| token.phase == Phase::Dead || token.scope != scope),
            "no track of scope {def} lives"
        );
        let mut below = self.scopes.all();
        assert!(
            below.all(|(_, below)| !below.open || below.parent != scope),
            "no run below scope {def} is open"
        );
        let mut watchers = self.watchers.all();
        assert!(
            watchers.all(|(_, watcher)| !watcher.lives() || !in_it(watcher.owner)),
            "no subscription of scope {def} is armed"
        );
        let sorted = self.timers.iter().map(|&(.., ix)| self.watchers.get(ix.0));
        assert!(
            sorted.chain(self.fresh_timers()).all(|timer| !in_it(timer.owner)),
            "no timer of scope {def} runs"
        );
        assert!(
            run.queues.iter().all(|queue| queue.len == 0),
            "no join of scope {def} holds a token"
        );
        let mut deciding = self.waiting.iter().chain(&self.freed);
        assert!(
            deciding.all(|(of, _)| *of != scope),
            "no join of scope {def} is to decide"
        );
    }

    /// Counts and links agree with the tokens.
    #[cfg(debug_assertions)]
    pub(crate) fn assert_consistent(&self) {
        if self.end.is_some() || !self.samples(self.transition) {
            return;
        }
        let mut live = vec![0u32; self.scopes.all().count()];
        for (_, token) in self.tokens.all().filter(|(_, t)| t.phase != Phase::Dead) {
            let run = self.scopes.get(token.scope.0);
            assert!(run.open, "track {} lives in a scope run that is gone", token.id);
            live[token.scope.0 as usize] += 1;
        }
        for (_, run) in self.scopes.all().filter(|(_, run)| run.open) {
            if let Some(parent) = run.parent.some() {
                assert!(
                    self.scopes.get(parent.0).open,
                    "no scope run outlives the one around it"
                );
                live[parent.0 as usize] += u32::from(run.host.is_none());
            }
            let queued: u32 = run.queues.iter().map(|q| q.len).sum();
            let parked = self.tokens.all().filter(|(_, t)| {
                matches!(t.phase, Phase::AwaitSync | Phase::AwaitingMerge)
                    && std::ptr::eq(self.scopes.get(t.scope.0), run)
            });
            assert_eq!(
                queued as usize,
                parked.count(),
                "every parked token stands in one queue"
            );
        }
        for (slot, run) in self.scopes.all().filter(|(_, run)| run.open) {
            assert_eq!(live[slot as usize], run.live, "scope run {slot} counts its tokens");
        }
        for (_, watcher) in self.watchers.all().filter(|(_, w)| w.lives()) {
            match watcher.owner {
                Owner::Token(token) => {
                    let phase = self.tokens.get(token.0).phase;
                    assert!(phase != Phase::Dead, "no watcher outlives its host (BND-1)");
                }
                Owner::Scope(scope) => assert!(self.scopes.get(scope.0).open, "no handler outlives its scope"),
            }
        }
    }
}

#[cfg(debug_assertions)]
impl Cx<'_> {
    /// The counters are those of the tokens and marks there are, and decide as a search does.
    pub(crate) fn assert_joins(&mut self) {
        if self.core.end.is_some() || !self.core.samples(self.core.transition) {
            return;
        }
        let open: Vec<ScopeIx> = self
            .core
            .scopes
            .all()
            .filter(|(_, run)| run.open)
            .map(|(slot, _)| ScopeIx(slot))
            .collect();
        for scope in open {
            self.assert_joins_of(scope);
        }
    }

    fn assert_joins_of(&mut self, scope: ScopeIx) {
        let t = self.t;
        let run = self.core.scopes.get(scope.0);
        let index = &t.indexes[run.def.ix()];
        if index.is_empty() {
            return;
        }
        let mut fresh = Counters::new(index, self.core.options.or_join.rule());
        for (_, token) in self
            .core
            .tokens
            .all()
            .filter(|(_, token)| token.phase != Phase::Dead && token.scope == scope)
        {
            match token.phase {
                Phase::InTransit => fresh.enter_zone(index, t.lanes[token.flow.ix()].zone),
                _ => fresh.enter_zone(index, t.hot[token.node.ix()].zone),
            }
        }
        for arm in self.owed(scope) {
            fresh.enter_zone(index, t.hot[arm.ix()].zone);
        }
        for lane in t.lanes.iter().filter(|lane| lane.own != crate::reach::NONE) {
            if t.nodes[lane.target.ix()].scope == run.def && run.queues[lane.queue as usize].len > 0 {
                fresh.mark(index, lane.edge);
            }
        }
        assert!(
            run.counters.agrees(&fresh),
            "the counters of scope {} are those of its tokens",
            run.def
        );
        let def = run.def;
        for join in t.node_ids() {
            if t.nodes[join.ix()].scope == def && t.hot[join.ix()].join != crate::reach::NONE {
                self.assert_ahead(scope, join);
            }
        }
    }

    /// What the index says of a join is what a search finds.
    fn assert_ahead(&mut self, scope: ScopeIx, join: NodeId) {
        let t = self.t;
        let id = &t.node(join).id;
        if !t.hot[join.ix()].inclusive {
            let mut flows = t.incoming(join).to_vec();
            flows.retain(|&flow| !self.marked(scope, flow));
            let mut searched = flows.clone();
            searched.retain(|&flow| self.search_for(scope, join, flow));
            assert_eq!(self.still_reachable(scope, join, flows), searched, "flows into {id}");
            return;
        }
        // A survivor that has not left is decided about afterwards (ORJ-8).
        let survives = |token: &Token| token.scope == scope && token.node == join && token.phase == Phase::Ready;
        if !self.core.tokens.all().any(|(_, token)| survives(token)) {
            assert_eq!(self.may_fire(scope, join), self.search(scope, join), "join {id}");
        }
    }
}
