//! What must hold of an instance after every transition, asserted in debug builds.

use super::state::{Core, Phase};
#[cfg(debug_assertions)]
use super::{Cx, ScopeIx};
#[cfg(debug_assertions)]
use crate::reach::Counters;

impl Core {
    /// After the end nothing is left: no live track, subscription, timer or join mark (INS-5).
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
        debug_assert!(self.waiting.is_empty(), "an ended instance has no waiting join");
        debug_assert_eq!(
            self.inside.len() + self.outside.len(),
            0,
            "an ended instance has nothing to do"
        );
    }

    /// Counts and links agree with the tokens.
    #[cfg(debug_assertions)]
    pub(crate) fn assert_consistent(&self) {
        // On large states a sample has to do: the check costs as much as the state.
        if self.end.is_some() || (self.tokens.all().count() > 64 && !self.transition.is_multiple_of(97)) {
            return;
        }
        let mut live = vec![0u32; self.scopes.all().count()];
        for (_, token) in self.tokens.all().filter(|(_, t)| t.phase != Phase::Dead) {
            let run = self.scopes.get(token.scope.0);
            assert!(run.open, "track {} lives in a scope run that is gone", token.id);
            live[token.scope.0 as usize] += 1;
        }
        for (_, run) in self.scopes.all().filter(|(_, run)| run.open) {
            if let (Some(parent), None) = (run.parent.some(), run.host.some()) {
                live[parent.0 as usize] += 1;
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
                super::Owner::Token(token) => {
                    let phase = self.tokens.get(token.0).phase;
                    assert!(phase != Phase::Dead, "no watcher outlives its host (BND-1)");
                }
                super::Owner::Scope(scope) => assert!(self.scopes.get(scope.0).open, "no handler outlives its scope"),
            }
        }
    }
}

#[cfg(debug_assertions)]
impl Cx<'_> {
    /// The counters are those of the tokens and marks there are, and decide as a search does.
    pub(crate) fn assert_joins(&mut self) {
        let few = self.core.tokens.all().count() <= 64;
        if self.core.end.is_some() || !(few || self.core.transition.is_multiple_of(97)) {
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
        let mut fresh = Counters::new(index);
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
        if self.core.options.or_join == super::OrJoin::Standard {
            let joins: Vec<_> = t
                .node_ids()
                .filter(|&n| t.nodes[n.ix()].scope == run.def && t.hot[n.ix()].join != crate::reach::NONE)
                .collect();
            for join in joins {
                // A survivor that has not left is decided about afterwards (ORJ-8).
                let survivor = self
                    .core
                    .tokens
                    .all()
                    .any(|(_, token)| token.scope == scope && token.node == join && token.phase == Phase::Ready);
                if !survivor {
                    assert_eq!(
                        self.may_fire(scope, join),
                        self.search(scope, join),
                        "join {}",
                        t.node(join).id
                    );
                }
            }
        }
    }
}
