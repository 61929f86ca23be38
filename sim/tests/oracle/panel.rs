//! The panel: every judge of a run, restarted from run to run.

use std::sync::Arc;

use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, Environment, Options};
use trackside_engine::model::Definitions;
use trackside_engine::template::{Compiled, compile};
use trackside_engine::world::{Part, World};
use trackside_sim::generate::{Family, Parameters, model};
use trackside_sim::oracle::{Deed, Panel, Violation};
use trackside_sim::schedule::{Random, Strategy};

use super::drive::parse;

fn options() -> Options {
    Options {
        conditions: Conditions::Symbolic,
        timed: false,
        refires: Some(2),
        ..Options::default()
    }
}

fn panel(file: &Definitions, options: &Options) -> Panel {
    Panel::new(file, 0, &Compiled::default(), options).audit_every(5)
}

fn world(file: &Definitions, options: Options) -> World {
    let template = compile(file, &file.processes[0], &Compiled::default());
    let mut world = World::new(options);
    world.add(Arc::new(template.expect("the model compiles")));
    world
}

/// One run of the first template; gives how many transitions it had.
fn run(panel: &mut Panel, world: &mut World, seed: u64) -> Result<u32, Violation> {
    world.reset();
    panel.restart();
    let instance = world.start(0, 0, Data::default());
    panel.observe(world, instance, Deed::Start(0))?;
    let mut strategy = Random::new(seed);
    for steps in 1..300 {
        let Some(action) = strategy.choose(world, Part::All) else {
            return Ok(steps);
        };
        let deed = Deed::of(world, action);
        world.apply(action).expect("the action is enabled");
        panel.observe(world, instance, deed)?;
    }
    Ok(300)
}

#[test]
fn one_panel_judges_many_runs() {
    let (mut steps, mut complete) = (0, 0);
    for family in Family::ALL {
        for seed in 0..120 {
            let file = model(seed, &Parameters::of(family));
            let (mut panel, mut world) = (panel(&file, &options()), world(&file, options()));
            for schedule in 0..6 {
                match run(&mut panel, &mut world, schedule) {
                    Ok(more) => steps += more,
                    Err(violation) => panic!("{family:?} {seed}, schedule {schedule}: {violation}"),
                }
            }
            complete += u32::from(panel.is_complete());
        }
    }
    assert!(
        steps > 20_000 && complete > 200,
        "{steps} transitions, {complete} complete"
    );
}

/// After a violation, and whatever was left half done, a restart makes all judges new.
#[test]
fn a_violation_does_not_outlive_a_restart() {
    let file = parse("s > F > A > J > e; F > B > J");
    let other = parse("s > F > A > J > e; F > B > J; or J");
    let (mut right, mut wrong) = (world(&file, options()), world(&other, options()));
    let mut panel = panel(&file, &options());
    for seed in 0..20 {
        assert!(
            run(&mut panel, &mut wrong, seed).is_err(),
            "this world has another model"
        );
        assert!(run(&mut panel, &mut right, seed).is_ok());
    }
}

#[test]
fn what_the_reference_does_not_cover_is_left_to_the_invariants() {
    let file = parse("s > A{~timer R3/2030-01-01T00:00:00Z/PT1H as b > e2} > e");
    let mut panel = panel(&file, &options());
    assert!(!panel.is_complete());
    assert_eq!(
        panel.not_covered().map(|refused| refused.what),
        Some("a cycle with a date or of data")
    );
    assert!(run(&mut panel, &mut world(&file, options()), 1).is_ok_and(|steps| steps > 3));
}

#[test]
fn further_instances_are_said_and_judged_by_the_invariants() {
    let file = parse("start s(signal g) > F > catch c(signal g) > e; F > A > e2");
    let births = Options {
        environment: Environment {
            births: true,
            ..Environment::default()
        },
        ..options()
    };
    let (mut panel, mut world) = (panel(&file, &births), world(&file, births));
    let mut company = 0;
    for seed in 0..10 {
        assert!(run(&mut panel, &mut world, seed).is_ok());
        company += u32::from(panel.has_company());
        assert_eq!(panel.has_company(), world.instances().count() > 1);
        assert_eq!(panel.is_complete(), !panel.has_company());
    }
    assert!(company > 0, "some signal starts another");
}
