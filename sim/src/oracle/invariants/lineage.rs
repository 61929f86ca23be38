//! V7: `parent` and `merged_into` are acyclic, a track keeps its parent, and a merged track names the survivor of its join
//! (TRK-3, TRK-5).

use trackside_engine::instance::Record;
use trackside_engine::{NodeId, TrackId};

use super::{After, Invariant};
use crate::oracle::table::Table;

#[derive(Debug, Default)]
pub(super) struct Lineage {
    /// The tracks that have been born.
    born: Table<bool>,
    merged_into: Table<Option<TrackId>>,
    /// The firings of this transition: join, survivor, and how many tracks it has still to absorb.
    firings: Vec<(NodeId, TrackId, usize)>,
    /// Complex joins of this transition that may take late tokens, which is no firing (CPX-6).
    rearmed: Vec<NodeId>,
}

impl Lineage {
    fn bear(&mut self, track: TrackId, parent: Option<TrackId>) -> Result<(), String> {
        if parent.is_some_and(|parent| !self.born.at(parent.0)) {
            return Err(format!("track {track} is a child of one that was never born"));
        }
        // A parent is known before its child, so there is no circle.
        let again = self
            .born
            .at_mut(track.0)
            .is_none_or(|born| std::mem::replace(born, true));
        if again {
            Err(format!("track {track} is given another parent, {parent:?}"))
        } else {
            Ok(())
        }
    }

    fn merge(&mut self, track: TrackId, into: TrackId, node: NodeId) -> Result<(), String> {
        let firing = self
            .firings
            .iter_mut()
            .find(|firing| firing.0 == node && firing.1 == into && firing.2 > 0);
        match firing {
            Some(firing) => firing.2 -= 1,
            None if self.rearmed.contains(&node) => {}
            None => {
                return Err(format!(
                    "track {track} merges into {into}, which survives no firing of that join"
                ));
            }
        }
        let mut survivor = into;
        // What was merged before is in no circle: each merge was checked.
        while let Some(next) = self.merged_into.at(survivor.0) {
            survivor = next;
        }
        if survivor == track {
            return Err(format!("track {track} merges into itself"));
        }
        match self.merged_into.at_mut(track.0) {
            Some(own @ None) if survivor == into => {
                *own = Some(into);
                Ok(())
            }
            _ => Err(format!("track {track} or its survivor {into} is gone already")),
        }
    }
}

impl Invariant for Lineage {
    const ID: (&'static str, &'static str) = ("V7", "TRK-3");

    fn restart(&mut self) {
        self.born.clear();
        self.merged_into.clear();
        self.firings.clear();
        self.rearmed.clear();
    }

    fn note(&mut self, record: &Record) -> Result<(), String> {
        match *record {
            Record::Born { track, parent, .. } => self.bear(track, parent),
            Record::Merged { track, into, node } => self.merge(track, into, node),
            Record::JoinFired {
                node,
                survivor,
                ref flows,
            } => {
                self.firings.push((node, survivor, flows.len().saturating_sub(1)));
                Ok(())
            }
            Record::Rearmed { node } => {
                self.rearmed.push(node);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn settle(&mut self, _: After<'_>) -> Result<(), String> {
        self.rearmed.clear();
        let short = self.firings.iter().find(|firing| firing.2 > 0).copied();
        self.firings.clear();
        match short {
            None => Ok(()),
            Some((node, survivor, missing)) => Err(format!(
                "node {node} fires by {survivor} and {missing} of its tokens are not merged"
            )),
        }
    }
}
