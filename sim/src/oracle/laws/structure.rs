//! Whether a model comes out the same under every schedule, read off the model (V12).
//!
//! Two reasons are enough. Where every flow has one node that takes tokens off it, and no node asks what others still
//! have (no inclusive join), nothing that can happen is ever prevented by something else: such a net is *persistent*, and
//! all its schedules execute the same nodes, however its gateways are connected. With inclusive joins it has to be made of
//! blocks in which every join gets the tokens of one activation of its split, so that there is never a surplus token to
//! wait for or not.

use super::confluence::NotConfluent;
use crate::oracle::net::{Body, BodyRef, Effect, Kind, Net, Node, NodeRef, Waits};

/// Whether every schedule of the net comes out the same, once choices are made.
pub(super) fn judge(net: &Net) -> Result<(), NotConfluent> {
    for (node, at) in net.nodes.iter().zip(0..) {
        if let Some(why) = objection(net, node, NodeRef(at)) {
            return Err(NotConfluent::new(why, &node.id));
        }
    }
    for (body, at) in net.bodies.iter().zip(0..) {
        let of_body = || net.nodes.iter().filter(|node| node.body == BodyRef(at));
        let asks = |node: &&Node| matches!(node.kind, Kind::Inclusive) && node.incoming.len() > 1;
        // Two runs of one scope at a time would share the count of visits.
        let critical = of_body().find(|node| asks(node) || matches!(node.kind, Kind::Scope(_)));
        if let Some(node) = critical.filter(|_| !is_of_blocks(net, body)) {
            return Err(NotConfluent::new("it stands in what is not made of blocks", &node.id));
        }
    }
    Ok(())
}

/// Why a node makes a difference between schedules.
fn objection(net: &Net, node: &Node, place: NodeRef) -> Option<&'static str> {
    match &node.kind {
        Kind::Gate { .. } => return Some("a deferred choice"),
        Kind::Boundary => return Some("a boundary event races with its host"),
        Kind::Handler(_) => return Some("an event sub-process races with what is beside it"),
        Kind::Complex(_) if net.is_join(place) => return Some("a complex join takes who comes first"),
        Kind::Throw(effect) | Kind::End(effect) => match effect {
            Effect::Nothing => {}
            Effect::Message(name) | Effect::Signal(name) if !is_awaited(net, name) => {}
            Effect::Message(_) | Effect::Signal(_) => return Some("what it throws may come too early"),
            Effect::Error(_) | Effect::Escalation(_) | Effect::Terminate => return Some("it interrupts"),
        },
        Kind::Task { sends: Some(name), .. } if is_awaited(net, name) => {
            return Some("what it sends may come too early");
        }
        _ => {}
    }
    match node.waits {
        Some(Waits::Signal(_)) => Some("a signal reaches whoever is there"),
        Some(Waits::Condition(_)) => Some("it depends on when data change"),
        _ => None,
    }
}

fn is_awaited(net: &Net, name: &str) -> bool {
    let waits = |node: &Node| matches!(&node.waits, Some(Waits::Message(own) | Waits::Signal(own)) if own == name);
    net.nodes.iter().any(waits)
}

/// How many of the flows out of a node get a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Split {
    One,
    Some,
    All,
}

fn split(net: &Net, node: NodeRef) -> Split {
    let here = net.node(node);
    let conditional = here.outgoing.iter().any(|&flow| net.flow(flow).condition.is_some());
    match here.kind {
        Kind::Exclusive => Split::One,
        Kind::Parallel => Split::All,
        Kind::Inclusive | Kind::Complex(_) => Split::Some,
        _ if conditional || here.default.is_some() => Split::Some,
        _ => Split::All,
    }
}

/// A body on its way to a single flow: an edge per flow or block, from node to node.
struct Reduction<'n> {
    net: &'n Net,
    edges: Vec<(NodeRef, NodeRef)>,
}

/// Whether a body is made of blocks: whether it shrinks to one flow when sequences, blocks and loops are each replaced by
/// a flow, and ends are cut off.
fn is_of_blocks(net: &Net, body: &Body) -> bool {
    let entry = match (&body.starts[..], &body.sources[..]) {
        ([start, ..], _) | ([], [start]) => *start,
        _ => return false,
    };
    let mut reduction = Reduction {
        net,
        edges: edges_from(net, entry),
    };
    while reduction.step() {}
    reduction.edges.len() <= 1
}

/// The flows that a token at `entry` can come to; links are flows too.
fn edges_from(net: &Net, entry: NodeRef) -> Vec<(NodeRef, NodeRef)> {
    let (mut edges, mut reached) = (Vec::new(), vec![entry]);
    let mut at = 0;
    while let Some(&node) = reached.get(at) {
        at += 1;
        let link = match net.node(node).kind {
            Kind::LinkThrow(catch) => Some(catch),
            _ => None,
        };
        let flows = net.node(node).outgoing.iter().map(|&flow| net.flow(flow).target);
        for target in flows.chain(link) {
            edges.push((node, target));
            if !reached.contains(&target) {
                reached.push(target);
            }
        }
    }
    edges
}

impl Reduction<'_> {
    /// One step smaller, if that can be. Ends come last: an exclusive split between them and a loop has to be known as one.
    fn step(&mut self) -> bool {
        let steps: [fn(&mut Self, usize) -> bool; 4] =
            [Self::cut_loop, Self::close_block, Self::join_sequence, Self::cut_end];
        steps
            .into_iter()
            .any(|step| (0..self.edges.len()).any(|at| step(self, at)))
    }

    fn ways_into(&self, node: NodeRef) -> usize {
        self.edges.iter().filter(|edge| edge.1 == node).count()
    }

    fn ways_out_of(&self, node: NodeRef) -> usize {
        self.edges.iter().filter(|edge| edge.0 == node).count()
    }

    /// A branch that ends brings no token to anybody.
    fn cut_end(&mut self, at: usize) -> bool {
        let (source, target) = self.edges[at];
        let ends = self.ways_out_of(target) == 0 && !self.net.is_join(target);
        let cut = ends && self.ways_out_of(source) > 1;
        if cut {
            self.edges.swap_remove(at);
        }
        cut
    }

    /// A node with one flow in and one out is passed.
    fn join_sequence(&mut self, at: usize) -> bool {
        let (source, node) = self.edges[at];
        if source == node || self.ways_into(node) != 1 || self.ways_out_of(node) != 1 {
            return false;
        }
        let next = self.edges.iter().position(|edge| edge.0 == node);
        let Some(next) = next.filter(|&next| self.edges[next].1 != node) else {
            return false;
        };
        self.edges[at].1 = self.edges[next].1;
        self.edges.swap_remove(next);
        true
    }

    /// Two flows from a split to a join that suits it are one.
    fn close_block(&mut self, at: usize) -> bool {
        let (source, target) = self.edges[at];
        let suits = match (&self.net.node(target).kind, split(self.net, source)) {
            (Kind::Inclusive, _) | (Kind::Parallel, Split::All) => true,
            (Kind::Parallel, _) => false,
            (_, split) => split == Split::One,
        };
        let twice = self.edges[at + 1..].contains(&(source, target)) && source != target;
        if suits && twice {
            self.edges.swap_remove(at);
        }
        suits && twice
    }

    /// A flow from an exclusive split straight back to the merge before it.
    fn cut_loop(&mut self, at: usize) -> bool {
        let (source, target) = self.edges[at];
        let back = split(self.net, source) == Split::One && !self.net.is_join(target);
        let straight = source == target
            || self.edges.contains(&(target, source)) && self.ways_into(source) == 1 && self.ways_out_of(target) == 1;
        // Somewhere it has to come from, and to go on to.
        let around = self.ways_into(target) > 1 && self.ways_out_of(source) > 1;
        if back && straight && around {
            self.edges.swap_remove(at);
        }
        back && straight && around
    }
}
