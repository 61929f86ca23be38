//! Generated models of about twenty nodes: what a schedule costs when nobody looks, and what each judge adds.

use std::sync::Arc;

use trackside_engine::InstanceId;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, Options};
use trackside_engine::model::Definitions;
use trackside_engine::template::{Template, compile};
use trackside_engine::world::{Action, Part, World};
use trackside_sim::campaign::coverage::{Coverage, Facts, Observer};
use trackside_sim::generate::{Family, Parameters, model, settings};
use trackside_sim::oracle::invariants::Invariants;
use trackside_sim::oracle::laws::{self, Trace};
use trackside_sim::oracle::{Deed, Panel};
use trackside_sim::schedule::{Named, Seeded};

/// Models of each family, schedules of each model, and transitions of each schedule at most.
pub(super) const MODELS: u64 = 32;
pub(super) const SCHEDULES: u64 = 8;
pub(super) const STEPS_MAX: u64 = 150;
/// Samples: an audit (V10) after one transition in so many; a schedule run twice again and compared (V11), and restored
/// after each of its transitions (V13), one in so many.
pub(super) const AUDIT_EVERY: u64 = 13;
pub(super) const AGAIN_EVERY: u64 = 8;
pub(super) const RESTORED_EVERY: u64 = 64;

/// What is done, each with all that stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layer {
    Generate,
    Compile,
    Engine,
    Records,
    Strategy,
    Invariants,
    Reference,
    Audit,
    Determinism,
    Restore,
    Coverage,
}

impl Layer {
    pub(super) const ALL: [Self; 11] = [
        Self::Generate,
        Self::Compile,
        Self::Engine,
        Self::Records,
        Self::Strategy,
        Self::Invariants,
        Self::Reference,
        Self::Audit,
        Self::Determinism,
        Self::Restore,
        Self::Coverage,
    ];

    /// What it adds.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Generate => "generating the models",
            Self::Compile => "compiling them, for the engine and for the judges",
            Self::Engine => "the engine",
            Self::Records => "its records",
            Self::Strategy => "the strategy",
            Self::Invariants => "invariants over records (V4, V6 to V9)",
            Self::Reference => "the reference (V1 to V6)",
            Self::Audit => "audits (V10)",
            Self::Determinism => "running again (V11)",
            Self::Restore => "restoring (V13)",
            Self::Coverage => "coverage",
        }
    }
}

fn options(records: bool) -> Options {
    Options {
        conditions: Conditions::Symbolic,
        timed: false,
        refires: Some(3),
        records,
        ..Options::default()
    }
}

fn file(family: Family, seed: u64) -> Definitions {
    model(seed, &Parameters::of(family))
}

/// One model with all that looks at its runs.
struct Case {
    template: Arc<Template>,
    panel: Panel,
    facts: Facts,
}

impl Case {
    fn new(file: &Definitions) -> Self {
        let settings = settings();
        let template = compile(file, &file.processes[0], &settings).expect("what is generated compiles");
        let template = Arc::new(template);
        Self {
            panel: Panel::new(file, 0, &settings, &options(true)),
            facts: Facts::new(file, &template),
            template,
        }
    }
}

/// What is kept from one model to the next.
pub(super) struct Loop {
    strategy: Box<dyn Seeded>,
    invariants: Invariants,
    observer: Observer,
    coverage: Coverage,
    data: Data,
    /// What the strategy chooses, by model and schedule, so that the engine can be run without it.
    chosen: Vec<Vec<Action>>,
    /// Models that the reference has rules for, and transitions.
    pub(super) complete: u64,
    pub(super) transitions: u64,
}

impl Loop {
    /// Looks the schedules up once.
    pub(super) fn new() -> Self {
        let mut all = Self {
            strategy: Named::Portfolio.build(0),
            invariants: Invariants::default(),
            observer: Observer::default(),
            coverage: Coverage::default(),
            data: Data::default(),
            chosen: Vec::new(),
            complete: 0,
            transitions: 0,
        };
        for (family, seed) in seeds() {
            let case = Case::new(&file(family, seed));
            all.complete += u64::from(case.panel.not_covered().is_none());
            let mut world = world(&case, false);
            for schedule in 0..SCHEDULES {
                let chosen = all.choose(&mut world, seed, schedule);
                all.transitions += 1 + chosen.len() as u64;
                all.chosen.push(chosen);
            }
        }
        all
    }

    fn choose(&mut self, world: &mut World, seed: u64, schedule: u64) -> Vec<Action> {
        self.begin(world, seed, schedule);
        let mut chosen = Vec::new();
        while world.transitions() < STEPS_MAX
            && let Some(action) = self.strategy.choose(world, Part::All)
        {
            chosen.push(action);
            world.apply(action).expect("what is chosen is enabled");
        }
        chosen
    }

    /// A schedule begins.
    fn begin(&mut self, world: &mut World, seed: u64, schedule: u64) -> (InstanceId, usize) {
        self.strategy.restart(seed * SCHEDULES + schedule);
        world.reset();
        let birth = schedule as usize % world.templates()[0].births().len();
        (world.start(0, birth, Data::clone(&self.data)), birth)
    }

    /// All schedules of all models, with everything up to a layer.
    pub(super) fn run(&mut self, layer: Layer) {
        for (at, (family, seed)) in seeds().enumerate() {
            let file = file(family, seed);
            if layer == Layer::Generate {
                continue;
            }
            let mut case = Case::new(&file);
            if layer >= Layer::Audit {
                case.panel = case.panel.audit_every(AUDIT_EVERY);
            }
            let mut world = world(&case, layer >= Layer::Records);
            for schedule in 0..SCHEDULES {
                match layer {
                    Layer::Generate | Layer::Compile => {}
                    Layer::Engine | Layer::Records => {
                        self.begin(&mut world, seed, schedule);
                        for &action in &self.chosen[at * SCHEDULES as usize + schedule as usize] {
                            world.apply(action).expect("it was enabled before");
                        }
                    }
                    _ => self.judged(&mut case, &mut world, layer, (seed, schedule)),
                }
                let number = seed * SCHEDULES + schedule;
                if layer >= Layer::Determinism && number.is_multiple_of(AGAIN_EVERY) {
                    let (one, other) = (
                        self.trace(&mut world, seed, schedule),
                        self.trace(&mut world, seed, schedule),
                    );
                    laws::same_trace(&one, &other).expect("the engine is deterministic");
                }
                if layer >= Layer::Restore && number.is_multiple_of(RESTORED_EVERY) {
                    self.restored(&mut world, seed, schedule);
                }
            }
        }
    }

    fn judged(&mut self, case: &mut Case, world: &mut World, layer: Layer, (seed, schedule): (u64, u64)) {
        let (instance, birth) = self.begin(world, seed, schedule);
        case.panel.restart();
        self.invariants.restart();
        if layer >= Layer::Coverage {
            self.observer.begin(&case.facts, world.options(), instance);
        }
        let mut deed = Deed::Start(birth);
        loop {
            if layer >= Layer::Coverage {
                self.observer.see(&case.facts, world.records(), &mut self.coverage);
            }
            if layer >= Layer::Reference {
                case.panel
                    .observe(world, instance, deed)
                    .expect("the engine keeps the rules");
            } else if layer >= Layer::Invariants {
                let shown = world.instance(instance);
                let records = world.records().iter().map(|(_, record)| record);
                let observed = self.invariants.observe(records, shown.live_tracks(), shown.end());
                observed.expect("the engine keeps the rules");
            }
            if world.transitions() >= STEPS_MAX {
                break;
            }
            let Some(action) = self.strategy.choose(world, Part::All) else {
                break;
            };
            if layer >= Layer::Invariants {
                deed = Deed::of(world, action);
            }
            world.apply(action).expect("what is chosen is enabled");
        }
        if layer >= Layer::Coverage {
            self.observer.finish(world, &mut self.coverage);
        }
    }

    fn trace(&mut self, world: &mut World, seed: u64, schedule: u64) -> Trace {
        let mut trace = Trace::default();
        self.again(world, seed, schedule, |world| trace.note(world));
        trace
    }

    fn restored(&mut self, world: &mut World, seed: u64, schedule: u64) {
        self.again(world, seed, schedule, |world| {
            laws::restores(world, World::clone).expect("a copy is equal");
        });
    }

    fn again(&mut self, world: &mut World, seed: u64, schedule: u64, mut see: impl FnMut(&World)) {
        self.begin(world, seed, schedule);
        while world.transitions() < STEPS_MAX
            && let Some(action) = self.strategy.choose(world, Part::All)
        {
            world.apply(action).expect("what is chosen is enabled");
            see(world);
        }
    }
}

fn world(case: &Case, records: bool) -> World {
    let mut world = World::new(options(records));
    world.add(Arc::clone(&case.template));
    world
}

fn seeds() -> impl Iterator<Item = (Family, u64)> {
    (0..MODELS).flat_map(|seed| Family::ALL.map(|family| (family, seed)))
}

/// How many schedules there are.
pub(super) const fn schedules() -> u64 {
    MODELS * Family::ALL.len() as u64 * SCHEDULES
}

/// How many models there are.
pub(super) const fn models() -> u64 {
    MODELS * Family::ALL.len() as u64
}
