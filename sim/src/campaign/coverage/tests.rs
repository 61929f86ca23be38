//! The observer's picture is right: after every transition it enables what the world enables.

use std::sync::Arc;

use trackside_engine::instance::{Conditions, Environment, Grain, Options, OrJoin};
use trackside_engine::model::Definitions;
use trackside_engine::template::{Compiled, compile};
use trackside_engine::world::{Class, Part, World};

use super::families::{COUNT, Family};
use super::rules::{NOT_SHOWN, OWN_RANKS, Own, RULES};
use super::universe::matches;
use super::words::State;
use super::{Coverage, Facts, Group, Observer, Universe};
use crate::generate::{Family as Models, Kind, Parameters, model};
use crate::schedule::{Random, Strategy};

/// How many actions of each class the picture enables: steps, arrivals, completions, firings.
fn pictured(observer: &Observer, facts: &Facts) -> [usize; 4] {
    let picture = &observer.picture;
    let count = |state| picture.alive().filter(|track| track.state == Some(state)).count();
    let firings = picture
        .armed()
        .filter(|watcher| picture.is_offered(facts, watcher))
        .count();
    [
        count(State::Ready),
        count(State::InTransit),
        count(State::Working),
        firings,
    ]
}

fn enabled(world: &World) -> [usize; 4] {
    let actions = world.enabled(Part::All);
    let count = |class| actions.iter().filter(|action| action.class() == class).count();
    [Class::Step, Class::Arrival, Class::Completion, Class::Firing].map(count)
}

fn follow(definitions: &Definitions, options: Options, seed: u64) {
    let template = compile(definitions, &definitions.processes[0], &Compiled::default()).expect("a valid model");
    let facts = Facts::new(definitions, &template);
    let births = template.births().len();
    let mut world = World::new(options);
    world.add(Arc::new(template));
    let id = world.start(0, seed as usize % births, Arc::default());
    let (mut observer, mut coverage) = (Observer::default(), Coverage::default());
    observer.begin(&facts, &options, id);
    observer.see(&facts, world.records(), &mut coverage);
    let mut random = Random::new(seed);
    for step in 0..120 {
        if world.instance(id).end().is_some() {
            assert_eq!(observer.picture.alive().count(), 0);
            assert_eq!(observer.picture.armed().count(), 0);
            break;
        }
        if world.instances().count() > 1 {
            break;
        }
        assert_eq!(
            pictured(&observer, &facts),
            enabled(&world),
            "seed {seed}, after {step} steps: {:#?}",
            world.records()
        );
        let Some(action) = random.choose(&world, Part::All) else {
            break;
        };
        let records = world.apply(action).expect("what is chosen is enabled");
        observer.see(&facts, records, &mut coverage);
    }
    for item in Universe::get().items() {
        let counted = coverage.counts[item.ix()];
        assert!(counted < 1_000_000, "nothing runs away");
    }
    let possible: u64 = Universe::get()
        .items()
        .map(|item| u64::from(coverage.counts[item.ix()]))
        .sum();
    let all: u64 = coverage.counts.iter().map(|&count| u64::from(count)).sum();
    let strange: Vec<usize> = (0..COUNT)
        .filter(|&at| coverage.counts[at] > 0 && !Universe::get().has(at))
        .collect();
    assert_eq!(possible, all, "what is forbidden is never seen: {strange:?}");
}

#[test]
fn the_picture_enables_what_the_world_enables() {
    for seed in 0..1_500_u64 {
        let bit = |at: u32| seed >> at & 1 == 1;
        let options = Options {
            grain: if bit(0) { Grain::Atomic } else { Grain::Protocol },
            timed: bit(1),
            or_join: if bit(2) { OrJoin::Conservative } else { OrJoin::Standard },
            conditions: Conditions::Symbolic,
            refires: if bit(3) { Some(2) } else { None },
            environment: Environment {
                failures: true,
                cancel: bit(4),
                late: bit(5),
                births: false,
            },
            ..Options::default()
        };
        let parameters = Parameters::of(Models::ALL[seed as usize % 3])
            .without(Kind::Starts)
            .nodes(16 + (seed % 20) as u32);
        follow(&model(seed, &parameters), options, seed);
    }
}

#[test]
fn ids_are_different_and_items_are_where_they_are_looked_for() {
    let universe = Universe::get();
    for item in universe.items() {
        let id = universe.id(item);
        let found = universe.find(id).unwrap_or_else(|| panic!("{id}"));
        assert_eq!(found, item, "`{id}` stands once");
    }
    let boundary = universe
        .find("boundary.signal.non-interrupting.refired.none")
        .expect("an item");
    assert_eq!(boundary, Family::Boundary.item(3, 4, 3));
}

/// Every rule of the document is in one list, and only those.
#[test]
fn every_rule_is_shown_or_said_not_to_be() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/semantics.md");
    let document = std::fs::read_to_string(path).expect("a text");
    let described = document
        .lines()
        .filter_map(|line| Some(line.strip_prefix("- **")?.split_once("** ")?.0));
    let mut described: Vec<&str> = described.collect();
    let mut listed: Vec<&str> = RULES
        .iter()
        .map(|rule| rule.id)
        .chain(NOT_SHOWN.iter().map(|(id, _)| *id))
        .collect();
    described.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, described);
}

#[test]
fn every_rule_has_what_shows_it() {
    let universe = Universe::get();
    for (rank, rule) in RULES.iter().enumerate() {
        let own = OWN_RANKS.contains(&rank);
        assert_eq!(rule.shown_by.is_empty(), own, "{}", rule.id);
        for pattern in rule.shown_by {
            let others = universe.items().filter(|&item| universe.group(item) != Group::Rules);
            assert!(
                others.into_iter().any(|item| matches(pattern, universe.id(item))),
                "{}: {pattern}",
                rule.id
            );
        }
    }
    assert_eq!(OWN_RANKS.map(|rank| RULES[rank].id)[..], *Own::WORDS);
}

#[test]
fn patterns_match_word_by_word() {
    for (pattern, id, expected) in [
        ("a.b", "a.b", true),
        ("a.*", "a.b", true),
        ("a.*", "a", false),
        ("a.*", "a.b.c", false),
        ("*.b", "a.b", true),
        ("a.b", "a.c", false),
        ("a", "ab", false),
    ] {
        assert_eq!(matches(pattern, id), expected, "{pattern} {id}");
    }
}
