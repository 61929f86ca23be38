//! `trackside fuzz [FILE…]`: many seeds, many schedules, every transition judged.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use trackside_engine::time;

use super::options::Format;
use super::output::Output;
use super::progress::Bar;
use super::{Exit, Failure};
use crate::campaign::{Campaign, CampaignError, NODES_DEFAULT, SCHEDULES_DEFAULT, SEEDS_DEFAULT, Summary};
use crate::generate::NODES_MAX;
use crate::report::campaign::human;
use crate::schedule::Named;
use crate::shrink::store::{FOLDER, Store};
use crate::source::Source;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// BPMN 2.0 XML files, whose processes are run; without any, models are generated
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// The first seed; each decides a model, its settings and its schedules
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[arg(long, value_name = "N", help = format!("How many seeds [default: {SEEDS_DEFAULT}, or as many as --time allows]"))]
    seeds: Option<u64>,
    /// No new seeds after this time: `60s`, `10m`, `1h30m` or an ISO 8601 duration
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    time: Option<Duration>,
    /// How many schedules each seed runs its model by
    #[arg(long, value_name = "N", default_value_t = SCHEDULES_DEFAULT, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    schedules: u32,
    /// About how many nodes a generated model has at most
    #[arg(long, value_name = "N", default_value_t = NODES_DEFAULT, value_parser = clap::value_parser!(u32).range(1..=i64::from(NODES_MAX)))]
    nodes: u32,
    /// Which models are generated: each seed has its preferences, or all are as likely
    #[arg(long, value_name = "HOW", default_value = "swarm", value_parser = ["swarm", "even"])]
    models: String,
    /// Who chooses among what is possible
    #[arg(long, value_name = "NAME", default_value = "portfolio", value_parser = super::options::strategy)]
    strategy: Named,
    /// How many threads to use; the result is the same for any number [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Where an interrupted campaign is kept, to be gone on with
    #[arg(long, value_name = "DIR", default_value = "target/trackside/fuzz")]
    store: PathBuf,
    /// Where shrunk findings are written, each a model and its case [default: proptest-regressions, or for planted faults
    /// target/trackside/planted]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pinned: Pinned,
    #[cfg(feature = "planted-faults")]
    #[command(flatten)]
    plant: super::plant::Arguments,
    /// How the result is written
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: Format,
}

/// Settings that are the same under all seeds; what is left open is drawn for generated models, and the default for
/// given ones.
#[derive(Debug, clap::Args)]
struct Pinned {
    /// When an inclusive join fires
    #[arg(long, value_name = "RULE", value_parser = ["standard", "conservative"])]
    or_join: Option<String>,
    /// What a complex join does with late tokens
    #[arg(long, value_name = "RULE", value_parser = ["silent", "standard"])]
    complex_reset: Option<String>,
    /// How fine the transitions are
    #[arg(long, value_name = "GRAIN", value_parser = ["protocol", "atomic"])]
    grain: Option<String>,
    /// Whether conditions are decided over process data or chosen freely
    #[arg(long, value_name = "HOW", value_parser = ["data", "symbolic"])]
    conditions: Option<String>,
    /// Process data that instances begin with
    #[arg(long, value_name = "NAME=JSON", value_parser = super::options::variable)]
    var: Vec<(String, Value)>,
    /// A timer value that stands in for the model's
    #[arg(long, value_name = "ID=VALUE", value_parser = super::options::assignment)]
    set_timer: Vec<(String, String)>,
    /// How often a re-arming trigger fires per run of its host
    #[arg(long, value_name = "K")]
    refires: Option<u32>,
    /// What the outside does beyond the default, under all seeds: failures, cancel, late, or none; otherwise some seeds turn it on
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = ["failures", "cancel", "late", "none"])]
    env: Vec<String>,
    /// Timers fire in due order
    #[arg(long)]
    timed: bool,
    /// The most transitions of one run
    #[arg(long, value_name = "N", value_parser = super::options::steps)]
    steps: Option<u64>,
    /// No data values in faults
    #[arg(long)]
    redact: bool,
}

impl Pinned {
    /// As pairs of a setting and its value.
    fn pairs(&self) -> Vec<(String, String)> {
        let texts = [
            ("or-join", self.or_join.clone()),
            ("complex-reset", self.complex_reset.clone()),
            ("grain", self.grain.clone()),
            ("conditions", self.conditions.clone()),
            ("refires", self.refires.map(|k| k.to_string())),
            ("steps", self.steps.map(|n| n.to_string())),
            ("timed", self.timed.then(|| "true".to_owned())),
            ("redact", self.redact.then(|| "true".to_owned())),
            ("env", self.environment()),
        ];
        let named = texts
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let variables = self
            .var
            .iter()
            .map(|(name, value)| (format!("var.{name}"), value.to_string()));
        let timers = self
            .set_timer
            .iter()
            .map(|(id, value)| (format!("timer.{id}"), value.clone()));
        named.chain(variables).chain(timers).collect()
    }

    fn environment(&self) -> Option<String> {
        let named: Vec<&str> = self
            .env
            .iter()
            .map(String::as_str)
            .filter(|&name| name != "none")
            .collect();
        (!self.env.is_empty()).then(|| named.join("."))
    }
}

/// The document of a campaign.
#[derive(Serialize)]
struct Document<'s> {
    version: u32,
    kind: &'static str,
    options: serde_json::Map<String, Value>,
    #[serde(flatten)]
    summary: &'s Summary,
}

pub(super) fn fuzz(arguments: &Arguments, output: &mut Output) -> Result<Exit, Failure> {
    let campaign = campaign(arguments)?;
    #[cfg(feature = "planted-faults")]
    if !arguments.plant.faults().is_empty() {
        let campaign = campaign.seeds(arguments.seeds.unwrap_or(super::plant::SEEDS_DEFAULT));
        let out = arguments
            .out
            .as_deref()
            .unwrap_or(Path::new("target/trackside/planted"));
        let how = (arguments.strategy, arguments.format, options(arguments));
        return arguments.plant.run(&campaign.cases(cases(out)), how, output);
    }
    let mut bar = Bar::new();
    let out = arguments.out.as_deref().unwrap_or(Path::new(FOLDER));
    let campaign = campaign.store(&arguments.store).cases(cases(out));
    let summary = campaign.run_with(&mut |progress| bar.show(progress));
    bar.finish();
    let summary = summary.map_err(failure)?;
    match arguments.format {
        Format::Human => output.text(&human(&summary, output.style())),
        Format::Json => output.document(&Document {
            version: 1,
            kind: "fuzz",
            options: options(arguments),
            summary: &summary,
        }),
    }
    Ok(if summary.violated == 0 {
        Exit::Hoped
    } else {
        Exit::Finding
    })
}

/// The campaign that these arguments describe.
fn campaign(arguments: &Arguments) -> Result<Campaign, Failure> {
    let mut campaign = if arguments.files.is_empty() {
        let generated = Campaign::generated().nodes(arguments.nodes);
        if arguments.models == "even" {
            generated.even()
        } else {
            generated
        }
    } else {
        let sources: Result<Vec<Source>, Failure> = arguments.files.iter().map(|path| super::run::read(path)).collect();
        Campaign::of(&sources?).map_err(failure)?
    };
    for (name, value) in arguments.pinned.pairs() {
        campaign = campaign.setting(&name, &value).map_err(failure)?;
    }
    if let Some(seeds) = arguments.seeds {
        campaign = campaign.seeds(seeds);
    }
    if let Some(time) = arguments.time {
        campaign = campaign.time(time);
    }
    let jobs = arguments.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        usize::from,
    );
    Ok(campaign
        .seed(arguments.seed)
        .schedules(arguments.schedules)
        .strategy(arguments.strategy)
        .jobs(jobs))
}

/// Everything that shaped the result.
fn options(arguments: &Arguments) -> serde_json::Map<String, Value> {
    let mut options = serde_json::Map::new();
    options.insert("seed".to_owned(), arguments.seed.into());
    options.insert("strategy".to_owned(), arguments.strategy.name().into());
    options.insert("schedules".to_owned(), arguments.schedules.into());
    options.insert("files".to_owned(), arguments.files.clone().into());
    if arguments.files.is_empty() {
        options.insert("nodes".to_owned(), arguments.nodes.into());
        options.insert("models".to_owned(), arguments.models.clone().into());
    }
    if let Some(time) = arguments.time {
        options.insert("time_ms".to_owned(), (time.as_millis() as u64).into());
    }
    options.insert("seeds".to_owned(), arguments.seeds.into());
    for (name, value) in arguments.pinned.pairs() {
        if !(arguments.pinned.redact && name.starts_with("var.")) {
            options.insert(name, value.into());
        }
    }
    options
}

/// The folder that findings are written to; tokens name it as it is named from here.
fn cases(out: &Path) -> Store {
    Store::new(".", &out.display().to_string())
}

fn failure(error: CampaignError) -> Failure {
    match error {
        CampaignError::Invalid { path, problems } => Failure::Problems { path, problems },
        error => Failure::Campaign(error),
    }
}

/// Reads `90s`, `10m`, `1h30m`, `500ms` or an ISO 8601 duration.
fn duration(text: &str) -> Result<Duration, String> {
    let told = || format!("`{text}` is no duration: `60s`, `10m`, `1h30m` or `PT1M` are");
    if text.starts_with('P') {
        let interval = time::duration(text).map_err(|_| told())?;
        let ms = interval.after(0).ok_or_else(told)?;
        return u64::try_from(ms).map(Duration::from_millis).map_err(|_| told());
    }
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(told)?;
        let number: u32 = rest[..digits].parse().map_err(|_| told())?;
        let letters = rest[digits..]
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(rest.len() - digits);
        let unit = match &rest[digits..digits + letters] {
            "ms" => Duration::from_millis(1),
            "s" => Duration::from_secs(1),
            "m" => Duration::from_mins(1),
            "h" => Duration::from_hours(1),
            _ => return Err(told()),
        };
        total = unit
            .checked_mul(number)
            .and_then(|part| total.checked_add(part))
            .ok_or_else(told)?;
        rest = &rest[digits + letters..];
    }
    if total.is_zero() { Err(told()) } else { Ok(total) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        let ms = |text: &str| duration(text).map(|duration| duration.as_millis());
        assert_eq!(ms("60s"), Ok(60_000));
        assert_eq!(ms("1h30m"), Ok(5_400_000));
        assert_eq!(ms("500ms"), Ok(500));
        assert_eq!(ms("PT1M"), Ok(60_000));
        for text in ["", "60", "s", "5x", "0s", "-1s", "P", "1h30", "99999999999999s"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
