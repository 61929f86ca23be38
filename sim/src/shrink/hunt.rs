//! The hunt for something smaller: cuts of the model, tried until none is left, with a count of all runs.

use trackside_engine::model::Definitions;
use trackside_engine::problem::any_error;
use trackside_engine::validate::validate;

use super::model::{Cut, PASSES, weight};
use super::youngest::Youngest;
use super::{Failing, Limits, Shrunk, Trial, Wishes};
use crate::schedule::{Fifo, Random, Strategy};

/// The smallest so far, and what it took.
pub(super) struct Hunt<'t, T> {
    trial: &'t mut T,
    model: Definitions,
    pub(super) failing: Failing,
    pub(super) limits: Limits,
    cuts: u64,
    pub(super) runs: u64,
    bounded: bool,
}

impl<'t, T: Trial> Hunt<'t, T> {
    pub(super) fn new(trial: &'t mut T, model: Definitions, failing: Failing, limits: Limits) -> Self {
        Self {
            trial,
            model,
            failing,
            limits,
            cuts: 0,
            runs: 0,
            bounded: false,
        }
    }

    pub(super) fn done(self) -> Shrunk {
        Shrunk {
            model: self.model,
            failing: self.failing,
            cuts: self.cuts,
            runs: self.runs,
            bounded: self.bounded,
        }
    }

    /// Runs the model that the trial is ready for; `None` also where no run is left.
    pub(super) fn run(&mut self, strategy: &mut dyn Strategy) -> Option<Failing> {
        if self.runs >= self.limits.runs_max {
            self.bounded = true;
            return None;
        }
        self.runs += 1;
        self.trial.fails(strategy)
    }

    /// Cuts the model until no cut keeps the finding, and leaves the trial ready for what is left. Says whether there was
    /// one.
    pub(super) fn shrink_model(&mut self) -> bool {
        let before = self.cuts;
        loop {
            let cuts = self.cuts;
            for pass in PASSES {
                self.pass(*pass);
            }
            if self.cuts == cuts || self.bounded {
                break;
            }
        }
        // The last cut that was tried failed; the trial still has its model.
        self.trial.prepare(&self.model);
        self.cuts > before
    }

    /// Tries all cuts of one kind. After one that was made, what is left is listed anew; those before it have failed.
    fn pass(&mut self, list: fn(&Definitions) -> Vec<Cut>) {
        let mut cuts = list(&self.model);
        let mut at = 0;
        while at < cuts.len() && !self.bounded {
            if self.attempt(&cuts[at]) {
                self.cuts += 1;
                cuts = list(&self.model);
            } else {
                at += 1;
            }
        }
    }

    fn attempt(&mut self, cut: &Cut) -> bool {
        let reduced = cut.of(&self.model);
        if weight(&reduced) >= weight(&self.model) || any_error(&validate(&reduced)) || !self.trial.prepare(&reduced) {
            return false;
        }
        let Some(failing) = self.fails_somehow() else {
            return false;
        };
        (self.model, self.failing) = (reduced, failing);
        true
    }

    /// Tries what failed before, then some other schedules.
    fn fails_somehow(&mut self) -> Option<Failing> {
        let mut wishes = Wishes::new(self.failing.choices.iter().cloned());
        let found = self.run(&mut wishes).or_else(|| self.run(&mut Fifo));
        let found = found.or_else(|| self.run(&mut Youngest));
        found.or_else(|| (0..self.limits.seeds).find_map(|seed| self.run(&mut Random::new(seed))))
    }
}
