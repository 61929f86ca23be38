//! What decides an instance's further behaviour, as a flat value (INS-10).
//!
//! Two instances of one template with equal values behave the same under equal choices: who the tracks are, which slots
//! they use and what has been recorded are left out. Scope runs are written as a tree, each below its host, siblings in
//! the order of their own values, so that two runs of one scope are told apart by content alone.

use super::state::{Owner, Phase, ScopeIx, Waits};
use super::{Core, Instance};

impl Instance {
    /// The canonical value, as numbers. Process data take part through their text; time through what remains.
    pub fn canonical(&self) -> Vec<u64> {
        let core = &self.core;
        let mut out = vec![match &core.end {
            None => 0,
            Some(super::End::Completed) => 1,
            Some(super::End::Terminated) => 2,
            Some(super::End::Faulted(_)) => 3,
            Some(super::End::Canceled) => 4,
        }];
        if core.end.is_none() {
            let order = bottom_up(core);
            let mut values: Vec<Vec<u64>> = vec![Vec::new(); core.scopes.all().count()];
            for scope in order {
                values[scope.0 as usize] = self.scope_value(scope, &values);
            }
            out.append(&mut values[0]);
        }
        out
    }

    fn scope_value(&self, scope: ScopeIx, below: &[Vec<u64>]) -> Vec<u64> {
        let core = &self.core;
        let run = core.scopes.get(scope.0);
        let mut parts: Vec<Vec<u64>> = Vec::new();
        let mut next = run.tokens;
        while let Some(ix) = next.some() {
            let token = core.tokens.get(ix.0);
            next = token.next;
            let place = u64::from(token.node.0) << 32 | u64::from(token.flow.0);
            let mut part = vec![1, place, token.phase as u64, u64::from(token.working)];
            part.extend(self.watchers_value(Owner::Token(ix)));
            if let Some(child) = token.child.some() {
                part.extend_from_slice(&below[child.0 as usize]);
            }
            parts.push(part);
        }
        let mut handler = run.handlers;
        while let Some(ix) = handler.some() {
            handler = core.scopes.get(ix.0).sibling;
            let mut part = vec![2, u64::from(core.scopes.get(ix.0).def.0)];
            part.extend_from_slice(&below[ix.0 as usize]);
            parts.push(part);
        }
        parts.sort_unstable();
        let mut out = vec![
            u64::from(run.def.0),
            u64::from(run.owed),
            u64::from(run.interrupted),
            parts.len() as u64,
        ];
        out.extend(run.words.iter().map(|&word| u64::from(word)));
        out.extend(self.watchers_value(Owner::Scope(scope)));
        for part in parts {
            out.push(part.len() as u64);
            out.extend(part);
        }
        out
    }

    fn watchers_value(&self, owner: Owner) -> Vec<u64> {
        let core = &self.core;
        let mut next = match owner {
            Owner::Token(token) => core.tokens.get(token.0).watchers,
            Owner::Scope(scope) => core.scopes.get(scope.0).watchers,
        };
        let mut found = Vec::new();
        while let Some(ix) = next.some() {
            let watcher = core.watchers.get(ix.0);
            next = watcher.next;
            let state = match &watcher.waits {
                Waits::Event(_) | Waits::Raised => 0,
                Waits::Condition { last } => u64::from(*last),
                Waits::Timer { due, .. } => due.wrapping_sub(core.now) as u64,
            };
            let fired = u64::from(watcher.fired);
            found.push([u64::from(watcher.node.0), state, fired]);
        }
        found.sort_unstable();
        std::iter::once(found.len() as u64)
            .chain(found.into_iter().flatten())
            .collect()
    }
}

/// All open scope runs, each after those below it.
fn bottom_up(core: &Core) -> Vec<ScopeIx> {
    let mut order = vec![ScopeIx(0)];
    let mut at = 0;
    while let Some(&scope) = order.get(at) {
        at += 1;
        let below = core.scopes.all().filter(|(_, run)| run.open && run.parent == scope);
        order.extend(below.map(|(slot, _)| ScopeIx(slot)));
    }
    order.reverse();
    debug_assert!(
        core.tokens
            .all()
            .all(|(_, t)| t.phase == Phase::Dead || order.contains(&t.scope))
    );
    order
}
