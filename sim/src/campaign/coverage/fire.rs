//! Subscriptions that fire: what else could have happened, and what their host or scope was doing.

use trackside_engine::{TrackId, WatcherId};

use super::Coverage;
use super::facts::{Catcher, Facts};
use super::families::{Family, watch};
use super::follow::{NONE, Run, Watcher, waits_for_the_same};
use super::observer::Observer;
use super::words::{
    Addressed, Arm, By, Cause, Heard, HostPhase, Lead, Order, Passage, ScopePhase, State, Ties, Trigger,
};

/// Receivers of one signal that are compared with one another: where a model multiplies them, more show nothing new.
const HEARD_MAX: usize = 8;

impl Observer {
    pub(super) fn fired(&mut self, facts: &Facts, id: WatcherId, coverage: &mut Coverage) {
        let watcher = self.picture.watchers[id.ix()];
        self.picture.watchers[id.ix()].fired += 1;
        let about = facts.node(watcher.node);
        let (Some(catcher), Some(trigger)) = (about.catcher, about.trigger) else {
            return;
        };
        match catcher {
            Catcher::Catch(Some(arm)) => self.took_arm(facts, &watcher, arm, coverage),
            Catcher::Catch(None) => {}
            Catcher::Boundary => self.fired_boundary(facts, &watcher, trigger, coverage),
            Catcher::Handler => self.fired_handler(facts, &watcher, trigger, coverage),
        }
        if matches!(catcher, Catcher::Catch(_)) && watcher.owner != NONE {
            // It goes on, in this transition or, where its way out is a choice, in one of its own.
            self.picture.set(TrackId(watcher.owner), Some(State::Ready));
        }
        match trigger {
            Trigger::Signal => self.heard(facts, id, catcher, coverage),
            Trigger::Message => self.addressed(facts, &watcher, coverage),
            Trigger::Timer if self.picture.options().timed => {
                let together = |other: &Watcher| {
                    let timer = facts.node(other.node).trigger == Some(Trigger::Timer);
                    timer && other.due.is_some() && other.due == watcher.due
                };
                if self.picture.armed().filter(|other| together(other)).count() > 1 {
                    coverage.hit(Family::Ties.one(Ties::Tie.ix()));
                }
            }
            _ => {}
        }
    }

    /// An arm wins; which others could have (EVG-1).
    fn took_arm(&mut self, facts: &Facts, taken: &Watcher, arm: Arm, coverage: &mut Coverage) {
        self.moment.took_arm = true;
        coverage.hit(Family::Passed.one(Passage::GateMessage.ix() + arm.ix()));
        if taken.owner == NONE {
            return;
        }
        for other in self
            .picture
            .armed()
            .filter(|other| other.owner == taken.owner && other.node != taken.node)
        {
            if let Some(Catcher::Catch(Some(lost))) = facts.node(other.node).catcher
                && self.could_fire(facts, other)
            {
                coverage.hit(Family::Arms.two(arm.ix(), lost.ix()));
            }
        }
    }

    fn fired_boundary(&mut self, facts: &Facts, watcher: &Watcher, trigger: Trigger, coverage: &mut Coverage) {
        let about = facts.node(watcher.node);
        let host = self.picture.tracks[watcher.owner as usize];
        let child = self.picture.runs.get(host.child as usize).copied();
        let works = host.state == Some(State::Working);
        let inside = |is: fn(&Run) -> bool| child.as_ref().is_some_and(is);
        let phases = [
            (HostPhase::Working, works && watcher.fired == 0),
            (HostPhase::Moving, inside(|run| run.has(State::InTransit))),
            (HostPhase::Parked, inside(Run::parks)),
            (HostPhase::Nested, inside(|run| run.has(State::Hosting))),
            (HostPhase::Again, watcher.fired > 0),
        ];
        for (phase, _) in phases.into_iter().filter(|(_, is)| *is) {
            for lead in Lead::ALL.iter().filter(|lead| leads(about.leads, **lead)) {
                coverage.hit(Family::Boundary.item(watch(trigger, about.mode()), phase.ix(), lead.ix()));
            }
        }
        if works && trigger.is_from_outside() {
            coverage.hit(Family::Completion.item(Order::Fires.ix(), trigger.ix(), about.mode().ix()));
        }
        if about.interrupting && trigger.is_from_outside() {
            for other in self
                .picture
                .armed()
                .filter(|other| other.owner == watcher.owner && other.node != watcher.node)
            {
                let lost = facts.node(other.node);
                if let (Some(Catcher::Boundary), Some(kind)) = (lost.catcher, lost.trigger)
                    && self.could_fire(facts, other)
                {
                    coverage.hit(Family::Watchers.two(trigger.ix(), kind.ix()));
                }
            }
        }
        let behind = child.is_some_and(|run| facts.handled[run.scope as usize].contains(&about.name));
        if trigger == Trigger::Message && behind {
            coverage.hit(Family::Addressed.one(Addressed::Boundary.ix()));
        }
    }

    fn fired_handler(&mut self, facts: &Facts, watcher: &Watcher, trigger: Trigger, coverage: &mut Coverage) {
        let about = facts.node(watcher.node);
        let run = self.picture.runs[watcher.run as usize];
        let phases = [
            (ScopePhase::Moving, run.has(State::InTransit)),
            (ScopePhase::Parked, run.parks()),
            (ScopePhase::Working, run.has(State::Working)),
            (ScopePhase::Nested, run.has(State::Hosting)),
            (ScopePhase::Handler, run.has(State::Handler)),
        ];
        for (phase, _) in phases.into_iter().filter(|(_, is)| *is) {
            coverage.hit(Family::Handler.two(watch(trigger, about.mode()), phase.ix()));
        }
        self.picture.handler_in = watcher.run;
        if about.interrupting {
            self.moment.cause = Some(Cause::Takeover);
            self.moment.note(By::Interruption);
        }
        let mut outer = self
            .picture
            .armed()
            .filter(|other| other.owner != NONE && other.owner == run.host);
        if trigger == Trigger::Message && outer.any(|other| waits_for_the_same(facts, other, watcher)) {
            coverage.hit(Family::Addressed.one(Addressed::HandlerFirst.ix()));
        }
    }

    /// EVT-2: a signal goes to all.
    fn heard(&mut self, facts: &Facts, id: WatcherId, catcher: Catcher, coverage: &mut Coverage) {
        let own = self.picture.watchers[id.ix()];
        for &other in &self.moment.heard {
            let other = &self.picture.watchers[other.ix()];
            let Some(with) = facts.node(other.node).catcher else {
                continue;
            };
            if waits_for_the_same(facts, other, &own) {
                coverage.hit(Family::Heard.one(both_heard(catcher, with).ix()));
            }
        }
        if self.moment.heard.len() < HEARD_MAX {
            self.moment.heard.push(id);
        }
    }

    fn addressed(&self, facts: &Facts, taken: &Watcher, coverage: &mut Coverage) {
        let same = self
            .picture
            .armed()
            .filter(|other| waits_for_the_same(facts, other, taken));
        if same.filter(|other| self.could_fire(facts, other)).count() > 1 {
            coverage.hit(Family::Addressed.one(Addressed::OneOfSeveral.ix()));
        }
    }
}

const fn leads(mask: u8, lead: Lead) -> bool {
    match lead {
        Lead::None => mask == 0,
        lead => mask >> lead.ix() & 1 == 1,
    }
}

const fn both_heard(one: Catcher, other: Catcher) -> Heard {
    match (one, other) {
        (Catcher::Catch(_), Catcher::Catch(_)) => Heard::CatchCatch,
        (Catcher::Boundary, Catcher::Boundary) => Heard::BoundaryBoundary,
        (Catcher::Handler, Catcher::Handler) => Heard::HandlerHandler,
        (Catcher::Catch(_), Catcher::Boundary) | (Catcher::Boundary, Catcher::Catch(_)) => Heard::CatchBoundary,
        (Catcher::Catch(_), Catcher::Handler) | (Catcher::Handler, Catcher::Catch(_)) => Heard::CatchHandler,
        (Catcher::Boundary, Catcher::Handler) | (Catcher::Handler, Catcher::Boundary) => Heard::BoundaryHandler,
    }
}
