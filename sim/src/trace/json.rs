//! Trace lines for programs: one JSON object per record, its fields in a fixed order.
//!
//! Every line has `version`, `kind` (`"record"`), `step`, `time` (virtual milliseconds), `instance`, `action` (what
//! caused it) and `record` (its kind); then what the kind has. Tracks are numbers, in order of birth; elements and flows
//! are ids.

use serde::Serialize;
use trackside_engine::instance::{Cause, End, Outcome, Record};
use trackside_engine::template::Template;
use trackside_engine::{FlowId, NodeId, TrackId};

use super::words::{
    cause_words, end_name, fault_name, final_name, life_cycle_name, mode_name, phase_name, trigger_name,
    withdrawal_name,
};
use super::{Event, Missed, Object, TRACE_VERSION, What};

/// The line of an event, without a line break: the canonical form that trace hashes are made of.
pub fn json(event: &Event<'_>) -> String {
    let line = Object::new()
        .with("version", TRACE_VERSION)
        .with("kind", "record")
        .with("step", event.step)
        .with("time", event.time)
        .with("instance", event.instance.0)
        .with("action", event.deed.name());
    let line = match (event.what, event.template) {
        (What::Missed(missed), _) => missed_fields(line, missed),
        (What::Record(record), Some(template)) => Fields { line, template }.record(record),
        // What reached no instance has nothing but a cause.
        (What::Record(Record::Undelivered { cause }), None) => cause_fields(line.with("record", "undelivered"), cause),
        (What::Record(_), None) => line,
    };
    line.finish()
}

fn missed_fields(line: Object, missed: &Missed) -> Object {
    let line = line.with("record", "undelivered").with("cause", missed.command);
    line.with("name", &missed.element)
}

fn cause_fields(line: Object, cause: &Cause) -> Object {
    let (kind, name) = cause_words(cause);
    line.with("cause", kind).with("name", name)
}

/// A line in the making, with what turns indices into ids.
struct Fields<'t> {
    line: Object,
    template: &'t Template,
}

impl Fields<'_> {
    fn kind(self, kind: &str) -> Self {
        self.with("record", kind)
    }

    fn with(mut self, name: &str, value: impl Serialize) -> Self {
        self.line = self.line.with(name, value);
        self
    }

    fn track(self, track: TrackId) -> Self {
        self.with("track", track.0)
    }

    fn maybe_track(self, name: &str, track: Option<TrackId>) -> Self {
        self.with(name, track.map(|track| track.0))
    }

    fn element(self, node: NodeId) -> Self {
        let id = &self.template.node(node).id;
        self.with("element", id)
    }

    fn flow(self, flow: FlowId) -> Self {
        let id = &self.template.flow(flow).id;
        self.with("flow", id)
    }

    fn maybe_flow(self, name: &str, flow: Option<FlowId>) -> Self {
        let id = flow.map(|flow| &self.template.flow(flow).id);
        self.with(name, id)
    }

    /// Every kind is named, so that a new one is not forgotten here.
    fn record(self, record: &Record) -> Object {
        match record {
            Record::Born { .. }
            | Record::Stepped { .. }
            | Record::Left { .. }
            | Record::Arrived { .. }
            | Record::Parked { .. }
            | Record::TrackEnded { .. } => self.of_track(record),
            Record::JoinFired { .. }
            | Record::Resumed { .. }
            | Record::Merged { .. }
            | Record::Trailing { .. }
            | Record::Rearmed { .. } => self.of_join(record),
            Record::WorkStarted { .. }
            | Record::WorkEnded { .. }
            | Record::WorkAskedToStop { .. }
            | Record::Discarded { .. }
            | Record::Interrupted { .. } => self.of_work(record),
            Record::Armed { .. } | Record::Fired { .. } | Record::Refired { .. } | Record::Disarmed { .. } => {
                self.of_subscription(record)
            }
            Record::Thrown { .. }
            | Record::Undelivered { .. }
            | Record::ScopeOpened { .. }
            | Record::ScopeCompleted { .. }
            | Record::ScopeWithdrawn { .. }
            | Record::DataChanged { .. }
            | Record::Clock { .. }
            | Record::InstanceEnded { .. } => self.of_instance(record),
        }
        .line
    }

    fn of_track(self, record: &Record) -> Self {
        match record {
            Record::Born {
                track,
                parent,
                node,
                flow,
            } => {
                let line = self.kind("born").track(*track).maybe_track("parent", *parent);
                line.element(*node).maybe_flow("flow", *flow)
            }
            Record::Stepped { track, node } => self.kind("stepped").track(*track).element(*node),
            Record::Left { track, flow } => self.kind("left").track(*track).flow(*flow),
            Record::Arrived { track, flow, node } => self.kind("arrived").track(*track).flow(*flow).element(*node),
            Record::Parked {
                track,
                flow,
                node,
                phase,
            } => {
                let line = self.kind("parked").track(*track).flow(*flow).element(*node);
                line.with("state", phase_name(*phase))
            }
            Record::TrackEnded { track, node, state } => {
                let line = self.kind("track-ended").track(*track).element(*node);
                line.with("state", final_name(*state))
            }
            _ => self,
        }
    }

    fn of_join(self, record: &Record) -> Self {
        match record {
            Record::JoinFired { node, survivor, flows } => {
                let ids: Vec<&str> = flows.iter().map(|&f| self.template.flow(f).id.as_str()).collect();
                let line = self.kind("join-fired").element(*node);
                line.maybe_track("survivor", Some(*survivor)).with("flows", ids)
            }
            Record::Resumed { track, node } => self.kind("resumed").track(*track).element(*node),
            Record::Merged { track, into, node } => {
                let line = self.kind("merged").track(*track).maybe_track("into", Some(*into));
                line.element(*node)
            }
            Record::Trailing { track, flow, node } => self.kind("trailing").track(*track).flow(*flow).element(*node),
            Record::Rearmed { node } => self.kind("rearmed").element(*node),
            _ => self,
        }
    }

    fn of_work(self, record: &Record) -> Self {
        match record {
            Record::WorkStarted { track, node } => self.kind("work-started").track(*track).element(*node),
            Record::WorkEnded { track, node, outcome } => {
                let line = self.kind("work-ended").track(*track).element(*node);
                match outcome {
                    Outcome::Ok => line.with("outcome", "ok"),
                    Outcome::Error(code) => line.with("outcome", "error").with("code", code),
                    Outcome::Failure(text) => line.with("outcome", "failure").with("message", text),
                }
            }
            Record::WorkAskedToStop { track, node } => self.kind("work-asked-to-stop").track(*track).element(*node),
            Record::Discarded { track, node } => self.kind("discarded").track(*track).element(*node),
            Record::Interrupted {
                track,
                node,
                by,
                state,
                code,
            } => {
                let by = &self.template.node(*by).id;
                let line = self.kind("interrupted").track(*track).element(*node).with("by", by);
                line.with("state", life_cycle_name(*state)).with("code", code)
            }
            _ => self,
        }
    }

    fn of_subscription(self, record: &Record) -> Self {
        match record {
            Record::Armed {
                watcher,
                node,
                host,
                trigger,
                mode,
                target,
                code,
                due,
            } => {
                let line = self.kind("armed").with("watcher", watcher.0).element(*node);
                let line = line.maybe_track("host", *host).with("trigger", trigger_name(*trigger));
                let line = line.with("mode", mode_name(*mode)).maybe_flow("target", *target);
                line.with("code", code).with("due", due)
            }
            Record::Fired {
                watcher,
                node,
                host,
                trigger,
                mode,
                target,
                code,
            } => {
                let line = self.kind("fired").with("watcher", watcher.0).element(*node);
                let line = line.maybe_track("host", *host).with("trigger", trigger_name(*trigger));
                let line = line.with("mode", mode_name(*mode)).maybe_flow("target", *target);
                line.with("code", code)
            }
            Record::Refired { watcher, node, due } => {
                let line = self.kind("refired").with("watcher", watcher.0);
                line.element(*node).with("due", due)
            }
            Record::Disarmed {
                watcher,
                node,
                host,
                why,
            } => {
                let line = self.kind("disarmed").with("watcher", watcher.0).element(*node);
                line.maybe_track("host", *host).with("why", withdrawal_name(*why))
            }
            _ => self,
        }
    }

    fn of_instance(self, record: &Record) -> Self {
        match record {
            Record::Thrown { track, node, cause } => {
                let mut line = self.kind("thrown").track(*track).element(*node);
                line.line = cause_fields(line.line, cause);
                line
            }
            Record::Undelivered { cause } => {
                let mut line = self.kind("undelivered");
                line.line = cause_fields(line.line, cause);
                line
            }
            Record::ScopeOpened { scope, host } => self.kind("scope-opened").scope(*scope, *host),
            Record::ScopeCompleted { scope, host } => self.kind("scope-completed").scope(*scope, *host),
            Record::ScopeWithdrawn { scope, host } => self.kind("scope-withdrawn").scope(*scope, *host),
            Record::DataChanged { names } => self.kind("data-changed").with("names", names),
            Record::Clock { now } => self.kind("clock").with("now", now),
            Record::InstanceEnded { end } => self.kind("instance-ended").end(end),
            _ => self,
        }
    }

    /// A scope by its sub-process, or, for the process, by that.
    fn scope(self, scope: trackside_engine::ScopeId, host: Option<TrackId>) -> Self {
        let template = self.template;
        let id = match template.scope(scope).host {
            Some(node) => &template.node(node).id,
            None => template.id(),
        };
        self.with("element", id).maybe_track("host", host)
    }

    fn end(self, end: &End) -> Self {
        let line = self.with("end", end_name(end));
        let End::Faulted(fault) = end else { return line };
        let line = line.with("fault", fault_name(fault.kind)).element(fault.node);
        let line = line.maybe_track("track", fault.track).with("code", &fault.code);
        line.with("message", &fault.message).with("values", &fault.values)
    }
}
