//! Trace rows for people: a line of columns per record, in plain words.

use std::fmt;

use trackside_engine::instance::{End, Fault, Outcome, Record};
use trackside_engine::template::Template;
use trackside_engine::{FlowId, NodeId, TrackId, time};

use super::words::{cause_words, life_cycle_name, mode_name, trigger_name};
use super::{Event, What};
use trackside_engine::instance::{Final, LifeCycle, Mode, TriggerKind, Withdrawal};

/// The columns of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the transition.
    pub step: u64,
    /// Virtual time, in milliseconds.
    pub time: i64,
    /// Whose it is: a track, with its instance where that is not the first.
    pub track: String,
    /// What caused it.
    pub action: &'static str,
    /// The element, with its name where that says more than its id.
    pub element: String,
    /// What happened.
    pub words: String,
}

impl Row {
    /// The names of the columns.
    pub fn heading() -> String {
        format!(
            "{:>5}  {:<8}  {:<5}  {:<10}  {:<24}  {}",
            "step", "time", "track", "action", "element", "what happens"
        )
    }

    /// The row of an event.
    pub fn of(event: &Event<'_>) -> Self {
        let (track, node, words) = match (event.what, event.template) {
            (What::Record(record), Some(template)) => tell(template, record),
            (What::Record(Record::Undelivered { cause }), None) => (None, None, unheard(cause_words(cause))),
            (What::Record(_), None) => (None, None, String::new()),
            (What::Missed(missed), _) => (
                None,
                None,
                unheard((missed.command, missed.element.as_deref().unwrap_or_default())),
            ),
        };
        let instance = match event.instance.0 {
            0 => String::new(),
            instance => format!("{instance}:"),
        };
        Self {
            step: event.step,
            time: event.time,
            track: format!("{instance}{}", track.map_or(String::new(), |track| track.to_string())),
            action: event.deed.name(),
            element: node
                .zip(event.template)
                .map_or(String::new(), |(node, template)| called(template, node)),
            words,
        }
    }
}

/// `STEP TIME TRACK ACTION ELEMENT WORDS` in columns.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>5}  {:<8}  {:<5}  {:<10}  {:<24}  {}",
            self.step,
            time::display(self.time),
            self.track,
            self.action,
            self.element,
            self.words
        )
    }
}

/// An id, and a name that is another.
fn called(template: &Template, node: NodeId) -> String {
    let info = template.node(node);
    match info.name.as_deref().map(str::trim) {
        Some(name) if !name.is_empty() && name != info.id => {
            format!(
                "{} ({})",
                info.id,
                name.split_whitespace().collect::<Vec<_>>().join(" ")
            )
        }
        _ => info.id.clone(),
    }
}

type Told = (Option<TrackId>, Option<NodeId>, String);

/// Every kind is named, so that a new one is not forgotten here.
fn tell(t: &Template, record: &Record) -> Told {
    match record {
        Record::Born { track, .. }
        | Record::Stepped { track, .. }
        | Record::Left { track, .. }
        | Record::Arrived { track, .. }
        | Record::Parked { track, .. }
        | Record::TrackEnded { track, .. } => tell_track(t, record, *track),
        Record::JoinFired { .. }
        | Record::Resumed { .. }
        | Record::Merged { .. }
        | Record::Trailing { .. }
        | Record::Rearmed { .. } => tell_join(t, record),
        Record::WorkStarted { track, node }
        | Record::WorkEnded { track, node, .. }
        | Record::WorkAskedToStop { track, node }
        | Record::Discarded { track, node }
        | Record::Interrupted { track, node, .. }
        | Record::Thrown { track, node, .. } => (Some(*track), Some(*node), work_words(t, record)),
        Record::Armed { node, .. }
        | Record::Fired { node, .. }
        | Record::Refired { node, .. }
        | Record::Disarmed { node, .. } => tell_subscription(record, *node),
        Record::ScopeOpened { scope, host } => (*host, t.scope(*scope).host, scope_words(t, *scope, "begins")),
        Record::ScopeCompleted { scope, host } => (*host, t.scope(*scope).host, scope_words(t, *scope, "has drained")),
        Record::ScopeWithdrawn { scope, host } => (*host, t.scope(*scope).host, scope_words(t, *scope, "is withdrawn")),
        Record::Undelivered { cause } => (None, None, unheard(cause_words(cause))),
        Record::DataChanged { names } => {
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            (None, None, format!("data are written: {}", names.join(", ")))
        }
        Record::Clock { now } => (None, None, format!("it is {}", time::display(*now))),
        Record::InstanceEnded { end } => (None, None, end_words(t, end)),
    }
}

fn tell_track(t: &Template, record: &Record, track: TrackId) -> Told {
    let id = |flow: &FlowId| &t.flow(*flow).id;
    let (node, words) = match record {
        Record::Born { parent, node, flow, .. } => {
            let from = parent.map_or(String::new(), |parent| format!(", child of track {parent}"));
            let on = flow.map_or(String::new(), |flow| format!(", for {}", id(&flow)));
            (Some(*node), format!("is born{from}{on}"))
        }
        Record::Stepped { node, .. } => (Some(*node), "is executed".to_owned()),
        Record::Left { flow, .. } => (Some(t.flow(*flow).source), format!("leaves along {}", id(flow))),
        Record::Arrived { flow, node, .. } => (Some(*node), format!("arrives by {}", id(flow))),
        Record::Parked { flow, node, .. } => (Some(*node), format!("waits at the join, on {}", id(flow))),
        Record::TrackEnded { node, state, .. } => (Some(*node), final_words(*state).to_owned()),
        _ => (None, String::new()),
    };
    (Some(track), node, words)
}

fn tell_join(t: &Template, record: &Record) -> Told {
    let id = |flow: &FlowId| t.flow(*flow).id.as_str();
    let (track, node, words) = match record {
        Record::JoinFired { node, survivor, flows } => {
            let flows: Vec<_> = flows.iter().map(id).collect();
            (
                Some(survivor),
                node,
                format!("the join fires with {}", flows.join(", ")),
            )
        }
        Record::Resumed { track, node } => (Some(track), node, "goes on as the survivor".to_owned()),
        Record::Merged { track, into, node } => (Some(track), node, format!("is merged into track {into}")),
        Record::Trailing { track, flow, node } => {
            (Some(track), node, format!("came too late by {}, is consumed", id(flow)))
        }
        Record::Rearmed { node } => (None, node, "the join is ready for its next wave".to_owned()),
        _ => return (None, None, String::new()),
    };
    (track.copied(), Some(*node), words)
}

fn work_words(t: &Template, record: &Record) -> String {
    match record {
        Record::WorkStarted { .. } => "work begins".to_owned(),
        Record::WorkEnded { outcome, .. } => ended(outcome),
        Record::WorkAskedToStop { .. } => "work is asked to stop".to_owned(),
        Record::Discarded { .. } => "a late answer is discarded".to_owned(),
        Record::Interrupted { by, state, code, .. } => interrupted(&t.node(*by).id, *state, code.as_deref()),
        Record::Thrown { cause, .. } => {
            let (kind, name) = cause_words(cause);
            format!("throws {kind} {name}")
        }
        _ => String::new(),
    }
}

fn tell_subscription(record: &Record, node: NodeId) -> Told {
    let (host, words) = match record {
        Record::Armed {
            host,
            trigger,
            mode,
            code,
            due,
            ..
        } => (*host, armed(*trigger, *mode, code.as_deref(), *due)),
        Record::Fired {
            host,
            trigger,
            mode,
            code,
            ..
        } => (*host, fired(*trigger, *mode, code.as_deref())),
        Record::Refired { due, .. } => {
            let due = due.map_or(String::new(), |due| format!(", next due {}", time::display(due)));
            (None, format!("stays armed{due}"))
        }
        Record::Disarmed { host, why, .. } => (*host, disarmed(*why).to_owned()),
        _ => (None, String::new()),
    };
    (host, Some(node), words)
}

fn ended(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok => "work ends well".to_owned(),
        Outcome::Error(code) => format!("work ends with error {code}"),
        Outcome::Failure(text) => format!("work fails: {text}"),
    }
}

fn interrupted(by: &str, state: LifeCycle, code: Option<&str>) -> String {
    let code = code.map_or(String::new(), |code| format!(" (error {code})"));
    format!("is {} by {by}{code}", life_cycle_name(state))
}

fn armed(trigger: TriggerKind, mode: Mode, code: Option<&str>, due: Option<i64>) -> String {
    let due = due.map_or(String::new(), |due| format!(", due {}", time::display(due)));
    format!("is armed: {}{due}", what(trigger, mode, code))
}

fn fired(trigger: TriggerKind, mode: Mode, code: Option<&str>) -> String {
    format!("fires: {}", what(trigger, mode, code))
}

fn what(trigger: TriggerKind, mode: Mode, code: Option<&str>) -> String {
    let code = code.map_or(String::new(), |code| format!(" {code}"));
    match mode {
        Mode::Catching => format!("{}{code}", trigger_name(trigger)),
        _ => format!("{}{code}, {}", trigger_name(trigger), mode_name(mode)),
    }
}

const fn disarmed(why: Withdrawal) -> &'static str {
    match why {
        Withdrawal::Taken => "is disarmed: it has fired",
        Withdrawal::Lost => "is disarmed: another arm won",
        Withdrawal::HostEnded => "is disarmed: its host is done",
    }
}

fn unheard((kind, name): (&'static str, &str)) -> String {
    let space = if name.is_empty() { "" } else { " " };
    format!("{kind}{space}{name}: nobody waits for it")
}

fn scope_words(t: &Template, scope: trackside_engine::ScopeId, what: &str) -> String {
    match t.scope(scope).host {
        Some(_) => format!("the sub-process {what}"),
        None => format!("the process {} {what}", t.id()),
    }
}

const fn final_words(state: Final) -> &'static str {
    match state {
        Final::Ended => "ends",
        Final::Canceled => "is canceled",
        Final::Failed => "fails",
    }
}

fn end_words(t: &Template, end: &End) -> String {
    match end {
        End::Completed => "the instance is completed".to_owned(),
        End::Terminated => "the instance is terminated".to_owned(),
        End::Canceled => "the instance is canceled".to_owned(),
        End::Faulted(fault) => format!(
            "the instance faults at {}: {}",
            t.node(fault.node).id,
            fault_words(fault)
        ),
    }
}

/// What happened, with the values that it saw.
fn fault_words(fault: &Fault) -> String {
    if fault.values.is_empty() {
        fault.message.clone()
    } else {
        format!("{} ({})", fault.message, fault.values)
    }
}
