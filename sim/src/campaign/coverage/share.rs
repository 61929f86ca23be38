//! What a group of items comes to: how many of how many, and which are missing.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Coverage, Group, Standing, Universe};

/// How much of a group was seen. Items that don't count are in none of the figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Items that were seen.
    pub hit: usize,
    /// Items that count.
    pub total: usize,
    /// The ids of those that were not seen, in the order of the universe.
    pub missing: Vec<&'static str>,
}

/// All groups, as JSON documents have them under `covered`. Marks are there only in a build that has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Covered(pub BTreeMap<&'static str, Share>);

impl Coverage {
    /// What was seen of a group.
    ///
    /// ```
    /// use trackside_sim::campaign::coverage::{Coverage, Group};
    ///
    /// let mut coverage = Coverage::default();
    /// coverage.hit_id("stuck");
    /// let ends = coverage.share(Group::Ends);
    /// assert_eq!(ends.hit, 1);
    /// assert!(ends.missing.contains(&"completed") && !ends.missing.contains(&"stuck"));
    /// ```
    pub fn share(&self, group: Group) -> Share {
        let universe = Universe::get();
        let counted = universe
            .of(group)
            .filter(|&item| *universe.standing(item) == Standing::Counts);
        let mut share = Share {
            hit: 0,
            total: 0,
            missing: Vec::new(),
        };
        for item in counted {
            share.total += 1;
            if self.of(item) > 0 {
                share.hit += 1;
            } else {
                share.missing.push(universe.id(item));
            }
        }
        share
    }

    /// All groups, for a document.
    ///
    /// ```
    /// use trackside_sim::campaign::coverage::Coverage;
    ///
    /// let covered = serde_json::to_value(Coverage::default().covered())?;
    /// assert_eq!(covered["ends"]["hit"], 0);
    /// assert!(covered["race_pairs"]["total"].as_u64().unwrap() > 100);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn covered(&self) -> Covered {
        let shares = Group::ALL.into_iter().map(|group| (group.name(), self.share(group)));
        Covered(shares.filter(|(_, share)| share.total > 0).collect())
    }
}
