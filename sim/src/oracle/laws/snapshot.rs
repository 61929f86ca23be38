//! V13: what is restored from a snapshot equals what it was taken of, in everything that can be seen, and goes on alike.
//!
//! How a snapshot is taken and restored is a parameter: a copy of a world ([`Clone`]) is one way.

use std::fmt::Debug;

use trackside_engine::world::{Action, Label, Part, World};

use crate::oracle::Violation;
use crate::schedule::Strategy;

fn violation(message: String) -> Violation {
    Violation::new("V13", "INS-10", None, message)
}

fn same<T: PartialEq + Debug>(what: &str, one: &T, other: &T) -> Result<(), Violation> {
    if one == other {
        return Ok(());
    }
    Err(violation(format!(
        "{what}: it was {one:?} and is restored as {other:?}"
    )))
}

/// Restores a world and compares the two.
///
/// ```
/// use trackside_engine::world::World;
/// use trackside_sim::oracle::laws::restores;
///
/// let world = World::new(Default::default());
/// assert_eq!(restores(&world, World::clone).map(|_| ()), Ok(()));
/// ```
///
/// # Errors
///
/// [`Violation`] of V13 names what differs.
pub fn restores(world: &World, restore: impl FnOnce(&World) -> World) -> Result<World, Violation> {
    let restored = restore(world);
    equal(world, &restored)?;
    Ok(restored)
}

/// Everything that can be seen of two worlds is equal.
fn equal(world: &World, restored: &World) -> Result<(), Violation> {
    same("time", &world.now(), &restored.now())?;
    same("transitions", &world.transitions(), &restored.transitions())?;
    same("records", &world.records(), &restored.records())?;
    same("options", world.options(), restored.options())?;
    same("instances", &world.instances().count(), &restored.instances().count())?;
    for ((id, one), (other_id, other)) in world.instances().zip(restored.instances()) {
        same("ids", &id, &other_id)?;
        same("end", &one.end(), &other.end())?;
        same("tracks", &one.tracks(), &other.tracks())?;
        same("data", one.data(), other.data())?;
        same("canonical value", &one.canonical(), &other.canonical())?;
        same("what it waits for", &one.waits(), &other.waits())?;
    }
    same("enabled actions", &offers(world), &offers(restored))
}

/// The enabled actions in order, each with what it is about and its choices.
fn offers(world: &World) -> Vec<(Action, Label, (u32, u32))> {
    let offer = |action| (action, world.label(action), world.choices(action));
    world.enabled(Part::All).into_iter().map(offer).collect()
}

/// Lets a world and what was restored from it go on under one strategy, for at most `steps_max` transitions, and compares
/// them after each.
///
/// # Errors
///
/// [`Violation`] of V13 names what differs.
pub fn continues(
    world: &mut World,
    restored: &mut World,
    strategy: &mut dyn Strategy,
    steps_max: u64,
) -> Result<(), Violation> {
    for _ in 0..steps_max {
        let Some(action) = strategy.choose(world, Part::All) else {
            break;
        };
        let applied = (world.apply(action).is_ok(), restored.apply(action).is_ok());
        same("whether the action is enabled", &applied.0, &applied.1)?;
        equal(world, restored)?;
    }
    Ok(())
}
