//! `trackside validate FILE…`: everything that is wrong with models.

use trackside_engine::model::Position;
use trackside_engine::problem::Problem;

use super::Exit;
use super::options::Format;
use super::output::Output;
use crate::report::problems;
use crate::source::Source;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// BPMN 2.0 XML files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// How the problems are written
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: Format,
}

pub(super) fn validate(arguments: &Arguments, output: &mut Output) -> Exit {
    let mut errors = false;
    let mut all = Vec::new();
    for path in &arguments.files {
        let problems = problems_of(path);
        errors |= trackside_engine::problem::any_error(&problems);
        if arguments.format == Format::Human {
            output.text(&problems::human(path, &problems, output.style()));
        }
        all.push((path, problems));
    }
    match arguments.format {
        Format::Human => {
            let every: Vec<Problem> = all.iter().flat_map(|(_, problems)| problems.iter().cloned()).collect();
            output.line(&problems::summary_of_files(all.len(), &every));
        }
        Format::Json => {
            let documents = all
                .iter()
                .flat_map(|(path, problems)| problems::documents(path, problems));
            output.document(&serde_json::json!({
                "version": 1, "kind": "validate", "problems": documents.collect::<Vec<_>>(),
            }));
        }
    }
    if errors { Exit::Input } else { Exit::Hoped }
}

/// A file that can't be read is a problem like any other: the others are judged all the same.
fn problems_of(path: &str) -> Vec<Problem> {
    match Source::read(path) {
        Ok(source) => source.problems,
        Err(error) => {
            let problem = Problem::error("FILE", Position::default(), format!("can't be read: {error}"));
            vec![problem.hint("name a BPMN 2.0 XML file that exists and may be read")]
        }
    }
}
