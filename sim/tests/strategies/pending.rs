//! The one pass over the enabled actions shows what the others show.

use std::collections::BTreeSet;
use std::sync::Arc;

use trackside_engine::expr::Data;
use trackside_engine::instance::{Environment, Grain, Options};
use trackside_engine::template::{Compiled, compile};
use trackside_engine::world::{Action, Class, Part, World};
use trackside_sim::generate::{Family, Parameters, model};
use trackside_sim::schedule::{Random, Strategy};

use crate::common::open;

/// All there is: same actions, same nodes, a task of its own for each.
fn check(world: &World) {
    for part in [Part::All, Part::Inside, Part::Due] {
        let mut actions = Vec::new();
        let mut tasks = BTreeSet::new();
        world.each_enabled(part, |pending| {
            let label = world.label(pending.action);
            assert_eq!(label.node, pending.node.some());
            assert_eq!(pending.action.class() == Class::Arrival, !pending.flow.is_none());
            assert!(tasks.insert(pending.task), "{label:?} shares its task");
            actions.push(pending.action);
        });
        let sorted = |actions: Vec<Action>| {
            let mut texts: Vec<String> = actions.iter().map(|action| format!("{action:?}")).collect();
            texts.sort();
            texts
        };
        assert_eq!(sorted(actions), sorted(world.enabled(part)), "{part:?}");
    }
}

#[test]
fn all_enabled_actions_are_seen_each_with_its_task() {
    for family in Family::ALL {
        for seed in 0..30 {
            let definitions = model(seed, &Parameters::of(family));
            let template = compile(&definitions, &definitions.processes[0], &Compiled::default());
            let environment = Environment {
                cancel: true,
                late: true,
                ..Environment::default()
            };
            let mut world = World::new(Options {
                timed: seed % 2 == 0,
                grain: if seed % 3 == 0 { Grain::Atomic } else { Grain::Protocol },
                environment,
                records: false,
                ..open()
            });
            world.add(Arc::new(template.expect("a valid model compiles")));
            // Two of them, which do not share tasks either.
            for _ in 0..2 {
                world.start(0, 0, Data::default());
            }
            let mut random = Random::new(seed);
            for _ in 0..150 {
                check(&world);
                let Some(action) = random.choose(&world, Part::All) else {
                    break;
                };
                world.apply(action).expect("what is chosen is enabled");
            }
        }
    }
}
