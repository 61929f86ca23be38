//! The audit: whatever an instance keeps up to date by each transition is worked out again from its tokens and compared.
//!
//! Debug builds make one after every transition; anybody else may ask for one ([`Instance::audit`]).

use super::state::Core;
use super::{Cx, Instance, Owner, Phase, ScopeIx, Token};
use crate::ids::NodeId;
use crate::reach::{Counters, NONE};

/// What is kept up to date differs from what there is: a defect of the engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Disagreement(String);

type Audited = Result<(), Disagreement>;

/// `Ok` if it holds, else what does not.
fn ensure(holds: bool, what: impl FnOnce() -> String) -> Audited {
    if holds { Ok(()) } else { Err(Disagreement(what())) }
}

impl Instance {
    /// Works the counts of tokens, the links between them and the state of the join index out again from the tokens and
    /// marks that there are, asks a search about each join, and compares. Costs as much as a copy of the instance and a
    /// few searches; nothing is changed.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use trackside_engine::model::notation;
    /// use trackside_engine::template::{Compiled, compile};
    /// use trackside_engine::world::{Part, World};
    ///
    /// let file = notation::parse("s > O > A* > J > e; O > B* > J; or O J").unwrap();
    /// let template = compile(&file, &file.processes[0], &Compiled::default()).unwrap();
    /// let mut world = World::new(Default::default());
    /// let process = world.add(Arc::new(template));
    /// let instance = world.start(process, 0, Default::default());
    /// while let Some(action) = world.oldest(Part::All) {
    ///     world.apply(action).unwrap();
    ///     assert_eq!(world.instance(instance).audit(), Ok(()));
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Disagreement`] says what differs.
    pub fn audit(&self) -> Result<(), Disagreement> {
        if self.end().is_some() {
            return Ok(());
        }
        // Searching needs memory, and a witness that is found is remembered.
        let mut core = self.core.clone();
        let mut cx = Cx {
            t: self.template(),
            core: &mut core,
        };
        cx.audit()
    }
}

impl Core {
    /// Counts and links agree with the tokens.
    fn audit_counts(&self) -> Audited {
        let mut live = vec![0u32; self.scopes.all().count()];
        let mut parked = vec![0u32; live.len()];
        for (_, token) in self.tokens.all().filter(|(_, t)| t.phase != Phase::Dead) {
            let (at, run) = (token.scope.0 as usize, self.scopes.get(token.scope.0));
            ensure(run.open, || {
                format!("track {} lives in a scope run that is gone", token.id)
            })?;
            live[at] += 1;
            parked[at] += u32::from(matches!(token.phase, Phase::AwaitSync | Phase::AwaitingMerge));
        }
        for (_, run) in self.scopes.all().filter(|(_, run)| run.open) {
            if let Some(parent) = run.parent.some() {
                let open = self.scopes.get(parent.0).open;
                ensure(open, || {
                    format!("a run of scope {} outlives the one around it", run.def)
                })?;
                live[parent.0 as usize] += u32::from(run.host.is_none());
            }
        }
        for (slot, run) in self.scopes.all().filter(|(_, run)| run.open) {
            let at = slot as usize;
            let queued: u32 = run.queues.iter().map(|queue| queue.len).sum();
            ensure(queued == parked[at], || {
                format!("scope run {slot} has parked tokens in no queue")
            })?;
            ensure(live[at] == run.live, || {
                format!("scope run {slot} counts its tokens wrongly")
            })?;
        }
        self.audit_watchers()
    }

    fn audit_watchers(&self) -> Audited {
        for (_, watcher) in self.watchers.all().filter(|(_, w)| w.lives()) {
            let lives = match watcher.owner {
                Owner::Token(token) => self.tokens.get(token.0).phase != Phase::Dead,
                Owner::Scope(scope) => self.scopes.get(scope.0).open,
            };
            ensure(lives, || {
                format!("subscription {} outlives its host or scope (BND-1)", watcher.id)
            })?;
        }
        Ok(())
    }
}

impl Cx<'_> {
    pub(super) fn audit(&mut self) -> Audited {
        self.core.audit_counts()?;
        for slot in 0..self.core.scopes.all().count() as u32 {
            if self.core.scopes.get(slot).open {
                self.audit_joins_of(ScopeIx(slot))?;
            }
        }
        Ok(())
    }

    /// The counters are those of the tokens and marks there are, and decide as a search does.
    fn audit_joins_of(&mut self, scope: ScopeIx) -> Audited {
        let t = self.t;
        let run = self.core.scopes.get(scope.0);
        let (def, index) = (run.def, &t.indexes[run.def.ix()]);
        if index.is_empty() {
            return Ok(());
        }
        let mut fresh = Counters::new(index, self.core.options.or_join.rule());
        for (_, token) in self.core.tokens.all() {
            if token.phase == Phase::Dead || token.scope != scope {
                continue;
            }
            match token.phase {
                Phase::InTransit => fresh.enter_zone(index, t.lanes[token.flow.ix()].zone),
                _ => fresh.enter_zone(index, t.hot[token.node.ix()].zone),
            }
        }
        for arm in self.owed(scope) {
            fresh.enter_zone(index, t.hot[arm.ix()].zone);
        }
        for lane in t.lanes.iter().filter(|lane| lane.own != NONE) {
            if t.nodes[lane.target.ix()].scope == def && run.queues[lane.queue as usize].len > 0 {
                fresh.mark(index, lane.edge);
            }
        }
        ensure(run.counters.agrees(&fresh), || {
            format!("the counters of scope {def} are not those of its tokens")
        })?;
        for join in t.node_ids() {
            if t.nodes[join.ix()].scope == def && t.hot[join.ix()].join != NONE {
                self.audit_ahead(scope, join)?;
            }
        }
        Ok(())
    }

    /// What the index says of a join is what a search finds.
    fn audit_ahead(&mut self, scope: ScopeIx, join: NodeId) -> Audited {
        let t = self.t;
        let id = &t.node(join).id;
        if !t.hot[join.ix()].inclusive {
            let mut flows = t.incoming(join).to_vec();
            flows.retain(|&flow| !self.marked(scope, flow));
            let mut searched = flows.clone();
            searched.retain(|&flow| self.search_for(scope, join, flow));
            let found = self.still_reachable(scope, join, flows);
            return ensure(found == searched, || {
                format!("flows into {id}: {found:?} can still be reached by the index, {searched:?} by a search")
            });
        }
        // A survivor that has not left is decided about afterwards (ORJ-8).
        let survives = |token: &Token| token.scope == scope && token.node == join && token.phase == Phase::Ready;
        if self.core.tokens.all().any(|(_, token)| survives(token)) {
            return Ok(());
        }
        let (fires, searched) = (self.may_fire(scope, join), self.search(scope, join));
        ensure(fires == searched, || {
            format!("join {id}: it may fire is {fires} by the index and {searched} by a search")
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Disagreement, Instance};
    use crate::model::notation;
    use crate::template::{Compiled, compile};
    use crate::world::{Part, World};

    /// An instance with a token parked at its inclusive join and one on its way there.
    fn halfway() -> Instance {
        let file = notation::parse("s > F > A > J; F > B > C > J; J > e; or J").expect("the model is of the notation");
        let template = compile(&file, &file.processes[0], &Compiled::default()).expect("the model compiles");
        let mut world = World::new(crate::instance::Options::default());
        let process = world.add(Arc::new(template));
        let instance = world.start(process, 0, crate::expr::Data::default());
        while world.instance(instance).core.waiting.is_empty()
            && world.instance(instance).core.scopes.get(0).queues[0].len == 0
        {
            let action = world.oldest(Part::All).expect("it goes on");
            world.apply(action).expect("the oldest action is enabled");
        }
        world.instance(instance).clone()
    }

    fn spoiled(spoil: impl Fn(&mut Instance)) -> Result<(), Disagreement> {
        let mut instance = halfway();
        assert_eq!(instance.audit(), Ok(()));
        spoil(&mut instance);
        instance.audit()
    }

    #[test]
    fn a_wrong_count_is_found() {
        let audited = spoiled(|instance| instance.core.scopes.get_mut(0).live += 1);
        assert!(audited.is_err());
    }

    #[test]
    fn a_wrong_queue_is_found() {
        let audited = spoiled(|instance| instance.core.scopes.get_mut(0).queues[0].len += 1);
        assert!(audited.is_err());
    }

    #[test]
    fn wrong_counters_of_the_join_index_are_found() {
        let audited = spoiled(|instance| {
            let index = &instance.template.indexes[0];
            let zone = instance.template.lanes.last().expect("there are flows").zone;
            let zones = instance.template.lanes.iter().map(|lane| lane.zone);
            let other = zones
                .clone()
                .find(|&other| other != zone)
                .expect("there is another zone");
            instance.core.scopes.get_mut(0).counters.enter_zone(index, other);
        });
        assert!(audited.is_err());
    }
}
