//! V7: `parent` and `merged_into` are acyclic, a track keeps its parent, and a merged track names the survivor of its join
//! (TRK-3, TRK-5).

use std::collections::BTreeMap;

use trackside_engine::instance::Record;
use trackside_engine::{NodeId, TrackId};

use super::{After, Invariant};

#[derive(Debug, Default)]
pub(super) struct Lineage {
    parents: BTreeMap<TrackId, Option<TrackId>>,
    merged_into: BTreeMap<TrackId, TrackId>,
    /// The firings of this transition: join, survivor, and how many tracks it has still to absorb.
    firings: Vec<(NodeId, TrackId, usize)>,
    /// Complex joins of this transition that may take late tokens, which is no firing (CPX-6).
    rearmed: Vec<NodeId>,
}

impl Lineage {
    fn bear(&mut self, track: TrackId, parent: Option<TrackId>) -> Result<(), String> {
        if parent.is_some_and(|parent| !self.parents.contains_key(&parent)) {
            return Err(format!("track {track} is a child of one that was never born"));
        }
        // A parent is known before its child, so there is no circle.
        match self.parents.insert(track, parent) {
            None => Ok(()),
            Some(before) => Err(format!("track {track} had the parent {before:?}")),
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
        while let Some(&next) = self.merged_into.get(&survivor) {
            survivor = next;
        }
        if survivor == track {
            return Err(format!("track {track} merges into itself"));
        }
        match self.merged_into.insert(track, into) {
            None if survivor == into => Ok(()),
            _ => Err(format!("track {track} or its survivor {into} is gone already")),
        }
    }
}

impl Invariant for Lineage {
    const ID: (&'static str, &'static str) = ("V7", "TRK-3");

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
        let short = std::mem::take(&mut self.firings)
            .into_iter()
            .find(|firing| firing.2 > 0);
        match short {
            None => Ok(()),
            Some((node, survivor, missing)) => Err(format!(
                "node {node} fires by {survivor} and {missing} of its tokens are not merged"
            )),
        }
    }
}
