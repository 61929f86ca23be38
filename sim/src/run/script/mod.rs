//! Scripts: what the outside does, one event per line.
//!
//! | line | meaning |
//! |---|---|
//! | `complete ID[#N] [NAME=JSON …]` | external work of node ID ends well, writing these data: its oldest running activation, or its N-th since the start. If that is not running any more, the answer is late: discarded and recorded |
//! | `error ID[#N] CODE` | it ends with a BPMN error |
//! | `fail ID[#N] TEXT` | it ends with a technical failure |
//! | `message NAME [NAME=JSON …]`, `signal NAME [NAME=JSON …]` | an event from outside, by its name or id |
//! | `advance DURATION` | virtual time passes; due timers fire in due order |
//! | `set NAME=JSON …` | process data change |
//! | `cancel` | the instance is canceled from outside |
//! | `# …` | a comment |
//!
//! A name may hold spaces; quoted like a JSON string (`message "a=b"`) it may hold anything.

mod cursor;
mod parse;

use std::collections::BTreeSet;

use trackside_engine::expr::Data;
use trackside_engine::time::Interval;

/// The largest script that is read, in bytes.
pub const SCRIPT_BYTES_MAX: usize = 16 << 20;

/// A script, read.
///
/// ```
/// use trackside_sim::run::script::{Input, Script};
///
/// let script = Script::parse("# a customer pays\ncomplete Pay amount=12\nadvance PT1H").unwrap();
/// assert_eq!(script.lines().len(), 2);
/// assert!(matches!(&script.lines()[0].input, Input::Complete { work, .. } if work.element == "Pay"));
///
/// let errors = Script::parse("complete\nadvance 1h").unwrap_err();
/// let places: Vec<_> = errors.iter().map(|error| (error.line, error.column)).collect();
/// assert_eq!(places, [(1, 9), (2, 9)]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    lines: Vec<Line>,
}

/// One line of a script that does something.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its number, from 1.
    pub line: u32,
    /// Its text, without spaces around it.
    pub text: String,
    /// What it does.
    pub input: Input,
}

/// What a line does.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// `complete`
    Complete {
        /// Which work.
        work: Work,
        /// What it writes.
        data: Data,
    },
    /// `error`
    Error {
        /// Which work.
        work: Work,
        /// The error's code.
        code: String,
    },
    /// `fail`
    Fail {
        /// Which work.
        work: Work,
        /// What happened.
        text: String,
    },
    /// `message`
    Message {
        /// Its name or id.
        name: String,
        /// Its payload.
        data: Data,
    },
    /// `signal`
    Signal {
        /// Its name or id.
        name: String,
        /// Its payload.
        data: Data,
    },
    /// `advance`
    Advance(Interval),
    /// `set`
    Set(Data),
    /// `cancel`
    Cancel,
}

/// An activation of external work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// The id of its node.
    pub element: String,
    /// Which activation since the start, from 1; without it the oldest that is running.
    pub nth: Option<u32>,
}

/// What is wrong with a script, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ScriptError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, in the order of its lines.
    pub fn parse(text: &str) -> Result<Self, Vec<ScriptError>> {
        let mut lines = Vec::new();
        let mut errors = Vec::new();
        for (number, text) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            match parse::line(text) {
                Ok(None) => {}
                Ok(Some(input)) => lines.push(Line {
                    line: number,
                    text: text.trim().to_owned(),
                    input,
                }),
                Err((column, message)) => errors.push(ScriptError {
                    line: number,
                    column,
                    message,
                }),
            }
        }
        if errors.is_empty() {
            Ok(Self { lines })
        } else {
            Err(errors)
        }
    }

    /// Its lines, without comments.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The nodes that it names as external work (BND-11).
    pub fn external(&self) -> BTreeSet<String> {
        let work = self.lines.iter().filter_map(|line| line.input.work());
        work.map(|work| work.element.clone()).collect()
    }
}

impl Input {
    /// The external work that it answers for.
    pub fn work(&self) -> Option<&Work> {
        match self {
            Self::Complete { work, .. } | Self::Error { work, .. } | Self::Fail { work, .. } => Some(work),
            _ => None,
        }
    }
}
