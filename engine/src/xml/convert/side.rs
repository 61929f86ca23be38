//! Lanes, artifacts and data: what stands beside the flow.

use crate::model::{Artifact, ArtifactKind, DataElement, Lane};

use super::super::tree::{Element, NodeRef};
use super::context::Context;

/// Reads a lane set with the lanes inside its lanes. They nest, so the stack is our own.
pub(super) fn lanes<'t>(context: &mut Context<'t>, el: &Element<'t>, lanes: &mut Vec<Lane>) {
    let tree = context.tree;
    let mut stack: Vec<(Option<NodeRef>, Option<u32>)> = vec![(tree.node(el.node).first_child, None)];
    while let Some((next, parent)) = stack.last_mut() {
        let Some(node) = *next else {
            stack.pop();
            continue;
        };
        *next = tree.node(node).next;
        let parent = *parent;
        let child = tree.element(node);
        // A set of lanes only groups what is in it.
        let inside = if child.is("lane") {
            let lane = lane(context, &child, parent);
            lanes.push(lane);
            Some(lanes.len() as u32 - 1)
        } else if child.is("childLaneSet") && parent.is_some() {
            parent
        } else {
            if !(child.is("flowNodeRef") && parent.is_some()) {
                context.leftover(&child, el.local);
            }
            continue;
        };
        stack.push((tree.node(node).first_child, inside));
    }
}

fn lane<'t>(context: &mut Context<'t>, el: &Element<'t>, parent: Option<u32>) -> Lane {
    let refs: Vec<_> = el.children().filter(|child| child.is("flowNodeRef")).collect();
    Lane {
        id: context.id(el),
        name: el.string("name"),
        at: el.at(),
        parent,
        nodes: refs.iter().map(|child| context.text_reference(child)).collect(),
    }
}

/// A text annotation, a group or an association.
pub(super) fn artifact<'t>(context: &mut Context<'t>, el: &Element<'t>) -> Artifact {
    let mut text = None;
    for child in el.children() {
        if el.local == "textAnnotation" && child.is("text") && text.is_none() {
            text = Some(context.text(&child).into_owned());
        } else {
            context.leftover(&child, el.local);
        }
    }
    let kind = match el.local {
        "textAnnotation" => ArtifactKind::Annotation(text.unwrap_or_default()),
        "group" => ArtifactKind::Group(el.reference("categoryValueRef")),
        other => {
            debug_assert_eq!(other, "association", "the caller knows what an artifact is");
            ArtifactKind::Association {
                source: context.required(el, "sourceRef"),
                target: context.required(el, "targetRef"),
                direction: el.string("associationDirection"),
            }
        }
    };
    Artifact {
        id: context.id(el),
        at: el.at(),
        kind,
    }
}

/// A data object, a reference to one, or a data store reference.
pub(super) fn data<'t>(context: &mut Context<'t>, el: &Element<'t>) -> DataElement {
    context.all_leftover(el);
    DataElement {
        id: context.id(el),
        name: el.string("name"),
        at: el.at(),
        element: el.local.to_owned(),
        refers_to: match el.local {
            "dataObjectReference" => el.reference("dataObjectRef"),
            "dataStoreReference" => el.reference("dataStoreRef"),
            _ => None,
        },
    }
}
