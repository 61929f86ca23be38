//! Transitions per second of an engine that is judged: alone with records, under the invariants over records, and under
//! the whole panel. Generated models of about 20 nodes, random schedules, protocol grain.

use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, Options};
use trackside_engine::template::{Compiled, compile};
use trackside_engine::world::{Part, World};
use trackside_sim::generate::{Family, Parameters, model};
use trackside_sim::oracle::invariants::Invariants;
use trackside_sim::oracle::{Deed, Panel};
use trackside_sim::schedule::{Random, Strategy};

const MODELS: usize = 24;
const SCHEDULES: u64 = 20;
const STEPS_MAX: u64 = 200;

/// Who looks at each transition.
#[derive(Clone, Copy, PartialEq)]
enum Judges {
    Nobody,
    Invariants,
    Panel,
}

fn options() -> Options {
    Options {
        conditions: Conditions::Symbolic,
        timed: false,
        refires: Some(3),
        ..Options::default()
    }
}

/// A model with its judges.
struct Case {
    world: World,
    births: usize,
    invariants: Invariants,
    panel: Panel,
}

/// The first models of a family that the reference has rules for.
fn cases(family: Family) -> Vec<Case> {
    let settings = Compiled::default();
    let all = (0..).map(|seed| model(seed, &Parameters::of(family)));
    let cases = all.filter_map(|file| {
        let panel = Panel::new(&file, 0, &settings, &options());
        panel.not_covered().is_none().then(|| {
            let template = compile(&file, &file.processes[0], &settings).expect("what is generated compiles");
            let births = template.births().len();
            let mut world = World::new(options());
            world.add(Arc::new(template));
            let invariants = Invariants::default();
            Case {
                world,
                births,
                invariants,
                panel,
            }
        })
    });
    cases.take(MODELS).collect()
}

impl Case {
    fn observe(&mut self, deed: Deed<'_>, judges: Judges) {
        let id = trackside_engine::InstanceId(0);
        let observed = match judges {
            Judges::Nobody => Ok(()),
            Judges::Invariants => {
                let instance = self.world.instance(id);
                let records = self.world.records().iter().map(|(_, record)| record);
                self.invariants.observe(records, instance.live_tracks(), instance.end())
            }
            Judges::Panel => self.panel.observe(&self.world, id, deed),
        };
        observed.expect("the engine keeps the rules");
    }

    /// One schedule; gives how many transitions it has.
    fn run(&mut self, seed: u64, judges: Judges) -> u64 {
        self.world.reset();
        self.panel.restart();
        self.invariants.restart();
        let birth = seed as usize % self.births;
        self.world.start(0, birth, Data::default());
        self.observe(Deed::Start(birth), judges);
        let mut strategy = Random::new(seed);
        let mut steps = 1;
        while steps < STEPS_MAX {
            let Some(action) = strategy.choose(&self.world, Part::All) else {
                break;
            };
            let deed = Deed::of(&self.world, action);
            self.world.apply(action).expect("the action is enabled");
            self.observe(deed, judges);
            steps += 1;
        }
        steps
    }
}

fn run_all(cases: &mut [Case], judges: Judges) -> u64 {
    let mut steps = 0;
    for case in cases {
        steps += (0..SCHEDULES).map(|seed| case.run(seed, judges)).sum::<u64>();
    }
    steps
}

fn transitions(c: &mut Criterion) {
    let mut group = c.benchmark_group("oracle");
    group.sample_size(20);
    for family in Family::ALL {
        let mut cases = cases(family);
        let steps = run_all(&mut cases, Judges::Nobody);
        let schedules = MODELS as u64 * SCHEDULES;
        println!("{family:?}: {schedules} schedules, {steps} transitions");
        group.throughput(Throughput::Elements(steps));
        for (name, judges) in [
            ("engine", Judges::Nobody),
            ("invariants", Judges::Invariants),
            ("panel", Judges::Panel),
        ] {
            let id = BenchmarkId::new(name, format!("{family:?}"));
            group.bench_function(id, |b| b.iter(|| run_all(&mut cases, judges)));
        }
    }
    group.finish();
}

criterion_group!(benches, transitions);
criterion_main!(benches);
