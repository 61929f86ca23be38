//! Activations of complex joins (CPX-7, CPX-8).

use std::collections::BTreeSet;

use crate::model::{Activation, Expression, Gateway, NodeKind};
use crate::node::threshold;
use crate::problem::Problem;

use super::index::{Index, Spot};
use super::report::{Report, called};

/// CPX-7, for gateways with several incoming flows; CPX-8 where a condition would be ignored.
pub(super) fn check(index: &Index<'_>, report: &mut Report) {
    for (_, spot) in index.spots() {
        let NodeKind::Gateway {
            gateway: Gateway::Complex { activations, condition },
            ..
        } = &spot.node.kind
        else {
            continue;
        };
        if spot.incoming.len() < 2 || spot.broken_in {
            continue;
        }
        match (activations.as_slice(), condition) {
            ([], None) => {
                let message = format!("{} joins flows, but has no activation", called(spot.node));
                let hint = "add trackside:activation elements or an activationCondition that say when it fires";
                report.error("CPX-7", spot.node, message, hint);
            }
            ([], Some(condition)) => plain(spot, condition, report),
            (_, Some(_)) => {
                let message = format!(
                    "the activationCondition of {} is ignored: it has activations",
                    called(spot.node)
                );
                report.warning("CPX-8", spot.node, message, "keep one of the two forms");
            }
            (_, None) => {}
        }
        let incoming: BTreeSet<&str> = spot.incoming.iter().map(|line| &*line.flow.id).collect();
        for activation in activations {
            triple(spot, activation, &incoming, report);
        }
    }
}

/// The count of a plain condition; its form is the compiler's to judge.
fn plain(spot: &Spot<'_>, condition: &Expression, report: &mut Report) {
    let flows = spot.incoming.len();
    let Some((count, _)) = threshold(&condition.text, flows) else {
        return;
    };
    if !(1..=flows).contains(&count) {
        let message = format!(
            "{} has {flows} incoming flows, so `{}` {}",
            called(spot.node),
            condition.text,
            if count == 0 { "always holds" } else { "can never hold" }
        );
        let hint = format!("ask for a number from 1 to {flows}");
        report.error("CPX-7", spot.node, message, &hint);
    }
}

/// Whether a count as written is no greater than `number`.
fn at_most(count: i64, number: usize) -> bool {
    usize::try_from(count).map_or(count < 0, |count| count <= number)
}

fn triple(spot: &Spot<'_>, activation: &Activation, incoming: &BTreeSet<&str>, report: &mut Report) {
    let mut wrong = |message: String, hint: &str| {
        let problem = Problem::error("CPX-7", activation.at, message);
        report.push(problem.element(&spot.node.id).hint(hint));
    };
    let (gateway, flows) = (called(spot.node), incoming.len());
    let range = format!("give a number from 1 to {flows}, that of its incoming flows");
    let required: BTreeSet<&str> = activation.required.iter().map(|id| &**id).collect();
    match activation.count {
        None => wrong(format!("an activation of {gateway} has no count"), &range),
        Some(count) if count < 1 || !at_most(count, flows) => {
            let message = format!("an activation of {gateway} counts {count} of {flows} incoming flows");
            wrong(message, &range);
        }
        Some(count) if at_most(count, required.len().saturating_sub(1)) => {
            let message = format!(
                "an activation of {gateway} counts {count} flows but requires {}",
                required.len()
            );
            wrong(message, "raise the count, or require fewer flows");
        }
        Some(_) => {}
    }
    for flow in required.difference(incoming) {
        let message = format!("an activation of {gateway} requires `{flow}`, which is not one of its incoming flows");
        wrong(message, "name incoming flows of this gateway by their ids");
    }
}
