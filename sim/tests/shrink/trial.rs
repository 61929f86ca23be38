//! A trial whose finding is a question to a run: whether something happened in it.

use std::sync::Arc;

use trackside_engine::InstanceId;
use trackside_engine::instance::Conditions;
use trackside_engine::model::Definitions;
use trackside_engine::template::{Compiled, Template, compile};
use trackside_engine::world::{Part, World};
use trackside_sim::run::Settings;
use trackside_sim::schedule::{Random, Strategy};
use trackside_sim::shrink::{Failing, Recorder, Trial};

/// The most transitions of one run.
const STEPS_MAX: u64 = 300;
/// The one instance of a run.
pub(crate) const ONLY: InstanceId = InstanceId(0);

/// What is looked for: shown the world after each transition, it says whether it has happened.
pub(crate) trait Finding: Default {
    fn after(&mut self, world: &World) -> bool;
}

/// Looks for a finding.
pub(crate) struct Search<F> {
    world: World,
    birth: usize,
    finding: std::marker::PhantomData<F>,
}

/// The settings of all runs here.
pub(crate) fn settings() -> Settings {
    let mut settings = Settings {
        steps_max: STEPS_MAX,
        ..Settings::default()
    };
    settings.options.conditions = Conditions::Symbolic;
    settings.options.timed = false;
    settings
}

fn birth(template: &Template) -> usize {
    let plain =
        |birth: &trackside_engine::template::Birth| birth.node.is_none() || template.awaits(birth.arm).is_none();
    template.births().iter().position(plain).unwrap_or(0)
}

impl<F: Finding> Search<F> {
    pub(crate) fn new() -> Self {
        let (world, finding) = (World::new(settings().engine_options(false)), std::marker::PhantomData);
        Self {
            world,
            birth: 0,
            finding,
        }
    }

    /// The first of some random runs of a model in which it happens.
    pub(crate) fn find(&mut self, model: &Definitions, seeds: std::ops::Range<u64>) -> Option<Failing> {
        assert!(self.prepare(model));
        seeds.into_iter().find_map(|seed| self.fails(&mut Random::new(seed)))
    }
}

impl<F: Finding> Trial for Search<F> {
    fn prepare(&mut self, model: &Definitions) -> bool {
        let Ok(template) = compile(model, &model.processes[0], &Compiled::default()) else {
            return false;
        };
        if template.births().is_empty() {
            return false;
        }
        self.birth = birth(&template);
        self.world = World::new(settings().engine_options(false));
        self.world.add(Arc::new(template));
        true
    }

    fn fails(&mut self, strategy: &mut dyn Strategy) -> Option<Failing> {
        let (world, mut finding) = (&mut self.world, F::default());
        world.reset();
        world.start(0, self.birth, Arc::default());
        let mut recorder = Recorder::new(strategy);
        let mut found = finding.after(world);
        while !found && world.transitions() < STEPS_MAX {
            let Some(action) = recorder.choose(world, Part::All) else {
                break;
            };
            world.apply(action).expect("a strategy chooses among enabled actions");
            found = finding.after(world);
        }
        found.then(|| recorder.failing(world))
    }
}
