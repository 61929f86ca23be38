//! `trackside replay TOKEN`: a saved run, step by step.

use std::path::{Path, PathBuf};

use super::options::Format;
use super::output::Output;
use super::run::{execute, read};
use super::{Exit, Failure};
use crate::run::{RunError, Simulation};
use crate::source::read_bounded;
use crate::token::{Token, find_in};

/// The largest file that is looked into for a token: the document of a run names each step of each track.
const DOCUMENT_BYTES_MAX: u64 = 256 << 20;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A token (`ts1:…`), or a file that holds one: a line of it, or the JSON document of a run
    #[arg(value_name = "TOKEN")]
    token: String,
    /// The model, where it is no longer where the token says
    #[arg(long, value_name = "FILE")]
    model: Option<String>,
    /// How the result is written
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: Format,
    /// Write the trace there, one JSON line per record
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

pub(super) fn replay(arguments: &Arguments, output: &mut Output) -> Result<Exit, Failure> {
    let token: Token = text(&arguments.token)?.parse()?;
    let mut source = read(arguments.model.as_deref().unwrap_or(&token.model)).map_err(|failure| match failure {
        Failure::Unreadable { path, error } if arguments.model.is_none() => Failure::Unreadable {
            path: format!("the token's model {path} (elsewhere now? --model FILE)"),
            error,
        },
        failure => failure,
    })?;
    // The path is part of the token and not of the run: a token stays the same when its model has moved.
    source.path.clone_from(&token.model);
    let simulation = Simulation::replay(&source, &token).map_err(|error| match error {
        RunError::Mismatch(_) => Failure::Mismatch {
            error,
            hint: "a token plays only where engine, model and options are those it was made with",
        },
        error => Failure::Run(error),
    })?;
    execute(
        &source,
        &simulation,
        (arguments.format, arguments.trace.as_deref()),
        output,
    )
}

/// The token itself, or the one in a file.
fn text(argument: &str) -> Result<String, Failure> {
    let looks_like_one = argument.trim_start().starts_with("ts")
        && argument
            .split_once(':')
            .is_some_and(|(version, _)| version.trim()[2..].bytes().all(|b| b.is_ascii_digit()));
    if looks_like_one {
        return Ok(argument.to_owned());
    }
    let bytes = read_bounded(Path::new(argument), DOCUMENT_BYTES_MAX).map_err(|error| {
        if error.kind() == std::io::ErrorKind::NotFound {
            Failure::NoToken {
                path: argument.to_owned(),
            }
        } else {
            Failure::Unreadable {
                path: argument.to_owned(),
                error,
            }
        }
    })?;
    find_in(&String::from_utf8_lossy(&bytes)).ok_or_else(|| Failure::NoToken {
        path: argument.to_owned(),
    })
}
