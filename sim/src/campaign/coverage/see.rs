//! One record after the other: what it changes in the picture, and which items it is.

use trackside_engine::instance::{
    Cause as Thrown, Conditions, End, FaultKind, Final, LifeCycle, Mode as Armed, OrJoin, Outcome, Phase, Record,
    TriggerKind, Withdrawal,
};
use trackside_engine::{FlowId, NodeId, TrackId, WatcherId};

use super::Coverage;
use super::facts::{Catcher, Facts};
use super::families::Family;
use super::follow::{NONE, Watcher, parked, waits_for_the_same};
use super::observer::{Observer, own};
use super::rules::Own;
use super::words::{
    Branch, By, Cause, Ending, Freed, Heard, Join, Kind, Late, Order, Role, State, Surplus, Trigger, Unblocked, Wave,
};

impl Observer {
    #[inline]
    pub(super) fn record(&mut self, facts: &Facts, record: &Record, coverage: &mut Coverage) {
        let seen = |coverage: &mut Coverage, kind: Kind| coverage.hit(Family::Record.one(kind.ix()));
        let took_arm = std::mem::take(&mut self.moment.took_arm);
        match *record {
            Record::Born {
                track,
                parent,
                node,
                flow,
            } => {
                seen(coverage, Kind::Born);
                self.born(facts, track, parent, node, flow, coverage);
            }
            Record::Stepped { track, node } => {
                seen(coverage, Kind::Stepped);
                self.stepped(facts, track, node, coverage);
            }
            Record::Left { track, flow } => {
                seen(coverage, Kind::Left);
                coverage_of_flow(facts, flow, coverage);
                self.left(track, flow);
            }
            Record::Arrived { track, node, .. } => {
                seen(coverage, Kind::Arrived);
                self.picture.set(track, Some(State::Ready));
                self.picture.tracks[track.ix()].node = node;
            }
            Record::Parked {
                track,
                flow,
                node,
                phase,
            } => {
                let kind = if phase == Phase::AwaitingMerge {
                    Kind::ParkedMerge
                } else {
                    Kind::ParkedSync
                };
                seen(coverage, kind);
                self.parked(facts, track, flow, node, coverage);
            }
            Record::JoinFired {
                node,
                survivor,
                ref flows,
            } => {
                seen(coverage, Kind::JoinFired);
                self.fired_join(facts, node, survivor, flows, coverage);
            }
            Record::Resumed { track, node } => {
                seen(coverage, Kind::Resumed);
                self.resumed(facts, track, node, coverage);
            }
            Record::Merged { track, node, .. } => {
                seen(coverage, Kind::Merged);
                self.moment.note(By::Absorbed);
                self.consumed(facts, track, node, coverage);
                self.picture.gone(track);
            }
            Record::Trailing { .. } => {
                seen(coverage, Kind::Trailing);
                coverage.hit(Family::Wave.one(Wave::Late.ix()));
            }
            Record::Rearmed { node } => {
                seen(coverage, Kind::Rearmed);
                self.rearmed(facts, node);
            }
            Record::WorkStarted { track, node } => {
                seen(coverage, Kind::WorkStarted);
                self.picture.set(track, Some(State::Working));
                if facts.node(node).automatic {
                    own(coverage, Own::Bnd11);
                }
            }
            Record::WorkEnded { track, ref outcome, .. } => self.work_ended(facts, track, outcome, coverage),
            Record::WorkAskedToStop { .. } => seen(coverage, Kind::WorkAskedToStop),
            Record::Discarded { node, .. } => {
                seen(coverage, Kind::Discarded);
                self.discarded(node, coverage);
            }
            Record::Armed {
                watcher,
                node,
                host,
                trigger,
                mode,
                due,
                ..
            } => {
                coverage.hit(Family::Armed.two(kind_of(trigger).ix(), role(mode).ix()));
                self.picture.arm(facts, watcher, node, host, due);
            }
            Record::Fired {
                watcher, trigger, mode, ..
            } => {
                coverage.hit(Family::Fired.two(kind_of(trigger).ix(), role(mode).ix()));
                self.fired(facts, watcher, coverage);
            }
            Record::Refired { watcher, due, .. } => {
                seen(coverage, if due.is_some() { Kind::RefiredDue } else { Kind::Refired });
                if self.picture.options().timed {
                    self.picture.watchers[watcher.ix()].due = due;
                }
            }
            Record::Disarmed { watcher, why, .. } => self.disarmed(facts, watcher, why, coverage),
            Record::Interrupted { track, state, .. } => self.interrupted(track, state, coverage),
            Record::Thrown { ref cause, .. } => seen(coverage, thrown(cause)),
            Record::Undelivered { ref cause } => match cause {
                Thrown::Message(_) => seen(coverage, Kind::LostMessage),
                Thrown::Signal(_) => seen(coverage, Kind::LostSignal),
                Thrown::Error(_) | Thrown::Escalation(_) => seen(coverage, Kind::LostEscalation),
            },
            Record::ScopeOpened { scope, host } => {
                let kind = match (host, self.picture.handler_in) {
                    (Some(_), _) => Kind::OpenedSub,
                    (None, NONE) => Kind::Opened,
                    (None, _) => Kind::OpenedHandler,
                };
                seen(coverage, kind);
                self.picture.open(scope.0, host);
                if self.moment.cause == Some(Cause::Takeover) {
                    self.moment.cause = None;
                }
            }
            Record::ScopeCompleted { scope, host } => {
                seen(
                    coverage,
                    if host.is_some() {
                        Kind::CompletedSub
                    } else {
                        Kind::CompletedHandler
                    },
                );
                if let Some(host) = host {
                    self.completes(facts, host, Order::Drains, coverage);
                }
                self.picture.close(scope.0, host);
            }
            Record::ScopeWithdrawn { scope, host } => {
                seen(
                    coverage,
                    if host.is_some() {
                        Kind::WithdrawnSub
                    } else {
                        Kind::WithdrawnHandler
                    },
                );
                if host.is_none() {
                    self.victim(State::Handler, coverage);
                }
                self.picture.close(scope.0, host);
            }
            Record::DataChanged { .. } => {
                seen(coverage, Kind::DataChanged);
                self.moment.note(By::Data);
                if took_arm {
                    own(coverage, Own::Evg7);
                }
            }
            Record::Clock { now } => {
                seen(coverage, Kind::Clock);
                self.picture.now = now;
            }
            Record::TrackEnded { track, node, state } => self.track_ended(facts, track, node, state, coverage),
            Record::InstanceEnded { ref end } => {
                seen(coverage, Kind::InstanceEnded);
                self.ended(end, coverage);
            }
        }
    }

    fn born(
        &mut self,
        facts: &Facts,
        track: TrackId,
        parent: Option<TrackId>,
        node: NodeId,
        flow: Option<FlowId>,
        coverage: &mut Coverage,
    ) {
        self.picture.born(facts, track, parent, node);
        if flow.is_some() {
            coverage.hit(Family::Record.one(Kind::BornFork.ix()));
        } else if facts.node(node).catcher == Some(Catcher::Boundary) {
            coverage.hit(Family::Record.one(Kind::BornBoundary.ix()));
            if let Some(host) = parent.filter(|_| !facts.node(node).interrupting) {
                self.picture.tracks[track.ix()].beside = host.0;
                self.picture.tracks[host.ix()].branches += 1;
            }
        }
        if parent.is_none() && self.picture.tracks.len() == 1 && !facts.gate_starts.is_empty() {
            for &start in facts.passages(facts.node(node)) {
                if facts.gate_starts.contains(&start) {
                    coverage.hit(start);
                }
            }
        }
    }

    #[inline]
    fn stepped(&mut self, facts: &Facts, track: TrackId, node: NodeId, coverage: &mut Coverage) {
        let about = facts.node(node);
        for &passage in facts.passages(about) {
            coverage.hit(passage);
        }
        if about.chooses && self.picture.conditions() == Conditions::Symbolic {
            own(coverage, Own::Evt6);
        }
        if about.terminates {
            let root = self.picture.run_of(track).parent == NONE;
            let cause = if root { Cause::Terminate } else { Cause::TerminateScope };
            self.moment.cause = Some(cause);
        } else if matches!(self.moment.cause, Some(Cause::Terminate | Cause::TerminateScope)) {
            self.moment.cause = None;
        }
        self.picture.tracks[track.ix()].node = node;
        self.picture.set(track, Some(State::Ready));
    }

    #[inline]
    fn left(&mut self, track: TrackId, flow: FlowId) {
        self.moment.note(By::Move);
        self.picture.tracks[track.ix()].flow = flow;
        self.picture.set(track, Some(State::InTransit));
    }

    fn parked(&mut self, facts: &Facts, track: TrackId, flow: FlowId, node: NodeId, coverage: &mut Coverage) {
        let Some(join) = facts.node(node).join else { return };
        let run = self.picture.track(track).run;
        let lane = self.picture.lane(run, flow);
        let (behind, after, used) = (lane.queue > 0, lane.taken, lane.used);
        lane.queue += 1;
        if behind {
            coverage.hit(Family::Surplus.two(join.ix(), Surplus::Behind.ix()));
        } else if after {
            coverage.hit(Family::Surplus.two(join.ix(), Surplus::After.ix()));
        }
        if join == Join::Complex && used {
            coverage.hit(Family::Wave.one(Wave::Used.ix()));
        }
        if join == Join::Or {
            self.moment.parked.push((run, node));
        }
        let here = &mut self.picture.tracks[track.ix()];
        (here.surplus, here.flow, here.node) = (behind, flow, node);
        self.picture.set(track, Some(parked(join)));
    }

    fn fired_join(
        &mut self,
        facts: &Facts,
        node: NodeId,
        survivor: TrackId,
        flows: &[FlowId],
        coverage: &mut Coverage,
    ) {
        let Some(join) = facts.node(node).join else { return };
        self.moment.freed_by = self.moment.by;
        let run = self.picture.track(survivor).run;
        for &flow in flows {
            let lane = self.picture.lane(run, flow);
            (lane.taken, lane.used) = (true, true);
        }
        if join == Join::Or {
            if self.picture.options().or_join == OrJoin::Conservative {
                own(coverage, Own::Orj2);
            }
            let counts = &self.picture.runs[run as usize];
            let about = [
                State::InTransit,
                State::Ready,
                State::Working,
                State::Catching,
                State::Hosting,
            ];
            if flows.len() == facts.into(node).len() && about.iter().any(|&state| counts.has(state)) {
                own(coverage, Own::Orj5);
            }
        }
        self.consumed(facts, survivor, node, coverage);
        self.goes_on(survivor, join);
    }

    /// The survivor of a join leaves its queue.
    fn goes_on(&mut self, survivor: TrackId, join: Join) {
        let here = *self.picture.track(survivor);
        if here.state == Some(parked(join)) {
            self.picture.unpark(here.run, here.flow);
            self.picture.set(survivor, Some(State::Ready));
        }
    }

    fn consumed(&mut self, facts: &Facts, track: TrackId, node: NodeId, coverage: &mut Coverage) {
        let here = &mut self.picture.tracks[track.ix()];
        if std::mem::take(&mut here.surplus)
            && let Some(join) = facts.node(node).join
        {
            coverage.hit(Family::Surplus.two(join.ix(), Surplus::Consumed.ix()));
        }
    }

    fn resumed(&mut self, facts: &Facts, track: TrackId, node: NodeId, coverage: &mut Coverage) {
        let Some(join) = facts.node(node).join else { return };
        self.goes_on(track, join);
        let unblocked = match join {
            Join::And => return,
            Join::Or => Unblocked::Or,
            Join::Complex => Unblocked::Complex,
        };
        if let Some(by) = self.moment.freed_by {
            coverage.hit(Family::Unblocked.two(unblocked.ix(), by.ix()));
        }
        for &(other, at) in &self.moment.resumed {
            if at != node {
                let freed = match (other, join) {
                    (Join::Or, Join::Or) => Freed::Ors,
                    (Join::Complex, Join::Complex) => Freed::Complexes,
                    _ => Freed::OrComplex,
                };
                coverage.hit(Family::Freed.one(freed.ix()));
            }
        }
        self.moment.resumed.push((join, node));
    }

    /// CPX-6. The record does not say in which run; where several are open, the wave of all is taken as closed.
    fn rearmed(&mut self, facts: &Facts, node: NodeId) {
        let scope = facts.node(node).scope;
        let open = self
            .picture
            .runs
            .iter()
            .zip(0..)
            .filter(|(run, _)| run.open && run.scope == scope);
        let runs: Vec<u32> = open.map(|(_, run)| run).collect();
        for run in runs {
            for &flow in facts.into(node) {
                self.picture.lane(run, flow).used = false;
            }
        }
    }

    fn work_ended(&mut self, facts: &Facts, track: TrackId, outcome: &Outcome, coverage: &mut Coverage) {
        let kind = match outcome {
            Outcome::Ok => {
                self.completes(facts, track, Order::Completes, coverage);
                self.picture.set(track, Some(State::Ready));
                Kind::WorkOk
            }
            // Its host is still where it was when the boundary event fires.
            Outcome::Error(_) => Kind::WorkError,
            Outcome::Failure(_) => Kind::WorkFailure,
        };
        coverage.hit(Family::Record.one(kind.ix()));
    }

    /// A host completes: what else could have happened on it (BND-2), and what was begun beside it (BND-5).
    fn completes(&mut self, facts: &Facts, host: TrackId, order: Order, coverage: &mut Coverage) {
        for watcher in self.picture.armed().filter(|watcher| watcher.owner == host.0) {
            let about = facts.node(watcher.node);
            if let (Some(Catcher::Boundary), Some(trigger)) = (about.catcher, about.trigger)
                && self.could_fire(facts, watcher)
            {
                coverage.hit(Family::Completion.item(order.ix(), trigger.ix(), about.mode().ix()));
            }
        }
        if self.picture.track(host).branches > 0 && self.picture.alive().any(|track| track.beside == host.0) {
            coverage.hit(Family::Branch.one(Branch::Outlives.ix()));
        }
    }

    /// Whether a subscription could have fired before this transition.
    pub(super) fn could_fire(&self, facts: &Facts, watcher: &Watcher) -> bool {
        watcher.since < self.picture.transition && self.picture.is_offered(facts, watcher)
    }

    fn discarded(&self, node: NodeId, coverage: &mut Coverage) {
        let late = if self.ended { Late::AfterEnd } else { Late::BeforeEnd };
        coverage.hit(Family::Late.one(late.ix()));
        let again = |track: &super::follow::Track| track.node == node && track.state == Some(State::Working);
        if self.picture.alive().any(again) {
            coverage.hit(Family::Late.one(Late::Again.ix()));
        }
    }

    fn disarmed(&mut self, facts: &Facts, id: WatcherId, why: Withdrawal, coverage: &mut Coverage) {
        let kind = match why {
            Withdrawal::Taken => Kind::DisarmedTaken,
            Withdrawal::Lost => Kind::DisarmedLost,
            Withdrawal::HostEnded => Kind::DisarmedHost,
        };
        coverage.hit(Family::Record.one(kind.ix()));
        self.picture.disarm(id);
        if !self.moment.heard.is_empty() && !self.moment.heard.contains(&id) {
            let own = &self.picture.watchers[id.ix()];
            let heard = self.moment.heard.iter().map(|other| &self.picture.watchers[other.ix()]);
            let late = own.since < self.picture.transition;
            if late && heard.into_iter().any(|other| waits_for_the_same(facts, other, own)) {
                coverage.hit(Family::Heard.one(Heard::Withdrawn.ix()));
            }
        }
    }

    fn interrupted(&mut self, host: TrackId, state: LifeCycle, coverage: &mut Coverage) {
        let (kind, begins) = match state {
            LifeCycle::Terminating => (Kind::Terminating, Some(By::Interruption)),
            LifeCycle::Terminated => (Kind::Terminated, None),
            LifeCycle::Failing => (Kind::Failing, Some(By::Error)),
            LifeCycle::Failed => (Kind::Failed, None),
        };
        coverage.hit(Family::Record.one(kind.ix()));
        self.moment.cause = begins.map(|_| Cause::Interruption);
        self.moment.host = begins.map(|_| host.0);
        if let Some(by) = begins {
            self.moment.note(by);
        }
    }

    /// Something was ended from outside.
    fn victim(&mut self, state: State, coverage: &mut Coverage) {
        match self.moment.cause {
            Some(cause) => coverage.hit(Family::TornDown.two(cause.ix(), state.ix())),
            None => self.moment.victims |= 1 << state.ix(),
        }
    }

    fn track_ended(&mut self, facts: &Facts, track: TrackId, node: NodeId, end: Final, coverage: &mut Coverage) {
        let here = *self.picture.track(track);
        let kind = match end {
            Final::Ended => Kind::Ended,
            Final::Canceled => Kind::Canceled,
            Final::Failed => Kind::FailedTrack,
        };
        coverage.hit(Family::Record.one(kind.ix()));
        if end == Final::Canceled
            && let Some(state) = here.state
            && self.moment.host != Some(track.0)
        {
            self.victim(state, coverage);
        }
        self.picture.gone(track);
        if end != Final::Ended {
            return;
        }
        self.moment.note(By::End);
        let run = &self.picture.runs[here.run as usize];
        if run.parks() && !MOVES.iter().any(|&state| run.has(state)) && !facts.node(node).terminates {
            for &join in Join::ALL.iter().filter(|join| run.has(parked(**join))) {
                coverage.hit(Family::LastEnd.one(join.ix()));
            }
        }
        if here.beside != NONE && self.picture.tracks[here.beside as usize].state.is_some() {
            coverage.hit(Family::Branch.one(Branch::First.ix()));
        }
    }

    fn ended(&mut self, end: &End, coverage: &mut Coverage) {
        let (ending, cause) = match end {
            End::Completed => (Ending::Completed, None),
            End::Terminated => (Ending::Terminated, Some(Cause::Terminate)),
            End::Canceled => (Ending::Canceled, Some(Cause::Cancel)),
            End::Faulted(fault) => (faulted(fault.kind), Some(Cause::Fault)),
        };
        coverage.hit(Family::End.one(ending.ix()));
        self.ended = true;
        let victims = std::mem::take(&mut self.moment.victims);
        if let Some(cause) = cause {
            for &state in State::ALL.iter().filter(|state| victims >> state.ix() & 1 == 1) {
                coverage.hit(Family::TornDown.two(cause.ix(), state.ix()));
            }
        }
    }
}

/// What is not parked.
const MOVES: [State; 6] = [
    State::InTransit,
    State::Ready,
    State::Working,
    State::Catching,
    State::Hosting,
    State::Handler,
];

#[inline]
fn coverage_of_flow(facts: &Facts, flow: FlowId, coverage: &mut Coverage) {
    if let Some(passage) = facts.flows[flow.ix()] {
        coverage.hit(passage);
    }
}

const fn kind_of(trigger: TriggerKind) -> Trigger {
    match trigger {
        TriggerKind::Message => Trigger::Message,
        TriggerKind::Signal => Trigger::Signal,
        TriggerKind::Timer => Trigger::Timer,
        TriggerKind::Conditional => Trigger::Conditional,
        TriggerKind::Error => Trigger::Error,
        TriggerKind::Escalation => Trigger::Escalation,
    }
}

const fn role(mode: Armed) -> Role {
    match mode {
        Armed::Catching => Role::Catching,
        Armed::Interrupting => Role::Interrupting,
        Armed::NonInterrupting => Role::Beside,
    }
}

const fn thrown(cause: &Thrown) -> Kind {
    match cause {
        Thrown::Message(_) => Kind::ThrownMessage,
        Thrown::Signal(_) => Kind::ThrownSignal,
        Thrown::Error(_) => Kind::ThrownError,
        Thrown::Escalation(_) => Kind::ThrownEscalation,
    }
}

const fn faulted(kind: FaultKind) -> Ending {
    match kind {
        FaultKind::Error => Ending::Error,
        FaultKind::Technical => Ending::Technical,
        FaultKind::NoFlow => Ending::NoFlow,
        FaultKind::Expression => Ending::Expression,
        FaultKind::ActivationUnsatisfiable => Ending::Unsatisfiable,
        FaultKind::ArrivalsExhausted => Ending::Exhausted,
        FaultKind::TooManyTokens => Ending::TooMany,
    }
}
