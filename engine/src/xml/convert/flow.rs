//! Sequence flows.

use crate::model::SequenceFlow;

use super::super::tree::Element;
use super::context::Context;

/// A flow with its condition. The topology comes from here alone (F27).
pub(super) fn sequence_flow<'t>(context: &mut Context<'t>, el: &Element<'t>) -> SequenceFlow {
    let mut condition = None;
    for child in el.children() {
        if child.is("conditionExpression") && condition.is_none() {
            condition = Some(context.expression(&child));
        } else {
            context.leftover(&child, el.local);
        }
    }
    SequenceFlow {
        id: context.id(el),
        name: el.string("name"),
        at: el.at(),
        source: context.required(el, "sourceRef"),
        target: context.required(el, "targetRef"),
        condition,
    }
}
