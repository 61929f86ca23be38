//! Instances per second of the core, records off: linear, fork and OR families.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use trackside_benches::families::{self, Family};
use trackside_benches::measure::{Bench, quiet};

fn instances(c: &mut Criterion) {
    let mut group = c.benchmark_group("instances");
    group.throughput(Throughput::Elements(1)).sample_size(20);
    for Family { name, definitions } in families::all() {
        let mut bench = Bench::new(&families::template(&definitions), quiet());
        group.bench_function(BenchmarkId::from_parameter(name), |b| b.iter(|| bench.run()));
    }
    group.finish();
}

criterion_group!(benches, instances);
criterion_main!(benches);
