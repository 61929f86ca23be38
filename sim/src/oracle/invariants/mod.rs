//! Invariants that records and tracks alone can tell, whatever the model: each in its file, each on its own.
//!
//! ```
//! use trackside_engine::TrackId;
//! use trackside_engine::instance::Record;
//! use trackside_sim::oracle::invariants::Invariants;
//!
//! let mut invariants = Invariants::default();
//! let merged = Record::Merged { track: TrackId(1), into: TrackId(0), node: trackside_engine::NodeId(3) };
//! let violation = invariants.observe([&merged].into_iter(), [].into_iter(), None).unwrap_err();
//! assert_eq!(violation.invariant, "V6");
//! ```

mod conservation;
mod ending;
mod gates;
mod hosts;
mod lineage;

use trackside_engine::TrackId;
use trackside_engine::instance::{End, Record, TrackView};

use super::Violation;
use super::table::Table;

/// What an invariant sees after a transition.
#[derive(Clone, Copy, Debug)]
struct After<'s> {
    shown: &'s Shown,
    end: Option<&'s End>,
}

/// The tracks that an instance shows.
#[derive(Debug, Default)]
struct Shown {
    tracks: Vec<TrackId>,
    /// By track, the last transition after which it was shown.
    last: Table<u64>,
    transition: u64,
}

impl Shown {
    fn look(&mut self, tracks: impl Iterator<Item = TrackView>) {
        self.transition += 1;
        self.tracks.clear();
        for TrackView { id, .. } in tracks {
            self.tracks.push(id);
            if let Some(last) = self.last.at_mut(id.0) {
                *last = self.transition;
            }
        }
    }

    fn lives(&self, track: TrackId) -> bool {
        self.last.at(track.0) == self.transition
    }
}

/// One invariant over the story of an instance.
trait Invariant {
    /// Its id and the rule it stands for.
    const ID: (&'static str, &'static str);

    /// Begins anew, for another instance; memory is kept.
    fn restart(&mut self);

    /// Takes note of one record, in order; the error says what is wrong.
    fn note(&mut self, record: &Record) -> Result<(), String>;

    /// The transition is over.
    fn settle(&mut self, after: After<'_>) -> Result<(), String>;
}

/// The invariants V4, V6, V7, V8 and V9 over the records of one instance.
#[derive(Debug, Default)]
pub struct Invariants {
    shown: Shown,
    ending: ending::Ending,
    conservation: conservation::Conservation,
    lineage: lineage::Lineage,
    hosts: hosts::Hosts,
    gates: gates::Gates,
}

impl Invariants {
    /// Takes note of the records of one transition of the instance, of the tracks that live after it, and of how it has
    /// ended.
    ///
    /// # Errors
    ///
    /// [`Violation`] for the first invariant that does not hold.
    pub fn observe<'r>(
        &mut self,
        records: impl Iterator<Item = &'r Record> + Clone,
        tracks: impl Iterator<Item = TrackView>,
        end: Option<&End>,
    ) -> Result<(), Violation> {
        self.shown.look(tracks);
        let after = After {
            shown: &self.shown,
            end,
        };
        watch(&mut self.ending, records.clone(), after)?;
        watch(&mut self.conservation, records.clone(), after)?;
        watch(&mut self.lineage, records.clone(), after)?;
        watch(&mut self.hosts, records.clone(), after)?;
        watch(&mut self.gates, records, after)
    }

    /// Begins anew, for another instance. Memory is kept.
    pub fn restart(&mut self) {
        self.shown.last.clear();
        self.shown.transition = 0;
        self.ending.restart();
        self.conservation.restart();
        self.lineage.restart();
        self.hosts.restart();
        self.gates.restart();
    }
}

fn watch<'r, I: Invariant>(
    invariant: &mut I,
    mut records: impl Iterator<Item = &'r Record>,
    after: After<'_>,
) -> Result<(), Violation> {
    let noted = records.try_for_each(|record| invariant.note(record));
    let (id, rule) = I::ID;
    noted
        .and_then(|()| invariant.settle(after))
        .map_err(|message| Violation::new(id, rule, None, message))
}
