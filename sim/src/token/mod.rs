//! Replay tokens: a whole run in a line of text.
//!
//! A token names the model by its path and process, brings the settings that differ from the defaults, the scripted
//! inputs with their data, and the schedule; and it carries the fingerprints of the engine, of the model's bytes and of
//! all settings, so that replaying it elsewhere says *what* has changed. It needs no quoting in a shell. It holds the
//! values of variables and scripted inputs as they were given: treat it like the script.
//!
//! ```text
//! ts1:f=models/order.bpmn,p=order,e=0.1.0-1,m=85944171f73967e8,o=af63bd4c8601b7df,or-join=conservative,d=3a1.J:7c2.Pay,z=33f03f76b4ea7859
//! ```
//!
//! | field | holds |
//! |---|---|
//! | `f`, `p` | path of the model as it was given; id of the process |
//! | `e` | version of the engine and, after a dash, of its records |
//! | `m`, `o` | FNV-1a of the model's bytes; of all settings |
//! | `or-join`, `refires`, `var.NAME`, `timer.ID`, … | settings that differ from the default, under their names on the command line |
//! | `b` | the element that began the instance, where it is not the first possible one |
//! | `i` | the lines of the script, `:` between them, a `+` for each space; present and empty for an empty script |
//! | `d` | the schedule as [`Deviation`]s, `:` between them; absent for the default order |
//! | `r` | instead of `d`, for schedules that would not fit a command line: the strategy and its seed, `random.7` |
//! | `z` | FNV-1a of all that comes before, last |
//!
//! Fields stand between commas; in values, all but letters, digits and `-_./@` is percent-encoded.

pub(crate) mod percent;
mod read;
mod write;

use trackside_engine::instance::RECORD_VERSION;

use crate::run::Settings;
use crate::schedule::{Deviation, Named};

pub use read::{TokenError, find_in};

/// The version of tokens that this library writes; it reads this one only.
pub const TOKEN_VERSION: u32 = 1;
/// The longest token that is read, in bytes.
pub const TOKEN_BYTES_MAX: usize = 4 << 20;
/// The longest list of deviations that is written, in bytes; a longer one is given by its seed instead. A single
/// argument of a Linux command line may have 128 KiB.
pub const SCHEDULE_BYTES_MAX: usize = 48 << 10;

/// A saved run.
///
/// ```
/// use trackside_sim::token::Token;
///
/// let text = "ts1:f=a.bpmn,p=order,e=0.1.0-1,m=85944171f73967e8,o=af63bd4c8601b7df,i=complete+A+x=5,d=3a1.J,z=05a85341828243d3";
/// let token: Token = text.parse()?;
/// assert_eq!(token.script.as_deref(), Some(&["complete A x=5".to_owned()][..]));
/// assert_eq!(token.to_string(), text);
/// assert!(text[..text.len() - 20].parse::<Token>().is_err(), "it was cut off");
/// assert_eq!("ts2:x".parse::<Token>().unwrap_err().to_string(), "a token of version 2; this trackside reads version 1");
/// # Ok::<(), trackside_sim::token::TokenError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// The path of the model, as it was given.
    pub model: String,
    /// The id of the process.
    pub process: String,
    /// What it was made with.
    pub fingerprints: Fingerprints,
    /// The settings.
    pub settings: Settings,
    /// The element that began the instance, where it is not the first possible one.
    pub birth: Option<String>,
    /// The lines of the script, where there was one.
    pub script: Option<Vec<String>>,
    /// The order of things.
    pub schedule: Plan,
}

/// Where a schedule comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// From a strategy under a seed.
    Seeded(Named, u64),
    /// From the default order, except for these.
    Deviations(Vec<Deviation>),
}

/// What a run depends on beside its token's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    /// Version of the engine and its records.
    pub engine: String,
    /// Hash of the model's bytes.
    pub model: String,
    /// Hash of all settings.
    pub options: String,
}

impl Fingerprints {
    /// The engine of this build.
    pub fn engine() -> String {
        format!("{}-{RECORD_VERSION}", env!("CARGO_PKG_VERSION"))
    }

    /// What differs between the fingerprints of a token and those found here.
    ///
    /// ```
    /// use trackside_sim::token::Fingerprints;
    ///
    /// let then = Fingerprints { engine: "0.1.0-1".into(), model: "a".into(), options: "b".into() };
    /// let now = Fingerprints { model: "c".into(), ..then.clone() };
    /// assert_eq!(then.mismatch(&then), None);
    /// let mismatch = then.mismatch(&now).unwrap();
    /// assert_eq!(mismatch.to_string(), "the model is not the one of the token (a then, c now)");
    /// ```
    pub fn mismatch(&self, now: &Self) -> Option<Mismatch> {
        let pairs = [
            (Part::Engine, &self.engine, &now.engine),
            (Part::Model, &self.model, &now.model),
            (Part::Options, &self.options, &now.options),
        ];
        let differing = pairs.into_iter().filter(|(_, then, now)| then != now);
        let differing: Vec<_> = differing
            .map(|(part, then, now)| (part, then.clone(), now.clone()))
            .collect();
        (!differing.is_empty()).then_some(Mismatch(differing))
    }
}

/// What a fingerprint is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The engine: another version of trackside.
    Engine,
    /// The model: its file has other bytes.
    Model,
    /// The settings: other options, or other defaults.
    Options,
}

/// Which fingerprints differ, each with its value then and now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch(pub Vec<(Part, String, String)>);

impl std::error::Error for Mismatch {}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, (part, then, now)) in self.0.iter().enumerate() {
            let what = match part {
                Part::Engine => "the engine is not",
                Part::Model => "the model is not",
                Part::Options => "the options are not",
            };
            let separator = if at == 0 { "" } else { "; " };
            let those = if *part == Part::Options { "those" } else { "the one" };
            write!(f, "{separator}{what} {those} of the token ({then} then, {now} now)")?;
        }
        Ok(())
    }
}
