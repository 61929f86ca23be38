//! Flow nodes: events, activities and gateways, as written.

use serde::{Deserialize, Serialize};

use super::{Binding, EventDefinition, Expression, Position, ScopeRef};

/// One node of a scope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlowNode {
    /// The id, made up where the author gave none.
    pub id: String,
    /// The name.
    pub name: Option<String>,
    /// Where the element starts.
    pub at: Position,
    /// The id of the default flow, as written in the `default` attribute.
    pub default: Option<String>,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum NodeKind {
    /// `startEvent`.
    Start {
        /// Its triggers; none for a plain start.
        events: Vec<EventDefinition>,
        /// Whether one or all of several triggers are needed.
        binding: Binding,
        /// `isInterrupting`, for the start of an event sub-process; true by default.
        interrupting: bool,
    },
    /// `endEvent`.
    End {
        /// What it causes; nothing for a plain end.
        events: Vec<EventDefinition>,
    },
    /// `intermediateThrowEvent`.
    Throw {
        /// What it causes; nothing for a plain one.
        events: Vec<EventDefinition>,
    },
    /// `intermediateCatchEvent`.
    Catch {
        /// What it waits for.
        events: Vec<EventDefinition>,
        /// Whether one or all of several triggers are needed.
        binding: Binding,
    },
    /// `boundaryEvent`.
    Boundary {
        /// `attachedToRef`, as written.
        attached_to: Option<String>,
        /// `cancelActivity`; true by default.
        interrupting: bool,
        /// What it waits for.
        events: Vec<EventDefinition>,
        /// Whether one or all of several triggers are needed.
        binding: Binding,
    },
    /// A task of any kind.
    Task {
        /// Which kind.
        task: TaskKind,
        /// `messageRef` of a send or receive task, as written.
        message: Option<String>,
        /// `instantiate` of a receive task.
        instantiate: bool,
        /// A loop marker, where there is one.
        repeat: Option<Loop>,
        /// `isForCompensation`.
        for_compensation: bool,
    },
    /// `subProcess`, `transaction` or `adHocSubProcess`.
    SubProcess {
        /// Which kind.
        kind: SubProcessKind,
        /// Its body.
        body: ScopeRef,
        /// A loop marker, where there is one.
        repeat: Option<Loop>,
        /// `isForCompensation`.
        for_compensation: bool,
    },
    /// `callActivity`.
    Call {
        /// `calledElement`, as written.
        called: Option<String>,
        /// A loop marker, where there is one.
        repeat: Option<Loop>,
        /// `isForCompensation`.
        for_compensation: bool,
    },
    /// A gateway.
    Gateway {
        /// Which kind.
        gateway: Gateway,
        /// `gatewayDirection`.
        direction: GatewayDirection,
    },
}

impl NodeKind {
    /// The event definitions of an event; none for other nodes.
    pub fn events(&self) -> &[EventDefinition] {
        match self {
            NodeKind::Start { events, .. }
            | NodeKind::End { events }
            | NodeKind::Throw { events }
            | NodeKind::Catch { events, .. }
            | NodeKind::Boundary { events, .. } => events,
            NodeKind::Task { .. } | NodeKind::SubProcess { .. } | NodeKind::Call { .. } | NodeKind::Gateway { .. } => {
                &[]
            }
        }
    }

    /// The local name of its element in BPMN.
    pub const fn element(&self) -> &'static str {
        match self {
            NodeKind::Start { .. } => "startEvent",
            NodeKind::End { .. } => "endEvent",
            NodeKind::Throw { .. } => "intermediateThrowEvent",
            NodeKind::Catch { .. } => "intermediateCatchEvent",
            NodeKind::Boundary { .. } => "boundaryEvent",
            NodeKind::Task { task, .. } => task.element(),
            NodeKind::SubProcess { kind, .. } => match kind {
                SubProcessKind::Embedded | SubProcessKind::Event => "subProcess",
                SubProcessKind::Transaction => "transaction",
                SubProcessKind::AdHoc => "adHocSubProcess",
            },
            NodeKind::Call { .. } => "callActivity",
            NodeKind::Gateway { gateway, .. } => match gateway {
                Gateway::Exclusive => "exclusiveGateway",
                Gateway::Parallel => "parallelGateway",
                Gateway::Inclusive => "inclusiveGateway",
                Gateway::Complex { .. } => "complexGateway",
                Gateway::EventBased { .. } => "eventBasedGateway",
            },
        }
    }
}

impl TaskKind {
    /// The local name of its element in BPMN.
    pub const fn element(self) -> &'static str {
        match self {
            TaskKind::Abstract => "task",
            TaskKind::Manual => "manualTask",
            TaskKind::Script => "scriptTask",
            TaskKind::Send => "sendTask",
            TaskKind::Receive => "receiveTask",
            TaskKind::User => "userTask",
            TaskKind::Service => "serviceTask",
            TaskKind::BusinessRule => "businessRuleTask",
        }
    }
}

/// The kind of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskKind {
    /// `task`: abstract.
    Abstract,
    /// `manualTask`.
    Manual,
    /// `scriptTask`.
    Script,
    /// `sendTask`.
    Send,
    /// `receiveTask`.
    Receive,
    /// `userTask`.
    User,
    /// `serviceTask`.
    Service,
    /// `businessRuleTask`.
    BusinessRule,
}

/// The kind of a sub-process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SubProcessKind {
    /// An embedded sub-process.
    Embedded,
    /// `triggeredByEvent="true"`: an event sub-process.
    Event,
    /// `transaction`.
    Transaction,
    /// `adHocSubProcess`.
    AdHoc,
}

/// A loop marker on an activity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loop {
    /// Where the marker starts.
    pub at: Position,
    /// `standardLoopCharacteristics` (false) or `multiInstanceLoopCharacteristics` (true).
    pub multi_instance: bool,
}

/// The kind of a gateway.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Gateway {
    /// `exclusiveGateway`.
    Exclusive,
    /// `parallelGateway`.
    Parallel,
    /// `inclusiveGateway`.
    Inclusive,
    /// `complexGateway`.
    Complex {
        /// `trackside:activation` triples (CPX-8).
        activations: Vec<Activation>,
        /// A plain `activationCondition`.
        condition: Option<Expression>,
    },
    /// `eventBasedGateway`.
    EventBased {
        /// `instantiate`.
        instantiate: bool,
        /// `eventGatewayType="Parallel"`.
        parallel: bool,
    },
}

/// One activation triple of a complex join (CPX-2), as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activation {
    /// Where the element starts.
    pub at: Position,
    /// `count`, as written, where it is a whole number.
    pub count: Option<i64>,
    /// `required`: ids of incoming flows.
    pub required: Vec<String>,
    /// The guard; absent is true.
    pub condition: Option<Expression>,
}

/// `gatewayDirection`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GatewayDirection {
    /// No claim.
    #[default]
    Unspecified,
    /// Several incoming flows, one outgoing.
    Converging,
    /// One incoming flow, several outgoing.
    Diverging,
    /// Several of both.
    Mixed,
}
