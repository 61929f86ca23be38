//! The list of problems of one reading, bounded so that a hostile file cannot fill the memory with complaints.

use crate::model::Position;
use crate::problem::{Problem, Severity};

use super::rule;

/// Longest piece of a file that is quoted in a message, in characters.
const QUOTE_MAX: usize = 60;

/// Collects problems; see [`Limits::problems`](super::Limits::problems).
#[derive(Debug)]
pub(super) struct Problems {
    list: Vec<Problem>,
    each_max: usize,
    errors: Count,
    warnings: Count,
}

#[derive(Debug, Default)]
struct Count {
    listed: usize,
    left_out: usize,
}

impl Problems {
    pub(super) fn new(each_max: usize) -> Self {
        Self {
            list: Vec::new(),
            each_max,
            errors: Count::default(),
            warnings: Count::default(),
        }
    }

    /// Lists `problem`, or counts it where there are too many of its severity.
    pub(super) fn push(&mut self, problem: Problem) {
        let count = match problem.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if count.listed < self.each_max {
            count.listed += 1;
            self.list.push(problem);
        } else {
            count.left_out += 1;
        }
    }

    /// All of them in the order of the file; what was only counted is said at the end.
    pub(super) fn finish(mut self) -> Vec<Problem> {
        self.list.sort_by_key(|problem| problem.at);
        let hint = "Mend the problems above first.";
        if self.errors.left_out > 0 {
            let message = format!("{} more errors are not listed", self.errors.left_out);
            self.list
                .push(Problem::error(rule::LIMIT, Position::default(), message).hint(hint));
        }
        if self.warnings.left_out > 0 {
            let message = format!("{} more warnings are not listed", self.warnings.left_out);
            self.list
                .push(Problem::warning(rule::LIMIT, Position::default(), message).hint(hint));
        }
        self.list
    }
}

/// The problem for which reading stops: the rest of the file makes no sense, or is too much.
#[derive(Debug)]
pub(super) struct Stop(Box<Problem>);

impl Stop {
    pub(super) fn into_problem(self) -> Problem {
        *self.0
    }
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self(Box::new(problem))
    }
}

/// `text` in quotes and on one line, cut where it is long.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::from("`");
    for (index, character) in text.chars().enumerate() {
        if index == QUOTE_MAX {
            quoted.push('…');
            break;
        }
        quoted.push(if character.is_control() { ' ' } else { character });
    }
    quoted.push('`');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_not_lost_behind_warnings() {
        let mut problems = Problems::new(1);
        for line in 1..=3 {
            problems.push(Problem::warning("W", Position { line, column: 1 }, "w"));
        }
        problems.push(Problem::error("E", Position { line: 1, column: 0 }, "e"));
        let rules: Vec<_> = problems.finish().into_iter().map(|p| (p.rule, p.message)).collect();
        let expected = [("E", "e"), ("W", "w"), (rule::LIMIT, "2 more warnings are not listed")];
        assert_eq!(rules, expected.map(|(rule, text)| (rule.to_owned(), text.to_owned())));
    }

    #[test]
    fn a_dropped_error_leaves_an_error() {
        let mut problems = Problems::new(0);
        problems.push(Problem::error("E", Position::default(), "e"));
        assert!(crate::problem::any_error(&problems.finish()));
    }

    #[test]
    fn quotes_are_short_and_on_one_line() {
        assert_eq!(quote("a\nb"), "`a b`");
        assert_eq!(quote(&"x".repeat(100)).chars().count(), QUOTE_MAX + 3);
    }
}
