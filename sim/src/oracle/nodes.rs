//! What nodes do when a token executes them (TRK-6), one rule after the other.

use trackside_engine::instance::{Cause, Final};

use super::facts::Fact;
use super::game::{Game, Judged};
use super::marking::{Doing, Owner, ROOT, Token, TokenRef};
use super::net::{Effect, Kind, NodeRef};

impl Game<'_> {
    pub(super) fn execute(&mut self, token: TokenRef) -> Judged {
        let net = self.net;
        let node = self.m.token(token).node;
        match &net.node(node).kind {
            Kind::Task {
                external: true,
                running,
                ..
            } => self.start_work(token, *running),
            Kind::Task {
                sends: Some(message), ..
            } => {
                self.throw(token, Effect::Message(message.clone()));
                Ok(())
            }
            Kind::Catch => self.wait_for(token, &[node]),
            // EVG-1: the token rests at the gate, which subscribes all arms.
            Kind::Gate { .. } => self.wait_for(token, &self.targets(node)),
            Kind::LinkThrow(catch) => {
                self.lists.facts.push(Fact::Stepped(token, node));
                self.m.token_mut(token).node = *catch;
                self.leave(token)
            }
            Kind::Throw(effect) => self.cause(token, effect),
            Kind::End(effect) => self.end(token, effect),
            Kind::Scope(body) => {
                self.m.token_mut(token).doing = Doing::Waits;
                self.enter(token, *body)
            }
            Kind::Task { .. }
            | Kind::Start
            | Kind::Boundary
            | Kind::LinkCatch
            | Kind::Handler(_)
            | Kind::Exclusive
            | Kind::Parallel
            | Kind::Inclusive
            | Kind::Complex(_) => self.leave(token),
        }
    }

    /// Where the flows out of a node lead.
    pub(super) fn targets(&self, node: NodeRef) -> Vec<NodeRef> {
        let flows = self.net.node(node).outgoing.iter();
        flows.map(|&flow| self.net.flow(flow).target).collect()
    }

    /// BND-1, BND-11: the watchers live as long as the work.
    fn start_work(&mut self, token: TokenRef, running: bool) -> Judged {
        let node = self.m.token(token).node;
        self.lists.facts.push(Fact::WorkStarted(token, node));
        let here = self.m.token_mut(token);
        (here.doing, here.working) = (Doing::Waits, running);
        if self.net.node(node).waits.is_some() {
            self.arm(node, Owner::Token(token))?;
        }
        self.arm_boundaries(token)
    }

    pub(super) fn arm_boundaries(&mut self, token: TokenRef) -> Judged {
        let net = self.net;
        for &boundary in &net.node(self.m.token(token).node).boundaries {
            if self.ending.is_none() {
                self.arm(boundary, Owner::Token(token))?;
            }
        }
        Ok(())
    }

    fn wait_for(&mut self, token: TokenRef, events: &[NodeRef]) -> Judged {
        self.m.token_mut(token).doing = Doing::Waits;
        for &event in events {
            if self.ending.is_none() {
                self.arm(event, Owner::Token(token))?;
            }
        }
        Ok(())
    }

    /// External work has ended well: its watchers are torn down, then it sends what it sends, and the token goes on.
    pub(super) fn finish_work(&mut self, token: TokenRef) -> Judged {
        self.disarm_all_of(Owner::Token(token));
        let node = self.m.token(token).node;
        match &self.net.node(node).kind {
            Kind::Task {
                sends: Some(message), ..
            } => {
                let effect = Effect::Message(message.clone());
                self.throw(token, effect);
                Ok(())
            }
            _ => self.leave(token),
        }
    }

    /// An intermediate throw (EVT-1).
    fn cause(&mut self, token: TokenRef, effect: &Effect) -> Judged {
        match effect {
            Effect::Message(_) | Effect::Signal(_) => {
                self.throw(token, effect.clone());
                Ok(())
            }
            // ESC-1: the thrower goes on, unless the catcher has withdrawn it.
            Effect::Escalation(code) => {
                self.escalate(token, code)?;
                if self.m.lives(token) { self.leave(token) } else { Ok(()) }
            }
            _ => self.leave(token),
        }
    }

    /// An end event consumes its token (TRK-4).
    fn end(&mut self, token: TokenRef, effect: &Effect) -> Judged {
        let Token { node, run, .. } = *self.m.token(token);
        match effect {
            Effect::Nothing => self.end_here(token),
            Effect::Message(_) | Effect::Signal(_) => self.throw(token, effect.clone()),
            Effect::Error(code) => {
                self.lists.facts.push(Fact::Stepped(token, node));
                self.raise(token, code, false)?;
            }
            Effect::Escalation(code) => {
                self.lists.facts.push(Fact::Stepped(token, node));
                self.escalate(token, code)?;
                if self.ending.is_none() && self.m.lives(token) {
                    self.end_token(token, Final::Ended);
                }
            }
            // EVT-5.
            Effect::Terminate => {
                self.end_here(token);
                if run == ROOT {
                    self.end_instance(super::game::Ending::Terminated, None);
                } else {
                    self.cancel_all_in(run);
                }
            }
        }
        Ok(())
    }

    /// The token executes its node and ends there (TRK-9).
    pub(super) fn end_here(&mut self, token: TokenRef) {
        let node = self.m.token(token).node;
        self.lists.facts.push(Fact::Stepped(token, node));
        self.end_token(token, Final::Ended);
    }

    /// EVT-2: what a throw causes comes before the thrower goes on, in the same transition.
    fn throw(&mut self, token: TokenRef, effect: Effect) {
        self.m.token_mut(token).doing = Doing::Throws;
        let cause = match &effect {
            Effect::Message(name) => Cause::Message(name.clone()),
            Effect::Signal(name) => Cause::Signal(name.clone()),
            _ => return,
        };
        self.lists.facts.push(Fact::Thrown(token, cause));
        self.parts += 1;
        self.lists.thrown.push_back((token, effect));
    }

    pub(super) fn after_throw(&mut self, token: TokenRef) -> Judged {
        match self.net.node(self.m.token(token).node).kind {
            Kind::End(_) => {
                self.end_here(token);
                Ok(())
            }
            _ => self.leave(token),
        }
    }
}
