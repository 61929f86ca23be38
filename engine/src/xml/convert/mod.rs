//! From the tree of a file to the model, one file per family of elements.
//!
//! This file has the top: `definitions` and the declarations in it. Each family takes the elements that it knows and
//! hands everything else to [`Context::leftover`], so that nothing of BPMN is skipped silently.

mod activity;
mod collaboration;
mod context;
mod diagram;
mod event;
mod flow;
mod gateway;
mod scope;
mod side;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::model::{Declaration, Definitions};
use crate::problem::Problem;

use super::Limits;
use super::namespace::{Space, uri};
use super::problems::{Problems, Stop, quote};
use super::rule;
use super::tree::{Element, NodeRef, Tree};
use context::Context;

/// The model of a file.
pub(super) fn definitions(tree: &Tree<'_>, limits: &Limits, problems: &mut Problems) -> Result<Definitions, Stop> {
    let root = tree.element(NodeRef(0));
    if !root.is("definitions") {
        return Err(not_bpmn(&root));
    }
    let mut context = Context::new(tree, limits, problems, shared_events(tree, &root));
    let mut definitions = Definitions {
        id: root.id(),
        name: root.string("name"),
        target_namespace: root.string("targetNamespace"),
        expression_language: root.string("expressionLanguage"),
        ..Definitions::default()
    };
    for child in root.children() {
        top_level(&mut context, &child, &mut definitions);
    }
    Ok(definitions)
}

fn not_bpmn(root: &Element<'_>) -> Stop {
    let message = match root.space() {
        Space::Bpmn => format!("the root element is {}, not `definitions`", quote(root.local)),
        _ if root.local == "definitions" => "the root element is not in the namespace of BPMN 2.0".to_owned(),
        _ => format!("the root element {} is not that of a BPMN 2.0 file", quote(root.local)),
    };
    let hint = format!(
        "Export the model as BPMN 2.0 XML: `definitions` in the namespace {}.",
        uri::BPMN
    );
    Problem::error(rule::NOT_BPMN, root.at(), message).hint(hint).into()
}

/// Event definitions that stand at the top for several events to refer to, by id.
fn shared_events<'t>(tree: &'t Tree<'_>, root: &Element<'t>) -> BTreeMap<Cow<'t, str>, NodeRef> {
    let is_shared = |node: &NodeRef| tree.node(*node).space == Space::Bpmn && event::is_definition(tree.local(*node));
    let shared = tree.children(root.node).filter(is_shared);
    let with_id = shared.filter_map(|node| Some((tree.element(node).attribute("id")?, node)));
    with_id.collect()
}

fn top_level<'t>(context: &mut Context<'t>, el: &Element<'t>, definitions: &mut Definitions) {
    if el.space() == Space::BpmnDi && el.local == "BPMNDiagram" {
        definitions.diagrams.push(diagram::diagram(context, el));
        return;
    }
    if el.space() != Space::Bpmn {
        context.leftover(el, "definitions");
        return;
    }
    match el.local {
        "process" => scope::process(context, el, definitions),
        "collaboration" => {
            let collaboration = collaboration::collaboration(context, el);
            definitions.collaborations.push(collaboration);
        }
        "correlationProperty" => {
            let property = collaboration::correlation_property(context, el);
            definitions.correlation_properties.push(property);
        }
        "message" => definitions.messages.push(declaration(context, el, None)),
        "signal" => definitions.signals.push(declaration(context, el, None)),
        "error" => definitions.errors.push(declaration(context, el, Some("errorCode"))),
        "escalation" => definitions
            .escalations
            .push(declaration(context, el, Some("escalationCode"))),
        "import" => import(context, el),
        // Read where an event refers to it.
        local if event::is_definition(local) => {}
        _ => context.leftover(el, "definitions"),
    }
}

fn declaration<'t>(context: &mut Context<'t>, el: &Element<'t>, code: Option<&str>) -> Declaration {
    context.all_leftover(el);
    Declaration {
        id: context.id(el),
        name: el.string("name"),
        code: code.and_then(|code| el.string(code)),
        at: el.at(),
    }
}

/// Imported data types say nothing about execution; imported processes would.
fn import(context: &mut Context<'_>, el: &Element<'_>) {
    if el.attribute("importType").as_deref() == Some(uri::BPMN) {
        let message = "the imported BPMN file is not read";
        context.warn(
            rule::UNKNOWN_ELEMENT,
            el,
            message,
            "Put what is referred to into this file.",
        );
    }
}
