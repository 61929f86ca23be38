//! The closed list of items, and how each of them stands: whether it counts, and why not.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use trackside_engine::instance::CoverageMark;

use super::beyond::{BEYOND, forbidden};
use super::families::{COUNT, Family};
use super::rules::{NOT_SHOWN, RULES};
use super::{Group, Item};

/// Whether an item counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Counts,
    /// It can happen, but generated models, or the environment of a campaign, do not make it; the reason says what is
    /// missing.
    Beyond(&'static str),
}

/// All items.
///
/// ```
/// use trackside_sim::campaign::coverage::{Group, Universe};
///
/// let universe = Universe::get();
/// let item = universe.find("surplus.or.consumed").unwrap();
/// assert_eq!((universe.id(item), universe.group(item)), ("surplus.or.consumed", Group::RacePairs));
/// // Nobody can arm what nothing hosts.
/// assert!(universe.find("boundary.error.non-interrupting.working.and").is_none());
/// ```
#[derive(Debug)]
pub struct Universe {
    entries: Vec<Option<Entry>>,
    by_id: BTreeMap<String, Item>,
}

#[derive(Debug)]
struct Entry {
    id: String,
    group: Group,
    standing: Standing,
    shown_by: Vec<Item>,
}

static UNIVERSE: LazyLock<Universe> = LazyLock::new(Universe::new);

impl Universe {
    /// The universe of this version.
    pub fn get() -> &'static Self {
        &UNIVERSE
    }

    fn new() -> Self {
        let mut entries: Vec<Option<Entry>> = Vec::with_capacity(COUNT);
        for &family in Family::ALL {
            for (item, id) in family.items() {
                assert_eq!(item.ix(), entries.len(), "items are numbered in order");
                let group = family.group();
                let possible = forbidden(family, &id).is_none() && (group != Group::Marks || CoverageMark::COLLECTED);
                let standing = standing(&id);
                entries.push(possible.then_some(Entry {
                    id,
                    group,
                    standing,
                    shown_by: Vec::new(),
                }));
            }
        }
        let mut universe = Self {
            entries,
            by_id: BTreeMap::new(),
        };
        universe.show_rules();
        let named = universe.items().map(|item| (universe.id(item).to_owned(), item));
        universe.by_id = named.collect();
        universe
    }

    /// Finds what shows each rule.
    fn show_rules(&mut self) {
        for (rank, rule) in RULES.iter().enumerate() {
            let others = self.items().filter(|&item| self.group(item) != Group::Rules);
            let shown = others.filter(|&item| rule.shown_by.iter().any(|pattern| matches(pattern, self.id(item))));
            let shown: Vec<Item> = shown.collect();
            let item = Family::Rule.one(rank);
            self.entry_mut(item).shown_by = shown;
        }
    }

    fn entry(&self, item: Item) -> &Entry {
        self.entries[item.ix()].as_ref().expect("items are possible")
    }

    fn entry_mut(&mut self, item: Item) -> &mut Entry {
        self.entries[item.ix()].as_mut().expect("items are possible")
    }

    /// All items, group by group.
    pub fn items(&self) -> impl Iterator<Item = Item> + '_ {
        let all = (0..).zip(&self.entries);
        all.filter(|(_, entry)| entry.is_some()).map(|(at, _)| Item(at))
    }

    /// Whether a number is that of an item.
    #[cfg(test)]
    pub(super) fn has(&self, at: usize) -> bool {
        self.entries[at].is_some()
    }

    /// The items of a group, in order.
    pub fn of(&self, group: Group) -> impl Iterator<Item = Item> + '_ {
        self.items().filter(move |&item| self.group(item) == group)
    }

    /// The id of an item.
    pub fn id(&self, item: Item) -> &str {
        &self.entry(item).id
    }

    /// The group of an item.
    pub fn group(&self, item: Item) -> Group {
        self.entry(item).group
    }

    /// Whether an item counts.
    pub fn standing(&self, item: Item) -> &Standing {
        &self.entry(item).standing
    }

    /// The item with this id.
    pub fn find(&self, id: &str) -> Option<Item> {
        self.by_id.get(id).copied()
    }

    /// The items that show a rule; none for other items.
    pub(super) fn shown_by(&self, item: Item) -> &[Item] {
        &self.entry(item).shown_by
    }

    /// The rules that no run shows, with the reasons.
    pub fn not_shown() -> &'static [(&'static str, &'static str)] {
        NOT_SHOWN
    }
}

fn standing(id: &str) -> Standing {
    let beyond = BEYOND.iter().find(|(pattern, _)| matches(pattern, id));
    beyond.map_or(Standing::Counts, |(_, why)| Standing::Beyond(why))
}

/// Whether an id has these words; `*` stands for any one.
pub(super) fn matches(pattern: &str, id: &str) -> bool {
    let (mut wanted, mut words) = (pattern.split('.'), id.split('.'));
    loop {
        match (wanted.next(), words.next()) {
            (None, None) => return true,
            (Some(wanted), Some(word)) if wanted == "*" || wanted == word => {}
            _ => return false,
        }
    }
}
