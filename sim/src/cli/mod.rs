//! The `trackside` command: arguments in, documents and stories out.
//!
//! Each command is a file of its own and gives an `Exit`; what keeps it from running at all is a `Failure`, reported
//! in one place ([`main`]). Exit codes are part of the interface:
//!
//! | code | meaning |
//! |---|---|
//! | 0 | as hoped |
//! | 1 | a finding: faulted, stuck |
//! | 2 | wrong usage or input: nothing ran |
//! | 3 | undecided: a bound was reached |
//! | 4 | a defect of trackside itself |

mod fuzz;
mod generate;
mod options;
mod output;
#[cfg(feature = "planted-faults")]
mod plant;
mod progress;
mod replay;
mod run;
mod story;
mod validate;

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use trackside_engine::problem::Problem;

use crate::campaign::CampaignError;
use crate::report::problems;
use crate::run::{RunError, ScriptError};
use crate::token::TokenError;
use options::Format;
use output::Output;
pub(crate) use output::{Style, Tone};

/// What the help says first.
const ABOUT: &str = "Deterministic simulation for BPMN: one seed decides every ordering of a run";

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "trackside", version, about = ABOUT, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Reads and validates models; prints all problems.
    Validate(validate::Arguments),
    /// Runs one simulated execution under a seed; prints its story and its end.
    Run(Box<run::Arguments>),
    /// Plays a saved run again, from its token or from a file that holds one.
    Replay(replay::Arguments),
    /// Writes a random model as BPMN XML, with diagram information.
    Generate(generate::Arguments),
    /// Runs many models under many schedules, and judges every transition.
    Fuzz(Box<fuzz::Arguments>),
}

impl Command {
    const fn name(&self) -> &'static str {
        match self {
            Self::Validate(_) => "validate",
            Self::Run(_) => "run",
            Self::Replay(_) => "replay",
            Self::Generate(_) => "generate",
            Self::Fuzz(_) => "fuzz",
        }
    }

    const fn format(&self) -> Format {
        match self {
            Self::Validate(arguments) => arguments.format,
            Self::Run(arguments) => arguments.common.format,
            Self::Replay(arguments) => arguments.format,
            Self::Generate(arguments) => arguments.format,
            Self::Fuzz(arguments) => arguments.format,
        }
    }
}

/// How a command went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    Hoped,
    Finding,
    Input,
    Undecided,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Hoped => 0,
            Exit::Finding => 1,
            Exit::Input => 2,
            Exit::Undecided => 3,
        })
    }
}

/// The exit code of a defect of trackside itself.
const DEFECT: u8 = 4;

/// Why a command did not run.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{path}: {error}")]
    Unreadable { path: String, error: std::io::Error },
    #[error("{path}: {error}")]
    Unwritable { path: String, error: std::io::Error },
    #[error("{}", problems::summary(.problems))]
    Problems { path: String, problems: Vec<Problem> },
    #[error("{}", lines(.path, .errors))]
    Script { path: String, errors: Vec<ScriptError> },
    #[error("{0}")]
    Token(#[from] TokenError),
    #[error("{path}: no line of it begins with a token (`ts1:`), and there is no such token")]
    NoToken { path: String },
    #[error("{error}\n  hint: {hint}")]
    Mismatch { error: RunError, hint: &'static str },
    #[error("{0}")]
    Run(RunError),
    #[error("{0}")]
    Campaign(CampaignError),
}

fn lines(path: &str, errors: &[ScriptError]) -> String {
    let lines: Vec<_> = errors.iter().map(|error| format!("{path}:{error}")).collect();
    lines.join("\n")
}

/// Runs the command that the process was started with.
///
/// A panic is a defect of trackside, says so, and ends with code 4.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    panic::set_hook(Box::new(|info| {
        output::complain(format_args!(
            "{info}\nThis is a defect of trackside itself, not of your model. Please report it with the command line."
        ));
    }));
    guarded(|| dispatch(&arguments.command))
}

/// A panic is an exit code like any other.
fn guarded(deed: impl FnOnce() -> ExitCode) -> ExitCode {
    panic::catch_unwind(AssertUnwindSafe(deed)).unwrap_or_else(|_| ExitCode::from(DEFECT))
}

fn dispatch(command: &Command) -> ExitCode {
    let mut output = Output::new();
    let outcome = match command {
        Command::Validate(arguments) => Ok(validate::validate(arguments, &mut output)),
        Command::Run(arguments) => run::run(arguments, &mut output),
        Command::Replay(arguments) => replay::replay(arguments, &mut output),
        Command::Generate(arguments) => generate::generate(arguments, &mut output),
        Command::Fuzz(arguments) => fuzz::fuzz(arguments, &mut output),
    };
    let exit = outcome.unwrap_or_else(|failure| {
        report(command, &failure, &mut output);
        Exit::Input
    });
    // A result that nobody could read is none.
    let exit = if output.finish() { exit } else { Exit::Input };
    exit.into()
}

/// The one place where failures are reported: on stderr for people, and, where a document is expected, in it.
fn report(command: &Command, failure: &Failure, output: &mut Output) {
    if let Failure::Problems { path, problems } = failure {
        if command.format() == Format::Human {
            output.text(&problems::human(path, problems, output.style()));
        } else {
            output.document(&serde_json::json!({
                "version": 1, "kind": command.name(), "file": path, "end": null,
                "problems": problems::documents(path, problems),
            }));
        }
    } else if command.format() == Format::Json {
        output.document(&serde_json::json!({
            "version": 1, "kind": command.name(), "end": null, "error": failure.to_string(),
        }));
    }
    output::complain(format_args!("{failure}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_defect() {
        assert_eq!(guarded(|| panic!("on purpose")), ExitCode::from(4));
        assert_eq!(guarded(|| Exit::Finding.into()), ExitCode::from(1));
    }

    #[test]
    fn the_arguments_are_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}
