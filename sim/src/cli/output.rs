//! Standard output: buffered, in colour only on a terminal, and indifferent to a reader that has gone away.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use serde::Serialize;

/// Where a command writes.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    style: Style,
    /// Nobody reads any more (a closed pipe), or nothing can be written: the rest is swallowed.
    gone: bool,
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
        }
    }

    pub(super) fn style(&self) -> Style {
        self.style
    }

    /// Writes a text as it stands.
    pub(super) fn text(&mut self, text: &str) {
        self.write(|out| out.write_all(text.as_bytes()));
    }

    /// Writes a line.
    pub(super) fn line(&mut self, line: &str) {
        self.write(|out| writeln!(out, "{line}"));
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
                eprintln!("trackside: can't write to standard output: {error}");
            }
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.write(Write::flush);
    }
}
