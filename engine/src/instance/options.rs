//! Settings of one execution: which of the standard's readings apply, and what the outside may do.

use serde::{Deserialize, Serialize};

/// When an inclusive join fires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrJoin {
    /// ORJ-1.
    #[default]
    Standard,
    /// ORJ-2.
    Conservative,
}

/// What a complex join does with late tokens (CPX-6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ComplexReset {
    /// Consumes them and emits nothing.
    #[default]
    Silent,
    /// The standard's second phase.
    Standard,
}

/// How fine the transitions are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grain {
    /// Steps and arrivals, one at a time.
    #[default]
    Protocol,
    /// An arrival follows its step at once: the token game of the standard.
    Atomic,
}

/// How inclusive joins are decided. The answer is the same; only the time differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Joins {
    /// By the index, where it can.
    #[default]
    Index,
    /// All by a search after every transition: there to be measured against.
    Search,
}

/// How conditions are decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Conditions {
    /// Over process data.
    #[default]
    Data,
    /// As free choices (EVT-6).
    Symbolic,
}

/// What the outside does beyond the default environment. All off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "independent switches, one per liberty")]
pub struct Environment {
    /// External work may fail technically.
    pub failures: bool,
    /// The instance may be canceled.
    pub cancel: bool,
    /// Interrupted work may answer late.
    pub late: bool,
    /// Events may give birth to further instances.
    pub births: bool,
}

/// Settings of one execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Options {
    /// When an inclusive join fires.
    pub or_join: OrJoin,
    /// What a complex join does with late tokens.
    pub complex_reset: ComplexReset,
    /// How fine the transitions are.
    pub grain: Grain,
    /// How conditions are decided.
    pub conditions: Conditions,
    /// Timers fire in due order, by the virtual clock; otherwise whenever they are armed.
    pub timed: bool,
    /// How often a re-arming trigger is *offered* per run of its host; `None` is without bound.
    pub refires: Option<u32>,
    /// What the outside does beyond the default.
    pub environment: Environment,
    /// Whether records are kept.
    pub records: bool,
    /// No data values in faults.
    pub redact: bool,
    /// How inclusive joins are decided; no part of the serialized form.
    #[serde(skip)]
    pub joins: Joins,
    /// The fault that is planted; no part of the serialized form.
    #[cfg(feature = "planted-faults")]
    #[serde(skip)]
    pub plant: Option<crate::planted::Fault>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            or_join: OrJoin::default(),
            complex_reset: ComplexReset::default(),
            grain: Grain::default(),
            conditions: Conditions::default(),
            timed: true,
            refires: None,
            environment: Environment::default(),
            records: true,
            redact: false,
            joins: Joins::default(),
            #[cfg(feature = "planted-faults")]
            plant: None,
        }
    }
}
