//! From a seed to a plan.

mod block;
mod graph;
mod scope;

use super::draw::Draw;
use super::kinds::{Kind, Swarm};
use super::plan::{Body, Boundary, Cause, Ending, Event, Handler, Plan, Scope, Trigger, Watch, Work};
use super::{Family, Parameters};

/// How deep scopes, forks and loops nest.
const DEPTH_MAX: u32 = 8;
/// Start events beside the first one.
const STARTS_MAX: u32 = 3;

/// Draws the plan of one seed.
pub(super) fn plan(seed: u64, parameters: &Parameters) -> Plan {
    let mut draw = Draw::new(seed);
    let mut swarm = if parameters.swarm {
        Swarm::draw(&mut draw, parameters.kinds)
    } else {
        Swarm::even(parameters.kinds)
    };
    match parameters.family {
        Family::Block | Family::Acyclic => swarm.off(Kind::Loop),
        Family::Cyclic => swarm.on(Kind::Loop, parameters.kinds),
    }
    let mut grow = Grow {
        draw,
        swarm,
        family: parameters.family,
        spent: 0,
    };
    let order = if grow.likes(Kind::Permuted) {
        grow.draw.word()
    } else {
        0
    };
    let starts = grow.starts();
    let root = grow.scope(parameters.nodes.saturating_sub(grow.spent), 0);
    Plan { starts, root, order }
}

struct Grow {
    draw: Draw,
    swarm: Swarm,
    family: Family,
    /// How many nodes there are so far, about.
    spent: u32,
}

/// The kinds that a trigger can be of, with what each is called in a plan.
const CAUSES: [(Kind, Cause); 6] = [
    (Kind::Message, Cause::Message),
    (Kind::Timer, Cause::Timer),
    (Kind::Signal, Cause::Signal),
    (Kind::Conditional, Cause::Conditional),
    (Kind::Error, Cause::Error),
    (Kind::Escalation, Cause::Escalation),
];
const EVENTS: [Kind; 4] = [Kind::Message, Kind::Timer, Kind::Signal, Kind::Conditional];
const WATCHED: [Kind; 6] = [
    Kind::Message,
    Kind::Timer,
    Kind::Signal,
    Kind::Conditional,
    Kind::Error,
    Kind::Escalation,
];
const THROWN: [Kind; 3] = [Kind::Message, Kind::Signal, Kind::Escalation];
const RAISED: [Kind; 4] = [Kind::Message, Kind::Signal, Kind::Escalation, Kind::Error];

fn cause(kind: Kind) -> Cause {
    let found = CAUSES.iter().find(|(of, _)| *of == kind);
    found.map_or(Cause::None, |&(_, cause)| cause)
}

impl Grow {
    fn likes(&mut self, kind: Kind) -> bool {
        self.swarm.likes(&mut self.draw, kind)
    }

    /// A trigger of one of these kinds, if any is on.
    fn trigger(&mut self, kinds: &[Kind]) -> Option<Trigger> {
        let kind = self.swarm.pick(&mut self.draw, kinds, 0)?;
        Some(Trigger {
            kind: cause(kind),
            index: self.draw.index(),
        })
    }

    fn starts(&mut self) -> Vec<Trigger> {
        let mut starts = vec![Trigger::NONE];
        if self.likes(Kind::Starts) {
            for _ in 0..=self.draw.below(STARTS_MAX) {
                starts.extend(self.trigger(&EVENTS));
            }
            // An instance begins by itself where it can.
            if starts.len() > 1 && self.draw.once_in(2) {
                starts.swap_remove(0);
            }
        }
        self.spent += starts.len() as u32 + u32::from(starts.len() > 1);
        starts
    }

    /// A task of any kind that is on.
    fn work(&mut self) -> Work {
        self.spent += 1;
        let messages = self.swarm.has(Kind::Message);
        let index = self.draw.index();
        match self.draw.below(if messages { 11 } else { 7 }) {
            0 => Work::Abstract,
            1 => Work::Manual,
            2 => Work::Script,
            3 | 4 => Work::User,
            5 => Work::Service,
            6 => Work::BusinessRule,
            7 | 8 => Work::Send(index),
            _ => Work::Receive(index),
        }
    }

    /// An intermediate event.
    fn event(&mut self, kind: Kind) -> Option<Event> {
        let event = match kind {
            Kind::Catch => Event::Catch(self.trigger(&EVENTS)?),
            Kind::Throw => {
                let plain = self.draw.once_in(4);
                let trigger = if plain { None } else { self.trigger(&THROWN) };
                Event::Throw(trigger.unwrap_or(Trigger::NONE))
            }
            _ => Event::Link,
        };
        self.spent += if event == Event::Link { 2 } else { 1 };
        Some(event)
    }

    /// What stands at the end of a body or a way.
    fn ending(&mut self) -> Ending {
        if self.likes(Kind::ImplicitEnd) && self.draw.once_in(2) {
            return Ending::Open;
        }
        self.spent += 1;
        let thrown = self.draw.once_in(3);
        match thrown.then(|| self.trigger(&THROWN)).flatten() {
            Some(trigger) => Ending::Event(trigger),
            None => Ending::PLAIN,
        }
    }

    /// An end that makes a difference.
    fn raising(&mut self) -> Ending {
        if self.likes(Kind::Terminate) && self.draw.once_in(2) {
            return Ending::Terminate;
        }
        self.trigger(&RAISED).map_or(Ending::PLAIN, Ending::Event)
    }

    /// What a boundary event or an event sub-process waits for.
    fn watch(&mut self, kinds: &[Kind]) -> Option<Watch> {
        let modes = [Kind::Interrupting, Kind::NonInterrupting];
        let mode = self.swarm.pick(&mut self.draw, &modes, 0)?;
        let trigger = self.trigger(kinds)?;
        // What catches an error always interrupts.
        if trigger.kind == Cause::Error && !self.swarm.has(Kind::Interrupting) {
            return None;
        }
        Some(Watch {
            trigger,
            interrupting: mode == Kind::Interrupting,
        })
    }
}
