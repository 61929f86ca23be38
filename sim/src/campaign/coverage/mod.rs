//! Coverage with a denominator: a closed list of things that runs of models can do, and which of them some runs did.
//!
//! The [`Universe`] lists every item, in groups, each with a short stable id ([`families`](self) are products of
//! words). A [`Coverage`] counts. An [`Observer`] follows the records of a run, keeps its own picture of where the tokens
//! are and what is armed, and says what it saw; it needs the [`Facts`] of the model, made once. It looks at nothing but
//! records, so that it costs little and may watch any driver; a campaign may as well show it every k-th schedule only.
//!
//! What BPMN or the rules forbid is no item. What the generator of models or the environment of a campaign can't make
//! today is an item that does not count (*beyond*, with a reason), so that a good campaign can reach all that does.
//! `docs/coverage.md` says what the groups mean.
//!
//! ```
//! use std::sync::Arc;
//! use trackside_engine::instance::Options;
//! use trackside_engine::model::notation;
//! use trackside_engine::template::{Compiled, compile};
//! use trackside_engine::world::{Part, World};
//! use trackside_sim::campaign::coverage::{Coverage, Facts, Group, Observer};
//!
//! let file = notation::parse("s > F > A* > J > e; F > B* > J").unwrap();
//! let template = Arc::new(compile(&file, &file.processes[0], &Compiled::default()).unwrap());
//! let facts = Facts::new(&file, &template);
//!
//! let mut world = World::new(Options::default());
//! world.add(template);
//! let instance = world.start(0, 0, Default::default());
//! let (mut observer, mut coverage) = (Observer::default(), Coverage::default());
//! observer.begin(&facts, world.options(), instance);
//! observer.see(&facts, world.records(), &mut coverage);
//! while let Some(action) = world.oldest(Part::All) {
//!     observer.see(&facts, world.apply(action).unwrap(), &mut coverage);
//! }
//! observer.finish(&world, &mut coverage);
//!
//! assert!(coverage.has("and.join") && !coverage.has("or.join"));
//! let gateways = coverage.share(Group::Gateways);
//! assert!(gateways.hit > 0 && gateways.hit + gateways.missing.len() == gateways.total);
//! ```

mod beyond;
mod facts;
mod families;
mod fire;
mod follow;
mod observer;
mod rules;
mod see;
mod see_ends;
mod see_joins;
mod share;
#[cfg(test)]
mod tests;
mod universe;
mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use facts::Facts;
pub use observer::Observer;
pub use share::{Covered, Share};
pub use universe::{Standing, Universe};

/// A group of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Gateways of each kind in each role.
    Gateways,
    /// Two things that could happen in one state, and which one did.
    RacePairs,
    /// Kinds of records.
    Records,
    /// Ways for a run to end.
    Ends,
    /// Rules of `docs/semantics.md`.
    Rules,
    /// Branches of the engine; only in a build with coverage marks.
    Marks,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 6] = [
        Self::Gateways,
        Self::RacePairs,
        Self::Records,
        Self::Ends,
        Self::Rules,
        Self::Marks,
    ];

    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gateways => "gateways",
            Self::RacePairs => "race_pairs",
            Self::Records => "records",
            Self::Ends => "ends",
            Self::Rules => "rules",
            Self::Marks => "marks",
        }
    }
}

/// An item of the [`Universe`], by its number. Numbers change when the list does; ids don't.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item(u16);

impl Item {
    const fn ix(self) -> usize {
        self.0 as usize
    }
}

/// How often each item was seen.
///
/// Merging is commutative and associative, so that workers may count by themselves and in any order.
///
/// ```
/// use trackside_sim::campaign::coverage::Coverage;
///
/// let mut first = Coverage::default();
/// first.hit_id("stuck");
/// let mut second = Coverage::default();
/// second.hit_id("stuck");
/// second.hit_id("and.join");
/// first.merge(&second);
/// assert_eq!((first.count("stuck"), first.count("and.join")), (2, 1));
/// let stored = serde_json::to_string(&first)?;
/// assert_eq!(serde_json::from_str::<Coverage>(&stored)?, first);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, u32>", into = "BTreeMap<String, u32>")]
pub struct Coverage {
    counts: Box<[u32]>,
}

impl Default for Coverage {
    fn default() -> Self {
        Self {
            counts: vec![0; families::COUNT].into_boxed_slice(),
        }
    }
}

impl Coverage {
    /// An item was seen once more.
    #[inline]
    fn hit(&mut self, item: Item) {
        let count = &mut self.counts[item.ix()];
        *count = count.saturating_add(1);
    }

    /// An item was seen once more, by its id; says whether there is such an item.
    pub fn hit_id(&mut self, id: &str) -> bool {
        let found = Universe::get().find(id);
        if let Some(item) = found {
            self.hit(item);
        }
        found.is_some()
    }

    /// Adds what another one has seen.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count = count.saturating_add(*more);
        }
    }

    /// How often an item was seen; for a rule that other items show, as often as they were.
    pub fn of(&self, item: Item) -> u32 {
        let shown_by = Universe::get().shown_by(item);
        let own = self.counts[item.ix()];
        shown_by
            .iter()
            .fold(own, |sum, by| sum.saturating_add(self.counts[by.ix()]))
    }

    /// The same by its id; 0 where there is no such item.
    pub fn count(&self, id: &str) -> u32 {
        Universe::get().find(id).map_or(0, |item| self.of(item))
    }

    /// Whether an item was seen.
    pub fn has(&self, id: &str) -> bool {
        self.count(id) > 0
    }

    /// The ids of all items that were seen, in the order of the universe.
    pub fn seen(&self) -> Vec<&'static str> {
        let all = Universe::get().items();
        let seen = all.filter(|&item| self.of(item) > 0);
        seen.map(|item| Universe::get().id(item)).collect()
    }

    /// The ids of all items that count and were not seen, in the order of the universe.
    pub fn missing(&self) -> Vec<&'static str> {
        let groups = Group::ALL.into_iter();
        groups.flat_map(|group| self.share(group).missing).collect()
    }
}

/// Stores name items by their ids. Ids that this version does not know are left out.
impl From<BTreeMap<String, u32>> for Coverage {
    fn from(stored: BTreeMap<String, u32>) -> Self {
        let mut coverage = Self::default();
        for (id, count) in stored {
            if let Some(item) = Universe::get().find(&id) {
                coverage.counts[item.ix()] = count;
            }
        }
        coverage
    }
}

impl From<Coverage> for BTreeMap<String, u32> {
    fn from(coverage: Coverage) -> Self {
        let universe = Universe::get();
        let counts = universe.items().map(|item| (item, coverage.counts[item.ix()]));
        let seen = counts.filter(|(_, count)| *count > 0);
        seen.map(|(item, count)| (universe.id(item).to_owned(), count))
            .collect()
    }
}
