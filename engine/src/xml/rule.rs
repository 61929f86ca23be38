//! The ids of the reading rules, as they stand in [`Problem::rule`](crate::problem::Problem::rule).

/// The file is not well-formed XML. Always an error; nothing of the file is kept.
pub const WELL_FORMED: &str = "XML-1";
/// A bound of [`Limits`](super::Limits) is exceeded. An error, but for warnings that were too many to list.
pub const LIMIT: &str = "XML-2";
/// The file has a document type declaration, or names an entity that XML does not predefine. Always an error.
pub const ENTITY: &str = "XML-3";
/// The file is not a BPMN 2.0 file. Always an error.
pub const NOT_BPMN: &str = "XML-4";
/// An element has no id, so one was made up. Always a warning.
pub const MISSING_ID: &str = "XML-5";
/// An attribute or a part of an element is missing or has a value that it cannot have. A warning where only the
/// drawing is concerned, else an error.
pub const VALUE: &str = "XML-6";
/// An element is not read: BPMN does not have it at this place, or it is not executed. Always a warning.
pub const UNKNOWN_ELEMENT: &str = "XML-7";
/// A namespace prefix is not declared, is declared wrongly, or an element is in no namespace.
pub const NAMESPACE: &str = "XML-8";
/// The encoding of the file is not understood, or its bytes are not what the encoding says.
pub const ENCODING: &str = "XML-9";
