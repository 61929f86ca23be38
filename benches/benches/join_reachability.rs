//! *May this join fire?*: the index and other ways to answer, on the graph families of `graphs`.
//!
//! Every state is first asked of everyone who is measured on it, and the answers have to be the same. The full curves are
//! drawn by `join_reachability_report`; here every kind of figure is taken at fewer points.

// Figures are counts and times far below 2^53.
#![allow(clippy::cast_precision_loss)]

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use trackside_benches::graphs::{SHAPES, SIZES, ladder};
use trackside_benches::ground::{Ground, Question, Ring};
use trackside_benches::marking::Answers;
use trackside_benches::moves::Moves;
use trackside_benches::waves::Waves;
use trackside_engine::reach::Index;

/// Live tokens where only the size varies.
const LIVE: usize = 5;

fn group<'c>(c: &'c mut Criterion, name: &str) -> BenchmarkGroup<'c, WallTime> {
    let mut group = c.benchmark_group(name);
    group.sample_size(10);
    group.warm_up_time(Duration::from_millis(100));
    group.measurement_time(Duration::from_millis(300));
    group
}

/// Decisions by the index and by those peers that are named, in one state.
fn decisions(group: &mut BenchmarkGroup<'_, WallTime>, at: &str, ground: &Ground, question: &Question, peers: &[&str]) {
    let mut all = ground.peers(question);
    group.throughput(Throughput::Elements(question.decisions() as u64));
    group.bench_function(format!("index/{at}"), |b| b.iter(|| question.decide()));
    group.throughput(Throughput::Elements(question.joins.len() as u64));
    for (way, peer) in all.iter_mut().filter(|(way, _)| peers.contains(&way.name)) {
        group.bench_function(format!("{}/{at}", way.name), |b| b.iter(|| question.ask(peer.as_mut())));
    }
}

/// By size, in every family: the index and the best plain search.
fn decision_by_size(c: &mut Criterion) {
    let mut group = group(c, "decision by size");
    for shape in SHAPES {
        for flows in SIZES {
            let ground = Ground::new(shape, flows);
            let question = ground.question(LIVE, Answers::Fire);
            decisions(
                &mut group,
                &format!("{} {flows}", shape.name),
                &ground,
                &question,
                &["CSR search"],
            );
        }
    }
}

/// Everyone, in every family, at one size.
fn decision_by_way(c: &mut Criterion) {
    let mut group = group(c, "decision by way");
    let others = [
        "string search",
        "forward search",
        "petgraph paths",
        "bitset words",
        "bitset tokens",
    ];
    for shape in SHAPES {
        let ground = Ground::new(shape, 512);
        let question = ground.question(LIVE, Answers::Fire);
        decisions(&mut group, &format!("{} 512", shape.name), &ground, &question, &others);
    }
}

/// By live tokens, on a ladder, warm, in a fresh instance and in one of many.
fn decision_by_tokens(c: &mut Criterion) {
    let mut group = group(c, "decision by tokens");
    let ground = Ground::new(SHAPES[0], 4096);
    for live in [1, 5, 100, 1000] {
        let question = ground.question(live, Answers::Fire);
        let at = format!("{live} tokens");
        decisions(
            &mut group,
            &at,
            &ground,
            &question,
            &["CSR search", "forward search", "bitset tokens"],
        );
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("index, fresh instance/{at}"), |b| {
            b.iter(|| ground.fresh(&question));
        });
        let mut ring = Ring::new(&ground, &question);
        group.throughput(Throughput::Elements(Ring::DECISIONS as u64));
        group.bench_function(format!("index, cold/{at}"), |b| b.iter(|| ring.decide()));
    }
}

/// Moves, by how many joins they touch; arrivals and firings.
fn upkeep(c: &mut Criterion) {
    let mut group = group(c, "upkeep");
    for shape in SHAPES {
        let ground = Ground::new(shape, 4096);
        for moves in Moves::groups(&ground) {
            moves.check();
            group.throughput(Throughput::Elements(1));
            group.bench_function(format!("move/{} touching {}", shape.name, moves.name), |b| {
                b.iter_custom(|count| scaled(count, u64::from(moves.count()), || moves.time(count as usize)[0]));
            });
        }
        let mut waves = Waves::new(&ground);
        waves.check();
        let arrivals = waves.count() as u64;
        for (name, part) in [("arrival", 0), ("firing", 1)] {
            group.bench_function(format!("{name}/{}", shape.name), |b| {
                b.iter_custom(|count| scaled(count, arrivals, || waves.time()[part]));
            });
        }
    }
}

/// The time of `count` things, of which one run has `per_run`.
fn scaled(count: u64, per_run: u64, mut run: impl FnMut() -> Duration) -> Duration {
    let runs = count.div_ceil(per_run).max(1);
    let time: Duration = (0..runs).map(|_| run()).sum();
    time.mul_f64(count as f64 / (runs * per_run) as f64)
}

/// Making the index, at one size of every family and for 5,000 joins; its memory is printed.
fn build(c: &mut Criterion) {
    let mut group = group(c, "index build");
    for (name, case) in SHAPES
        .iter()
        .map(|shape| (format!("{} 4096", shape.name), (shape.make)(4096)))
        .chain([("ladder 100000, 5,000 joins".to_owned(), ladder(100_000))])
    {
        let graph = case.graph();
        let index = Index::new(&graph, &case.joins);
        println!(
            "memory/{name}: {:.1} bytes per flow, {} joins searched",
            index.bytes() as f64 / case.edges.len() as f64,
            index.searched().count()
        );
        group.throughput(Throughput::Elements(case.edges.len() as u64));
        group.bench_function(name, |b| b.iter(|| Index::new(black_box(&graph), &case.joins)));
    }
}

criterion_group!(
    benches,
    decision_by_size,
    decision_by_way,
    decision_by_tokens,
    upkeep,
    build
);
criterion_main!(benches);
