//! Generated models under random schedules: how much of the universe they hit.

use trackside_engine::instance::{ComplexReset, Conditions, Environment, Grain, Options, OrJoin};
use trackside_sim::campaign::coverage::{Coverage, Group, Standing, Universe};
use trackside_sim::generate::{Family, Parameters, model};

use super::drive::schedules;

const MODELS: u64 = 6_000;
const SCHEDULES: u64 = 4;
const STEPS_MAX: u32 = 150;

/// The settings that a number stands for; cancellation and failures are in one of sixteen each, since they end a run.
fn options(number: u64) -> Options {
    let bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
    let bit = |at: u32| bits >> at & 1 == 1;
    let one_in = |n: u64, at: u32| (bits >> at).is_multiple_of(n);
    Options {
        grain: if bit(0) { Grain::Atomic } else { Grain::Protocol },
        or_join: if bit(1) && bit(2) {
            OrJoin::Conservative
        } else {
            OrJoin::Standard
        },
        complex_reset: if bit(3) && bit(4) {
            ComplexReset::Standard
        } else {
            ComplexReset::Silent
        },
        conditions: if one_in(16, 5) {
            Conditions::Data
        } else {
            Conditions::Symbolic
        },
        timed: bit(9),
        refires: Some(3),
        environment: Environment {
            failures: one_in(16, 10),
            cancel: one_in(8, 14),
            late: bit(18),
            births: false,
        },
        ..Options::default()
    }
}

pub(crate) fn campaign(models: u64) -> (Coverage, u64) {
    let mut coverage = Coverage::default();
    let mut transitions = 0;
    for seed in 0..models {
        let parameters = Parameters::of(Family::ALL[seed as usize % 3]).nodes(10 + (seed / 3 % 80) as u32);
        let runs: Vec<(Options, u64)> = (0..SCHEDULES)
            .map(|n| (options(seed * SCHEDULES + n), seed * SCHEDULES + n))
            .collect();
        transitions += schedules(&model(seed, &parameters), &runs, STEPS_MAX, &mut coverage);
    }
    (coverage, transitions)
}

/// Counts, no times. What is missing here is rare, and a longer campaign hits it; what no campaign hits is beyond.
#[test]
fn generated_models_hit_nearly_everything() {
    let (coverage, transitions) = campaign(MODELS);
    for group in Group::ALL {
        let share = coverage.share(group);
        println!(
            "{}: {} of {}; missing {:#?}",
            group.name(),
            share.hit,
            share.total,
            share.missing
        );
    }
    let universe = Universe::get();
    println!("{transitions} transitions");
    let hit = |group| coverage.share(group).hit;
    let floor = [
        (Group::Gateways, 32),
        (Group::RacePairs, 320),
        (Group::Records, 76),
        (Group::Ends, 9),
        (Group::Rules, 68),
        (Group::Marks, 43),
    ];
    for (group, floor) in floor {
        assert!(
            hit(group) >= floor,
            "{}: {} of at least {floor}",
            group.name(),
            hit(group)
        );
    }
    let beyond = universe
        .items()
        .filter(|&item| *universe.standing(item) != Standing::Counts);
    let made: Vec<&str> = beyond
        .filter(|&item| coverage.of(item) > 0)
        .map(|item| universe.id(item))
        .collect();
    assert_eq!(
        made,
        Vec::<&str>::new(),
        "what is said to be beyond generated models is not"
    );
}
