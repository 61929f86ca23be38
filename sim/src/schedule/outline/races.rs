//! Which actions race: those whose order can matter, because they share a join, a host, a gate, an event or a scope.
//!
//! Everything that is shared is a *group* with a number. An action belongs to a few of them, which follow from its node
//! alone, so that looking them up is constant time. Being in one scope is no race; ending the scope races with all in it.

use std::collections::BTreeMap;

use trackside_engine::NodeId;
use trackside_engine::template::{Awaits, Effect, Shared, Template};
use trackside_engine::world::{Class, Pending};

/// Joins that are further away than this many nodes are not looked for.
const SEARCH_MAX: usize = 64;

/// The group of nobody.
pub(crate) const NOBODY: u32 = 0;

/// The groups of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Groups {
    /// The join, host or gate it is at; the event it takes or throws; the join that its move helps to decide.
    pub(crate) shared: [u32; 3],
    /// The scope it is in.
    pub(crate) scope: u32,
    /// The scope that it ends; [`NOBODY`] for most.
    pub(crate) ends: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    own: u32,
    event: u32,
    ahead: u32,
    scope: u32,
    /// What executing the node ends.
    step_ends: u32,
    /// What its subscription ends.
    fire_ends: u32,
}

/// The races of all templates of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Races {
    /// By template, by node.
    places: Vec<Vec<Place>>,
    /// How many groups there are; scopes come first, after [`NOBODY`].
    pub(crate) groups: usize,
    /// The scope around each scope, by group.
    around: Vec<u32>,
}

impl Races {
    pub(crate) fn of(templates: &[Shared]) -> Self {
        let mut races = Self {
            groups: 1,
            around: vec![NOBODY],
            ..Self::default()
        };
        let firsts: Vec<u32> = templates.iter().map(|template| races.scopes(template)).collect();
        // What is thrown in one process is caught in another by its name.
        let mut events = BTreeMap::new();
        for (template, first) in templates.iter().zip(firsts) {
            races.template(template, first, &mut events);
        }
        races
    }

    /// Numbers the scopes of a template; gives the first.
    fn scopes(&mut self, template: &Template) -> u32 {
        let first = self.groups as u32;
        let count = template.node_ids().map(|node| template.node(node).scope.0 + 1).max();
        for scope in 0..count.unwrap_or(0) {
            let parent = template.scope(trackside_engine::ScopeId(scope)).parent;
            self.around.push(parent.map_or(NOBODY, |parent| first + parent.0));
            self.groups += 1;
        }
        first
    }

    fn fresh(&mut self) -> u32 {
        self.groups += 1;
        self.groups as u32 - 1
    }

    fn template(&mut self, template: &Template, first_scope: u32, events: &mut BTreeMap<(bool, String), u32>) {
        let hosts = Hosts::of(template);
        let mut places: Vec<Place> = Vec::with_capacity(template.node_ids().len());
        for node in template.node_ids() {
            let place = Place {
                own: self.fresh(),
                scope: first_scope + template.node(node).scope.0,
                ..Place::default()
            };
            places.push(place);
        }
        for node in template.node_ids() {
            let mut event_of = |event: Option<(bool, &str)>| {
                let Some((message, name)) = event else { return NOBODY };
                *events.entry((message, name.to_owned())).or_insert_with(|| self.fresh())
            };
            let role = template.role(node);
            let caught = match template.awaits(node) {
                Some(Awaits::Message(event) | Awaits::Signal(event)) => Some((event.message, event.name.as_str())),
                _ => None,
            };
            let thrown = match role.effect {
                Effect::Throws(event) => {
                    let event = template.names().event(event);
                    Some((event.message, event.name.as_str()))
                }
                _ => None,
            };
            let scope = places[node.ix()].scope;
            let ahead = decides(template, node).map_or(NOBODY, |join| places[join.ix()].own);
            let ended = hosts.ended(template, node).filter(|_| role.interrupts);
            let fire_ends = ended.map_or(NOBODY, |ended| first_scope + ended);
            let place = &mut places[node.ix()];
            place.event = event_of(caught.or(thrown));
            place.ahead = ahead;
            place.fire_ends = fire_ends;
            place.step_ends = match role.effect {
                Effect::Terminates | Effect::Raises => scope,
                Effect::None | Effect::Throws(_) => NOBODY,
            };
        }
        self.places.push(places);
    }

    /// The groups of an action.
    #[inline]
    pub(crate) fn groups_of(&self, pending: &Pending) -> Groups {
        let all = self.places.get(pending.template as usize);
        let place = |node: NodeId| all.and_then(|all| all.get(node.ix())).copied().unwrap_or_default();
        let at = place(pending.at);
        let node = if pending.node == pending.at {
            at
        } else {
            place(pending.node)
        };
        let class = pending.action.class();
        let arrives = class == Class::Arrival;
        Groups {
            shared: [
                at.own,
                if arrives { NOBODY } else { node.event },
                if arrives { NOBODY } else { at.ahead },
            ],
            scope: at.scope,
            ends: match class {
                Class::Step => node.step_ends,
                Class::Firing => node.fire_ends,
                _ => NOBODY,
            },
        }
    }

    /// The scope around a scope.
    #[inline]
    pub(crate) fn around(&self, scope: u32) -> u32 {
        self.around[scope as usize]
    }

    /// The scopes, as groups.
    pub(crate) fn scope_groups(&self) -> std::ops::Range<u32> {
        1..self.around.len() as u32
    }
}

/// For each boundary event its host, and for each host the scope it opens.
struct Hosts {
    host: Vec<Option<NodeId>>,
    body: Vec<Option<u32>>,
}

impl Hosts {
    fn of(template: &Template) -> Self {
        let nodes = template.node_ids().len();
        let (mut host, mut body) = (vec![None; nodes], vec![None; nodes]);
        for node in template.node_ids() {
            for boundary in template.boundary_events(node) {
                host[boundary.ix()] = Some(node);
            }
            let scope = template.node(node).scope;
            if let Some(of) = template.scope(scope).host {
                body[of.ix()] = Some(scope.0);
            }
        }
        Self { host, body }
    }

    /// The scope that an interrupting subscription of `node` ends: the body of its host, where that is a scope; for an
    /// event sub-process, the scope around it.
    fn ended(&self, template: &Template, node: NodeId) -> Option<u32> {
        match self.host[node.ix()] {
            Some(host) => self.body[host.ix()],
            None => template.scope(template.node(node).scope).parent.map(|scope| scope.0),
        }
    }
}

/// The join that a token at `node` can turn away from, or die on its way to: the nearest that looks ahead, from a node
/// where that can happen.
fn decides(template: &Template, node: NodeId) -> Option<NodeId> {
    let branches = template.outgoing(node).len() > 1 || !template.boundary_events(node).is_empty();
    if !branches {
        return None;
    }
    let mut seen = std::collections::BTreeSet::from([node]);
    let mut queue = std::collections::VecDeque::from([node]);
    while let Some(at) = queue.pop_front() {
        let next = template.outgoing(at).iter().map(|&flow| template.flow(flow).target);
        for target in next.chain(template.boundary_events(at).iter().copied()) {
            if template.role(target).looks_ahead {
                return Some(target);
            }
            if seen.len() < SEARCH_MAX && seen.insert(target) {
                queue.push_back(target);
            }
        }
    }
    None
}
