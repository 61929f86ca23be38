//! `trackside generate --seed N`: a random model as BPMN XML, with diagram information.

use std::path::{Path, PathBuf};

use serde::Serialize;
use trackside_engine::model::Definitions;
use trackside_engine::xml;

use super::options::Format;
use super::output::Output;
use super::{Exit, Failure};
use crate::generate::{Family, NODES_MAX, Parameters, VARIABLES, model};
use crate::layout::lay_out;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// One seed decides the whole model
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// About how many nodes the model has
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=i64::from(NODES_MAX)))]
    nodes: u32,
    /// What the model is promised to be: blocks always complete, the others may get stuck
    #[arg(long, value_name = "FAMILY", default_value = "block", value_parser = ["block", "acyclic", "cyclic"])]
    family: String,
    /// Write the model there instead of to stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How the result is written
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: Format,
}

/// The document of a generated model.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    kind: &'static str,
    options: Options<'a>,
    process: &'a str,
    scopes: usize,
    nodes: usize,
    flows: usize,
    variables: [&'static str; VARIABLES.len()],
    out: Option<String>,
    /// The model itself, where it was written to no file.
    bpmn: Option<&'a str>,
}

#[derive(Serialize)]
struct Options<'a> {
    seed: u64,
    nodes: u32,
    family: &'a str,
}

pub(super) fn generate(arguments: &Arguments, output: &mut Output) -> Result<Exit, Failure> {
    let family = match &*arguments.family {
        "acyclic" => Family::Acyclic,
        "cyclic" => Family::Cyclic,
        _ => Family::Block,
    };
    let mut definitions = model(arguments.seed, &Parameters::of(family).nodes(arguments.nodes));
    lay_out(&mut definitions);
    let text = xml::write(&definitions);
    if let Some(path) = &arguments.out {
        write(path, &text)?;
    }
    let document = document(arguments, &definitions, &text);
    match (arguments.format, &document.out) {
        (Format::Json, _) => output.document(&document),
        (Format::Human, None) => output.text(&text),
        (Format::Human, Some(path)) => {
            output.line(&format!("{path}: {} nodes, {} flows", document.nodes, document.flows));
            output.line("Its conditions are free choices of the run, or over a, b and c:");
            output.line(&format!("  trackside run {path} --conditions symbolic"));
            output.line(&format!("  trackside run {path} --var a=0 --var b=1 --var c=2"));
        }
    }
    Ok(Exit::Hoped)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::Unwritable {
        path: path.display().to_string(),
        error,
    })
}

fn document<'a>(arguments: &'a Arguments, definitions: &'a Definitions, text: &'a str) -> Document<'a> {
    let out = arguments.out.as_ref().map(|path| path.display().to_string());
    Document {
        version: 1,
        kind: "generate",
        options: Options {
            seed: arguments.seed,
            nodes: arguments.nodes,
            family: &arguments.family,
        },
        process: definitions.process(None).map_or("", |process| &process.id),
        scopes: definitions.scopes.len(),
        nodes: definitions.scopes.iter().map(|scope| scope.nodes.len()).sum(),
        flows: definitions.scopes.iter().map(|scope| scope.flows.len()).sum(),
        variables: VARIABLES,
        bpmn: out.is_none().then_some(text),
        out,
    }
}
