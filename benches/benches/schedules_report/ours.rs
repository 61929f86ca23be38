//! The small models of the comparison, run by this engine: every schedule is an instance from its start to its end.

use std::sync::Arc;

use trackside_benches::families;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, End, Grain, Options};
use trackside_engine::model::{Definitions, notation};
use trackside_engine::world::{Part, World};
use trackside_sim::schedule::{Named, Seeded};

use super::BATCH;

/// The inclusive diamond of three branches, of which any set that is not empty is taken.
pub(super) fn or_diamond() -> Definitions {
    notation::parse("or F J; s > F > A* > J > e; F > B* > J; F > C* > J").expect("the model is of the notation")
}

/// How a model is run.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    pub(super) strategy: Named,
    pub(super) grain: Grain,
    pub(super) records: bool,
}

impl How {
    /// All ways that are measured.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let grains = [Grain::Protocol, Grain::Atomic];
        [Named::Random, Named::Portfolio].into_iter().flat_map(move |strategy| {
            grains.into_iter().flat_map(move |grain| {
                [false, true].map(|records| Self {
                    strategy,
                    grain,
                    records,
                })
            })
        })
    }
}

/// A world in which one schedule after the other is run.
pub(super) struct Ours {
    world: World,
    strategy: Box<dyn Seeded>,
    data: Data,
    seed: u64,
    transitions: u64,
}

impl Ours {
    pub(super) fn new(definitions: &Definitions, how: How) -> Self {
        let mut world = World::new(Options {
            conditions: Conditions::Symbolic,
            grain: how.grain,
            records: how.records,
            ..Options::default()
        });
        world.add(families::template(definitions));
        Self {
            world,
            strategy: how.strategy.build(0),
            data: Data::default(),
            seed: 0,
            transitions: 0,
        }
    }

    /// A batch of schedules, each of which has to complete.
    pub(super) fn run(&mut self) {
        for _ in 0..BATCH {
            self.seed += 1;
            self.strategy.restart(self.seed);
            self.world.reset();
            let instance = self.world.start(0, 0, Arc::clone(&self.data));
            while let Some(action) = self.strategy.choose(&self.world, Part::All) {
                self.world.apply(action).expect("what is chosen is enabled");
            }
            assert_eq!(self.world.instance(instance).end(), Some(&End::Completed));
            self.transitions += self.world.transitions();
        }
    }

    /// Transitions per schedule, in the mean.
    pub(super) fn transitions(&self) -> f64 {
        self.transitions as f64 / self.seed as f64
    }
}
