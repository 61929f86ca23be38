//! Records: what an applied action did, as a closed list (OBS-1).
//!
//! A record names tracks, nodes and flows by index; [`crate::template::Template`] turns them into element ids. The list
//! is documented with its fields in `docs/records.md`; [`RECORD_VERSION`] goes up whenever it changes.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Phase;
use crate::ids::{FlowId, NodeId, ScopeId, TrackId, WatcherId};

/// The version of the list of record kinds and their fields.
pub const RECORD_VERSION: u32 = 1;

/// How an instance ended (INS-5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// No live track left.
    Completed,
    /// A terminate end event of the root scope.
    Terminated,
    /// Something went wrong for good.
    Faulted(Fault),
    /// Canceled from outside.
    Canceled,
}

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// An uncaught BPMN error (ERR-2).
    Error,
    /// A technical failure of external work (ERR-3).
    Technical,
    /// No condition held and there is no default flow (XOR-2, ORS-2, TRK-8).
    NoFlow,
    /// An expression failed (EVT-8).
    Expression,
    /// Every activation triple of a complex join is dead (CPX-3).
    ActivationUnsatisfiable,
    /// Nothing can arrive at a complex join any more and no triple holds (CPX-4).
    ArrivalsExhausted,
    /// There are more tokens than an instance may hold ([`TOKENS_MAX`](super::TOKENS_MAX)).
    TooManyTokens,
}

/// Why an instance faulted; with code, element and track it is the incident of ERR-5.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of thing went wrong.
    pub kind: FaultKind,
    /// The element.
    pub node: NodeId,
    /// The track, where one is to blame.
    pub track: Option<TrackId>,
    /// The BPMN error code of an uncaught error.
    pub code: Option<String>,
    /// What happened, without process data.
    pub message: String,
    /// The values it saw, as text (XOR-2); empty when values are to be redacted.
    pub values: String,
}

/// What a subscription waits for, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the field's own names")]
pub enum TriggerKind {
    Message,
    Signal,
    Timer,
    Conditional,
    Error,
    Escalation,
}

/// What a subscription is to its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// An intermediate catch event, a receive task, or an arm: the token goes on.
    Catching,
    /// Interrupts its host or its scope.
    Interrupting,
    /// Starts something beside its host or scope.
    NonInterrupting,
}

/// Why a subscription was torn down without having fired, or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Withdrawal {
    /// It fired and is not armed again.
    Taken,
    /// Another arm of the same gate won.
    Lost,
    /// Its host or scope ended first.
    HostEnded,
}

/// How external work ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Well.
    Ok,
    /// With a BPMN error.
    Error(String),
    /// With a technical failure (ERR-3).
    Failure(String),
}

/// The steps of an interruption (BND-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the standard's own names")]
pub enum LifeCycle {
    Terminating,
    Terminated,
    Failing,
    Failed,
}

/// What was thrown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A message, by name.
    Message(String),
    /// A signal, by name.
    Signal(String),
    /// An error, by code.
    Error(String),
    /// An escalation, by code.
    Escalation(String),
}

/// One thing that an action did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "fields are named by their types")]
pub enum Record {
    /// A track was born, at a node or (forked) on a flow.
    Born {
        track: TrackId,
        parent: Option<TrackId>,
        node: NodeId,
        flow: Option<FlowId>,
    },
    /// A track executed a node: its token goes on or ends there.
    Stepped { track: TrackId, node: NodeId },
    /// A track left along a flow and is in transit.
    Left { track: TrackId, flow: FlowId },
    /// A track registered at its target.
    Arrived { track: TrackId, flow: FlowId, node: NodeId },
    /// A track waits at a join.
    Parked {
        track: TrackId,
        flow: FlowId,
        node: NodeId,
        phase: Phase,
    },
    /// A join fired and consumed one token from each of these flows.
    JoinFired {
        node: NodeId,
        survivor: TrackId,
        flows: Vec<FlowId>,
    },
    /// A parked track goes on as the survivor.
    Resumed { track: TrackId, node: NodeId },
    /// A track was absorbed.
    Merged {
        track: TrackId,
        into: TrackId,
        node: NodeId,
    },
    /// A late token at a complex join that has fired was consumed.
    Trailing { track: TrackId, flow: FlowId, node: NodeId },
    /// A complex join is ready for its next wave.
    Rearmed { node: NodeId },
    /// External work began.
    WorkStarted { track: TrackId, node: NodeId },
    /// External work ended.
    WorkEnded {
        track: TrackId,
        node: NodeId,
        outcome: Outcome,
    },
    /// Running external work was asked to stop (BND-4).
    WorkAskedToStop { track: TrackId, node: NodeId },
    /// Work that had been interrupted answered; the answer was discarded. Its data are not kept.
    Discarded { track: TrackId, node: NodeId },
    /// A subscription was armed.
    Armed {
        watcher: WatcherId,
        node: NodeId,
        host: Option<TrackId>,
        trigger: TriggerKind,
        mode: Mode,
        target: Option<FlowId>,
        code: Option<String>,
        due: Option<i64>,
    },
    /// A subscription fired.
    Fired {
        watcher: WatcherId,
        node: NodeId,
        host: Option<TrackId>,
        trigger: TriggerKind,
        mode: Mode,
        target: Option<FlowId>,
        code: Option<String>,
    },
    /// A non-interrupting subscription stays armed after it fired; a timer with its next due time.
    Refired {
        watcher: WatcherId,
        node: NodeId,
        due: Option<i64>,
    },
    /// A subscription was torn down.
    Disarmed {
        watcher: WatcherId,
        node: NodeId,
        host: Option<TrackId>,
        why: Withdrawal,
    },
    /// A host was interrupted.
    Interrupted {
        track: TrackId,
        node: NodeId,
        by: NodeId,
        state: LifeCycle,
        code: Option<String>,
    },
    /// An event, error or escalation was thrown.
    Thrown { track: TrackId, node: NodeId, cause: Cause },
    /// Nobody waited for it.
    Undelivered { cause: Cause },
    /// A sub-process (or an event sub-process, then without a host) was entered.
    ScopeOpened { scope: ScopeId, host: Option<TrackId> },
    /// A scope run ended by itself.
    ScopeCompleted { scope: ScopeId, host: Option<TrackId> },
    /// A scope run was ended from outside or by a terminate end event.
    ScopeWithdrawn { scope: ScopeId, host: Option<TrackId> },
    /// Process data were written; names only.
    DataChanged { names: BTreeSet<String> },
    /// Virtual time went on.
    Clock { now: i64 },
    /// A track reached a final state other than merged.
    TrackEnded { track: TrackId, node: NodeId, state: Final },
    /// The instance ended.
    InstanceEnded { end: End },
}

/// The final states of a track (TRK-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rule's own names")]
pub enum Final {
    Ended,
    Canceled,
    Failed,
}
