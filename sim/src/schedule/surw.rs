//! Selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: *Selectively uniform concurrency testing*, ASPLOS
//! 2025).
//!
//! A random walk over two branches, one short and one long, finishes the short one early nearly always. If each branch is
//! taken with odds that go with the number of actions that it has still to do, all interleavings are equally likely. The
//! *selective* walk does that for the interesting actions alone, and lets the others come as they may.

use trackside_engine::world::{Action, Part, Pending, Task, World};

use super::outline::{Interest, Outlines, patience};
use super::random::uniform;
use super::{Dice, Seeded, Strategy};

/// Picks with odds that go with how many interesting actions are still to come from there.
///
/// The counts are those of the template: exact on acyclic ones as far as no decision is open, estimated around cycles.
#[derive(Clone, Debug)]
pub struct Surw {
    dice: Dice,
    interest: Interest,
    at: u64,
    patience: u64,
    /// Whose turn it is among those with something interesting to do.
    intended: Option<Task>,
    seen: Vec<(u64, Pending)>,
    pub(super) outlines: Outlines,
}

/// How many enabled actions there is room for at first.
const ROOM: usize = 16;

impl Surw {
    /// The schedule of one seed, which also says what is interesting: all actions, those where tokens meet or scopes end,
    /// or those of the outside.
    pub fn new(seed: u64) -> Self {
        let mut surw = Self::uniform(seed);
        surw.restart(seed);
        surw
    }

    /// The schedule of one seed where every action is interesting: interleavings of independent branches are equally
    /// likely.
    pub fn uniform(seed: u64) -> Self {
        Self {
            dice: Dice::new(seed),
            interest: Interest::All,
            at: 0,
            patience: 0,
            intended: None,
            seen: Vec::with_capacity(ROOM),
            outlines: Outlines::default(),
        }
    }

    #[cold]
    fn begin(&mut self, world: &World) {
        self.outlines.look_at(world);
        self.patience = patience(self.outlines.steps());
    }

    /// One of those seen, with odds by weight; any of them if all weigh nothing.
    fn weighted(&mut self, total: u64) -> Option<Pending> {
        if total == 0 {
            let count = self.seen.len() as u64;
            let at = if count == 0 {
                return None;
            } else {
                self.dice.below(count)
            };
            return self.seen.get(at as usize).map(|(_, pending)| *pending);
        }
        let drawn = self.dice.below(total);
        let found = self.seen.iter().find(|(up_to, _)| drawn < *up_to);
        found.map(|(_, pending)| *pending)
    }

    /// Sees all enabled actions, each with the sum of the weights up to it; gives the sum of all.
    fn look(&mut self, world: &World, part: Part) -> u64 {
        let (mut total, interest) = (0, self.interest);
        let Self { seen, outlines, .. } = self;
        seen.clear();
        world.each_enabled(part, |pending| {
            total += outlines.to_come(interest, &pending);
            seen.push((total, pending));
        });
        total
    }

    /// The next action where only some are interesting: one that is not, or that of the task whose turn it is.
    fn selective(&mut self, total: u64) -> Option<Pending> {
        let there = |task: Task| self.seen.iter().any(|(_, pending)| pending.task == task);
        if !self.intended.is_some_and(there) {
            self.intended = self.weighted(total).map(|pending| pending.task);
        }
        let (interest, intended) = (self.interest, self.intended);
        let outlines = &self.outlines;
        let interesting = |pending: &Pending| outlines.is_interesting(interest, pending);
        self.seen
            .retain(|(_, pending)| Some(pending.task) == intended || !interesting(pending));
        let drawn = self.dice.below(self.seen.len().max(1) as u64);
        let (_, next) = *self.seen.get(drawn as usize)?;
        if interesting(&next) {
            self.intended = None;
        }
        Some(next)
    }
}

impl Strategy for Surw {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        if self.at == 0 {
            self.begin(world);
        }
        self.at += 1;
        if self.at > self.patience {
            return uniform(world, part, &mut self.dice);
        }
        let total = self.look(world, part);
        if self.seen.is_empty() {
            return None;
        }
        let next = match self.interest {
            Interest::All => self.weighted(total)?,
            Interest::Meetings | Interest::Outside => self.selective(total)?,
        };
        Some(self.dice.decide(world, next.action))
    }
}

impl Seeded for Surw {
    fn restart(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
        self.interest = Interest::ALL[self.dice.below(Interest::ALL.len() as u64) as usize];
        self.at = 0;
        self.intended = None;
    }
}
