//! The model as the oracle looks at it: nodes, flows and scopes under indices of its own, made from what the author wrote
//! and from nothing else.

use trackside_engine::expr::Program;

/// A node of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeRef(pub(super) u32);

/// A sequence flow of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FlowRef(pub(super) u32);

/// The body of the process, of a sub-process or of an event sub-process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BodyRef(pub(super) u32);

/// A process.
#[derive(Debug, Default)]
pub(super) struct Net {
    pub(super) nodes: Vec<Node>,
    pub(super) flows: Vec<Flow>,
    pub(super) bodies: Vec<Body>,
}

/// A sequence flow.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) id: String,
    pub(super) source: NodeRef,
    pub(super) target: NodeRef,
    pub(super) condition: Option<Program>,
}

/// A node.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) id: String,
    pub(super) body: BodyRef,
    pub(super) kind: Kind,
    /// What it waits for: catch events, receive tasks, boundary events, starts.
    pub(super) waits: Option<Waits>,
    /// Whether its event interrupts: a boundary event its host, the start of an event sub-process its scope.
    pub(super) interrupting: bool,
    /// In document order (TRK-7).
    pub(super) incoming: Vec<FlowRef>,
    /// In document order (TRK-7).
    pub(super) outgoing: Vec<FlowRef>,
    pub(super) default: Option<FlowRef>,
    /// The boundary events on it.
    pub(super) boundaries: Vec<NodeRef>,
}

/// A scope.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) parent: Option<BodyRef>,
    /// Whether it is the body of an event sub-process.
    pub(super) handles: bool,
    /// Its start events, in document order.
    pub(super) starts: Vec<NodeRef>,
    /// Nodes that nothing leads to: where a scope without a start event begins (INS-8).
    pub(super) sources: Vec<NodeRef>,
    /// The start events of the event sub-processes in it, in document order.
    pub(super) handlers: Vec<NodeRef>,
}

/// What a node is.
#[derive(Debug)]
pub(super) enum Kind {
    Start,
    Boundary,
    Catch,
    LinkThrow(NodeRef),
    LinkCatch,
    Throw(Effect),
    End(Effect),
    Task {
        /// The outside completes it (BND-11).
        external: bool,
        /// Its work runs and has to be asked to stop, or it merely waits (BND-4).
        running: bool,
        sends: Option<String>,
    },
    /// An embedded sub-process.
    Scope(BodyRef),
    /// An event sub-process; no token is ever at it.
    Handler(BodyRef),
    Exclusive,
    Parallel,
    Inclusive,
    Complex(Vec<Triple>),
    /// An event-based gateway; `parallel` if it starts instances that need every arm.
    Gate {
        parallel: bool,
    },
}

/// What an event causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    Message(String),
    Signal(String),
    Error(String),
    Escalation(String),
    Terminate,
}

/// What an event waits for.
#[derive(Debug)]
pub(super) enum Waits {
    Message(String),
    Signal(String),
    Timer {
        /// How often it fires where it is armed again (BND-5); without bound if `None`.
        times: Option<u32>,
        /// Whether its value is an expression over data (EVT-7), which may fail (EVT-8).
        computed: bool,
    },
    Condition(Program),
    /// With this code, or any (ERR-1).
    Error(Option<String>),
    /// With this code, or any (ESC-1).
    Escalation(Option<String>),
}

/// An activation triple (CPX-2).
#[derive(Debug)]
pub(super) struct Triple {
    pub(super) guard: Option<Program>,
    pub(super) count: usize,
    pub(super) required: Vec<FlowRef>,
}

impl Net {
    pub(super) fn node(&self, node: NodeRef) -> &Node {
        &self.nodes[node.0 as usize]
    }

    pub(super) fn flow(&self, flow: FlowRef) -> &Flow {
        &self.flows[flow.0 as usize]
    }

    pub(super) fn body(&self, body: BodyRef) -> &Body {
        &self.bodies[body.0 as usize]
    }

    pub(super) fn id(&self, node: NodeRef) -> String {
        self.node(node).id.clone()
    }

    pub(super) fn find(&self, id: &str) -> Option<NodeRef> {
        let at = self.nodes.iter().position(|node| node.id == id)?;
        Some(NodeRef(at as u32))
    }

    pub(super) fn find_flow(&self, id: &str) -> Option<FlowRef> {
        let at = self.flows.iter().position(|flow| flow.id == id)?;
        Some(FlowRef(at as u32))
    }

    /// A gateway that makes tokens wait for one another (PAR-2, ORJ, CPX-2).
    pub(super) fn is_join(&self, node: NodeRef) -> bool {
        let node = self.node(node);
        matches!(node.kind, Kind::Parallel | Kind::Inclusive | Kind::Complex(_)) && node.incoming.len() > 1
    }

    /// External work, which the outside completes.
    pub(super) fn is_external(&self, node: NodeRef) -> bool {
        matches!(self.node(node).kind, Kind::Task { external: true, .. })
    }

    /// Whether the node is executed on arrival in the atomic grain. (An end event that throws a message is not: to whom
    /// the message goes is a choice, which a step of its own makes.)
    pub(super) fn is_prompt(&self, node: NodeRef) -> bool {
        match &self.node(node).kind {
            Kind::End(effect) => !matches!(effect, Effect::Message(_)),
            Kind::Catch | Kind::Scope(_) | Kind::Gate { .. } => true,
            Kind::Task { external, .. } => *external,
            _ => false,
        }
    }
}
