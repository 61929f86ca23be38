//! Blocks complete, whatever the schedule.

use proptest::prelude::*;
use trackside_engine::instance::{ComplexReset, End, Grain, Options, OrJoin};
use trackside_engine::xml;
use trackside_sim::generate::{Family, Kind, Parameters, model, plan, plans};

use crate::driven::{Outcome, run, symbolic};

/// More than any of these models needs.
const STEPS_MAX: u32 = 200_000;

fn options(which: u64) -> Options {
    let bit = |n: u64| which >> n & 1 == 1;
    Options {
        grain: if bit(0) { Grain::Atomic } else { Grain::Protocol },
        timed: bit(1),
        or_join: if bit(2) { OrJoin::Conservative } else { OrJoin::Standard },
        complex_reset: if bit(3) {
            ComplexReset::Standard
        } else {
            ComplexReset::Silent
        },
        ..symbolic()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 25_000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn blocks_complete(plan in plans(Parameters::default().nodes(24)), seed: u64, which in 0_u64..16) {
        let definitions = plan.definitions();
        for seed in [seed, !seed] {
            let outcome = run(&definitions, options(which), seed, STEPS_MAX);
            prop_assert_eq!(outcome, Outcome::Ended(End::Completed), "{}", xml::write(&definitions));
        }
    }
}

#[test]
fn large_blocks_complete() {
    for seed in 0..8 {
        let definitions = model(seed, &Parameters::default().nodes(600));
        let outcome = run(&definitions, options(seed), seed, 20 * STEPS_MAX);
        assert_eq!(outcome, Outcome::Ended(End::Completed), "{seed}");
    }
}

/// What is cut out of a block leaves one that completes.
#[test]
fn smaller_blocks_complete_too() {
    for seed in 0..40 {
        let plan = plan(seed, &Parameters::default().nodes(16));
        for (n, smaller) in plan.reductions().enumerate() {
            let definitions = smaller.definitions();
            let outcome = run(&definitions, options(seed), seed, STEPS_MAX);
            assert_eq!(
                outcome,
                Outcome::Ended(End::Completed),
                "{seed} {n}\n{}",
                xml::write(&definitions)
            );
        }
    }
}

/// Loops of blocks may go on for ever, but never get stuck, and never fault.
#[test]
fn loops_of_blocks_never_get_stuck() {
    let mut completed = 0;
    for seed in 0..300 {
        let plan = plan(seed, &Parameters::of(Family::Cyclic));
        if !plan.is_structured() {
            continue;
        }
        let options = Options {
            or_join: OrJoin::Standard,
            ..options(seed)
        };
        match run(&plan.definitions(), options, seed, 20_000) {
            Outcome::Ended(End::Completed) => completed += 1,
            Outcome::Bounded => {}
            other => panic!("{seed}: {other:?}\n{}", xml::write(&plan.definitions())),
        }
    }
    assert!(completed > 100, "{completed}");
}

/// The other families are not sound, and a test that uses them relies on it.
#[test]
fn other_families_go_wrong_in_every_way() {
    let outcomes: Vec<Outcome> = (0..400)
        .map(|seed| {
            let definitions = model(seed, &Parameters::of(Family::Acyclic).without(Kind::Starts));
            run(&definitions, options(0), seed, STEPS_MAX)
        })
        .collect();
    let count = |is: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| is(outcome)).count();
    let stuck = count(|outcome| *outcome == Outcome::Stuck);
    let completed = count(|outcome| *outcome == Outcome::Ended(End::Completed));
    let terminated = count(|outcome| *outcome == Outcome::Ended(End::Terminated));
    let faulted = count(|outcome| matches!(outcome, Outcome::Ended(End::Faulted(_))));
    let all = (stuck, completed, terminated, faulted);
    assert!(
        stuck > 10 && completed > 100 && terminated > 5 && faulted > 2,
        "{all:?}"
    );
}
