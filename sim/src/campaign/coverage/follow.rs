//! An observer's picture of an instance, drawn from records alone: where each track is, what each scope run holds, and
//! what is armed.

use trackside_engine::instance::{Conditions, Options};
use trackside_engine::{FlowId, NodeId, TrackId, WatcherId};

use super::facts::{Catcher, Facts};
use super::words::{Join, State, Trigger};

/// No run, no track.
pub(super) const NONE: u32 = u32::MAX;

/// A track, alive or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
    pub(super) node: NodeId,
    pub(super) flow: FlowId,
    /// The scope run it is in.
    pub(super) run: u32,
    /// The run below it.
    pub(super) child: u32,
    /// What it is doing; nothing when it has ended.
    pub(super) state: Option<State>,
    /// Whether it parked behind another one on its flow.
    pub(super) surplus: bool,
    /// The host beside which it was born.
    pub(super) beside: u32,
    /// How many were born beside it.
    pub(super) branches: u32,
}

/// A scope run, open or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) scope: u32,
    pub(super) host: u32,
    pub(super) parent: u32,
    pub(super) open: bool,
    /// How many are doing what.
    pub(super) counts: [u32; State::WORDS.len()],
}

impl Run {
    pub(super) const fn has(&self, state: State) -> bool {
        self.counts[state.ix()] > 0
    }

    /// Whether tokens are parked at joins.
    pub(super) const fn parks(&self) -> bool {
        self.has(State::And) || self.has(State::Or) || self.has(State::Complex)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.counts == [0; State::WORDS.len()]
    }
}

/// What a flow into a join holds in one scope run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lane {
    pub(super) queue: u32,
    /// Whether a firing has taken a token off it.
    pub(super) taken: bool,
    /// Whether the open wave of a complex join has.
    pub(super) used: bool,
}

/// A subscription, armed or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watcher {
    pub(super) node: NodeId,
    /// The track that owns it.
    pub(super) owner: u32,
    /// The scope run that owns it.
    pub(super) run: u32,
    pub(super) fired: u32,
    pub(super) due: Option<i64>,
    /// The transition that armed it.
    pub(super) since: u64,
    /// Its place among the armed ones.
    place: u32,
}

/// The picture.
#[derive(Debug, Default)]
pub(super) struct Picture {
    pub(super) tracks: Vec<Track>,
    pub(super) runs: Vec<Run>,
    /// By run and flow.
    pub(super) lanes: Vec<Lane>,
    pub(super) watchers: Vec<Watcher>,
    /// The numbers of those that are armed.
    pub(super) armed: Vec<u32>,
    /// The number of tracks that are alive.
    pub(super) alive: u32,
    flows: usize,
    /// The run that was opened last.
    pub(super) newest: u32,
    /// The run in which an event sub-process is about to be opened.
    pub(super) handler_in: u32,
    pub(super) now: i64,
    pub(super) transition: u64,
    options: Options,
}

impl Picture {
    pub(super) fn begin(&mut self, facts: &Facts, options: &Options) {
        self.tracks.clear();
        self.runs.clear();
        self.lanes.clear();
        self.watchers.clear();
        self.armed.clear();
        (self.alive, self.newest, self.handler_in) = (0, NONE, NONE);
        (self.now, self.transition, self.flows) = (0, 0, facts.flows.len());
        self.options = *options;
    }

    #[inline]
    pub(super) fn track(&self, track: TrackId) -> &Track {
        &self.tracks[track.ix()]
    }

    #[inline]
    pub(super) fn run_of(&self, track: TrackId) -> &Run {
        &self.runs[self.tracks[track.ix()].run as usize]
    }

    #[inline]
    pub(super) fn lane(&mut self, run: u32, flow: FlowId) -> &mut Lane {
        &mut self.lanes[run as usize * self.flows + flow.ix()]
    }

    #[inline]
    pub(super) fn set(&mut self, track: TrackId, state: Option<State>) {
        let track = &mut self.tracks[track.ix()];
        let counts = &mut self.runs[track.run as usize].counts;
        if let Some(before) = track.state {
            counts[before.ix()] -= 1;
        }
        if let Some(after) = state {
            counts[after.ix()] += 1;
        }
        track.state = state;
    }

    /// A track is born at a node. Its run is that of its parent, or the one below it, or, without a parent, the one that
    /// has just been opened.
    pub(super) fn born(&mut self, facts: &Facts, track: TrackId, parent: Option<TrackId>, node: NodeId) {
        debug_assert_eq!(track.ix(), self.tracks.len(), "tracks are numbered in order of birth");
        let scope = facts.node(node).scope;
        let run = match parent {
            Some(parent) => {
                let parent = self.track(parent);
                if self.runs[parent.run as usize].scope == scope {
                    parent.run
                } else {
                    parent.child
                }
            }
            None if self.runs[self.newest as usize].scope == scope => self.newest,
            None => 0,
        };
        self.tracks.push(Track {
            node,
            flow: FlowId::NONE,
            run,
            child: NONE,
            state: Some(State::Ready),
            surplus: false,
            beside: NONE,
            branches: 0,
        });
        self.runs[run as usize].counts[State::Ready.ix()] += 1;
        self.alive += 1;
    }

    /// A track has gone.
    pub(super) fn gone(&mut self, track: TrackId) {
        let Track { state, run, flow, .. } = self.tracks[track.ix()];
        if matches!(state, Some(State::And | State::Or | State::Complex)) {
            self.unpark(run, flow);
        }
        if state.is_some() {
            self.alive -= 1;
        }
        self.set(track, None);
    }

    pub(super) fn unpark(&mut self, run: u32, flow: FlowId) {
        let lane = self.lane(run, flow);
        debug_assert!(lane.queue > 0, "what was parked is on its flow");
        lane.queue = lane.queue.saturating_sub(1);
    }

    /// A scope run opens: below its host, or as the event sub-process that is about to start, or as the process.
    pub(super) fn open(&mut self, scope: u32, host: Option<TrackId>) {
        let run = self.runs.len() as u32;
        let parent = match host {
            Some(host) => {
                self.tracks[host.ix()].child = run;
                self.set(host, Some(State::Hosting));
                self.track(host).run
            }
            None => std::mem::replace(&mut self.handler_in, NONE),
        };
        if host.is_none() && parent != NONE {
            self.runs[parent as usize].counts[State::Handler.ix()] += 1;
        }
        self.runs.push(Run {
            scope,
            host: host.map_or(NONE, |host| host.0),
            parent,
            open: true,
            counts: [0; State::WORDS.len()],
        });
        self.lanes.resize(self.runs.len() * self.flows, Lane::default());
        self.newest = run;
    }

    /// A scope run is gone.
    pub(super) fn close(&mut self, scope: u32, host: Option<TrackId>) {
        let run = if let Some(host) = host {
            std::mem::replace(&mut self.tracks[host.ix()].child, NONE)
        } else {
            let drained = |run: &Run| run.open && run.host == NONE && run.scope == scope && run.is_empty();
            self.runs.iter().position(drained).map_or(NONE, |run| run as u32)
        };
        if run == NONE {
            return;
        }
        let Run { parent, .. } = self.runs[run as usize];
        self.runs[run as usize].open = false;
        match host {
            Some(host) if self.track(host).state.is_some() => self.set(host, Some(State::Ready)),
            None if parent != NONE => self.runs[parent as usize].counts[State::Handler.ix()] -= 1,
            _ => {}
        }
    }

    pub(super) fn arm(
        &mut self,
        facts: &Facts,
        watcher: WatcherId,
        node: NodeId,
        host: Option<TrackId>,
        due: Option<i64>,
    ) {
        debug_assert_eq!(
            watcher.ix(),
            self.watchers.len(),
            "subscriptions are numbered in order of arming"
        );
        let handler = facts.node(node).catcher == Some(Catcher::Handler);
        let owner = if handler { None } else { host };
        if let Some(owner) = owner
            && self.track(owner).state == Some(State::Ready)
        {
            self.set(owner, Some(State::Catching));
        }
        self.watchers.push(Watcher {
            node,
            owner: owner.map_or(NONE, |owner| owner.0),
            run: if owner.is_some() { NONE } else { self.newest },
            fired: 0,
            due,
            since: self.transition,
            place: self.armed.len() as u32,
        });
        self.armed.push(watcher.0);
    }

    pub(super) fn disarm(&mut self, watcher: WatcherId) {
        let place = self.watchers[watcher.ix()].place as usize;
        debug_assert_eq!(self.armed[place], watcher.0, "what is torn down was armed");
        self.armed.swap_remove(place);
        if let Some(&moved) = self.armed.get(place) {
            self.watchers[moved as usize].place = place as u32;
        }
    }

    /// Whether a subscription that is armed could fire by an action of its own.
    pub(super) fn is_offered(&self, facts: &Facts, watcher: &Watcher) -> bool {
        let node = facts.node(watcher.node);
        let stays = matches!(node.catcher, Some(Catcher::Boundary | Catcher::Handler)) && !node.interrupting;
        let worn = |most| watcher.fired >= most && (watcher.fired > 0 || stays);
        if self.options.refires.is_some_and(worn) {
            return false;
        }
        match node.trigger {
            Some(Trigger::Message) => !self.is_eclipsed(facts, watcher),
            Some(Trigger::Signal) => true,
            Some(Trigger::Timer) => watcher.due.is_none_or(|due| due <= self.now),
            Some(Trigger::Conditional) => self.options.conditions == Conditions::Symbolic,
            Some(Trigger::Error | Trigger::Escalation) | None => false,
        }
    }

    /// ESP-2: whether a handler inside is armed for the message of a boundary event.
    fn is_eclipsed(&self, facts: &Facts, watcher: &Watcher) -> bool {
        if watcher.owner == NONE {
            return false;
        }
        let child = self.tracks[watcher.owner as usize].child;
        child != NONE
            && self
                .armed()
                .any(|other| other.run == child && waits_for_the_same(facts, other, watcher))
    }

    pub(super) fn armed(&self) -> impl Iterator<Item = &Watcher> {
        self.armed.iter().map(|&at| &self.watchers[at as usize])
    }

    /// The tracks that are alive, oldest first.
    pub(super) fn alive(&self) -> impl Iterator<Item = &Track> {
        self.tracks.iter().filter(|track| track.state.is_some())
    }

    pub(super) fn conditions(&self) -> Conditions {
        self.options.conditions
    }

    pub(super) fn options(&self) -> &Options {
        &self.options
    }
}

/// Whether two subscriptions are for the same message, or for the same signal.
pub(super) fn waits_for_the_same(facts: &Facts, one: &Watcher, other: &Watcher) -> bool {
    let (one, other) = (facts.node(one.node), facts.node(other.node));
    let named = matches!(one.trigger, Some(Trigger::Message | Trigger::Signal));
    named && one.trigger == other.trigger && one.name == other.name
}

/// The state of a token that is parked at a join of this kind.
pub(super) const fn parked(join: Join) -> State {
    match join {
        Join::And => State::And,
        Join::Or => State::Or,
        Join::Complex => State::Complex,
    }
}
