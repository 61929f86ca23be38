//! Options that several commands share.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::run::{REFIRES_DEFAULT, STEPS_DEFAULT, Settings, within_bound};
use crate::schedule::Named;

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    #[default]
    Human,
    /// One JSON document on stdout.
    Json,
}

/// What shapes a run.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
#[derive(Debug, Args)]
pub(super) struct Common {
    /// The process to run, by its id; by default the first one of the file
    #[arg(long, value_name = "ID")]
    pub(super) process: Option<String>,
    /// One seed decides everything that is left open
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// Who chooses among what is possible
    #[arg(long, value_name = "NAME", default_value = "random", value_parser = strategy)]
    pub(super) strategy: Named,
    /// When an inclusive join fires
    #[arg(long, value_name = "RULE", default_value = "standard", value_parser = ["standard", "conservative"])]
    or_join: String,
    /// What a complex join does with late tokens
    #[arg(long, value_name = "RULE", default_value = "silent", value_parser = ["silent", "standard"])]
    complex_reset: String,
    /// How fine the transitions are
    #[arg(long, value_name = "GRAIN", default_value = "protocol", value_parser = ["protocol", "atomic"])]
    grain: String,
    /// Whether conditions are decided over process data or chosen freely
    #[arg(long, value_name = "HOW", default_value = "data", value_parser = ["data", "symbolic"])]
    conditions: String,
    /// Process data that the instance begins with
    #[arg(long, value_name = "NAME=JSON", value_parser = variable)]
    var: Vec<(String, Value)>,
    /// A timer value that stands in for the model's
    #[arg(long, value_name = "ID=VALUE", value_parser = assignment)]
    set_timer: Vec<(String, String)>,
    #[arg(long, value_name = "K", help = format!(
        "How often a re-arming trigger fires per run of its host [default: {REFIRES_DEFAULT}; under a script, without bound]"
    ))]
    refires: Option<u32>,
    /// What the outside does beyond the default: failures, cancel, late
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = ["failures", "cancel", "late"])]
    env: Vec<String>,
    /// Timers fire in due order (a run does so anyway)
    #[arg(long)]
    timed: bool,
    /// The most transitions of one run
    #[arg(long, value_name = "N", default_value_t = STEPS_DEFAULT, value_parser = steps)]
    steps: u64,
    /// No data values in faults
    #[arg(long)]
    redact: bool,
    /// Run a model that the validator refuses, as long as it can be compiled
    #[arg(long)]
    lenient: bool,
    /// The other processes of the file take part
    #[arg(long)]
    collaboration: bool,
    /// How many threads to use; a single run needs one
    #[arg(long, value_name = "N", hide = true)]
    jobs: Option<u32>,
    /// How the result is written
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: Format,
    /// Write the trace there, one JSON line per record
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
}

impl Common {
    /// The settings that these options stand for.
    pub(super) fn settings(&self) -> Settings {
        let mut settings = Settings {
            refires: self.refires,
            steps_max: self.steps,
            variables: self.var.iter().cloned().collect(),
            timers: self.set_timer.iter().cloned().collect::<BTreeMap<_, _>>(),
            collaboration: self.collaboration,
            lenient: self.lenient,
            ..Settings::default()
        };
        settings.options.timed = true;
        settings.options.redact = self.redact;
        let named = [
            ("or-join", &self.or_join),
            ("complex-reset", &self.complex_reset),
            ("grain", &self.grain),
            ("conditions", &self.conditions),
            ("env", &self.env.join(".")),
        ];
        for (name, value) in named {
            let set = settings.set(name, value);
            assert!(set.is_ok(), "clap lets only known values of --{name} pass: {set:?}");
        }
        settings
    }
}

pub(super) fn strategy(name: &str) -> Result<Named, String> {
    Named::parse(name).ok_or_else(|| {
        let names: Vec<_> = Named::ALL.iter().map(|named| named.name()).collect();
        format!("the strategies are {}", names.join(", "))
    })
}

pub(super) fn steps(text: &str) -> Result<u64, String> {
    let steps = text.parse().map_err(|_| "a number of steps is expected".to_owned())?;
    within_bound(steps)
}

pub(super) fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("a name, `=` and a value are expected".to_owned()),
    }
}

pub(super) fn variable(text: &str) -> Result<(String, Value), String> {
    let (name, value) = assignment(text)?;
    match serde_json::from_str(&value) {
        Ok(value) => Ok((name, value)),
        Err(error) => Err(format!(
            "`{value}` is not JSON ({error}); texts stand in double quotes: {name}='\"…\"'"
        )),
    }
}
