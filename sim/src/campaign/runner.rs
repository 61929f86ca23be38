//! One model under many schedules: each is run from the start to the end and judged transition by transition.

use std::sync::Arc;

use trackside_engine::InstanceId;
use trackside_engine::expr::Data;
use trackside_engine::instance::End;
use trackside_engine::problem::Problem;
use trackside_engine::template::{Template, compile};
use trackside_engine::world::{Action, Part, World};

use super::case::Case;
use crate::oracle::{Deed, Panel, Violation};
use crate::run::begin;
use crate::schedule::Strategy;

/// So many transitions a schedule may have in all.
pub(super) const STEPS_MAX: u64 = 300;
/// Every so many transitions there is an audit (V10).
const AUDIT_EVERY: u64 = 13;
/// So many tracks an instance may have: where every turn of a loop doubles them, nothing new is to be seen.
pub(super) const TRACKS_MAX: usize = 48;

/// How a schedule ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ended {
    Completed,
    Terminated,
    Faulted,
    Canceled,
    /// Nothing is left to do, and tokens remain.
    Stuck,
    /// A bound came first.
    #[default]
    Bounded,
}

/// What came of one schedule.
#[derive(Clone, Debug, Default)]
pub(super) struct Ran {
    /// How many transitions it had, the start included.
    pub(super) actions: u64,
    pub(super) ended: Ended,
    pub(super) violation: Option<Violation>,
}

impl Ran {
    /// A run that the engine's own panic put an end to.
    pub(super) fn of_panic(violation: Violation) -> Self {
        Self {
            violation: Some(violation),
            ..Self::default()
        }
    }
}

/// Looks on.
pub(super) trait Watch {
    /// The instance has started.
    fn started(&mut self, _world: &World, _instance: InstanceId) {}
    /// This action is about to be applied.
    fn before(&mut self, _world: &World, _action: Action) {}
    /// It has been applied.
    fn after(&mut self, _world: &World) {}
    /// The judges had nothing to say against it.
    fn judged(&mut self, _world: &World) {}
    /// The run is over.
    fn finished(&mut self, _world: &World) {}
}

/// Nobody looks on.
impl Watch for () {}

/// A model, compiled, with the judges of its runs. Memory is kept from one schedule to the next.
pub(super) struct Runner {
    pub(super) world: World,
    pub(super) template: Arc<Template>,
    process: usize,
    births: Vec<usize>,
    data: Data,
    panel: Panel,
    pub(super) steps_max: u64,
}

impl Runner {
    /// Compiles the model of a case.
    ///
    /// # Errors
    ///
    /// The problems, if the model can't be compiled.
    pub(super) fn new(case: &Case) -> Result<Self, Vec<Problem>> {
        let (definitions, process) = (&*case.definitions, case.process);
        let (compiled, options) = (case.compiled(), case.settings.engine_options(false));
        let template = Arc::new(compile(definitions, &definitions.processes[process], &compiled)?);
        let mut world = World::new(options);
        let births = begin::possible(&template);
        let process_in_world = world.add(Arc::clone(&template));
        Ok(Self {
            world,
            template,
            process: process_in_world,
            births,
            data: Arc::new(case.settings.variables.clone()),
            panel: Panel::new(definitions, process, &compiled, &options).audit_every(AUDIT_EVERY),
            steps_max: case.settings.steps_max.min(STEPS_MAX),
        })
    }

    /// The way in which the instance begins under this schedule of this seed: all possible ones in turn.
    pub(super) fn birth(&self, (seed, schedule): (u64, u32)) -> usize {
        let turn = seed.wrapping_add(u64::from(schedule)) % self.births.len() as u64;
        self.births[turn as usize]
    }

    /// The way in which it begins unless a token says otherwise.
    pub(super) fn first_birth(&self) -> usize {
        self.births[0]
    }

    /// Whether the reference judges this model too, and not only what records tell.
    pub(super) fn is_complete(&self) -> bool {
        self.panel.is_complete()
    }

    /// Runs one schedule: begun in one of the possible ways, chosen by `strategy`.
    pub(super) fn run(&mut self, birth: usize, strategy: &mut dyn Strategy, watch: &mut dyn Watch) -> Ran {
        self.world.reset();
        self.panel.restart();
        let instance = self.world.start(self.process, birth, Data::clone(&self.data));
        watch.started(&self.world, instance);
        let judged = self.panel.observe(&self.world, instance, Deed::Start(birth));
        let judged = judged.and_then(|()| {
            watch.judged(&self.world);
            self.go_on(instance, strategy, watch)
        });
        watch.finished(&self.world);
        let ended = self.ended(instance);
        let violation = judged.err().or_else(|| self.unexplained(instance, ended));
        Ran {
            actions: self.world.transitions(),
            ended,
            violation,
        }
    }

    /// Runs one schedule without the judges.
    pub(super) fn replay(&mut self, birth: usize, strategy: &mut dyn Strategy, watch: &mut dyn Watch) {
        self.world.reset();
        let instance = self.world.start(self.process, birth, Data::clone(&self.data));
        watch.started(&self.world, instance);
        while !self.is_bounded(instance)
            && let Some(action) = strategy.choose(&self.world, Part::All)
        {
            watch.before(&self.world, action);
            // Where it is not enabled, the run is no replay: those who compare will see that.
            if self.world.apply(action).is_err() {
                break;
            }
            watch.after(&self.world);
        }
        watch.finished(&self.world);
    }

    fn go_on(
        &mut self,
        instance: InstanceId,
        strategy: &mut dyn Strategy,
        watch: &mut dyn Watch,
    ) -> Result<(), Violation> {
        while !self.is_bounded(instance) {
            let Some(action) = strategy.choose(&self.world, Part::All) else {
                break;
            };
            watch.before(&self.world, action);
            let deed = Deed::of(&self.world, action);
            let applied = self.world.apply(action).is_ok();
            assert!(applied, "a strategy chooses among enabled actions");
            watch.after(&self.world);
            self.panel.observe(&self.world, instance, deed)?;
            watch.judged(&self.world);
        }
        Ok(())
    }

    /// Whoever can't go on has to say what for (INS-6).
    fn unexplained(&self, instance: InstanceId, ended: Ended) -> Option<Violation> {
        let silent = ended == Ended::Stuck && self.world.instance(instance).waits().is_empty();
        silent.then(|| Violation {
            invariant: "V5",
            rule: "INS-6",
            node: None,
            message: "the instance is stuck and waits for nothing".to_owned(),
        })
    }

    fn is_bounded(&self, instance: InstanceId) -> bool {
        self.world.transitions() >= self.steps_max || self.world.instance(instance).track_count() > TRACKS_MAX
    }

    fn ended(&self, instance: InstanceId) -> Ended {
        match self.world.instance(instance).end() {
            Some(End::Completed) => Ended::Completed,
            Some(End::Terminated) => Ended::Terminated,
            Some(End::Faulted(_)) => Ended::Faulted,
            Some(End::Canceled) => Ended::Canceled,
            None if self.is_bounded(instance) => Ended::Bounded,
            None => Ended::Stuck,
        }
    }
}
