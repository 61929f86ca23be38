//! A place in the text, and the few ways to move it.

use super::{NotationError, NotationErrorKind, Position};

/// The rest of a text (or of a part of it), and where that rest stands in the whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'t> {
    rest: &'t str,
    at: Position,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let at = Position { line: 1, column: 1 };
        Self { rest: text, at }
    }

    pub(super) fn at(&self) -> Position {
        self.at
    }

    pub(super) fn rest(&self) -> &'t str {
        self.rest
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.at.line = self.at.line.saturating_add(1);
            self.at.column = 1;
        } else {
            self.at.column = self.at.column.saturating_add(1);
        }
        Some(c)
    }

    /// Takes `c` if it is next.
    pub(super) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.bump();
        }
        found
    }

    /// Takes characters as long as `wanted` holds for the rest that starts with them.
    pub(super) fn take_while(&mut self, wanted: impl Fn(&str, char) -> bool) -> Cursor<'t> {
        let start = *self;
        while let Some(c) = self.peek().filter(|&c| wanted(self.rest, c)) {
            debug_assert!(self.rest.starts_with(c));
            self.bump();
        }
        start.until(self)
    }

    /// A word, which may be empty or start with a digit.
    pub(super) fn word(&mut self) -> &'t str {
        self.take_while(|_, c| is_word(c)).rest
    }

    /// Whether an identifier starts here.
    pub(super) fn at_name(&self) -> bool {
        self.peek().is_some_and(|c| is_word(c) && !c.is_ascii_digit())
    }

    /// An identifier.
    pub(super) fn name(&mut self) -> Result<&'t str, NotationError> {
        if self.at_name() {
            Ok(self.word())
        } else {
            Err(self.expected("a name"))
        }
    }

    /// Skips white space and comments within the line.
    pub(super) fn skip_blanks(&mut self) {
        self.skip(|c| c.is_whitespace() && c != '\n');
    }

    /// Skips white space, comments and line ends.
    pub(super) fn skip_lines(&mut self) {
        self.skip(char::is_whitespace);
    }

    /// Skips what stands between statements.
    pub(super) fn skip_separators(&mut self) {
        self.skip(|c| c.is_whitespace() || c == ';');
    }

    fn skip(&mut self, blank: impl Fn(char) -> bool) {
        while let Some(c) = self.peek().filter(|&c| c == '#' || blank(c)) {
            if c == '#' {
                self.take_while(|_, c| c != '\n');
            } else {
                self.bump();
            }
        }
    }

    /// Moves over blanks and line ends to what `wanted` accepts, or not at all.
    pub(super) fn reach(&mut self, wanted: impl Fn(&str) -> bool) -> bool {
        let mut ahead = *self;
        ahead.skip_lines();
        let found = wanted(ahead.rest);
        if found {
            *self = ahead;
        }
        found
    }

    /// Takes `open`, which is next, and what it encloses; gives the inside.
    pub(super) fn enclosed(&mut self, open: char, close: char) -> Result<Cursor<'t>, NotationError> {
        let opened = self.at;
        assert!(self.eat(open), "the caller has seen the bracket");
        let inside = *self;
        let mut nesting = Nesting::default();
        while let Some(c) = self.peek() {
            if c == close && nesting.is_outside() {
                let inside = inside.until(self);
                self.bump();
                return Ok(inside);
            }
            nesting.pass(c, &[open], &[close]);
            self.bump();
        }
        Err(NotationErrorKind::Unclosed(open).at(opened))
    }

    /// The parts between those of `separators` that stand outside brackets and quotes. A doubled one, as in `a || b`,
    /// is an operator and separates nothing.
    pub(super) fn split(mut self, separators: &[char]) -> Vec<Cursor<'t>> {
        let mut parts = Vec::new();
        let (mut start, mut nesting) = (self, Nesting::default());
        let mut before = None;
        while let Some(c) = self.peek() {
            let doubled = before == Some(c) || self.rest[c.len_utf8()..].starts_with(c);
            if separators.contains(&c) && nesting.is_outside() && !doubled {
                parts.push(start.until(&self));
                self.bump();
                start = self;
            } else {
                nesting.pass(c, &['(', '['], &[')', ']']);
                self.bump();
            }
            before = Some(c);
        }
        parts.push(start);
        parts
    }

    /// The same without white space at either end.
    pub(super) fn trimmed(mut self) -> Self {
        self.take_while(|_, c| c.is_whitespace());
        self.rest = self.rest.trim_end();
        self
    }

    /// The part from here to `end`, which is further on in the same text.
    pub(super) fn until(&self, end: &Cursor<'t>) -> Cursor<'t> {
        assert!(end.rest.len() <= self.rest.len(), "a cursor only moves on");
        let rest = &self.rest[..self.rest.len() - end.rest.len()];
        Cursor { rest, at: self.at }
    }

    /// The error that `expected` should stand here.
    pub(super) fn expected(&self, expected: impl Into<String>) -> NotationError {
        let found = match self.peek() {
            None => "the end".into(),
            Some('\n') => "the end of the line".into(),
            Some(c) if is_word(c) => format!("`{}`", self.first_word()),
            Some(c) => format!("`{}`", c.escape_debug()),
        };
        let expected = expected.into();
        NotationErrorKind::Expected { expected, found }.at(self.at)
    }

    fn first_word(mut self) -> &'t str {
        self.word()
    }
}

/// How deep in brackets, and whether in a string, a scan of free text is.
#[derive(Default)]
struct Nesting {
    depth: usize,
    quoted: bool,
    escaped: bool,
}

impl Nesting {
    fn is_outside(&self) -> bool {
        self.depth == 0 && !self.quoted
    }

    fn pass(&mut self, c: char, open: &[char], close: &[char]) {
        let escaped = std::mem::take(&mut self.escaped);
        if self.quoted {
            self.escaped = c == '\\' && !escaped;
            self.quoted = c != '"' || escaped;
        } else if c == '"' {
            self.quoted = true;
        } else if open.contains(&c) {
            self.depth += 1;
        } else if close.contains(&c) {
            self.depth = self.depth.saturating_sub(1);
        }
    }
}

pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
