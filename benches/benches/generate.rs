//! Random models: how long one takes of each family, of its plan alone, and its layout.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use trackside_sim::generate::{Family, Parameters, model, plan};
use trackside_sim::layout::diagram;

/// Seeds that one measurement goes through, so that it is about the mean model, and not about one.
const SEEDS: u64 = 1_000;

fn models(c: &mut Criterion) {
    let mut group = c.benchmark_group("generate/20-nodes");
    for family in Family::ALL {
        let parameters = Parameters::of(family);
        let mut seeds = (0..SEEDS).cycle();
        let mut next = move || seeds.next().unwrap_or_default();
        group.bench_function(BenchmarkId::new("model", format!("{family:?}")), |b| {
            b.iter_with_large_drop(|| black_box(model(next(), &parameters)));
        });
        group.bench_function(BenchmarkId::new("model and its end", format!("{family:?}")), |b| {
            b.iter(|| black_box(model(next(), &parameters)));
        });
        group.bench_function(BenchmarkId::new("plan", format!("{family:?}")), |b| {
            b.iter(|| black_box(plan(next(), &parameters)));
        });
    }
    group.finish();
}

fn layouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("layout/1800-nodes");
    group.sample_size(10);
    for family in Family::ALL {
        let definitions = model(3, &Parameters::of(family).nodes(1_800));
        group.bench_function(BenchmarkId::from_parameter(format!("{family:?}")), |b| {
            b.iter(|| black_box(diagram(&definitions)));
        });
    }
    group.finish();
}

criterion_group!(benches, models, layouts);
criterion_main!(benches);
