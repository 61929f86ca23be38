//! A seed is a schedule: the same one again, on a fresh strategy or on one that has been used.

use std::collections::BTreeSet;

use trackside_engine::instance::{Conditions, Options};
use trackside_engine::model::notation;
use trackside_sim::run::{Settings, Simulation};
use trackside_sim::schedule::{Named, Portfolio, Seeded};
use trackside_sim::source::Source;
use trackside_sim::token::{Plan, Token};

use crate::common::{Track, open, template};
use crate::races::RACES;

const SEEDS: u64 = 40;

/// Every strategy on every race, and with the clock.
#[test]
fn a_restarted_strategy_plays_like_a_fresh_one() {
    for named in Named::ALL {
        let mut used = named.build(99);
        for race in RACES {
            let template = template(race.model);
            let timed = Options { timed: true, ..open() };
            for options in [open(), timed] {
                let mut track = Track::new(&template, options);
                for seed in 0..SEEDS {
                    track.run(&mut *named.build(seed));
                    let fresh = track.actions.clone();
                    used.restart(seed);
                    track.run(&mut *used);
                    assert_eq!(track.actions, fresh, "{} {seed} on {}", named.name(), race.name);
                }
            }
        }
    }
}

/// All but the default order depend on the seed.
#[test]
fn seeds_differ() {
    let template = template(RACES[1].model);
    let mut track = Track::new(&template, open());
    for named in Named::ALL {
        let mut seen = BTreeSet::new();
        for seed in 0..SEEDS {
            track.run(&mut *named.build(seed));
            seen.insert(format!("{:?}", track.actions));
        }
        let expected = if named == Named::Fifo { 1..2 } else { 20..41 };
        assert!(expected.contains(&seen.len()), "{}: {}", named.name(), seen.len());
    }
}

/// However wild the priorities: what a random walk leaves sooner or later, every strategy does.
#[test]
fn loops_and_triggers_without_bound_come_to_an_end() {
    let options = Options {
        refires: None,
        ..open()
    };
    for model in [
        "s > F > m > A > X -[again]> m; X -[done]> e; F > B > e2",
        "s > A{~m > B > e2} > e",
    ] {
        let template = template(model);
        let mut track = Track::new(&template, options);
        for named in Named::ALL.into_iter().filter(|named| *named != Named::Fifo) {
            for seed in 0..SEEDS {
                track.run(&mut *named.build(seed));
                assert!(track.ended(), "{} {seed} on {model}", named.name());
            }
        }
    }
}

/// The portfolio says who plays, and all of its members do.
#[test]
fn the_portfolio_names_its_members() {
    let mut portfolio = Portfolio::new(0);
    let mut members = BTreeSet::new();
    for seed in 0..400 {
        portfolio.restart(seed);
        assert_eq!(portfolio.member(), Named::Portfolio.player(seed));
        members.insert(portfolio.member());
    }
    let expected = [
        "pct-2",
        "pct-3",
        "pct-meetings-2",
        "pct-meetings-3",
        "pct-meetings-5",
        "pos",
        "random",
        "surw",
        "swarm",
    ];
    assert_eq!(members.into_iter().collect::<Vec<_>>(), expected);
}

/// NAME.SEED is all that a token needs to say of a schedule, and all that a run is asked by.
#[test]
fn names_and_tokens_play_the_same_run() {
    for named in Named::ALL {
        assert_eq!(Named::parse(named.name()), Some(named));
        for race in RACES.iter().take(3) {
            let file = notation::parse(race.model).expect("the model is of the notation");
            let source = Source::of_model("race.bpmn", &file);
            for seed in 0..2 {
                let mut settings = Settings::default();
                settings.options.conditions = Conditions::Symbolic;
                let run = Simulation::of(&source).strategy(named, seed).settings(settings);
                let report = run.run().expect("it runs");
                let mut token: Token = report.token.parse().expect("a printed token is one");
                let replay = |token: &Token| {
                    let simulation = Simulation::replay(&source, token).expect("the fingerprints fit");
                    simulation.run().expect("the schedule fits").trace_hash
                };
                assert_eq!(replay(&token), report.trace_hash, "by deviations");
                token.schedule = Plan::Seeded(named, seed);
                let token: Token = token.to_string().parse().expect("a printed token is one");
                assert_eq!(replay(&token), report.trace_hash, "by name and seed");
            }
        }
    }
}
