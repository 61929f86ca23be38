//! A run made again on another model: of what is enabled, that which the run did first.

use trackside_engine::world::{Action, Part, World};

use super::identity::{Face, Fit, Identity, chosen};
use crate::schedule::Strategy;

/// How many ways of taking one action are tried on a copy of the world; of more, the first is taken.
const WAYS_MAX: u32 = 32;

/// Plays the choices of a run as a list of wishes: at each step, the enabled action that comes first in what is left of
/// the list is taken, and struck off. Where none is in it, the default order decides.
///
/// What the model has no more is passed over without a word, so that a part of the model may be cut out and the rest of
/// the race goes on as before. Free choices are taken such that the same flows are taken, or as many of them as there are:
/// a copy of the world shows what comes of each.
///
/// ```
/// use std::sync::Arc;
/// use trackside_engine::instance::Options;
/// use trackside_engine::model::notation;
/// use trackside_engine::template::{Compiled, compile};
/// use trackside_engine::world::{Class, Part, World};
/// use trackside_sim::schedule::Strategy;
/// use trackside_sim::shrink::{Identity, Wishes};
///
/// let file = notation::parse("s > A > e; s > B > e").unwrap();
/// let template = compile(&file, &file.processes[0], &Compiled::default()).unwrap();
/// let mut world = World::new(Options::default());
/// let process = world.add(Arc::new(template));
/// world.start(process, 0, Default::default());
/// let wish = |class: Class, node: &str| Identity {
///     class,
///     instance: Some(0),
///     node: Some(node.to_owned()),
///     flow: None,
///     rank: 0,
///     outcome: 0,
///     chosen: None,
/// };
/// let mut wishes = Wishes::new([
///     wish(Class::Completion, "Gone"),
///     wish(Class::Arrival, "B"),
///     wish(Class::Step, "B"),
///     wish(Class::Completion, "B"),
///     wish(Class::Completion, "A"),
/// ]);
/// let mut order = Vec::new();
/// while let Some(action) = wishes.choose(&world, Part::All) {
///     let node = world.label(action).node.map(|node| world.instance(trackside_engine::InstanceId(0)).template().node(node).id.clone());
///     order.extend(node.filter(|_| action.class() == Class::Completion));
///     world.apply(action).unwrap();
/// }
/// assert_eq!(order, ["B", "A"]);
/// ```
#[derive(Clone, Debug)]
pub struct Wishes {
    /// In order; those that have come true are struck off.
    left: Vec<Option<Identity>>,
    /// Nothing is left before this one.
    first: usize,
}

impl Wishes {
    /// The wishes in their order.
    pub fn new(choices: impl IntoIterator<Item = Identity>) -> Self {
        Self {
            left: choices.into_iter().map(Some).collect(),
            first: 0,
        }
    }

    /// Where in the list an action stands: at the first identity that is the same, else at the first that is near.
    fn place(&self, face: &Face<'_>) -> Option<usize> {
        let mut near = None;
        for (at, wish) in self.left.iter().enumerate().skip(self.first) {
            match wish.as_ref().and_then(|wish| face.fits(wish)) {
                Some(Fit::Same) => return Some(at),
                Some(Fit::Near) => near = near.or(Some(at)),
                None => {}
            }
        }
        near
    }

    /// The first wish that can come true, and the action by which it does: the oldest, or a younger one if it was so.
    fn grant(&mut self, world: &World, part: Part) -> Option<(Identity, Action)> {
        let enabled = world.enabled(part).into_iter();
        let places = enabled.filter_map(|action| Some((self.place(&Face::of(world, action))?, action)));
        let places: Vec<(usize, Action)> = places.collect();
        let first = places.iter().map(|&(at, _)| at).min()?;
        let equal: Vec<Action> = places
            .into_iter()
            .filter(|&(at, _)| at == first)
            .map(|(_, action)| action)
            .collect();
        let wish = self.strike(first)?;
        let action = equal.get(wish.rank as usize).or(equal.last()).copied()?;
        Some((wish, action))
    }

    fn strike(&mut self, at: usize) -> Option<Identity> {
        let wish = self.left[at].take();
        while self.left.get(self.first).is_some_and(Option::is_none) {
            self.first += 1;
        }
        wish
    }
}

impl Strategy for Wishes {
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        let default = world.oldest(part)?;
        let Some((wish, action)) = self.grant(world, part) else {
            return Some(default);
        };
        let (outcomes, ways) = world.choices(action);
        let action = action.choose(wish.outcome.min(outcomes.saturating_sub(1)), 0);
        Some(match &wish.chosen {
            Some(chosen) if ways > 1 => closest(world, action, ways.min(WAYS_MAX), |way| {
                let wished = way.intersection(chosen).count();
                (wished, usize::MAX - (way.len() - wished))
            }),
            _ => action,
        })
    }
}

/// The way of taking an action that comes closest to what is wished, and of equal ones the first.
fn closest<C: Ord>(
    world: &World,
    action: Action,
    ways: u32,
    closeness: impl Fn(&std::collections::BTreeSet<String>) -> C,
) -> Action {
    let mut best: Option<(C, Action)> = None;
    for way in 0..ways {
        let action = action.choose(action.outcome(), way);
        let mut copy = world.clone();
        if copy.apply(action).is_err() {
            continue;
        }
        let close = closeness(&chosen(&copy));
        if best.as_ref().is_none_or(|(closest, _)| close > *closest) {
            best = Some((close, action));
        }
    }
    best.map_or(action, |(_, action)| action)
}
