//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: *A randomized scheduler with
//! probabilistic guarantees of finding bugs*, ASPLOS 2010).
//!
//! Every task ([`trackside_engine::world::Task`]) has a random priority, and the highest one goes on until it can't. At
//! *d - 1* random steps, the one that is about to go on drops below all others. So orders that need one token to wait for
//! very long while all others move come up often, where a random walk lets it wait with a probability that halves with
//! every step.

use trackside_engine::world::{Action, Class, Part, Pending, Task, World};

use super::dice::Lots;
use super::outline::{Interest, Outlines, patience};
use super::random::uniform;
use super::{Dice, Promise, Seeded, Strategy};

/// The depth of [`Pct::new`].
pub const DEPTH: u32 = 3;

/// The greatest depth there is.
pub const DEPTH_MAX: u32 = 16;

/// Picks by priority, with *d - 1* points at which one is lowered.
///
/// An order of actions that goes wrong has *depth d* if *d* ordering constraints bring it about. With *n* tasks in a run
/// of at most *k* steps, a schedule has it with a probability of at least *1 / (n k^(d-1))*, choices and outcomes aside.
/// Here *n* counts the tracks, the external work they wait for, the subscriptions that the outside fires, late answers, the
/// clock and (where it may come) the cancellation; *k* counts transitions.
///
/// *k* is estimated from the template, or given ([`Pct::within`]). A run that is much longer than that goes on at random,
/// so that no loop keeps a track of high priority for ever.
#[derive(Clone, Debug)]
pub struct Pct {
    depth: u32,
    steps: Option<u64>,
    dice: Dice,
    lots: Lots,
    /// Which steps count for the change points.
    interest: Interest,
    /// How many steps have been chosen.
    at: u64,
    /// How many of them counted.
    counted: u64,
    /// How many were expected to count: what the change points were drawn from.
    expected: u64,
    patience: u64,
    /// Where the i-th change point is.
    points: Vec<u64>,
    /// Who was lowered, the one that was lowered to the i-th level behind its number.
    lowered: Vec<(Task, u64)>,
    pub(super) outlines: Outlines,
}

/// Whoever has not been lowered is above all who have.
const HIGH: u64 = 1 << 63;

impl Pct {
    /// The schedule of one seed, with depth [`DEPTH`].
    pub fn new(seed: u64) -> Self {
        Self::with_depth(seed, DEPTH)
    }

    /// The schedule of one seed, with a depth from 1 to [`DEPTH_MAX`].
    pub fn with_depth(seed: u64, depth: u32) -> Self {
        let mut dice = Dice::new(seed);
        let lots = Lots::new(&mut dice);
        let depth = depth.clamp(1, DEPTH_MAX);
        Self {
            depth,
            steps: None,
            dice,
            lots,
            interest: Interest::All,
            at: 0,
            counted: 0,
            expected: 0,
            patience: 0,
            points: Vec::with_capacity(depth as usize),
            lowered: Vec::with_capacity(depth as usize),
            outlines: Outlines::default(),
        }
    }

    /// The same for runs of at most so many steps, as earlier runs have shown.
    #[must_use]
    pub fn within(mut self, steps: u64) -> Self {
        self.steps = Some(steps.max(1));
        self
    }

    /// The same with another depth and other steps that count, for the next seed.
    pub(super) fn aim(&mut self, depth: u32, interest: Interest) {
        self.depth = depth.clamp(1, DEPTH_MAX);
        self.interest = interest;
    }

    /// The same with change points only where tokens meet: at arrivals at joins, steps that throw, raise or end a scope, and
    /// firings that interrupt. Of the steps, *k* counts those alone, so that the bound for orders among them is better.
    #[must_use]
    pub fn at_meetings(mut self) -> Self {
        self.interest = Interest::Meetings;
        self
    }

    #[cold]
    fn begin(&mut self, world: &World) {
        self.outlines.look_at(world);
        let steps = self.steps.unwrap_or_else(|| self.outlines.steps());
        self.patience = patience(steps);
        let counting = match self.interest {
            Interest::All => steps,
            interest => self.outlines.interesting(interest),
        };
        self.expected = counting;
        for _ in 1..self.depth {
            self.points.push(1 + self.dice.below(counting));
        }
    }

    #[inline]
    fn counts(&self, pending: &Pending) -> bool {
        self.interest == Interest::All || self.outlines.is_interesting(self.interest, pending)
    }

    #[inline]
    fn highest(&self, world: &World, part: Part) -> Option<Pending> {
        let mut best: Option<(u64, Pending)> = None;
        world.each_enabled(part, |pending| {
            let priority = self.priority(&pending);
            if best.as_ref().is_none_or(|(highest, _)| priority > *highest) {
                best = Some((priority, pending));
            }
        });
        best.map(|(_, pending)| pending)
    }

    #[inline]
    fn priority(&self, pending: &Pending) -> u64 {
        let task = pending.task;
        match self.lowered.iter().rev().find(|(lowered, _)| *lowered == task) {
            Some(&(_, level)) => level,
            // Of a track, every work takes a time of its own.
            None if pending.action.class() == Class::Completion => self.lots.of(task.0, pending.born) | HIGH,
            None => self.lots.of(task.0, 0) | HIGH,
        }
    }
}

impl Strategy for Pct {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        if self.at == 0 {
            self.begin(world);
        }
        self.at += 1;
        if self.at > self.patience {
            return uniform(world, part, &mut self.dice);
        }
        let mut best = self.highest(world, part)?;
        if self.counts(&best) {
            self.counted += 1;
            if let Some(level) = self.points.iter().position(|&point| point == self.counted) {
                self.lowered.push((best.task, level as u64));
                best = self.highest(world, part)?;
            }
        }
        Some(self.dice.decide(world, best.action))
    }
}

impl Seeded for Pct {
    fn restart(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
        self.lots = Lots::new(&mut self.dice);
        (self.at, self.counted) = (0, 0);
        self.points.clear();
        self.lowered.clear();
    }

    /// None for a run that was longer than expected: no change point lay in the rest. None for change points at meetings
    /// either, which promise something of orders among these alone.
    fn promise(&self) -> Option<Promise> {
        let kept = self.interest == Interest::All && self.counted <= self.expected;
        kept.then_some(Promise {
            depth: self.depth,
            steps: self.expected,
        })
    }
}
