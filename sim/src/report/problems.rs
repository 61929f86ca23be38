//! Problems of models, for people and in documents.

use serde::Serialize;
use trackside_engine::problem::{Problem, Severity};

use crate::cli::{Style, Tone};

/// A problem as `validate --format json` has it.
#[derive(Debug, Serialize)]
pub(crate) struct Document<'p> {
    severity: Severity,
    file: &'p str,
    line: u32,
    column: u32,
    element: Option<&'p str>,
    rule: &'p str,
    message: &'p str,
    hint: &'p str,
}

/// The problems of one file, for a document.
pub(crate) fn documents<'p>(path: &'p str, problems: &'p [Problem]) -> Vec<Document<'p>> {
    let document = |problem: &'p Problem| Document {
        severity: problem.severity,
        file: path,
        line: problem.at.line,
        column: problem.at.column,
        element: problem.element.as_deref(),
        rule: &problem.rule,
        message: &problem.message,
        hint: &problem.hint,
    };
    problems.iter().map(document).collect()
}

/// The problems of one file, a line each, and a line for each hint.
pub(crate) fn human(path: &str, problems: &[Problem], style: Style) -> String {
    problems.iter().map(|problem| one(path, problem, style)).collect()
}

fn one(path: &str, problem: &Problem, style: Style) -> String {
    let place = match problem.at.line {
        0 => path.to_owned(),
        line => format!("{path}:{line}:{}", problem.at.column),
    };
    let tone = match problem.severity {
        Severity::Error => Tone::Bad,
        Severity::Warning => Tone::Doubtful,
    };
    let head = style.paint(tone, &format!("{}[{}]", problem.severity, problem.rule));
    let element = problem.element.as_deref().map_or(String::new(), |id| format!(" {id}:"));
    let hint = match problem.hint.as_str() {
        "" => String::new(),
        hint => format!("  {} {hint}\n", style.paint(Tone::Quiet, "hint:")),
    };
    format!("{place}: {head}{element} {}\n{hint}", problem.message)
}

/// How many there are.
pub(crate) fn summary(problems: &[Problem]) -> String {
    let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let of = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    };
    match (errors, warnings) {
        (0, 0) => "no problems".to_owned(),
        (errors, 0) => of(errors, "error"),
        (0, warnings) => of(warnings, "warning"),
        (errors, warnings) => format!("{}, {}", of(errors, "error"), of(warnings, "warning")),
    }
}

/// How many there are in how many files.
pub(crate) fn summary_of_files(files: usize, problems: &[Problem]) -> String {
    match files {
        1 => format!("1 file: {}", summary(problems)),
        files => format!("{files} files: {}", summary(problems)),
    }
}
