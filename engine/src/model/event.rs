//! Events: what a start, catch, boundary, throw or end event waits for or causes.

use serde::{Deserialize, Serialize};

use super::{Expression, Position};

/// A `message`, `signal`, `error` or `escalation` at the top of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declaration {
    /// The id, made up where the author gave none.
    pub id: String,
    /// The name.
    pub name: Option<String>,
    /// `errorCode` or `escalationCode`.
    pub code: Option<String>,
    /// Where the element starts.
    pub at: Position,
}

/// One event definition inside an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventDefinition {
    /// The id, where there is one.
    pub id: Option<String>,
    /// Where the element starts.
    pub at: Position,
    /// What it is.
    pub trigger: Trigger,
}

/// What an event definition names. References are as written; `None` where the attribute is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Trigger {
    /// `messageEventDefinition` with its `messageRef`.
    Message(Option<String>),
    /// `signalEventDefinition` with its `signalRef`.
    Signal(Option<String>),
    /// `errorEventDefinition` with its `errorRef`; without one it catches every error.
    Error(Option<String>),
    /// `escalationEventDefinition` with its `escalationRef`.
    Escalation(Option<String>),
    /// `timerEventDefinition`.
    Timer(Option<Timer>),
    /// `conditionalEventDefinition` with its condition.
    Conditional(Option<Expression>),
    /// `linkEventDefinition` with its name.
    Link(Option<String>),
    /// `terminateEventDefinition`.
    Terminate,
    /// `compensateEventDefinition`.
    Compensate,
    /// `cancelEventDefinition`.
    Cancel,
}

/// When a timer fires. The text is ISO 8601 or an expression that gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timer {
    /// `timeDuration`: so long after it was armed.
    Duration(Expression),
    /// `timeDate`: at this moment.
    Date(Expression),
    /// `timeCycle`: again and again.
    Cycle(Expression),
}

impl Timer {
    /// The text behind it.
    pub fn expression(&self) -> &Expression {
        match self {
            Timer::Duration(e) | Timer::Date(e) | Timer::Cycle(e) => e,
        }
    }
}

/// How an event start, catch or boundary combines several definitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Binding {
    /// Any one of them.
    #[default]
    Any,
    /// All of them (`parallelMultiple`).
    All,
}
