//! Why an instance does not go on (INS-6, ORJ-10): each wait with its element, and for joins the flows that miss.

use super::state::{Phase, ScopeIx, Token, Waits};
use super::{Core, Instance};
use crate::ids::{FlowId, NodeId, TrackId};
use crate::template::Template;

/// One thing that an unfinished instance waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// External work.
    Work {
        /// Where.
        node: NodeId,
        /// Who waits.
        track: TrackId,
    },
    /// An event: a catch, a receive task, a gate.
    Event {
        /// Where.
        node: NodeId,
        /// Who waits.
        track: TrackId,
    },
    /// An arm of a parallel start that has not occurred (EVG-4).
    Arm {
        /// Which.
        node: NodeId,
    },
    /// A join that holds tokens.
    Join {
        /// Which.
        node: NodeId,
        /// Who waits, earliest first.
        tracks: Vec<TrackId>,
        /// The flows it still misses.
        missing: Vec<Missing>,
        /// The joins of the vicious circle it is part of (ORJ-10), itself included; empty outside of one.
        circle: Vec<NodeId>,
    },
}

/// An incoming flow on which a join waits for a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The flow.
    pub flow: FlowId,
    /// The nodes from whose tokens it could still come; empty if none can come.
    pub from: Vec<NodeId>,
}

impl Instance {
    /// Whether the outside could still do something to the instance: external work runs, or there is a subscription that
    /// an event, time or a change of data can fire. A subscription that [`super::Options::refires`] no longer offers
    /// does not count. An unfinished instance without this and without an enabled action is *stuck* (INS-6).
    pub fn may_hear(&self) -> bool {
        let core = &self.core;
        let works = |token: &Token| token.phase == Phase::Waiting && self.template().kind(token.node).external();
        let offered = |fired: u32| core.options.refires.is_none_or(|most| fired < most);
        core.end.is_none()
            && (core.tokens.all().any(|(_, token)| works(token))
                || core
                    .watchers
                    .all()
                    .any(|(_, w)| w.lives() && !matches!(w.waits, Waits::Raised) && offered(w.fired)))
    }

    /// What the instance waits for, in order of birth of the waiting tracks. Empty once it has ended.
    pub fn waits(&self) -> Vec<Wait> {
        let (t, core) = (self.template(), &self.core);
        let mut tokens: Vec<&Token> = core
            .tokens
            .all()
            .map(|(_, t)| t)
            .filter(|t| t.phase != Phase::Dead)
            .collect();
        tokens.sort_by_key(|token| token.id);
        let mut waits = Vec::new();
        let mut joins: Vec<(ScopeIx, NodeId)> = Vec::new();
        for token in tokens {
            match token.phase {
                Phase::Waiting if t.kind(token.node).external() => {
                    waits.push(Wait::Work {
                        node: token.node,
                        track: token.id,
                    });
                }
                Phase::Waiting if token.child.is_none() => {
                    waits.push(Wait::Event {
                        node: token.node,
                        track: token.id,
                    });
                }
                Phase::AwaitingMerge | Phase::AwaitSync if !joins.contains(&(token.scope, token.node)) => {
                    joins.push((token.scope, token.node));
                }
                _ => {}
            }
        }
        let owed = core.watchers.all().filter(|(_, w)| {
            w.lives()
                && core
                    .scopes
                    .all()
                    .any(|(slot, run)| run.open && run.owed > 0 && w.owner == super::Owner::Scope(ScopeIx(slot)))
        });
        waits.extend(owed.map(|(_, w)| Wait::Arm { node: w.node }));
        let circles = Circles::new(t, core, &joins);
        waits.extend(
            joins
                .iter()
                .map(|&(scope, node)| join_wait(t, core, scope, node, circles.of(scope, node))),
        );
        waits
    }
}

fn join_wait(t: &Template, core: &Core, scope: ScopeIx, node: NodeId, circle: Vec<NodeId>) -> Wait {
    let mut parked: Vec<(u64, TrackId)> = members(core, scope)
        .filter(|token| token.node == node && parked(token))
        .map(|token| (token.parked, token.id))
        .collect();
    parked.sort_unstable();
    let missing = t
        .incoming(node)
        .iter()
        .filter(|&&flow| empty(t, core, scope, flow))
        .map(|&flow| {
            let mut from: Vec<NodeId> = upstream(t, core, scope, node, flow).map(|token| token.node).collect();
            from.sort_unstable();
            from.dedup();
            Missing { flow, from }
        });
    Wait::Join {
        node,
        tracks: parked.into_iter().map(|(_, id)| id).collect(),
        missing: missing.collect(),
        circle,
    }
}

fn parked(token: &Token) -> bool {
    matches!(token.phase, Phase::AwaitSync | Phase::AwaitingMerge)
}

fn members(core: &Core, scope: ScopeIx) -> impl Iterator<Item = &Token> {
    core.tokens
        .all()
        .map(|(_, t)| t)
        .filter(move |t| t.phase != Phase::Dead && t.scope == scope)
}

fn empty(t: &Template, core: &Core, scope: ScopeIx, flow: FlowId) -> bool {
    core.scopes.get(scope.0).queues[t.lanes[flow.ix()].queue as usize].len == 0
}

/// The live tokens that can still reach `flow`, an incoming flow of `join`.
fn upstream<'a>(
    t: &'a Template,
    core: &'a Core,
    scope: ScopeIx,
    join: NodeId,
    flow: FlowId,
) -> impl Iterator<Item = &'a Token> {
    let mut reach = crate::template::Reach::default();
    reach.mark(t, join, std::iter::once(flow), 1);
    members(core, scope).filter(move |token| {
        let here = token.node == join && parked(token);
        let on_it = token.phase == Phase::InTransit && token.flow == flow;
        !here && (on_it || reach.at(token.node) != 0)
    })
}

/// Joins that wait for each other.
struct Circles {
    joins: Vec<(ScopeIx, NodeId)>,
    component: Vec<Vec<usize>>,
}

impl Circles {
    fn new(t: &Template, core: &Core, joins: &[(ScopeIx, NodeId)]) -> Self {
        let mut graph = petgraph::graph::DiGraph::<usize, ()>::new();
        let nodes: Vec<_> = (0..joins.len()).map(|ix| graph.add_node(ix)).collect();
        for (ix, &(scope, node)) in joins.iter().enumerate() {
            for &flow in t.incoming(node).iter().filter(|&&flow| empty(t, core, scope, flow)) {
                for token in upstream(t, core, scope, node, flow).filter(|token| parked(token)) {
                    if let Some(other) = joins.iter().position(|&join| join == (scope, token.node)) {
                        graph.add_edge(nodes[ix], nodes[other], ());
                    }
                }
            }
        }
        let components = petgraph::algo::kosaraju_scc(&graph);
        let component = components
            .into_iter()
            .filter(|c| c.len() > 1)
            .map(|c| c.iter().map(|n| n.index()).collect());
        Self {
            joins: joins.to_vec(),
            component: component.collect(),
        }
    }

    fn of(&self, scope: ScopeIx, node: NodeId) -> Vec<NodeId> {
        let member = |ix: &usize| self.joins[*ix] == (scope, node);
        let found = self.component.iter().find(|component| component.iter().any(member));
        let mut names: Vec<NodeId> = found.into_iter().flatten().map(|&ix| self.joins[ix].1).collect();
        names.sort_unstable();
        names
    }
}
