//! One model, run under many seeds of one strategy in one world.

use std::sync::Arc;

use trackside_engine::InstanceId;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, Grain, Options, Record};
use trackside_engine::model::notation;
use trackside_engine::template::{Compiled, Template, compile};
use trackside_engine::world::{Action, Part, World};
use trackside_sim::schedule::Strategy;

/// No run of these small models is longer.
const STEPS_MAX: usize = 2_000;

/// Timers at any time, conditions free, re-arming triggers three times.
pub(crate) fn open() -> Options {
    Options {
        conditions: Conditions::Symbolic,
        timed: false,
        refires: Some(3),
        ..Options::default()
    }
}

/// The token game: a step and its arrival are one, so that counts have closed forms.
pub(crate) fn atomic() -> Options {
    Options {
        grain: Grain::Atomic,
        ..Options::default()
    }
}

/// The nodes in the order in which a run executed them, with a space behind each.
pub(crate) fn executed(track: &Track) -> String {
    let template = &track.world.templates()[0];
    let nodes = track.log.iter().filter_map(|(_, record)| match record {
        Record::Stepped { node, .. } => Some(template.node(*node).id.as_str()),
        _ => None,
    });
    nodes.flat_map(|id| [id, " "]).collect()
}

/// In which order the flows of a join got their tokens, by their places among them.
pub(crate) fn arrivals(track: &Track, join: &str) -> Vec<u32> {
    let template = &track.world.templates()[0];
    let join = template.find(join).expect("the join");
    let place = |flow| {
        template
            .incoming(join)
            .iter()
            .zip(0..)
            .find(|(other, _)| **other == flow)
    };
    let arrived = track.log.iter().filter_map(|(_, record)| match record {
        Record::Arrived { flow, node, .. } if *node == join => place(*flow).map(|(_, at)| at),
        _ => None,
    });
    arrived.collect()
}

pub(crate) fn template(model: &str) -> Arc<Template> {
    let file = notation::parse(model).unwrap_or_else(|error| panic!("{error}\n{model}"));
    let template = compile(&file, &file.processes[0], &Compiled::default());
    Arc::new(template.unwrap_or_else(|problems| panic!("{problems:#?}\n{model}")))
}

/// A world in which one instance runs after another.
pub(crate) struct Track {
    pub(crate) world: World,
    pub(crate) log: Vec<(u64, Record)>,
    pub(crate) actions: Vec<Action>,
}

impl Track {
    pub(crate) fn new(template: &Arc<Template>, options: Options) -> Self {
        let mut world = World::new(options);
        world.add(Arc::clone(template));
        let (log, actions) = (Vec::new(), Vec::new());
        Self { world, log, actions }
    }

    /// One run; its records are in the log.
    pub(crate) fn run(&mut self, strategy: &mut dyn Strategy) {
        let Self { world, log, actions } = self;
        world.reset();
        log.clear();
        actions.clear();
        world.start(0, 0, Data::default());
        let mut note = |world: &World| {
            let at = world.transitions();
            log.extend(world.records().iter().map(|(_, record)| (at, record.clone())));
        };
        note(world);
        while actions.len() < STEPS_MAX {
            let Some(action) = strategy.choose(world, Part::All) else {
                break;
            };
            actions.push(action);
            world.apply(action).expect("what is chosen is enabled");
            note(world);
        }
    }

    pub(crate) fn ended(&self) -> bool {
        self.world.instance(InstanceId(0)).end().is_some()
    }
}
