//! `exhaustive` enumerates each schedule once: their numbers are those of closed forms.

use std::collections::BTreeSet;

use trackside_engine::instance::{Conditions, Environment, Grain, Options};
use trackside_sim::schedule::{Exhaustive, Fifo};

use crate::common::{Track, atomic, template};

/// How many schedules there are, each another one.
fn count(model: &str, options: Options, steps_max: usize) -> (usize, bool) {
    let template = template(model);
    let mut track = Track::new(&template, options);
    let mut exhaustive = Exhaustive::new(steps_max);
    let mut seen = BTreeSet::new();
    while exhaustive.next_schedule() {
        track.run(&mut exhaustive);
        let schedule: Vec<String> = track.actions.iter().map(|action| format!("{action:?}")).collect();
        if exhaustive.schedules() == 1 {
            let first = track.actions.clone();
            track.run(&mut Fifo);
            assert_eq!(
                first,
                track.actions[..first.len()],
                "the first schedule is the default order"
            );
        }
        assert!(seen.insert(schedule), "no schedule comes twice");
    }
    assert_eq!(seen.len() as u64, exhaustive.schedules());
    assert!(!exhaustive.next_schedule(), "it stays at its end");
    (seen.len(), exhaustive.was_cut())
}

/// Branches of a, b and c tasks: (a+b+c)! / (a! b! c!). An end event belongs to the step before it.
#[test]
fn interleavings_are_multinomials() {
    for (model, expected) in [
        ("s > A* > B* > e", 1),
        ("s > F > A* > e1; F > B* > e2", 2),
        ("s > F > A* > A1* > e1; F > B* > B1* > e2", 6),
        ("s > F > A* > e1; F > B* > e2; F > C* > e3", 6),
        ("s > F > A* > A1* > A2* > e1; F > B* > B1* > e2; F > C* > e3", 60),
    ] {
        assert_eq!(count(model, atomic(), 100), (expected, false), "{model}");
    }
}

/// In the protocol grain each action but the first of a branch is two.
#[test]
fn arrivals_count_in_the_protocol_grain() {
    let options = Options {
        grain: Grain::Protocol,
        ..atomic()
    };
    // Two branches of an arrival and a step each: 4! / (2! 2!).
    assert_eq!(count("s > F > e1; F > e2", options, 100), (6, false));
}

/// Ways out and outcomes count like actions.
#[test]
fn choices_and_outcomes_are_schedules() {
    let free = Options {
        conditions: Conditions::Symbolic,
        ..atomic()
    };
    // Three ways out of the one, all non-empty sets of three out of the other.
    assert_eq!(count("s > X > e1; X > e2; X > e3", free, 100).0, 3);
    assert_eq!(count("s > O > J; O > J; O > J; J > e; or J", free, 100).0, 7);
    let failing = Options {
        environment: Environment {
            failures: true,
            ..Environment::default()
        },
        ..free
    };
    // It ends well, with the caught error, or with a failure.
    assert_eq!(count("s > service A{!error k > e2} > e", failing, 100).0, 3);
}

/// A loop has no end of schedules; those within the bound come, and it is said that there are more.
#[test]
fn a_bound_cuts_and_says_so() {
    let free = Options {
        conditions: Conditions::Symbolic,
        ..atomic()
    };
    // s, m, then rounds of X and m, with X and e at the end.
    let (schedules, cut) = count("s > m > X > m; X > e", free, 11);
    assert!(cut);
    assert_eq!(schedules, 6);
}
