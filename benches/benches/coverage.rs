//! What an observer of coverage costs per transition: the records of random schedules of generated models, made once, are
//! shown to it again and again.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use trackside_engine::InstanceId;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, Options, Record};
use trackside_engine::template::{Compiled, compile};
use trackside_engine::world::{Part, World};
use trackside_sim::campaign::coverage::{Coverage, Facts, Observer};
use trackside_sim::generate::{Family, Parameters, model};
use trackside_sim::schedule::{Random, Strategy};

const MODELS: u64 = 200;
const STEPS_MAX: u32 = 60;

/// The records of one run, by transition.
type Run = (Facts, InstanceId, Vec<Vec<(InstanceId, Record)>>);

fn options() -> Options {
    Options {
        conditions: Conditions::Symbolic,
        timed: false,
        refires: Some(3),
        ..Options::default()
    }
}

fn record(seed: u64) -> Run {
    let definitions = model(seed, &Parameters::of(Family::ALL[seed as usize % 3]));
    let template = compile(&definitions, &definitions.processes[0], &Compiled::default()).expect("a valid model");
    let facts = Facts::new(&definitions, &template);
    let mut world = World::new(options());
    world.add(Arc::new(template));
    let id = world.start(0, 0, Data::default());
    let mut transitions = vec![world.records().to_vec()];
    let mut random = Random::new(seed);
    for _ in 0..STEPS_MAX {
        let Some(action) = random.choose(&world, Part::All) else {
            break;
        };
        transitions.push(world.apply(action).expect("what is chosen is enabled").to_vec());
    }
    (facts, id, transitions)
}

fn observe(c: &mut Criterion) {
    let runs: Vec<Run> = (0..MODELS).map(record).collect();
    let transitions: usize = runs.iter().map(|(.., transitions)| transitions.len()).sum();
    let mut group = c.benchmark_group("coverage");
    group.throughput(Throughput::Elements(transitions as u64));
    group.bench_function("transitions", |b| {
        let (mut observer, mut coverage) = (Observer::default(), Coverage::default());
        b.iter(|| {
            for (facts, id, transitions) in &runs {
                observer.begin(facts, &options(), *id);
                for records in transitions {
                    observer.see(facts, records, &mut coverage);
                }
            }
            black_box(&coverage);
        });
    });
    group.finish();
    let mut seeds = (0..MODELS).cycle();
    c.bench_function("coverage/facts of a model", |b| {
        b.iter_batched(
            || {
                let definitions = model(seeds.next().unwrap_or_default(), &Parameters::default());
                let template = compile(&definitions, &definitions.processes[0], &Compiled::default());
                (definitions, template.expect("a valid model"))
            },
            |(definitions, template)| (Facts::new(&definitions, &template), definitions, template),
            criterion::BatchSize::SmallInput,
        );
    });
}

criterion_group!(benches, observe);
criterion_main!(benches);
