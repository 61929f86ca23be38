//! A model played by a script of actions, with an observer.
//!
//! A script is a row of words, each an action that has to be enabled: `step:N`, `arrive:N` (at node N), `done:N` (work
//! ends well), `error:N` (with the first BPMN error), `fail:N` (technically), `late:N`, `fire:N`, `clock`, `cancel`. `go`
//! lets the inside run until nothing is left of it, oldest first; `step:N/2` takes choice 2.

use std::sync::Arc;

use serde_json::Value;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, Environment, Options};
use trackside_engine::model::{Definitions, notation};
use trackside_engine::template::{Compiled, Template, compile};
use trackside_engine::world::{Action, Class, Part, World};
use trackside_sim::campaign::coverage::{Coverage, Facts, Observer};
use trackside_sim::generate::VARIABLES;
use trackside_sim::schedule::{Dice, Random, Strategy};

/// Symbolic conditions, timers at any time, and an environment that may do everything.
pub(crate) fn free() -> Options {
    Options {
        conditions: Conditions::Symbolic,
        timed: false,
        environment: Environment {
            failures: true,
            cancel: true,
            late: true,
            births: false,
        },
        ..Options::default()
    }
}

pub(crate) fn template(definitions: &Definitions) -> Arc<Template> {
    let compiled = compile(definitions, &definitions.processes[0], &Compiled::default());
    Arc::new(compiled.unwrap_or_else(|problems| panic!("the model compiles: {problems:#?}")))
}

fn class(word: &str) -> Class {
    match word {
        "step" => Class::Step,
        "arrive" => Class::Arrival,
        "done" | "error" | "fail" => Class::Completion,
        "late" => Class::Late,
        "fire" => Class::Firing,
        "clock" => Class::Clock,
        "cancel" => Class::Control,
        _ => panic!("`{word}` is no action"),
    }
}

fn find(world: &World, template: &Template, entry: &str) -> Action {
    let (action, choice) = entry.split_once('/').unwrap_or((entry, "0"));
    let (verb, node) = action.split_once(':').unwrap_or((action, ""));
    let enabled = world.enabled(Part::All);
    let found = enabled.iter().copied().find(|&action| {
        let at = world.label(action).node.map_or("", |node| &template.node(node).id);
        action.class() == class(verb) && at == node
    });
    let labels = || enabled.iter().map(|&action| world.label(action)).collect::<Vec<_>>();
    let action = found.unwrap_or_else(|| panic!("`{entry}` is not enabled: {:#?}", labels()));
    let outcome = match verb {
        "error" => 1,
        "fail" => world.choices(action).0 - 1,
        _ => 0,
    };
    action.choose(outcome, choice.parse().expect("a number"))
}

/// Plays `script` on `model`; gives what was seen.
pub(crate) fn play(model: &str, options: Options, script: &str) -> Coverage {
    let definitions = notation::parse(model).unwrap_or_else(|error| panic!("{error}\n{model}"));
    let template = template(&definitions);
    let facts = Facts::new(&definitions, &template);
    let mut world = World::new(options);
    world.add(Arc::clone(&template));
    let id = world.start(0, 0, Arc::default());
    let (mut observer, mut coverage) = (Observer::default(), Coverage::default());
    observer.begin(&facts, &options, id);
    observer.see(&facts, world.records(), &mut coverage);
    for word in script.split_whitespace() {
        if word == "go" {
            while let Some(action) = world.oldest(Part::Inside) {
                observer.see(
                    &facts,
                    world.apply(action).expect("the oldest is enabled"),
                    &mut coverage,
                );
            }
            continue;
        }
        let action = find(&world, &template, word);
        observer.see(&facts, world.apply(action).expect("what is enabled"), &mut coverage);
    }
    observer.finish(&world, &mut coverage);
    coverage
}

/// Actions that may be enabled at once: where every signal doubles the tokens, nothing new is to be seen.
const ACTIONS_MAX: usize = 100;

/// Random schedules of one model, seen by one observer; gives the number of transitions.
pub(crate) fn schedules(
    definitions: &Definitions,
    runs: &[(Options, u64)],
    steps_max: u32,
    coverage: &mut Coverage,
) -> u64 {
    let template = template(definitions);
    let facts = Facts::new(definitions, &template);
    let mut observer = Observer::default();
    let mut transitions = 0;
    for &(options, seed) in runs {
        let mut world = World::new(options);
        world.add(Arc::clone(&template));
        let id = world.start(0, seed as usize % template.births().len(), data(&options, seed));
        observer.begin(&facts, &options, id);
        observer.see(&facts, world.records(), coverage);
        let mut random = Random::new(seed);
        for _ in 0..steps_max {
            if world.count(Part::All) > ACTIONS_MAX {
                break;
            }
            let Some(action) = random
                .choose(&world, Part::All)
                .filter(|_| world.instance(id).end().is_none())
            else {
                break;
            };
            observer.see(
                &facts,
                world.apply(action).expect("what is chosen is enabled"),
                coverage,
            );
        }
        observer.finish(&world, coverage);
        transitions += world.transitions();
    }
    transitions
}

/// The variables of generated models, where their conditions are over data; now and then they are forgotten.
fn data(options: &Options, seed: u64) -> Data {
    let mut dice = Dice::new(seed);
    if options.conditions == Conditions::Symbolic || dice.below(8) == 0 {
        return Data::default();
    }
    let values = VARIABLES.map(|name| (name.to_owned(), Value::from(dice.below(5))));
    Arc::new(values.into())
}
