//! Subscriptions (BND, EVG, ESP), and what reaches them: messages and signals (EVT-2), conditions (EVT-4), errors and
//! escalations (ERR-1, ESC-1).

use trackside_engine::instance::{Cause, Conditions, FaultKind, Record};

use super::facts::Fact;
use super::game::{Actor, Game, Judged, Work};
use super::marking::{Owner, RunRef, TokenRef, WatchRef, Watcher};
use super::net::{BodyRef, Effect, Kind, NodeRef, Waits};

/// What climbs scopes.
#[derive(Clone, Copy, Debug)]
enum Raised<'c> {
    Error(&'c str),
    Escalation(&'c str),
}

impl Game<'_> {
    fn host_of(&self, owner: Owner) -> Option<TokenRef> {
        match owner {
            Owner::Token(token) => Some(token),
            Owner::Run(run) => self.m.run(run).host,
        }
    }

    pub(super) fn arm(&mut self, node: NodeRef, owner: Owner) -> Judged {
        let net = self.net;
        let host = self.host_of(owner);
        let mut last = false;
        match &net.node(node).waits {
            // `R0` never fires and is not armed.
            None | Some(Waits::Timer { times: Some(0), .. }) => return Ok(()),
            Some(Waits::Condition(condition)) if self.options.conditions == Conditions::Data => {
                let Some(holds) = self.holds(condition, &[], host) else {
                    return Ok(());
                };
                last = holds;
            }
            Some(_) => {}
        }
        let host_track = host.map(|host| self.track(host));
        let Some(name) = self.evidence.arming(node, host_track) else {
            // EVT-8. What the value would be is not judged, but that it can fail at all.
            if matches!(net.node(node).waits, Some(Waits::Timer { computed: true, .. })) && self.evidence.fails_at(node)
            {
                self.fault(FaultKind::Expression, None, host);
                return Ok(());
            }
            return Err(self.violation("V8", "BND-1", node, "it is to be armed, and is not"));
        };
        let watcher = self.m.arm(name, node, owner, last);
        self.lists.facts.push(Fact::Armed(node, host));
        if last {
            // EVT-4: true when armed, it fires at once.
            self.lists.work.push_back(Work::Fire(watcher));
        }
        Ok(())
    }

    pub(super) fn disarm(&mut self, watcher: WatchRef) {
        let Watcher { node, owner, .. } = *self.m.watcher(watcher);
        self.lists.facts.push(Fact::Disarmed(node, self.host_of(owner)));
        self.m.disarm(watcher);
    }

    pub(super) fn disarm_all_of(&mut self, owner: Owner) {
        loop {
            let first = self.m.armed_of(owner).next();
            let Some(watcher) = first else { return };
            self.disarm(watcher);
        }
    }

    /// A subscription receives its trigger.
    pub(super) fn fire(&mut self, watcher: WatchRef) -> Judged {
        let known = self.m.watcher_mut(watcher);
        known.fired += 1;
        let Watcher { node, owner, .. } = *known;
        self.lists.facts.push(Fact::Fired(node, self.host_of(owner)));
        match (&self.net.node(node).kind, owner) {
            (Kind::Boundary, Owner::Token(host)) => self.fire_boundary(watcher, node, host),
            (Kind::Start, Owner::Run(run)) => {
                self.take_or_rearm(watcher, node);
                self.start_handler(watcher, node, run)
            }
            (_, Owner::Token(token)) => {
                self.hand_on(watcher, token);
                self.take_event(token, node)
            }
            // EVG-4: an arm of a parallel start.
            (_, Owner::Run(run)) => {
                self.disarm(watcher);
                let token = self.bear(run, None, node, None)?;
                self.hand_on(watcher, token);
                self.m.run_mut(run).owed -= 1;
                self.leave(token)
            }
        }
    }

    /// If the action is about this subscription, it is now about the token that leaves by it.
    pub(super) fn hand_on(&mut self, watcher: WatchRef, token: TokenRef) {
        if self.actor == Some(Actor::Watcher(watcher)) {
            self.actor = Some(Actor::Token(token));
        }
    }

    /// BND-3, BND-5: a new token, child of the host's, leaves on the flow of the boundary event.
    fn fire_boundary(&mut self, watcher: WatchRef, boundary: NodeRef, host: TokenRef) -> Judged {
        let run = self.m.token(host).run;
        let token = self.bear(run, Some(host), boundary, None)?;
        self.hand_on(watcher, token);
        self.take_or_rearm(watcher, boundary);
        if self.net.node(boundary).interrupting {
            self.interrupt(host, boundary);
        }
        self.leave(token)
    }

    /// What does not interrupt is armed again, a timer as often as its cycle says (BND-5).
    fn take_or_rearm(&mut self, watcher: WatchRef, node: NodeRef) {
        let fired = self.m.watcher(watcher).fired;
        let used_up =
            matches!(self.net.node(node).waits, Some(Waits::Timer { times: Some(times), .. }) if fired >= times);
        if self.net.node(node).interrupting || used_up {
            self.disarm(watcher);
        }
    }

    /// A catch event, a receive task or an arm takes its event (EVG-1, EVG-7): all other subscriptions of the token are
    /// dropped, and the token goes on from there.
    fn take_event(&mut self, token: TokenRef, node: NodeRef) -> Judged {
        self.disarm_all_of(Owner::Token(token));
        let here = self.m.token(token).node;
        if here != node {
            self.lists.facts.push(Fact::Stepped(token, here));
            self.m.token_mut(token).node = node;
        }
        self.m.token_mut(token).working = false;
        self.leave(token)
    }

    /// EVT-4: on a change from false to true.
    pub(super) fn watch_conditions(&mut self) {
        if self.options.conditions == Conditions::Symbolic {
            return;
        }
        let net = self.net;
        for watcher in self.m.armed().map(|(name, _)| name).collect::<Vec<_>>() {
            let Watcher { node, owner, last, .. } = *self.m.watcher(watcher);
            let Some(Waits::Condition(condition)) = &net.node(node).waits else {
                continue;
            };
            let host = self.host_of(owner);
            let Some(holds) = self.holds(condition, &[], host) else {
                return;
            };
            self.m.watcher_mut(watcher).last = holds;
            if holds && !last {
                self.lists.work.push_back(Work::Fire(watcher));
            }
        }
    }

    // ---- messages and signals ----

    /// What something thrown brings about. What the receiver of a message throws in turn comes before the thrower goes on,
    /// too; what receivers of a signal throw comes after, for all that is thrown in one transition comes in order. The
    /// rules leave that open: it shows in the atomic grain alone, and the reference follows the engine in it.
    pub(super) fn deliver(&mut self, effect: &Effect) -> Judged {
        let (reached, cause) = match effect {
            Effect::Message(name) => (self.send(name)?, Cause::Message(name.clone())),
            Effect::Signal(name) => (self.broadcast(name, false)?, Cause::Signal(name.clone())),
            _ => return Ok(()),
        };
        if !reached {
            self.lists.facts.push(Fact::Undelivered(cause));
        } else if matches!(effect, Effect::Message(_)) {
            self.settle_parts()?;
        }
        Ok(())
    }

    /// EVT-2: a message goes to exactly one subscription. Which of several is a choice, and read off the records.
    pub(super) fn send(&mut self, name: &str) -> Judged<bool> {
        let receivers = self.receivers(name);
        let Some(&first) = receivers.first() else {
            return Ok(false);
        };
        let called = |watcher: &WatchRef| self.m.watcher(*watcher).name;
        let ids: Vec<_> = receivers.iter().map(called).collect();
        let chosen = self.evidence.take(|record| match record {
            Record::Fired { watcher, .. } => ids.iter().position(|id| id == watcher),
            _ => None,
        });
        let Some(chosen) = chosen else {
            let node = self.m.watcher(first).node;
            return Err(self.violation("V9", "EVT-2", node, "it waits for the message, and nobody gets it"));
        };
        self.fire(receivers[chosen])?;
        Ok(true)
    }

    /// ESP-2: where a handler inside could take it, the boundary of the scope's activity does not.
    fn receivers(&self, name: &str) -> Vec<WatchRef> {
        let waits = |node: NodeRef| matches!(&self.net.node(node).waits, Some(Waits::Message(own)) if own == name);
        let all = self.m.armed().filter(|(_, watcher)| waits(watcher.node));
        let handled = |host: TokenRef| {
            let inside = self.m.hosted_by(host).map(Owner::Run);
            let is_it = |other: &Watcher| Some(other.owner) == inside && waits(other.node);
            inside.is_some() && self.m.armed().any(|(_, other)| is_it(other))
        };
        let taken = all.filter(|(_, watcher)| !matches!(watcher.owner, Owner::Token(host) if handled(host)));
        taken.map(|(name, _)| name).collect()
    }

    /// EVT-2: a signal goes to all that exist at that moment, interrupting handlers of outer scopes first, and what they
    /// withdraw does not get it. From outside, what a receiver throws in turn comes before the next receiver.
    pub(super) fn broadcast(&mut self, name: &str, from_outside: bool) -> Judged<bool> {
        let net = self.net;
        let waits = |node: NodeRef| matches!(&net.node(node).waits, Some(Waits::Signal(own)) if own == name);
        let all = self.m.armed().filter(|(_, watcher)| waits(watcher.node));
        let mut receivers: Vec<_> = all.map(|(watch, watcher)| (self.precedence(watcher), watch)).collect();
        receivers.sort_unstable();
        let mut reached = false;
        self.parts += 1;
        for (_, watcher) in receivers {
            if self.ending.is_some() || !self.m.is_armed(watcher) {
                continue;
            }
            reached = true;
            self.fire(watcher)?;
            if from_outside {
                self.settle_parts()?;
            } else {
                self.settle_works()?;
            }
        }
        self.parts -= 1;
        Ok(reached)
    }

    /// Event sub-processes of a scope before boundary events on what is in it, outer before inner, others last.
    fn precedence(&self, watcher: &Watcher) -> usize {
        let node = self.net.node(watcher.node);
        if !matches!(node.kind, Kind::Boundary | Kind::Start) || !node.interrupting {
            return usize::MAX;
        }
        match watcher.owner {
            Owner::Run(run) => 2 * self.depth(self.m.run(run).body),
            Owner::Token(host) => 2 * self.depth(self.m.run(self.m.token(host).run).body) + 1,
        }
    }

    fn depth(&self, body: BodyRef) -> usize {
        self.net.body(body).parent.map_or(0, |parent| 1 + self.depth(parent))
    }

    // ---- errors and escalations ----

    /// ERR-1, ERR-2. `itself` says whether the token's own node is a host that may catch it.
    pub(super) fn raise(&mut self, token: TokenRef, code: &str, itself: bool) -> Judged {
        self.lists
            .facts
            .push(Fact::Thrown(token, Cause::Error(code.to_owned())));
        if let Some(catcher) = self.catcher(token, Raised::Error(code), itself) {
            return self.fire(catcher);
        }
        self.fault(FaultKind::Error, Some(code.to_owned()), Some(token));
        Ok(())
    }

    /// ESC-1.
    pub(super) fn escalate(&mut self, token: TokenRef, code: &str) -> Judged {
        self.lists
            .facts
            .push(Fact::Thrown(token, Cause::Escalation(code.to_owned())));
        if let Some(catcher) = self.catcher(token, Raised::Escalation(code), false) {
            return self.fire(catcher);
        }
        self.lists
            .facts
            .push(Fact::Undelivered(Cause::Escalation(code.to_owned())));
        Ok(())
    }

    /// The innermost catcher: at each level the handlers of the scope before the boundary of its activity (ESP-2), the
    /// same code before none.
    fn catcher(&self, token: TokenRef, raised: Raised<'_>, itself: bool) -> Option<WatchRef> {
        if itself && let Some(found) = self.catcher_of(Owner::Token(token), raised, None) {
            return Some(found);
        }
        let mut run: RunRef = self.m.token(token).run;
        let mut below: Option<BodyRef> = None;
        loop {
            let here = self.m.run(run);
            let of_host = |host| self.catcher_of(Owner::Token(host), raised, None);
            let found = self
                .catcher_of(Owner::Run(run), raised, below)
                .or_else(|| here.host.and_then(of_host));
            if found.is_some() {
                return found;
            }
            (below, run) = (Some(here.body), here.around?);
        }
    }

    /// What `owner` holds that catches it. A handler does not catch what its own run raises, `below` (ESP-3).
    fn catcher_of(&self, owner: Owner, raised: Raised<'_>, below: Option<BodyRef>) -> Option<WatchRef> {
        let mut any = None;
        for watcher in self.m.armed_of(owner) {
            let node = self.net.node(self.m.watcher(watcher).node);
            let own = matches!(node.kind, Kind::Start) && Some(node.body) == below;
            let (caught, code) = match (&node.waits, raised) {
                (Some(Waits::Error(caught)), Raised::Error(code))
                | (Some(Waits::Escalation(caught)), Raised::Escalation(code)) => (caught.as_deref(), code),
                _ => continue,
            };
            match caught {
                _ if own => {}
                Some(caught) if caught == code => return Some(watcher),
                Some(_) => {}
                None => any = any.or(Some(watcher)),
            }
        }
        any
    }
}
