//! From a model to a template: indices are dealt out scope by scope, then every node kind builds its own room.
//!
//! The compiler checks what it needs to be safe on any model, also an invalid one, and reports what it can't compile.
//! What merely makes no sense is the validator's business.

use std::collections::{BTreeMap, BTreeSet};

use super::{Birth, Codes, EventName, FlowInfo, Names, NodeInfo, ScopeInfo, Span, Template, codes, events, tables};
use crate::expr::Known;
use crate::ids::{FlowId, NodeId, ScopeId};
use crate::model::{Definitions, FlowNode, NodeKind, Process, ScopeRef, SubProcessKind, Trigger};
use crate::node::{self, Build, CodeIndex, Spec, Surroundings};
use crate::problem::{Problem, any_error};

/// Settings of one compilation.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// Timer values that stand in for those of the model, by element id (EVT-7).
    pub timers: BTreeMap<String, String>,
    /// Elements that are external work whatever their kind (BND-11).
    pub external: BTreeSet<String>,
    /// Expressions that need not be compiled again (EVT-6).
    pub known: Known,
}

/// Compiles one process of `definitions`.
///
/// # Errors
///
/// Everything in the process that can't be executed, with places and hints.
pub fn compile(definitions: &Definitions, process: &Process, settings: &Compiled) -> Result<Template, Vec<Problem>> {
    let mut layout = Layout::default();
    layout.deal(definitions, process.body);
    let mut problems = Vec::new();
    let mut template = Template {
        id: process.id.clone(),
        name: process.name.clone(),
        nodes: Vec::with_capacity(layout.nodes.len()),
        kinds: Vec::with_capacity(layout.nodes.len()),
        passes: Vec::new(),
        chances: Vec::new(),
        catches: Vec::new(),
        hot: Vec::new(),
        lanes: Vec::new(),
        flows: Vec::new(),
        scopes: Vec::new(),
        outgoing: Vec::new(),
        incoming: Vec::new(),
        boundaries: Vec::new(),
        jumps: Vec::new(),
        names: Names::new(
            layout.event_names(definitions, settings, &mut problems),
            layout.by_id.clone(),
        ),
        indexes: Vec::new(),
        births: Vec::new(),
        codes: Codes::default(),
        absolute_time: false,
    };
    layout.scopes(&mut template);
    layout.bare_nodes(&mut template);
    layout.flows((definitions, settings), &mut template, &mut problems);
    let links = layout.jumps(&mut template);
    layout.sources(&mut template);
    let around = Surroundings {
        definitions,
        settings,
        codes: &CodeIndex::new(definitions),
        links: &links,
    };
    layout.rooms(&around, &mut template, &mut problems);
    tables::state(&mut template);
    tables::indexes(&mut template);
    tables::passes(&mut template);
    births(&mut template);
    codes::gather(&mut template);
    tables::chances(&mut template);
    let timers = template.kinds.iter().filter_map(|kind| kind.spec());
    template.absolute_time = timers.fold(false, |any, spec| {
        any | matches!(spec, Spec::Timer(timing) if !timing.is_relative())
    });
    if any_error(&problems) {
        Err(problems)
    } else {
        Ok(template)
    }
}

/// The nodes of a process in the order of their indices.
#[derive(Default)]
struct Layout<'m> {
    scopes: Vec<(ScopeRef, Option<ScopeId>, Option<NodeId>)>,
    nodes: Vec<(&'m FlowNode, ScopeId)>,
    by_id: BTreeMap<String, NodeId>,
    bodies: BTreeMap<u32, ScopeId>,
}

impl<'m> Layout<'m> {
    fn deal(&mut self, definitions: &'m Definitions, root: ScopeRef) {
        let mut pending = std::collections::VecDeque::from([(root, None, None)]);
        while let Some((body, parent, host)) = pending.pop_front() {
            let scope = ScopeId::new(self.scopes.len());
            self.scopes.push((body, parent, host));
            self.bodies.insert(body.0, scope);
            for node in &definitions.scope(body).nodes {
                let id = NodeId::new(self.nodes.len());
                self.nodes.push((node, scope));
                self.by_id.entry(node.id.clone()).or_insert(id);
                if let NodeKind::SubProcess { body, .. } = node.kind {
                    pending.push_back((body, Some(scope), Some(id)));
                }
            }
        }
    }

    fn scopes(&self, t: &mut Template) {
        for &(_, parent, host) in &self.scopes {
            let depth = parent.map_or(0, |p| t.scopes[p.ix()].depth + 1);
            t.scopes.push(ScopeInfo {
                parent,
                host,
                handles: host.is_some_and(|h| is_event_sub_process(self.nodes[h.ix()].0)),
                depth,
                ..ScopeInfo::default()
            });
        }
        for (ix, (node, scope)) in self.nodes.iter().enumerate() {
            let instantiates = match &node.kind {
                NodeKind::Start { .. } => true,
                NodeKind::Task { instantiate, .. }
                | NodeKind::Gateway {
                    gateway: crate::model::Gateway::EventBased { instantiate, .. },
                    ..
                } => *instantiate,
                _ => false,
            };
            if !instantiates {
                continue;
            }
            let id = NodeId::new(ix);
            t.scopes[scope.ix()].starts.push(id);
            let scope = &t.scopes[scope.ix()];
            if let (true, Some(parent)) = (scope.handles, scope.parent) {
                t.scopes[parent.ix()].handlers.push(id);
            }
        }
    }

    fn bare_nodes(&self, t: &mut Template) {
        t.nodes.extend(self.nodes.iter().map(|&(node, scope)| NodeInfo {
            id: node.id.clone(),
            name: node.name.clone(),
            at: node.at,
            scope,
            element: node.kind.element(),
            default: FlowId::NONE,
            out: Span::default(),
            inc: Span::default(),
            boundary: Span::default(),
            jumped: Span::default(),
        }));
    }

    fn flows(&self, (definitions, settings): (&Definitions, &Compiled), t: &mut Template, problems: &mut Vec<Problem>) {
        for &(body, ..) in &self.scopes {
            for flow in &definitions.scope(body).flows {
                let ends = (self.by_id.get(&flow.source), self.by_id.get(&flow.target));
                let (Some(&source), Some(&target)) = ends else {
                    if ends.0.is_none() {
                        problems.push(dangling(flow, ("sourceRef", &flow.source)));
                    }
                    if ends.1.is_none() {
                        problems.push(dangling(flow, ("targetRef", &flow.target)));
                    }
                    continue;
                };
                if t.nodes[source.ix()].scope != t.nodes[target.ix()].scope {
                    problems.push(crossing(flow));
                    continue;
                }
                let condition = flow
                    .condition
                    .as_ref()
                    .and_then(|e| events::program((definitions, settings), e, &flow.id, problems));
                t.flows.push(FlowInfo {
                    id: flow.id.clone(),
                    name: flow.name.clone(),
                    at: flow.at,
                    source,
                    target,
                    condition,
                    rank: 0,
                });
            }
        }
        adjacency(t);
        for (ix, (node, _)) in self.nodes.iter().enumerate() {
            let Some(default) = &node.default else { continue };
            let id = NodeId::new(ix);
            if let Some(&flow) = t.outgoing(id).iter().find(|f| t.flow(**f).id == *default) {
                t.nodes[ix].default = flow;
            } else {
                let message = format!("default flow `{default}` is not an outgoing flow of `{}`", node.id);
                let hint = "name one of the element's own outgoing flows, or drop the attribute";
                problems.push(Problem::error("XOR-3", node.at, message).element(&node.id).hint(hint));
            }
        }
    }

    /// The declared messages and signals, and one for every event that names none: it has the id of its node, so that
    /// nothing in the model can reach it and a script can.
    fn event_names(
        &self,
        definitions: &Definitions,
        settings: &Compiled,
        problems: &mut Vec<Problem>,
    ) -> Vec<EventName> {
        let mut names = events::names(definitions, settings, problems);
        for (node, _) in &self.nodes {
            let unnamed = node.kind.events().iter().find_map(|event| match event.trigger {
                Trigger::Message(None) => Some(true),
                Trigger::Signal(None) => Some(false),
                _ => None,
            });
            if let Some(message) = unnamed {
                names.push(EventName {
                    message,
                    id: node.id.clone(),
                    name: node.id.clone(),
                    keys: Vec::new(),
                });
            }
        }
        names
    }

    /// Boundary events by host; jumps by target. Gives the catch that each link throw leads to: the first of its name.
    fn jumps(&self, t: &mut Template) -> BTreeMap<NodeId, NodeId> {
        let mut of_host: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        let mut into: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        let mut links = BTreeMap::new();
        let mut throws: BTreeMap<(ScopeId, &str), Vec<NodeId>> = BTreeMap::new();
        for (ix, (node, scope)) in self.nodes.iter().enumerate() {
            match &node.kind {
                NodeKind::Boundary {
                    attached_to: Some(host),
                    ..
                } => {
                    let Some(&host) = self.by_id.get(host).filter(|h| self.nodes[h.ix()].1 == *scope) else {
                        continue;
                    };
                    of_host.entry(host).or_default().push(NodeId::new(ix));
                    into.entry(NodeId::new(ix)).or_default().push(host);
                }
                NodeKind::Throw { events } => {
                    if let Some(name) = link_name(events) {
                        throws.entry((*scope, name)).or_default().push(NodeId::new(ix));
                    }
                }
                _ => {}
            }
        }
        for (ix, (node, scope)) in self.nodes.iter().enumerate() {
            let NodeKind::Catch { events, .. } = &node.kind else {
                continue;
            };
            let Some(from) = link_name(events).and_then(|name| throws.remove(&(*scope, name))) else {
                continue;
            };
            links.extend(from.iter().map(|&throw| (throw, NodeId::new(ix))));
            into.entry(NodeId::new(ix)).or_default().extend(from);
        }
        for (host, events) in of_host {
            t.nodes[host.ix()].boundary = append(&mut t.boundaries, &events);
        }
        for (target, from) in into {
            t.nodes[target.ix()].jumped = append(&mut t.jumps, &from);
        }
        links
    }

    fn rooms(&self, around: &Surroundings<'_, 'm>, t: &mut Template, problems: &mut Vec<Problem>) {
        for (ix, (node, _)) in self.nodes.iter().enumerate() {
            let body = match node.kind {
                NodeKind::SubProcess { body, .. } => self.bodies.get(&body.0).copied(),
                _ => None,
            };
            let mut build = Build::new(around, t, node, NodeId::new(ix), body, problems);
            let kind = node::build(&mut build);
            t.kinds.push(kind);
        }
    }

    /// Nodes that a token can only be put on: nothing leads to them, and no event, boundary or link brings one.
    fn sources(&self, t: &mut Template) {
        for (ix, (node, scope)) in self.nodes.iter().enumerate() {
            let placed = match &node.kind {
                NodeKind::Start { .. } | NodeKind::Boundary { .. } => true,
                NodeKind::SubProcess { kind, .. } => *kind == SubProcessKind::Event,
                NodeKind::Catch { events, .. } => link_name(events).is_some(),
                NodeKind::Task { for_compensation, .. } | NodeKind::Call { for_compensation, .. } => *for_compensation,
                _ => false,
            };
            if !placed && t.nodes[ix].inc.len() == 0 {
                t.scopes[scope.ix()].sources.push(NodeId::new(ix));
            }
        }
    }
}

fn is_event_sub_process(node: &FlowNode) -> bool {
    matches!(
        node.kind,
        NodeKind::SubProcess {
            kind: SubProcessKind::Event,
            ..
        }
    )
}

fn link_name(events: &[crate::model::EventDefinition]) -> Option<&str> {
    match events {
        [event] => match &event.trigger {
            Trigger::Link(name) => name.as_deref(),
            _ => None,
        },
        _ => None,
    }
}

fn append(list: &mut Vec<NodeId>, items: &[NodeId]) -> Span {
    let from = list.len() as u32;
    list.extend_from_slice(items);
    Span {
        from,
        to: list.len() as u32,
    }
}

/// Sorts flows by source and by target; the order within a node stays that of the document (TRK-7).
fn adjacency(t: &mut Template) {
    let mut by_source: Vec<FlowId> = t.flow_ids().collect();
    let mut by_target = by_source.clone();
    by_source.sort_by_key(|f| t.flows[f.ix()].source);
    by_target.sort_by_key(|f| t.flows[f.ix()].target);
    for (at, &flow) in (0..).zip(&by_source) {
        let out = &mut t.nodes[t.flows[flow.ix()].source.ix()].out;
        *out = Span {
            from: if out.len() == 0 { at } else { out.from },
            to: at + 1,
        };
    }
    for (at, &flow) in (0..).zip(&by_target) {
        let inc = &mut t.nodes[t.flows[flow.ix()].target.ix()].inc;
        *inc = Span {
            from: if inc.len() == 0 { at } else { inc.from },
            to: at + 1,
        };
        t.flows[flow.ix()].rank = at - inc.from;
    }
    t.outgoing = by_source;
    t.incoming = by_target;
}

/// INS-8, EVG-3, EVG-4: each start event, instantiating task and arm of an instantiating gate is one way to begin.
fn births(t: &mut Template) {
    let mut births = Vec::new();
    for &start in &t.scopes[0].starts {
        let out = t.outgoing(start);
        if t.nodes[start.ix()].element == "eventBasedGateway" {
            births.extend(out.iter().map(|&flow| Birth {
                node: Some(start),
                arm: t.flow(flow).target,
            }));
        } else {
            births.push(Birth {
                node: Some(start),
                arm: start,
            });
        }
    }
    if births.is_empty() {
        births.push(Birth {
            node: None,
            arm: NodeId::NONE,
        });
    }
    t.births = births;
}

fn dangling(flow: &crate::model::SequenceFlow, (attribute, name): (&str, &String)) -> Problem {
    let message = format!(
        "sequence flow `{}`: {attribute} `{name}` names no node of this process",
        flow.id
    );
    Problem::error("XML-REF", flow.at, message)
        .element(&flow.id)
        .hint("correct the reference, or remove the flow")
}

fn crossing(flow: &crate::model::SequenceFlow) -> Problem {
    let message = format!("sequence flow `{}` crosses the border of a sub-process", flow.id);
    Problem::error("INS-9", flow.at, message)
        .element(&flow.id)
        .hint("connect nodes of one scope; leave a sub-process through the sub-process itself")
}
