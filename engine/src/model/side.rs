//! What stands beside the flow of a scope: pools, lanes, data, annotations, diagrams. Kept, never semantic, but for
//! correlation.

use serde::{Deserialize, Serialize};

use super::{Expression, Position};

/// A `collaboration`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Collaboration {
    /// The id, where there is one.
    pub id: Option<String>,
    /// Where the element starts.
    pub at: Position,
    /// Pools.
    pub participants: Vec<Participant>,
    /// Message flows.
    pub message_flows: Vec<MessageFlow>,
    /// Correlation keys.
    pub keys: Vec<CorrelationKey>,
}

/// A `participant`: a pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    /// The id, made up where the author gave none.
    pub id: String,
    /// The name.
    pub name: Option<String>,
    /// Where the element starts.
    pub at: Position,
    /// `processRef`, as written; none for a black box.
    pub process: Option<String>,
}

/// A `messageFlow`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageFlow {
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
}

/// A `correlationKey` (COR-1): properties that together name a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorrelationKey {
    /// The id, made up where the author gave none.
    pub id: String,
    /// The name.
    pub name: Option<String>,
    /// Where the element starts.
    pub at: Position,
    /// `correlationPropertyRef`s, as written.
    pub properties: Vec<String>,
}

/// A `correlationProperty`: one part of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorrelationProperty {
    /// The id, made up where the author gave none.
    pub id: String,
    /// The name.
    pub name: Option<String>,
    /// Where the element starts.
    pub at: Position,
    /// How to read it out of each message.
    pub retrievals: Vec<Retrieval>,
}

/// A `correlationPropertyRetrievalExpression`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retrieval {
    /// `messageRef`, as written.
    pub message: String,
    /// `messagePath`: an expression over the message's payload.
    pub path: Expression,
}

/// A `lane`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lane {
    /// The id, made up where the author gave none.
    pub id: String,
    /// The name.
    pub name: Option<String>,
    /// Where the element starts.
    pub at: Position,
    /// The index, in the same list, of the lane around this one.
    pub parent: Option<u32>,
    /// `flowNodeRef`s, as written.
    pub nodes: Vec<String>,
}

/// A text annotation, a group or an association.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// The id, made up where the author gave none.
    pub id: String,
    /// Where the element starts.
    pub at: Position,
    /// What it is.
    pub kind: ArtifactKind,
}

/// What an [`Artifact`] is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ArtifactKind {
    /// `textAnnotation` with its text.
    Annotation(String),
    /// `group` with its `categoryValueRef`.
    Group(Option<String>),
    /// `association`.
    Association {
        /// `sourceRef`, as written.
        source: String,
        /// `targetRef`, as written.
        target: String,
        /// `associationDirection`, as written.
        direction: Option<String>,
    },
}

/// A data object, a reference to one, or a data store reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataElement {
    /// The id, made up where the author gave none.
    pub id: String,
    /// The name.
    pub name: Option<String>,
    /// Where the element starts.
    pub at: Position,
    /// The element's local name: `dataObject`, `dataObjectReference` or `dataStoreReference`.
    pub element: String,
    /// `dataObjectRef` or `dataStoreRef`, as written.
    pub refers_to: Option<String>,
}

/// A `BPMNDiagram`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Diagram {
    /// The id, where there is one.
    pub id: Option<String>,
    /// `bpmnElement` of its plane.
    pub plane: Option<String>,
    /// Shapes, in document order.
    pub shapes: Vec<DiagramShape>,
    /// Edges, in document order.
    pub edges: Vec<DiagramEdge>,
}

/// A `BPMNShape`. Lengths are in the diagram's own units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiagramShape {
    /// The id, where there is one.
    pub id: Option<String>,
    /// `bpmnElement`.
    pub element: String,
    /// `x`, `y`, `width`, `height`.
    pub bounds: [f64; 4],
    /// Bounds of the label.
    pub label: Option<[f64; 4]>,
    /// `isHorizontal`.
    pub horizontal: Option<bool>,
    /// `isExpanded`.
    pub expanded: Option<bool>,
    /// `isMarkerVisible`.
    pub marker: Option<bool>,
}

/// A `BPMNEdge`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiagramEdge {
    /// The id, where there is one.
    pub id: Option<String>,
    /// `bpmnElement`.
    pub element: String,
    /// Way points, `x` and `y`.
    pub waypoints: Vec<[f64; 2]>,
    /// Bounds of the label.
    pub label: Option<[f64; 4]>,
}
