//! The messages and signals of a file, with the correlation keys of messages (COR-1).

use std::collections::{BTreeMap, BTreeSet};

use super::{Compiled, EventName};
use crate::expr::Program;
use crate::model::{Definitions, Expression, Retrieval};
use crate::problem::Problem;

pub(super) fn names(definitions: &Definitions, settings: &Compiled, problems: &mut Vec<Problem>) -> Vec<EventName> {
    let mut keys = keys(definitions);
    let messages = definitions.messages.iter().map(|d| (true, d));
    let signals = definitions.signals.iter().map(|d| (false, d));
    let mut events = Vec::new();
    for (message, declared) in messages.chain(signals) {
        let of_message = if message { keys.remove(&*declared.id) } else { None };
        let name = declared
            .name
            .clone()
            .filter(|n| !n.is_empty())
            .unwrap_or_else(|| declared.id.clone());
        let mut compiled = |(key, paths): (&str, Vec<&Expression>)| {
            let programs = paths
                .into_iter()
                .filter_map(|path| program((definitions, settings), path, key, problems));
            (key.to_owned(), programs.collect())
        };
        events.push(EventName {
            message,
            id: declared.id.clone(),
            name,
            keys: of_message.into_iter().flatten().map(&mut compiled).collect(),
        });
    }
    events
}

/// A key with the expressions that read its parts.
pub(crate) type Retrievals<'m> = (&'m str, Vec<&'m Expression>);

/// COR-1: for each message, the keys whose every property can be read out of it.
pub(crate) fn keys(definitions: &Definitions) -> BTreeMap<&str, Vec<Retrievals<'_>>> {
    let mut paths: BTreeMap<(&str, &str), &Expression> = BTreeMap::new();
    let mut properties: BTreeMap<&str, &[Retrieval]> = BTreeMap::new();
    for property in &definitions.correlation_properties {
        if properties.contains_key(&*property.id) {
            continue;
        }
        properties.insert(&property.id, &property.retrievals);
        for retrieval in &property.retrievals {
            paths
                .entry((&property.id, &retrieval.message))
                .or_insert(&retrieval.path);
        }
    }
    let mut keys: BTreeMap<&str, Vec<Retrievals<'_>>> = BTreeMap::new();
    for key in definitions.collaborations.iter().flat_map(|c| &c.keys) {
        let first = key.properties.first().and_then(|first| properties.get(&**first));
        let messages: BTreeSet<&str> = first.into_iter().copied().flatten().map(|r| &*r.message).collect();
        for message in messages {
            let read = |property: &String| paths.get(&(&**property, message)).copied();
            if let Some(paths) = key.properties.iter().map(read).collect() {
                keys.entry(message).or_default().push((&key.id, paths));
            }
        }
    }
    keys
}

/// Compiles an expression, or reports why it can't be.
pub(crate) fn program(
    (definitions, settings): (&Definitions, &Compiled),
    expression: &Expression,
    element: &str,
    problems: &mut Vec<Problem>,
) -> Option<Program> {
    let known = &settings.known;
    known
        .program(expression, definitions.expression_language.as_deref())
        .map_err(|error| {
            let message = format!("the expression of `{element}` can't be evaluated: {error}");
            let hint = "write a comparison over process data, such as `amount > 100` or `${approved}`";
            problems.push(
                Problem::error("EVT-6", expression.at, message)
                    .element(element)
                    .hint(hint),
            );
        })
        .ok()
}
