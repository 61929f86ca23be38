//! The fair end of a schedule: after a budget of chaos, everything gets its turn.

use trackside_engine::world::{Action, Part, World};

use crate::schedule::Strategy;

/// So many transitions of a schedule are chosen by its strategy; then it is drained fairly.
pub(super) const CHAOS_MAX: u64 = 150;

/// A strategy for so long, and then a [`Drain`].
pub(super) struct Tiring<'s> {
    strategy: &'s mut dyn Strategy,
    drain: Drain,
}

impl<'s> Tiring<'s> {
    pub(super) fn new(strategy: &'s mut dyn Strategy) -> Self {
        Self {
            strategy,
            drain: Drain::default(),
        }
    }
}

impl Strategy for Tiring<'_> {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        if world.transitions() < CHAOS_MAX {
            self.strategy.choose(world, part)
        } else {
            self.drain.choose(world, part)
        }
    }
}

/// Takes the oldest enabled action, and the ways out of it in rotation: nothing that stays enabled is passed over for
/// ever, and no choice is always made in the same way.
#[derive(Clone, Debug, Default)]
struct Drain {
    turn: u32,
}

impl Strategy for Drain {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        let action = world.oldest(part)?;
        let (_, choices) = world.choices(action);
        if choices <= 1 {
            return Some(action);
        }
        self.turn = self.turn.wrapping_add(1);
        Some(action.choose(0, self.turn % choices))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use trackside_engine::instance::{Conditions, End, Options};
    use trackside_engine::model::notation;
    use trackside_engine::template::{Compiled, compile};

    use super::*;

    #[test]
    fn it_leaves_a_loop_that_first_choices_never_leave() {
        let file = notation::parse("s > M > A > X > M; X > e").expect("a model");
        let template = compile(&file, &file.processes[0], &Compiled::default()).expect("it compiles");
        let options = Options {
            conditions: Conditions::Symbolic,
            ..Options::default()
        };
        let mut world = World::new(options);
        let process = world.add(Arc::new(template));
        let instance = world.start(process, 0, Arc::default());
        assert_eq!(world.clone().run(Part::All, 500), 500, "the first way out leads back");
        let mut drain = Drain::default();
        for _ in 0..100 {
            let Some(action) = drain.choose(&world, Part::All) else {
                break;
            };
            world.apply(action).expect("it is enabled");
        }
        assert_eq!(world.instance(instance).end(), Some(&End::Completed));
    }
}
