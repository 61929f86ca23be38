//! What an observer has to know of a model, made once: kinds of nodes, what catches what, where boundary events lead.

use std::collections::BTreeMap;

use trackside_engine::model::{
    Definitions, FlowNode, Gateway, NodeKind, SubProcessKind, TaskKind, Trigger as Definition,
};
use trackside_engine::template::{Awaits, Template};
use trackside_engine::{FlowId, NodeId};

use super::Item;
use super::families::Family;
use super::words::{Arm, Join, Mode, Passage, Trigger};

/// What catches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Catcher {
    /// An intermediate catch event or a receive task; the arm of a gate says as which.
    Catch(Option<Arm>),
    Boundary,
    Handler,
}

#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
/// Facts about a node. The default is a node about which there is nothing to know.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeFacts {
    /// The scope it is in.
    pub(super) scope: u32,
    /// What it counts as when a token leaves it: a range of [`Facts::passages`].
    passages: (u32, u32),
    /// What kind of synchronizing join it is.
    pub(super) join: Option<Join>,
    pub(super) catcher: Option<Catcher>,
    pub(super) trigger: Option<Trigger>,
    pub(super) interrupting: bool,
    /// The number of the message or signal that it waits for.
    pub(super) name: u32,
    /// The joins that its way out leads to, a bit for each kind; for boundary events.
    pub(super) leads: u8,
    pub(super) terminates: bool,
    /// A task that would run by itself.
    pub(super) automatic: bool,
    /// A gateway, or a task with conditions, with several ways out.
    pub(super) chooses: bool,
    /// The flows that lead into it, where it is a synchronizing join: a range of [`Facts::entrances`].
    entrances: (u32, u32),
}

impl NodeFacts {
    pub(super) const fn mode(&self) -> Mode {
        if self.interrupting {
            Mode::Interrupting
        } else {
            Mode::Beside
        }
    }
}

/// What an [`Observer`](super::Observer) has to know of a model. One serves all runs of it.
#[derive(Clone, Debug)]
pub struct Facts {
    pub(super) nodes: Vec<NodeFacts>,
    passages: Vec<Item>,
    entrances: Vec<FlowId>,
    /// What a flow counts as when a token takes it.
    pub(super) flows: Vec<Option<Item>>,
    /// For each scope, the scope around it.
    pub(super) parents: Vec<u32>,
    /// For each scope, the messages that event sub-processes of it wait for.
    pub(super) handled: Vec<Vec<u32>>,
    /// Whether an instance can come about in several ways.
    pub(super) alternatives: bool,
    /// The ways in which it comes about at a gate.
    pub(super) gate_starts: Vec<Item>,
}

impl Facts {
    /// The facts about a process of `definitions`, which `template` was compiled from.
    pub fn new(definitions: &Definitions, template: &Template) -> Self {
        let mut facts = Self {
            nodes: vec![NodeFacts::default(); template.node_ids().len()],
            passages: Vec::new(),
            entrances: Vec::new(),
            flows: vec![None; template.flow_ids().len()],
            parents: Vec::new(),
            handled: Vec::new(),
            alternatives: template.births().len() > 1,
            gate_starts: Vec::new(),
        };
        let reader = Reader::new(definitions, template);
        for node in template.node_ids() {
            let scope = template.node(node).scope;
            while facts.parents.len() <= scope.0 as usize {
                let own = trackside_engine::ScopeId(facts.parents.len() as u32);
                facts
                    .parents
                    .push(template.scope(own).parent.map_or(u32::MAX, |parent| parent.0));
                facts.handled.push(Vec::new());
            }
        }
        let mut names = BTreeMap::new();
        for node in template.node_ids() {
            let Some(written) = reader.written[node.ix()] else {
                continue;
            };
            reader.events(&mut facts, node, written, &mut names);
            reader.passages(&mut facts, node, written);
            reader.others(&mut facts, node, written);
        }
        facts
    }

    #[inline]
    pub(super) fn node(&self, node: NodeId) -> &NodeFacts {
        &self.nodes[node.ix()]
    }

    /// The flows into a synchronizing join.
    pub(super) fn into(&self, node: NodeId) -> &[FlowId] {
        let (from, to) = self.node(node).entrances;
        &self.entrances[from as usize..to as usize]
    }

    #[inline]
    pub(super) fn passages(&self, node: &NodeFacts) -> &[Item] {
        &self.passages[node.passages.0 as usize..node.passages.1 as usize]
    }
}

/// The model beside its template.
struct Reader<'m> {
    template: &'m Template,
    /// The nodes as written.
    written: Vec<Option<&'m FlowNode>>,
    /// The flows that have a condition.
    conditional: Vec<bool>,
    /// The catches of links, by name.
    links: BTreeMap<&'m str, NodeId>,
}

impl<'m> Reader<'m> {
    fn new(definitions: &'m Definitions, template: &'m Template) -> Self {
        let mut written = vec![None; template.node_ids().len()];
        let mut links = BTreeMap::new();
        let mut conditions = BTreeMap::new();
        for scope in &definitions.scopes {
            for node in &scope.nodes {
                let Some(id) = template.find(&node.id) else { continue };
                written[id.ix()] = Some(node);
                if let (NodeKind::Catch { .. }, Some(Definition::Link(Some(name)))) =
                    (&node.kind, node.kind.events().first().map(|event| &event.trigger))
                {
                    links.insert(name.as_str(), id);
                }
            }
            conditions.extend(
                scope
                    .flows
                    .iter()
                    .map(|flow| (flow.id.as_str(), flow.condition.is_some())),
            );
        }
        let has_condition = |id: &str| conditions.get(id).copied().unwrap_or(false);
        let conditional = template.flow_ids().map(|flow| has_condition(&template.flow(flow).id));
        Self {
            template,
            written,
            conditional: conditional.collect(),
            links,
        }
    }

    /// What the node waits for, and as what.
    fn events(&self, facts: &mut Facts, id: NodeId, node: &FlowNode, names: &mut BTreeMap<(bool, String), u32>) {
        let mut number = |message: bool, name: &str| {
            let next = names.len() as u32;
            *names.entry((message, name.to_owned())).or_insert(next)
        };
        let (trigger, name) = match self.template.awaits(id) {
            Some(Awaits::Message(event)) => (Trigger::Message, number(true, &event.name)),
            Some(Awaits::Signal(event)) => (Trigger::Signal, number(false, &event.name)),
            Some(Awaits::Timer) => (Trigger::Timer, 0),
            Some(Awaits::Condition) => (Trigger::Conditional, 0),
            Some(Awaits::Error(_)) => (Trigger::Error, 0),
            Some(Awaits::Escalation(_)) => (Trigger::Escalation, 0),
            None => return,
        };
        let scope = self.template.node(id).scope;
        let (catcher, interrupting) = match &node.kind {
            NodeKind::Boundary { interrupting, .. } => (Catcher::Boundary, *interrupting),
            NodeKind::Start { interrupting, .. } if self.is_handler(id) => {
                let around = facts.parents[scope.0 as usize];
                if trigger == Trigger::Message {
                    facts.handled[around as usize].push(name);
                }
                (Catcher::Handler, *interrupting)
            }
            NodeKind::Start { .. } => return,
            _ => (Catcher::Catch(self.arm(id, node, trigger)), false),
        };
        let facts = &mut facts.nodes[id.ix()];
        facts.catcher = Some(catcher);
        (facts.trigger, facts.name) = (Some(trigger), name);
        facts.interrupting = interrupting || trigger == Trigger::Error;
    }

    fn is_handler(&self, start: NodeId) -> bool {
        let host = self.template.scope(self.template.node(start).scope).host;
        let host = host.and_then(|host| self.written[host.ix()]);
        host.is_some_and(|host| {
            matches!(
                host.kind,
                NodeKind::SubProcess {
                    kind: SubProcessKind::Event,
                    ..
                }
            )
        })
    }

    /// As what a catching node is the arm of a gate.
    fn arm(&self, id: NodeId, node: &FlowNode, trigger: Trigger) -> Option<Arm> {
        let from = |&flow: &_| self.written[self.template.flow(flow).source.ix()];
        let gate = self.template.incoming(id).iter().filter_map(from).any(|source| {
            matches!(
                &source.kind,
                NodeKind::Gateway {
                    gateway: Gateway::EventBased { .. },
                    ..
                }
            )
        });
        gate.then_some(match trigger {
            Trigger::Message if matches!(node.kind, NodeKind::Task { .. }) => Arm::Receive,
            Trigger::Message => Arm::Message,
            Trigger::Signal => Arm::Signal,
            Trigger::Timer => Arm::Timer,
            Trigger::Conditional | Trigger::Error | Trigger::Escalation => Arm::Conditional,
        })
    }

    /// As what a node counts when a token leaves it.
    fn passages(&self, facts: &mut Facts, id: NodeId, node: &FlowNode) {
        let passages = match &node.kind {
            NodeKind::Gateway { gateway, .. } => self.roles(id, gateway),
            _ => self.implicit(id, node),
        };
        let from = facts.passages.len() as u32;
        facts
            .passages
            .extend(passages.iter().map(|passage| Family::Passed.one(passage.ix())));
        facts.nodes[id.ix()].passages = (from, facts.passages.len() as u32);
        self.ways_out(facts, id, node);
    }

    /// The roles of a gateway.
    fn roles(&self, id: NodeId, gateway: &Gateway) -> Vec<Passage> {
        let (into, out) = (
            self.template.incoming(id).len() > 1,
            self.template.outgoing(id).len() > 1,
        );
        let role = |split, join, mixed| match (into, out) {
            (true, true) => Some(mixed),
            (true, false) => Some(join),
            (false, true) => Some(split),
            (false, false) => None,
        };
        let only = match gateway {
            Gateway::Parallel => role(Passage::AndSplit, Passage::AndJoin, Passage::AndMixed),
            Gateway::Exclusive => role(Passage::XorSplit, Passage::XorJoin, Passage::XorMixed),
            Gateway::Inclusive => role(Passage::OrSplit, Passage::OrJoin, Passage::OrMixed),
            Gateway::Complex { .. } => role(Passage::ComplexSplit, Passage::ComplexJoin, Passage::ComplexMixed),
            Gateway::EventBased { instantiate, parallel } => instantiate.then_some(if *parallel {
                Passage::GateStartParallel
            } else {
                Passage::GateStart
            }),
        };
        let mut roles: Vec<Passage> = only.into_iter().collect();
        if let (true, Gateway::Complex { activations, .. }) = (into, gateway) {
            let required = activations.iter().any(|activation| !activation.required.is_empty());
            let guarded = activations.iter().any(|activation| activation.condition.is_some());
            roles.push(Passage::ComplexCount);
            roles.extend(required.then_some(Passage::ComplexRequired));
            roles.extend(guarded.then_some(Passage::ComplexGuard));
            roles.extend((activations.len() > 1).then_some(Passage::ComplexSeveral));
        }
        roles
    }

    /// Splits, merges and ends without a gateway or an end event.
    fn implicit(&self, id: NodeId, node: &FlowNode) -> Vec<Passage> {
        let (into, out) = (self.template.incoming(id), self.template.outgoing(id));
        let some = out.iter().any(|flow| self.conditional[flow.ix()]);
        let throws_link = matches!(node.kind, NodeKind::Throw { .. }) && self.link_of(node).is_some();
        let open = out.is_empty() && !matches!(node.kind, NodeKind::End { .. }) && !throws_link;
        let passages = [
            (Passage::Merge, into.len() > 1),
            (Passage::SplitSome, out.len() > 1 && some),
            (Passage::SplitAll, out.len() > 1 && !some),
            (Passage::End, open),
        ];
        passages
            .into_iter()
            .filter(|(_, is)| *is)
            .map(|(passage, _)| passage)
            .collect()
    }

    /// As what the flows out of a node count.
    fn ways_out(&self, facts: &mut Facts, id: NodeId, node: &FlowNode) {
        let out = self.template.outgoing(id);
        let some = out.iter().any(|flow| self.conditional[flow.ix()]);
        let (default, bare) = match &node.kind {
            NodeKind::Gateway { gateway, .. } => match gateway {
                Gateway::Exclusive => (Passage::XorDefault, Some(Passage::XorBare)),
                Gateway::Inclusive => (Passage::OrDefault, Some(Passage::OrBare)),
                Gateway::Complex { .. } => (Passage::ComplexDefault, Some(Passage::ComplexBare)),
                Gateway::Parallel | Gateway::EventBased { .. } => return,
            },
            _ => (Passage::SplitDefault, None),
        };
        facts.nodes[id.ix()].chooses = out.len() > 1 && (bare.is_some() || some);
        for &flow in out {
            let is_default = node.default.as_deref() == Some(&*self.template.flow(flow).id);
            let bare = bare.filter(|_| some && !self.conditional[flow.ix()]);
            let passage = if is_default { Some(default) } else { bare };
            facts.flows[flow.ix()] = passage.map(|passage| Family::Passed.one(passage.ix()));
        }
    }

    fn others(&self, facts: &mut Facts, id: NodeId, node: &FlowNode) {
        let leads = match node.kind {
            NodeKind::Boundary { .. } => self.leads(id),
            _ => 0,
        };
        let hosts = !self.template.boundary_events(id).is_empty();
        let own = &mut facts.nodes[id.ix()];
        own.scope = self.template.node(id).scope.0;
        own.join = self.join(id);
        if own.join.is_some() {
            let from = facts.entrances.len() as u32;
            facts.entrances.extend_from_slice(self.template.incoming(id));
            own.entrances = (from, facts.entrances.len() as u32);
        }
        own.leads = leads;
        own.terminates = matches!(node.kind.events(), [only] if matches!(only.trigger, Definition::Terminate));
        own.automatic = hosts
            && matches!(
                node.kind,
                NodeKind::Task {
                    task: TaskKind::Abstract | TaskKind::Manual | TaskKind::Script | TaskKind::Send,
                    ..
                }
            );
        if let NodeKind::Gateway {
            gateway: Gateway::EventBased { instantiate: true, .. },
            ..
        } = node.kind
        {
            let own = *facts.node(id);
            let starts: Vec<Item> = facts.passages(&own).into();
            facts.gate_starts.extend(starts);
        }
    }

    fn join(&self, id: NodeId) -> Option<Join> {
        let NodeKind::Gateway { gateway, .. } = &self.written[id.ix()]?.kind else {
            return None;
        };
        let join = match gateway {
            Gateway::Parallel => Join::And,
            Gateway::Inclusive => Join::Or,
            Gateway::Complex { .. } => Join::Complex,
            Gateway::Exclusive | Gateway::EventBased { .. } => return None,
        };
        (self.template.incoming(id).len() > 1).then_some(join)
    }

    fn link_of(&self, node: &FlowNode) -> Option<NodeId> {
        match node.kind.events().first().map(|event| &event.trigger) {
            Some(Definition::Link(Some(name))) => self.links.get(name.as_str()).copied(),
            _ => None,
        }
    }

    /// The kinds of joins that can be reached from a node, by flows and links; each node is looked at once.
    fn leads(&self, from: NodeId) -> u8 {
        let mut seen = vec![false; self.written.len()];
        let (mut pending, mut found) = (vec![from], 0);
        while let Some(at) = pending.pop() {
            if std::mem::replace(&mut seen[at.ix()], true) {
                continue;
            }
            if let Some(join) = self.join(at) {
                found |= 1 << join.ix();
            }
            let targets = self.template.outgoing(at).iter();
            pending.extend(targets.map(|&flow| self.template.flow(flow).target));
            let throw = self.written[at.ix()].filter(|node| matches!(node.kind, NodeKind::Throw { .. }));
            pending.extend(throw.and_then(|node| self.link_of(node)));
        }
        found
    }
}
