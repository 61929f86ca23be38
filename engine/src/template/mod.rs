//! The immutable, compiled form of a process (INS-1, INS-7): dense indices, adjacency, node behaviour.
//!
//! A [`Template`] is made once from a [`Definitions`](crate::model::Definitions) and shared by all instances. It holds
//! configuration only; whatever changes while an instance runs lives in [`crate::instance`].

mod awaits;
mod codes;
mod compile;
mod events;
mod graph;
mod names;
mod role;
mod tables;

use std::sync::Arc;

use crate::expr::Program;
use crate::ids::{FlowId, NodeId, ScopeId};
use crate::model::Position;
use crate::node::Node;
use crate::reach::Index;

pub use awaits::Awaits;
pub(crate) use codes::Codes;
pub use compile::{Compiled, compile};
pub(crate) use events::{keys as correlation_keys, program as compile_program};
pub use graph::Reach;
pub use names::{EventName, EventRef, Names};
pub use role::{Effect, Role};
pub(crate) use tables::{Catch, Caught, Chances, Hot, Lane, Pass};

/// A process, compiled.
#[derive(Debug)]
pub struct Template {
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) nodes: Vec<NodeInfo>,
    pub(crate) kinds: Vec<Box<dyn Node>>,
    /// How tokens pass through, node by node.
    pub(crate) passes: Vec<Pass>,
    pub(crate) chances: Vec<Chances>,
    /// What nodes catch, node by node.
    pub(crate) catches: Vec<Catch>,
    /// What the loop looks at, node by node.
    pub(crate) hot: Vec<Hot>,
    /// The same for flows.
    pub(crate) lanes: Vec<Lane>,
    pub(crate) flows: Vec<FlowInfo>,
    pub(crate) scopes: Vec<ScopeInfo>,
    /// Outgoing flows of all nodes, node by node, in document order (TRK-7).
    pub(crate) outgoing: Vec<FlowId>,
    /// Incoming flows of all nodes, node by node, in document order.
    pub(crate) incoming: Vec<FlowId>,
    /// Boundary events of all nodes, host by host, in document order.
    pub(crate) boundaries: Vec<NodeId>,
    /// Where control can jump to a node from, beyond sequence flow (ORJ-4): hosts of boundary events, link throws.
    pub(crate) jumps: Vec<NodeId>,
    /// Which joins may fire, scope by scope.
    pub(crate) indexes: Vec<Index>,
    pub(crate) names: Names,
    /// How instances come about (INS-8).
    pub(crate) births: Vec<Birth>,
    pub(crate) codes: Codes,
    /// Whether some timer depends on more than when it is armed: a date, the calendar, data.
    pub(crate) absolute_time: bool,
}

/// One way in which an instance of a template comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Birth {
    /// The start event, instantiating task or gate; without any, every node that nothing leads to.
    pub node: Option<NodeId>,
    /// The node whose event it is: the arm of a gate, else the same as `node`.
    pub arm: NodeId,
}

/// What the engine knows of a node beside its behaviour.
#[derive(Debug)]
pub struct NodeInfo {
    /// The element's id.
    pub id: String,
    /// The element's name.
    pub name: Option<String>,
    /// Where the element stands in its file.
    pub at: Position,
    /// The scope it belongs to.
    pub scope: ScopeId,
    /// The element's local name in BPMN, for people.
    pub element: &'static str,
    pub(crate) default: FlowId,
    pub(crate) out: Span,
    pub(crate) inc: Span,
    pub(crate) boundary: Span,
    pub(crate) jumped: Span,
}

/// What the engine knows of a sequence flow.
#[derive(Debug)]
pub struct FlowInfo {
    /// The element's id.
    pub id: String,
    /// The element's name.
    pub name: Option<String>,
    /// Where the element stands in its file.
    pub at: Position,
    /// Where it leaves from.
    pub source: NodeId,
    /// Where it leads to.
    pub target: NodeId,
    pub(crate) condition: Option<Program>,
    /// The place among its target's incoming flows, from 0.
    pub(crate) rank: u32,
}

/// What the engine knows of a scope.
#[derive(Debug, Default)]
pub struct ScopeInfo {
    /// The scope around it.
    pub parent: Option<ScopeId>,
    /// The number of its first node; the others follow.
    pub(crate) first: u32,
    /// The sub-process whose body it is.
    pub host: Option<NodeId>,
    /// Whether it is the body of an event sub-process.
    pub(crate) handles: bool,
    /// How deep it is nested; 0 is the process.
    pub depth: u32,
    /// Start events and instantiating gates and tasks, in document order.
    pub(crate) starts: Vec<NodeId>,
    /// Nodes that nothing leads to: where a scope without a start event begins.
    pub(crate) sources: Vec<NodeId>,
    /// Start events of the event sub-processes in this scope, in document order.
    pub(crate) handlers: Vec<NodeId>,
    pub(crate) words: u32,
    pub(crate) queues: u32,
}

impl ScopeInfo {
    /// Where a run of the scope begins: its first start event (the others are alternatives, INS-8), or, without any,
    /// every node that nothing leads to.
    pub(crate) fn entries(&self) -> &[NodeId] {
        if self.starts.is_empty() {
            &self.sources
        } else {
            &self.starts[..1]
        }
    }
}

/// A range of one of the flat adjacency lists.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

impl Span {
    pub(crate) fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.from as usize..self.to as usize]
    }

    pub(crate) const fn len(self) -> u32 {
        self.to - self.from
    }
}

impl Template {
    /// The id of the process.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name of the process.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// A node.
    ///
    /// # Panics
    ///
    /// If `node` is not of this template.
    pub fn node(&self, node: NodeId) -> &NodeInfo {
        &self.nodes[node.ix()]
    }

    /// A flow.
    ///
    /// # Panics
    ///
    /// If `flow` is not of this template.
    pub fn flow(&self, flow: FlowId) -> &FlowInfo {
        &self.flows[flow.ix()]
    }

    /// A scope.
    ///
    /// # Panics
    ///
    /// If `scope` is not of this template.
    pub fn scope(&self, scope: ScopeId) -> &ScopeInfo {
        &self.scopes[scope.ix()]
    }

    /// All nodes, scope by scope in document order.
    pub fn node_ids(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// All flows, scope by scope in document order.
    pub fn flow_ids(&self) -> impl ExactSizeIterator<Item = FlowId> + use<> {
        (0..self.flows.len() as u32).map(FlowId)
    }

    /// The node with this element id.
    pub fn find(&self, id: &str) -> Option<NodeId> {
        self.names.node(id)
    }

    /// The flows that leave a node, in document order.
    pub fn outgoing(&self, node: NodeId) -> &[FlowId] {
        self.nodes[node.ix()].out.of(&self.outgoing)
    }

    /// The flows that enter a node, in document order.
    pub fn incoming(&self, node: NodeId) -> &[FlowId] {
        self.nodes[node.ix()].inc.of(&self.incoming)
    }

    /// The boundary events of a node, in document order.
    pub fn boundary_events(&self, node: NodeId) -> &[NodeId] {
        self.nodes[node.ix()].boundary.of(&self.boundaries)
    }

    /// The nodes from which control can jump to `node` beyond sequence flow.
    pub(crate) fn jumps_to(&self, node: NodeId) -> &[NodeId] {
        self.nodes[node.ix()].jumped.of(&self.jumps)
    }

    /// The names of messages, signals and so on.
    pub fn names(&self) -> &Names {
        &self.names
    }

    pub(crate) fn kind(&self, node: NodeId) -> &dyn Node {
        &*self.kinds[node.ix()]
    }

    /// The node of a join of a scope's index.
    pub(crate) fn join_node(&self, scope: ScopeId, join: u32) -> NodeId {
        NodeId(self.scopes[scope.ix()].first + self.indexes[scope.ix()].node_of(join))
    }

    /// The ways in which an instance comes about, in document order.
    pub fn births(&self) -> &[Birth] {
        &self.births
    }

    /// The error codes that some catcher around `node` matches.
    pub(crate) fn codes_of(&self, node: NodeId) -> &[String] {
        let scope = self.nodes[node.ix()].scope;
        self.codes
            .of_node
            .get(&node)
            .unwrap_or(&self.codes.of_scope[scope.ix()])
    }
}

/// A template that several worlds share.
pub type Shared = Arc<Template>;
