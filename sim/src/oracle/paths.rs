//! How an inclusive join decides, by literal path search: Table 13.3 of the standard, and rule ORJ.

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
fn ways_on(net: &Net, node: NodeRef) -> impl Iterator<Item = FlowRef> {
    let here = net.node(node);
    let link = match here.kind {
        Kind::LinkThrow(catch) => Some(catch),
        _ => None,
    };
    let nodes = [node].into_iter().chain(here.boundaries.iter().copied()).chain(link);
    nodes.flat_map(|node| net.node(node).outgoing.iter().copied())
}

/// L(p): the incoming flows of `join` that a token at `from` can reach without passing the join (ORJ-3).
fn search(net: &Net, join: NodeRef, from: Position) -> Vec<FlowRef> {
    let mut found = Vec::new();
    let mut seen = vec![false; net.flows.len()];
    let mut pending: Vec<FlowRef> = match from {
        Position::At(node) => ways_on(net, node).collect(),
        Position::On(flow) => vec![flow],
    };
    while let Some(flow) = pending.pop() {
        if std::mem::replace(&mut seen[flow.0 as usize], true) {
            continue;
        }
        let target = net.flow(flow).target;
        if target == join {
            found.push(flow);
        } else {
            pending.extend(ways_on(net, target));
        }
    }
    found
}

/// What was found by searching, so that no search is made twice: paths are of the model, and stay.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    /// By join, then by position: the nodes, then the flows.
    found: Vec<Vec<Option<Box<[FlowRef]>>>>,
}

impl Paths {
    /// L(p) ([`search`]).
    pub(super) fn reachable(&mut self, net: &Net, join: NodeRef, from: Position) -> &[FlowRef] {
        let (joins, positions) = (net.nodes.len(), net.nodes.len() + net.flows.len());
        self.found.resize_with(joins, Vec::new);
        let of_join = &mut self.found[join.0 as usize];
        of_join.resize(positions, None);
        let at = match from {
            Position::At(node) => node.0 as usize,
            Position::On(flow) => net.nodes.len() + flow.0 as usize,
        };
        of_join[at].get_or_insert_with(|| search(net, join, from).into_boxed_slice())
    }

    /// Whether an inclusive join fires that has tokens on the flows `marked`, while the other tokens of its scope run are
    /// at `others`: everywhere but parked at the join (ORJ-1, ORJ-2).
    pub(super) fn inclusive_fires(
        &mut self,
        net: &Net,
        join: NodeRef,
        rule: OrJoin,
        marked: &[FlowRef],
        mut others: impl Iterator<Item = Position>,
    ) -> bool {
        let lets_it = |position: Position| {
            let reached = self.reachable(net, join, position);
            let is_marked = |flow: &FlowRef| marked.contains(flow);
            match rule {
                OrJoin::Standard => reached.is_empty() || reached.iter().any(is_marked),
                OrJoin::Conservative => reached.iter().all(is_marked),
            }
        };
        !marked.is_empty() && others.all(lets_it)
    }
}
