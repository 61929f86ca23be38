//! Scope runs (INS-9): entered, drained, ended from outside. All of it by loops, whatever the nesting.

use super::cx::Cx;
use super::mark::mark;
use super::state::{LateWork, Owner, Phase, Queue, ScopeIx, ScopeRun, Token, TokenIx, WatcherIx, Work};
use super::{Deed, End, Final, LifeCycle, Record, Withdrawal};
use crate::ids::{NodeId, ScopeId, TrackId};
use crate::node::exit::{self, Rule};
use crate::planted::planted;

impl Cx<'_> {
    /// Opens a run of `def` below `host`, or, for an event sub-process, beside the tokens of `parent`.
    pub(crate) fn open_scope(&mut self, def: ScopeId, parent: ScopeIx, host: TokenIx) -> ScopeIx {
        let info = &self.t.scopes[def.ix()];
        let ix = self.blank_scope(def, parent, host);
        let run = self.core.scopes.get_mut(ix.0);
        run.words.clear();
        run.words.resize(info.words as usize, 0);
        run.queues.clear();
        run.queues.resize(info.queues as usize, Queue::EMPTY);
        run.counters
            .reset(&self.t.indexes[def.ix()], self.core.options.or_join.rule());
        planted!(self, JoinStateSharedByPasses => self.find_words(ix));
        let host_track = host.some().map(|host| self.track(host));
        if !host.is_none() {
            self.token_mut(host).child = ix;
        }
        self.record(|_| Record::ScopeOpened {
            scope: def,
            host: host_track,
        });
        ix
    }

    /// A run with nothing in it, in the memory of one that is gone if there is any.
    fn blank_scope(&mut self, def: ScopeId, parent: ScopeIx, host: TokenIx) -> ScopeIx {
        let serial = self.core.next_run;
        self.core.next_run += 1;
        let slot = match self.core.scopes.reuse() {
            Some(slot) => slot,
            None => self.core.scopes.insert(ScopeRun::new()),
        };
        let run = self.core.scopes.get_mut(slot);
        (run.def, run.parent, run.host, run.serial) = (def, parent, host, serial);
        run.generation += 1;
        (run.open, run.interrupted) = (true, false);
        (run.live, run.owed) = (0, 0);
        (run.tokens, run.witness, run.watchers) = (TokenIx::NONE, TokenIx::NONE, WatcherIx::NONE);
        (run.handlers, run.sibling) = (ScopeIx::NONE, ScopeIx::NONE);
        ScopeIx(slot)
    }

    /// Arms the event sub-processes of a scope run.
    pub(crate) fn arm_handlers(&mut self, scope: ScopeIx) {
        let t = self.t;
        let def = self.core.scopes.get(scope.0).def;
        for &start in &t.scopes[def.ix()].handlers {
            self.arm(start, Owner::Scope(scope));
            if self.core.end.is_some() {
                return;
            }
        }
    }

    /// Puts the first token (or, without a start event, the first tokens) into a scope run.
    pub(crate) fn begin(&mut self, scope: ScopeIx, parent: Option<TrackId>) {
        let t = self.t;
        let def = self.core.scopes.get(scope.0).def;
        for &start in t.scopes[def.ix()].entries() {
            let token = self.born_at(scope, parent, start);
            self.ready(token);
        }
        if self.core.scopes.get(scope.0).live == 0 {
            let generation = self.core.scopes.get(scope.0).generation;
            self.core.later(Work::Drained(scope, generation));
        }
    }

    /// A scope run without live tokens completes (INS-5, INS-9, ESP-1), unless arms of its start are still owed (EVG-4).
    pub(crate) fn drained(&mut self, scope: ScopeIx, generation: u32) {
        let t = self.t;
        let run = self.core.scopes.get(scope.0);
        let drained = run.live == 0;
        #[cfg(feature = "planted-faults")]
        let drained = drained || self.seems_drained(scope);
        if !run.open || run.generation != generation || !drained || run.owed > 0 {
            mark!(self.core, DrainedInVain);
            return;
        }
        let (def, parent, host) = (run.def, run.parent, run.host);
        if parent.is_none() {
            return self.end(End::Completed, None);
        }
        planted!(self, StarvedAndJoinCompletes | CompletionBeforeSibling => self.cancel_all_in(scope));
        self.discard_scope(scope);
        let track = host.some().map(|host| self.track(host));
        self.record(|_| Record::ScopeCompleted {
            scope: def,
            host: track,
        });
        if let Some(host) = host.some() {
            self.token_mut(host).child = ScopeIx::NONE;
            let node = self.token(host).node;
            t.kind(node).drained(self, host);
        } else {
            self.handler_gone(parent, scope);
        }
    }

    /// An event sub-process has ended; the scope around it may have drained by that.
    fn handler_gone(&mut self, parent: ScopeIx, handler: ScopeIx) {
        let sibling = self.core.scopes.get(handler.0).sibling;
        let mut at = self.core.scopes.get(parent.0).handlers;
        if at == handler {
            self.core.scopes.get_mut(parent.0).handlers = sibling;
        } else {
            while self.core.scopes.get(at.0).sibling != handler {
                at = self.core.scopes.get(at.0).sibling;
            }
            self.core.scopes.get_mut(at.0).sibling = sibling;
        }
        let run = self.core.scopes.get_mut(parent.0);
        run.live -= 1;
        if run.live == 0 && run.open {
            let generation = run.generation;
            self.core.later(Work::Drained(parent, generation));
        }
    }

    /// Frees an empty scope run.
    fn discard_scope(&mut self, scope: ScopeIx) {
        self.core.scopes.get_mut(scope.0).open = false;
        planted!(self, JoinStateSharedByPasses => self.leave_words(scope));
        self.disarm_all_of(Owner::Scope(scope), Withdrawal::HostEnded);
        self.forget_joins(scope);
        #[cfg(debug_assertions)]
        self.core.assert_scope_gone(scope);
        self.core.scopes.release(scope.0);
    }

    /// Cancels all tokens and handlers of a scope run and all that is below them; the run itself stays open. What is below
    /// a run is gone before that run is.
    pub(crate) fn cancel_all_in(&mut self, scope: ScopeIx) {
        let mut doomed = Vec::new();
        self.cancel_contents(scope, &mut doomed);
        while let Some(below) = doomed.pop() {
            let run = self.core.scopes.get_mut(below.0);
            if std::mem::replace(&mut run.open, false) {
                // It comes up again when everything that is now put above it has gone.
                mark!(self.core, RunBelowEnds);
                doomed.push(below);
                self.cancel_contents(below, &mut doomed);
                continue;
            }
            let (def, host) = (run.def, run.host);
            self.discard_scope(below);
            let host = host.some().map(|host| self.track(host));
            self.record(|_| Record::ScopeWithdrawn { scope: def, host });
        }
    }

    fn cancel_contents(&mut self, scope: ScopeIx, doomed: &mut Vec<ScopeIx>) {
        #[cfg(feature = "planted-faults")]
        let forks = self.forks_in(scope);
        while let Some(token) = self.core.scopes.get(scope.0).tokens.some() {
            doomed.extend(self.token(token).child.some());
            self.stop_work(token);
            self.end_track(token, Final::Canceled);
        }
        let mut next = std::mem::replace(&mut self.core.scopes.get_mut(scope.0).handlers, ScopeIx::NONE);
        while let Some(handler) = next.some() {
            next = self.core.scopes.get(handler.0).sibling;
            doomed.push(handler);
            self.core.scopes.get_mut(scope.0).live -= 1;
        }
        let rule = self.core.options.or_join.rule();
        let def = self.core.scopes.get(scope.0).def;
        let run = self.core.scopes.get_mut(scope.0);
        debug_assert_eq!(run.live, 0, "everything in scope {def} is gone");
        run.queues.fill(Queue::EMPTY);
        run.counters.reset(&self.t.indexes[def.ix()], rule);
        if !planted!(self, JoinStateSharedByPasses) {
            self.run_mut(scope).words.fill(0);
        }
        self.forget_joins(scope);
        let generation = self.core.scopes.get(scope.0).generation;
        self.core.later(Work::Drained(scope, generation));
        planted!(self, InterruptedForkSpawns => self.spawn_at_all(scope, forks));
    }

    /// Running work whose host goes away is asked to stop and may answer late (BND-4).
    pub(super) fn stop_work(&mut self, token: TokenIx) {
        let Token {
            id: track,
            node,
            working,
            ..
        } = *self.token(token);
        if !working {
            return;
        }
        mark!(self.core, WorkAskedToStop);
        self.token_mut(token).working = false;
        let slot = self.core.late.insert(LateWork {
            track,
            node,
            ticket: super::agenda::NO_TICKET,
        });
        if self.core.options.environment.late {
            self.core.late.get_mut(slot).ticket = self.outside(Deed::Late, slot);
        }
        self.record(|_| Record::WorkAskedToStop { track, node });
    }

    /// Interrupts one host (BND-3): everything below it is withdrawn, and it produces no normal flow (BND-8).
    pub(crate) fn interrupt(&mut self, host: TokenIx, by: NodeId, code: Option<&str>, failed: bool) {
        let Token {
            id: track, node, child, ..
        } = *self.token(host);
        let code = code.map(ToOwned::to_owned);
        let states = if failed {
            (LifeCycle::Failing, LifeCycle::Failed, Final::Failed)
        } else {
            (LifeCycle::Terminating, LifeCycle::Terminated, Final::Canceled)
        };
        self.record(|_| Record::Interrupted {
            track,
            node,
            by,
            state: states.0,
            code: code.clone(),
        });
        if let Some(child) = child.some() {
            mark!(self.core, InterruptedHostOfScope);
            self.withdraw(child);
        }
        planted!(self, JoinNotRedecidedOnCaughtError => if failed { self.note_caught_error() });
        if failed {
            mark!(self.core, InterruptedByError);
            // Work that ended with an error has answered.
            self.token_mut(host).working = false;
        }
        self.stop_work(host);
        if planted!(self, InterruptedHostGoesOn) {
            self.disarm_all_of(Owner::Token(host), Withdrawal::HostEnded);
            exit::leave(self, host, Rule::Uncontrolled, None, &[]);
        } else {
            self.end_track(host, states.2);
        }
        planted!(self, InterruptedForkSpawns => self.spawn_at(self.token(host).scope, track, node));
        self.record(|_| Record::Interrupted {
            track,
            node,
            by,
            state: states.1,
            code,
        });
    }

    /// Ends a scope run below a host from outside.
    pub(super) fn withdraw(&mut self, scope: ScopeIx) {
        let (def, host) = {
            let run = self.core.scopes.get_mut(scope.0);
            run.open = false;
            (run.def, run.host)
        };
        self.cancel_all_in(scope);
        self.discard_scope(scope);
        if let Some(host) = host.some() {
            self.token_mut(host).child = ScopeIx::NONE;
        }
        let host = host.some().map(|host| self.track(host));
        self.record(|_| Record::ScopeWithdrawn { scope: def, host });
    }

    /// Terminates the scope run that `token` stands in (EVT-5). Its end event has been executed.
    pub(crate) fn terminate(&mut self, token: TokenIx) {
        let Token { id: track, scope, .. } = *self.token(token);
        planted!(self, TerminateLeavesParked => if self.parks_in(scope) { return self.cancel_all_but_parked(token) });
        planted!(self, ScopedTerminateKillsParent => if let Some(parent) = self.parent_of(scope) { return self.terminate_run(token, parent) });
        if self.core.scopes.get(scope.0).parent.is_none() {
            mark!(self.core, TerminatesProcess);
            self.end_here(token);
            return self.end(End::Terminated, Some(track));
        }
        mark!(self.core, TerminatesScope);
        self.end_here(token);
        self.cancel_all_in(scope);
    }

    /// Starts an event sub-process (ESP-1) at `start`, in the scope run that its subscription belongs to.
    pub(crate) fn start_handler(&mut self, def: ScopeId, start: NodeId, scope: ScopeIx, interrupting: bool) -> TokenIx {
        if interrupting {
            mark!(self.core, HandlerTakesOver);
            self.cancel_all_in(scope);
            self.disarm_all_of(Owner::Scope(scope), Withdrawal::HostEnded);
            self.core.scopes.get_mut(scope.0).interrupted = true;
            self.core.scopes.get_mut(scope.0).owed = 0;
        }
        let handler = self.open_scope(def, scope, TokenIx::NONE);
        let first = std::mem::replace(&mut self.core.scopes.get_mut(scope.0).handlers, handler);
        self.core.scopes.get_mut(handler.0).sibling = first;
        self.core.scopes.get_mut(scope.0).live += 1;
        let token = self.born_at(handler, None, start);
        self.arm_handlers(handler);
        token
    }

    /// Ends the instance, once (INS-5): pending work is withdrawn, and nothing happens after.
    pub(crate) fn end(&mut self, end: End, failed: Option<TrackId>) {
        if self.core.end.is_some() {
            return;
        }
        let faulted = matches!(end, End::Faulted(_));
        self.core.end = Some(end);
        self.core.news = true;
        if let (true, Some(track)) = (faulted, failed) {
            self.fail_track(track);
        }
        let root = ScopeIx(0);
        let run = self.core.scopes.get_mut(root.0);
        run.open = false;
        if run.live > 0 {
            self.cancel_all_in(root);
        }
        self.forget_joins(root);
        self.disarm_all_of(Owner::Scope(root), Withdrawal::HostEnded);
        self.core.work.clear();
        self.core.outbox.clear();
        if self.core.options.records {
            let end = self.core.end.clone();
            self.core.records.extend(end.map(|end| Record::InstanceEnded { end }));
        }
        self.core.assert_withdrawn();
    }

    /// The track to blame for a fault ends as failed, with all that is below it.
    fn fail_track(&mut self, track: TrackId) {
        let found = self
            .core
            .tokens
            .all()
            .find(|(_, t)| t.id == track && t.phase != Phase::Dead);
        let Some(token) = found.map(|(slot, _)| TokenIx(slot)) else {
            return;
        };
        mark!(self.core, BlamedTrackFails);
        if let Some(child) = self.token(token).child.some() {
            self.withdraw(child);
        }
        self.end_track(token, Final::Failed);
    }
}
