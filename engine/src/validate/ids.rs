//! Ids: one element each, over the whole file.

use std::collections::BTreeMap;

use crate::model::{Artifact, ArtifactKind, Definitions, EventDefinition, NodeKind, Position};
use crate::problem::{Problem, Severity};

use super::index::Index;
use super::report::{Report, words};

/// An element with an id.
pub(super) struct Identified<'m> {
    pub(super) id: &'m str,
    at: Position,
    /// Its local name in BPMN.
    element: &'m str,
    /// Whether it is looked at when a process is executed.
    executed: bool,
}

/// XML-ID: reports every further use of an id, with the place of the first.
pub(super) fn check(index: &Index<'_>, report: &mut Report) {
    let mut all = elements(index.definitions);
    all.sort_by_key(|one| one.at);
    let mut first: BTreeMap<&str, &Identified<'_>> = BTreeMap::new();
    for one in &all {
        let Some(other) = first.get(one.id) else {
            first.insert(one.id, one);
            continue;
        };
        let place = |at: Position| format!("{}:{}", at.line, at.column);
        let message = format!(
            "the id `{}` of the {} at {} is already that of the {} at {}",
            one.id,
            words(one.element),
            place(one.at),
            words(other.element),
            place(other.at),
        );
        let mut problem = Problem::error("XML-ID", one.at, message);
        if !(one.executed && other.executed) {
            problem.severity = Severity::Warning;
        }
        report.push(problem.element(one.id).hint("give each element an id of its own"));
    }
}

/// Every element of the file that has an id, but for what only draws it.
pub(super) fn elements(definitions: &Definitions) -> Vec<Identified<'_>> {
    let mut all = Vec::new();
    declarations(definitions, &mut all);
    collaborations(definitions, &mut all);
    for process in &definitions.processes {
        all.push(executed("process", &process.id, process.at));
    }
    for scope in &definitions.scopes {
        for node in &scope.nodes {
            all.push(executed(node.kind.element(), &node.id, node.at));
            all.extend(events(&node.kind).iter().filter_map(event));
        }
        let flows = scope.flows.iter();
        all.extend(flows.map(|flow| executed("sequenceFlow", &flow.id, flow.at)));
        all.extend(scope.lanes.iter().map(|lane| beside("lane", &lane.id, lane.at)));
        let data = scope.data.iter();
        all.extend(data.map(|data| beside(&data.element, &data.id, data.at)));
        all.extend(scope.artifacts.iter().map(artifact));
    }
    all
}

fn declarations<'m>(definitions: &'m Definitions, all: &mut Vec<Identified<'m>>) {
    let lists = [
        ("message", &definitions.messages),
        ("signal", &definitions.signals),
        ("error", &definitions.errors),
        ("escalation", &definitions.escalations),
    ];
    for (element, list) in lists {
        all.extend(list.iter().map(|declared| executed(element, &declared.id, declared.at)));
    }
    let properties = definitions.correlation_properties.iter();
    all.extend(properties.map(|property| executed("correlationProperty", &property.id, property.at)));
}

fn collaborations<'m>(definitions: &'m Definitions, all: &mut Vec<Identified<'m>>) {
    for collaboration in &definitions.collaborations {
        let id = collaboration.id.iter();
        all.extend(id.map(|id| beside("collaboration", id, collaboration.at)));
        let pools = collaboration.participants.iter();
        all.extend(pools.map(|pool| beside("participant", &pool.id, pool.at)));
        let flows = collaboration.message_flows.iter();
        all.extend(flows.map(|flow| beside("messageFlow", &flow.id, flow.at)));
        let keys = collaboration.keys.iter();
        all.extend(keys.map(|key| executed("correlationKey", &key.id, key.at)));
    }
}

fn executed<'m>(element: &'m str, id: &'m str, at: Position) -> Identified<'m> {
    Identified {
        id,
        at,
        element,
        executed: true,
    }
}

fn beside<'m>(element: &'m str, id: &'m str, at: Position) -> Identified<'m> {
    Identified {
        executed: false,
        ..executed(element, id, at)
    }
}

fn event(definition: &EventDefinition) -> Option<Identified<'_>> {
    let id = definition.id.as_deref()?;
    Some(beside("eventDefinition", id, definition.at))
}

fn events(kind: &NodeKind) -> &[EventDefinition] {
    match kind {
        NodeKind::Start { events, .. }
        | NodeKind::Catch { events, .. }
        | NodeKind::Boundary { events, .. }
        | NodeKind::Throw { events }
        | NodeKind::End { events } => events,
        _ => &[],
    }
}

fn artifact(artifact: &Artifact) -> Identified<'_> {
    let element = match artifact.kind {
        ArtifactKind::Annotation(_) => "textAnnotation",
        ArtifactKind::Group(_) => "group",
        ArtifactKind::Association { .. } => "association",
    };
    beside(element, &artifact.id, artifact.at)
}
