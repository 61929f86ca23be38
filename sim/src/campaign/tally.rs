//! What a campaign counts, and what it has found so far: a sum over seeds, in their order.

use serde::{Deserialize, Serialize};

use super::checks::Laws;
use super::coverage::Coverage;
use super::runner::{Ended, Ran};
use super::statistics::Chances;
use crate::oracle::Violation;

/// So many findings that say the same are kept; the others are counted.
const ALIKE_MAX: usize = 4;
/// So many findings are kept in all.
const FOUND_MAX: usize = 64;

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
    pub(super) laws: Laws,
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
    /// Which of the given models it was, from 0.
    pub(super) model: usize,
    pub(super) invariant: String,
    pub(super) rule: String,
    pub(super) message: String,
    /// How many schedules the campaign had run, this one included.
    pub(super) after: u64,
}

impl Found {
    pub(super) fn new((seed, schedule): (u64, u32), model: usize, violation: &Violation) -> Self {
        Self {
            seed,
            schedule,
            model,
            invariant: violation.invariant.to_owned(),
            rule: violation.rule.to_owned(),
            message: words(violation),
            after: 0,
        }
    }

    /// Whether both say the same of the engine and of one given model, as far as one can tell.
    pub(super) fn resembles(&self, other: &Self) -> bool {
        let kind = |found: &Self| (found.model, found.invariant.clone(), found.rule.clone());
        kind(self) == kind(other)
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
        let after = self.schedules;
        self.remember(Found { after, ..found });
    }

    fn remember(&mut self, found: Found) {
        let alike = self.found.iter().filter(|known| known.resembles(&found)).count();
        if alike < ALIKE_MAX && self.found.len() < FOUND_MAX {
            self.found.push(found);
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
        for found in next.found.clone() {
            let after = before + found.after;
            self.remember(Found { after, ..found });
        }
        self.coverage.merge(&next.coverage);
        self.chances.append(&next.chances);
        self.laws.append(&next.laws);
    }
}
