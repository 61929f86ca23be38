//! What a campaign counts, and what it has found so far: a sum over seeds, in their order.

use serde::{Deserialize, Serialize};

use super::coverage::Coverage;
use super::runner::{Ended, Ran};
use super::statistics::Chances;
use crate::oracle::Violation;

/// So many findings are kept; the others are counted.
pub(super) const FOUND_MAX: usize = 64;

/// Sums over a range of seeds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Tally {
    pub(super) seeds: u64,
    pub(super) schedules: u64,
    pub(super) actions: u64,
    /// Models that the reference has no rules for.
    pub(super) uncovered: u64,
    pub(super) ends: Ends,
    /// How many seeds had a finding.
    pub(super) findings: u64,
    /// The first ones.
    pub(super) found: Vec<Found>,
    pub(super) coverage: Coverage,
    pub(super) chances: Chances,
}

/// How schedules ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the ends")]
pub struct Ends {
    pub completed: u64,
    pub terminated: u64,
    pub faulted: u64,
    pub canceled: u64,
    pub stuck: u64,
    /// A bound came first.
    pub bounded: u64,
}

/// A schedule that broke an invariant, by its place in the campaign: enough to run it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Found {
    pub(super) seed: u64,
    pub(super) schedule: u32,
    pub(super) invariant: String,
    pub(super) rule: String,
    pub(super) message: String,
    /// How many schedules the campaign had run, this one included.
    pub(super) after: u64,
}

impl Found {
    pub(super) fn new(seed: u64, schedule: u32, violation: &Violation) -> Self {
        Self {
            seed,
            schedule,
            invariant: violation.invariant.to_owned(),
            rule: violation.rule.to_owned(),
            message: words(violation),
            after: 0,
        }
    }

    /// Whether both say the same of the engine, as far as one can tell.
    pub(super) fn resembles(&self, other: &Self) -> bool {
        (&self.invariant, &self.rule) == (&other.invariant, &other.rule)
    }
}

/// What is wrong, and where.
pub(super) fn words(violation: &Violation) -> String {
    match &violation.node {
        Some(node) => format!("`{node}`: {}", violation.message),
        None => violation.message.clone(),
    }
}

impl Tally {
    /// Counts a schedule.
    pub(super) fn count(&mut self, ran: &Ran) {
        self.schedules += 1;
        self.actions += ran.actions;
        let ends = &mut self.ends;
        *match ran.ended {
            Ended::Completed => &mut ends.completed,
            Ended::Terminated => &mut ends.terminated,
            Ended::Faulted => &mut ends.faulted,
            Ended::Canceled => &mut ends.canceled,
            Ended::Stuck => &mut ends.stuck,
            Ended::Bounded => &mut ends.bounded,
        } += 1;
    }

    /// Notes a finding of the schedule that has just been counted.
    pub(super) fn find(&mut self, found: Found) {
        self.findings += 1;
        if self.found.len() < FOUND_MAX {
            self.found.push(Found {
                after: self.schedules,
                ..found
            });
        }
    }

    /// Adds the sums over the seeds that follow.
    pub(super) fn append(&mut self, next: &Self) {
        let before = self.schedules;
        self.seeds += next.seeds;
        self.schedules += next.schedules;
        self.actions += next.actions;
        self.uncovered += next.uncovered;
        self.findings += next.findings;
        let (sum, ends) = (&mut self.ends, next.ends);
        sum.completed += ends.completed;
        sum.terminated += ends.terminated;
        sum.faulted += ends.faulted;
        sum.canceled += ends.canceled;
        sum.stuck += ends.stuck;
        sum.bounded += ends.bounded;
        let room = FOUND_MAX - self.found.len();
        self.found.extend(next.found.iter().take(room).map(|found| Found {
            after: before + found.after,
            ..found.clone()
        }));
        self.coverage.merge(&next.coverage);
        self.chances.append(&next.chances);
    }
}
