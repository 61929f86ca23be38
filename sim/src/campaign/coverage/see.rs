//! One record after the other: what it changes in the picture, and which items it is. Joins and ends have files of their own.

use trackside_engine::instance::{Cause as Thrown, Conditions, Mode as Armed, Phase, Record, TriggerKind};
use trackside_engine::{FlowId, NodeId, TrackId};

use super::Coverage;
use super::facts::{Catcher, Facts};
use super::families::Family;
use super::follow::NONE;
use super::observer::{Observer, own};
use super::rules::Own;
use super::words::{By, Cause, Kind, Order, Role, State, Trigger, Wave};

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
}

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
