//! Orders of a run, as constraints over what happened first.

use trackside_engine::instance::Record;
use trackside_engine::template::Template;

/// A race: what has to happen in which order for it to be lost.
pub(crate) struct Race {
    pub(crate) name: &'static str,
    pub(crate) model: &'static str,
    /// `a < b`: the first `a` comes before any `b`; `a#3` is the third one. Several stand between semicolons.
    pub(crate) order: &'static str,
}

/// A record in two words.
fn word(template: &Template, record: &Record) -> Option<(&'static str, String)> {
    let node = |node: &trackside_engine::NodeId| template.node(*node).id.clone();
    let flow = |flow: &trackside_engine::FlowId| template.flow(*flow).id.clone();
    Some(match record {
        Record::Left { flow: id, .. } | Record::Born { flow: Some(id), .. } => ("left", flow(id)),
        Record::Arrived { flow: id, .. } => ("arrived", flow(id)),
        Record::Parked { flow: id, .. } => ("parked", flow(id)),
        Record::Stepped { node: id, .. } => ("ran", node(id)),
        Record::WorkStarted { node: id, .. } => ("began", node(id)),
        Record::WorkEnded { node: id, .. } => ("done", node(id)),
        Record::JoinFired { node: id, .. } => ("joined", node(id)),
        Record::Fired { node: id, .. } => ("fired", node(id)),
        Record::Armed { node: id, .. } => ("armed", node(id)),
        Record::Interrupted { node: id, .. } => ("interrupted", node(id)),
        Record::Trailing { node: id, .. } => ("trailing", node(id)),
        _ => return None,
    })
}

/// When something happened for the n-th time.
fn when(words: &[(&'static str, String)], what: &str) -> Option<usize> {
    let (what, nth) = what.split_once('#').unwrap_or((what, "1"));
    let (verb, id) = what.split_once(' ').expect("a verb and an element");
    let nth: usize = nth.parse().expect("a number");
    let same = |(_, word): &(usize, &(&'static str, String))| word.0 == verb && word.1 == id;
    words.iter().enumerate().filter(same).nth(nth - 1).map(|(at, _)| at)
}

impl Race {
    /// Whether a run had the order.
    pub(crate) fn lost(&self, template: &Template, log: &[(u64, Record)]) -> bool {
        let words: Vec<_> = log.iter().filter_map(|(_, record)| word(template, record)).collect();
        self.order.split(';').all(|constraint| {
            let (first, then) = constraint.split_once('<').expect("an order");
            let first = when(&words, first.trim());
            let then = when(&words, then.trim()).unwrap_or(usize::MAX);
            first.is_some_and(|first| first < then)
        })
    }
}
