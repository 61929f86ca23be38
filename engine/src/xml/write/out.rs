//! Tags, indentation and escaping.

use super::super::attribute::is_character;

/// From here on, deeper elements are not indented further, so that the result grows with the model alone.
const INDENT_MAX: usize = 32;

/// A file that is being written.
#[derive(Debug)]
pub(super) struct Out {
    text: String,
    open: Vec<&'static str>,
    /// What is open at the end of `text`.
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A start tag that can take attributes.
    Tag,
    /// An element with text.
    Text,
    /// A line.
    Line,
}

impl Out {
    pub(super) fn new() -> Self {
        Self {
            text: String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"),
            open: Vec::new(),
            state: State::Line,
        }
    }

    /// Starts an element inside the one that is open.
    pub(super) fn start(&mut self, name: &'static str) -> &mut Self {
        debug_assert_ne!(self.state, State::Text, "an element has text or elements");
        if self.state == State::Tag {
            self.text.push_str(">\n");
        }
        self.indent();
        self.text.push('<');
        self.text.push_str(name);
        self.open.push(name);
        self.state = State::Tag;
        self
    }

    /// Gives the element that was just started an attribute.
    pub(super) fn attribute(&mut self, name: &str, value: &str) -> &mut Self {
        assert_eq!(self.state, State::Tag, "attributes come before content");
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        for character in value.chars() {
            match character {
                '"' => self.text.push_str("&quot;"),
                '\t' => self.text.push_str("&#9;"),
                '\n' => self.text.push_str("&#10;"),
                _ => self.escaped(character),
            }
        }
        self.text.push('"');
        self
    }

    /// An attribute that may be absent.
    pub(super) fn optional(&mut self, name: &str, value: Option<&str>) -> &mut Self {
        match value {
            Some(value) => self.attribute(name, value),
            None => self,
        }
    }

    /// A truth value that is written where it is not the default.
    pub(super) fn flag(&mut self, name: &str, value: bool, default: bool) -> &mut Self {
        self.optional_flag(name, (value != default).then_some(value))
    }

    /// A truth value that may be absent.
    pub(super) fn optional_flag(&mut self, name: &str, value: Option<bool>) -> &mut Self {
        self.optional(name, value.map(|value| if value { "true" } else { "false" }))
    }

    /// Gives the element that was just started its text.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        assert_eq!(self.state, State::Tag, "text is all that an element with text has");
        if !text.is_empty() {
            self.text.push('>');
            text.chars().for_each(|character| self.escaped(character));
            self.state = State::Text;
        }
        self
    }

    /// Ends the element that is open.
    pub(super) fn end(&mut self) {
        let name = self.open.pop().expect("every end has its start");
        match self.state {
            State::Tag => self.text.push_str("/>\n"),
            State::Text | State::Line => {
                if self.state == State::Line {
                    self.indent();
                }
                self.text.push_str("</");
                self.text.push_str(name);
                self.text.push_str(">\n");
            }
        }
        self.state = State::Line;
    }

    pub(super) fn finish(self) -> String {
        assert!(self.open.is_empty(), "every start has its end");
        self.text
    }

    fn indent(&mut self) {
        for _ in 0..self.open.len().min(INDENT_MAX) {
            self.text.push_str("  ");
        }
    }

    fn escaped(&mut self, character: char) {
        match character {
            '&' => self.text.push_str("&amp;"),
            '<' => self.text.push_str("&lt;"),
            '>' => self.text.push_str("&gt;"),
            '\r' => self.text.push_str("&#13;"),
            _ if is_character(character) => self.text.push(character),
            _ => self.text.push(char::REPLACEMENT_CHARACTER),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaping_and_shape() {
        let mut out = Out::new();
        out.start("a").attribute("b", "<\"&'>\t\r\n\0");
        out.start("c")
            .optional("d", None)
            .flag("e", true, true)
            .flag("f", false, true)
            .end();
        out.start("g").text("]]> & \n\r\u{B}\u{FFFF}").end();
        out.start("h").text("").end();
        out.end();
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
            <a b=\"&lt;&quot;&amp;'&gt;&#9;&#13;&#10;\u{FFFD}\">\n  <c f=\"false\"/>\n\
            \x20 <g>]]&gt; &amp; \n&#13;\u{FFFD}\u{FFFD}</g>\n  <h/>\n</a>\n";
        assert_eq!(out.finish(), expected);
    }
}
