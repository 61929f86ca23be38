//! Processes and sub-processes: everything that has a body.
//!
//! Bodies nest as deep as the author likes, so they are walked with a stack of our own.

use crate::model::{Definitions, Process, Scope, ScopeRef};

use super::super::namespace::Space;
use super::super::tree::{Element, NodeRef};
use super::context::Context;
use super::{activity, event, flow, gateway, side};

/// A body that is being read.
struct Frame<'t> {
    /// The next element in it.
    next: Option<NodeRef>,
    scope: ScopeRef,
    /// The element whose body it is.
    owner: &'t str,
}

/// Reads a process with everything in it.
pub(super) fn process<'t>(context: &mut Context<'t>, el: &Element<'t>, definitions: &mut Definitions) {
    let body = open(definitions, None);
    let process = Process {
        id: context.id(el),
        name: el.string("name"),
        at: el.at(),
        is_executable: context.optional_bool(el, "isExecutable"),
        body,
    };
    definitions.processes.push(process);
    let tree = context.tree;
    let first = |owner: &Element<'t>, scope| Frame {
        next: tree.node(owner.node).first_child,
        scope,
        owner: owner.local,
    };
    let mut stack = vec![first(el, body)];
    while let Some(frame) = stack.last_mut() {
        let Some(node) = frame.next else {
            stack.pop();
            continue;
        };
        frame.next = tree.node(node).next;
        let (scope, owner) = (frame.scope, frame.owner);
        let child = tree.element(node);
        if let Some(kind) = activity::sub_process_kind(context, &child) {
            let body = open(definitions, Some(scope));
            let node = activity::sub_process(context, &child, kind, body);
            definitions.scopes[scope.0 as usize].nodes.push(node);
            stack.push(first(&child, body));
        } else if !member(context, &child, &mut definitions.scopes[scope.0 as usize]) && !is_marker(&child, owner) {
            context.leftover(&child, owner);
        }
    }
}

/// A new, empty body.
fn open(definitions: &mut Definitions, parent: Option<ScopeRef>) -> ScopeRef {
    definitions.scopes.push(Scope {
        parent,
        ..Scope::default()
    });
    ScopeRef(definitions.scopes.len() as u32 - 1)
}

/// Reads an element of a body, unless it has a body itself; false where it is none that the model has.
fn member<'t>(context: &mut Context<'t>, el: &Element<'t>, scope: &mut Scope) -> bool {
    if el.space() != Space::Bpmn {
        return false;
    }
    match el.local {
        "sequenceFlow" => scope.flows.push(flow::sequence_flow(context, el)),
        "laneSet" => side::lanes(context, el, &mut scope.lanes),
        "textAnnotation" | "group" | "association" => scope.artifacts.push(side::artifact(context, el)),
        "dataObject" | "dataObjectReference" | "dataStoreReference" => scope.data.push(side::data(context, el)),
        _ => {
            let node = event::node(context, el)
                .or_else(|| activity::node(context, el))
                .or_else(|| gateway::node(context, el));
            match node {
                Some(node) => scope.nodes.push(node),
                None => return false,
            }
        }
    }
    true
}

/// Loop markers stand among the elements of a sub-process, which has read its own already.
fn is_marker(el: &Element<'_>, owner: &str) -> bool {
    owner != "process" && el.space() == Space::Bpmn && activity::is_loop(el.local)
}
