//! Standard output: buffered, in colour only on a terminal, and indifferent to a reader that has gone away.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use serde::Serialize;

/// Where a command writes.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    style: Style,
    /// Nobody reads any more (a closed pipe), or nothing can be written: the rest is swallowed.
    gone: bool,
    /// Something that someone wanted to read was lost.
    lost: bool,
}

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Plain text.
    Plain,
    /// With ANSI colours.
    Colour,
}

/// What a colour says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    Doubtful,
    Quiet,
}

impl Style {
    /// `text` in the colour of `tone`.
    pub(crate) fn paint(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Good => "32",
            Tone::Bad => "1;31",
            Tone::Doubtful => "33",
            Tone::Quiet => "2",
        };
        match self {
            Self::Plain => text.to_owned(),
            Self::Colour => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

impl Output {
    pub(super) fn new() -> Self {
        let out = io::stdout();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let style = if out.is_terminal() && !no_color {
            Style::Colour
        } else {
            Style::Plain
        };
        Self {
            out: BufWriter::new(out),
            style,
            gone: false,
            lost: false,
        }
    }

    pub(super) fn style(&self) -> Style {
        self.style
    }

    /// Writes a text for people. What is in a model can't steer their terminal.
    pub(super) fn text(&mut self, text: &str) {
        let text = tame(text);
        self.write(|out| out.write_all(text.as_bytes()));
    }

    /// Writes a line.
    pub(super) fn line(&mut self, line: &str) {
        self.text(&format!("{line}\n"));
    }

    /// Writes what is left; says whether everything went well, a reader that has gone away aside.
    pub(super) fn finish(&mut self) -> bool {
        self.write(Write::flush);
        !self.lost
    }

    /// Writes the one JSON document of a command.
    pub(super) fn document(&mut self, document: &impl Serialize) {
        self.write(|out| {
            serde_json::to_writer_pretty(&mut *out, document)?;
            writeln!(out)
        });
        self.write(Write::flush);
    }

    fn write(&mut self, deed: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>) {
        if self.gone {
            return;
        }
        if let Err(error) = deed(&mut self.out) {
            self.gone = true;
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.lost = true;
                complain(format_args!("can't write to standard output: {error}"));
            }
        }
    }
}

/// Tells stderr. Where that can't be written, there is nobody left to tell.
pub(super) fn complain(what: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "trackside: {what}");
}

/// Control characters as escapes, but for line breaks, tabs and our own colours.
fn tame(text: &str) -> std::borrow::Cow<'_, str> {
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(steers) {
        return text.into();
    }
    let mut tamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let colour = COLOURS.iter().find(|colour| rest.starts_with(**colour));
        match colour {
            Some(colour) => tamed.push_str(colour),
            None if steers(c) => tamed.extend(c.escape_unicode()),
            None => tamed.push(c),
        }
        rest = &rest[colour.map_or(c.len_utf8(), |colour| colour.len())..];
    }
    tamed.into()
}

/// What [`Style::paint`] writes around a text.
const COLOURS: [&str; 5] = ["\x1b[32m", "\x1b[1;31m", "\x1b[33m", "\x1b[2m", "\x1b[0m"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        let name = "a\x1b[2Jb\u{9b}c\td";
        assert_eq!(tame(name), "a\\u{1b}[2Jb\\u{9b}c\td");
        let painted = Style::Colour.paint(Tone::Bad, "stuck");
        assert_eq!(tame(&painted), painted);
    }
}
