//! The loop (INS-3): what one deed does, and everything that belongs to the same transition, until nothing is left of it.

use super::cx::Cx;
use super::mark::mark;
use super::state::{Token, TokenIx, WatcherIx, Work};
use super::{Deed, FaultKind, Outcome, Phase, Record, TOKENS_MAX};
use crate::expr::Data;
use crate::ids::NodeId;
use crate::node::exit::{self, Rule};
use crate::planted::planted;

impl Cx<'_> {
    #[inline]
    pub(super) fn perform(&mut self, deed: Deed, slot: u32, outcome: u32, choice: u32) {
        let t = self.t;
        let token = TokenIx(slot);
        match deed {
            Deed::Step => self.step(token, choice),
            Deed::Arrive => self.arrive(token),
            Deed::Complete => {
                let codes = t.codes_of(self.token(token).node);
                let result = match outcome.checked_sub(1) {
                    None => Outcome::Ok,
                    Some(n) => match codes.get(n as usize) {
                        Some(code) => Outcome::Error(code.clone()),
                        None => Outcome::Failure("technical failure".to_owned()),
                    },
                };
                self.complete(token, &result, None, choice);
            }
            Deed::Fire => self.fire(WatcherIx(slot), None, None, Some(choice)),
            Deed::Late => {
                mark!(self.core, LateAnswerTaken);
                let late = *self.core.late.get(slot);
                self.core.forget_late(slot);
                planted!(self, LateResultTaken => return self.fault_by_late(late.track, late.node));
                self.record(|_| Record::Discarded {
                    track: late.track,
                    node: late.node,
                });
            }
        }
    }

    #[inline(always)]
    pub(super) fn step(&mut self, token: TokenIx, choice: u32) {
        let t = self.t;
        let node = self.token(token).node;
        let pass = t.passes[node.ix()];
        planted!(self, NewSiblingInvisible | CompletionBeforeSibling => self.no_longer_fresh(token));
        planted!(self, ForkInTwoSteps => if self.core.hides(self.token(token)) { return self.appear(token) });
        if pass.through {
            self.pass(token, pass);
        } else {
            match self.token(token).phase {
                Phase::Leaving => exit::leave(self, token, Rule::Uncontrolled, Some(choice), &[]),
                _ => t.kind(node).step(self, token, choice),
            }
        }
    }

    #[inline(always)]
    pub(super) fn arrive(&mut self, token: TokenIx) {
        let t = self.t;
        let Token {
            id: track, flow, node, ..
        } = *self.token(token);
        self.record(|_| Record::Arrived { track, flow, node });
        if t.hot[node.ix()].registers {
            let lane = &t.lanes[flow.ix()];
            if lane.own != crate::reach::NONE {
                self.no_longer_imminent(token, lane.own);
            }
            t.kind(node).arrive(self, token, flow);
        } else {
            self.ready(token);
        }
    }

    pub(super) fn complete(&mut self, token: TokenIx, outcome: &Outcome, data: Option<&Data>, choice: u32) {
        let t = self.t;
        let Token { id: track, node, .. } = *self.token(token);
        self.record(|_| Record::WorkEnded {
            track,
            node,
            outcome: outcome.clone(),
        });
        self.token_mut(token).working = false;
        match outcome {
            Outcome::Ok => {
                if let Some(data) = data {
                    self.write(data);
                }
                t.kind(node).completed(self, token, choice);
            }
            Outcome::Error(code) => self.raise_error(token, code, true),
            Outcome::Failure(text) => {
                self.fault(FaultKind::Technical, node, Some(track), None, text.clone(), &[]);
            }
        }
    }

    /// Does what is left to do in this transition: arrivals of the atomic grain, drained scopes, conditions, joins.
    #[inline]
    pub(super) fn settle(&mut self) {
        let idle = self.core.work.is_empty() && self.core.waiting.is_empty() && self.core.freed.is_empty();
        if !idle || self.core.crowded {
            self.settle_all();
        }
        #[cfg(debug_assertions)]
        self.assert_consistent();
    }

    /// Ends an instance with too many tokens.
    fn overflow(&mut self) {
        let first = self.core.scopes.get(0).tokens;
        let node = first.some().map_or(NodeId(0), |token| self.token(token).node);
        let message = format!("more than {TOKENS_MAX} tokens at a time: a loop multiplies them");
        self.fault(FaultKind::TooManyTokens, node, None, None, message, &[]);
    }

    #[inline(never)]
    fn settle_all(&mut self) {
        loop {
            while !self.core.crowded
                && let Some((chain, work)) = self.core.work.pop_front()
            {
                (self.core.chain, self.core.chain_of) = (chain, self.core.transition);
                if self.core.end.is_some() {
                    self.core.work.clear();
                    break;
                }
                match work {
                    Work::Arrive(token, track) if self.lives(token, track) => self.arrive(token),
                    Work::Step(token, track) if self.lives(token, track) => self.step(token, 0),
                    Work::Arrive(..) | Work::Step(..) => {}
                    Work::Drained(scope, generation) => self.drained(scope, generation),
                    Work::Fire(watcher, id) => {
                        if self.watcher(watcher).lives() && self.watcher(watcher).id == id {
                            self.fire(watcher, None, None, None);
                        }
                    }
                    Work::Data => self.watch_conditions(),
                }
            }
            if std::mem::take(&mut self.core.crowded) {
                self.overflow();
            }
            if self.core.end.is_some() || !self.decide_again() && self.core.work.is_empty() {
                break;
            }
        }
        debug_assert!(self.core.end.is_none() || self.core.work.is_empty());
    }
}
