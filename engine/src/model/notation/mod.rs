//! A compact text notation for models: the shape of a process in a line or two.
//!
//! Tests, examples and generators write models in it; [`parse`] gives the same [`Definitions`] that a BPMN file
//! would. One text is one process with the id `p`.
//!
//! # Chains
//!
//! ```
//! use trackside_engine::model::notation::parse;
//!
//! let model = parse("s > F > A > J > E; F > B > J")?;
//! let scope = model.scope(model.processes[0].body);
//! assert_eq!((scope.nodes.len(), scope.flows.len()), (6, 6));
//! # Ok::<(), trackside_engine::model::notation::NotationError>(())
//! ```
//!
//! Statements end at `;` or at the end of a line; `#` starts a comment. A chain goes on over a line that ends or
//! starts with an arrow. A name is an identifier, is both the id and the name of its node, and means the same node
//! wherever it stands in its scope. No name is used in two scopes. `→` is another way to write `>`.
//!
//! | Written | Means |
//! |---|---|
//! | `A > B > C` | two sequence flows, with the ids `A_B` and `B_C`; a second `A > B` is `A_B_2` |
//! | `g: A > B` or `A > B.g` | a flow with the id `g`; a label in front of a chain names its first flow |
//! | `X -[amount > 10]> B` | a condition: any text up to the matching `]` (those in `"…"` do not count) |
//! | `X -[default]> B` | the default flow of `X`, without a condition |
//! | `A*` | an abstract task, which runs by itself |
//!
//! # Kinds
//!
//! A name says what its node is, by its letters without the digits at its end:
//!
//! | Letters | Kind | Letters | Kind |
//! |---|---|---|---|
//! | `s` | start event | `X`, `M`, `m` | exclusive gateway |
//! | `e`, `E`, `End` | end event | `O`, `Os` | inclusive gateway |
//! | `ET` | terminate end event | `K` | complex gateway |
//! | `F`, `J` | parallel gateway | `G` | event-based gateway |
//!
//! Any other name is a user task, which waits for completion from outside. A declaration overrides the letters. It
//! may stand before or after other uses of the name, inside a chain, and in front of several names:
//!
//! ```
//! # use trackside_engine::model::notation::parse;
//! parse("start S > O > A > J > End; or J O; user A B; O > catch c(timer PT1H) > J")?;
//! # Ok::<(), trackside_engine::model::notation::NotationError>(())
//! ```
//!
//! | Keyword | In parentheses |
//! |---|---|
//! | `start`, `catch`, `throw`, `end` | triggers, as below; none are needed |
//! | `terminate` | nothing: it is `end` with `(terminate)` |
//! | `and`, `or`, `xor` | nothing |
//! | `gate` | `instantiate`, `parallel` or both |
//! | `complex` | `2`, or `1 if ok; 2 requires f1 f2`: activations, separated by `;` or by one pipe; `if c`: a plain condition |
//! | `task` or `auto`, `manual`, `script`, `user`, `service`, `rule` | nothing |
//! | `send`, `receive` | a message; `receive` takes `instantiate` too |
//! | `call` | the id of a process |
//! | `sub`, `transaction`, `adhoc` | nothing; the body follows in braces |
//!
//! Parentheses without a keyword belong to the kind that the letters give: `K(2)` is `complex K(2)`.
//!
//! # Triggers
//!
//! `message m`, `signal s`, `error code`, `escalation code`, `link name`, `timer …`, `if condition`, `terminate`,
//! `cancel`, `compensate`. A single other word is a message, and without its word a trigger has no reference, so that
//! `error` catches every error. Messages, signals, errors and escalations are declared in the model under that word,
//! which is their id and name, and the code of errors and escalations.
//!
//! A timer is `PT…` (a duration), `R…` (a cycle), `2030-…` (a date) or an expression `=…`, which gives a duration
//! unless `date` or `cycle` stands before it. Several triggers are alternatives with `|` between them, and all needed
//! with `&`.
//!
//! ```
//! # use trackside_engine::model::notation::parse;
//! parse("start s(message m | signal go) > catch c(timer =wait) > catch d(if amount > 3) > throw t(link a)")?;
//! # Ok::<(), trackside_engine::model::notation::NotationError>(())
//! ```
//!
//! # Braces
//!
//! Boundary events follow their activity in braces: `!` interrupting, `~` non-interrupting, the trigger, and the chain
//! that leaves it. The id is made of the activity and the trigger's word (`A_m`; `A_m_2` for the next one), or stands
//! after `as`. A trigger with a condition or an expression stands in parentheses.
//!
//! ```
//! # use trackside_engine::model::notation::parse;
//! let model = parse("s > A{!m > C > E1}{~timer PT1H as late > D > E2}{!(if amount > 3)} > B > E; A_if > D")?;
//! let scope = model.scope(model.processes[0].body);
//! assert!(scope.flows.iter().any(|flow| flow.source == "A_if" && flow.target == "D"));
//! # Ok::<(), trackside_engine::model::notation::NotationError>(())
//! ```
//!
//! Other braces hold the statements of a sub-process. `ESP!` and `ESP~` before a name make it an event sub-process,
//! with an interrupting or a non-interrupting start event.
//!
//! ```
//! # use trackside_engine::model::notation::parse;
//! parse("s > SP{s1 > A* > B* > e}{!error err > C > E2} > D > E1; ESP~h{start hs(message m) > H > e2}")?;
//! # Ok::<(), trackside_engine::model::notation::NotationError>(())
//! ```
//!
//! The notation says nothing about soundness: whether a model makes sense is the validator's question.

mod build;
mod cursor;
mod kind;
mod statement;
#[cfg(test)]
mod tests;
mod trigger;

use super::{Definitions, Position};

/// How many braces may stand inside each other.
pub const NESTING_MAX: u32 = 64;

/// Why a text is not a model, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {kind}", at.line, at.column)]
pub struct NotationError {
    /// Where in the text.
    pub at: Position,
    /// What is wrong there.
    pub kind: NotationErrorKind,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationErrorKind {
    /// The grammar wants something else here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What may stand here.
        expected: String,
        /// What does.
        found: String,
    },
    /// A bracket without its partner; the position is the bracket's.
    #[error("`{0}` is never closed")]
    Unclosed(char),
    /// More than [`NESTING_MAX`] braces inside each other.
    #[error("more than {NESTING_MAX} braces inside each other")]
    TooDeep,
    /// A node of another scope.
    #[error("`{0}` is a node of another scope")]
    OtherScope(String),
    /// A second declaration, or body, of one node.
    #[error("`{0}` is declared twice")]
    DeclaredTwice(String),
    /// An id that something else has.
    #[error("`{id}` is already the id of {owner}")]
    Taken {
        /// The id.
        id: String,
        /// What has it.
        owner: &'static str,
    },
    /// A second default flow of one node.
    #[error("`{0}` has a default flow already")]
    SecondDefault(String),
}

impl NotationErrorKind {
    fn at(self, at: Position) -> NotationError {
        NotationError { at, kind: self }
    }
}

/// Reads a model.
///
/// ```
/// use trackside_engine::model::notation::parse;
///
/// let error = parse("s > A\nA > > E").unwrap_err();
/// assert_eq!(error.to_string(), "2:5: expected a name, found `>`");
/// ```
///
/// # Errors
///
/// [`NotationError`], for the first thing in the text that is not of the notation.
pub fn parse(text: &str) -> Result<Definitions, NotationError> {
    statement::Parser::new(text).parse()
}
