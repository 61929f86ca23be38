//! The bounds within which a file is read.
//!
//! A file comes from outside, so everything about it that costs memory or time has a named bound here. A file that
//! exceeds one is refused with an `XML-2` problem; nothing is ever cut off silently.

/// Bounds on what is read. [`Limits::default`] fits every hand-made model with a wide margin.
///
/// ```
/// use trackside_engine::xml::{self, Limits};
///
/// let limits = Limits { file_bytes: 10, ..Limits::default() };
/// let reading = xml::read_with(b"<definitions/>", &limits);
/// assert_eq!(reading.problems[0].rule, xml::rule::LIMIT);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of the file in bytes. Default: 64 MiB. Never more than 4 GiB, whatever is set here.
    pub file_bytes: usize,
    /// How deeply elements nest. Default: 5,000.
    pub depth: usize,
    /// Number of elements that the model is made from; documentation and vendors' extensions do not count, the
    /// entries of list attributes do. Default: 1,000,000.
    pub elements: usize,
    /// Number of attributes on one element. Default: 1,000.
    pub attributes: usize,
    /// Length in bytes of one attribute value of such an element. Default: 64 KiB.
    pub attribute_bytes: usize,
    /// Length in bytes of one text that is kept. Default: 64 KiB.
    pub text_bytes: usize,
    /// Number of namespace declarations in force at one place, and of different namespaces in the file. Default: 100.
    pub namespaces: usize,
    /// Bytes, as written, copied in total by events that share one definition (`eventDefinitionRef`). Default: 1 MiB.
    pub shared_bytes: usize,
    /// Number of errors, and also of warnings, that are listed one by one; the rest is counted. Default: 1,000.
    pub problems: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 64 << 20,
            depth: 5_000,
            elements: 1_000_000,
            attributes: 1_000,
            attribute_bytes: 64 << 10,
            text_bytes: 64 << 10,
            namespaces: 100,
            shared_bytes: 1 << 20,
            problems: 1_000,
        }
    }
}
