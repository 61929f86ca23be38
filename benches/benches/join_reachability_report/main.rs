//! Writes `reports/join-reachability.md` and its plots: what a decision about an inclusive join costs, by the index and by
//! other ways, what the index costs to keep and to make, and what all this does to whole runs.
//!
//! Every state is first asked of everyone who is measured on it, and the answers have to be the same.

// Figures are counts and times far below 2^53.
#![allow(clippy::cast_precision_loss)]

#[path = "../peer/mod.rs"]
mod peer;

mod cautious;
mod decisions;
mod plot;
mod runs;
mod size;
mod spread;
mod upkeep;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use trackside_benches::graphs::SHAPES;
use trackside_benches::peers::{CLOSURE_BYTES_MAX, WAYS};

/// The report as it grows.
pub(crate) struct Report {
    folder: PathBuf,
    text: String,
    /// What had to be reached, what was, and whether that is enough.
    targets: Vec<(String, String, bool)>,
}

impl Report {
    pub(crate) fn say(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    pub(crate) fn table(&mut self, head: &[String], rows: &[Vec<String>]) {
        let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
        let mut lines = vec![line(head), format!("|{}", "---|".repeat(head.len()))];
        lines.extend(rows.iter().map(|row| line(row)));
        self.say(&format!("{}\n", lines.join("\n")));
    }

    pub(crate) fn plot(&mut self, name: &str, plot: &plot::Plot) {
        plot.draw(&self.folder.join(format!("{name}.svg")));
        self.say(&format!("![{}](join-reachability/{name}.svg)\n", plot.title));
    }

    pub(crate) fn target(&mut self, what: impl Into<String>, measured: impl Into<String>, met: bool) {
        self.targets.push((what.into(), measured.into(), met));
    }
}

fn main() {
    // `cargo test --benches` runs this too: there is nothing to test here.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports");
    let folder = reports.join("join-reachability");
    std::fs::create_dir_all(&folder).expect("the folder of plots can be made");
    let mut report = Report {
        folder,
        text: String::new(),
        targets: Vec::new(),
    };
    decisions::measure(&mut report);
    cautious::measure(&mut report);
    upkeep::measure(&mut report);
    size::measure(&mut report);
    runs::measure(&mut report);
    let path = reports.join("join-reachability.md");
    let targets = targets(&report);
    std::fs::write(&path, format!("{}{targets}{}", head(), report.text)).expect("the report can be written");
    println!("wrote {}", path.display());
}

fn head() -> String {
    let shapes: Vec<String> = SHAPES
        .iter()
        .map(|shape| format!("- *{}*: {}.", shape.name, shape.about))
        .collect();
    let ways: Vec<String> = WAYS
        .iter()
        .map(|way| format!("- *{}*: {}.", way.name, way.about))
        .collect();
    format!(
        "\
# May this join fire?

Regenerate with `cargo bench -p trackside-benches --bench join_reachability_report` (release profile, about seven minutes).
Every number, plot and verdict below is the product of one such run. `cargo bench -p trackside-benches --bench
join_reachability` takes the same kinds of figures at fewer points with criterion.

An inclusive join may fire iff an input of it holds a token and every other token reaches none of its inputs, or one that
holds a token (rule ORJ-1). The index (`trackside_engine::reach`) answers by counters that every move keeps up to date; the
others answer from where tokens are:

{}

All are asked about the same joins in the same states, in turn, round by round in one process, so that noise hits all
alike. Before anything is timed, everyone has answered, and the answers were found equal. A cell is the median over the
rounds with its quartiles. A dash stands where one answer could take seconds, or the bitsets of all joins would take more
than {} MiB. Peers are made before the clock starts, keep their scratch memory, and have occupied nodes, registered tokens
and tokens in transit counted for them.

Graphs, by size in flows:

{}

## Targets

",
        ways.join("\n"),
        CLOSURE_BYTES_MAX >> 20,
        shapes.join("\n"),
    )
}

fn targets(report: &Report) -> String {
    let mut text = String::from("| target | measured | |\n|---|---|---|\n");
    for (what, measured, met) in &report.targets {
        let verdict = if *met { "met" } else { "**not met**" };
        let _ = writeln!(text, "| {what} | {measured} | {verdict} |");
    }
    text.push_str(
        "
The index covers both rules for inclusive joins (ORJ-1, ORJ-2), the complex join's question what can still come (CPX-3,
CPX-4), nested scopes, boundary and link edges. A search is left to joins whose classes, and to graphs whose intervals
(which the conservative rule and complex joins need), would take too much memory. In the random family no join has much
before it: with all of 512 flows to look at, a search takes half a microsecond, and a thousandth of that is less than two
cycles of the processor.

",
    );
    text
}
