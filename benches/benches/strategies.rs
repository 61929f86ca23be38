//! What strategies cost: whole runs of a model with a handful of enabled actions, one seed after another, as a campaign
//! makes them. `fifo` chooses in no time, so that the difference to it is the choosing.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, Options};
use trackside_engine::model::notation;
use trackside_engine::template::{Compiled, compile};
use trackside_engine::world::{Part, World};
use trackside_sim::schedule::{Named, Seeded};

/// Four branches with external work, boundary events and decisions into an inclusive join.
const MODEL: &str = "s > F > A{!m > A1* > J} > J; F > B > B1* > B2 > J; F > C* > X > C1 > J; X > C2* > J; \
    F > D{~k > D1* > e2} > D2* > J; J > e; or J";

/// Seeds that one measurement goes through.
const SEEDS: u64 = 256;

fn world() -> World {
    let file = notation::parse(MODEL).expect("the model is of the notation");
    let template = compile(&file, &file.processes[0], &Compiled::default()).expect("the model compiles");
    let mut world = World::new(Options {
        conditions: Conditions::Symbolic,
        refires: Some(2),
        records: false,
        ..Options::default()
    });
    world.add(Arc::new(template));
    world
}

/// Runs all seeds; gives the number of transitions, and of actions that were enabled before them.
fn runs(world: &mut World, strategy: &mut dyn Seeded, data: &Data) -> (u64, u64) {
    let (mut steps, mut enabled) = (0, 0);
    for seed in 0..SEEDS {
        strategy.restart(seed);
        world.reset();
        world.start(0, 0, Arc::clone(data));
        while let Some(action) = strategy.choose(world, Part::All) {
            enabled += world.count(Part::All) as u64;
            world.apply(action).expect("what is chosen is enabled");
        }
        steps += world.transitions();
    }
    (steps, enabled)
}

fn strategies(c: &mut Criterion) {
    let mut group = c.benchmark_group("strategies/steps");
    let (mut world, data) = (world(), Data::default());
    for named in Named::ALL {
        let mut strategy = named.build(0);
        let (steps, enabled) = runs(&mut world, &mut *strategy, &data);
        eprintln!("{}: {steps} steps, {enabled} enabled", named.name());
        group.throughput(Throughput::Elements(steps));
        group.bench_function(BenchmarkId::from_parameter(named.name()), |b| {
            b.iter(|| black_box(runs(&mut world, &mut *strategy, &data)));
        });
    }
    group.finish();
    c.bench_function("strategies/restart/portfolio", |b| {
        let mut strategy = Named::Portfolio.build(0);
        let mut seeds = 0..;
        b.iter(|| strategy.restart(black_box(seeds.next().unwrap_or(0))));
    });
}

criterion_group!(benches, strategies);
criterion_main!(benches);
