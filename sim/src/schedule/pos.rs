//! Partial-order sampling (Yuan, Yang, Gu: *Partial order aware concurrency sampling*, CAV 2018).
//!
//! Every pending action has a random priority, and the highest one is taken. Those that race with it then draw another
//! one; the others keep theirs. So the order of actions that have nothing to do with each other costs no randomness, and
//! every partial order has a fair chance.
//!
//! Nothing is kept per action. A priority is what lots give for the action's name and the last step at which something was
//! taken that races with it; and that is looked up in the groups that it belongs to ([`super::outline`]).

use trackside_engine::world::{Action, Class, Part, Pending, World};

use super::dice::Lots;
use super::outline::{Groups, Outlines, patience};
use super::random::uniform;
use super::{Dice, Seeded, Strategy};

/// Picks by a priority per pending action, drawn again for those that race with what was taken: that share a join, a host,
/// a gate, an event, or a scope that is being ended.
#[derive(Clone, Debug)]
pub struct Pos {
    dice: Dice,
    lots: Lots,
    /// How many steps have been chosen.
    at: u64,
    patience: u64,
    /// By group, the last step at which something in it was taken.
    taken: Vec<u64>,
    /// By scope, the last step at which it was ended.
    ended: Vec<u64>,
    pub(super) outlines: Outlines,
}

impl Pos {
    /// The schedule of one seed.
    pub fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let lots = Lots::new(&mut dice);
        Self {
            dice,
            lots,
            at: 0,
            patience: 0,
            taken: Vec::new(),
            ended: Vec::new(),
            outlines: Outlines::default(),
        }
    }

    #[cold]
    fn begin(&mut self, world: &World) {
        self.outlines.look_at(world);
        self.patience = patience(self.outlines.steps());
        for steps in [&mut self.taken, &mut self.ended] {
            steps.clear();
            steps.resize(self.outlines.races.groups, 0);
        }
    }

    /// The last step at which something was taken that races with an action of these groups.
    #[inline]
    fn drawn_at(&self, groups: Groups) -> u64 {
        let taken = |group: u32| self.taken[group as usize];
        let [own, event, ahead] = groups.shared.map(taken);
        // Everything in a scope comes past it; only its end goes past all of that.
        own.max(event)
            .max(ahead)
            .max(self.ended[groups.scope as usize])
            .max(taken(groups.ends))
    }

    fn priority(&self, pending: &Pending) -> u64 {
        let drawn = if pending.action.class() == Class::Control {
            self.at
        } else {
            self.drawn_at(self.outlines.races.groups_of(pending))
        };
        self.lots.of(pending.task.0 ^ pending.born << 40, drawn)
    }

    fn take(&mut self, pending: &Pending) {
        let races = &self.outlines.races;
        let groups = races.groups_of(pending);
        for group in groups.shared {
            self.taken[group as usize] = self.at;
        }
        let mut scope = groups.scope;
        while scope != 0 {
            self.taken[scope as usize] = self.at;
            scope = races.around(scope);
        }
        if groups.ends != 0 {
            for scope in races.scope_groups() {
                let mut above = scope;
                while above != 0 && above != groups.ends {
                    above = races.around(above);
                }
                if above != 0 {
                    self.ended[scope as usize] = self.at;
                }
            }
        }
        self.taken[0] = 0;
    }
}

impl Strategy for Pos {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        if self.at == 0 {
            self.begin(world);
        }
        self.at += 1;
        if self.at > self.patience {
            return uniform(world, part, &mut self.dice);
        }
        let mut best: Option<(u64, Pending)> = None;
        world.each_enabled(part, |pending| {
            let priority = self.priority(&pending);
            if best.as_ref().is_none_or(|(highest, _)| priority > *highest) {
                best = Some((priority, pending));
            }
        });
        let (_, best) = best?;
        self.take(&best);
        Some(self.dice.decide(world, best.action))
    }
}

impl Seeded for Pos {
    fn restart(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
        self.lots = Lots::new(&mut self.dice);
        self.at = 0;
    }
}
