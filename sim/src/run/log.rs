//! What a run leaves behind as it goes: the hash of its trace, its schedule, and one tally per instance.

use trackside_engine::InstanceId;
use trackside_engine::world::{Action, Part, World};

use super::tally::Tally;
use crate::hash::Fnv;
use crate::schedule::Deviation;
use crate::token::{Plan, SCHEDULE_BYTES_MAX};
use crate::trace::{Deed, Event, Missed, What, json};

pub(super) struct Log<'o> {
    observer: &'o mut dyn FnMut(&Event<'_>),
    hash: Fnv,
    tallies: Vec<Tally>,
    deviations: Vec<Deviation>,
    /// How long the deviations are when written.
    schedule_bytes: usize,
}

impl<'o> Log<'o> {
    pub(super) fn new(observer: &'o mut dyn FnMut(&Event<'_>)) -> Self {
        Self {
            observer,
            hash: Fnv::default(),
            tallies: Vec::new(),
            deviations: Vec::new(),
            schedule_bytes: 0,
        }
    }

    /// Notes a choice that is about to be applied.
    pub(super) fn choice(&mut self, world: &World, part: Part, action: Action, plan: &Plan) {
        let seeded = matches!(plan, Plan::Seeded(..));
        if seeded && self.schedule_bytes > SCHEDULE_BYTES_MAX {
            return;
        }
        if let Some(deviation) = Deviation::of(world, part, action) {
            self.schedule_bytes += deviation.to_string().len() + 1;
            self.deviations.push(deviation);
        }
    }

    /// Notes what the last transition did.
    pub(super) fn transition(&mut self, world: &World, deed: Deed) {
        for (instance, record) in world.records() {
            self.tell(world, *instance, deed, What::Record(record));
            self.tally(*instance).record(record);
        }
    }

    /// Notes an event from outside that nobody waited for: it belongs to no instance.
    pub(super) fn unheard(&mut self, world: &World, deed: Deed) {
        for (instance, record) in world.records() {
            self.tell(world, *instance, deed, What::Record(record));
        }
    }

    /// Notes an input that found nothing.
    pub(super) fn missed(&mut self, world: &World, deed: Deed, missed: &Missed) {
        self.tell(world, InstanceId(0), deed, What::Missed(missed));
    }

    fn tell(&mut self, world: &World, instance: InstanceId, deed: Deed, what: What<'_>) {
        let known = world
            .instances()
            .nth(instance.ix())
            .map(|(_, instance)| instance.template());
        let event = Event {
            step: world.transitions(),
            time: world.now(),
            instance,
            template: known,
            deed,
            what,
        };
        self.hash.write(json(&event).as_bytes());
        self.hash.write(b"\n");
        (self.observer)(&event);
    }

    fn tally(&mut self, instance: InstanceId) -> &mut Tally {
        if self.tallies.len() <= instance.ix() {
            self.tallies.resize_with(instance.ix() + 1, Tally::default);
        }
        &mut self.tallies[instance.ix()]
    }

    pub(super) fn hash(&self) -> Fnv {
        self.hash
    }

    pub(super) fn tally_of(&self, instance: InstanceId) -> Option<&Tally> {
        self.tallies.get(instance.ix())
    }

    /// The schedule, as deviations; or by its seed, if there is one and they would be too many for a command line.
    pub(super) fn schedule(&self, plan: &Plan) -> Plan {
        match plan {
            Plan::Seeded(..) if self.schedule_bytes > SCHEDULE_BYTES_MAX => plan.clone(),
            _ => Plan::Deviations(self.deviations.clone()),
        }
    }
}
