//! A file by its connections: who leads to whom, who is attached to whom, what a reference stands for.
//!
//! Made once per validation, so that no rule has to search. A sequence flow counts as a connection where both its ends
//! are nodes of one scope, as for the compiler; one that is broken is only noted at the end that it has, so that one
//! fault does not look like several.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use crate::ids::index;
use crate::model::{
    Declaration, Definitions, FlowNode, NodeKind, Process, ScopeRef, SequenceFlow, SubProcessKind, Trigger,
};
use crate::node::{CodeIndex, Coded, code};
use crate::problem::Problem;

index! {
    /// A flow node of a file.
    NodeIx
}
index! {
    /// A process or sub-process body of a file, outer before inner.
    ScopeIx
}

/// The index of one file.
pub(super) struct Index<'m> {
    pub(super) definitions: &'m Definitions,
    nodes: Vec<Spot<'m>>,
    scopes: Vec<Area<'m>>,
    messages: Called<'m>,
    signals: Called<'m>,
    codes: CodeIndex<'m>,
}

/// A flow node among its neighbours.
pub(super) struct Spot<'m> {
    pub(super) node: &'m FlowNode,
    pub(super) scope: ScopeIx,
    /// The flows that enter it, in document order.
    pub(super) incoming: Vec<Line<'m>>,
    /// The flows that leave it, in document order.
    pub(super) outgoing: Vec<Line<'m>>,
    /// The boundary events that are attached to it.
    pub(super) boundaries: Vec<NodeIx>,
    /// What it is attached to, for a boundary event.
    pub(super) host: Option<NodeIx>,
    /// Its body, for a sub-process.
    pub(super) body: Option<ScopeIx>,
    /// A flow enters it that comes from nowhere.
    pub(super) broken_in: bool,
    /// A flow leaves it that leads nowhere.
    pub(super) broken_out: bool,
}

/// A sequence flow, seen from one of its ends.
#[derive(Clone, Copy)]
pub(super) struct Line<'m> {
    pub(super) flow: &'m SequenceFlow,
    /// The node at the other end.
    pub(super) other: NodeIx,
}

/// A body.
pub(super) struct Area<'m> {
    pub(super) process: &'m Process,
    pub(super) body: ScopeRef,
    pub(super) parent: Option<ScopeIx>,
    /// The sub-process whose body it is; none for a process.
    pub(super) host: Option<NodeIx>,
    /// Its nodes.
    nodes: Range<u32>,
}

/// What an event handler reacts to, where two of them can be in each other's way (BND-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Handled<'m> {
    Message(&'m str),
    Signal(&'m str),
    /// The code; every error without one.
    Error(Option<&'m str>),
    /// The code; every escalation without one.
    Escalation(Option<&'m str>),
}

/// Messages or signals: by id, else by name.
struct Called<'m> {
    by_id: BTreeMap<&'m str, &'m Declaration>,
    by_name: BTreeMap<&'m str, &'m Declaration>,
}

impl<'m> Called<'m> {
    fn new(list: &'m [Declaration]) -> Self {
        let mut called = Self {
            by_id: BTreeMap::new(),
            by_name: BTreeMap::new(),
        };
        for declared in list {
            called.by_id.entry(&declared.id).or_insert(declared);
            if let Some(name) = &declared.name {
                called.by_name.entry(name).or_insert(declared);
            }
        }
        called
    }

    fn find(&self, reference: &str) -> Option<&'m str> {
        let found = self.by_id.get(reference).or_else(|| self.by_name.get(reference));
        found.map(|declared| &*declared.id)
    }
}

impl<'m> Index<'m> {
    /// The index of `definitions`, or a problem where its scopes are no tree: then nothing can be said about it.
    pub(super) fn new(definitions: &'m Definitions) -> Result<Self, Box<Problem>> {
        let mut index = Self {
            definitions,
            nodes: Vec::new(),
            scopes: Vec::new(),
            messages: Called::new(&definitions.messages),
            signals: Called::new(&definitions.signals),
            codes: CodeIndex::new(definitions),
        };
        let mut taken = vec![false; definitions.scopes.len()];
        for process in &definitions.processes {
            let first = index.scopes.len();
            index.deal(process, &mut taken)?;
            index.connect(first);
        }
        Ok(index)
    }

    /// Deals out the nodes of a process, scope by scope.
    fn deal(&mut self, process: &'m Process, taken: &mut [bool]) -> Result<(), Box<Problem>> {
        let mut pending = VecDeque::from([(process.body, None, None)]);
        while let Some((body, parent, host)) = pending.pop_front() {
            match taken.get_mut(body.0 as usize) {
                Some(taken) if !*taken => *taken = true,
                _ => return Err(Box::new(self.no_tree(process, host))),
            }
            let scope = ScopeIx::new(self.scopes.len());
            if let Some(host) = host {
                self.nodes[NodeIx::ix(host)].body = Some(scope);
            }
            let from = self.nodes.len() as u32;
            for node in &self.definitions.scope(body).nodes {
                let ix = NodeIx::new(self.nodes.len());
                self.nodes.push(Spot::new(node, scope));
                if let NodeKind::SubProcess { body, .. } = node.kind {
                    pending.push_back((body, Some(scope), Some(ix)));
                }
            }
            let nodes = from..self.nodes.len() as u32;
            self.scopes.push(Area {
                process,
                body,
                parent,
                host,
                nodes,
            });
        }
        Ok(())
    }

    fn no_tree(&self, process: &Process, host: Option<NodeIx>) -> Problem {
        let (at, id) = host.map_or((process.at, &process.id), |host| {
            (self.node(host).at, &self.node(host).id)
        });
        let message = format!("the body of `{id}` does not exist, or is the body of another element too");
        Problem::error("MODEL", at, message)
            .element(id)
            .hint("give every process and sub-process a scope of its own")
    }

    /// Connects the nodes of the process whose scopes start at `first`.
    fn connect(&mut self, first: usize) {
        let mut by_id: BTreeMap<&'m str, NodeIx> = BTreeMap::new();
        let scopes = (first..self.scopes.len()).map(ScopeIx::new);
        for ix in scopes.clone().flat_map(|scope| self.scopes[scope.ix()].nodes.clone()) {
            let spot = &mut self.nodes[ix as usize];
            let first = *by_id.entry(&spot.node.id).or_insert(NodeIx(ix));
            // XML-ID: flows find the other node of this id, whatever they meant.
            spot.broken_in = first != NodeIx(ix);
            spot.broken_out = spot.broken_in;
        }
        for scope in scopes {
            for flow in &self.definitions.scope(self.scopes[scope.ix()].body).flows {
                self.connect_flow(
                    flow,
                    by_id.get(&*flow.source).copied(),
                    by_id.get(&*flow.target).copied(),
                );
            }
            for ix in self.nodes_of(scope) {
                let NodeKind::Boundary { attached_to, .. } = &self.node(ix).kind else {
                    continue;
                };
                let host = attached_to.as_deref().and_then(|host| by_id.get(host).copied());
                if let Some(host) = host.filter(|&host| self.spot(host).scope == scope) {
                    self.nodes[ix.ix()].host = Some(host);
                    self.nodes[host.ix()].boundaries.push(ix);
                }
            }
        }
    }

    fn connect_flow(&mut self, flow: &'m SequenceFlow, source: Option<NodeIx>, target: Option<NodeIx>) {
        match (source, target) {
            (Some(source), Some(target)) if self.spot(source).scope == self.spot(target).scope => {
                self.nodes[source.ix()].outgoing.push(Line { flow, other: target });
                self.nodes[target.ix()].incoming.push(Line { flow, other: source });
            }
            _ => {
                if let Some(source) = source {
                    self.nodes[source.ix()].broken_out = true;
                }
                if let Some(target) = target {
                    self.nodes[target.ix()].broken_in = true;
                }
            }
        }
    }

    pub(super) fn spot(&self, node: NodeIx) -> &Spot<'m> {
        &self.nodes[node.ix()]
    }

    pub(super) fn node(&self, node: NodeIx) -> &'m FlowNode {
        self.nodes[node.ix()].node
    }

    /// All nodes of the file.
    pub(super) fn spots(&self) -> impl Iterator<Item = (NodeIx, &Spot<'m>)> {
        (0..).map(NodeIx).zip(&self.nodes)
    }

    pub(super) fn area(&self, scope: ScopeIx) -> &Area<'m> {
        &self.scopes[scope.ix()]
    }

    /// All bodies of the file, outer before inner.
    pub(super) fn scopes(&self) -> impl DoubleEndedIterator<Item = ScopeIx> + ExactSizeIterator + use<> {
        (0..self.scopes.len() as u32).map(ScopeIx)
    }

    pub(super) fn nodes_of(&self, scope: ScopeIx) -> impl Iterator<Item = NodeIx> + use<> {
        self.scopes[scope.ix()].nodes.clone().map(NodeIx)
    }

    /// Which kind of sub-process has this body; none for a process.
    pub(super) fn kind_of(&self, scope: ScopeIx) -> Option<SubProcessKind> {
        match self.node(self.area(scope).host?).kind {
            NodeKind::SubProcess { kind, .. } => Some(kind),
            _ => None,
        }
    }

    /// The id of the message that `reference` stands for.
    pub(super) fn message(&self, reference: &str) -> Option<&'m str> {
        self.messages.find(reference)
    }

    /// What a handler with this trigger reacts to; none where that can't be in another's way, or is not declared.
    pub(super) fn handled(&self, trigger: &Trigger) -> Option<Handled<'m>> {
        let coded = |what, reference: &Option<String>| match reference {
            None => Some(None),
            Some(reference) => Some(Some(code(self.codes.find(what, reference)?))),
        };
        match trigger {
            Trigger::Message(reference) => self.messages.find(reference.as_deref()?).map(Handled::Message),
            Trigger::Signal(reference) => self.signals.find(reference.as_deref()?).map(Handled::Signal),
            Trigger::Error(reference) => coded(Coded::Error, reference).map(Handled::Error),
            Trigger::Escalation(reference) => coded(Coded::Escalation, reference).map(Handled::Escalation),
            _ => None,
        }
    }
}

impl<'m> Spot<'m> {
    fn new(node: &'m FlowNode, scope: ScopeIx) -> Self {
        Self {
            node,
            scope,
            incoming: Vec::new(),
            outgoing: Vec::new(),
            boundaries: Vec::new(),
            host: None,
            body: None,
            broken_in: false,
            broken_out: false,
        }
    }

    /// Whether instances, or runs of its scope, can begin here: start events, instantiating gates and tasks.
    pub(super) fn begins(&self) -> bool {
        matches!(self.node.kind, NodeKind::Start { .. }) || self.instantiates()
    }

    /// Whether it is a gate or task that creates instances.
    pub(super) fn instantiates(&self) -> bool {
        use crate::model::Gateway;
        match &self.node.kind {
            NodeKind::Task { instantiate, .. }
            | NodeKind::Gateway {
                gateway: Gateway::EventBased { instantiate, .. },
                ..
            } => *instantiate,
            _ => false,
        }
    }

    /// Whether it is an event sub-process.
    pub(super) fn handles(&self) -> bool {
        matches!(
            self.node.kind,
            NodeKind::SubProcess {
                kind: SubProcessKind::Event,
                ..
            }
        )
    }

    /// The name of the link that it throws to or catches.
    pub(super) fn link(&self) -> Option<&'m str> {
        match &self.node.kind {
            NodeKind::Throw { events } | NodeKind::Catch { events, .. } => match events.as_slice() {
                [event] => match &event.trigger {
                    Trigger::Link(name) => name.as_deref(),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }
}
