//! Completion against firing (BND-2): every host kind, pairs of boundary events of every trigger and mode, and every
//! order of what may happen to them: completion, each firing, the clock, a terminate elsewhere, an interruption around.
//!
//! The outcomes are those of [`crate::race_model`]: what is applied first wins, and the loser finds nothing to act on.

use std::collections::BTreeMap;
use std::sync::Arc;

use trackside_engine::expr::Data;
use trackside_engine::instance::{Activation, Final, Grain, Outcome, Record, Withdrawal};
use trackside_engine::world::{Answer, Class, Part};

use crate::race_model::{Boundary, EVENTS, Event, Host, Model, R, Race, Tally, Trigger, View};
use crate::run::{Run, Status};
use crate::scenario::{begin, parse};
use crate::script;

const TASKS: [Trigger; 5] = [
    Trigger::Timer,
    Trigger::Message,
    Trigger::Signal,
    Trigger::Conditional,
    Trigger::Error,
];

/// All triggers and modes that a host of this kind can have: errors interrupt, and an escalation comes from inside.
fn boundaries(host: Host) -> Vec<Boundary> {
    let inside = (host == Host::SubProcess).then_some(Trigger::Escalation);
    let triggers = TASKS.into_iter().chain(inside);
    let both = triggers.flat_map(|trigger| [true, false].map(|interrupting| Boundary { trigger, interrupting }));
    both.filter(|boundary| boundary.interrupting || boundary.trigger != Trigger::Error)
        .collect()
}

/// All pairs of them, each waiting for something of its own; and those that may wait for the same (BND-7).
fn races(host: Host) -> Vec<Race> {
    let all = boundaries(host);
    let mut races = Vec::new();
    for (at, &first) in all.iter().enumerate() {
        for &second in &all[at..] {
            let boundaries = [first, second];
            let event = matches!(first.trigger, Trigger::Message | Trigger::Signal);
            let same = event && first.trigger == second.trigger && !(first.interrupting && second.interrupting);
            races.extend(
                [false, true]
                    .into_iter()
                    .filter(|shared| same || !shared)
                    .map(|shared| Race {
                        host,
                        boundaries,
                        shared,
                    }),
            );
        }
    }
    races
}

/// A race on its way.
#[derive(Clone)]
struct Heat {
    run: Run,
    model: Model,
    tally: Tally,
}

impl Heat {
    fn new(race: Race, grain: Grain) -> Self {
        let (setup, _) = script::parse("@late c1=false c2=false |");
        let mut heat = Self {
            run: begin(&parse(&race.text()), &setup, grain),
            model: Model::new(race),
            tally: Tally::default(),
        };
        heat.count();
        assert_eq!(heat.view(), heat.model.view(), "the race is on: {}", race.text());
        heat
    }

    /// Lets `event` happen, settles, and says whether all is as the model has it.
    fn happens(&mut self, race: Race, event: Event) -> Result<(), String> {
        self.model.happens(event);
        match event {
            Event::Completion if race.host == Host::Receive => self.message("hm"),
            Event::Completion => self.answer(race.work(), &Outcome::Ok),
            Event::Trigger(i) => self.trigger(race, i),
            Event::Clock => self.act(|class, _| class == Class::Clock),
            Event::Terminate => self.answer("Z", &Outcome::Ok),
            Event::Parent => self.message("out"),
        }
        self.run.settle();
        self.count();
        let (view, expected) = (self.view(), self.model.view());
        if view == expected && self.tally == self.model.tally {
            return Ok(());
        }
        Err(format!(
            "expected {expected:?} {:?}\nfound    {view:?} {:?}",
            self.model.tally, self.tally
        ))
    }

    fn message(&mut self, name: &str) {
        self.run.message(name, &Data::default(), 1);
    }

    /// The work at `node` ends; if it is not running any more, its answer comes all the same.
    fn answer(&mut self, node: &str, outcome: &Outcome) {
        let node = self.run.node(node);
        let running = self.run.activations(node).into_iter().next();
        let gone = || Activation {
            track: *self.run.workers(node).last().expect("it once worked"),
            node,
            began: 0,
        };
        let work = running.unwrap_or_else(gone);
        let id = self.run.id.expect("the instance is born");
        let answer = self.run.world.complete(id, work, outcome, &Data::default(), 0);
        let heard = if running.is_some() {
            Answer::Taken
        } else {
            Answer::Discarded
        };
        assert_eq!(answer, heard);
        self.run.observe();
    }

    /// Applies the enabled action of that class and node, if there is one.
    fn act(&mut self, wanted: impl Fn(Class, &str) -> bool) {
        let of = |action| self.run.world.label(action).node.map_or("", |node| self.run.name(node));
        let mut enabled = self.run.world.enabled(Part::All).into_iter();
        let action = enabled.find(|&action| wanted(action.class(), of(action)));
        if let Some(action) = action {
            self.run.apply(action);
        }
    }

    fn trigger(&mut self, race: Race, i: usize) {
        let (n, event) = (race.number(i), ["T1", "T2"][i]);
        let fires = |class, node: &str| class == Class::Firing && node == event;
        match (race.boundaries[i].trigger, race.host) {
            (Trigger::Timer, _) => {
                if self.run.armed().contains(&event) {
                    self.act(|class, _| class == Class::Clock);
                }
                self.act(fires);
            }
            // A message reaches one of those that wait for it: this one.
            (Trigger::Message, _) if race.shared && self.run.armed().contains(&event) => self.act(fires),
            (Trigger::Message, _) => self.message(&format!("m{n}")),
            (Trigger::Signal, _) => {
                self.run.world.signal(&format!("g{n}"), &Data::default());
                self.run.observe();
            }
            (Trigger::Conditional, _) => {
                let id = self.run.id.expect("the instance is born");
                let data = BTreeMap::from([(format!("c{n}"), true.into())]);
                self.run.world.set(id, &Arc::new(data));
                self.run.observe();
            }
            (Trigger::Error | Trigger::Escalation, Host::SubProcess) => self.answer(R[i], &Outcome::Ok),
            (Trigger::Error | Trigger::Escalation, _) => self.answer("H", &Outcome::Error(format!("k{n}"))),
        }
    }

    fn view(&self) -> View<'_> {
        let enabled = self.run.world.enabled(Part::All).into_iter();
        let label = |action| {
            let label = self.run.world.label(action);
            (label.class, label.node.map_or("", |node| self.run.name(node)))
        };
        let mut view = View {
            tokens: self
                .run
                .tracks()
                .into_iter()
                .map(|track| self.run.name(track.node))
                .collect(),
            armed: self.run.armed(),
            enabled: enabled.map(label).collect(),
        };
        view.sort();
        view
    }

    /// Takes what has been recorded into the tally.
    fn count(&mut self) {
        for record in std::mem::take(&mut self.run.log) {
            let node = crate::kinds::node(&record).map_or("", |node| self.run.name(node));
            let boundary = ["T1", "T2"].iter().position(|event| *event == node);
            let tally = &mut self.tally;
            let count = match (&record, boundary, node) {
                (Record::Fired { .. }, Some(i), _) => &mut tally.fired[i],
                (Record::Refired { .. }, Some(i), _) => &mut tally.refired[i],
                (Record::Disarmed { why, .. }, Some(i), _) => match why {
                    Withdrawal::Taken => &mut tally.taken[i],
                    Withdrawal::Lost | Withdrawal::HostEnded => &mut tally.torn[i],
                },
                (Record::Stepped { .. }, _, "H") => &mut tally.executed,
                (Record::Interrupted { .. }, _, "H") => &mut tally.interrupted,
                (Record::Interrupted { .. }, _, "PS") => &mut tally.parent_interrupted,
                (Record::TrackEnded { state, .. }, _, "H") => match state {
                    Final::Failed => &mut tally.failed,
                    Final::Canceled | Final::Ended => &mut tally.canceled,
                },
                (Record::WorkAskedToStop { .. }, ..) => &mut tally.stopped,
                (Record::Discarded { .. }, ..) => &mut tally.discarded,
                (Record::Undelivered { .. }, ..) => &mut tally.undelivered,
                _ => continue,
            };
            *count += 1;
        }
    }

    /// All has happened, the scope around is gone, and the instance goes on to its end as ever.
    fn ends(&mut self) {
        let waits = self.view().tokens.join(" ");
        self.answer(&waits, &Outcome::Ok);
        self.run.settle();
        assert_eq!(self.run.status(), Status::Ended("completed"));
        assert_eq!(self.view(), View::default(), "nothing is left");
    }
}

/// Runs every order of what is `left` to happen, and gives how many there were.
fn every_order(race: Race, heat: Heat, left: &[Event], past: &mut Vec<Event>) -> usize {
    if left.is_empty() {
        let mut heat = heat;
        heat.ends();
        return 1;
    }
    let mut orders = 0;
    for &event in left {
        let mut next = heat.clone();
        past.push(event);
        if let Err(difference) = next.happens(race, event) {
            panic!("{race:?} {}\nafter {past:?}\n{difference}", race.text());
        }
        let rest: Vec<Event> = left.iter().copied().filter(|other| *other != event).collect();
        orders += every_order(race, next, &rest, past);
        past.pop();
    }
    orders
}

/// How many orders of how many races hold what the model says, in both grains.
fn hold(hosts: &[Host]) -> (usize, usize) {
    let (mut all, mut orders) = (0, 0);
    for race in hosts.iter().flat_map(|&host| races(host)) {
        all += 1;
        for grain in [Grain::Protocol, Grain::Atomic] {
            orders += every_order(race, Heat::new(race, grain), &EVENTS, &mut Vec::new());
        }
    }
    (all, orders)
}

const PERMUTATIONS: usize = 6 * 5 * 4 * 3 * 2;

#[test]
fn bnd_2_bnd_6_whatever_is_applied_first_wins_over_waiting_work() {
    let found = hold(&[Host::User, Host::Manual, Host::Abstract, Host::Receive]);
    assert_eq!(found, (4 * 49, 4 * 49 * PERMUTATIONS * 2), "the whole matrix");
}

#[test]
fn bnd_2_bnd_4_bnd_6_whatever_is_applied_first_wins_over_running_work() {
    let found = hold(&[Host::Service, Host::Script, Host::Send, Host::BusinessRule]);
    assert_eq!(found, (4 * 49, 4 * 49 * PERMUTATIONS * 2), "the whole matrix");
}

#[test]
fn bnd_2_bnd_3_bnd_6_whatever_is_applied_first_wins_over_a_sub_process() {
    let found = hold(&[Host::SubProcess]);
    assert_eq!(found, (70, 70 * PERMUTATIONS * 2), "the whole matrix");
}
