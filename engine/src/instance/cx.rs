//! What a node's room may do to its instance: the one writer (INS-3) lends it this for the time of a call.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value;

use super::agenda::{Deed, NO_TICKET};
use super::mark::mark;
use super::state::{Core, Phase, Queue, ScopeIx, Token, TokenIx, Work};
use super::{End, Fault, FaultKind, Final, Grain, Record, Thrown};
use crate::expr::{Data, Program};
use crate::ids::{FlowId, NodeId, TrackId};
use crate::planted::planted;
use crate::reach::NONE;
use crate::template::{Hot, Lane, Pass, Span, Template};

/// How long a chain of causes within one transition of the atomic grain may get before the next node that would execute on
/// arrival is left to a transition of its own: a circle of such nodes would otherwise never end it.
const CHAIN_MAX: u32 = 64;

/// The template (shared) and the state (private) of the instance at work.
pub(crate) struct Cx<'a> {
    pub(crate) t: &'a Template,
    pub(crate) core: &'a mut Core,
}

impl Cx<'_> {
    /// Keeps a record, if records are kept at all.
    #[inline]
    pub(crate) fn record(&mut self, record: impl FnOnce(&Template) -> Record) {
        if self.core.options.records {
            let record = record(self.t);
            self.core.records.push(record);
        }
    }

    #[inline]
    pub(crate) fn token(&self, token: TokenIx) -> &Token {
        self.core.tokens.get(token.0)
    }

    #[inline]
    pub(crate) fn token_mut(&mut self, token: TokenIx) -> &mut Token {
        self.core.tokens.get_mut(token.0)
    }

    #[inline]
    pub(crate) fn track(&self, token: TokenIx) -> TrackId {
        self.token(token).id
    }

    #[inline]
    pub(crate) fn atomic(&self) -> bool {
        self.core.options.grain == Grain::Atomic
    }

    /// The runtime words of a node in one scope run.
    pub(crate) fn words(&mut self, scope: ScopeIx, node: NodeId) -> &mut [u32] {
        let Span { from, to } = self.t.hot[node.ix()].words;
        &mut self.core.scopes.get_mut(scope.0).words[from as usize..to as usize]
    }

    pub(crate) fn queue(&mut self, scope: ScopeIx, flow: FlowId) -> &mut Queue {
        &mut self.core.scopes.get_mut(scope.0).queues[self.t.lanes[flow.ix()].queue as usize]
    }

    // ---- births and deaths ----

    /// A new track at `node` in `scope`, not yet doing anything.
    pub(super) fn born(&mut self, scope: ScopeIx, node: NodeId) -> TokenIx {
        let id = TrackId(self.core.next_track);
        self.core.next_track += 1;
        let mut token = Token::new(id, node, scope);
        token.next = self.core.scopes.get(scope.0).tokens;
        let ix = TokenIx(self.core.tokens.insert(token));
        self.core.crowded |= ix.0 as usize >= super::TOKENS_MAX;
        if let Some(next) = token.next.some() {
            self.token_mut(next).prev = ix;
        }
        let run = self.core.scopes.get_mut(scope.0);
        run.tokens = ix;
        run.live += 1;
        self.enter_zone(scope, node);
        ix
    }

    /// A new track at a node, with its record.
    pub(crate) fn born_at(&mut self, scope: ScopeIx, parent: Option<TrackId>, node: NodeId) -> TokenIx {
        let token = self.born(scope, node);
        let track = self.track(token);
        #[cfg(feature = "planted-faults")]
        let parent = parent.map(|parent| self.lineage_of(parent));
        self.record(|_| Record::Born {
            track,
            parent,
            node,
            flow: None,
        });
        token
    }

    /// Takes a track out of its scope run. Its scope may have drained by that.
    #[inline]
    pub(crate) fn remove(&mut self, token: TokenIx) {
        planted!(self, JoinNotRedecidedOnMove => self.note_death());
        planted!(self, JoinStateSharedByPasses => self.unqueue(token));
        self.quiet(token);
        if !self.token(token).watchers.is_none() {
            self.disarm_all_of(super::state::Owner::Token(token), super::Withdrawal::HostEnded);
        }
        let Token { prev, next, scope, .. } = *self.token(token);
        match prev.some() {
            Some(prev) => self.token_mut(prev).next = next,
            None => self.core.scopes.get_mut(scope.0).tokens = next,
        }
        if let Some(next) = next.some() {
            self.token_mut(next).prev = prev;
        }
        self.leave_zone(token);
        self.token_mut(token).phase = Phase::Dead;
        self.core.tokens.release(token.0);
        let run = self.core.scopes.get_mut(scope.0);
        run.live -= 1;
        if run.live == 0 && run.open {
            let generation = run.generation;
            self.core.later(Work::Drained(scope, generation));
        }
        planted!(self, StarvedAndJoinCompletes | CompletionBeforeSibling => self.may_seem_drained(scope));
    }

    /// Ends a track in a final state.
    pub(crate) fn end_track(&mut self, token: TokenIx, state: Final) {
        let Token { id: track, node, .. } = *self.token(token);
        self.remove(token);
        self.record(|_| Record::TrackEnded { track, node, state });
    }

    /// Absorbs a track at a join (TRK-3).
    pub(crate) fn merge(&mut self, token: TokenIx, into: TrackId) {
        let Token { id: track, node, .. } = *self.token(token);
        self.remove(token);
        planted!(self, LineageRewrittenAtMerge => self.rewrite_lineage(into, track));
        self.record(|_| Record::Merged { track, into, node });
    }

    // ---- what a track does next ----

    /// The track is at its node and will execute it.
    #[inline]
    pub(crate) fn ready(&mut self, token: TokenIx) {
        let node = self.token(token).node;
        self.ready_at(token, self.t.hot[node.ix()].prompt);
    }

    /// The same, where it is known whether the node is executed on arrival.
    #[inline(always)]
    pub(crate) fn ready_at(&mut self, token: TokenIx, prompt: bool) {
        let here = self.core.tokens.get_mut(token.0);
        here.phase = Phase::Ready;
        here.flow = FlowId::NONE;
        if prompt && self.atomic() && self.core.chain_length() < CHAIN_MAX {
            let id = self.track(token);
            self.quiet(token);
            self.core.later(Work::Step(token, id));
        } else {
            mark!(self.core, ChainCut if prompt && self.atomic());
            self.inside(token, Deed::Step);
        }
    }

    /// The track is done with its node and chooses its way out in a transition of its own (EVT-6).
    pub(crate) fn hesitate(&mut self, token: TokenIx) {
        self.quiet(token);
        self.token_mut(token).phase = Phase::Leaving;
        self.inside(token, Deed::Step);
    }

    #[inline(always)]
    fn inside(&mut self, token: TokenIx, deed: Deed) {
        let born = self.core.transition;
        let ticket = self.token(token).ticket;
        if ticket == NO_TICKET {
            self.token_mut(token).ticket = self.core.inside.add(deed, token.0, born);
        } else {
            self.core.inside.renew(ticket, deed, born);
        }
    }

    /// Takes the track's entry off the agenda.
    #[inline]
    pub(crate) fn quiet(&mut self, token: TokenIx) {
        let Token { ticket, phase, .. } = *self.token(token);
        if ticket == NO_TICKET {
            return;
        }
        self.token_mut(token).ticket = NO_TICKET;
        match phase {
            Phase::Waiting => self.core.outside.remove(ticket),
            _ => self.core.inside.remove(ticket),
        }
    }

    /// The track waits for an event.
    pub(crate) fn wait(&mut self, token: TokenIx) {
        self.quiet(token);
        self.token_mut(token).phase = Phase::Waiting;
    }

    /// The track waits for external work, which the outside may complete.
    pub(crate) fn wait_for_work(&mut self, token: TokenIx) {
        self.wait(token);
        let born = self.core.transition;
        self.token_mut(token).ticket = self.core.outside.add(Deed::Complete, token.0, born);
    }

    pub(crate) fn outside(&mut self, deed: Deed, slot: u32) -> u32 {
        let born = self.core.transition;
        self.core.outside.add(deed, slot, born)
    }

    /// The track is in transit on `flow`. In the atomic grain it arrives later in this transition.
    pub(crate) fn put_on(&mut self, token: TokenIx, flow: FlowId) {
        let Lane { target, change, .. } = self.t.lanes[flow.ix()];
        let track = self.depart(token, flow, target, change);
        if self.atomic() {
            // Its entry, if it has one, is renewed or taken off when it arrives.
            self.core.later(Work::Arrive(token, track));
        } else {
            self.inside(token, Deed::Arrive);
        }
    }

    #[inline(always)]
    fn depart(&mut self, token: TokenIx, flow: FlowId, target: NodeId, change: u32) -> TrackId {
        let here = self.core.tokens.get_mut(token.0);
        if here.phase == Phase::Waiting {
            self.quiet(token);
        }
        if change != NONE {
            let scope = self.token(token).scope;
            self.change_zone(scope, change);
        }
        let here = self.core.tokens.get_mut(token.0);
        (here.flow, here.node, here.phase) = (flow, target, Phase::InTransit);
        let track = here.id;
        self.record(|_| Record::Left { track, flow });
        track
    }

    /// [`Self::leave`] along one flow, with all that is known of it at hand.
    #[inline(always)]
    pub(crate) fn pass(&mut self, token: TokenIx, pass: Pass) {
        self.executed(token);
        if !self.atomic() || !self.core.work.is_empty() {
            return self.put_on(token, pass.flow);
        }
        let track = self.depart(token, pass.flow, pass.target, pass.change);
        if pass.registers {
            self.arrive(token);
        } else {
            self.record(|_| Record::Arrived {
                track,
                flow: pass.flow,
                node: pass.target,
            });
            self.ready_at(token, pass.prompt);
        }
    }

    /// [`Self::leave`] along one flow.
    fn leave_by(&mut self, token: TokenIx, flow: FlowId) {
        let Lane { target, change, .. } = self.t.lanes[flow.ix()];
        let Hot { registers, prompt, .. } = self.t.hot[target.ix()];
        let pass = Pass {
            flow,
            target,
            change,
            registers,
            prompt,
            through: false,
        };
        self.pass(token, pass);
    }

    /// The track executes its node and leaves along `flows` (TRK-2): it goes on along one of them and spawns a sibling
    /// for each other, all in one transition.
    ///
    /// # Panics
    ///
    /// If `flows` is empty: a token without a way out ends by [`Self::end_here`].
    pub(crate) fn leave(&mut self, token: TokenIx, flows: &[FlowId]) {
        if let [only] = *flows {
            return self.leave_by(token, only);
        }
        let Token {
            id: parent,
            node,
            scope,
            ..
        } = *self.token(token);
        self.executed(token);
        let back = |flow: &FlowId| self.t.lanes[flow.ix()].target == node;
        let own = flows.iter().position(back).unwrap_or(0);
        planted!(self, ForkInTwoSteps | BranchOrderFromHashMap => return self.fork_oddly(token, flows, own));
        for (rank, &flow) in flows.iter().enumerate() {
            if rank == own {
                self.put_on(token, flow);
            } else {
                self.spawn(scope, parent, node, flow);
            }
        }
    }

    /// A sibling of a track that forks: born at its node, in transit on `flow`.
    #[inline]
    pub(super) fn spawn(&mut self, scope: ScopeIx, parent: TrackId, node: NodeId, flow: FlowId) {
        let sibling = self.born(scope, node);
        let track = self.track(sibling);
        planted!(self, NewSiblingInvisible | CompletionBeforeSibling => self.note_fresh(track));
        #[cfg(feature = "planted-faults")]
        let parent = self.lineage_of(parent);
        self.record(|_| Record::Born {
            track,
            parent: Some(parent),
            node,
            flow: Some(flow),
        });
        self.put_on(sibling, flow);
    }

    /// Records that a track executed its node, where what follows is not leaving along a flow.
    #[inline]
    pub(crate) fn executed(&mut self, token: TokenIx) {
        let Token { id: track, node, .. } = *self.token(token);
        self.record(|_| Record::Stepped { track, node });
    }

    /// Puts a track at another node, beyond sequence flow: from a gate to its arm, over a link.
    pub(crate) fn move_to(&mut self, token: TokenIx, node: NodeId) {
        let scope = self.token(token).scope;
        self.enter_zone(scope, node);
        self.leave_zone(token);
        self.token_mut(token).node = node;
    }

    /// External work begins; `stoppable` says whether it is running (and could answer late) or merely waiting.
    pub(crate) fn start_work(&mut self, token: TokenIx, stoppable: bool) {
        let Token { id: track, node, .. } = *self.token(token);
        self.wait_for_work(token);
        let began = self.core.transition;
        let here = self.token_mut(token);
        (here.working, here.began) = (stoppable, began);
        self.record(|_| Record::WorkStarted { track, node });
    }

    pub(crate) fn run_mut(&mut self, scope: ScopeIx) -> &mut super::ScopeRun {
        self.core.scopes.get_mut(scope.0)
    }

    /// The track executes its node and its token ends there (an end event, or TRK-9).
    pub(crate) fn end_here(&mut self, token: TokenIx) {
        let Token { id: track, node, .. } = *self.token(token);
        self.record(|_| Record::Stepped { track, node });
        self.end_track(token, Final::Ended);
    }

    /// Starts a throw: the world applies its effects, then the track goes on by its room's `thrown`.
    pub(crate) fn throw(&mut self, token: TokenIx, event: crate::template::EventRef, choice: u32) {
        self.quiet(token);
        let here = self.token_mut(token);
        here.phase = Phase::Throwing;
        let (track, node) = (here.id, here.node);
        let cause = self.cause(event);
        self.record(|_| Record::Thrown { track, node, cause });
        let payload = Arc::clone(&self.core.data);
        self.core.parts += 1;
        self.core.news = true;
        self.core.outbox.push_back(Thrown {
            event,
            payload,
            choice,
            token,
            track,
        });
    }

    // ---- data ----

    /// Writes process data (one external change, one event's payload or one result).
    pub(crate) fn write(&mut self, values: &Data) {
        if values.is_empty() {
            return;
        }
        let data = Arc::make_mut(&mut self.core.data);
        data.extend(values.iter().map(|(name, value)| (name.clone(), value.clone())));
        self.record(|_| Record::DataChanged {
            names: values.keys().cloned().collect(),
        });
        self.core.later(Work::Data);
    }

    /// Whether a condition holds; `None` after a fault (EVT-8).
    pub(crate) fn holds(
        &mut self,
        token: Option<TrackId>,
        node: NodeId,
        condition: &Program,
        extra: &[(&str, Value)],
    ) -> Option<bool> {
        match condition.holds(&self.core.data, extra) {
            Ok(holds) => Some(holds),
            Err(error) => {
                let message = format!("condition `{}`: {error}", condition.text());
                self.fault(FaultKind::Expression, node, token, None, message, condition.variables());
                None
            }
        }
    }

    /// Ends the instance with a fault. `variables` are the names whose values explain it.
    pub(crate) fn fault(
        &mut self,
        kind: FaultKind,
        node: NodeId,
        track: Option<TrackId>,
        code: Option<String>,
        message: String,
        variables: &[String],
    ) {
        let mut values = String::new();
        if !self.core.options.redact {
            for name in variables {
                let value = self
                    .core
                    .data
                    .get(name)
                    .map_or_else(|| "unset".to_owned(), Value::to_string);
                let separator = if values.is_empty() { "" } else { ", " };
                let _ = write!(values, "{separator}{name} = {value}");
            }
        }
        self.end(
            End::Faulted(Fault {
                kind,
                node,
                track,
                code,
                message,
                values,
            }),
            track,
        );
    }
}
