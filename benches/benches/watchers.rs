//! Boundary events: what arming and tearing down three watchers costs per host, for 10 hosts and for 10,000.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use trackside_benches::families;
use trackside_benches::measure::{Bench, quiet};

fn hosts(c: &mut Criterion) {
    let mut group = c.benchmark_group("watchers");
    group.sample_size(10);
    for hosts in [10, 100, 1_000, 10_000] {
        for watched in [true, false] {
            let definitions = families::hosts(hosts, watched);
            let mut bench = Bench::new(&families::template(&definitions), quiet());
            group.throughput(Throughput::Elements(hosts as u64));
            let name = if watched { "three watchers" } else { "none" };
            group.bench_function(BenchmarkId::new(name, hosts), |b| b.iter(|| bench.run()));
        }
    }
    group.finish();
}

criterion_group!(benches, hosts);
criterion_main!(benches);
