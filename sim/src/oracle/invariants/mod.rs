//! Invariants that records and tracks alone can tell, whatever the model: each in its file, each on its own.
//!
//! ```
//! use trackside_engine::TrackId;
//! use trackside_engine::instance::Record;
//! use trackside_sim::oracle::invariants::Invariants;
//!
//! let mut invariants = Invariants::default();
//! let merged = Record::Merged { track: TrackId(1), into: TrackId(0), node: trackside_engine::NodeId(3) };
//! let violation = invariants.observe(&[merged], &[], None).unwrap_err();
//! assert_eq!(violation.invariant, "V6");
//! ```

mod conservation;
mod ending;
mod gates;
mod hosts;
mod lineage;

use trackside_engine::instance::{End, Record, TrackView};

use super::Violation;

/// What an invariant sees after a transition.
#[derive(Clone, Copy, Debug)]
struct After<'s> {
    tracks: &'s [TrackView],
    end: Option<&'s End>,
}

/// One invariant over the story of an instance.
trait Invariant {
    /// Its id and the rule it stands for.
    const ID: (&'static str, &'static str);

    /// Takes note of one record, in order; the error says what is wrong.
    fn note(&mut self, record: &Record) -> Result<(), String>;

    /// The transition is over.
    fn settle(&mut self, after: After<'_>) -> Result<(), String>;
}

/// The invariants V4, V6, V7, V8 and V9 over the records of one instance.
#[derive(Debug, Default)]
pub struct Invariants {
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
    pub fn observe(&mut self, records: &[Record], tracks: &[TrackView], end: Option<&End>) -> Result<(), Violation> {
        let after = After { tracks, end };
        watch(&mut self.ending, records, after)?;
        watch(&mut self.conservation, records, after)?;
        watch(&mut self.lineage, records, after)?;
        watch(&mut self.hosts, records, after)?;
        watch(&mut self.gates, records, after)
    }
}

fn watch<I: Invariant>(invariant: &mut I, records: &[Record], after: After<'_>) -> Result<(), Violation> {
    let noted = records.iter().try_for_each(|record| invariant.note(record));
    let (id, rule) = I::ID;
    noted
        .and_then(|()| invariant.settle(after))
        .map_err(|message| Violation::new(id, rule, None, message))
}
