//! A world of templates and instances, and the one interface that every driver uses: which actions are *enabled*, and
//! *apply* one of them (INS-4).
//!
//! Instances influence one another only through messages and signals (INS-11), which the world delivers: a message to
//! exactly one subscription, a signal to all (EVT-2), within the transition that threw them. Virtual time belongs to the
//! world too (EVT-3).
//!
//! ```
//! use std::sync::Arc;
//! use trackside_engine::model::notation;
//! use trackside_engine::template::{Compiled, compile};
//! use trackside_engine::world::{Part, World};
//! use trackside_engine::instance::{End, Options};
//!
//! let file = notation::parse("s > F > A* > J > e; F > B* > J").unwrap();
//! let template = compile(&file, &file.processes[0], &Compiled::default()).unwrap();
//! let mut world = World::new(Options::default());
//! let process = world.add(Arc::new(template));
//! let instance = world.start(process, 0, Default::default());
//! while let Some(action) = world.oldest(Part::All) {
//!     for (_, record) in world.apply(action).unwrap() {
//!         println!("{record:?}");
//!     }
//! }
//! assert_eq!(world.instance(instance).end(), Some(&End::Completed));
//! ```

mod action;
mod input;
mod pending;
mod route;

use crate::expr::Data;
use crate::ids::InstanceId;
use crate::instance::{Instance, Mark, Options, Record};
use crate::template::Shared;

pub use action::{Action, Class, Label, NotEnabled, Part};
pub use input::{Answer, Delivery};
pub use pending::{Pending, Task};

/// Templates, the instances made from them, and the time they share.
#[derive(Clone, Debug)]
pub struct World {
    options: Options,
    templates: Vec<Shared>,
    /// The data that instances which an event starts begin with, by template.
    furnished: Vec<Data>,
    /// All instances, by id; forgotten ones are gone.
    instances: Vec<Option<Box<Instance>>>,
    /// The index of the template of each instance, forgotten or not.
    kinds: Vec<u32>,
    /// Memory of forgotten instances, to be used again.
    #[allow(
        clippy::vec_box,
        reason = "instances move between the two lists without being copied"
    )]
    spare: Vec<Box<Instance>>,
    /// Instances that have not ended, oldest first.
    live: Vec<InstanceId>,
    now: i64,
    transition: u64,
    records: Vec<(InstanceId, Record)>,
}

impl World {
    /// An empty world at time 0.
    pub fn new(options: Options) -> Self {
        #[cfg(feature = "planted-faults")]
        let options = options.with_joins_for_plant();
        Self {
            options,
            templates: Vec::new(),
            furnished: Vec::new(),
            instances: Vec::new(),
            kinds: Vec::new(),
            spare: Vec::new(),
            live: Vec::new(),
            now: 0,
            transition: 0,
            records: Vec::new(),
        }
    }

    /// Adds a template; gives its index.
    pub fn add(&mut self, template: Shared) -> usize {
        self.templates.push(template);
        self.furnished.push(Data::default());
        self.templates.len() - 1
    }

    /// Instances of `template` that an event starts begin with these process data; the event's own come on top.
    ///
    /// # Panics
    ///
    /// If there is no such template.
    pub fn furnish(&mut self, template: usize, data: Data) {
        self.furnished[template] = data;
    }

    /// Creates an instance of `template` by its `birth`-th way of coming about, with these process data. Its records are
    /// [`Self::records`].
    ///
    /// # Panics
    ///
    /// If there is no such template or birth.
    pub fn start(&mut self, template: usize, birth: usize, data: Data) -> InstanceId {
        self.begin();
        let id = self.give_birth(template, birth, data, None);
        self.settle(id);
        id
    }

    /// Creates an instance of `template` in a given marking, for tests and experiments: no rule says how it came about.
    ///
    /// # Panics
    ///
    /// If there is no such template, or a mark is not in its root scope.
    pub fn start_marked(&mut self, template: usize, marking: &[Mark], data: Data) -> InstanceId {
        self.begin();
        let id = self.create(template, data);
        self.lend(id, |instance| instance.start_marked(marking));
        self.settle(id);
        id
    }

    /// An instance, ended or not.
    ///
    /// # Panics
    ///
    /// If `id` is not of this world, or has been forgotten.
    #[inline]
    pub fn instance(&self, id: InstanceId) -> &Instance {
        self.instances[id.ix()]
            .as_deref()
            .expect("the instance has not been forgotten")
    }

    /// All instances that have not been forgotten, in order of birth.
    pub fn instances(&self) -> impl Iterator<Item = (InstanceId, &Instance)> {
        let all = (0..).map(InstanceId).zip(&self.instances);
        all.filter_map(|(id, instance)| Some((id, instance.as_deref()?)))
    }

    /// Forgets an instance that has ended; its memory serves the next one. Says whether it did: one that is still running
    /// stays.
    pub fn forget(&mut self, id: InstanceId) -> bool {
        let Some(place) = self.instances.get_mut(id.ix()) else {
            return false;
        };
        if place.as_ref().is_none_or(|instance| instance.end().is_none()) {
            return false;
        }
        self.spare.extend(place.take());
        true
    }

    /// Goes back to time 0 with the same templates and no instance. Memory is kept, so that many short runs in one world
    /// cost less than as many worlds.
    pub fn reset(&mut self) {
        self.spare.extend(self.instances.drain(..).flatten());
        self.kinds.clear();
        self.live.clear();
        self.records.clear();
        (self.now, self.transition) = (0, 0);
    }

    /// The settings of this world.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Virtual time, in milliseconds since 1970-01-01T00:00Z, where it starts.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// What the last transition did.
    pub fn records(&self) -> &[(InstanceId, Record)] {
        &self.records
    }

    /// How many transitions there have been.
    pub fn transitions(&self) -> u64 {
        self.transition
    }

    /// A new transition begins.
    #[inline]
    fn begin(&mut self) {
        self.transition += 1;
        self.records.clear();
    }

    fn create(&mut self, template: usize, data: Data) -> InstanceId {
        let id = InstanceId::new(self.instances.len());
        let shared = &self.templates[template];
        let instance = match self.spare.pop() {
            Some(mut used) => {
                used.renew(shared, data, self.options, self.now);
                used
            }
            None => Box::new(Instance::new(Shared::clone(shared), data, self.options, self.now)),
        };
        self.instances.push(Some(instance));
        self.kinds.push(template as u32);
        self.live.push(id);
        id
    }

    fn give_birth(&mut self, template: usize, birth: usize, data: Data, payload: Option<&Data>) -> InstanceId {
        let birth = self.templates[template].births()[birth];
        let id = self.create(template, data);
        self.lend(id, |instance| instance.start(&birth, payload));
        id
    }

    /// Lets an instance change, with the world's counters.
    #[inline]
    fn lend<R>(&mut self, id: InstanceId, deed: impl FnOnce(&mut Instance) -> R) -> R {
        let instance = self.instances[id.ix()]
            .as_deref_mut()
            .expect("a live instance is not forgotten");
        instance.core.transition = self.transition;
        let result = deed(instance);
        if self.options.records {
            let records = &mut self.records;
            records.extend(instance.core.records.drain(..).map(|record| (id, record)));
        }
        result
    }
}
