//! One execution of a template, as the world drives it and as others see it (INS-3, INS-4). The loop is in `step`.
//!
//! An [`Instance`] is data plus one rule: all its state is changed by one transition at a time. [`crate::world::World`]
//! drives it; a driver reads it through the views here.

mod agenda;
mod ahead;
mod audit;
mod canonical;
mod cx;
mod diagnose;
mod invariant;
mod join;
mod mark;
mod options;
#[cfg(feature = "planted-faults")]
mod planted;
mod raise;
mod record;
mod scope;
mod slab;
mod state;
mod step;
mod timer;
mod told;
mod watch;

use std::collections::BTreeMap;

use crate::expr::Data;
use crate::ids::{NodeId, TrackId};
use crate::template::{Birth, EventRef, Shared, Template};

pub(crate) use agenda::{Agenda, Deed, Entry};
pub(crate) use cx::Cx;
pub(crate) use mark::mark;
pub(crate) use state::{Core, Owner, ScopeIx, ScopeRun, Token, TokenIx, WatcherIx};
pub(crate) use watch::no_data;

pub use audit::Disagreement;
pub use diagnose::{Missing, Wait};
pub use mark::CoverageMark;
pub use options::{ComplexReset, Conditions, Environment, Grain, Joins, Options, OrJoin};
pub use record::{
    Cause, End, Fault, FaultKind, Final, LifeCycle, Mode, Outcome, RECORD_VERSION, Record, TriggerKind, Withdrawal,
};
pub use state::Phase;

/// A thrown message or signal on its way to the world.
#[derive(Clone, Debug)]
pub(crate) struct Thrown {
    pub(crate) event: EventRef,
    pub(crate) payload: Data,
    pub(crate) choice: u32,
    pub(crate) token: TokenIx,
    pub(crate) track: TrackId,
}

/// How many tokens an instance may hold. A model whose loops multiply its tokens would have no end of them otherwise.
pub const TOKENS_MAX: usize = 1 << 20;

/// One execution of a template.
#[derive(Clone, Debug)]
pub struct Instance {
    template: Shared,
    pub(crate) core: Core,
}

/// Where a token of a given marking stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// At a node of the process, about to execute it.
    At(NodeId),
    /// In transit on a flow of the process.
    On(crate::ids::FlowId),
}

/// One activation of external work. A track that comes back to a node begins another one there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Activation {
    /// Who does it.
    pub track: TrackId,
    /// Where.
    pub node: NodeId,
    /// The number of the transition that began it ([`crate::world::World::transitions`]).
    pub began: u64,
}

/// A live track and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackView {
    /// Its id.
    pub id: TrackId,
    /// The node it is at, or is going to.
    pub node: NodeId,
    /// The flow it is in transit or parked on.
    pub flow: Option<crate::ids::FlowId>,
    /// What it is doing.
    pub phase: Phase,
    /// Whether it waits for external work.
    pub external: bool,
    /// The number of the transition in which its external work began.
    pub began: u64,
}

impl TrackView {
    /// The external work it waits for.
    pub fn activation(&self) -> Option<Activation> {
        let Self {
            id: track, node, began, ..
        } = *self;
        self.external.then_some(Activation { track, node, began })
    }
}

impl Instance {
    /// An instance that has been created and not yet been started.
    pub(crate) fn new(template: Shared, data: Data, options: Options, now: i64) -> Self {
        let mut subscribers = Vec::new();
        timer::clear_lists(&mut subscribers, template.names().events().len());
        let core = Core {
            options,
            tokens: slab::Slab::default(),
            scopes: slab::Slab::default(),
            watchers: slab::Slab::default(),
            late: slab::Slab::default(),
            inside: Agenda::default(),
            outside: Agenda::default(),
            parkings: 0,
            subscribers,
            timers: timer::Sorted::new(),
            schedules: BTreeMap::new(),
            due: 0,
            waiting: Vec::new(),
            freed: Vec::new(),
            data,
            keys: BTreeMap::new(),
            now,
            transition: 0,
            parts: 0,
            end: None,
            crowded: false,
            news: false,
            chain: 0,
            chain_of: 0,
            next_track: 0,
            next_watcher: 0,
            next_run: 0,
            work: std::collections::VecDeque::new(),
            outbox: std::collections::VecDeque::new(),
            records: Vec::new(),
            #[cfg(debug_assertions)]
            lives_before: 0,
            reach: crate::template::Reach::default(),
            taken: Vec::new(),
            #[cfg(feature = "planted-faults")]
            planted: planted::Planted::default(),
            #[cfg(feature = "coverage-marks")]
            marks: mark::Marks::default(),
        };
        Self { template, core }
    }

    /// The same as [`Self::new`], in memory that an instance before has used.
    pub(crate) fn renew(&mut self, template: &Shared, data: Data, options: Options, now: i64) {
        let core = &mut self.core;
        core.tokens.clear();
        core.scopes.rewind(|run| run.open = false);
        core.watchers.clear();
        core.late.clear();
        core.inside.clear();
        core.outside.clear();
        // Trees give their memory back when they are cleared, which costs even when they are empty.
        if !core.timers.is_empty() {
            core.timers.clear();
        }
        if !core.schedules.is_empty() {
            core.schedules.clear();
        }
        core.waiting.clear();
        core.freed.clear();
        core.parts = 0;
        if !core.keys.is_empty() {
            core.keys.clear();
        }
        core.work.clear();
        core.outbox.clear();
        core.records.clear();
        timer::clear_lists(&mut core.subscribers, template.names().events().len());
        (core.parkings, core.transition, core.due, core.news) = (0, 0, 0, false);
        core.crowded = false;
        #[cfg(debug_assertions)]
        {
            core.lives_before += 1;
        }
        #[cfg(feature = "coverage-marks")]
        {
            core.marks = mark::Marks::default();
        }
        (core.next_track, core.next_watcher, core.next_run) = (0, 0, 0);
        (core.chain, core.chain_of) = (0, 0);
        #[cfg(feature = "planted-faults")]
        {
            core.planted = planted::Planted::default();
        }
        (core.options, core.data, core.now, core.end) = (options, data, now, None);
        if !Shared::ptr_eq(&self.template, template) {
            self.template = Shared::clone(template);
        }
    }

    /// The template it executes.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// How it ended, once it has.
    pub fn end(&self) -> Option<&End> {
        self.core.end.as_ref()
    }

    /// Process data.
    pub fn data(&self) -> &Data {
        &self.core.data
    }

    /// How many tracks live.
    pub fn track_count(&self) -> usize {
        self.core.tokens.used()
    }

    /// All live tracks, in order of birth.
    pub fn tracks(&self) -> Vec<TrackView> {
        let mut views: Vec<_> = self.live_tracks().collect();
        views.sort_by_key(|view| view.id);
        views
    }

    /// All live tracks, in an order of no meaning: what [`Self::tracks`] gives, for whoever looks after every transition.
    pub fn live_tracks(&self) -> impl Iterator<Item = TrackView> {
        let live = self.core.tokens.all().filter(|(_, t)| t.phase != Phase::Dead);
        #[cfg(feature = "planted-faults")]
        let live = live.filter(|(_, t)| !self.core.hides(t));
        live.map(|(_, t)| TrackView {
            id: t.id,
            node: t.node,
            flow: t.flow.some(),
            phase: t.phase,
            external: t.phase == Phase::Waiting && self.template.kind(t.node).external(),
            began: t.began,
        })
    }

    #[inline]
    fn transact<R>(&mut self, deed: impl FnOnce(&mut Cx<'_>) -> R) -> R {
        let mut cx = Cx {
            t: &self.template,
            core: &mut self.core,
        };
        let result = deed(&mut cx);
        cx.settle();
        result
    }

    /// Starts the instance.
    pub(crate) fn start(&mut self, birth: &Birth, payload: Option<&Data>) {
        self.transact(|cx| {
            let root = cx.open_scope(crate::ids::ScopeId(0), ScopeIx::NONE, TokenIx::NONE);
            if let Some(values) = payload {
                cx.write(values);
            }
            cx.arm_handlers(root);
            if cx.core.end.is_some() {
                return;
            }
            let t = cx.t;
            match birth.node {
                Some(node) => t.kind(node).instantiate(cx, root, birth.arm),
                None => cx.begin(root, None),
            }
        });
    }

    /// Starts the instance in a given marking of its root scope.
    pub(crate) fn start_marked(&mut self, marking: &[Mark]) {
        self.transact(|cx| {
            let root = cx.open_scope(crate::ids::ScopeId(0), ScopeIx::NONE, TokenIx::NONE);
            cx.arm_handlers(root);
            for &mark in marking {
                match mark {
                    Mark::At(node) => {
                        let token = cx.born_at(root, None, node);
                        cx.ready(token);
                    }
                    Mark::On(flow) => {
                        let source = cx.t.flow(flow).source;
                        let token = cx.born_at(root, None, source);
                        cx.put_on(token, flow);
                    }
                }
            }
        });
    }

    /// Performs the oldest deeds, from transition `from` on, until there is none, one is an event, or the world has to
    /// look. Gives the number of the last transition.
    pub(crate) fn run(&mut self, outside: bool, from: u64, steps_max: u64) -> u64 {
        let mut cx = Cx {
            t: &self.template,
            core: &mut self.core,
        };
        let last = from.saturating_add(steps_max);
        cx.core.transition = from;
        while cx.core.transition < last && !cx.core.news {
            let inside = cx.core.inside.oldest();
            let entry = match (inside, if outside { cx.core.outside.oldest() } else { None }) {
                (Some(inside), Some(outside)) if outside.born < inside.born => outside,
                (None, Some(outside)) => outside,
                (Some(inside), _) => inside,
                (None, None) => break,
            };
            if entry.deed == Deed::Fire {
                break;
            }
            let (deed, slot) = (entry.deed, entry.slot);
            cx.core.transition += 1;
            cx.perform(deed, slot, 0, 0);
            cx.settle();
        }
        cx.core.transition
    }

    pub(crate) fn perform(&mut self, deed: Deed, slot: u32, outcome: u32, choice: u32) {
        self.transact(|cx| cx.perform(deed, slot, outcome, choice));
    }

    pub(crate) fn deliver(&mut self, watcher: WatcherIx, payload: Option<&Data>, choice: Option<u32>) {
        // A chain of causes of its own, also beside other receivers of one signal.
        self.core.chain = 0;
        self.transact(|cx| cx.fire(watcher, payload, None, choice));
    }

    /// One part of what the world does in this transition has been done; after the last one the joins decide (ORJ-6).
    pub(crate) fn conclude(&mut self) {
        self.core.parts -= 1;
        self.transact(|_| {});
    }

    pub(crate) fn thrown(&mut self, token: TokenIx, track: TrackId, choice: u32) {
        self.core.parts -= 1;
        self.transact(|cx| {
            mark!(cx.core, ThrowerGone if !cx.lives(token, track));
            if cx.lives(token, track) {
                let t = cx.t;
                t.kind(cx.token(token).node).thrown(cx, token, choice);
            }
        });
    }

    pub(crate) fn complete(&mut self, token: TokenIx, outcome: &Outcome, data: &Data, choice: u32) {
        self.transact(|cx| cx.complete(token, outcome, Some(data), choice));
    }

    pub(crate) fn discard(&mut self, track: TrackId, node: NodeId) {
        let late = self
            .core
            .late
            .all()
            .find(|(_, late)| late.track == track && late.node == node);
        let slot = late.map(|(slot, _)| slot);
        self.transact(|cx| {
            if let Some(slot) = slot {
                cx.core.forget_late(slot);
            }
            mark!(cx.core, LateAnswerBrought);
            cx.record(|_| Record::Discarded { track, node });
        });
    }

    pub(crate) fn set(&mut self, values: &Data) {
        self.transact(|cx| cx.write(values));
    }

    pub(crate) fn cancel(&mut self) {
        self.transact(|cx| cx.end(End::Canceled, None));
    }

    pub(crate) fn ring(&mut self, now: i64) {
        self.core.now = now;
        self.transact(|cx: &mut Cx<'_>| cx.ring());
    }

    /// The outcomes that external work of `token` may have in the default environment: well, then one per code that an
    /// enclosing catcher matches, then (by option) a technical failure.
    pub(crate) fn outcomes(&self, token: TokenIx) -> u32 {
        let node = self.core.tokens.get(token.0).node;
        let codes = self.template.chances[node.ix()].codes;
        1 + codes + u32::from(self.core.options.environment.failures)
    }

    /// In how many ways the track at `node` can choose its way out, where conditions are symbolic.
    pub(crate) fn ways(&self, node: NodeId) -> u32 {
        match self.core.options.conditions {
            Conditions::Data => 1,
            Conditions::Symbolic => self.template.chances[node.ix()].ways,
        }
    }
}
