//! BPMN 2.0 XML to [model](crate::model) and back.
//!
//! [`read`] never fails outright: it returns what it could make of a file, and a list of [`Problem`]s with their
//! places. Whatever bytes come, it stays within its [`Limits`], does not recurse, and takes time in proportion to the
//! file. Namespaces count by their names, never by their prefixes; document type declarations are refused. [`write()`]
//! gives a file that reads back to the same model but for the positions.
//!
//! A problem that says that the file as a whole makes no sense (`XML-1`, `XML-2`, `XML-4`, a document type
//! declaration, an unknown encoding) leaves the model empty. All others are found together.
//!
//! | Rule | Constant | What it says | Severity |
//! |---|---|---|---|
//! | `XML-1` | [`rule::WELL_FORMED`] | not well-formed XML | error |
//! | `XML-2` | [`rule::LIMIT`] | a bound of [`Limits`] is exceeded | error (warning: too many warnings to list) |
//! | `XML-3` | [`rule::ENTITY`] | a document type declaration, or an entity that XML does not predefine | error |
//! | `XML-4` | [`rule::NOT_BPMN`] | the root is not `definitions` of BPMN 2.0 | error |
//! | `XML-5` | [`rule::MISSING_ID`] | an id was missing and has been made up | warning |
//! | `XML-6` | [`rule::VALUE`] | an attribute or part is missing, or has a value that it cannot have | error (warning: drawing only) |
//! | `XML-7` | [`rule::UNKNOWN_ELEMENT`] | an element is not read, or not executed | warning |
//! | `XML-8` | [`rule::NAMESPACE`] | a prefix is not declared or declared wrongly; an element in no namespace | error (warning: no namespace) |
//! | `XML-9` | [`rule::ENCODING`] | the encoding is not understood, or contradicts the bytes | error (warning: contradiction only) |
//!
//! Without a word are skipped: documentation, extensions of other vendors, `incoming` and `outgoing` (the flows say
//! the same), data associations and specifications, resources, and what a collaboration only draws.

mod attribute;
mod build;
mod convert;
mod encoding;
mod known;
mod limits;
mod namespace;
mod position;
mod problems;
pub mod rule;
mod tree;
mod write;

pub use limits::Limits;
pub use write::write;

use crate::model::{Definitions, Position};
use crate::problem::Problem;

use problems::{Problems, Stop};

/// What came of reading a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The model; empty where the file as a whole makes no sense.
    pub definitions: Definitions,
    /// What is wrong, in the order of the file.
    pub problems: Vec<Problem>,
}

/// Reads a BPMN 2.0 file within the default [`Limits`].
///
/// ```
/// use trackside_engine::xml;
///
/// let reading = xml::read(
///     br#"<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL">
///           <process id="order"><task/></process>
///         </definitions>"#,
/// );
/// assert_eq!(reading.definitions.processes[0].id, "order");
/// // The task has no id; one is made up.
/// assert_eq!(reading.definitions.scopes[0].nodes[0].id, "_task_1");
/// assert_eq!(reading.problems[0].rule, xml::rule::MISSING_ID);
/// assert_eq!(reading.problems[0].at.line, 2);
/// ```
pub fn read(source: &[u8]) -> Reading {
    read_with(source, &Limits::default())
}

/// Reads a BPMN 2.0 file within bounds of one's own; see [`read`].
pub fn read_with(source: &[u8], limits: &Limits) -> Reading {
    let mut problems = Problems::new(limits.problems);
    let definitions = read_into(source, limits, &mut problems).unwrap_or_else(|stop| {
        problems.push(stop.into_problem());
        Definitions::default()
    });
    Reading {
        definitions,
        problems: problems.finish(),
    }
}

fn read_into(source: &[u8], limits: &Limits, problems: &mut Problems) -> Result<Definitions, Stop> {
    check_size(source.len(), limits.file_bytes)?;
    let text = encoding::decode(source, problems)?;
    check_size(text.len(), usize::MAX)?;
    let tree = build::build(&text, limits, problems)?;
    convert::definitions(&tree, limits, problems)
}

/// Offsets into a file are kept in 32 bits, so that is the bound of bounds.
fn check_size(bytes: usize, bytes_max: usize) -> Result<(), Stop> {
    let bytes_max = bytes_max.min(u32::MAX as usize);
    if bytes <= bytes_max {
        return Ok(());
    }
    let message = format!("the file has {bytes} bytes; at most {bytes_max} are read");
    let hint = "Split the model, or raise `Limits::file_bytes`.";
    let at = Position { line: 1, column: 1 };
    Err(Problem::error(rule::LIMIT, at, message).hint(hint).into())
}
