//! What can be wrong with a file, and how it is said.
//!
//! Reader, validator and compiler report into one list of [`Problem`]s instead of stopping at the first: a modeller
//! wants to see all of them at once, each with its place, its rule and a way out.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::Position;

/// How bad a [`Problem`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The model is not run as it stands.
    Error,
    /// The model runs; its author should know all the same.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// One thing that is wrong at one place.
///
/// `rule` is an id of `docs/semantics.md` (`EVG-5`, `CPX-7`, …) or one of the reading rules `XML-1` … listed there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Error or warning.
    pub severity: Severity,
    /// Where the element starts in its file; 1-based.
    pub at: Position,
    /// The id of the element, where there is one.
    pub element: Option<String>,
    /// The rule that is broken.
    pub rule: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What usually mends it.
    pub hint: String,
}

impl Problem {
    /// An error at `at`.
    pub fn error(rule: &str, at: Position, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            at,
            element: None,
            rule: rule.to_owned(),
            message: message.into(),
            hint: String::new(),
        }
    }

    /// A warning at `at`.
    pub fn warning(rule: &str, at: Position, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(rule, at, message)
        }
    }

    /// Names the element that the problem is about.
    #[must_use]
    pub fn element(mut self, id: impl Into<String>) -> Self {
        self.element = Some(id.into());
        self
    }

    /// Says what usually mends it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

/// Whether any of `problems` is an error.
pub fn any_error(problems: &[Problem]) -> bool {
    problems.iter().any(|p| p.severity == Severity::Error)
}
