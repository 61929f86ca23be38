//! A portfolio: each seed is played by one of several strategies, so that what one can't find another one does.

use trackside_engine::world::{Action, Part, World};

use super::outline::{Interest, Outlines};
use super::{Dice, Pct, Pos, Promise, Random, Seeded, Strategy, Surw, Swarm};

/// A strategy of the portfolio, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    Random,
    Pct(u32),
    /// [`Pct::at_meetings`].
    Meetings(u32),
    Pos,
    Surw,
    Swarm,
}

/// Who plays, in equal parts. Half of it is the swarm, which loses most of the races of `sim/tests/strategies` soonest; the
/// others lose some that it loses late.
const MEMBERS: [Member; 16] = [
    Member::Swarm,
    Member::Meetings(2),
    Member::Swarm,
    Member::Pct(2),
    Member::Swarm,
    Member::Pos,
    Member::Swarm,
    Member::Meetings(5),
    Member::Swarm,
    Member::Surw,
    Member::Swarm,
    Member::Pct(3),
    Member::Swarm,
    Member::Meetings(3),
    Member::Swarm,
    Member::Random,
];

impl Member {
    fn of(dice: &mut Dice) -> Self {
        MEMBERS[dice.below(MEMBERS.len() as u64) as usize]
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Pct(2) => "pct-2",
            Self::Pct(_) => "pct-3",
            Self::Meetings(2) => "pct-meetings-2",
            Self::Meetings(3) => "pct-meetings-3",
            Self::Meetings(_) => "pct-meetings-5",
            Self::Pos => "pos",
            Self::Surw => "surw",
            Self::Swarm => "swarm",
        }
    }
}

/// Plays each seed by the strategy that the seed says.
///
/// ```
/// use trackside_sim::schedule::Portfolio;
///
/// let portfolio = Portfolio::new(7);
/// assert_eq!(portfolio.member(), Portfolio::member_of(7));
/// ```
#[derive(Clone, Debug)]
pub struct Portfolio {
    member: Member,
    random: Random,
    pct: Pct,
    pos: Pos,
    surw: Surw,
    swarm: Swarm,
    /// The outlines, while who plays has no use for them.
    known: Outlines,
}

impl Portfolio {
    /// The schedule of one seed.
    pub fn new(seed: u64) -> Self {
        let mut portfolio = Self {
            member: Member::Random,
            random: Random::new(seed),
            pct: Pct::new(seed),
            pos: Pos::new(seed),
            surw: Surw::new(seed),
            swarm: Swarm::new(seed),
            known: Outlines::default(),
        };
        portfolio.restart(seed);
        portfolio
    }

    /// The name of the strategy that plays, with its depth: what a finding can be attributed to.
    pub fn member(&self) -> &'static str {
        self.member.name()
    }

    /// The name of the strategy that plays a seed.
    pub fn member_of(seed: u64) -> &'static str {
        Member::of(&mut Dice::new(seed)).name()
    }
}

impl Portfolio {
    fn outlines(&mut self) -> Option<&mut Outlines> {
        match self.member {
            Member::Random => None,
            Member::Pct(_) | Member::Meetings(_) => Some(&mut self.pct.outlines),
            Member::Pos => Some(&mut self.pos.outlines),
            Member::Surw => Some(&mut self.surw.outlines),
            Member::Swarm => Some(&mut self.swarm.outlines),
        }
    }
}

impl Strategy for Portfolio {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        match self.member {
            Member::Random => self.random.choose(world, part),
            Member::Pct(_) | Member::Meetings(_) => self.pct.choose(world, part),
            Member::Pos => self.pos.choose(world, part),
            Member::Surw => self.surw.choose(world, part),
            Member::Swarm => self.swarm.choose(world, part),
        }
    }
}

impl Seeded for Portfolio {
    fn restart(&mut self, seed: u64) {
        let mut dice = Dice::new(seed);
        // What one member has worked out about the templates, the next one need not.
        if let Some(outlines) = self.outlines() {
            self.known = std::mem::take(outlines);
        }
        self.member = Member::of(&mut dice);
        let known = std::mem::take(&mut self.known);
        match self.outlines() {
            Some(outlines) => *outlines = known,
            None => self.known = known,
        }
        // Another stream than that of the member under the same seed.
        let seed = dice.word();
        match self.member {
            Member::Random => self.random.restart(seed),
            Member::Pct(depth) => {
                self.pct.aim(depth, Interest::All);
                self.pct.restart(seed);
            }
            Member::Meetings(depth) => {
                self.pct.aim(depth, Interest::Meetings);
                self.pct.restart(seed);
            }
            Member::Pos => self.pos.restart(seed),
            Member::Surw => self.surw.restart(seed),
            Member::Swarm => self.swarm.restart(seed),
        }
    }

    fn promise(&self) -> Option<Promise> {
        match self.member {
            Member::Pct(_) => self.pct.promise(),
            _ => None,
        }
    }
}
