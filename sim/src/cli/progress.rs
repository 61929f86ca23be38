//! Progress of long work: a bar on stderr, on a terminal only.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::complain;
use crate::campaign::Progress;

/// Parts of a bar; it moves by so many at most.
const PARTS: u64 = 1_000;

/// A bar, or nothing where nobody would see one.
pub(super) struct Bar {
    bar: ProgressBar,
    resumed: bool,
}

impl Bar {
    pub(super) fn new() -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(PARTS), target);
        let template = "{bar:30} {percent:>3}%  {msg}";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is written right above"));
        Self { bar, resumed: false }
    }

    /// Shows how far a campaign has come.
    pub(super) fn show(&mut self, progress: &Progress<'_>) {
        if progress.is_resumed() && !std::mem::replace(&mut self.resumed, true) {
            let before = HumanDuration(Duration::from_secs(progress.elapsed().as_secs()));
            self.note(&format!(
                "going on after {} seeds and {before}, which are in the store",
                progress.seeds()
            ));
        }
        self.bar.set_position(progress.part(PARTS).unwrap_or(0));
        let (hit, total) = progress.covered();
        let left = progress.left().map_or(String::new(), |left| {
            format!(", {} left", HumanDuration(Duration::from_secs(left.as_secs())))
        });
        self.bar.set_message(format!(
            "{:.0} schedules/s, {} models, {}/{} covered, {} found{left}",
            progress.rate(),
            progress.seeds(),
            hit,
            total,
            progress.findings(),
        ));
    }

    fn note(&self, text: &str) {
        if self.bar.is_hidden() {
            complain(format_args!("{text}"));
        } else {
            self.bar.println(text);
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
