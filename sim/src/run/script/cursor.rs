//! Walks over one line of text and knows its column.

use serde_json::Value;

/// A column in characters, from 1, and what is wrong there.
pub(super) type Complaint = (u32, String);

pub(super) struct Cursor<'t> {
    line: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(line: &'t str) -> Self {
        let mut cursor = Self { line, at: 0 };
        cursor.skip_space();
        cursor
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.line[self.at..]
    }

    pub(super) fn done(&self) -> bool {
        self.rest().is_empty()
    }

    /// A complaint about what stands here.
    pub(super) fn complain<T>(&self, message: impl Into<String>) -> Result<T, Complaint> {
        let column = self.line[..self.at].chars().count() as u32 + 1;
        Err((column, message.into()))
    }

    /// Takes everything up to white space, then the white space.
    pub(super) fn word(&mut self) -> &'t str {
        let end = self.rest().find(char::is_whitespace).unwrap_or(self.rest().len());
        self.take(end)
    }

    /// Takes everything up to the end of the line.
    pub(super) fn all(&mut self) -> &'t str {
        let rest = self.rest().trim_end();
        self.at = self.line.len();
        rest
    }

    /// A name: a quoted text, or words up to the first `NAME=`.
    pub(super) fn name(&mut self, what: &str) -> Result<String, Complaint> {
        if self.rest().starts_with('"') {
            return match self.json()? {
                Value::String(name) => Ok(name),
                _ => self.complain(format!("{what} expected")),
            };
        }
        let mut words = Vec::new();
        while !self.done() && self.variable().is_none() {
            words.push(self.word());
        }
        match &words[..] {
            [] => self.complain(format!("{what} expected")),
            words => Ok(words.join(" ")),
        }
    }

    /// A JSON value, then the white space after it.
    pub(super) fn json(&mut self) -> Result<Value, Complaint> {
        let mut values = serde_json::Deserializer::from_str(self.rest()).into_iter::<Value>();
        let value = match values.next() {
            Some(Ok(value)) => value,
            Some(Err(error)) => {
                return self.complain(format!(
                    "not JSON ({}); texts stand in double quotes",
                    reason(&error.to_string())
                ));
            }
            None => return self.complain("a JSON value expected"),
        };
        let end = values.byte_offset();
        if self.rest()[end..].starts_with(|c: char| !c.is_whitespace()) {
            return self.complain("not JSON; texts stand in double quotes, and a space stands before what follows");
        }
        self.take(end);
        Ok(value)
    }

    /// The name in front of a `=` that stands here.
    pub(super) fn variable(&self) -> Option<&'t str> {
        let (name, _) = self.rest().split_once('=')?;
        let plain = !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '"');
        plain.then_some(name)
    }

    /// Takes that name and its `=`.
    pub(super) fn take_variable(&mut self) -> Option<&'t str> {
        let name = self.variable()?;
        self.at += name.len() + 1;
        Some(name)
    }

    fn take(&mut self, bytes: usize) -> &'t str {
        let taken = &self.rest()[..bytes];
        self.at += bytes;
        self.skip_space();
        taken
    }

    fn skip_space(&mut self) {
        self.at = self.line.len() - self.rest().trim_start().len();
    }
}

/// The parser's complaint without its own idea of a place.
fn reason(text: &str) -> &str {
    text.split(" at line ").next().unwrap_or(text)
}
