//! `trackside run FILE`: one simulated execution under a seed.

use std::path::{Path, PathBuf};

use trackside_engine::model::{Declaration, Definitions};

use super::options::{Common, Format};
use super::output::{Output, complain};
use super::story::Story;
use super::{Exit, Failure};
use crate::report::problems;
use crate::run::script::{Input, SCRIPT_BYTES_MAX};
use crate::run::{Report, RunError, Script, Simulation};
use crate::source::{Source, read_bounded};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A BPMN 2.0 XML file
    #[arg(value_name = "FILE")]
    file: String,
    /// From outside, only what this script says happens
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    #[command(flatten)]
    pub(super) common: Common,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Exit, Failure> {
    let common = &arguments.common;
    let source = read(&arguments.file)?;
    let mut simulation = Simulation::of(&source)
        .strategy(common.strategy, common.seed)
        .settings(common.settings());
    if let Some(id) = &common.process {
        simulation = simulation.process(id);
    }
    if let Some(path) = &arguments.events {
        let script = script(path)?;
        warn_of_strangers(&path.display().to_string(), &script, &source.definitions);
        simulation = simulation.script(script);
    }
    if !source.problems.is_empty() && (!source.has_errors() || common.settings().lenient) {
        let summary = problems::summary(&source.problems);
        complain(format_args!(
            "{}: {summary}; `trackside validate` lists them",
            source.path
        ));
    }
    execute(&source, &simulation, (common.format, common.trace.as_deref()), output)
}

/// Reads a model.
pub(super) fn read(path: &str) -> Result<Source, Failure> {
    Source::read(path).map_err(|error| Failure::Unreadable {
        path: path.to_owned(),
        error,
    })
}

fn script(path: &Path) -> Result<Script, Failure> {
    let name = path.display().to_string();
    let unreadable = |error| Failure::Unreadable {
        path: name.clone(),
        error,
    };
    let bytes = read_bounded(path, SCRIPT_BYTES_MAX as u64).map_err(unreadable)?;
    let text = String::from_utf8(bytes)
        .map_err(|error| unreadable(std::io::Error::new(std::io::ErrorKind::InvalidData, error)))?;
    Script::parse(&text).map_err(|errors| Failure::Script {
        path: name.clone(),
        errors,
    })
}

/// A line about something that the model does not have is no error, but hardly what its author meant.
fn warn_of_strangers(path: &str, script: &Script, definitions: &Definitions) {
    for line in script.lines() {
        let (what, name, known) = match &line.input {
            Input::Message { name, .. } => ("message", name, declared(&definitions.messages, name)),
            Input::Signal { name, .. } => ("signal", name, declared(&definitions.signals, name)),
            input => match input.work() {
                Some(work) => ("node", &work.element, has_node(definitions, &work.element)),
                None => continue,
            },
        };
        if !known {
            complain(format_args!(
                "{path}:{}: warning: the model has no {what} `{name}`",
                line.line
            ));
        }
    }
}

fn declared(declarations: &[Declaration], name: &str) -> bool {
    declarations
        .iter()
        .any(|d| d.id == name || d.name.as_deref() == Some(name))
}

fn has_node(definitions: &Definitions, id: &str) -> bool {
    definitions
        .scopes
        .iter()
        .flat_map(|scope| &scope.nodes)
        .any(|node| node.id == id)
}

/// Runs, tells the story, and writes the trace and the document that are asked for.
pub(super) fn execute(
    source: &Source,
    simulation: &Simulation<'_>,
    (format, trace): (Format, Option<&Path>),
    output: &mut Output,
) -> Result<Exit, Failure> {
    let mut story = Story::new(format, trace, output);
    let report = simulation.run_with(&mut |event| story.event(event));
    let report = match report {
        Ok(report) => report,
        Err(error @ RunError::Divergence(_)) => {
            story.finish()?;
            return Err(failure(source, error));
        }
        Err(error) => return Err(failure(source, error)),
    };
    story.finish()?;
    match format {
        Format::Human => output.text(&crate::report::human::ending(&report, output.style())),
        Format::Json => output.document(&report),
    }
    Ok(exit(&report))
}

fn failure(source: &Source, error: RunError) -> Failure {
    match error {
        RunError::Invalid(problems) => Failure::Problems {
            path: source.path.clone(),
            problems,
        },
        error => Failure::Run(error),
    }
}

fn exit(report: &Report) -> Exit {
    match report.exit_code() {
        0 => Exit::Hoped,
        3 => Exit::Undecided,
        _ => Exit::Finding,
    }
}
