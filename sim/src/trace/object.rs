//! Writes JSON objects whose fields stand in the order in which they are given: the canonical form that is hashed.

use serde::Serialize;

pub(crate) struct Object {
    text: String,
}

impl Object {
    pub(crate) fn new() -> Self {
        Self { text: "{".to_owned() }
    }

    /// Adds a field.
    pub(crate) fn with(mut self, name: &str, value: impl Serialize) -> Self {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        // Numbers, texts, and lists of texts always serialize.
        let value = serde_json::to_string(&value).unwrap_or_else(|_| "null".to_owned());
        for part in ["\"", name, "\":", &value] {
            self.text.push_str(part);
        }
        self
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push('}');
        self.text
    }
}
