//! What came of a run, as the documents of the command line have it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use trackside_engine::InstanceId;
use trackside_engine::instance::{End, Fault, FaultKind, Instance, TrackView};
use trackside_engine::template::Template;

use super::Simulation;
use super::drive::Drive;
use super::tally::{Tally, TrackTally};
use super::waiting;
use crate::token::Plan;
use crate::trace::{cause_words, fault_name, final_name, phase_name};

/// The version of the documents.
pub const REPORT_VERSION: u32 = 1;

/// The result of a run; it serializes to the document of `run --format json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// [`REPORT_VERSION`].
    pub version: u32,
    /// `run`, or `replay`.
    pub kind: &'static str,
    /// The path of the model, as it was given.
    pub file: String,
    /// Everything that shaped the result.
    pub options: OptionsReport,
    /// The instance that was started.
    #[serde(flatten)]
    pub main: InstanceReport,
    /// How many transitions there were, of all instances.
    pub steps: u64,
    /// Plays the same run again.
    pub token: String,
    /// A hash over the canonical trace lines; equal for equal traces.
    pub trace_hash: String,
    /// The instances that messages and signals have started, in order of birth.
    pub others: Vec<InstanceReport>,
}

/// The options of a run, by their names on the command line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptionsReport {
    /// The seed; a replay has none.
    pub seed: Option<u64>,
    /// The strategy.
    pub strategy: &'static str,
    /// Whether a script said what happens from outside.
    pub scripted: bool,
    /// All settings.
    #[serde(flatten)]
    pub settings: BTreeMap<String, Value>,
}

/// How an instance ended, or why it did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunEnd {
    /// No live track is left (INS-5).
    Completed,
    /// By a terminate end event.
    Terminated,
    /// By a fault.
    Faulted,
    /// From outside.
    Canceled,
    /// It can't go on, and nothing from outside could change that (INS-6).
    Stuck,
    /// It waits for the outside.
    Waiting,
    /// The bound on steps came first.
    Bounded,
}

impl RunEnd {
    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Terminated => "terminated",
            Self::Faulted => "faulted",
            Self::Canceled => "canceled",
            Self::Stuck => "stuck",
            Self::Waiting => "waiting",
            Self::Bounded => "bounded",
        }
    }
}

/// One instance of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InstanceReport {
    /// Its number, in order of birth; none if none was born.
    pub instance: Option<u32>,
    /// The id of its process.
    pub process: String,
    /// How it ended.
    pub end: Option<RunEnd>,
    /// Why, where it faulted.
    pub fault: Option<FaultReport>,
    /// What an operator would be told (ERR-5): uncaught errors and technical failures.
    pub incident: Option<Incident>,
    /// What it waits for, where it is unfinished.
    pub waiting: Vec<Waiting>,
    /// What nobody waited for.
    pub undelivered: Vec<Undelivered>,
    /// How often each node was executed.
    pub executed: BTreeMap<String, u64>,
    /// How often each join fired.
    pub fired: BTreeMap<String, u64>,
    /// Its tracks, in order of birth.
    pub tracks: Vec<TrackReport>,
}

/// Why an instance faulted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultReport {
    /// `error`, `technical`, `no-flow`, `expression`, `activation-unsatisfiable` or `arrivals-exhausted`.
    pub kind: &'static str,
    /// The id of the element.
    pub element: String,
    /// The track that is to blame, where one is.
    pub track: Option<u32>,
    /// The code of an uncaught error.
    pub code: Option<String>,
    /// What happened, without process data.
    pub message: String,
    /// The values it saw; empty when they are redacted.
    pub values: String,
}

/// An uncaught error or a technical failure (ERR-5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Incident {
    /// `error` or `technical`.
    pub kind: &'static str,
    /// The error's code.
    pub code: Option<String>,
    /// The id of the element.
    pub element: String,
    /// The track.
    pub track: Option<u32>,
    /// The instance.
    pub instance: u32,
    /// What happened, without process data.
    pub message: String,
}

/// One thing that an unfinished instance waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waiting {
    /// `work`, `event`, `arm` or `join`.
    pub kind: &'static str,
    /// The id of the element.
    pub element: String,
    /// Its name.
    pub name: Option<String>,
    /// The tracks that wait there.
    pub tracks: Vec<u32>,
    /// The events that would do, in words.
    pub events: Vec<String>,
    /// The flows that a join misses.
    pub missing: Vec<MissingFlow>,
    /// The joins that wait for each other, this one among them (ORJ-10).
    pub circle: Vec<String>,
    /// All of it in one sentence.
    pub detail: String,
}

/// A flow that a join misses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingFlow {
    /// Its id.
    pub flow: String,
    /// The nodes from whose tokens it could still come.
    pub from: Vec<String>,
    /// Why none has come.
    pub why: String,
}

/// Something that nobody waited for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Undelivered {
    /// `message`, `signal`, `error`, `escalation`; or the command of a script that found nothing running.
    pub cause: &'static str,
    /// Its name, its code, or the id of the node.
    pub name: Option<String>,
    /// The line of the script; none for what was thrown inside.
    pub line: Option<u32>,
}

/// The life of one track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrackReport {
    /// Its number, in order of birth.
    pub id: u32,
    /// The track that spawned it.
    pub parent: Option<u32>,
    /// The survivor, where it was absorbed at a join.
    pub merged_into: Option<u32>,
    /// Its state (TRK-1).
    pub state: &'static str,
    /// The ids of the nodes that it executed.
    pub path: Vec<String>,
}

impl Report {
    /// The exit code of the command line: 1 for a finding, 3 for a bound that stopped this instance or another, else 0.
    pub fn exit_code(&self) -> u8 {
        match self.main.end {
            Some(RunEnd::Faulted | RunEnd::Stuck) => 1,
            Some(RunEnd::Bounded) => 3,
            _ if self.others.iter().any(|other| other.end == Some(RunEnd::Bounded)) => 3,
            _ => 0,
        }
    }
}

impl Simulation<'_> {
    pub(super) fn report(&self, template: &Template, drive: Drive<'_>, born: Option<InstanceId>) -> Report {
        let token = self.token(template, &drive).to_string();
        let of = |id: InstanceId| instance(&drive, id);
        let mut main = match born {
            Some(id) => of(id),
            None => unborn(template),
        };
        let others = drive.world.instances().map(|(id, _)| id).filter(|&id| Some(id) != born);
        let others = others.map(of).collect();
        let mut undelivered = drive.undelivered;
        undelivered.append(&mut main.undelivered);
        main.undelivered = undelivered;
        Report {
            version: REPORT_VERSION,
            kind: if self.replayed { "replay" } else { "run" },
            file: self.source.path.clone(),
            options: self.options(),
            main,
            steps: drive.world.transitions(),
            token,
            trace_hash: drive.log.hash().hex(),
            others,
        }
    }

    fn options(&self) -> OptionsReport {
        let (seed, strategy) = match (&self.plan, self.replayed) {
            (Plan::Seeded(strategy, seed), _) => (Some(*seed), strategy.name()),
            (Plan::Deviations(_), _) => (None, "replay"),
        };
        let redact = self.settings.options.redact;
        let pairs = self.settings.pairs(self.script.is_some());
        let shown = pairs.into_iter().map(|(name, value)| {
            let value = match serde_json::from_str(&value) {
                _ if redact && name.starts_with("var.") => Value::from("redacted"),
                _ if name == "env" => value.split('.').filter(|name| !name.is_empty()).collect(),
                Ok(value) if !name.starts_with("timer.") => value,
                _ => Value::from(value),
            };
            (name.replace('-', "_"), value)
        });
        OptionsReport {
            seed,
            strategy,
            scripted: self.script.is_some(),
            settings: shown.collect(),
        }
    }
}

fn unborn(template: &Template) -> InstanceReport {
    InstanceReport {
        instance: None,
        process: template.id().to_owned(),
        end: Some(RunEnd::Waiting),
        fault: None,
        incident: None,
        waiting: waiting::for_a_start(template),
        undelivered: Vec::new(),
        executed: BTreeMap::new(),
        fired: BTreeMap::new(),
        tracks: Vec::new(),
    }
}

fn instance(drive: &Drive<'_>, id: InstanceId) -> InstanceReport {
    let instance = drive.world.instance(id);
    let template = instance.template();
    let none = Tally::default();
    let tally = drive.log.tally_of(id).unwrap_or(&none);
    let end = end_of(instance, drive.bounded);
    let live = instance.tracks();
    let fault = match instance.end() {
        Some(End::Faulted(fault)) => Some(fault),
        _ => None,
    };
    let named = |(node, count): (&trackside_engine::NodeId, &u64)| (template.node(*node).id.clone(), *count);
    InstanceReport {
        instance: Some(id.0),
        process: template.id().to_owned(),
        end: Some(end),
        fault: fault.map(|fault| fault_report(template, fault)),
        incident: fault.and_then(|fault| incident(template, id, fault)),
        waiting: waiting::of(instance, end),
        undelivered: unheard(tally),
        executed: tally.executed.iter().map(named).collect(),
        fired: tally.fired.iter().map(named).collect(),
        tracks: tally
            .tracks
            .iter()
            .map(|track| track_report(template, &live, track))
            .collect(),
    }
}

fn end_of(instance: &Instance, bounded: bool) -> RunEnd {
    match instance.end() {
        Some(End::Completed) => RunEnd::Completed,
        Some(End::Terminated) => RunEnd::Terminated,
        Some(End::Faulted(_)) => RunEnd::Faulted,
        Some(End::Canceled) => RunEnd::Canceled,
        None if bounded => RunEnd::Bounded,
        None if instance.may_hear() => RunEnd::Waiting,
        None => RunEnd::Stuck,
    }
}

fn fault_report(template: &Template, fault: &Fault) -> FaultReport {
    FaultReport {
        kind: fault_name(fault.kind),
        element: template.node(fault.node).id.clone(),
        track: fault.track.map(|track| track.0),
        code: fault.code.clone(),
        message: fault.message.clone(),
        values: fault.values.clone(),
    }
}

/// ERR-5.
pub(crate) fn incident(template: &Template, instance: InstanceId, fault: &Fault) -> Option<Incident> {
    matches!(fault.kind, FaultKind::Error | FaultKind::Technical).then(|| Incident {
        kind: fault_name(fault.kind),
        code: fault.code.clone(),
        element: template.node(fault.node).id.clone(),
        track: fault.track.map(|track| track.0),
        instance: instance.0,
        message: fault.message.clone(),
    })
}

fn unheard(tally: &Tally) -> Vec<Undelivered> {
    let unheard = tally.unheard.iter().map(|cause| {
        let (cause, name) = cause_words(cause);
        Undelivered {
            cause,
            name: Some(name.to_owned()),
            line: None,
        }
    });
    unheard.collect()
}

fn track_report(template: &Template, live: &[TrackView], track: &TrackTally) -> TrackReport {
    TrackReport {
        id: track.id.0,
        parent: track.parent.map(|parent| parent.0),
        merged_into: track.merged_into.map(|into| into.0),
        state: state(template, live, track),
        path: track.path.iter().map(|&node| template.node(node).id.clone()).collect(),
    }
}

/// TRK-1. A track whose sub-process runs is running.
fn state(template: &Template, live: &[TrackView], track: &TrackTally) -> &'static str {
    match (track.ended, track.merged_into) {
        (Some(state), _) => return final_name(state),
        (None, Some(_)) => return "Merged",
        (None, None) => {}
    }
    let Ok(at) = live.binary_search_by_key(&track.id, |view| view.id) else {
        return "Running";
    };
    let view = &live[at];
    let hosts = template.node(view.node).element == "subProcess";
    if hosts { "Running" } else { phase_name(view.phase) }
}
