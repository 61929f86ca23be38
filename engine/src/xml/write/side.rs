//! Lanes, artifacts and data.

use crate::model::{Artifact, ArtifactKind, DataElement, Lane};

use super::out::Out;
use super::reference;

/// Writes the lanes of a body, each inside its parent. A parent that does not come earlier in the list counts as none.
pub(super) fn lanes(out: &mut Out, lanes: &[Lane]) {
    let parent = |index: usize| lanes[index].parent.map(|p| p as usize).filter(|&p| p < index);
    let mut inner = vec![Vec::new(); lanes.len()];
    let mut outermost = Vec::new();
    for index in (0..lanes.len()).rev() {
        match parent(index) {
            Some(parent) => inner[parent].push(index),
            None => outermost.push(index),
        }
    }
    if outermost.is_empty() {
        return;
    }
    out.start("bpmn:laneSet");
    // Lists of lanes still to be written, the next one last.
    let mut stack = vec![outermost];
    while let Some(level) = stack.last_mut() {
        let Some(index) = level.pop() else {
            stack.pop();
            out.end();
            // A list inside a lane is the last thing in it.
            if !stack.is_empty() {
                out.end();
            }
            continue;
        };
        lane(out, &lanes[index]);
        let inside = std::mem::take(&mut inner[index]);
        if inside.is_empty() {
            out.end();
        } else {
            out.start("bpmn:childLaneSet");
            stack.push(inside);
        }
    }
}

/// Starts a lane and leaves it open.
fn lane(out: &mut Out, lane: &Lane) {
    out.start("bpmn:lane")
        .attribute("id", &lane.id)
        .optional("name", lane.name.as_deref());
    for node in &lane.nodes {
        out.start("bpmn:flowNodeRef").text(&reference(node)).end();
    }
}

pub(super) fn artifact(out: &mut Out, artifact: &Artifact) {
    let id = &artifact.id;
    match &artifact.kind {
        ArtifactKind::Annotation(text) => {
            out.start("bpmn:textAnnotation").attribute("id", id);
            out.start("bpmn:text").text(text).end();
        }
        ArtifactKind::Group(category) => {
            out.start("bpmn:group")
                .attribute("id", id)
                .optional("categoryValueRef", category.as_deref().map(reference).as_deref());
        }
        ArtifactKind::Association {
            source,
            target,
            direction,
        } => {
            out.start("bpmn:association")
                .attribute("id", id)
                .optional("associationDirection", direction.as_deref())
                .attribute("sourceRef", &reference(source))
                .attribute("targetRef", &reference(target));
        }
    }
    out.end();
}

pub(super) fn data(out: &mut Out, data: &DataElement) {
    let (name, refers_to) = match data.element.as_str() {
        "dataObjectReference" => ("bpmn:dataObjectReference", "dataObjectRef"),
        "dataStoreReference" => ("bpmn:dataStoreReference", "dataStoreRef"),
        _ => ("bpmn:dataObject", ""),
    };
    out.start(name)
        .attribute("id", &data.id)
        .optional("name", data.name.as_deref());
    if !refers_to.is_empty() {
        out.optional(refers_to, data.refers_to.as_deref().map(reference).as_deref());
    }
    out.end();
}
