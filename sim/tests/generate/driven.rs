//! Runs of generated models, straight on the engine.

use std::sync::Arc;

use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, End, Options};
use trackside_engine::model::Definitions;
use trackside_engine::template::{Compiled, compile};
use trackside_engine::world::{Part, World};
use trackside_sim::schedule::{Random, Strategy};

/// Symbolic conditions, without records.
pub(crate) fn symbolic() -> Options {
    Options {
        conditions: Conditions::Symbolic,
        refires: Some(2),
        records: false,
        ..Options::default()
    }
}

/// How a run went.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    Ended(End),
    /// Nothing is enabled, and it has not ended.
    Stuck,
    Bounded,
}

/// One run under a seed, which begins in one of the possible ways.
pub(crate) fn run(definitions: &Definitions, options: Options, seed: u64, steps_max: u32) -> Outcome {
    let template =
        compile(definitions, &definitions.processes[0], &Compiled::default()).expect("a valid model compiles");
    let births = template.births().len();
    let mut world = World::new(options);
    world.add(Arc::new(template));
    let instance = world.start(0, seed as usize % births, Data::default());
    let mut random = Random::new(seed);
    for _ in 0..steps_max {
        if let Some(end) = world.instance(instance).end() {
            return Outcome::Ended(end.clone());
        }
        let Some(action) = random.choose(&world, Part::All) else {
            return Outcome::Stuck;
        };
        world.apply(action).expect("what is chosen is enabled");
    }
    Outcome::Bounded
}
