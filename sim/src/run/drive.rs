//! The loop: a strategy chooses, the world applies, the log notes.

use trackside_engine::InstanceId;
use trackside_engine::world::{Action, Class, Part, World};

use super::begin::Begin;
use super::log::Log;
use super::report::Undelivered;
use crate::schedule::{Divergence, Replay, Seeded, Strategy};
use crate::token::Plan;
use crate::trace::{Deed, Event, Missed};

/// The index of the chosen process in its world.
pub(super) const MAIN: usize = 0;

/// Who chooses.
pub(super) enum Chooser {
    Seeded(Box<dyn Seeded>),
    Replay(Replay),
}

impl Chooser {
    pub(super) fn of(plan: &Plan) -> Self {
        match plan {
            Plan::Seeded(strategy, seed) => Self::Seeded(strategy.build(*seed)),
            Plan::Deviations(deviations) => Self::Replay(Replay::strict(deviations.iter().cloned())),
        }
    }

    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        match self {
            Self::Seeded(strategy) => strategy.choose(world, part),
            Self::Replay(replay) => replay.choose(world, part),
        }
    }
}

/// A run in progress.
pub(super) struct Drive<'o> {
    pub(super) world: World,
    chooser: Chooser,
    pub(super) log: Log<'o>,
    steps_max: u64,
    /// The bound stopped the run.
    pub(super) bounded: bool,
    /// The element that began the instance, where it is not the first possible one.
    birth: Option<String>,
    pub(super) undelivered: Vec<Undelivered>,
}

impl<'o> Drive<'o> {
    pub(super) fn new(world: World, chooser: Chooser, steps_max: u64, observer: &'o mut dyn FnMut(&Event<'_>)) -> Self {
        Self {
            world,
            chooser,
            log: Log::new(observer),
            steps_max,
            bounded: false,
            birth: None,
            undelivered: Vec::new(),
        }
    }

    /// Runs without a script, until nothing is enabled.
    pub(super) fn run_open(&mut self, begin: &Begin, plan: &Plan) -> InstanceId {
        let way = begin.pick(&begin.births, plan);
        let born = self.start(begin, way);
        self.run_on(Part::All, plan);
        born
    }

    /// Begins the instance.
    pub(super) fn start(&mut self, begin: &Begin, way: usize) -> InstanceId {
        if begin.births.first() != Some(&way) {
            self.birth = begin.element(way).map(ToOwned::to_owned);
        }
        let born = self.world.start(MAIN, way, begin.data.clone());
        self.log.transition(&self.world, Deed::Start);
        born
    }

    /// Applies what the strategy chooses, until it chooses nothing.
    pub(super) fn run_on(&mut self, part: Part, plan: &Plan) {
        while !self.is_over(part) && self.choose_and_apply(part, plan) {}
    }

    /// Applies one action of the strategy's choice; false if it chooses none.
    pub(super) fn choose_and_apply(&mut self, part: Part, plan: &Plan) -> bool {
        let Some(action) = self.chooser.choose(&self.world, part) else {
            return false;
        };
        self.log.choice(&self.world, part, action, plan);
        self.apply(action);
        true
    }

    /// Applies an action that is enabled.
    pub(super) fn apply(&mut self, action: Action) {
        let class = action.class();
        let applied = self.world.apply(action).is_ok();
        assert!(applied, "a strategy chooses among enabled actions");
        self.log.transition(&self.world, Deed::Action(class));
    }

    /// Whether the bound has been reached with something left to do.
    pub(super) fn is_over(&mut self, part: Part) -> bool {
        if self.world.transitions() < self.steps_max {
            return false;
        }
        self.bounded |= self.world.count(part) > 0;
        true
    }

    /// Whether the bound leaves no room for an input.
    pub(super) fn is_full(&mut self) -> bool {
        self.bounded |= self.world.transitions() >= self.steps_max;
        self.bounded
    }

    /// Notes an input that nobody waits for yet.
    pub(super) fn miss(&mut self, class: Class, command: &'static str, element: Option<&str>, line: u32) {
        let missed = Missed {
            command,
            element: element.map(ToOwned::to_owned),
        };
        self.log.missed(&self.world, Deed::Action(class), &missed);
        self.undelivered.push(Undelivered {
            cause: command,
            name: missed.element,
            line: Some(line),
        });
    }

    pub(super) fn birth(&self) -> Option<&str> {
        self.birth.as_deref()
    }

    pub(super) fn schedule(&self, plan: &Plan) -> Plan {
        self.log.schedule(plan)
    }

    pub(super) fn divergence(&self) -> Option<Divergence> {
        match &self.chooser {
            Chooser::Seeded(_) => None,
            Chooser::Replay(replay) => replay.divergence(),
        }
    }
}
