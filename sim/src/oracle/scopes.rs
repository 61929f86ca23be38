//! Scope runs (INS-9): entered, drained, canceled; and the end of an instance (INS-5).

use trackside_engine::instance::{Final, LifeCycle};

use super::facts::Fact;
use super::game::{Actor, Ending, Game, Judged, Work};
use super::marking::{Doing, Owner, ROOT, Run, RunRef, Token, TokenRef, WatchRef};
use super::net::{BodyRef, Kind, NodeRef, Waits};

impl Game<'_> {
    pub(super) fn open(&mut self, body: BodyRef, around: Option<RunRef>, host: Option<TokenRef>) -> RunRef {
        self.lists.facts.push(Fact::ScopeOpened(body, host));
        self.m.open(body, around, host)
    }

    /// A token enters a sub-process: a run of its own, with its watchers and handlers (INS-9, ESP-1).
    pub(super) fn enter(&mut self, host: TokenRef, body: BodyRef) -> Judged {
        self.arm_boundaries(host)?;
        if self.ending.is_some() {
            return Ok(());
        }
        let around = self.m.token(host).run;
        let run = self.open(body, Some(around), Some(host));
        self.arm_handlers(run)?;
        if self.ending.is_none() {
            self.begin(run, Some(host))?;
        }
        Ok(())
    }

    /// ESP-1: handlers are armed while the scope run around them runs.
    pub(super) fn arm_handlers(&mut self, run: RunRef) -> Judged {
        let net = self.net;
        for &start in &net.body(self.m.run(run).body).handlers {
            if self.ending.is_none() {
                self.arm(start, Owner::Run(run))?;
            }
        }
        Ok(())
    }

    /// INS-8: a run begins at its first start event, or, without one, at every node that nothing leads to.
    pub(super) fn begin(&mut self, run: RunRef, parent: Option<TokenRef>) -> Judged {
        let body = self.net.body(self.m.run(run).body);
        let entries = if body.starts.is_empty() {
            &body.sources[..]
        } else {
            &body.starts[..1]
        };
        for &entry in entries {
            let token = self.bear(run, parent, entry, None)?;
            self.ready(token);
        }
        self.may_have_drained(run);
        Ok(())
    }

    /// INS-8, EVG-3, EVG-4: the process begins at the node whose event occurred.
    pub(super) fn instantiate(&mut self, node: NodeRef, arm: NodeRef) -> Judged {
        match self.net.node(node).kind {
            Kind::Gate { parallel } => {
                for other in self.targets(node) {
                    if parallel && other != arm {
                        self.arm(other, Owner::Run(ROOT))?;
                        self.m.run_mut(ROOT).owed += 1;
                    }
                }
                let token = self.bear(ROOT, None, node, None)?;
                self.lists.facts.push(Fact::Stepped(token, node));
                self.m.token_mut(token).node = arm;
                self.leave(token)
            }
            // It has its message already.
            Kind::Task { .. } => {
                let token = self.bear(ROOT, None, node, None)?;
                self.leave(token)
            }
            _ => {
                let token = self.bear(ROOT, None, node, None)?;
                self.ready(token);
                Ok(())
            }
        }
    }

    /// A run that has nothing left completes: the instance ends, or the host goes on.
    pub(super) fn drained(&mut self, run: RunRef) -> Judged {
        if !self.m.is_open(run) || !self.m.is_drained(run) {
            return Ok(());
        }
        let Run { body, around, host, .. } = *self.m.run(run);
        let Some(around) = around else {
            self.end_instance(Ending::Completed, None);
            return Ok(());
        };
        self.close(run);
        self.lists.facts.push(Fact::ScopeCompleted(body, host));
        if let Some(host) = host {
            self.disarm_all_of(Owner::Token(host));
            // EVT-6: even where the action was its own. Who threw the event that drained it keeps its choice.
            if self.actor == Some(Actor::Token(host)) {
                self.actor = None;
            }
            return self.leave(host);
        }
        self.may_have_drained(around);
        Ok(())
    }

    fn close(&mut self, run: RunRef) {
        self.disarm_all_of(Owner::Run(run));
        self.m.close(run);
    }

    /// Cancels all tokens and handlers of a run and all that is below them (EVT-5, ESP-1). The run itself stays; it may
    /// have drained by that.
    pub(super) fn cancel_all_in(&mut self, run: RunRef) {
        for token in self.m.tokens_in(run) {
            self.withdraw_below(token);
            self.stop_work(token);
            self.end_token(token, Final::Canceled);
        }
        for handler in self.m.handlers_in(run).collect::<Vec<_>>() {
            self.withdraw(handler);
        }
        self.m.run_mut(run).waves.clear();
        self.lists.work.push_back(Work::Drained(run));
    }

    fn withdraw_below(&mut self, host: TokenRef) {
        if let Some(run) = self.m.hosted_by(host) {
            self.withdraw(run);
        }
    }

    fn withdraw(&mut self, run: RunRef) {
        self.cancel_all_in(run);
        let Run { body, host, .. } = *self.m.run(run);
        self.close(run);
        self.lists.facts.push(Fact::ScopeWithdrawn(body, host));
    }

    /// BND-4: work that runs is asked to stop; work that waits stops at once.
    fn stop_work(&mut self, token: TokenRef) {
        let node = self.m.token(token).node;
        if std::mem::take(&mut self.m.token_mut(token).working) {
            self.m.late.push((token, node));
            self.lists.facts.push(Fact::WorkAskedToStop(token, node));
        }
    }

    /// BND-3, BND-8, BND-10: the host is canceled, or has failed, with all that is below it.
    pub(super) fn interrupt(&mut self, host: TokenRef, by: NodeRef) {
        let failed = matches!(self.net.node(by).waits, Some(Waits::Error(_)));
        let (during, after, state) = if failed {
            (LifeCycle::Failing, LifeCycle::Failed, Final::Failed)
        } else {
            (LifeCycle::Terminating, LifeCycle::Terminated, Final::Canceled)
        };
        self.lists.facts.push(Fact::Interrupted(host, during, by));
        self.withdraw_below(host);
        if failed {
            // Work that has ended with an error has answered.
            self.m.token_mut(host).working = false;
        }
        self.stop_work(host);
        self.end_token(host, state);
        self.lists.facts.push(Fact::Interrupted(host, after, by));
    }

    /// ESP-1: an event sub-process starts in the run that its subscription belongs to.
    pub(super) fn start_handler(&mut self, by: WatchRef, start: NodeRef, run: RunRef) -> Judged {
        let here = self.net.node(start);
        if here.interrupting {
            self.cancel_all_in(run);
            self.disarm_all_of(Owner::Run(run));
            self.m.run_mut(run).owed = 0;
        }
        let handler = self.open(here.body, Some(run), None);
        let token = self.bear(handler, None, start, None)?;
        self.hand_on(by, token);
        self.arm_handlers(handler)?;
        if self.ending.is_none() {
            self.leave(token)?;
        }
        Ok(())
    }

    /// INS-5: everything is withdrawn, and nothing happens any more. A fault is blamed on one token, which has failed.
    pub(super) fn end_instance(&mut self, ending: Ending, blamed: Option<TokenRef>) {
        if self.ending.is_some() {
            return;
        }
        let faulted = matches!(ending, Ending::Faulted { .. });
        self.ending = Some(ending);
        if let Some(token) = blamed.filter(|token| faulted && self.m.lives(*token)) {
            self.withdraw_below(token);
            self.end_token(token, Final::Failed);
        }
        if self.m.is_open(ROOT) {
            self.cancel_all_in(ROOT);
            self.close(ROOT);
        }
        self.lists.work.clear();
        self.lists.thrown.clear();
        self.m.ended = true;
    }

    /// Whether a survivor of an inclusive or complex join has not left it: until then the join does not decide, for nobody
    /// knows where the survivor goes (ORJ-8). A parallel join need not know.
    pub(super) fn holds_survivor(&self, run: RunRef, join: NodeRef) -> bool {
        let is_it = |token: &Token| token.run == run && token.node == join && token.doing == Doing::Ready;
        !matches!(self.net.node(join).kind, Kind::Parallel) && self.m.live().any(|(_, token)| is_it(token))
    }
}
