//! What decides an instance's further behaviour, as a flat value (INS-10).
//!
//! Two instances of one template with equal values behave the same under equal choices: who the tracks are, which slots
//! they use and what has been recorded are left out. Scope runs are written as a tree, each below its host, siblings in
//! the order of their own values, so that two runs of one scope are told apart by content alone. Process data take part
//! through their text. Time takes part through what remains until a timer is due; the time of day only where a timer
//! depends on it.

use super::agenda::NO_TICKET;
use super::state::{Owner, Phase, ScopeIx, Waits, Watcher};
use super::{Core, Instance};
use crate::time::Schedule;

impl Instance {
    /// The canonical value, as numbers.
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
            if self.template().absolute_time {
                out.push(core.now.cast_unsigned());
            }
            self.surroundings_value(&mut out);
            let order = bottom_up(core);
            let mut values: Vec<Vec<u64>> = vec![Vec::new(); core.scopes.all().count()];
            for scope in order {
                values[scope.0 as usize] = self.scope_value(scope, &values);
            }
            out.append(&mut values[0]);
        }
        out
    }

    /// What decides beside the scope runs: data, correlation keys, and answers that are still to come.
    fn surroundings_value(&self, out: &mut Vec<u64>) {
        let core = &self.core;
        push_text(out, core.data.iter().map(|(name, value)| format!("{name}={value}\n")));
        push_text(out, core.keys.iter().map(|(name, value)| format!("{name}={value:?}\n")));
        let pending = core.late.all().filter(|(_, late)| late.ticket != NO_TICKET);
        let mut late: Vec<u64> = pending.map(|(_, late)| u64::from(late.node.0)).collect();
        late.sort_unstable();
        out.push(late.len() as u64);
        out.append(&mut late);
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
            let schedule = core.schedule(self.template(), watcher);
            found.push((self.watcher_value(watcher, schedule), schedule_value(schedule)));
        }
        found.sort_unstable();
        let computed = self.template().absolute_time;
        let mut out = vec![found.len() as u64];
        for (value, schedule) in found {
            out.extend(value);
            out.extend(schedule.into_iter().filter(|_| computed));
        }
        out
    }

    /// How often a subscription has fired counts only where something ends with the count.
    fn watcher_value(&self, watcher: &Watcher, schedule: Option<&Schedule>) -> [u64; 3] {
        let options = &self.core.options;
        let offered = options.refires.map_or(0, |most| watcher.fired.min(most));
        let (state, fired) = match &watcher.waits {
            Waits::Event(_) | Waits::Raised | Waits::Sometime | Waits::Nothing => (0, offered),
            Waits::Condition { last } => (u64::from(*last), offered),
            Waits::Timer { due, .. } => {
                let fired = if schedule.is_some_and(Schedule::is_counted) {
                    watcher.fired
                } else {
                    offered
                };
                // Without a clock only a date or the calendar makes a difference.
                let relative = !options.timed && schedule.is_some_and(Schedule::is_relative);
                let left = if relative {
                    0
                } else {
                    due.wrapping_sub(self.core.now).cast_unsigned()
                };
                (left, fired)
            }
        };
        [u64::from(watcher.node.0), state, u64::from(fired)]
    }
}

/// The rhythm of a timer, which an expression may have given.
fn schedule_value(schedule: Option<&Schedule>) -> [u64; 5] {
    match schedule {
        Some(&Schedule::Every {
            repetitions,
            start,
            interval,
            end,
        }) => [
            repetitions.map_or(0, |n| u64::from(n) + 1),
            interval.ms,
            u64::from(interval.months),
            start.unwrap_or(i64::MIN).cast_unsigned(),
            end.unwrap_or(i64::MIN).cast_unsigned(),
        ],
        _ => [0; 5],
    }
}

/// Texts as numbers: how many bytes, then the bytes.
fn push_text(out: &mut Vec<u64>, texts: impl Iterator<Item = String>) {
    let at = out.len();
    out.push(0);
    for text in texts {
        out[at] += text.len() as u64;
        out.extend(text.as_bytes().chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        }));
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
