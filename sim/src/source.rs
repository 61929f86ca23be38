//! A model file: its bytes read, understood and judged.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use trackside_engine::model::{Definitions, Process};
use trackside_engine::problem::{Problem, any_error};
use trackside_engine::validate::validate;
use trackside_engine::xml;

use crate::hash::Fnv;

/// The largest file that is read, in bytes.
pub const FILE_BYTES_MAX: u64 = 256 << 20;

/// A model and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path, as it was given.
    pub path: String,
    /// The model; empty where the file makes no sense as a whole.
    pub definitions: Definitions,
    /// Everything that reader and validator say, in the order of the file.
    pub problems: Vec<Problem>,
    /// A hash of the bytes.
    pub fingerprint: Fnv,
}

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If the file can't be read or is larger than [`FILE_BYTES_MAX`]. What is wrong *in* it is in
    /// [`Source::problems`].
    pub fn read(path: &str) -> io::Result<Self> {
        Ok(Self::of_bytes(path, &read_bounded(Path::new(path), FILE_BYTES_MAX)?))
    }

    /// Understands the bytes of a file.
    ///
    /// ```
    /// use trackside_sim::source::Source;
    ///
    /// let source = Source::of_bytes("empty.bpmn", b"<nothing/>");
    /// assert!(!source.problems.is_empty());
    /// assert!(source.process(None).is_none());
    /// ```
    pub fn of_bytes(path: &str, bytes: &[u8]) -> Self {
        let reading = xml::read(bytes);
        let mut problems = reading.problems;
        problems.extend(validate(&reading.definitions));
        problems.sort_by_key(|problem| problem.at);
        Self {
            path: path.to_owned(),
            definitions: reading.definitions,
            problems,
            fingerprint: Fnv::of(bytes),
        }
    }

    /// A model that a program has made, under a path of its own choosing.
    ///
    /// ```
    /// use trackside_engine::model::notation;
    /// use trackside_sim::source::Source;
    ///
    /// let source = Source::of_model("p.bpmn", &notation::parse("s > A > e").unwrap());
    /// assert_eq!(source.process(None).map(|process| process.id.as_str()), Some("p"));
    /// ```
    pub fn of_model(path: &str, definitions: &Definitions) -> Self {
        Self::of_bytes(path, xml::write(definitions).as_bytes())
    }

    /// The process with this id, or, without an id, the first one.
    pub fn process(&self, id: Option<&str>) -> Option<&Process> {
        self.definitions.process(id)
    }

    /// Whether any problem is an error.
    pub fn has_errors(&self) -> bool {
        any_error(&self.problems)
    }
}

/// Reads a file of at most `bytes_max` bytes.
///
/// # Errors
///
/// If it can't be read or is larger.
pub fn read_bounded(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        let message = format!("it is larger than {bytes_max} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}
