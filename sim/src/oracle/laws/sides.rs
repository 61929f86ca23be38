//! V15: instances side by side in one world record what each would record alone (INS-11), as long as no message or signal
//! goes from one to another.

use trackside_engine::InstanceId;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Options, Record};
use trackside_engine::template::Shared;
use trackside_engine::world::{Action, Class, Part, World};

use super::determinism::{Divergence, Trace};
use crate::oracle::Violation;
use crate::schedule::Dice;

/// One instance among others: how it begins, and how many transitions it may make.
#[derive(Clone, Debug)]
pub struct Apart {
    /// What it executes.
    pub template: Shared,
    /// By which of the template's ways it begins.
    pub birth: usize,
    /// Its process data.
    pub data: Data,
    /// Its schedule, as a seed.
    pub seed: u64,
    /// How many transitions it makes at most.
    pub steps_max: u64,
}

/// An instance with its own dice: what it does next depends on nothing but itself.
struct Driven {
    id: InstanceId,
    dice: Dice,
    steps_left: u64,
}

impl Driven {
    fn begin(world: &mut World, apart: &Apart) -> Self {
        let template = world.add(Shared::clone(&apart.template));
        let id = world.start(template, apart.birth, apart.data.clone());
        Self {
            id,
            dice: Dice::new(apart.seed),
            steps_left: apart.steps_max,
        }
    }

    /// One of its own actions: steps, arrivals and external work. Events come from outside, and may be for several.
    fn choose(&mut self, world: &World) -> Option<Action> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        let own = |action: &Action| {
            let inside = matches!(action.class(), Class::Step | Class::Arrival | Class::Completion);
            action.instance() == Some(self.id) && inside
        };
        let own: Vec<Action> = world.enabled(Part::All).into_iter().filter(own).collect();
        if own.is_empty() {
            return None;
        }
        let action = own[self.dice.below(own.len() as u64) as usize];
        let (outcomes, ways) = world.choices(action);
        let outcome = self.dice.below(u64::from(outcomes.max(1))) as u32;
        Some(action.choose(outcome, self.dice.below(u64::from(ways.max(1))) as u32))
    }
}

/// Runs it alone, untimed; gives its trace.
pub fn solo(apart: &Apart, options: Options) -> Trace {
    side_by_side(std::slice::from_ref(apart), options, &mut |_| 0).0
}

/// All of them in one world, in turns that `turns` picks among those that still go on; and whether some transition of one
/// touched another.
fn side_by_side(all: &[Apart], options: Options, turns: &mut dyn FnMut(usize) -> usize) -> (Trace, bool) {
    let mut world = World::new(Options {
        timed: false,
        ..options
    });
    let (mut trace, mut touched) = (Trace::default(), false);
    let mut running = Vec::new();
    for apart in all {
        running.push(Driven::begin(&mut world, apart));
        trace.note(&world);
    }
    while !running.is_empty() {
        let turn = turns(running.len()) % running.len();
        let Some(action) = running[turn].choose(&world) else {
            running.remove(turn);
            continue;
        };
        if world.apply(action).is_ok() {
            trace.note(&world);
            // Who else listens to what is thrown is a choice too, whoever gets it in the end.
            let concerns = |(of, record): &(InstanceId, Record)| {
                *of != running[turn].id || matches!(record, Record::Thrown { .. })
            };
            touched |= world.records().iter().any(concerns);
        }
    }
    (trace, touched)
}

/// Runs all of them side by side in one world, in turns under a seed, and compares the records of each with `alone`, its
/// trace from a run by itself ([`solo`]). `false` if that says nothing, because one threw a message or signal, which is
/// for all to hear.
///
/// # Errors
///
/// [`Violation`] of V15 names the instance and the first record that differs.
pub fn beside(all: &[Apart], alone: &[Trace], options: Options, turns: u64) -> Result<bool, Violation> {
    let mut dice = Dice::new(turns);
    let (trace, touched) = side_by_side(all, options, &mut |running| dice.below(running as u64) as usize);
    if touched {
        return Ok(false);
    }
    for (id, alone) in (0..).map(InstanceId).zip(alone) {
        let own = trace.of(id).transitions().iter().map(|part| renamed(part)).collect();
        let alone = alone.of(InstanceId(0));
        if let Some(divergence) = Divergence::between(&alone, &own) {
            let message = format!("instance {id} alone (one) and beside others (the other): {divergence}");
            return Err(Violation::new("V15", "INS-11", None, message));
        }
    }
    Ok(true)
}

/// Alone, every instance is the first.
fn renamed(part: &[(InstanceId, Record)]) -> Vec<(InstanceId, Record)> {
    part.iter().map(|(_, record)| (InstanceId(0), record.clone())).collect()
}
