//! A run as it happens: rows on stdout for people, lines in a file for programs.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Failure;
use super::options::Format;
use super::output::Output;
use crate::trace::{Event, Row, json};

pub(super) struct Story<'o> {
    output: Option<&'o mut Output>,
    trace: Option<Trace>,
    /// The first thing that went wrong with the trace file.
    error: Option<io::Error>,
    begun: bool,
}

impl<'o> Story<'o> {
    /// Prepares what is to be written.
    pub(super) fn new(format: Format, trace: Option<&Path>, output: &'o mut Output) -> Self {
        Self {
            output: (format == Format::Human).then_some(output),
            trace: trace.map(|path| Trace {
                path: path.to_owned(),
                file: None,
            }),
            error: None,
            begun: false,
        }
    }

    /// Tells one thing.
    pub(super) fn event(&mut self, event: &Event<'_>) {
        if let Some(output) = &mut self.output {
            if !std::mem::replace(&mut self.begun, true) {
                output.line(&Row::heading());
            }
            output.line(&Row::of(event).to_string());
        }
        if let (Some(trace), None) = (&mut self.trace, &self.error) {
            self.error = trace.line(&json(event)).err();
        }
    }

    /// Closes what has been written.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let Some(mut trace) = self.trace else {
            return Ok(());
        };
        let path = trace.path.display().to_string();
        match self.error.map_or_else(|| trace.finish(), Err) {
            Ok(()) => Ok(()),
            Err(error) => Err(Failure::Unwritable { path, error }),
        }
    }
}

/// A file of lines, made when there is something to write: a run that does not come about leaves an old one alone.
struct Trace {
    path: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Trace {
    fn file(&mut self) -> io::Result<&mut BufWriter<File>> {
        let file = match self.file.take() {
            Some(file) => file,
            None => BufWriter::new(File::create(&self.path)?),
        };
        Ok(self.file.insert(file))
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.file()?, "{line}")
    }

    /// A run without a record leaves an empty file.
    fn finish(&mut self) -> io::Result<()> {
        self.file()?.flush()
    }
}
