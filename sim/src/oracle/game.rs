//! The token game of one transition: what a deed brings about, worked out from the rules.

use std::collections::VecDeque;

use trackside_engine::TrackId;
use trackside_engine::instance::{FaultKind, Final, Grain, Options};

use super::Violation;
use super::evidence::{Evidence, Recorded};
use super::facts::Fact;
use super::marking::{Doing, Marking, RunRef, Token, TokenRef, WatchRef};
use super::net::{Effect, FlowRef, Net, NodeRef};
use super::paths::Paths;

/// How an instance ends by the rules (INS-5). More than one kind of fault where the rules leave open which comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Completed,
    Terminated,
    Canceled,
    Faulted {
        kinds: Vec<FaultKind>,
        code: Option<String>,
    },
}

/// What is still to be done in a transition, first in, first out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Work {
    /// Atomic grain: a token in transit arrives.
    Arrive(TokenRef),
    /// Atomic grain: a node is executed on arrival.
    Execute(TokenRef),
    /// A run may have nothing left in it.
    Drained(RunRef),
    /// A condition has become true (EVT-4).
    Fire(WatchRef),
    /// Data have changed.
    Conditions,
}

/// In the atomic grain the engine cuts a chain of nodes that execute on arrival after 64 causes. From this many works
/// of one transition on, where it has cut is read off its records.
const CHAIN_MIN: u32 = 24;

/// More works than a transition has; a circle of them is cut long before.
const WORKS_MAX: u32 = 100_000;

/// One transition.
pub(super) struct Game<'g> {
    pub(super) net: &'g Net,
    pub(super) options: &'g Options,
    pub(super) m: &'g mut Marking,
    pub(super) paths: &'g mut Paths,
    pub(super) evidence: Evidence<'g>,
    /// Parts of the transition that are still to come: throws whose effects are being applied, receivers of a signal.
    pub(super) parts: u32,
    /// Who or what the action is about: it chooses its way out within the action (EVT-6).
    pub(super) actor: Option<Actor>,
    pub(super) ending: Option<Ending>,
    pub(super) works: u32,
    pub(super) lists: &'g mut Lists,
}

/// Who or what an action is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Actor {
    Token(TokenRef),
    Watcher(WatchRef),
}

/// The lists of a transition; their memory serves the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    pub(super) facts: Vec<Fact>,
    /// What the engine recorded, as facts.
    pub(super) recorded: Vec<Fact>,
    pub(super) work: VecDeque<Work>,
    pub(super) thrown: VecDeque<(TokenRef, Effect)>,
    /// The tokens that have come to stand at joins in this transition: one of them may have completed its join.
    pub(super) arrived: Vec<TokenRef>,
    /// The tokens that have arrived anywhere else, and where.
    pub(super) arrivals: Vec<(TokenRef, NodeRef)>,
    /// The joins that are to decide, in the order in which they do.
    pub(super) deciding: Vec<(bool, Option<Recorded>, RunRef, NodeRef)>,
    /// The incoming flows of a join that hold a token.
    pub(super) marked: Vec<FlowRef>,
    pub(super) used: Vec<bool>,
}

impl Lists {
    /// Empties them.
    pub(super) fn clear(&mut self) {
        self.facts.clear();
        self.recorded.clear();
        self.work.clear();
        self.thrown.clear();
        self.arrived.clear();
        self.arrivals.clear();
    }
}

/// Something that may turn out to be a violation.
pub(super) type Judged<T = ()> = Result<T, Violation>;

impl Game<'_> {
    // ---- births and deaths ----

    /// A token is born; the engine must have born it too, and its name for it is noted.
    pub(super) fn bear(
        &mut self,
        run: RunRef,
        parent: Option<TokenRef>,
        node: NodeRef,
        flow: Option<FlowRef>,
    ) -> Judged<TokenRef> {
        let doing = flow.map_or(Doing::Ready, Doing::Travels);
        let at = flow.map_or(node, |flow| self.net.flow(flow).target);
        let parent_track = parent.map(|parent| self.track(parent));
        let Some(track) = self.evidence.birth(parent_track, node, flow) else {
            return Err(self.violation("V6", "TRK-2", node, "a token is to be born here, and none is"));
        };
        let token = self.m.bear(track, at, doing, run);
        let token = token.ok_or_else(|| self.violation("V6", "TRK-2", node, "the track has no possible name"))?;
        self.lists.facts.push(Fact::Born {
            token,
            parent,
            node,
            flow,
        });
        Ok(token)
    }

    pub(super) fn track(&self, token: TokenRef) -> TrackId {
        self.m.token(token).track
    }

    /// Takes a token out of its run, with its subscriptions (BND-1). The run may have drained by that.
    fn remove(&mut self, token: TokenRef) {
        self.disarm_all_of(super::marking::Owner::Token(token));
        let run = self.m.token(token).run;
        self.m.bury(token);
        self.may_have_drained(run);
    }

    pub(super) fn may_have_drained(&mut self, run: RunRef) {
        if self.m.is_open(run) && self.m.is_drained(run) {
            self.lists.work.push_back(Work::Drained(run));
        }
    }

    pub(super) fn end_token(&mut self, token: TokenRef, state: Final) {
        self.remove(token);
        self.lists.facts.push(Fact::Ended(token, state));
    }

    /// TRK-3, TRK-5.
    pub(super) fn merge(&mut self, token: TokenRef, into: TokenRef) {
        self.remove(token);
        self.lists.facts.push(Fact::Merged { token, into });
    }

    // ---- moves ----

    /// A token arrives at its target: it stands at a join, or is about to execute the node.
    pub(super) fn arrive(&mut self, token: TokenRef) -> Judged {
        let Token { node, doing, .. } = *self.m.token(token);
        let Doing::Travels(flow) = doing else { return Ok(()) };
        if self.net.is_join(node) {
            self.reach_join(token, flow)
        } else {
            self.lists.arrivals.push((token, node));
            self.ready(token);
            Ok(())
        }
    }

    /// In the atomic grain some nodes are executed on arrival.
    pub(super) fn ready(&mut self, token: TokenRef) {
        self.m.token_mut(token).doing = Doing::Ready;
        let node = self.m.token(token).node;
        if self.options.grain == Grain::Atomic && self.net.is_prompt(node) && !self.is_cut(token) {
            self.lists.work.push_back(Work::Execute(token));
        }
    }

    /// Whether a long chain of nodes that execute on arrival has been cut here: the engine's track arrives and does no more.
    fn is_cut(&self, token: TokenRef) -> bool {
        let node = self.m.token(token).node;
        let so_far = self
            .lists
            .arrivals
            .iter()
            .filter(|arrival| **arrival == (token, node))
            .count();
        self.works >= CHAIN_MIN && !self.evidence.executes_after(self.track(token), node, so_far)
    }

    /// A token executes its node and goes on along `flows`, spawning a sibling for each but one (TRK-2): that is the one
    /// straight back into the node, else the first in document order.
    pub(super) fn go_on(&mut self, token: TokenRef, flows: &[FlowRef]) -> Judged {
        let Token { node, run, .. } = *self.m.token(token);
        let back = flows.iter().position(|&flow| self.net.flow(flow).target == node);
        self.lists.facts.push(Fact::Stepped(token, node));
        for (rank, &flow) in flows.iter().enumerate() {
            let traveller = if rank == back.unwrap_or(0) {
                let target = self.net.flow(flow).target;
                let moved = self.m.token_mut(token);
                (moved.node, moved.doing) = (target, Doing::Travels(flow));
                token
            } else {
                self.bear(run, Some(token), node, Some(flow))?
            };
            if self.options.grain != Grain::Atomic {
                continue;
            }
            // First in, first out: where nothing comes before it, it is next.
            if flows.len() == 1 && self.lists.work.is_empty() {
                self.arrive(traveller)?;
            } else {
                self.lists.work.push_back(Work::Arrive(traveller));
            }
        }
        Ok(())
    }

    // ---- the transition ----

    /// Does everything that the deed has set going and that belongs to its transition; at the end the joins decide
    /// (ORJ-6, EVT-2).
    pub(super) fn settle(&mut self) -> Judged {
        loop {
            self.settle_parts()?;
            if self.ending.is_some() || !self.decide_joins()? {
                return Ok(());
            }
        }
    }

    /// The same without the joins: parts of one transition are not decided on.
    pub(super) fn settle_parts(&mut self) -> Judged {
        loop {
            self.settle_works()?;
            if self.ending.is_some() {
                return Ok(());
            }
            let Some((token, effect)) = self.lists.thrown.pop_front() else {
                return Ok(());
            };
            self.deliver(&effect)?;
            self.settle_works()?;
            self.parts -= 1;
            if self.ending.is_none() && self.m.lives(token) {
                self.after_throw(token)?;
            }
        }
    }

    pub(super) fn settle_works(&mut self) -> Judged {
        while let Some(work) = self.lists.work.pop_front() {
            if self.ending.is_some() {
                self.lists.work.clear();
                return Ok(());
            }
            self.works += 1;
            if self.works > WORKS_MAX {
                return Err(Violation::new(
                    "V5",
                    "INS-4",
                    None,
                    "the transition does not end".to_owned(),
                ));
            }
            match work {
                Work::Arrive(token) if self.m.lives(token) => self.arrive(token)?,
                Work::Execute(token) if self.m.lives(token) => self.execute(token)?,
                Work::Arrive(_) | Work::Execute(_) => {}
                Work::Drained(run) => self.drained(run)?,
                Work::Fire(watcher) => {
                    if self.m.is_armed(watcher) {
                        self.fire(watcher)?;
                    }
                }
                Work::Conditions => self.watch_conditions(),
            }
        }
        Ok(())
    }

    pub(super) fn violation(
        &self,
        invariant: &'static str,
        rule: &'static str,
        node: NodeRef,
        what: &str,
    ) -> Violation {
        Violation::new(invariant, rule, Some(self.net.id(node)), what.to_owned())
    }
}
