//! Plays a script: between its lines the instance runs on as far as it can without the outside.

use std::collections::BTreeSet;
use std::sync::Arc;

use trackside_engine::InstanceId;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Activation, Outcome, Record, TrackView};
use trackside_engine::time::Interval;
use trackside_engine::world::{Answer, Class, Delivery, Part};

use super::begin::Begin;
use super::drive::{Drive, MAIN};
use super::report::Undelivered;
use super::script::{Input, Line, Script, Work};
use crate::token::Plan;
use crate::trace::Deed;

/// The first instance of a world is the one that a run is about.
const FIRST: InstanceId = InstanceId(0);

/// An activation of external work.
#[derive(Clone, Copy)]
struct Begun {
    instance: InstanceId,
    work: Activation,
}

/// A script being played.
struct Play<'d, 'o, 'p> {
    drive: &'d mut Drive<'o>,
    plan: &'p Plan,
    begin: Begin,
    activations: Vec<Begun>,
    /// How many of the tallied transitions have been searched for activations.
    seen: u64,
}

impl Drive<'_> {
    /// Runs by a script. Gives the instance, if one has begun.
    pub(super) fn run_script(&mut self, begin: Begin, script: &Script, plan: &Plan) -> Option<InstanceId> {
        self.world.furnish(MAIN, begin.data.clone());
        let mut playing = Play {
            drive: self,
            plan,
            begin,
            activations: Vec::new(),
            seen: 0,
        };
        playing.start();
        playing.settle();
        for line in script.lines() {
            if playing.drive.is_full() {
                playing.unplayed(line);
            } else {
                playing.line(line);
                playing.settle();
            }
        }
        playing.begun().then_some(FIRST)
    }
}

impl Play<'_, '_, '_> {
    fn begun(&self) -> bool {
        self.drive.world.instances().next().is_some()
    }

    fn start(&mut self) {
        let plain = self.begin.plain();
        if !plain.is_empty() {
            let way = self.begin.pick(plain, self.plan);
            self.begin_at(way);
        } else if let Some(way) = self.begin.by_condition() {
            self.begin_at(way);
        }
    }

    fn begin_at(&mut self, way: usize) {
        self.drive.start(&self.begin, way);
        self.note();
    }

    /// Notes a transition that an input has made.
    fn input(&mut self, class: Class) {
        self.drive.log.transition(&self.drive.world, Deed::Action(class));
        self.note();
    }

    /// Remembers the external work that the last transition began.
    fn note(&mut self) {
        let world = &self.drive.world;
        if self.seen == world.transitions() {
            return;
        }
        self.seen = world.transitions();
        for (instance, record) in world.records() {
            if let Record::WorkStarted { track, node } = record {
                let (track, node, began) = (*track, *node, self.seen);
                let work = Activation { track, node, began };
                self.activations.push(Begun {
                    instance: *instance,
                    work,
                });
            }
        }
    }

    /// Runs on as far as it can without the outside; timers that are due by now are no matter of the outside either.
    fn settle(&mut self) {
        loop {
            self.run_inside();
            if self.drive.is_over(Part::Due) || !self.drive.choose_and_apply(Part::Due, self.plan) {
                return;
            }
            self.note();
        }
    }

    fn run_inside(&mut self) {
        while !self.drive.is_over(Part::Inside) {
            if !self.drive.choose_and_apply(Part::Inside, self.plan) {
                return;
            }
            self.note();
        }
    }

    fn line(&mut self, line: &Line) {
        match &line.input {
            Input::Complete { work, data } => self.answer(line, work, "complete", &Outcome::Ok, data),
            Input::Error { work, code } => {
                self.answer(line, work, "error", &Outcome::Error(code.clone()), &Data::default());
            }
            Input::Fail { work, text } => {
                self.answer(line, work, "fail", &Outcome::Failure(text.clone()), &Data::default());
            }
            Input::Message { name, data } => {
                let delivery = self.drive.world.message(name, data, 0);
                self.delivered(&delivery, "message", name, line);
            }
            Input::Signal { name, data } => {
                let delivery = self.drive.world.signal(name, data);
                self.delivered(&delivery, "signal", name, line);
            }
            Input::Advance(interval) => self.advance(line, *interval),
            Input::Set(data) => self.set(line, data),
            Input::Cancel => self.cancel(line),
        }
    }

    /// The bound leaves no room for a line; it is not lost without a word.
    fn unplayed(&mut self, line: &Line) {
        let (cause, name) = match &line.input {
            Input::Complete { work, .. } => ("complete", Some(&work.element)),
            Input::Error { work, .. } => ("error", Some(&work.element)),
            Input::Fail { work, .. } => ("fail", Some(&work.element)),
            Input::Message { name, .. } => ("message", Some(name)),
            Input::Signal { name, .. } => ("signal", Some(name)),
            Input::Advance(_) => ("advance", None),
            Input::Set(_) => ("set", None),
            Input::Cancel => ("cancel", None),
        };
        self.drive.undelivered.push(Undelivered {
            cause,
            name: name.cloned(),
            line: Some(line.line),
        });
    }

    /// External work answers: the running activation that is meant, or one that is not running any more.
    fn answer(&mut self, line: &Line, work: &Work, command: &'static str, outcome: &Outcome, data: &Data) {
        let Some(Begun { instance, work }) = self.activation(work) else {
            let class = Class::Completion;
            return self.drive.miss(class, command, Some(&work.element), line.line);
        };
        let answer = self.drive.world.complete(instance, work, outcome, data, 0);
        self.input(match answer {
            Answer::Taken => Class::Completion,
            Answer::Discarded => Class::Late,
        });
    }

    /// The N-th activation; else the oldest that is running; else the last one there was.
    fn activation(&self, work: &Work) -> Option<Begun> {
        let world = &self.drive.world;
        let of_node = |b: &&Begun| world.instance(b.instance).template().node(b.work.node).id == work.element;
        let mut all = self.activations.iter().filter(of_node);
        if let Some(nth) = work.nth {
            return all.nth(nth as usize - 1).copied();
        }
        let tracks = world.instances().flat_map(|(id, instance)| {
            let activations = instance
                .tracks()
                .into_iter()
                .filter_map(|track| TrackView::activation(&track));
            activations.map(move |activation| (id, activation))
        });
        let running: BTreeSet<_> = tracks.collect();
        let is_running = |b: &&Begun| running.contains(&(b.instance, b.work));
        all.clone().find(is_running).or(all.next_back()).copied()
    }

    fn delivered(&mut self, delivery: &Delivery, cause: &'static str, name: &str, line: &Line) {
        if *delivery == Delivery::Undelivered {
            self.drive.log.unheard(&self.drive.world, Deed::Action(Class::Firing));
            self.drive.undelivered.push(Undelivered {
                cause,
                name: Some(name.to_owned()),
                line: Some(line.line),
            });
        } else {
            self.input(Class::Firing);
        }
    }

    /// Virtual time passes. It stops at every due time, so that the timers there fire and the instance settles.
    fn advance(&mut self, line: &Line, interval: Interval) {
        // There is no time after the year 9999.
        let Some(target) = interval.after(self.drive.world.now()) else {
            return self.drive.miss(Class::Clock, "advance", None, line.line);
        };
        while !self.drive.is_full() {
            let start = self.due_start();
            let stop = start.map_or(target, |(due, _)| due.min(target));
            let now = self.drive.world.pass_time(stop);
            self.input(Class::Clock);
            if let Some((due, way)) = start
                && due <= now
            {
                self.begin_at(way);
            }
            self.settle();
            if now >= target {
                return;
            }
        }
    }

    /// The next timer that begins the instance, as long as none has begun.
    fn due_start(&self) -> Option<(i64, usize)> {
        if self.begun() {
            return None;
        }
        self.begin.timers().first().copied()
    }

    /// Process data change; before the instance has begun, those that it will begin with.
    fn set(&mut self, line: &Line, data: &Data) {
        if !self.begun() {
            Arc::make_mut(&mut self.begin.data).extend(data.iter().map(|(name, value)| (name.clone(), value.clone())));
            self.drive.world.furnish(MAIN, self.begin.data.clone());
            if let Some(way) = self.begin.by_condition() {
                self.begin_at(way);
            }
        } else if self.drive.world.instance(FIRST).end().is_some() {
            self.drive.miss(Class::Data, "set", None, line.line);
        } else {
            self.drive.world.set(FIRST, data);
            self.input(Class::Data);
        }
    }

    fn cancel(&mut self, line: &Line) {
        if self.begun() && self.drive.world.instance(FIRST).end().is_none() {
            self.drive.world.cancel(FIRST);
            self.input(Class::Control);
        } else {
            self.drive.miss(Class::Control, "cancel", None, line.line);
        }
    }
}
