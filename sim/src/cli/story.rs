//! A run as it happens: rows on stdout for people, lines in a file for programs.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::Failure;
use super::options::Format;
use super::output::Output;
use crate::trace::{Event, Row, json};

pub(super) struct Story<'o> {
    output: Option<&'o mut Output>,
    trace: Option<(String, BufWriter<File>)>,
    /// The first thing that went wrong with the trace file.
    error: Option<io::Error>,
    begun: bool,
}

impl<'o> Story<'o> {
    /// Opens what is to be written.
    pub(super) fn new(format: Format, trace: Option<&Path>, output: &'o mut Output) -> Result<Self, Failure> {
        let trace = trace.map(|path| {
            let name = path.display().to_string();
            match File::create(path) {
                Ok(file) => Ok((name, BufWriter::new(file))),
                Err(error) => Err(Failure::Unwritable { path: name, error }),
            }
        });
        Ok(Self {
            output: (format == Format::Human).then_some(output),
            trace: trace.transpose()?,
            error: None,
            begun: false,
        })
    }

    /// Tells one thing.
    pub(super) fn event(&mut self, event: &Event<'_>) {
        if let Some(output) = &mut self.output {
            if !std::mem::replace(&mut self.begun, true) {
                output.line(&Row::heading());
            }
            output.line(&Row::of(event).to_string());
        }
        if let (Some((_, file)), None) = (&mut self.trace, &self.error) {
            self.error = writeln!(file, "{}", json(event)).err();
        }
    }

    /// Closes what has been written.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let Some((path, mut file)) = self.trace else {
            return Ok(());
        };
        match self.error.map_or_else(|| file.flush(), Err) {
            Ok(()) => Ok(()),
            Err(error) => Err(Failure::Unwritable { path, error }),
        }
    }
}
