//! The loop of the driver: the only place where its world changes (INS-3).

use std::sync::atomic::Ordering;
use std::time::Duration;

use trackside_engine::InstanceId;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Activation, End, Outcome, Record, TrackView};
use trackside_engine::world::{Part, World};

use super::driver::{Driver, Stop, TRANSITIONS_BETWEEN_MAX};
use super::inputs::Letter;
use super::work::{AtWork, Place};
use super::{Call, CancelToken, Reply};

/// A driver at work.
pub(super) struct Loop<'d, 'm> {
    driver: &'d mut Driver<'m>,
    world: World,
    at_work: AtWork,
}

impl<'d, 'm> Loop<'d, 'm> {
    pub(super) fn new(driver: &'d mut Driver<'m>, world: World) -> Self {
        let mut this = Self {
            driver,
            world,
            at_work: AtWork::default(),
        };
        this.notice();
        this
    }

    /// Runs until the instance has ended, or nothing can happen any more; then waits for those who are still at work.
    pub(super) fn run(mut self) -> (World, Stop) {
        let stop = self.run_on();
        self.at_work.stop_all();
        // Who has been told to stop still answers, late; that is waited for and recorded.
        while !self.at_work.is_empty() {
            match self.driver.letters.1.recv() {
                Ok(Letter::Answer(place, reply)) if stop == Stop::Ended => self.answered(place, reply),
                Ok(Letter::Answer(place, _)) => self.at_work.answered(place),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        (self.world, stop)
    }

    fn run_on(&mut self) -> Stop {
        loop {
            if !self.settle() {
                return Stop::Runaway;
            }
            if self.ended() {
                return Stop::Ended;
            }
            if self.at_work.is_empty() && self.driver.speakers.load(Ordering::SeqCst) == 0 {
                return Stop::Idle;
            }
            // The driver holds a sender, so that there is always somebody who could send.
            match self.driver.letters.1.recv() {
                Ok(letter) => self.read(letter),
                Err(_) => return Stop::Idle,
            }
        }
    }

    /// Whether there have been instances and all have ended.
    fn ended(&self) -> bool {
        let mut instances = self.world.instances().peekable();
        instances.peek().is_some() && instances.all(|(_, instance)| instance.end().is_some())
    }

    /// Lets the instance run on without the outside; false if that has no end.
    fn settle(&mut self) -> bool {
        for _ in 0..TRANSITIONS_BETWEEN_MAX {
            let next = self.world.oldest(Part::Inside).or_else(|| self.world.oldest(Part::Due));
            let Some(action) = next else { return true };
            let applied = self.world.apply(action).is_ok();
            assert!(applied, "an enabled action can be applied");
            self.notice();
        }
        false
    }

    fn read(&mut self, letter: Letter) {
        match letter {
            Letter::Answer(place, reply) => self.answered(place, reply),
            Letter::AnswerOf(element, reply) => {
                if let Some(place) = self.waiting_at(&element) {
                    self.answer(place, reply);
                }
            }
            Letter::Message(name, data) => {
                self.world.message(&name, &data, 0);
                self.notice();
            }
            Letter::Signal(name, data) => {
                self.world.signal(&name, &data);
                self.notice();
            }
            Letter::Set(data) => self.on_every_live(|world, id| world.set(id, &data)),
            Letter::Cancel => self.on_every_live(World::cancel),
            Letter::Pass(time) => self.pass(time),
            Letter::Gone => {}
        }
    }

    fn answered(&mut self, place: Place, reply: Reply) {
        self.at_work.answered(place);
        self.answer(place, reply);
    }

    fn answer(&mut self, (instance, work): Place, reply: Reply) {
        let (outcome, data) = match reply {
            Reply::Done(data) => (Outcome::Ok, data),
            Reply::Error(code) => (Outcome::Error(code), Data::default()),
            Reply::Failed(text) => (Outcome::Failure(text), Data::default()),
        };
        self.world.complete(instance, work, &outcome, &data, 0);
        self.notice();
    }

    /// The oldest track that waits for the external work of an element.
    fn waiting_at(&self, element: &str) -> Option<Place> {
        self.world.instances().find_map(|(id, instance)| {
            let node = instance.template().find(element)?;
            let tracks = instance.tracks();
            let mut at_work = tracks.iter().filter_map(TrackView::activation);
            Some((id, at_work.find(|work| work.node == node)?))
        })
    }

    fn on_every_live(&mut self, deed: impl Fn(&mut World, InstanceId)) {
        let live = self.world.instances().filter(|(_, instance)| instance.end().is_none());
        for id in live.map(|(id, _)| id).collect::<Vec<_>>() {
            deed(&mut self.world, id);
            self.notice();
        }
    }

    /// Time passes; it stops at every due time, so that the timers there fire and the instance settles (EVT-3).
    fn pass(&mut self, time: Duration) {
        let ms = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let target = self.world.now().saturating_add(ms);
        loop {
            let now = self.world.pass_time(target);
            self.notice();
            if !self.settle() || now >= target || self.ended() {
                return;
            }
        }
    }

    /// Looks through what the last transition did: work begins, work is to stop, an instance has faulted.
    fn notice(&mut self) {
        let records = self.world.records().to_vec();
        for (instance, record) in &records {
            (self.driver.on_record)(*instance, record);
            match record {
                Record::WorkStarted { track, node } => {
                    let (track, node, began) = (*track, *node, self.world.transitions());
                    self.begin((*instance, Activation { track, node, began }));
                }
                // Where a track leaves or ends, its work has no purpose any more.
                Record::Stepped { track, node } | Record::TrackEnded { track, node, .. } => {
                    self.at_work.stop(*instance, *track, *node);
                }
                Record::InstanceEnded {
                    end: End::Faulted(fault),
                } => {
                    let template = self.world.instance(*instance).template();
                    if let Some(incident) = crate::run::incident(template, *instance, fault) {
                        (self.driver.on_incident)(&incident);
                    }
                }
                _ => {}
            }
        }
    }

    /// Calls the handler of work that has begun; without one, the work waits for an input.
    fn begin(&mut self, (instance, work): Place) {
        let Activation { track, node, .. } = work;
        let of = self.world.instance(instance);
        let info = of.template().node(node);
        let Some(handler) = self.driver.handler(of.template(), node) else {
            return;
        };
        let call = Call {
            element: info.id.clone(),
            name: info.name.clone(),
            instance,
            track,
            data: Data::clone(of.data()),
            cancel: CancelToken::default(),
        };
        let letters = self.driver.letters.0.clone();
        self.at_work.call(handler, (instance, work), call, letters);
    }
}
