//! The runtime state of an instance, as plain values (INS-3, INS-10): tokens, scope runs, subscriptions.
//!
//! Tokens of one scope run are linked, so that ending a scope costs what it holds; so are the subscriptions of one
//! owner and those of one event. Links, slots and ids are identity; what decides behaviour is where the tokens stand
//! and what the words and queues of the scope runs say ([`super::canonical`]).

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use super::agenda::{Agenda, NO_TICKET, Ticket};
use super::slab::Slab;
use super::timer::{self, Clock};
use super::{End, Options, Record, Thrown};
use crate::expr::Data;
use crate::ids::{FlowId, NodeId, ScopeId, TrackId, WatcherId};
use crate::reach::Counters;
use crate::template::{EventRef, Reach};
use crate::time::Schedule;

crate::ids::index! {
    /// The slot of a token.
    TokenIx
}
crate::ids::index! {
    /// The slot of a scope run.
    ScopeIx
}
crate::ids::index! {
    /// The slot of a subscription.
    WatcherIx
}

/// What a live track is doing (TRK-1, and where it is).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// In transit on a flow.
    InTransit,
    /// At a node, about to execute it.
    Ready,
    /// At a node, in the middle of a throw whose effects are being applied.
    Throwing,
    /// At a node that it is done with, about to choose its way out: conditions are free, and what it did there was part of
    /// an action that was about something else (EVT-6).
    Leaving,
    /// At a node, waiting for an event or for external work.
    Waiting,
    /// Parked at a parallel join.
    AwaitingMerge,
    /// Parked at an inclusive or complex join.
    AwaitSync,
    /// Gone.
    Dead,
}

/// A track with its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) id: TrackId,
    /// The node it is at, or is going to.
    pub(crate) node: NodeId,
    /// The flow it is in transit or parked on.
    pub(crate) flow: FlowId,
    pub(crate) phase: Phase,
    /// Whether external work is running (and would have to be stopped, BND-4).
    pub(crate) working: bool,
    pub(crate) scope: ScopeIx,
    /// The scope run below it, where it hosts a sub-process.
    pub(crate) child: ScopeIx,
    pub(crate) watchers: WatcherIx,
    pub(crate) ticket: Ticket,
    /// Neighbours in its scope run.
    pub(crate) prev: TokenIx,
    pub(crate) next: TokenIx,
    /// The next token parked on the same flow.
    pub(crate) behind: TokenIx,
    /// When it parked, in the count of the agenda.
    pub(crate) parked: u64,
    /// The transition in which its external work began.
    pub(crate) began: u64,
}

impl Token {
    pub(crate) fn new(id: TrackId, node: NodeId, scope: ScopeIx) -> Self {
        Self {
            id,
            node,
            flow: FlowId::NONE,
            phase: Phase::Ready,
            working: false,
            scope,
            child: ScopeIx::NONE,
            watchers: WatcherIx::NONE,
            ticket: NO_TICKET,
            prev: TokenIx::NONE,
            next: TokenIx::NONE,
            behind: TokenIx::NONE,
            parked: 0,
            began: 0,
        }
    }
}

/// Tokens parked on one flow, in order of arrival (PAR-2).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queue {
    pub(crate) first: TokenIx,
    pub(crate) last: TokenIx,
    pub(crate) len: u32,
}

impl Queue {
    pub(crate) const EMPTY: Self = Self {
        first: TokenIx::NONE,
        last: TokenIx::NONE,
        len: 0,
    };
}

/// One run of a scope (INS-9).
#[derive(Clone, Debug)]
pub(crate) struct ScopeRun {
    pub(crate) def: ScopeId,
    /// The run around it.
    pub(crate) parent: ScopeIx,
    /// The token that hosts it; none for the root and for event sub-processes.
    pub(crate) host: TokenIx,
    /// Counted up whenever the slot is used again.
    pub(crate) generation: u32,
    /// Its number in the order of opening; the root is 0.
    pub(crate) serial: u32,
    pub(crate) open: bool,
    /// Live tokens and running event sub-processes.
    pub(crate) live: u32,
    /// Arms of a parallel instantiating gate that have not occurred (EVG-4).
    pub(crate) owed: u32,
    /// An interrupting event sub-process has taken over (ESP-1).
    pub(crate) interrupted: bool,
    pub(crate) tokens: TokenIx,
    /// Running event sub-processes, linked by `sibling`.
    pub(crate) handlers: ScopeIx,
    pub(crate) sibling: ScopeIx,
    pub(crate) watchers: WatcherIx,
    /// The runtime words of its nodes.
    pub(crate) words: Vec<u32>,
    /// The queues of its synchronizing joins.
    pub(crate) queues: Vec<Queue>,
    /// Which inclusive joins its tokens hold up; it follows from the tokens and queues.
    pub(crate) counters: Counters,
    /// A token that reached every input of some join when it was looked for ([`super::ahead`]); none that has to be right.
    pub(crate) witness: TokenIx,
}

impl ScopeRun {
    /// Memory for a run.
    pub(crate) fn new() -> Self {
        Self {
            def: ScopeId(0),
            parent: ScopeIx::NONE,
            host: TokenIx::NONE,
            generation: 0,
            serial: 0,
            open: false,
            live: 0,
            owed: 0,
            interrupted: false,
            tokens: TokenIx::NONE,
            handlers: ScopeIx::NONE,
            sibling: ScopeIx::NONE,
            watchers: WatcherIx::NONE,
            words: Vec::new(),
            queues: Vec::new(),
            counters: Counters::default(),
            witness: TokenIx::NONE,
        }
    }
}

/// Who a subscription belongs to: it lives no longer than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    Token(TokenIx),
    Scope(ScopeIx),
}

/// What a subscription waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Waits {
    Event(EventRef),
    Timer {
        due: i64,
        clock: Clock,
    },
    Condition {
        last: bool,
    },
    /// A timer whose value the model leaves open: it may fire at any time.
    Sometime,
    /// Errors and escalations are raised inside; their catchers are found by climbing.
    Raised,
    /// It has been torn down.
    Nothing,
}

/// A subscription.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watcher {
    pub(crate) id: WatcherId,
    /// The catching node.
    pub(crate) node: NodeId,
    pub(crate) owner: Owner,
    pub(crate) waits: Waits,
    /// How often it has fired since it was armed.
    pub(crate) fired: u32,
    /// The number of the transition that armed it, counted by the world.
    pub(crate) armed: u64,
    pub(crate) ticket: Ticket,
    /// The next subscription of the same owner.
    pub(crate) next: WatcherIx,
    pub(crate) prev: WatcherIx,
    /// Neighbours among the subscriptions for the same event, the conditional ones, or the fresh timers.
    pub(crate) event_prev: WatcherIx,
    pub(crate) event_next: WatcherIx,
}

impl Watcher {
    #[inline]
    pub(crate) fn lives(&self) -> bool {
        !matches!(self.waits, Waits::Nothing)
    }
}

/// External work whose host was interrupted and that has not answered yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LateWork {
    pub(crate) track: TrackId,
    pub(crate) node: NodeId,
    pub(crate) ticket: Ticket,
}

/// What is left to do within the current transition.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// Atomic grain: the token arrives at once.
    Arrive(TokenIx, TrackId),
    /// Atomic grain: the token executes its node at once.
    Step(TokenIx, TrackId),
    /// A scope run has no live token left.
    Drained(ScopeIx, u32),
    /// A conditional event became true.
    Fire(WatcherIx, WatcherId),
    /// Process data changed.
    Data,
}

/// First and last subscription for one event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subscribers {
    pub(crate) first: WatcherIx,
    pub(crate) last: WatcherIx,
}

impl Subscribers {
    pub(crate) const NONE: Self = Self {
        first: WatcherIx::NONE,
        last: WatcherIx::NONE,
    };
}

impl Core {
    /// Something is left to do within this transition, caused by what happens now.
    #[inline]
    pub(crate) fn later(&mut self, work: Work) {
        let chain = self.chain_length() + 1;
        self.work.push_back((chain, work));
    }

    #[inline]
    pub(crate) fn chain_length(&self) -> u32 {
        if self.chain_of == self.transition {
            self.chain
        } else {
            0
        }
    }

    /// Late work has answered: it answers once.
    pub(crate) fn forget_late(&mut self, slot: u32) {
        let late = self.late.get_mut(slot);
        late.track = TrackId::NONE;
        let ticket = std::mem::replace(&mut late.ticket, NO_TICKET);
        if ticket != NO_TICKET {
            self.outside.remove(ticket);
        }
        self.late.release(slot);
    }

    /// Whether an entry of the outside is the firing of a timer: on a clock, only what is due is there.
    pub(crate) fn is_due(&self, entry: &super::Entry) -> bool {
        entry.deed == super::Deed::Fire && matches!(self.watchers.get(entry.slot).waits, Waits::Timer { .. })
    }

    /// Whether a deed of a slot is on the agenda.
    #[inline]
    pub(crate) fn may(&self, deed: super::Deed, slot: u32) -> bool {
        let token_in = |phase| {
            self.tokens
                .peek(slot)
                .is_some_and(|t| t.phase == phase && t.ticket != NO_TICKET)
        };
        match deed {
            super::Deed::Step => token_in(Phase::Ready) || token_in(Phase::Leaving),
            super::Deed::Arrive => token_in(Phase::InTransit),
            super::Deed::Complete => token_in(Phase::Waiting),
            super::Deed::Fire => self
                .watchers
                .peek(slot)
                .is_some_and(|w| w.lives() && w.ticket != NO_TICKET),
            super::Deed::Late => self.late.peek(slot).is_some_and(|l| l.ticket != NO_TICKET),
        }
    }
}

/// Everything that changes while an instance runs.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub(crate) options: Options,
    pub(crate) tokens: Slab<Token>,
    pub(crate) scopes: Slab<ScopeRun>,
    pub(crate) watchers: Slab<Watcher>,
    pub(crate) late: Slab<LateWork>,
    /// Steps and arrivals.
    pub(crate) inside: Agenda,
    /// What the outside may do.
    pub(crate) outside: Agenda,
    /// Counts parked tokens, to tell the earliest.
    pub(crate) parkings: u64,
    /// By event, then the conditional ones, then the timers armed since the clock last moved ([`super::timer`]).
    pub(crate) subscribers: Vec<Subscribers>,
    /// The other timers on the clock.
    pub(crate) timers: timer::Sorted,
    /// The schedules of timers that an expression gave.
    pub(crate) schedules: BTreeMap<WatcherId, Schedule>,
    /// Timers that are due and have not fired.
    pub(crate) due: u32,
    /// Inclusive and complex joins that hold a token, earliest first.
    pub(crate) waiting: Vec<(ScopeIx, NodeId)>,
    /// Inclusive joins that have become free to fire in this transition.
    pub(crate) freed: Vec<(ScopeIx, NodeId)>,
    pub(crate) data: Data,
    /// COR-1: the values of the correlation keys that are set.
    pub(crate) keys: BTreeMap<String, Vec<Value>>,
    pub(crate) now: i64,
    pub(crate) transition: u64,
    /// Parts of the current transition that are still to come: throws whose effects are being applied, and receivers of
    /// a signal that others are to get too. Until then no join decides.
    pub(crate) parts: u32,
    pub(crate) end: Option<End>,
    /// There are more tokens than an instance may hold: it is about to fault.
    pub(crate) crowded: bool,
    /// Set when something was thrown or the instance ended: the world has to look.
    pub(crate) news: bool,
    /// How long the chain of works is, each caused by the one before, that what happens now is the end of; and the
    /// transition that it belongs to.
    pub(crate) chain: u32,
    pub(crate) chain_of: u64,
    pub(crate) next_track: u32,
    pub(crate) next_watcher: u32,
    pub(crate) next_run: u32,
    /// What is left to do, each with its place in the chain of causes.
    pub(crate) work: VecDeque<(u32, Work)>,
    pub(crate) outbox: VecDeque<Thrown>,
    pub(crate) records: Vec<Record>,
    /// How many instances have lived in this memory before (see [`super::invariant`]).
    #[cfg(debug_assertions)]
    pub(crate) lives_before: u64,
    pub(crate) reach: Reach,
    pub(crate) taken: Vec<FlowId>,
    /// What a planted fault remembers.
    #[cfg(feature = "planted-faults")]
    pub(crate) planted: super::planted::Planted,
    #[cfg(feature = "coverage-marks")]
    pub(crate) marks: super::mark::Marks,
}
