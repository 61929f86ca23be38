//! Pools, the messages between them, and the keys by which messages find their conversation.

use crate::model::{Collaboration, CorrelationKey, CorrelationProperty, MessageFlow, Participant, Retrieval};

use super::super::tree::{Element, NodeRef};
use super::context::Context;

/// A collaboration, with the keys inside its conversations.
pub(super) fn collaboration<'t>(context: &mut Context<'t>, el: &Element<'t>) -> Collaboration {
    let mut collaboration = Collaboration {
        id: el.id(),
        at: el.at(),
        ..Collaboration::default()
    };
    let tree = context.tree;
    // Conversations nest, so the stack is our own. It holds the next element of each level.
    let mut stack: Vec<Option<NodeRef>> = vec![tree.node(el.node).first_child];
    while let Some(next) = stack.last_mut() {
        let Some(node) = *next else {
            stack.pop();
            continue;
        };
        *next = tree.node(node).next;
        let child = tree.element(node);
        if is_conversation(&child) {
            stack.push(tree.node(node).first_child);
        } else {
            member(context, &child, &mut collaboration);
        }
    }
    collaboration
}

fn is_conversation(el: &Element<'_>) -> bool {
    el.is("conversation") || el.is("subConversation") || el.is("callConversation")
}

fn member<'t>(context: &mut Context<'t>, el: &Element<'t>, collaboration: &mut Collaboration) {
    if el.is("participant") {
        let participant = participant(context, el);
        collaboration.participants.push(participant);
    } else if el.is("messageFlow") {
        let message_flow = message_flow(context, el);
        collaboration.message_flows.push(message_flow);
    } else if el.is("correlationKey") {
        let key = correlation_key(context, el);
        collaboration.keys.push(key);
    } else if !(el.is("textAnnotation") || el.is("group") || el.is("association")) {
        // The three above are only drawn.
        context.leftover(el, "collaboration");
    }
}

fn participant<'t>(context: &mut Context<'t>, el: &Element<'t>) -> Participant {
    context.all_leftover(el);
    Participant {
        id: context.id(el),
        name: el.string("name"),
        at: el.at(),
        process: el.reference("processRef"),
    }
}

fn message_flow<'t>(context: &mut Context<'t>, el: &Element<'t>) -> MessageFlow {
    context.all_leftover(el);
    MessageFlow {
        id: context.id(el),
        name: el.string("name"),
        at: el.at(),
        source: context.required(el, "sourceRef"),
        target: context.required(el, "targetRef"),
    }
}

fn correlation_key<'t>(context: &mut Context<'t>, el: &Element<'t>) -> CorrelationKey {
    let mut properties = Vec::new();
    for child in el.children() {
        if child.is("correlationPropertyRef") {
            properties.push(context.text_reference(&child));
        } else {
            context.leftover(&child, el.local);
        }
    }
    CorrelationKey {
        id: context.id(el),
        name: el.string("name"),
        at: el.at(),
        properties,
    }
}

/// A correlation property with the way to read it out of each message (COR-1).
pub(super) fn correlation_property<'t>(context: &mut Context<'t>, el: &Element<'t>) -> CorrelationProperty {
    let mut retrievals = Vec::new();
    for child in el.children() {
        if child.is("correlationPropertyRetrievalExpression") {
            retrievals.push(retrieval(context, &child));
        } else {
            context.leftover(&child, el.local);
        }
    }
    CorrelationProperty {
        id: context.id(el),
        name: el.string("name"),
        at: el.at(),
        retrievals,
    }
}

fn retrieval(context: &mut Context<'_>, el: &Element<'_>) -> Retrieval {
    let mut path = None;
    for child in el.children() {
        if child.is("messagePath") && path.is_none() {
            path = Some(context.expression(&child));
        } else {
            context.leftover(&child, el.local);
        }
    }
    if path.is_none() {
        let message = format!("`{}` has no `messagePath`", el.local);
        context.wrong(el, message, "Say where in the message the value is.");
    }
    Retrieval {
        message: context.required(el, "messageRef"),
        path: path.unwrap_or_else(|| Context::no_expression(el.at())),
    }
}
