//! Making the index, and how much memory it takes.

use std::hint::black_box;
use std::time::Duration;

use trackside_benches::fit::exponent;
use trackside_benches::graphs::{Case, SHAPES, SIZES, onion};
use trackside_benches::measure::rounds_within;
use trackside_benches::peers::Closure;
use trackside_engine::reach::Index;

use crate::Report;
use crate::plot::Plot;
use crate::spread::{Spread, number};

const ROUNDS: usize = 9;
const AT_LEAST: Duration = Duration::from_millis(2);
const AT_MOST: Duration = Duration::from_secs(3);
/// The family in which the index meets its limit.
const ONION: &str = "onion";
/// Families made of blocks, with or without ways back around them.
const STRUCTURED: [&str; 5] = ["ladder", "deep", "wide", "nested", "cyclic"];

pub(crate) fn measure(report: &mut Report) {
    report.say("## Making the index\n");
    report.say(
        "From a graph with adjacency to the index, in milliseconds; *growth* as above. Memory is that of the index, in bytes \
         per flow, beside what bitset closures of all joins would take. *searched* are joins whose classes would take too \
         much memory: they are left to search. *onion* is the family in which that happens: OR blocks inside each other along \
         one branch only, so that a token in the innermost of n blocks matters to all n joins.\n",
    );
    let mut table = Vec::new();
    let mut curves = Vec::new();
    let mut worst_bytes: (f64, String) = (0.0, String::new());
    let shapes = SHAPES.iter().map(|shape| (shape.name, shape.make));
    for (name, make) in shapes.chain([(ONION, onion as fn(usize) -> _)]) {
        let cases = SIZES.map(make);
        let graphs = cases.iter().map(Case::graph).collect::<Vec<_>>();
        let mut builds: Vec<Box<dyn FnMut() + '_>> = Vec::new();
        for (case, graph) in cases.iter().zip(&graphs) {
            builds.push(Box::new(|| {
                black_box(Index::new(black_box(graph), &case.joins));
            }));
        }
        let mut contenders: Vec<&mut dyn FnMut()> = builds
            .iter_mut()
            .map(|build| &mut **build as &mut dyn FnMut())
            .collect();
        let times = rounds_within(ROUNDS, AT_LEAST, AT_MOST, &mut contenders);
        drop(builds);
        let mut points = Vec::new();
        for ((case, graph), times) in cases.iter().zip(&graphs).zip(&times) {
            let index = Index::new(graph, &case.joins);
            let flows = case.edges.len() as f64;
            let bytes = index.bytes() as f64 / flows;
            let millis = Spread::of(times, 1_000_000);
            points.push((flows, millis.median));
            if STRUCTURED.contains(&name) && bytes > worst_bytes.0 {
                worst_bytes = (bytes, format!("{name} of {} flows", number(flows)));
            }
            if case.joins.len() == 5000 && name == SHAPES[0].name {
                report.target(
                    "100,000 flows and 5,000 joins indexed in under 2 s",
                    format!("{} ms", millis.cell()),
                    millis.median < 2000.0,
                );
            }
            table.push(vec![
                name.to_owned(),
                number(flows),
                case.joins.len().to_string(),
                index.searched().count().to_string(),
                millis.cell(),
                number(bytes),
                number(Closure::bytes(case) as f64 / flows),
            ]);
        }
        for row in table.iter_mut().rev().take(cases.len()) {
            row.push(format!("{:.2}", exponent(&points)));
        }
        curves.push((name.to_owned(), points));
        println!("build, {name}");
    }
    report.target(
        "at most 100 bytes per flow on structured graphs (all but random and onion)",
        format!("at most {} ({})", number(worst_bytes.0), worst_bytes.1),
        worst_bytes.0 <= 100.0,
    );
    let head = [
        "family",
        "flows",
        "joins",
        "searched",
        "ms",
        "bytes per flow",
        "bitsets, bytes per flow",
        "growth",
    ];
    report.table(&head.map(str::to_owned), &table);
    let plot = Plot {
        title: "making the index".to_owned(),
        x: "flows",
        y: "milliseconds",
        curves,
    };
    report.plot("build", &plot);
}
