//! What an author wrote: plain data with source positions.
//!
//! A [`Definitions`] is one BPMN file. Processes and sub-processes are *scopes*; they stand side by side in one
//! arena ([`Definitions::scopes`]) and refer to each other by [`ScopeRef`], so that no code here recurses on the
//! nesting of a file. References between elements are kept as the strings the author wrote: whether they name
//! anything is the validator's question.

mod event;
mod node;
pub mod notation;
mod side;

use serde::{Deserialize, Serialize};

pub use event::{Binding, Declaration, EventDefinition, Timer, Trigger};
pub use node::{Activation, FlowNode, Gateway, GatewayDirection, Loop, NodeKind, SubProcessKind, TaskKind};
pub use side::{
    Artifact, ArtifactKind, Collaboration, CorrelationKey, CorrelationProperty, DataElement, Diagram, DiagramEdge,
    DiagramShape, Lane, MessageFlow, Participant, Retrieval,
};

/// A place in a source file: line and column, both from 1. `0:0` is "made by a program".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// The index of a [`Scope`] in [`Definitions::scopes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ScopeRef(pub u32);

/// One BPMN file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Definitions {
    /// `id` of the root element.
    pub id: Option<String>,
    /// `name` of the root element.
    pub name: Option<String>,
    /// `targetNamespace` of the root element.
    pub target_namespace: Option<String>,
    /// `expressionLanguage` of the root element; inherited by every expression that names none.
    pub expression_language: Option<String>,
    /// The processes, in document order.
    pub processes: Vec<Process>,
    /// Every process body and sub-process body, in the order in which they open.
    pub scopes: Vec<Scope>,
    /// `message` declarations.
    pub messages: Vec<Declaration>,
    /// `signal` declarations.
    pub signals: Vec<Declaration>,
    /// `error` declarations; their code is in [`Declaration::code`].
    pub errors: Vec<Declaration>,
    /// `escalation` declarations; their code is in [`Declaration::code`].
    pub escalations: Vec<Declaration>,
    /// Collaborations: pools and the messages between them.
    pub collaborations: Vec<Collaboration>,
    /// Correlation properties: how to read a key out of a message.
    pub correlation_properties: Vec<CorrelationProperty>,
    /// Diagrams: kept for drawing, never semantic.
    pub diagrams: Vec<Diagram>,
}

impl Definitions {
    /// The scope that `scope` names.
    ///
    /// # Panics
    ///
    /// If `scope` is not of this file.
    pub fn scope(&self, scope: ScopeRef) -> &Scope {
        &self.scopes[scope.0 as usize]
    }

    /// The process with this id, or, without an id, the first one.
    pub fn process(&self, id: Option<&str>) -> Option<&Process> {
        match id {
            Some(id) => self.processes.iter().find(|p| p.id == id),
            None => self.processes.first(),
        }
    }
}

/// A `process`: a name for its root scope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Process {
    /// The id, made up where the author gave none.
    pub id: String,
    /// The name.
    pub name: Option<String>,
    /// Where the element starts.
    pub at: Position,
    /// `isExecutable`; a hint of the author's, without effect on execution.
    pub is_executable: Option<bool>,
    /// The body.
    pub body: ScopeRef,
}

/// The body of a process or of a sub-process: nodes, flows, and what is drawn beside them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scope {
    /// The scope around this one; `None` for a process.
    pub parent: Option<ScopeRef>,
    /// Flow nodes, in document order.
    pub nodes: Vec<FlowNode>,
    /// Sequence flows, in document order.
    pub flows: Vec<SequenceFlow>,
    /// Lanes, outer before inner.
    pub lanes: Vec<Lane>,
    /// Text annotations, groups and associations.
    pub artifacts: Vec<Artifact>,
    /// Data objects, their references and data stores.
    pub data: Vec<DataElement>,
}

/// A `sequenceFlow`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SequenceFlow {
    /// The id, made up where the author gave none.
    pub id: String,
    /// The name.
    pub name: Option<String>,
    /// Where the element starts.
    pub at: Position,
    /// `sourceRef`, as written.
    pub source: String,
    /// `targetRef`, as written.
    pub target: String,
    /// The condition, where there is one.
    pub condition: Option<Expression>,
}

/// The text of an expression and the language it is in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Expression {
    /// The text, trimmed, otherwise as written (with `${…}`, a leading `=` and so on).
    pub text: String,
    /// The `language` of this element; without it the file's `expressionLanguage` holds.
    pub language: Option<String>,
    /// Where the element starts.
    pub at: Position,
}
