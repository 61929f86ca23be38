//! How an inclusive join decides, by literal path search: Table 13.3 of the standard, and rule ORJ.

use std::collections::BTreeSet;

use trackside_engine::instance::OrJoin;

use super::net::{FlowRef, Kind, Net, NodeRef};

/// Where a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    At(NodeRef),
    /// In transit (ORJ-7).
    On(FlowRef),
}

/// The flows by which a token can go on from a node: its outgoing ones, those of the boundary events on it, and those of
/// the link catch that a link throw leads to (ORJ-4). Conditions are ignored (ORJ-3).
fn ways_on(net: &Net, node: NodeRef) -> Vec<FlowRef> {
    let here = net.node(node);
    let mut ways = here.outgoing.clone();
    for &boundary in &here.boundaries {
        ways.extend(&net.node(boundary).outgoing);
    }
    if let Kind::LinkThrow(catch) = here.kind {
        ways.extend(&net.node(catch).outgoing);
    }
    ways
}

/// L(p): the incoming flows of `join` that a token at `from` can reach without passing the join (ORJ-3).
pub(super) fn reachable(net: &Net, join: NodeRef, from: Position) -> BTreeSet<FlowRef> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut pending = match from {
        Position::At(node) => ways_on(net, node),
        Position::On(flow) => vec![flow],
    };
    while let Some(flow) = pending.pop() {
        if !seen.insert(flow) {
            continue;
        }
        let target = net.flow(flow).target;
        if target == join {
            found.insert(flow);
        } else {
            pending.extend(ways_on(net, target));
        }
    }
    found
}

/// Whether an inclusive join fires that has tokens on the flows `marked`, while the other tokens of its scope run are at
/// `others`: everywhere but parked at the join (ORJ-1, ORJ-2).
pub(super) fn inclusive_fires(
    net: &Net,
    join: NodeRef,
    rule: OrJoin,
    marked: &BTreeSet<FlowRef>,
    others: &[Position],
) -> bool {
    let lets_it = |position: &Position| {
        let reached = reachable(net, join, *position);
        match rule {
            OrJoin::Standard => reached.is_empty() || !reached.is_disjoint(marked),
            OrJoin::Conservative => reached.is_subset(marked),
        }
    };
    !marked.is_empty() && others.iter().all(lets_it)
}
