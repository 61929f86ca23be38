//! The model as it grows: nodes by name, flows, ids, and what is only known at the end.

use std::collections::BTreeMap;

use super::kind::{kind, letters};
use super::trigger::declares;
use super::{NotationError, NotationErrorKind};
use crate::model::{
    Declaration, Definitions, EventDefinition, Expression, FlowNode, NodeKind, Position, Process, Scope, ScopeRef,
    SequenceFlow,
};

/// A node, by its place in the builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeIndex(usize);

/// What has an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Node(NodeIndex),
    Flow,
    Message,
    Signal,
    Error,
    Escalation,
}

impl Owner {
    fn described(self) -> &'static str {
        match self {
            Owner::Node(_) => "a node",
            Owner::Flow => "a flow",
            Owner::Message => "a message",
            Owner::Signal => "a signal",
            Owner::Error => "an error",
            Owner::Escalation => "an escalation",
        }
    }
}

/// A node as far as the text has said.
struct Node {
    name: String,
    at: Position,
    scope: ScopeRef,
    /// What it was declared to be; the letters of its name decide at the end if nothing did.
    kind: Option<NodeKind>,
    has_default: bool,
}

/// A flow as far as the text has said.
pub(super) struct Flow {
    pub(super) id: Option<String>,
    pub(super) at: Position,
    pub(super) source: NodeIndex,
    pub(super) target: NodeIndex,
    pub(super) condition: Option<Expression>,
    pub(super) is_default: bool,
}

/// A model in the making.
#[derive(Default)]
pub(super) struct Builder {
    definitions: Definitions,
    /// Of each scope: whether a start event in it interrupts.
    interrupting: Vec<bool>,
    nodes: Vec<Node>,
    flows: Vec<Flow>,
    ids: BTreeMap<String, Owner>,
    /// The last number that made an id of this text unique.
    counters: BTreeMap<String, u32>,
}

impl Builder {
    /// Opens a scope; start events in it will be `interrupting` or not.
    pub(super) fn open(&mut self, parent: Option<ScopeRef>, interrupting: bool) -> ScopeRef {
        let scope = ScopeRef(self.definitions.scopes.len() as u32);
        self.interrupting.push(interrupting);
        let scope_body = Scope {
            parent,
            ..Scope::default()
        };
        self.definitions.scopes.push(scope_body);
        scope
    }

    /// The node of this name, new if this is its first mention.
    pub(super) fn node(&mut self, scope: ScopeRef, name: &str, at: Position) -> Result<NodeIndex, NotationError> {
        match self.ids.get(name) {
            Some(&Owner::Node(node)) if self.nodes[node.0].scope == scope => Ok(node),
            Some(Owner::Node(_)) => Err(NotationErrorKind::OtherScope(name.into()).at(at)),
            Some(owner) => Err(taken(name, *owner, at)),
            None => {
                let node = NodeIndex(self.nodes.len());
                self.ids.insert(name.into(), Owner::Node(node));
                self.nodes.push(Node {
                    name: name.into(),
                    at,
                    scope,
                    kind: None,
                    has_default: false,
                });
                Ok(node)
            }
        }
    }

    pub(super) fn name(&self, node: NodeIndex) -> &str {
        &self.nodes[node.0].name
    }

    /// What `node` was declared to be, so far.
    pub(super) fn declared(&self, node: NodeIndex) -> Option<&NodeKind> {
        self.nodes[node.0].kind.as_ref()
    }

    /// Declares what `node` is.
    pub(super) fn declare(&mut self, node: NodeIndex, kind: NodeKind, at: Position) -> Result<(), NotationError> {
        match &kind {
            NodeKind::Start { events, .. }
            | NodeKind::Catch { events, .. }
            | NodeKind::Boundary { events, .. }
            | NodeKind::Throw { events }
            | NodeKind::End { events } => self.declare_triggers(events)?,
            NodeKind::Task {
                message: Some(message), ..
            } => self.declare_word(Owner::Message, message, at)?,
            _ => {}
        }
        let node = &mut self.nodes[node.0];
        if node.kind.replace(kind).is_some() {
            return Err(NotationErrorKind::DeclaredTwice(node.name.clone()).at(at));
        }
        Ok(())
    }

    fn declare_triggers(&mut self, events: &[EventDefinition]) -> Result<(), NotationError> {
        for event in events {
            if let Some((owner, word)) = declares(&event.trigger) {
                self.declare_word(owner, word, event.at)?;
            }
        }
        Ok(())
    }

    fn declare_word(&mut self, owner: Owner, word: &str, at: Position) -> Result<(), NotationError> {
        if self.ids.get(word) == Some(&owner) {
            return Ok(());
        }
        self.claim(word, owner, at)?;
        let (list, has_code) = match owner {
            Owner::Signal => (&mut self.definitions.signals, false),
            Owner::Error => (&mut self.definitions.errors, true),
            Owner::Escalation => (&mut self.definitions.escalations, true),
            _ => (&mut self.definitions.messages, false),
        };
        list.push(Declaration {
            id: word.into(),
            name: Some(word.into()),
            code: has_code.then(|| word.into()),
            at,
        });
        Ok(())
    }

    /// The name for a boundary event that its author did not name.
    pub(super) fn boundary_name(&mut self, host: NodeIndex, word: &str) -> String {
        let base = format!("{}_{word}", self.name(host));
        let scope = self.nodes[host.0].scope;
        if let Some(Owner::Node(node)) = self.ids.get(&base) {
            let node = &self.nodes[node.0];
            if node.scope == scope && node.kind.is_none() {
                return base;
            }
        }
        self.fresh(base)
    }

    pub(super) fn flow(&mut self, flow: Flow) -> Result<(), NotationError> {
        if let Some(id) = &flow.id {
            self.claim(id, Owner::Flow, flow.at)?;
        }
        let source = &mut self.nodes[flow.source.0];
        if flow.is_default && std::mem::replace(&mut source.has_default, true) {
            return Err(NotationErrorKind::SecondDefault(source.name.clone()).at(flow.at));
        }
        self.flows.push(flow);
        Ok(())
    }

    fn claim(&mut self, id: &str, owner: Owner, at: Position) -> Result<(), NotationError> {
        match self.ids.insert(id.into(), owner) {
            None => Ok(()),
            Some(first) => Err(taken(id, first, at)),
        }
    }

    /// An id that nothing has: `base`, or `base_2` and so on.
    fn fresh(&mut self, base: String) -> String {
        if !self.ids.contains_key(&base) {
            return base;
        }
        let last = self.counters.entry(base.clone()).or_insert(1);
        loop {
            *last += 1;
            let id = format!("{base}_{last}");
            if !self.ids.contains_key(&id) {
                return id;
            }
        }
    }

    /// The model: ids made up, kinds settled.
    pub(super) fn finish(mut self, body: ScopeRef) -> Result<Definitions, NotationError> {
        let mut defaults = BTreeMap::new();
        for mut flow in std::mem::take(&mut self.flows) {
            let (source, target) = (self.name(flow.source).to_owned(), self.name(flow.target).to_owned());
            let id = flow.id.take().unwrap_or_else(|| {
                let id = self.fresh(format!("{source}_{target}"));
                self.ids.insert(id.clone(), Owner::Flow);
                id
            });
            if flow.is_default {
                defaults.insert(flow.source.0, id.clone());
            }
            let scope = self.nodes[flow.source.0].scope;
            self.definitions.scopes[scope.0 as usize].flows.push(SequenceFlow {
                id,
                name: None,
                at: flow.at,
                source,
                target,
                condition: flow.condition,
            });
        }
        let id = self.fresh("p".into());
        for (index, node) in self.nodes.into_iter().enumerate() {
            let mut kind = match node.kind {
                Some(kind) => kind,
                None => kind(letters(&node.name), node.at, None)?,
            };
            if let NodeKind::Start { interrupting, .. } = &mut kind {
                *interrupting = self.interrupting[node.scope.0 as usize];
            }
            self.definitions.scopes[node.scope.0 as usize].nodes.push(FlowNode {
                id: node.name.clone(),
                name: Some(node.name),
                at: node.at,
                default: defaults.remove(&index),
                kind,
            });
        }
        self.definitions.processes.push(Process {
            id: id.clone(),
            name: Some(id),
            at: Position { line: 1, column: 1 },
            is_executable: Some(true),
            body,
        });
        Ok(self.definitions)
    }
}

fn taken(id: &str, owner: Owner, at: Position) -> NotationError {
    let (id, owner) = (id.into(), owner.described());
    NotationErrorKind::Taken { id, owner }.at(at)
}
