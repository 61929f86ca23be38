//! The tables that the loop looks at in every transition, and how they are gathered: once, when a template is compiled.

use super::EventRef;
use super::{Span, Template};
use crate::ids::{FlowId, NodeId};
use crate::node::{Node, Spec, Timing};
use crate::reach::{Edge, Graph, Index, NONE};

/// How a token leaves a node along its only flow, if that has no condition, through to the target: all that such a move
/// looks at. Models are long rows of these, so they stand close together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    /// That flow; none where there are several, or a condition.
    pub(crate) flow: FlowId,
    pub(crate) target: NodeId,
    /// The change of zone on leaving along it, if any.
    pub(crate) change: u32,
    /// Whether an arrival at the target is more than standing there.
    pub(crate) registers: bool,
    /// Whether the target is executed on arrival in the atomic grain.
    pub(crate) prompt: bool,
    /// Whether the node's step is nothing but this, so that its room need not be entered.
    pub(crate) through: bool,
}

/// What arming the subscription of a catching node looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Catch {
    pub(crate) what: Caught,
    /// Whether it stays armed after it fired.
    pub(crate) again: bool,
}

/// What a node catches, where it is in short.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Caught {
    Nothing,
    Event(EventRef),
    /// Errors and escalations.
    Raised,
    /// A timer that may fire at any time.
    Sometime,
    Timer,
    Condition,
}

/// The few facts about a node that a transition needs, side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hot {
    /// Its runtime words in a scope run.
    pub(crate) words: Span,
    /// Its boundary events.
    pub(crate) boundary: Span,
    /// Whether an arrival there is more than standing at the node.
    pub(crate) registers: bool,
    /// Whether it is executed on arrival in the atomic grain.
    pub(crate) prompt: bool,
    /// The zone of a token here; 0 is one that no join looks at.
    pub(crate) zone: u32,
    /// The number of the join here in the index of its scope, where the index knows it.
    pub(crate) join: u32,
    /// Whether that is an inclusive one, so that the counts of the index can decide it.
    pub(crate) inclusive: bool,
}

/// What there is to choose at a node, as far as the template says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chances {
    /// In how many ways a track can leave it, where conditions are symbolic.
    pub(crate) ways: u32,
    /// How many error codes external work can end with.
    pub(crate) codes: u32,
    /// Whether it throws a message, so that receivers are a choice as well.
    pub(crate) throws: bool,
}

/// The few facts about a flow that a transition needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    pub(crate) target: NodeId,
    /// The queue of tokens waiting on it, where its target is a synchronizing join; an index into its scope run.
    pub(crate) queue: u32,
    /// Its number in the index of its scope.
    pub(crate) edge: u32,
    /// The zone of a token in transit here.
    pub(crate) zone: u32,
    /// The change of zone on leaving along it, if any.
    pub(crate) change: u32,
    /// The class that an imminent arrival here is in, if a join waits for it.
    pub(crate) own: u32,
}

/// Makes the join index of every scope (ORJ). Nodes and flows of a scope are neighbours, so that in its index they are
/// numbered from its first ones.
pub(super) fn indexes(t: &mut Template) {
    let mut nodes = vec![0u32; t.scopes.len()];
    let mut joins = vec![Vec::new(); t.scopes.len()];
    for node in t.node_ids() {
        let scope = t.nodes[node.ix()].scope.ix();
        if nodes[scope] == 0 {
            t.scopes[scope].first = node.0;
        }
        nodes[scope] += 1;
        if t.kinds[node.ix()].asks_ahead() {
            joins[scope].push(node.0 - t.scopes[scope].first);
        }
    }
    let first: Vec<u32> = t.scopes.iter().map(|scope| scope.first).collect();
    let mut edges = vec![Vec::new(); t.scopes.len()];
    for (flow, lane) in t.flows.iter().zip(&mut t.lanes) {
        let scope = t.nodes[flow.source.ix()].scope.ix();
        lane.edge = edges[scope].len() as u32;
        let (source, target) = (flow.source.0 - first[scope], flow.target.0 - first[scope]);
        edges[scope].push(Edge {
            source,
            target,
            jump: false,
        });
    }
    for target in t.node_ids() {
        let scope = t.nodes[target.ix()].scope.ix();
        edges[scope].extend(t.jumps_to(target).iter().map(|from| Edge {
            source: from.0 - first[scope],
            target: target.0 - first[scope],
            jump: true,
        }));
    }
    let graphs = nodes.into_iter().zip(edges).zip(joins);
    t.indexes = graphs
        .map(|((nodes, edges), joins)| {
            if joins.is_empty() {
                Index::default()
            } else {
                Index::new(&Graph::new(nodes as usize, edges), &joins)
            }
        })
        .collect();
    for node in t.node_ids() {
        let scope = t.nodes[node.ix()].scope.ix();
        let index = &t.indexes[scope];
        if !index.is_empty() {
            let local = node.0 - first[scope];
            (t.hot[node.ix()].zone, t.hot[node.ix()].join) =
                (index.zone_at(local), index.join_at(local).unwrap_or(NONE));
        }
    }
    for (flow, lane) in t.flows.iter().zip(&mut t.lanes) {
        let index = &t.indexes[t.nodes[flow.source.ix()].scope.ix()];
        if !index.is_empty() {
            lane.zone = index.zone_on(lane.edge);
            (lane.change, lane.own) = (index.change_on(lane.edge), index.own_on(lane.edge));
        }
    }
}

/// Deals out runtime words and queues, scope by scope, and gathers what every transition needs.
pub(super) fn state(t: &mut Template) {
    let lane = |target| Lane {
        target,
        queue: NONE,
        edge: 0,
        zone: 0,
        change: NONE,
        own: NONE,
    };
    t.lanes = t.flows.iter().map(|flow| lane(flow.target)).collect();
    for node in t.node_ids() {
        let kind = &t.kinds[node.ix()];
        let scope = &mut t.scopes[t.nodes[node.ix()].scope.ix()];
        let words = Span {
            from: scope.words,
            to: scope.words + kind.words(),
        };
        scope.words = words.to;
        let incoming = t.nodes[node.ix()].inc.of(&t.incoming);
        if kind.queues() {
            for &flow in incoming {
                t.lanes[flow.ix()].queue = scope.queues;
                scope.queues += 1;
            }
        }
        t.hot.push(Hot {
            words,
            boundary: t.nodes[node.ix()].boundary,
            registers: kind.queues(),
            prompt: kind.prompt(),
            zone: 0,
            join: NONE,
            inclusive: kind.awaits_reachable(),
        });
    }
}

/// Gathers how tokens pass through and what nodes catch; after [`state`] and [`indexes`], from which it copies.
pub(super) fn passes(t: &mut Template) {
    let pass = |node: NodeId| {
        let flow = match *t.outgoing(node) {
            [only] if t.flow(only).condition.is_none() => only,
            _ => FlowId::NONE,
        };
        let lane = flow.some().map(|flow| t.lanes[flow.ix()]);
        let target = lane.map_or(NodeId::NONE, |lane| lane.target);
        let beyond = target.some().map(|target| t.hot[target.ix()]);
        Pass {
            flow,
            target,
            change: lane.map_or(NONE, |lane| lane.change),
            registers: beyond.is_some_and(|beyond| beyond.registers),
            prompt: beyond.is_some_and(|beyond| beyond.prompt),
            through: !flow.is_none() && t.kinds[node.ix()].passes(),
        }
    };
    t.passes = t.node_ids().map(pass).collect();
    t.catches = t.kinds.iter().map(|kind| catch(&**kind)).collect();
}

/// Counts what there is to choose; drivers ask for it at every step.
pub(super) fn chances(t: &mut Template) {
    let chances = |node: NodeId| {
        let kind = t.kind(node);
        Chances {
            ways: kind.ways(t),
            codes: t.codes_of(node).len() as u32,
            throws: kind.throws().is_some(),
        }
    };
    t.chances = t.node_ids().map(chances).collect();
}

fn catch(kind: &dyn Node) -> Catch {
    let what = match kind.spec() {
        None => Caught::Nothing,
        Some(Spec::Message(event) | Spec::Signal(event)) => Caught::Event(*event),
        Some(Spec::Error(_) | Spec::Escalation(_)) => Caught::Raised,
        Some(Spec::Timer(Timing::Open)) => Caught::Sometime,
        Some(Spec::Timer(_)) => Caught::Timer,
        Some(Spec::Conditional(_)) => Caught::Condition,
    };
    Catch {
        what,
        again: kind.stays_armed(),
    }
}
