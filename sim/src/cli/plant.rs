//! `trackside fuzz --plant NAME|all`: is every planted fault found, and how soon? Only in a build with the feature
//! `planted-faults`.

use serde::Serialize;
use serde_json::{Map, Value};
use trackside_engine::planted::Fault;

use super::options::Format;
use super::output::{Output, Tone};
use super::{Exit, Failure};
use crate::campaign::Campaign;
use crate::campaign::planted::{Hunt, hunt};
use crate::schedule::Named;

/// So many seeds are tried per fault, unless it is told otherwise.
pub(super) const SEEDS_DEFAULT: u64 = 20_000;

#[derive(Debug, clap::Args)]
#[group(id = "planting")]
pub(super) struct Arguments {
    /// Plant this fault in the engine, by its name or number, or all of them one after the other
    #[arg(long, value_name = "NAME", value_parser = faults)]
    plant: Option<Faults>,
    /// Hunt with every strategy
    #[arg(long, requires = "plant")]
    per_strategy: bool,
}

/// The faults to plant, one at a time.
#[derive(Clone, Debug)]
pub(super) struct Faults(Vec<Fault>);

fn faults(name: &str) -> Result<Faults, String> {
    if name == "all" {
        return Ok(Faults(Fault::ALL.to_vec()));
    }
    let fault = Fault::parse(name).ok_or_else(|| {
        let names: Vec<_> = Fault::ALL.iter().map(|fault| fault.name()).collect();
        format!("the faults are {}, and all", names.join(", "))
    })?;
    Ok(Faults(vec![fault]))
}

/// The document of a hunt.
#[derive(Serialize)]
struct Document {
    version: u32,
    kind: &'static str,
    options: Map<String, Value>,
    seeds: u64,
    models: u64,
    schedules: u64,
    elapsed_ms: u64,
    violations: [(); 0],
    planted: Vec<Hunt>,
}

impl Arguments {
    /// The faults that are asked for.
    pub(super) fn faults(&self) -> &[Fault] {
        self.plant.as_ref().map_or(&[], |faults| &faults.0)
    }

    /// Hunts them all. Well is when all are found.
    pub(super) fn run(
        &self,
        campaign: &Campaign,
        (strategy, format, options): (Named, Format, Map<String, Value>),
        output: &mut Output,
    ) -> Result<Exit, Failure> {
        let strategies = if self.per_strategy {
            Named::ALL.to_vec()
        } else {
            vec![strategy]
        };
        let mut planted = Vec::new();
        for &fault in self.faults() {
            for &strategy in &strategies {
                let hunted = hunt(campaign, fault, strategy).map_err(Failure::Campaign)?;
                if format == Format::Human {
                    output.line(&line(fault, &hunted, output.style()));
                }
                planted.push(hunted);
            }
        }
        let exit = if planted.iter().all(|hunted| hunted.found) {
            Exit::Hoped
        } else {
            Exit::Finding
        };
        if format == Format::Json {
            output.document(&Document {
                version: 1,
                kind: "fuzz",
                options,
                seeds: planted.iter().map(|hunted| hunted.models).sum(),
                models: planted.iter().map(|hunted| hunted.models).sum(),
                schedules: planted.iter().map(|hunted| hunted.schedules).sum(),
                elapsed_ms: planted.iter().map(|hunted| hunted.elapsed_ms).sum(),
                violations: [],
                planted,
            });
        }
        Ok(exit)
    }
}

fn line(fault: Fault, hunted: &Hunt, style: super::output::Style) -> String {
    let (number, name) = (fault.number(), fault.name());
    match &hunted.finding {
        Some(finding) => format!(
            "{number:>2} {name:<32} {} after {:>6} schedules by {:<7} {:>2} nodes {:>2} deviations {:>5} ms  {}",
            style.paint(Tone::Good, &format!("{:<5}", finding.invariant)),
            hunted.schedules,
            finding.by,
            finding.nodes,
            finding.deviations,
            hunted.elapsed_ms,
            finding
                .model
                .as_ref()
                .map_or(String::new(), |model| model.display().to_string()),
        ),
        None => format!(
            "{number:>2} {name:<32} {} in {} schedules by {}",
            style.paint(
                Tone::Bad,
                if hunted.found {
                    "found but not again"
                } else {
                    "not found"
                }
            ),
            hunted.schedules,
            hunted.strategy,
        ),
    }
}
