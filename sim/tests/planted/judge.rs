//! A random schedule, judged by the reference, by the invariants, and by a second run of the same schedule.

use std::sync::Arc;

use trackside_engine::InstanceId;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, Grain, Options, Record};
use trackside_engine::model::Definitions;
use trackside_engine::template::{Compiled, Template, compile};
use trackside_engine::world::{Part, World};
use trackside_sim::oracle::invariants::Invariants;
use trackside_sim::oracle::{Deed, Reference, Violation};
use trackside_sim::schedule::{Random, Strategy};

/// The longest schedule.
const STEPS_MAX: usize = 120;
/// The most tracks of a run: where a loop multiplies them, nothing new is to be seen.
const TRACKS_MAX: usize = 24;

/// Options under which faults are looked for.
pub(crate) fn options(grain: Grain) -> Options {
    Options {
        grain,
        conditions: Conditions::Symbolic,
        timed: false,
        refires: Some(2),
        ..Options::default()
    }
}

/// A model that is ready to run.
pub(crate) struct Subject {
    file: Definitions,
    template: Arc<Template>,
}

impl Subject {
    /// `None` for a model that the reference does not cover.
    pub(crate) fn new(file: Definitions) -> Option<Self> {
        let template = compile(&file, &file.processes[0], &Compiled::default()).expect("the model compiles");
        let covered = Reference::new(&file, 0, &Compiled::default(), &Options::default()).is_ok();
        covered.then(|| Self {
            file,
            template: Arc::new(template),
        })
    }

    /// What the judges say of one schedule, if anything: the invariant and the message.
    pub(crate) fn judge(&self, options: Options, seed: u64) -> Result<(), (&'static str, String)> {
        let said = |violation: Violation| (violation.invariant, violation.to_string());
        let log = Judged::new(self, options).run(seed).map_err(said)?;
        let again = Judged::new(self, options).run(seed).map_err(said)?;
        let differs = log.iter().zip(&again).find(|(one, other)| one != other);
        match differs {
            Some((one, other)) => Err(("V11", format!("{one:?}, and again {other:?}"))),
            None if log.len() != again.len() => Err(("V11", "one run is longer".to_owned())),
            None => Ok(()),
        }
    }
}

/// A run with its judges.
struct Judged {
    world: World,
    births: usize,
    reference: Reference,
    invariants: Invariants,
    log: Vec<Record>,
}

impl Judged {
    fn new(subject: &Subject, options: Options) -> Self {
        let mut world = World::new(options);
        world.add(Arc::clone(&subject.template));
        let reference = Reference::new(&subject.file, 0, &Compiled::default(), &options);
        Self {
            world,
            births: subject.template.births().len(),
            reference: reference.expect("it is covered"),
            invariants: Invariants::default(),
            log: Vec::new(),
        }
    }

    fn run(mut self, seed: u64) -> Result<Vec<Record>, Violation> {
        let mut random = Random::new(seed);
        let birth = seed as usize % self.births;
        let id = self.world.start(0, birth, Data::default());
        self.observe(id, Deed::Start(birth))?;
        for _ in 0..STEPS_MAX {
            let goes_on = self.world.instances().count() == 1 && self.world.instance(id).tracks().len() <= TRACKS_MAX;
            let Some(action) = random.choose(&self.world, Part::All).filter(|_| goes_on) else {
                break;
            };
            let label = self.world.label(action);
            self.world.apply(action).expect("what is chosen is enabled");
            let outcome = action.outcome();
            self.observe(id, Deed::Action { label, outcome })?;
        }
        Ok(self.log)
    }

    fn observe(&mut self, id: InstanceId, deed: Deed<'_>) -> Result<(), Violation> {
        let own = self.world.records().iter().filter(|(of, _)| *of == id);
        let records = own.map(|(_, record)| record);
        let instance = self.world.instance(id);
        let by_invariants = self
            .invariants
            .observe(records.clone(), instance.live_tracks(), instance.end());
        self.log.extend(records.cloned());
        self.reference.follow(&self.world, id, deed)?;
        by_invariants
    }
}
