//! What came of a campaign, for programs and for people.

use std::fmt;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::checks::Laws;
use super::coverage::Covered;
use super::finding::Finding;
use super::statistics::Statistics;
use super::tally::{Ends, Tally};
use super::{Campaign, Models};
use crate::schedule::Named;

/// The result of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The first seed.
    pub first_seed: u64,
    /// How many seeds were worked off, without a gap.
    pub seeds: u64,
    /// How many models there were.
    pub models: u64,
    /// How many of these the reference has no rules for: only what records tell was judged there.
    pub uncovered: u64,
    /// How many schedules were run.
    pub schedules: u64,
    /// How many transitions these had.
    pub actions: u64,
    /// How they ended.
    pub ends: Ends,
    /// How long it took.
    #[serde(rename = "elapsed_ms", serialize_with = "ms")]
    pub elapsed: Duration,
    /// Seeds with a finding.
    pub violated: u64,
    /// The findings that differ, each shrunk.
    #[serde(rename = "violations")]
    pub findings: Vec<Finding>,
    /// How often each of the laws V11 to V15, which are held to samples, had something to judge.
    pub laws: Laws,
    /// What was assumed of the outside, and how schedules were bounded.
    pub assumptions: Vec<String>,
    /// What it means that nothing was found, where nothing was.
    pub statistics: Statistics,
    /// What was seen of all that can be seen.
    pub covered: Covered,
}

impl Summary {
    pub(super) fn new(campaign: &Campaign, tally: &Tally, findings: Vec<Finding>, elapsed: Duration) -> Self {
        let given = matches!(campaign.space.models, Models::Given(_));
        let models = match &campaign.space.models {
            Models::Generated { .. } => tally.seeds,
            Models::Given(all) => tally.seeds.min(all.len() as u64),
        };
        Self {
            first_seed: campaign.first_seed,
            seeds: tally.seeds,
            models,
            uncovered: tally.uncovered,
            schedules: tally.schedules,
            actions: tally.actions,
            ends: tally.ends,
            elapsed,
            violated: tally.findings,
            findings,
            laws: tally.laws,
            assumptions: campaign.space.assumptions(),
            statistics: tally
                .chances
                .statistics(tally.seeds, (given, campaign.space.strategy != Named::Fifo)),
            covered: tally.coverage.covered(),
        }
    }
}

fn ms<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(duration.as_millis() as u64)
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} schedules of {} models, {} transitions: {} of {} seeds with a finding",
            self.schedules, self.models, self.actions, self.violated, self.seeds
        )?;
        self.findings.iter().try_for_each(|finding| write!(f, "\n{finding}"))
    }
}
