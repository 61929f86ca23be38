//! Gateways and the conditions on flows (GW-1, XOR, ORS, PAR-1).

use crate::model::{FlowNode, Gateway, GatewayDirection, NodeKind};

use super::index::{Index, Line, Spot};
use super::report::{Report, called, flow_called};

/// GW-1, XOR-2, XOR-3, XOR-5, ORS-2, ORS-3, PAR-1.
pub(super) fn check(index: &Index<'_>, report: &mut Report) {
    for (_, spot) in index.spots() {
        let NodeKind::Gateway { gateway, direction } = &spot.node.kind else {
            condition_of_default(spot, report);
            continue;
        };
        contradiction(spot, *direction, report);
        match gateway {
            Gateway::Exclusive => {
                condition_of_default(spot, report);
                exclusive(spot, report);
            }
            Gateway::Inclusive | Gateway::Complex { .. } => {
                condition_of_default(spot, report);
                inclusive(spot, report);
            }
            Gateway::Parallel => parallel(spot, report),
            // EVG-5 says what its flows may have.
            Gateway::EventBased { .. } => {}
        }
    }
}

/// GW-1: the flows decide; a drawing that says something else misleads its readers.
fn contradiction(spot: &Spot<'_>, direction: GatewayDirection, report: &mut Report) {
    if spot.broken_in || spot.broken_out {
        return;
    }
    let (incoming, outgoing) = (spot.incoming.len(), spot.outgoing.len());
    let (contradicts, says) = match direction {
        GatewayDirection::Unspecified => return,
        GatewayDirection::Converging => (outgoing > 1, "Converging"),
        GatewayDirection::Diverging => (incoming > 1, "Diverging"),
        GatewayDirection::Mixed => (incoming < 2 || outgoing < 2, "Mixed"),
    };
    if contradicts {
        let message = format!(
            "{} says it is `{says}`, but has {incoming} incoming and {outgoing} outgoing flows; the flows decide",
            called(spot.node)
        );
        let hint = "correct `gatewayDirection`, or drop the attribute";
        report.warning("GW-1", spot.node, message, hint);
    }
}

/// Whether this flow is the default one of its source.
fn is_default(node: &FlowNode, line: &Line<'_>) -> bool {
    node.default.as_deref() == Some(&*line.flow.id)
}

/// XOR-3.
fn condition_of_default(spot: &Spot<'_>, report: &mut Report) {
    if spot.node.default.is_none() {
        return;
    }
    let mut defaults = spot.outgoing.iter().filter(|line| is_default(spot.node, line));
    if let Some(line) = defaults.find(|line| line.flow.condition.is_some()) {
        let message = format!(
            "the condition on {} is ignored: it is the default flow of {}",
            flow_called(line.flow),
            called(spot.node)
        );
        let hint = "remove the condition, or make another flow the default one";
        report.warning("XOR-3", line.flow, message, hint);
    }
}

/// The flows of a split that are not its default one: without and with a condition.
fn split<'s, 'm>(spot: &'s Spot<'m>) -> (Vec<&'s Line<'m>>, Vec<&'s Line<'m>>) {
    let others = spot.outgoing.iter().filter(|line| !is_default(spot.node, line));
    others.partition(|line| line.flow.condition.is_none())
}

fn exclusive(spot: &Spot<'_>, report: &mut Report) {
    let (free, conditional) = split(spot);
    no_default(spot, &free, "XOR-2", report);
    if conditional.is_empty() {
        return;
    }
    for line in free {
        let is_last = spot.outgoing.last().is_some_and(|last| last.flow.id == line.flow.id);
        let effect = if is_last {
            "it counts as true"
        } else {
            "it counts as true, and flows after it are never taken"
        };
        let message = format!(
            "{} has no condition and is not the default flow of {}: {effect}",
            flow_called(line.flow),
            called(spot.node)
        );
        let hint = "give it a condition, or name it in the gateway's `default` attribute";
        report.warning("XOR-5", line.flow, message, hint);
    }
}

fn inclusive(spot: &Spot<'_>, report: &mut Report) {
    let (free, conditional) = split(spot);
    no_default(spot, &free, "ORS-2", report);
    if conditional.is_empty() {
        return;
    }
    for line in free {
        let message = format!(
            "{} has no condition and is not the default flow of {}: it is always taken",
            flow_called(line.flow),
            called(spot.node)
        );
        let hint = "give it a condition, or name it in the gateway's `default` attribute";
        report.warning("ORS-3", line.flow, message, hint);
    }
}

/// XOR-2, ORS-2: with a condition on every flow, none may be true.
fn no_default(spot: &Spot<'_>, free: &[&Line<'_>], rule: &str, report: &mut Report) {
    let is_split = spot.outgoing.len() > 1 && !spot.broken_out;
    if !is_split || !free.is_empty() || spot.node.default.is_some() {
        return;
    }
    let message = format!(
        "{} has a condition on every flow and no default flow: the instance faults where none is true",
        called(spot.node)
    );
    report.warning(
        rule,
        spot.node,
        message,
        "name a default flow, if the conditions may all be false",
    );
}

/// PAR-1.
fn parallel(spot: &Spot<'_>, report: &mut Report) {
    for line in spot.outgoing.iter().filter(|line| line.flow.condition.is_some()) {
        let message = format!(
            "the condition on {} is not looked at: {} takes every flow",
            flow_called(line.flow),
            called(spot.node)
        );
        let hint = "remove the condition, or use an inclusive gateway";
        report.warning("PAR-1", line.flow, message, hint);
    }
    if spot.node.default.is_some() {
        let message = format!(
            "the default flow of {} has no meaning: it takes every flow",
            called(spot.node)
        );
        report.warning(
            "PAR-1",
            spot.node,
            message,
            "drop the attribute, or use an inclusive gateway",
        );
    }
}
