//! The laws V10 to V15 hold of the engine, and each is seen to fail.

use std::sync::Arc;

use trackside_engine::InstanceId;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, Options, Record};
use trackside_engine::model::Definitions;
use trackside_engine::template::{Compiled, Shared, compile};
use trackside_engine::world::{Part, World};
use trackside_sim::generate::{Family, Parameters, model};
use trackside_sim::oracle::Violation;
use trackside_sim::oracle::laws::{self, Apart, Outcome, Search, Trace, confluence};
use trackside_sim::schedule::{Random, Strategy};

use super::drive::parse;

/// An inclusive join that may get its two tokens together or one after the other: while the second can still come by the
/// flow of the first, the join does not wait for it.
const UNSETTLED: &str = "s > F > A > m > J; F > C > X > m; X > B > J; J > e; or J; and F; xor X";
/// An inclusive join that gets two tokens by one flow.
const SURPLUS: &str = "s > F > m > J; F > m; F > O > B > J; J > e; O > e2; or J O; and F";
const WATCHED: &str = "s > F > service A{!m > B > J}{~m > C > e3} > J; F > D > J; J > e; or J; and F";
const STEPS_MAX: u64 = 150;

fn options() -> Options {
    Options {
        conditions: Conditions::Symbolic,
        timed: false,
        refires: Some(2),
        ..Options::default()
    }
}

fn template(file: &Definitions) -> Shared {
    let compiled = compile(file, &file.processes[0], &Compiled::default());
    Arc::new(compiled.unwrap_or_else(|problems| panic!("the model compiles: {problems:#?}")))
}

/// A world with one instance that has begun.
fn begun(file: &Definitions) -> World {
    let mut world = World::new(options());
    world.add(template(file));
    world.start(0, 0, Data::default());
    world
}

const FIRST: InstanceId = InstanceId(0);

/// Small models of all families.
fn generated(count: u64, nodes: u32) -> impl Iterator<Item = Definitions> {
    let of = move |family| (0..count).map(move |seed| model(seed, &Parameters::of(family).nodes(nodes)));
    Family::ALL.into_iter().flat_map(of)
}

/// Steps through a run of each model, and lets `look` see the world after each transition.
fn visit(files: impl Iterator<Item = Definitions>, mut look: impl FnMut(&World)) {
    for (seed, file) in (0..).zip(files) {
        let mut world = begun(&file);
        let mut strategy = Random::new(seed);
        for _ in 0..STEPS_MAX {
            look(&world);
            let Some(action) = strategy.choose(&world, Part::All) else {
                break;
            };
            world.apply(action).expect("the action is enabled");
        }
    }
}

fn id(judged: Result<(), Violation>) -> Result<(), &'static str> {
    judged.map_err(|violation| violation.invariant)
}

#[test]
fn v10_what_is_kept_up_to_date_is_what_there_is() {
    let mut audits = 0;
    visit(generated(30, 20), |world| {
        audits += 1;
        assert_eq!(laws::audit(world.instance(FIRST)), Ok(()));
    });
    assert!(audits > 1_000, "{audits}");
}

/// What the run of a seed records.
fn traced(file: &Definitions, seed: u64) -> Trace {
    let (mut world, mut strategy, mut trace) = (begun(file), Random::new(seed), Trace::default());
    trace.note(&world);
    while let Some(action) = strategy.choose(&world, Part::All) {
        world.apply(action).expect("the action is enabled");
        trace.note(&world);
        if trace.transitions().len() as u64 > STEPS_MAX {
            break;
        }
    }
    trace
}

#[test]
fn v11_a_seed_gives_one_trace() {
    for (seed, file) in (0..).zip(generated(20, 20)) {
        assert_eq!(laws::same_trace(&traced(&file, seed), &traced(&file, seed)), Ok(()));
    }
}

#[test]
fn v11_the_first_divergent_record_is_shown() {
    let trace = traced(&parse(WATCHED), 1);
    let mut doctored = trace.transitions().to_vec();
    doctored[3].insert(0, (FIRST, Record::Clock { now: 77 }));
    let violation = laws::same_trace(&trace, &Trace::from_iter(doctored)).expect_err("they differ");
    assert_eq!(violation.invariant, "V11");
    assert!(violation.message.contains("in transition 4, record 1, "), "{violation}");
    assert!(violation.message.contains("Clock { now: 77 }"), "{violation}");
    let (_, original) = &trace.transitions()[3][0];
    assert!(violation.message.contains(&format!("{original:?}")), "{violation}");
    let shorter = Trace::from_iter(trace.transitions()[..5].to_vec());
    let violation = laws::same_trace(&trace, &shorter).expect_err("one is over before the other");
    assert!(violation.message.contains("has nothing"), "{violation}");
}

/// Runs under several orders with the same choices, held against the first.
fn stories(world: &mut World, birth: usize, choices: u64) -> Result<usize, Violation> {
    let runs = (0..6).filter_map(|order| confluence::run(world, birth, choices, order, 2_000));
    let runs: Vec<_> = runs.collect();
    for run in runs.iter().skip(1) {
        confluence::same_story(&runs[0], run)?;
    }
    Ok(runs.len())
}

#[test]
fn v12_order_does_not_matter_where_it_should_not() {
    let (mut models, mut runs) = (0, 0);
    for (at, file) in generated(250, 14).enumerate() {
        if confluence::judge(&file, 0, &Compiled::default(), &options()).is_err() {
            continue;
        }
        models += 1;
        let mut world = World::new(options());
        let template = template(&file);
        let births = template.births().len();
        world.add(template);
        for choices in 0..4 {
            match stories(&mut world, at % births, choices) {
                Ok(compared) => runs += compared,
                Err(violation) => panic!("model {at}, choices {choices}: {violation}\n{file:#?}"),
            }
        }
    }
    assert!(models > 60 && runs > 1_000, "{models} models, {runs} runs");
}

#[test]
fn v12_what_depends_on_order_is_refused_by_the_model_and_seen_to_differ() {
    let judge = |text| confluence::judge(&parse(text), 0, &Compiled::default(), &options());
    for text in [
        "s > O > A > J > e; O > B > J; or J O",
        "s > F > A > J > e; F > B > J",
        "s > m > A > X -[again]> m; X -[done]> e",
        "s > m > O > A > J > X -[again]> m; O > F > B > J2 > J; F > C > J2; X -[done]> e; or J O; and F J2",
        "s > F > SP{s1 > F2 > A > e1; F2 > B > e2} > J > e; F > C > J",
        // No inclusive join: any shape will do.
        "s > F > m > K; F > m; F > K; K > e; and F K",
        "s > X > A > J; X > B > J; J > e; and J",
    ] {
        assert_eq!(judge(text), Ok(()), "{text}");
    }
    for text in [
        SURPLUS,
        UNSETTLED,
        "s > G > catch a(message m) > e; G > catch b(message k) > e2",
        "s > A{!m > B > e2} > e",
        "s > F > A > K; F > B > K; K(1) > e",
        "s > F > A > ET; F > B > e",
        "s > F > A > J; F > B > X > J; X > J2; F > C > J2; J > e; J2 > e2; or J J2; and F; xor X",
        "s > A > e; ESP~h{start hs(message m) > H > eh}",
        "s > F > throw t(message m) > e; F > catch c(message m) > e2",
        "s > F > A > m; F > B > m; m > SP{s1 > C > e1} > e; and F",
    ] {
        assert!(judge(text).is_err(), "{text}");
    }
    let mut world = World::new(options());
    world.add(template(&parse(UNSETTLED)));
    let differing = (0..10).filter_map(|choices| stories(&mut world, 0, choices).err());
    assert!(differing.map(|violation| violation.invariant).any(|id| id == "V12"));
}

#[test]
fn v12_another_outcome_and_another_multiset_are_found() {
    let mut world = World::new(options());
    world.add(template(&parse("s > F > A > J > e; F > B > J")));
    let story = confluence::run(&mut world, 0, 0, 0, 100).expect("it is over");
    let mut other = story.clone();
    other.outcome = Outcome::Stuck;
    assert_eq!(id(confluence::same_story(&story, &other)), Err("V12"));
    let mut other = story.clone();
    *other.executed.values_mut().next().expect("something was executed") += 1;
    assert_eq!(id(confluence::same_story(&story, &other)), Err("V12"));
}

#[test]
fn v13_what_is_restored_is_equal_and_goes_on_alike() {
    let mut restored = 0;
    visit(generated(12, 16), |world| {
        let mut copy = laws::restores(world, World::clone).expect("it is equal");
        restored += 1;
        if restored % 7 == 0 {
            let going_on = laws::continues(&mut world.clone(), &mut copy, &mut Random::new(restored), 20);
            assert_eq!(going_on, Ok(()));
        }
    });
    assert!(restored > 500, "{restored}");
}

#[test]
fn v13_a_broken_restore_is_found() {
    let file = parse(WATCHED);
    let mut world = begun(&file);
    // One that goes on at once, and one that forgets everything since the start.
    let hasty = |world: &World| {
        let mut copy = world.clone();
        copy.run(Part::Inside, 1);
        copy
    };
    let forgetful = |_: &World| begun(&file);
    assert_eq!(id(laws::restores(&world, hasty).map(|_| ())), Err("V13"));
    assert_eq!(
        id(laws::restores(&world, forgetful).map(|_| ())),
        Ok(()),
        "nothing has happened yet"
    );
    world.run(Part::Inside, 4);
    assert_eq!(id(laws::restores(&world, forgetful).map(|_| ())), Err("V13"));
    // Equal now, and not for long: the other template has the same beginning.
    let mut other = begun(&parse(&WATCHED.replace("J > e; or J", "J > Z > e; or J")));
    other.run(Part::Inside, 4);
    let going_on = laws::continues(&mut world, &mut other, &mut Random::new(1), 50);
    assert_eq!(id(going_on), Err("V13"));
}

#[test]
fn v14_samples_come_out_as_a_search_says() {
    let (mut searched, mut sampled) = (0, 0);
    for file in generated(14, 7).chain([parse(SURPLUS), parse(WATCHED)]) {
        let world = begun(&file);
        let Search::Complete(reachable) = Search::from(&world, FIRST, 600) else {
            continue;
        };
        searched += 1;
        for seed in 0..30 {
            let (mut world, mut strategy) = (world.clone(), Random::new(seed));
            for _ in 0..STEPS_MAX {
                let Some(action) = strategy.choose(&world, Part::All) else {
                    break;
                };
                world.apply(action).expect("the action is enabled");
            }
            if let Some(outcome) = Outcome::of(&world, FIRST) {
                sampled += 1;
                assert_eq!(reachable.includes(&outcome), Ok(()));
            }
        }
    }
    assert!(searched > 12 && sampled > 300, "{searched} models, {sampled} samples");
}

#[test]
fn v14_an_outcome_that_no_search_finds_is_found_out() {
    let world = begun(&parse("s > F > A > J > e; F > B > J"));
    let Search::Complete(reachable) = Search::from(&world, FIRST, 1_000) else {
        panic!("it is small")
    };
    assert_eq!(reachable.outcomes().collect::<Vec<_>>(), [&Outcome::Completed]);
    assert_eq!(id(reachable.includes(&Outcome::Stuck)), Err("V14"));
    assert_eq!(Search::from(&world, FIRST, 5), Search::TooLarge);
}

/// Some instances of one template, each with a schedule of its own.
fn apart(template: &Shared, count: u64) -> Vec<Apart> {
    let one = |seed| Apart {
        template: Shared::clone(template),
        birth: 0,
        data: Data::default(),
        seed,
        steps_max: STEPS_MAX,
    };
    (0..count).map(one).collect()
}

fn alone(all: &[Apart]) -> Vec<Trace> {
    all.iter().map(|apart| laws::solo(apart, options())).collect()
}

#[test]
fn v15_instances_side_by_side_trace_as_if_alone() {
    let mut compared = 0;
    for (turns, file) in (0..).zip(generated(25, 16)) {
        let all = apart(&template(&file), 2 + turns % 2);
        match laws::beside(&all, &alone(&all), options(), turns) {
            Ok(says) => compared += u32::from(says),
            Err(violation) => panic!("{violation}\n{file:#?}"),
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn v15_one_that_is_disturbed_is_found() {
    let all = apart(
        &template(&parse("s > F > A > J > e; F > B > J; F > X > C > J; X > D > J")),
        3,
    );
    let mut traces = alone(&all);
    assert_eq!(laws::beside(&all, &traces, options(), 1), Ok(true));
    traces.swap(0, 1);
    assert_eq!(id(laws::beside(&all, &traces, options(), 1).map(|_| ())), Err("V15"));
    // Where one reaches another, nothing is said.
    let talking = apart(
        &template(&parse("s > F > catch c(message m) > e; F > throw t(message m) > e2")),
        2,
    );
    let traces = alone(&talking);
    let mut silent = (0..20).map(|turns| laws::beside(&talking, &traces, options(), turns));
    assert!(silent.any(|says| says == Ok(false)));
}
