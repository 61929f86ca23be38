//! First in, first out: the default order, from which schedules deviate.

use trackside_engine::world::{Action, Part, World};

use super::{Seeded, Strategy};

/// Picks the oldest enabled action, with outcome 0 and choice 0: work ends well, the first way out is taken.
///
/// ```
/// # use std::sync::Arc;
/// # use trackside_engine::instance::Options;
/// # use trackside_engine::model::notation;
/// # use trackside_engine::template::{Compiled, compile};
/// # use trackside_engine::world::{Part, World};
/// use trackside_sim::schedule::{Fifo, Strategy};
///
/// # let file = notation::parse("s > A* > e").unwrap();
/// # let template = compile(&file, &file.processes[0], &Compiled::default()).unwrap();
/// # let mut world = World::new(Options::default());
/// # let process = world.add(Arc::new(template));
/// world.start(process, 0, Default::default());
/// assert_eq!(Fifo.choose(&world, Part::All), world.oldest(Part::All));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Fifo;

impl Strategy for Fifo {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        world.oldest(part)
    }
}

impl Seeded for Fifo {
    fn restart(&mut self, _: u64) {}
}
