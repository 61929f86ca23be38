//! Node kinds: one room each (INS-2).
//!
//! A room is one file that holds a kind's configuration (the struct, shared by all instances), what its runtime words
//! mean (one set per scope run) and its behaviour (the [`Node`] methods). The loop calls the methods; it knows no kinds.
//! A new kind is a new file and a line in [`REGISTRY`].

mod boundary;
mod build;
mod catch;
mod complex;
mod end;
mod event_gate;
mod exclusive;
pub(crate) mod exit;
mod inclusive;
mod link;
mod parallel;
#[cfg(feature = "planted-faults")]
mod planted;
mod spec;
mod start;
mod sub_process;
mod task;
mod throw;

use std::fmt;

use crate::ids::{FlowId, NodeId};
use crate::instance::{Cx, Mode, ScopeIx, TokenIx, WatcherIx};
use crate::template::{Effect, EventRef, Template};

pub(crate) use build::{Build, Surroundings, build};
pub(crate) use complex::threshold;
pub(crate) use spec::{CodeIndex, Coded, Spec, Timing, code};

/// The behaviour of a node kind. `self` is configuration and never changes; state is reached through [`Cx`].
pub(crate) trait Node: fmt::Debug + Send + Sync {
    // ---- what kind of thing it is ----

    /// How many runtime words it keeps in each scope run.
    fn words(&self) -> u32 {
        0
    }

    /// Whether tokens can be parked on its incoming flows; only then is [`Self::arrive`] called.
    fn queues(&self) -> bool {
        false
    }

    /// Whether it is a join that fires when nothing more can come (ORJ).
    fn awaits_reachable(&self) -> bool {
        false
    }

    /// Whether it asks what can still come to it (ORJ, CPX), so that the index is to know it.
    fn asks_ahead(&self) -> bool {
        self.awaits_reachable()
    }

    /// Whether its step is nothing but leaving by [`exit`], so that with one unconditional flow the loop can do that
    /// without entering the room.
    fn passes(&self) -> bool {
        false
    }

    /// Atomic grain: whether an arriving token executes it in the same transition.
    fn prompt(&self) -> bool {
        false
    }

    /// Whether a token that waits here waits for external work.
    fn external(&self) -> bool {
        false
    }

    /// What it catches.
    fn spec(&self) -> Option<&Spec> {
        None
    }

    /// What its subscription is to the model.
    fn mode(&self) -> Mode {
        Mode::Catching
    }

    /// Whether its subscription stays armed after it fired.
    fn stays_armed(&self) -> bool {
        self.mode() == Mode::NonInterrupting
    }

    /// Whether its subscription takes its host, or the scope around it, away when it fires (BND-3, ESP-1).
    fn interrupts(&self) -> bool {
        self.mode() == Mode::Interrupting
    }

    /// The message it throws when it executes: the world has to choose a receiver.
    fn throws(&self) -> Option<EventRef> {
        None
    }

    /// What executing it does beyond its own track, for drivers.
    fn effect(&self) -> Effect {
        self.throws().map_or(Effect::None, Effect::Throws)
    }

    /// In how many ways a token can leave it when conditions are free choices.
    fn ways(&self, t: &Template) -> u32 {
        let _ = t;
        1
    }

    // ---- what it does ----

    /// Registers a token that was in transit on `flow`.
    fn arrive(&self, cx: &mut Cx<'_>, token: TokenIx, flow: FlowId) {
        let _ = flow;
        cx.ready(token);
    }

    /// The one execution step (TRK-6).
    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32);

    /// A join takes its decision, on the arrival of `completing` or again after another transition (ORJ-6). Says whether
    /// it fired.
    fn decide(&self, cx: &mut Cx<'_>, scope: ScopeIx, completing: Option<TokenIx>) -> bool {
        let _ = (cx, scope, completing);
        false
    }

    /// Its subscription received its trigger.
    fn occur(&self, cx: &mut Cx<'_>, watcher: WatcherIx, occasion: Occasion<'_>) {
        let _ = (cx, watcher, occasion);
    }

    /// Its external work ended well.
    fn completed(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        let _ = (cx, token, choice);
    }

    /// The effects of what it threw have been applied, and its token is still there.
    fn thrown(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        let _ = (cx, token, choice);
    }

    /// The scope run below its token has drained.
    fn drained(&self, cx: &mut Cx<'_>, token: TokenIx) {
        let _ = (cx, token);
    }

    /// Creates the first track of an instance here; `arm` is the arm that got the event, or the node itself.
    fn instantiate(&self, cx: &mut Cx<'_>, scope: ScopeIx, arm: NodeId) {
        let _ = arm;
        let node = self.place();
        let token = cx.born_at(scope, None, node);
        cx.ready(token);
    }

    /// The node this room belongs to.
    fn place(&self) -> NodeId;
}

/// What came with a trigger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occasion<'a> {
    /// The code of an error or escalation.
    pub(crate) code: Option<&'a str>,
    /// The way out, if that has been chosen.
    pub(crate) choice: Option<u32>,
}

/// Makes a room for a model node, if it is of its kind.
type Builder = fn(&mut Build<'_, '_>) -> Option<Box<dyn Node>>;

/// All kinds. The order is of no consequence: each builder takes only nodes of its own kind.
const REGISTRY: &[Builder] = &[
    boundary::build,
    catch::build,
    complex::build,
    end::build,
    event_gate::build,
    exclusive::build,
    inclusive::build,
    link::build,
    parallel::build,
    start::build,
    sub_process::build,
    task::build,
    throw::build,
];
