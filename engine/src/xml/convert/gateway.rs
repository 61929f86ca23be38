//! Gateways, with the activation triples of the complex one.

use crate::model::{Activation, Expression, FlowNode, Gateway, GatewayDirection, NodeKind};

use super::super::attribute::is_space;
use super::super::namespace::Space;
use super::super::problems::quote;
use super::super::tree::Element;
use super::context::Context;

/// A gateway of any kind.
pub(super) fn node<'t>(context: &mut Context<'t>, el: &Element<'t>) -> Option<FlowNode> {
    let gateway = match el.local {
        "complexGateway" => complex(context, el),
        "exclusiveGateway" => plain(context, el, Gateway::Exclusive),
        "parallelGateway" => plain(context, el, Gateway::Parallel),
        "inclusiveGateway" => plain(context, el, Gateway::Inclusive),
        "eventBasedGateway" => {
            let gateway = Gateway::EventBased {
                instantiate: context.bool(el, "instantiate", false),
                parallel: context.one_of(el, "eventGatewayType", &[("Exclusive", false), ("Parallel", true)]),
            };
            plain(context, el, gateway)
        }
        _ => return None,
    };
    let directions = [
        ("Unspecified", GatewayDirection::Unspecified),
        ("Converging", GatewayDirection::Converging),
        ("Diverging", GatewayDirection::Diverging),
        ("Mixed", GatewayDirection::Mixed),
    ];
    let direction = context.one_of(el, "gatewayDirection", &directions);
    Some(context.flow_node(el, NodeKind::Gateway { gateway, direction }))
}

fn plain(context: &mut Context<'_>, el: &Element<'_>, gateway: Gateway) -> Gateway {
    context.all_leftover(el);
    gateway
}

fn complex(context: &mut Context<'_>, el: &Element<'_>) -> Gateway {
    let mut activations = Vec::new();
    let mut condition = None;
    for child in el.children() {
        if child.is("extensionElements") {
            for extension in child.children() {
                if extension.space() == Space::Trackside && extension.local == "activation" {
                    activations.push(activation(context, &extension));
                } else {
                    context.leftover(&extension, el.local);
                }
            }
        } else if child.is("activationCondition") && condition.is_none() {
            condition = Some(context.expression(&child));
        } else {
            context.leftover(&child, el.local);
        }
    }
    Gateway::Complex { activations, condition }
}

/// One triple (CPX-8).
fn activation(context: &mut Context<'_>, el: &Element<'_>) -> Activation {
    let mut condition: Option<Expression> = None;
    for child in el.children() {
        if child.space() == Space::Trackside && child.local == "condition" && condition.is_none() {
            condition = Some(context.expression(&child));
        } else {
            context.leftover(&child, el.local);
        }
    }
    Activation {
        at: el.at(),
        count: count(context, el),
        required: context.list(el, "required"),
        condition,
    }
}

fn count(context: &mut Context<'_>, el: &Element<'_>) -> Option<i64> {
    let value = el.attribute("count")?;
    let count = value.trim_matches(is_space).parse().ok();
    if count.is_none() {
        let message = format!("`count` is {}, which is not a whole number", quote(&value));
        context.wrong(el, message, "Write how many flows must have arrived, as in `2`.");
    }
    count
}
