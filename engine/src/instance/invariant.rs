//! What must hold of an instance after every transition and at the end of everything in it, asserted in debug builds.
//!
//! What takes constant time is asserted always. What takes as long as the state is large is asserted on small states, in
//! every run of a world until there have been hundreds of them, and on a sample of what comes then: whoever runs
//! thousands of schedules in one world has seen its models from all sides. A run that fails is complete when it is played
//! again, in a world of its own.

use super::state::Core;
#[cfg(debug_assertions)]
use super::{Cx, Owner, Phase, ScopeIx};

/// So many instances are looked at after every transition, one after another in the same memory; of the later ones, one
/// in so many.
#[cfg(debug_assertions)]
const LIVES_WATCHED: u64 = 256;
#[cfg(debug_assertions)]
const LIVES_SAMPLED: u64 = 16;

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
        #[cfg(feature = "planted-faults")]
        if self.options.plant.is_some() {
            return;
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

    /// Whether to look now. On large states, and after many runs, a sample has to do: a check costs as much as the state.
    #[cfg(debug_assertions)]
    pub(crate) fn samples(&self, at: u64) -> bool {
        if self.lives_before >= LIVES_WATCHED && !self.lives_before.is_multiple_of(LIVES_SAMPLED) {
            return false;
        }
        // What a planted fault does is for others to find.
        #[cfg(feature = "planted-faults")]
        if self.options.plant.is_some() {
            return false;
        }
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
}

#[cfg(debug_assertions)]
impl Cx<'_> {
    /// Counts, links and the join index are those of the tokens there are ([`super::audit`]).
    pub(crate) fn assert_consistent(&mut self) {
        if self.core.end.is_none() && self.core.samples(self.core.transition) {
            let audited = self.audit();
            assert_eq!(
                audited,
                Ok(()),
                "after a transition all that is counted agrees with the tokens"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(debug_assertions)]
    #[test]
    fn the_first_runs_of_a_world_are_all_looked_at_and_the_later_ones_in_a_sample() {
        use super::{LIVES_SAMPLED, LIVES_WATCHED};
        use crate::{model::notation, template, world::World};

        let file = notation::parse("s > A > e").expect("the model is of the notation");
        let template = template::compile(&file, &file.processes[0], &template::Compiled::default());
        let mut world = World::new(crate::instance::Options::default());
        world.add(template.expect("the model compiles").into());
        let mut looks = || {
            world.reset();
            let instance = world.start(0, 0, crate::expr::Data::default());
            world.instance(instance).core.samples(1)
        };
        assert!((0..LIVES_WATCHED).all(|_| looks()));
        let later = (0..10 * LIVES_SAMPLED).filter(|_| looks()).count();
        assert_eq!(later, 10);
    }
}
