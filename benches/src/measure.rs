//! Running instances to their end, and medians over interleaved rounds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use trackside_engine::expr::Data;
use trackside_engine::instance::{End, Grain, Options};
use trackside_engine::template::Template;
use trackside_engine::world::{Action, Class, Part, World};

/// Settings for measuring the core: no records, the token game of the standard.
pub fn quiet() -> Options {
    Options {
        grain: Grain::Atomic,
        records: false,
        ..Options::default()
    }
}

/// A world with one template, in which one instance after the other runs.
#[derive(Debug)]
pub struct Bench {
    world: World,
    data: Data,
}

impl Bench {
    /// A world for instances of `template`.
    pub fn new(template: &Arc<Template>, options: Options) -> Self {
        let mut world = World::new(options);
        world.add(Arc::clone(template));
        Self {
            world,
            data: Data::default(),
        }
    }

    /// Runs one instance to its end in the default order; gives the number of transitions.
    ///
    /// # Panics
    ///
    /// If it does not complete: a figure from such a run would mean nothing.
    pub fn run(&mut self) -> u64 {
        self.world.reset();
        let instance = self.world.start(0, 0, Arc::clone(&self.data));
        self.world.run(Part::All, u64::MAX);
        assert_eq!(self.world.instance(instance).end(), Some(&End::Completed));
        self.world.transitions()
    }
}

/// A world with one instance, in which the same external work ends and begins again and again.
#[derive(Debug)]
pub struct Again {
    world: World,
    action: Action,
}

impl Again {
    /// Starts an instance of `template`, which settles with the work of `node` running.
    ///
    /// # Panics
    ///
    /// If it does not.
    pub fn new(template: &Arc<Template>, node: &str) -> Self {
        let mut world = World::new(quiet());
        world.add(Arc::clone(template));
        world.start(0, 0, Data::default());
        world.run(Part::Inside, u64::MAX);
        let node = template.find(node);
        let mut all = world.enabled(Part::All).into_iter();
        let action = all.find(|&action| action.class() == Class::Completion && world.label(action).node == node);
        let action = action.expect("the work is running");
        Self { world, action }
    }

    /// The work ends, and begins again in the transitions that follow.
    ///
    /// # Panics
    ///
    /// If it was not running.
    pub fn run(&mut self) {
        self.world.apply(self.action).expect("the work is running");
        self.world.run(Part::Inside, u64::MAX);
    }
}

/// Times several contenders in turn, round by round, so that noise hits all of them alike. Gives, for each, the time of
/// one iteration per round.
pub fn rounds(rounds: usize, at_least: Duration, contenders: &mut [&mut dyn FnMut()]) -> Vec<Vec<Duration>> {
    rounds_within(rounds, at_least, Duration::MAX, contenders)
}

/// The same, where a contender that would take longer than `at_most` over all rounds takes part in fewer of them, though
/// in at least [`ROUNDS_MIN`].
pub fn rounds_within(
    rounds: usize,
    at_least: Duration,
    at_most: Duration,
    contenders: &mut [&mut dyn FnMut()],
) -> Vec<Vec<Duration>> {
    let counts: Vec<(u32, usize)> = contenders
        .iter_mut()
        .map(|contender| {
            let (count, time) = calibrate(at_least, *contender);
            let affordable = at_most.as_nanos() / time.as_nanos().max(1);
            (count, rounds.min(affordable.max(ROUNDS_MIN) as usize))
        })
        .collect();
    let mut times = vec![Vec::with_capacity(rounds); contenders.len()];
    for round in 0..rounds {
        for ((contender, &(count, rounds)), times) in contenders.iter_mut().zip(&counts).zip(&mut times) {
            if round >= rounds {
                continue;
            }
            let start = Instant::now();
            for _ in 0..count {
                contender();
            }
            times.push(start.elapsed() / count);
        }
    }
    times
}

/// How many rounds everyone takes part in.
pub const ROUNDS_MIN: u128 = 3;

/// How many iterations take that long, and how long they took.
fn calibrate(at_least: Duration, contender: &mut dyn FnMut()) -> (u32, Duration) {
    let mut count = 1;
    loop {
        let start = Instant::now();
        for _ in 0..count {
            contender();
        }
        let time = start.elapsed();
        if time >= at_least || count > 1 << 24 {
            return (count, time);
        }
        count *= 2;
    }
}

/// The median and the quartiles of some times.
///
/// # Panics
///
/// If there are none.
pub fn quartiles(times: &[Duration]) -> [Duration; 3] {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = |quarter: usize| sorted[(sorted.len() - 1) * quarter / 4];
    [at(1), at(2), at(3)]
}
