//! An engine driven by numbers, with the reference following every step.

use std::sync::Arc;

use serde_json::Value;
use trackside_engine::InstanceId;
use trackside_engine::expr::Data;
use trackside_engine::instance::{
    ComplexReset, Conditions, Environment, Grain, Instance, Options, OrJoin, Outcome, Record,
};
use trackside_engine::model::{Definitions, notation};
use trackside_engine::template::{Compiled, compile};
use trackside_engine::world::{Action, Class, Label, Part, World};
use trackside_sim::oracle::invariants::Invariants;
use trackside_sim::oracle::{Deed, Reference, Violation};

/// The variables of generated models; all of them are Booleans.
pub(crate) const VARIABLES: [&str; 3] = ["c", "again", "done"];

/// Tokens that a run may have: where every signal doubles them, nothing new is to be seen.
const TRACKS_MAX: usize = 24;

/// An engine with its judges.
pub(crate) struct Walk {
    pub(crate) world: World,
    pub(crate) id: InstanceId,
    pub(crate) reference: Reference,
    pub(crate) invariants: Invariants,
    pub(crate) log: Vec<Record>,
    pub(crate) follows: usize,
}

pub(crate) fn parse(model: &str) -> Definitions {
    notation::parse(model).unwrap_or_else(|error| panic!("the model is of the notation: {error}\n{model}"))
}

/// The options that a number stands for; two of them (both rules, both grains) are always different for neighbours.
pub(crate) fn options(number: u64) -> Options {
    let bit = |at: u32| number >> at & 1 == 1;
    Options {
        grain: if bit(0) { Grain::Atomic } else { Grain::Protocol },
        or_join: if bit(1) { OrJoin::Conservative } else { OrJoin::Standard },
        complex_reset: if bit(2) {
            ComplexReset::Standard
        } else {
            ComplexReset::Silent
        },
        conditions: if bit(3) { Conditions::Data } else { Conditions::Symbolic },
        timed: bit(4),
        refires: if bit(5) { Some(2) } else { None },
        environment: Environment {
            failures: bit(6),
            cancel: bit(7),
            late: bit(8),
            births: false,
        },
        ..Options::default()
    }
}

fn data(number: u64) -> Data {
    let values = VARIABLES.iter().zip(0..);
    Arc::new(
        values
            .map(|(name, at)| ((*name).to_owned(), Value::Bool(number >> at & 1 == 1)))
            .collect(),
    )
}

impl Walk {
    pub(crate) fn begin(model: &str, options: Options, number: u64) -> Result<Self, Violation> {
        let file = parse(model);
        let compiled = compile(&file, &file.processes[0], &Compiled::default());
        let template = compiled.unwrap_or_else(|problems| panic!("the model compiles: {problems:#?}\n{model}"));
        let reference = Reference::new(&file, 0, &Compiled::default(), &options);
        let reference = reference.unwrap_or_else(|refused| panic!("{refused}\n{model}"));
        let mut world = World::new(options);
        let births = template.births().len();
        let process = world.add(Arc::new(template));
        let birth = number as usize % births;
        let id = world.start(process, birth, data(number));
        let (invariants, log, follows) = (Invariants::default(), Vec::new(), 0);
        let mut walk = Self {
            world,
            id,
            reference,
            invariants,
            log,
            follows,
        };
        walk.observe(Deed::Start(birth))?;
        Ok(walk)
    }

    pub(crate) fn instance(&self) -> &Instance {
        self.world.instance(self.id)
    }

    /// Lets the judges look at the last transition.
    pub(crate) fn observe(&mut self, deed: Deed<'_>) -> Result<(), Violation> {
        self.follows += 1;
        let own = self.world.records().iter().filter(|(of, _)| *of == self.id);
        let records = own.map(|(_, record)| record);
        self.log.extend(records.clone().cloned());
        self.reference.follow(&self.world, self.id, deed)?;
        let instance = self.world.instance(self.id);
        self.invariants.observe(records, instance.live_tracks(), instance.end())
    }

    pub(crate) fn apply(&mut self, action: Action) -> Result<(), Violation> {
        let label = self.world.label(action);
        self.world.apply(action).expect("the action is enabled");
        self.observe(Deed::Action {
            label,
            outcome: action.outcome(),
        })
    }

    /// What the number picks: an action with its choices, or an input from outside. `false` if there is nothing.
    pub(crate) fn step(&mut self, pick: u64) -> Result<bool, Violation> {
        let enabled = self.world.enabled(Part::All);
        if self.instance().end().is_none() && (pick >> 56).is_multiple_of(16) {
            return self.input(pick).map(|()| true);
        }
        let Some(&action) = enabled.get((pick % enabled.len().max(1) as u64) as usize) else {
            return Ok(false);
        };
        let (outcomes, ways) = self.world.choices(action);
        self.apply(action.choose((pick >> 16) as u32 % outcomes, (pick >> 32) as u32 % ways))?;
        Ok(true)
    }

    /// Something with data from outside: they change, work ends with some, a message or a signal comes.
    fn input(&mut self, pick: u64) -> Result<(), Violation> {
        let values = data(pick >> 8);
        let working = self
            .instance()
            .tracks()
            .into_iter()
            .find_map(|track| track.activation());
        match (pick % 4, working) {
            (0, Some(work)) => {
                let label = Label {
                    class: Class::Completion,
                    instance: Some(self.id),
                    track: Some(work.track),
                    run: None,
                    node: Some(work.node),
                };
                self.world.complete(self.id, work, &Outcome::Ok, &values, 0);
                self.observe(Deed::Action { label, outcome: 0 })
            }
            (1, _) => {
                self.world.message("m", &values, (pick >> 32) as u32);
                self.observe(Deed::Message("m"))
            }
            (2, _) => {
                self.world.signal("g", &values);
                self.observe(Deed::Signal("g"))
            }
            _ => {
                let label = Label {
                    class: Class::Data,
                    instance: Some(self.id),
                    track: None,
                    run: None,
                    node: None,
                };
                self.world.set(self.id, &values);
                self.observe(Deed::Action { label, outcome: 0 })
            }
        }
    }
}

/// Follows a run of this model under these choices; gives how many transitions that were.
pub(crate) fn walk(model: &str, options: Options, number: u64, picks: &[u64]) -> Result<Walk, Violation> {
    let mut walk = Walk::begin(model, options, number)?;
    for &pick in picks {
        // What an event from outside starts beside it is another instance's story.
        let goes_on = walk.step(pick)? && walk.world.instances().count() == 1;
        if !goes_on || walk.instance().tracks().len() > TRACKS_MAX {
            break;
        }
    }
    Ok(walk)
}

/// A sequence of numbers from one (splitmix64).
pub(crate) fn numbers(seed: u64, count: usize) -> Vec<u64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    (0..count).map(|_| next()).collect()
}
