//! What the records of one instance add up to: how often its nodes were executed, and the life of each track.

use std::collections::BTreeMap;

use trackside_engine::instance::{Cause, Final, Record};
use trackside_engine::{NodeId, TrackId};

#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) executed: BTreeMap<NodeId, u64>,
    pub(super) fired: BTreeMap<NodeId, u64>,
    /// In order of birth.
    pub(super) tracks: Vec<TrackTally>,
    /// Events thrown inside that nobody waited for.
    pub(super) unheard: Vec<Cause>,
}

#[derive(Debug)]
pub(super) struct TrackTally {
    pub(super) id: TrackId,
    pub(super) parent: Option<TrackId>,
    pub(super) merged_into: Option<TrackId>,
    pub(super) ended: Option<Final>,
    pub(super) path: Vec<NodeId>,
}

impl Tally {
    pub(super) fn record(&mut self, record: &Record) {
        match record {
            Record::Born { track, parent, .. } => self.tracks.push(TrackTally {
                id: *track,
                parent: *parent,
                merged_into: None,
                ended: None,
                path: Vec::new(),
            }),
            Record::Stepped { track, node } => {
                *self.executed.entry(*node).or_default() += 1;
                if let Some(track) = self.track(*track) {
                    track.path.push(*node);
                }
            }
            Record::JoinFired { node, .. } => *self.fired.entry(*node).or_default() += 1,
            Record::Merged { track, into, .. } => {
                if let Some(track) = self.track(*track) {
                    track.merged_into = Some(*into);
                }
            }
            Record::TrackEnded { track, state, .. } => {
                if let Some(track) = self.track(*track) {
                    track.ended = Some(*state);
                }
            }
            Record::Undelivered { cause } => self.unheard.push(cause.clone()),
            _ => {}
        }
    }

    /// Tracks are numbered in order of birth, so that their number is their place; if it were not, we would look.
    fn track(&mut self, id: TrackId) -> Option<&mut TrackTally> {
        let at = match self.tracks.get(id.ix()) {
            Some(track) if track.id == id => id.ix(),
            _ => self.tracks.iter().position(|track| track.id == id)?,
        };
        self.tracks.get_mut(at)
    }
}
