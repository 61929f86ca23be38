//! What records say of ends: of work and its subscriptions, of interrupted hosts, of tracks and of the instance, and what
//! each of them tore down.

use trackside_engine::instance::{End, FaultKind, Final, LifeCycle, Outcome, Withdrawal};
use trackside_engine::{NodeId, TrackId, WatcherId};

use super::Coverage;
use super::facts::{Catcher, Facts};
use super::families::Family;
use super::follow::{NONE, Watcher, parked, waits_for_the_same};
use super::observer::Observer;
use super::words::{Branch, By, Cause, Ending, Heard, Join, Kind, Late, Order, State};

impl Observer {
    pub(super) fn work_ended(&mut self, facts: &Facts, track: TrackId, outcome: &Outcome, coverage: &mut Coverage) {
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
    pub(super) fn completes(&mut self, facts: &Facts, host: TrackId, order: Order, coverage: &mut Coverage) {
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

    pub(super) fn discarded(&self, node: NodeId, coverage: &mut Coverage) {
        let late = if self.ended { Late::AfterEnd } else { Late::BeforeEnd };
        coverage.hit(Family::Late.one(late.ix()));
        let again = |track: &super::follow::Track| track.node == node && track.state == Some(State::Working);
        if self.picture.alive().any(again) {
            coverage.hit(Family::Late.one(Late::Again.ix()));
        }
    }

    pub(super) fn disarmed(&mut self, facts: &Facts, id: WatcherId, why: Withdrawal, coverage: &mut Coverage) {
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

    pub(super) fn interrupted(&mut self, host: TrackId, state: LifeCycle, coverage: &mut Coverage) {
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
    pub(super) fn victim(&mut self, state: State, coverage: &mut Coverage) {
        match self.moment.cause {
            Some(cause) => coverage.hit(Family::TornDown.two(cause.ix(), state.ix())),
            None => self.moment.victims |= 1 << state.ix(),
        }
    }

    pub(super) fn track_ended(
        &mut self,
        facts: &Facts,
        track: TrackId,
        node: NodeId,
        end: Final,
        coverage: &mut Coverage,
    ) {
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

    pub(super) fn ended(&mut self, end: &End, coverage: &mut Coverage) {
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
