//! Actions: what can happen next, how a driver names it, and how it is applied.

use std::fmt;
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::World;
use crate::ids::{InstanceId, NodeId, TrackId};
use crate::instance::{Deed, Entry, Instance, Owner, Phase, Record, Token, TokenIx, WatcherIx};

/// The class of an action, so that a schedule reads as a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Class {
    /// A track executes its node and leaves.
    Step = 1,
    /// An in-transit track registers at its target.
    Arrival,
    /// External work of a host ends.
    Completion,
    /// External work that was running when its host was interrupted answers.
    Late,
    /// A subscription receives its trigger.
    Firing,
    /// Virtual time jumps to the next due timer.
    Clock,
    /// Process data change from outside.
    Data,
    /// The instance is canceled.
    Control,
}

/// One enabled action, with the choices it implies made. Valid until the next transition.
///
/// Two words, so that it travels in registers: a driver hands one over for every transition.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action {
    /// Instance and slot.
    who: u64,
    /// Class (never 0), outcome and choice.
    how: NonZeroU64,
}

impl Action {
    #[inline]
    const fn new(class: Class, instance: InstanceId, slot: u32) -> Self {
        let who = (instance.0 as u64) << 32 | slot as u64;
        let how = NonZeroU64::new(class as u64).expect("classes are numbered from 1");
        Self { who, how }
    }

    /// Its class.
    #[inline]
    pub const fn class(self) -> Class {
        match self.how.get() & 0xff {
            1 => Class::Step,
            2 => Class::Arrival,
            3 => Class::Completion,
            4 => Class::Late,
            5 => Class::Firing,
            6 => Class::Clock,
            7 => Class::Data,
            _ => Class::Control,
        }
    }

    /// The instance it belongs to; the clock belongs to none.
    #[inline]
    pub fn instance(self) -> Option<InstanceId> {
        InstanceId((self.who >> 32) as u32).some()
    }

    /// Which outcome external work has, from 0: well, the codes that are caught, a failure.
    #[inline]
    pub const fn outcome(self) -> u32 {
        (self.how.get() >> 8) as u32 & 0xffff
    }

    /// Which of the free choices it takes, from 0.
    #[inline]
    pub const fn choice(self) -> u32 {
        (self.how.get() >> 32) as u32
    }

    /// The same action with other choices.
    ///
    /// # Panics
    ///
    /// Never: classes are numbered from 1.
    #[must_use]
    pub const fn choose(self, outcome: u32, choice: u32) -> Self {
        let class = self.how.get() & 0xff;
        let how = class | (outcome as u64 & 0xffff) << 8 | (choice as u64) << 32;
        Self {
            who: self.who,
            how: NonZeroU64::new(how).expect("classes are numbered from 1"),
        }
    }

    #[inline]
    const fn slot(self) -> u32 {
        self.who as u32
    }

    #[inline]
    const fn deed(self) -> Option<Deed> {
        Some(match self.class() {
            Class::Step => Deed::Step,
            Class::Arrival => Deed::Arrive,
            Class::Completion => Deed::Complete,
            Class::Late => Deed::Late,
            Class::Firing => Deed::Fire,
            Class::Clock | Class::Data | Class::Control => return None,
        })
    }

    pub(super) const CLOCK: Self = Self::new(Class::Clock, InstanceId::NONE, 0);

    pub(super) const fn control(instance: InstanceId) -> Self {
        Self::new(Class::Control, instance, 0)
    }

    #[inline]
    pub(super) const fn of(instance: InstanceId, entry: &Entry) -> Self {
        let class = match entry.deed {
            Deed::Step => Class::Step,
            Deed::Arrive => Class::Arrival,
            Deed::Complete => Class::Completion,
            Deed::Late => Class::Late,
            Deed::Fire => Class::Firing,
        };
        Self::new(class, instance, entry.slot)
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Action")
            .field("class", &self.class())
            .field("instance", &self.instance())
            .field("slot", &self.slot())
            .field("outcome", &self.outcome())
            .field("choice", &self.choice())
            .finish()
    }
}

/// What an action is about, in terms that stay the same in another run of the same schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// Its class.
    pub class: Class,
    /// The instance.
    pub instance: Option<InstanceId>,
    /// The track that acts, or that owns the subscription.
    pub track: Option<TrackId>,
    /// The scope run that owns the subscription, in the order in which the instance opened them; 0 is the process.
    pub run: Option<u32>,
    /// The node it acts at, or whose subscription it is.
    pub node: Option<NodeId>,
}

/// An action that is not enabled was to be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the action is not enabled")]
pub struct NotEnabled;

/// Which enabled actions are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of them.
    All,
    /// Steps and arrivals: what happens without the outside.
    Inside,
    /// Timers that are due: what the clock has done and nobody else does (EVT-3). Ties are a choice.
    Due,
}

impl World {
    /// How many actions are enabled, not counting the choices within each.
    pub fn count(&self, part: Part) -> usize {
        if part == Part::Due {
            return self.due().len();
        }
        let inside: usize = self.live.iter().map(|&id| self.core(id).inside.len()).sum();
        if part == Part::Inside {
            return inside;
        }
        let outside: usize = self.live.iter().map(|&id| self.core(id).outside.len()).sum();
        let controls = if self.options.environment.cancel {
            self.live.len()
        } else {
            0
        };
        inside + outside + usize::from(self.clock_may_run()) + controls
    }

    /// The `n`-th enabled action, in an order of no meaning, in constant time per instance.
    ///
    /// # Panics
    ///
    /// If `n` is not below [`Self::count`].
    pub fn nth(&self, part: Part, mut n: usize) -> Action {
        if part == Part::Due {
            return self.due()[n];
        }
        for &id in &self.live {
            let core = self.core(id);
            if n < core.inside.len() {
                return Action::of(id, &core.inside.get(n));
            }
            n -= core.inside.len();
        }
        assert!(part == Part::All, "fewer actions are enabled");
        for &id in &self.live {
            let core = self.core(id);
            if n < core.outside.len() {
                return Action::of(id, &core.outside.get(n));
            }
            n -= core.outside.len();
        }
        if self.clock_may_run() {
            if n == 0 {
                return Action::CLOCK;
            }
            n -= 1;
        }
        assert!(self.options.environment.cancel, "fewer actions are enabled");
        Action::control(self.live[n])
    }

    /// The oldest enabled action: the next one of the default order. The clock comes after all others, and cancellation
    /// last.
    #[inline]
    pub fn oldest(&self, part: Part) -> Option<Action> {
        if part == Part::Due {
            return self.due().into_iter().next();
        }
        let mut oldest: Option<(InstanceId, &Entry)> = None;
        for &id in &self.live {
            let core = self.core(id);
            let outside = if part == Part::All { core.outside.oldest() } else { None };
            for entry in core.inside.oldest().into_iter().chain(outside) {
                if oldest.is_none_or(|(_, best)| entry.born < best.born) {
                    oldest = Some((id, entry));
                }
            }
        }
        match oldest {
            Some((id, entry)) => Some(Action::of(id, entry)),
            None if part == Part::Inside => None,
            None if self.clock_may_run() => Some(Action::CLOCK),
            None if self.options.environment.cancel => self.live.first().map(|&id| Action::control(id)),
            None => None,
        }
    }

    /// The firings of timers that are due, oldest first.
    fn due(&self) -> Vec<Action> {
        let mut due = Vec::new();
        for &id in self.live.iter().filter(|&&id| self.core(id).due > 0) {
            let core = self.core(id);
            let entries = core.outside.by_age().filter(|entry| core.is_due(entry));
            due.extend(entries.map(|entry| (entry.born, Action::of(id, &entry))));
        }
        due.sort_by_key(|(born, _)| *born);
        due.into_iter().map(|(_, action)| action).collect()
    }

    /// All enabled actions, in the default order, with choices 0.
    pub fn enabled(&self, part: Part) -> Vec<Action> {
        if part == Part::Due {
            return self.due();
        }
        let mut entries: Vec<(u64, Action)> = Vec::with_capacity(self.count(part));
        for &id in &self.live {
            let core = self.core(id);
            entries.extend(core.inside.by_age().map(|entry| (entry.born, Action::of(id, &entry))));
            if part == Part::All {
                entries.extend(core.outside.by_age().map(|entry| (entry.born, Action::of(id, &entry))));
            }
        }
        entries.sort_by_key(|(born, _)| *born);
        let mut actions: Vec<Action> = entries.into_iter().map(|(_, action)| action).collect();
        if part == Part::All {
            actions.extend(self.clock_may_run().then_some(Action::CLOCK));
            if self.options.environment.cancel {
                actions.extend(self.live.iter().map(|&id| Action::control(id)));
            }
        }
        actions
    }

    /// How many outcomes an action has, and in how many ways each can be taken: receivers of a message it throws times
    /// ways out where conditions are free.
    pub fn choices(&self, action: Action) -> (u32, u32) {
        let Some(id) = action.instance() else { return (1, 1) };
        let instance = self.instance(id);
        match action.class() {
            Class::Step | Class::Completion => {
                let Token { node, phase, .. } = *instance.core.tokens.get(action.slot());
                if phase == Phase::Leaving {
                    return (1, instance.ways(node));
                }
                let outcomes = if action.class() == Class::Step {
                    1
                } else {
                    instance.outcomes(TokenIx(action.slot()))
                };
                (
                    outcomes,
                    instance.ways(node).saturating_mul(self.receivers_of_throw(id, node)),
                )
            }
            Class::Firing => {
                let node = instance.core.watchers.get(action.slot()).node;
                (1, instance.ways(node))
            }
            _ => (1, 1),
        }
    }

    /// What an action is about.
    pub fn label(&self, action: Action) -> Label {
        let class = action.class();
        let mut label = Label {
            class,
            instance: action.instance(),
            track: None,
            run: None,
            node: None,
        };
        let Some(id) = action.instance() else { return label };
        let core = self.core(id);
        match class {
            Class::Step | Class::Arrival | Class::Completion => {
                let token = core.tokens.get(action.slot());
                (label.track, label.node) = (Some(token.id), Some(token.node));
            }
            Class::Firing => {
                let watcher = core.watchers.get(action.slot());
                label.node = Some(watcher.node);
                match watcher.owner {
                    Owner::Token(token) => label.track = Some(core.tokens.get(token.0).id),
                    Owner::Scope(scope) => label.run = Some(core.scopes.get(scope.0).serial),
                }
            }
            Class::Late => {
                let late = core.late.get(action.slot());
                (label.track, label.node) = (Some(late.track), Some(late.node));
            }
            Class::Clock | Class::Data | Class::Control => {}
        }
        label
    }

    /// The enabled action with this label: what a saved schedule needs.
    pub fn find(&self, label: Label) -> Option<Action> {
        self.enabled(Part::All)
            .into_iter()
            .find(|&action| self.label(action) == label)
    }

    /// Whether an action is enabled now.
    pub fn is_enabled(&self, action: Action) -> bool {
        let Some(id) = action.instance() else {
            return self.clock_may_run();
        };
        let Some(deed) = action.deed() else {
            return self.options.environment.cancel && self.instance(id).end().is_none();
        };
        let core = self.core(id);
        let mut all = core.inside.by_age().chain(core.outside.by_age());
        all.any(|entry| entry.deed == deed && entry.slot == action.slot())
    }

    /// Applies an enabled action; gives the records of what it did, each with its instance.
    ///
    /// # Errors
    ///
    /// [`NotEnabled`] if the action is not enabled; then nothing has happened.
    #[inline]
    pub fn apply(&mut self, action: Action) -> Result<&[(InstanceId, Record)], NotEnabled> {
        let plausible = self.is_plausible(action);
        #[cfg(debug_assertions)]
        self.assert_found(action, plausible);
        if !plausible {
            return Err(NotEnabled);
        }
        self.begin();
        match (action.instance(), action.deed()) {
            (None, _) => self.run_clock(),
            (Some(id), None) => {
                self.lend(id, Instance::cancel);
                self.settle(id);
            }
            (Some(id), Some(Deed::Fire)) => self.fire(id, WatcherIx(action.slot()), action.choice()),
            (Some(id), Some(deed)) => {
                self.lend(id, |instance| {
                    instance.perform(deed, action.slot(), action.outcome(), action.choice());
                });
                self.settle(id);
            }
        }
        Ok(&self.records)
    }

    /// Applies the oldest enabled action again and again (the default order), until none is left or `steps_max` have been
    /// applied; gives how many were. The same as [`Self::oldest`] and [`Self::apply`] in a loop, and what an embedding
    /// program without a strategy of its own wants. Records of all but the last transition are lost, unless it stops
    /// after each.
    ///
    /// # Panics
    ///
    /// Never: the oldest action is enabled.
    pub fn run(&mut self, part: Part, steps_max: u64) -> u64 {
        let mut steps = 0;
        while steps < steps_max {
            if let [only] = self.live[..]
                && part != Part::Due
                && !self.options.records
            {
                steps += self.run_alone(only, part, steps_max - steps);
                if steps == steps_max {
                    break;
                }
            }
            let Some(action) = self.oldest(part) else { break };
            self.apply(action).expect("the oldest action is enabled");
            steps += 1;
        }
        steps
    }

    /// Runs one instance until the world has to look at it: something was thrown, an event is to be delivered, it ended.
    fn run_alone(&mut self, id: InstanceId, part: Part, steps_max: u64) -> u64 {
        let from = self.transition;
        let instance = self.instances[id.ix()]
            .as_deref_mut()
            .expect("a live instance is not forgotten");
        self.transition = instance.run(part == Part::All, self.transition, steps_max);
        self.settle(id);
        self.transition - from
    }

    /// The stand-in says what a look through all entries does.
    #[cfg(debug_assertions)]
    fn assert_found(&self, action: Action, plausible: bool) {
        let samples = |id| self.core(id).samples(self.transition);
        if action.instance().is_none_or(samples) {
            assert_eq!(
                plausible,
                self.is_enabled(action),
                "an action is enabled if it looks so"
            );
        }
    }

    /// A constant-time stand-in for [`Self::is_enabled`].
    #[inline]
    fn is_plausible(&self, action: Action) -> bool {
        match (action.instance(), action.deed()) {
            (None, _) => self.clock_may_run(),
            (Some(id), None) => self.options.environment.cancel && self.instance(id).end().is_none(),
            (Some(id), Some(deed)) => self.core(id).may(deed, action.slot()),
        }
    }

    #[inline]
    pub(super) fn core(&self, id: InstanceId) -> &crate::instance::Core {
        &self.instance(id).core
    }

    /// EVT-3: time goes on once everything has settled and every timer that is due has fired.
    pub(super) fn clock_may_run(&self) -> bool {
        if !self.options.timed {
            return false;
        }
        let mut any = false;
        for &id in &self.live {
            let core = self.core(id);
            if core.inside.len() > 0 || core.due > 0 {
                return false;
            }
            any |= core.has_timers();
        }
        any
    }
}
