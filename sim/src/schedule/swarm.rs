//! Swarm testing on actions (after Groce, Zhang, Eide, Chen, Regehr: *Swarm testing*, ISSTA 2012).
//!
//! Each seed makes some classes of actions, some nodes, flows, tracks and subscriptions slow, by factors that leave no doubt: completions that take for ever, one branch that starves, a boundary event that fires at once, a
//! clock that runs ahead. Outcomes and ways out get preferences too. What is slow is not impossible: when all else has come
//! to rest, it goes on.

use trackside_engine::world::{Action, Class, Part, Pending, World};

use super::dice::Lots;
use super::outline::{Outlines, patience};
use super::random::uniform;
use super::{Dice, Seeded, Strategy};

/// Picks with odds that each seed distorts.
#[derive(Clone, Debug)]
pub struct Swarm {
    dice: Dice,
    lots: Lots,
    /// How slow each class is.
    class: [u8; CLASSES_MAX],
    /// In how many of 16 cases a node, a flow, a task is slow.
    odd: [u8; 3],
    outcomes: Taste,
    choices: Taste,
    at: u64,
    patience: u64,
    seen: Vec<(u64, Action)>,
    pub(super) outlines: Outlines,
}

/// The classes that may be slow. What only a test's own options allow is among them; changes of data are not offered.
const CLASSES: [Class; 7] = [
    Class::Step,
    Class::Arrival,
    Class::Completion,
    Class::Late,
    Class::Firing,
    Class::Clock,
    Class::Control,
];

/// One more than the number of the last class.
const CLASSES_MAX: usize = Class::Control as usize + 1;

/// In how many of 16 cases something is slow: some seeds leave a kind alone, others slow down every second one.
const ODD: [u8; 4] = [0, 2, 5, 9];

/// How outcomes and ways out are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taste {
    /// With equal odds.
    Any,
    /// The first one nearly always.
    First,
    /// Nearly always the same one at the same node.
    Constant,
}

impl Taste {
    fn draw(dice: &mut Dice) -> Self {
        [Self::Any, Self::Any, Self::First, Self::Constant][dice.below(4) as usize]
    }
}

/// What is ordinary weighs 2 to this; each point of slowness halves that.
const ORDINARY: u32 = 24;

/// Degrees of slowness to choose from: most of what is not ordinary is very slow.
const SLOW: [u8; 4] = [2, 5, 10, 20];

/// Nearly always is all but once in so many times.
const NEARLY: u64 = 8;

impl Swarm {
    /// The schedule of one seed.
    pub fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let lots = Lots::new(&mut dice);
        let mut swarm = Self {
            dice,
            lots,
            class: [0; CLASSES_MAX],
            odd: [0; 3],
            outcomes: Taste::Any,
            choices: Taste::Any,
            at: 0,
            patience: 0,
            seen: Vec::with_capacity(16),
            outlines: Outlines::default(),
        };
        swarm.restart(seed);
        swarm
    }

    #[cold]
    fn begin(&mut self, world: &World) {
        self.outlines.look_at(world);
        self.patience = patience(self.outlines.steps());
    }

    #[inline]
    fn weight(&self, pending: &Pending) -> u64 {
        let class = u32::from(self.class[pending.action.class() as usize]);
        let place = u64::from(pending.template) << 32;
        let node = self.slowness(0, place | u64::from(pending.node.0));
        let flow = if pending.flow.is_none() {
            0
        } else {
            self.slowness(1, place | u64::from(pending.flow.0))
        };
        let task = self.slowness(2, pending.task.0);
        1 << ORDINARY.saturating_sub(class + node + flow + task)
    }

    /// How slow something is.
    #[inline]
    fn slowness(&self, what: u32, name: u64) -> u32 {
        let lot = self.lots.of(name, u64::from(what));
        // A product instead of a branch, which nobody could predict.
        let is_odd = u32::from(lot & 15 < u64::from(self.odd[what as usize]));
        is_odd * u32::from(SLOW[(lot >> 4 & 3) as usize])
    }

    fn pick(&mut self, taste: Taste, of: u32, name: u64) -> u32 {
        if of < 2 {
            return 0;
        }
        let any = taste == Taste::Any || self.dice.below(NEARLY) == 0;
        match taste {
            _ if any => self.dice.below(u64::from(of)) as u32,
            Taste::First => 0,
            Taste::Any | Taste::Constant => (self.lots.of(name, 3) % u64::from(of)) as u32,
        }
    }
}

impl Strategy for Swarm {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        if self.at == 0 {
            self.begin(world);
        }
        self.at += 1;
        if self.at > self.patience {
            return uniform(world, part, &mut self.dice);
        }
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear();
        let (mut total, mut last) = (0, None);
        world.each_enabled(part, |pending| {
            total += self.weight(&pending);
            seen.push((total, pending.action));
            last = Some(pending.action);
        });
        let chosen = last.map(|last| {
            let drawn = self.dice.below(total);
            seen.iter()
                .find(|(up_to, _)| drawn < *up_to)
                .map_or(last, |(_, action)| *action)
        });
        self.seen = seen;
        let action = chosen?;
        let (outcomes, choices) = world.choices(action);
        if outcomes < 2 && choices < 2 {
            return Some(action);
        }
        let name = world.label(action).node.map_or(0, |node| u64::from(node.0));
        let outcome = self.pick(self.outcomes, outcomes, name);
        let choice = self.pick(self.choices, choices, name);
        Some(action.choose(outcome, choice))
    }
}

impl Seeded for Swarm {
    fn restart(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
        self.lots = Lots::new(&mut self.dice);
        let dice = &mut self.dice;
        self.class = [0; CLASSES_MAX];
        let one_in = 2 + dice.below(3);
        for class in CLASSES {
            if dice.below(one_in) == 0 {
                self.class[class as usize] = SLOW[dice.below(SLOW.len() as u64) as usize];
            }
        }
        for odd in &mut self.odd {
            *odd = ODD[dice.below(ODD.len() as u64) as usize];
        }
        self.outcomes = Taste::draw(dice);
        self.choices = Taste::draw(dice);
        self.at = 0;
    }
}
