//! What must hold of an instance after every transition, asserted in debug builds.

use super::state::{Core, Phase};

impl Core {
    /// After the end nothing is left: no live track, subscription, timer or join mark (INS-5).
    pub(crate) fn assert_withdrawn(&mut self) {
        let late: Vec<u32> = self
            .late
            .all()
            .filter(|(_, late)| !late.track.is_none())
            .map(|(slot, _)| slot)
            .collect();
        late.into_iter().for_each(|slot| self.forget_late(slot));
        debug_assert_eq!(self.tokens.used(), 0, "an ended instance has no live track");
        debug_assert_eq!(self.watchers.used(), 0, "an ended instance has no subscription");
        debug_assert!(
            self.timers.is_empty() && self.due == 0,
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
        if self.end.is_some() || (self.tokens.all().count() > 64 && self.transition % 97 != 0) {
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
        for (_, watcher) in self.watchers.all().filter(|(_, w)| w.live) {
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
