//! What strategies know of the templates of a world: worked out once per template, looked up in constant time.
//!
//! Two things: which actions *race* ([`Races`]), and how many actions are still to come from a position ([`Ahead`]).

mod ahead;
mod races;

use trackside_engine::instance::Grain;
use trackside_engine::template::Shared;
use trackside_engine::world::{Pending, World};

pub(super) use ahead::Interest;
use ahead::{Ahead, UNIT};
pub(super) use races::{Groups, Races};

/// What strategies know of one template.
#[derive(Clone, Debug)]
struct Outline {
    ahead: Ahead,
    /// About how many transitions a run takes, and how many of them are interesting; exact where that never varies.
    steps: [u64; 3],
}

/// The outlines of a world's templates, kept as long as the world has the same ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlines {
    of: Vec<Shared>,
    grain: Grain,
    all: Vec<Outline>,
    pub(super) races: Races,
}

/// So many transitions of a run that is expected to have `steps` go by a strategy's own rule. A longer one goes on at random,
/// so that no loop is favoured for ever.
pub(super) const fn patience(steps: u64) -> u64 {
    steps.saturating_mul(4).saturating_add(64)
}

/// A run that is estimated to be longer than this is not worth counting out.
const STEPS_MAX: u64 = 100_000;

impl Outlines {
    /// Works out what is not known yet.
    pub(super) fn look_at(&mut self, world: &World) {
        let templates = world.templates();
        let grain = world.options().grain;
        let known = self.grain == grain
            && self.of.len() == templates.len()
            && self
                .of
                .iter()
                .zip(templates)
                .all(|(known, template)| Shared::ptr_eq(known, template));
        if !known {
            self.draw(templates, grain);
        }
    }

    #[cold]
    fn draw(&mut self, templates: &[Shared], grain: Grain) {
        self.of = templates.to_vec();
        self.grain = grain;
        self.races = Races::of(templates);
        self.all = templates
            .iter()
            .map(|template| {
                let ahead = Ahead::of(template, grain);
                let steps = Interest::ALL.map(|interest| {
                    let births = template.births().iter();
                    let longest = births.map(|birth| ahead.of_birth(interest, template, *birth)).max();
                    longest.unwrap_or(0).div_ceil(UNIT).clamp(1, STEPS_MAX)
                });
                Outline { ahead, steps }
            })
            .collect();
    }

    /// How much is to come from a pending action ([`Ahead::to_come`]).
    #[inline]
    pub(super) fn to_come(&self, interest: Interest, pending: &Pending) -> u64 {
        let outline = self.all.get(pending.template as usize);
        outline.map_or(UNIT, |outline| outline.ahead.to_come(interest, pending))
    }

    /// Whether a pending action is interesting.
    #[inline]
    pub(super) fn is_interesting(&self, interest: Interest, pending: &Pending) -> bool {
        let outline = self.all.get(pending.template as usize);
        outline.is_none_or(|outline| outline.ahead.counts(interest, pending))
    }

    /// About how many transitions a run takes, of all templates that take part.
    pub(super) fn steps(&self) -> u64 {
        self.interesting(Interest::All)
    }

    /// About how many interesting transitions a run has, of all templates that take part.
    pub(super) fn interesting(&self, interest: Interest) -> u64 {
        self.all.iter().map(|outline| outline.steps[interest as usize]).sum()
    }
}
