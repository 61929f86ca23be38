//! How far a campaign has come, for whoever watches.

#![allow(
    clippy::cast_precision_loss,
    reason = "figures for people and bounds: sixteen digits are plenty"
)]

use std::time::Duration;

use super::tally::Tally;
use super::workers::Range;

/// How far a campaign has come: the seeds that are done without a gap.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'c> {
    pub(super) tally: &'c Tally,
    pub(super) range: Range,
    pub(super) elapsed: Duration,
    pub(super) resumed: bool,
}

impl Progress<'_> {
    /// Seeds that are done; one seed is one model.
    pub fn seeds(&self) -> u64 {
        self.tally.seeds
    }

    /// Schedules that were run.
    pub fn schedules(&self) -> u64 {
        self.tally.schedules
    }

    /// Seeds with a finding.
    pub fn findings(&self) -> u64 {
        self.tally.findings
    }

    /// How long the campaign has run, before an interruption too.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Whether it goes on after an interruption.
    pub fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// Schedules per second so far.
    pub fn rate(&self) -> f64 {
        self.tally.schedules as f64 / self.elapsed.as_secs_f64().max(0.001)
    }

    /// How many of the items that can be covered have been, and how many there are.
    pub fn covered(&self) -> (usize, usize) {
        let groups = self.tally.coverage.covered().0;
        groups
            .values()
            .fold((0, 0), |(hit, total), share| (hit + share.hit, total + share.total))
    }

    /// How many of `parts` equal parts are done, where there is an end to come to.
    pub fn part(&self, parts: u64) -> Option<u64> {
        let done = Duration::from_millis(parts).mul_f64(self.share()?);
        Some(done.as_millis() as u64)
    }

    /// How much is done, between 0 and 1.
    fn share(&self) -> Option<f64> {
        let by_seeds = self
            .range
            .seeds
            .map(|seeds| self.tally.seeds as f64 / seeds.max(1) as f64);
        let by_time = self
            .range
            .time
            .map(|time| self.elapsed.as_secs_f64() / time.as_secs_f64().max(0.001));
        // Whichever bound comes first.
        let parts = by_seeds.into_iter().chain(by_time);
        parts.reduce(f64::max).map(|part| part.min(1.0))
    }

    /// How long it will go on, at this rate.
    pub fn left(&self) -> Option<Duration> {
        let part = self.share().filter(|&part| part > 0.0)?;
        Some(self.elapsed.mul_f64((1.0 - part) / part))
    }
}
