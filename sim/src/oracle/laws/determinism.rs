//! V11: the same model, options and schedule give the same trace, to the byte.

use std::fmt;

use trackside_engine::InstanceId;
use trackside_engine::instance::Record;
use trackside_engine::world::World;

use crate::oracle::Violation;

/// What the transitions of a run recorded.
///
/// ```
/// use trackside_engine::instance::Record;
/// use trackside_engine::InstanceId;
/// use trackside_sim::oracle::laws::{Trace, same_trace};
///
/// let at = |now| Trace::from_iter([vec![(InstanceId(0), Record::Clock { now })]]);
/// assert_eq!(same_trace(&at(5), &at(5)), Ok(()));
/// let violation = same_trace(&at(5), &at(6)).unwrap_err();
/// assert!(violation.to_string().contains("transition 1"), "{violation}");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    transitions: Vec<Vec<(InstanceId, Record)>>,
}

impl Trace {
    /// Takes note of the transition that `world` has just made.
    pub fn note(&mut self, world: &World) {
        self.transitions.push(world.records().to_vec());
    }

    /// The transitions, in order.
    pub fn transitions(&self) -> &[Vec<(InstanceId, Record)>] {
        &self.transitions
    }

    /// The part of it that is about one instance; transitions without such a part are left out.
    #[must_use]
    pub fn of(&self, instance: InstanceId) -> Self {
        let own = |all: &Vec<(InstanceId, Record)>| {
            let own = all.iter().filter(|(of, _)| *of == instance).cloned();
            own.collect::<Vec<_>>()
        };
        let parts = self.transitions.iter().map(own).filter(|part| !part.is_empty());
        Self {
            transitions: parts.collect(),
        }
    }
}

impl FromIterator<Vec<(InstanceId, Record)>> for Trace {
    fn from_iter<T: IntoIterator<Item = Vec<(InstanceId, Record)>>>(transitions: T) -> Self {
        Self {
            transitions: transitions.into_iter().collect(),
        }
    }
}

/// Where two traces part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The number of the transition, from 1.
    pub transition: usize,
    /// The number of the record in it, from 1.
    pub record: usize,
    /// What the one recorded there; nothing if it was over.
    pub one: Option<(InstanceId, Record)>,
    /// What the other recorded there.
    pub other: Option<(InstanceId, Record)>,
}

impl Divergence {
    /// The first record in which two traces differ.
    pub fn between(one: &Trace, other: &Trace) -> Option<Self> {
        let (mine, others) = (&one.transitions, &other.transitions);
        let longest = mine.len().max(others.len());
        let at = (0..longest).find(|&at| mine.get(at) != others.get(at))?;
        let records = |all: &[Vec<_>]| all.get(at).cloned().unwrap_or_default();
        let (one, other): (Vec<_>, Vec<_>) = (records(mine), records(others));
        let record = (0..one.len().max(other.len())).find(|&at| one.get(at) != other.get(at));
        let record = record.unwrap_or_default();
        Some(Self {
            transition: at + 1,
            record: record + 1,
            one: one.get(record).cloned(),
            other: other.get(record).cloned(),
        })
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { transition, record, .. } = self;
        write!(f, "in transition {transition}, record {record}, one run has ")?;
        say(f, self.one.as_ref())?;
        write!(f, " and the other has ")?;
        say(f, self.other.as_ref())
    }
}

fn say(f: &mut fmt::Formatter<'_>, record: Option<&(InstanceId, Record)>) -> fmt::Result {
    match record {
        None => write!(f, "nothing"),
        Some((instance, record)) => write!(f, "{record:?} of instance {instance}"),
    }
}

/// Compares the traces of two runs that must be the same.
///
/// # Errors
///
/// [`Violation`] of V11 shows the first record that differs, as both sides have it.
pub fn same_trace(one: &Trace, other: &Trace) -> Result<(), Violation> {
    match Divergence::between(one, other) {
        None => Ok(()),
        Some(divergence) => Err(Violation::new("V11", "INS-4", None, divergence.to_string())),
    }
}
