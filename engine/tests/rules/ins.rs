//! INS: instances.

use std::collections::BTreeSet;
use std::sync::Arc;

use trackside_engine::InstanceId;
use trackside_engine::expr::Data;
use trackside_engine::instance::{CoverageMark, Environment, Grain, Options, Outcome, Record, Wait};
use trackside_engine::template::Compiled;
use trackside_engine::world::{Answer, Delivery, Part, World};

use crate::marks::hits;
use crate::run::{Run, template};
use crate::scenario::{check, parse, play_one};

#[test]
fn ins_1_two_passes_of_a_scope_share_no_join_state() {
    let model = "s > M > SP{s1 > F > A > J; F > B > J > e}{!m > M} > E";
    let script = "A [at B J.A_J SP] m! [at A B SP; fired J=0] B [at A J.B_J SP; fired J=0] A";
    check(model, script, "completed; fired J=1; ran e=1");
    // Two passes at once.
    let twice = "s > F1 > M > SP{s1 > F > A > J; F > B > J > e} > E; F1 > M; and F1";
    check(
        twice,
        "[at A A B B SP SP] A A#1 [fired J=0; at B B J.A_J J.A_J SP SP] B [fired J=1] B",
        "completed; fired J=2; ran E=2",
    );
    let inclusive = "s > F1 > M > SP{s1 > Os > A > O; Os > B > O > e} > E; F1 > M; and F1";
    check(inclusive, "A A [fired O=0] B B", "completed; fired O=2; ran E=2");
}

#[test]
fn ins_1_ins_7_instances_share_configuration_and_nothing_else() {
    let mut world = World::new(Options::default());
    let process = world.add(template(&parse("s > F > A > J; F > B > J > E"), &Compiled::default()));
    let first = world.start(process, 0, Data::default());
    let second = world.start(process, 0, Data::default());
    assert!(std::ptr::eq(
        world.instance(first).template(),
        world.instance(second).template()
    ));
    let untouched = world.instance(second).canonical();
    while let Some(action) = world
        .enabled(Part::All)
        .into_iter()
        .find(|action| action.instance() == Some(first))
    {
        world.apply(action).expect("enabled");
    }
    assert!(world.instance(first).end().is_some());
    assert_eq!(world.instance(second).canonical(), untouched);
}

#[test]
fn ins_3_a_fork_is_one_transition() {
    let mut run = play_one("s > F > A; F > B; F > C", "@hold | step:s arrive:s_F");
    let step = run.world.oldest(Part::Inside).expect("the fork is ready");
    run.apply(step);
    let (flows, births): (Vec<_>, Vec<_>) =
        run.world
            .records()
            .iter()
            .fold((Vec::new(), Vec::new()), |mut all, (_, record)| {
                match record {
                    Record::Left { track, flow } => all.0.push((*track, run.template().flow(*flow).id.clone())),
                    Record::Born { track, .. } => all.1.push(*track),
                    _ => {}
                }
                all
            });
    assert_eq!(
        flows.iter().map(|(_, flow)| flow.as_str()).collect::<Vec<_>>(),
        ["F_A", "F_B", "F_C"]
    );
    assert_eq!(births.len(), 2);
    crate::expect::must_hold(&run, "at >F_A >F_B >F_C", "the fork");
}

#[test]
fn ins_4_every_view_of_the_enabled_actions_agrees() {
    let model = "s > F > A{~m > C} > J; F > B > J > E; F > c > E; catch c(timer PT1H)";
    for script in [
        "@hold |",
        "@cancel |",
        "@cancel | m!",
        "A m!",
        ":clock",
        "@cancel | A B",
    ] {
        let run = play_one(model, script);
        for part in [Part::All, Part::Inside] {
            let enabled = run.world.enabled(part);
            assert_eq!(run.world.count(part), enabled.len());
            let by_rank: Vec<_> = (0..enabled.len()).map(|n| run.world.nth(part, n)).collect();
            let as_set =
                |actions: &[_]| -> BTreeSet<String> { actions.iter().map(|action| format!("{action:?}")).collect() };
            assert_eq!(as_set(&by_rank), as_set(&enabled));
            assert_eq!(run.world.oldest(part), enabled.first().copied());
            for action in enabled {
                assert!(run.world.is_enabled(action));
                assert_eq!(run.world.find(run.world.label(action)), Some(action));
            }
        }
    }
}

#[test]
fn ins_4_an_action_that_is_not_enabled_changes_nothing() {
    let mut run = play_one("s > A{!m > C} > E", "");
    let stale = run.world.enabled(Part::All);
    assert_eq!(stale.len(), 2);
    crate::script::perform(&mut run, "A");
    let before = run.world.transitions();
    for action in stale {
        assert!(run.world.apply(action).is_err());
    }
    assert_eq!(run.world.transitions(), before);
}

#[test]
fn ins_5_an_instance_ends_once_and_nothing_is_left() {
    let model = "s > F > A{~m > C} > J; F > B{!timer PT1H > D} > J > E; F > c > E; catch c(message n); ESP~h{s1(message o) > H}";
    for (script, end) in [
        ("A B n!", "completed"),
        (":cancel", "canceled"),
        ("A m! :cancel", "canceled"),
        ("A(boom)", "faulted error A boom"),
        ("A o! B(!broken)", "faulted technical B"),
    ] {
        let expected = format!("{end}; at -; armed -; records InstanceEnded=1");
        check(model, script, &expected);
        check(
            model,
            &format!("{script} m! n! o! +PT2H :cancel x=1"),
            &format!("{expected} DataChanged=0"),
        );
        let run = play_one(model, script);
        assert_eq!((run.world.count(Part::All), run.world.next_due()), (0, None));
    }
    check(
        "s > F > A > ET; F > B",
        "A",
        "terminated; at -; records InstanceEnded=1",
    );
}

#[test]
fn ins_5_after_the_end_late_answers_are_recorded_by_the_world() {
    let mut run = play_one("s > F > A > E; F > B; service A B", "B(boom) late:A");
    assert_eq!(run.world.message("m", &Data::default(), 0), Delivery::Undelivered);
    run.observe();
    crate::expect::must_hold(
        &run,
        "faulted error B boom; records Discarded=1 Undelivered=1",
        "the end",
    );
}

#[test]
fn ins_6_stuck_is_never_completed_and_names_what_is_missing() {
    let model = "s > X -[p]> A > J.a; X -[default]> B > J.b; J > E";
    check(
        model,
        "p=true | A",
        "stuck; at J.a; missing J.b; records InstanceEnded=0; circle -",
    );
    let inner = "s > F > SP{s1 > X -[p]> A > J.a; X -[default]> B > J.b; J > e} > E; F > C > E";
    check(inner, "p=true | A [waiting] C", "stuck; at J.a SP; missing J.b");
    // Something outside may still come: that is waiting.
    check(
        &format!("{model}; ESP~h{{s1(message m) > H > ET}}"),
        "p=true | A [waiting] m! H",
        "waiting; at J.a; missing J.b",
    );
}

#[test]
fn ins_6_the_wait_names_what_can_still_feed_each_flow() {
    let run = play_one("s > F > A > J.a; F > B > C > J.b; J > E", "A");
    let node = |name: &str| run.node(name);
    let Some(Wait::Join {
        node: join,
        tracks,
        missing,
        circle,
    }) = run.waits().into_iter().find(|wait| matches!(wait, Wait::Join { .. }))
    else {
        panic!("{:?}", run.waits());
    };
    assert_eq!((join, tracks.len(), circle.len(), missing.len()), (node("J"), 1, 0, 1));
    assert_eq!(missing[0].from, [node("B")]);
    assert!(
        run.waits()
            .iter()
            .any(|wait| matches!(wait, Wait::Work { node: at, .. } if *at == node("B")))
    );
}

#[test]
fn ins_8_start_events_are_alternatives() {
    let model = "start s1 > A > E; start s2(message m) > B > E; start s3(signal g) > C > E";
    check(model, "start:s1 | A", "completed; only s1=1 A=1 E=1");
    check(model, "start:s2 | B", "completed; only s2=1 B=1 E=1");
    check(model, "@unborn | m! B", "completed; only s2=1 B=1 E=1");
    check(model, "@unborn | sig:g C", "completed; only s3=1 C=1 E=1");
    check("A > E; B > E", "[at A B] A B", "completed; ran A=1 B=1 E=2");
    check(
        "R > A > E; receive R(m instantiate)",
        "@unborn | m! [at A] A",
        "completed; ran R=1",
    );
}

#[test]
fn ins_9_scopes_nest_drain_and_end_their_own() {
    let model = "s > SP{s1 > SQ{s2 > F > A > e2; F > B > e2} > C > e1} > D > E";
    check(
        model,
        "A [at B SP SQ] B [at C SP] C [at D] D",
        "completed; ran SQ=1 SP=1; records ScopeOpened=3 ScopeCompleted=2",
    );
    let terminated = "s > SP{s1 > F > SQ{s2 > A > ET} > B > e; F > C > e} > D > E";
    check(terminated, "A [at B C SP] B C [at D] D", "completed; ran ET=1 SQ=1");
    check("s > SP{} > A > E", "[at A] A", "completed");
    check("s > SP{A > e; B > e} > C", "[at A B SP] A B", "at C");
}

#[test]
fn ins_9_ins_10_a_scope_is_entered_afresh_in_a_loop() {
    let model = "s > M > SP{s1 > A > e} > X -[again]> M; X -[default]> E";
    let first = play_one(model, "again=true |");
    let second = play_one(model, "again=true | A");
    let (a, b) = (canonical(&first), canonical(&second));
    assert_eq!(a, b, "the second pass behaves like the first");
    check(model, "again=true | A A again=false A", "completed; ran SP=3 X=3");
}

fn canonical(run: &Run) -> Vec<u64> {
    run.world.instance(run.id.expect("the instance is born")).canonical()
}

#[test]
fn ins_10_equal_behaviour_is_an_equal_value() {
    let model = "s > F > A > J; F > B > J > C > E; F > D{~m > H} > E";
    let same = |a: &str, b: &str| {
        assert_eq!(
            canonical(&play_one(model, a)),
            canonical(&play_one(model, b)),
            "{a} / {b}"
        );
    };
    same("A B", "B A");
    same("A D", "D A");
    same("m! A H", "A m! H");
    same("@hold | :settle", "");
    same("m! H", "m! H m! H");
    let timers = "s > A{~timer R/PT1H as T > B} > C; c > A; catch c(timer PT1H)";
    let again = |script: &str| canonical(&play_one(timers, script));
    assert_eq!(again("+PT1H B"), again("+PT1H B +PT1H B"));
    assert_eq!(again("@untimed | fire:T B"), again("@untimed | fire:T B fire:T B"));
    let recorded = play_one(model, "A");
    let options = Options {
        records: false,
        ..*recorded.world.options()
    };
    let mut world = World::new(options);
    world.add(template(&parse(model), &Compiled::default()));
    let id = world.start(0, 0, Data::default());
    while let Some(action) = world.oldest(Part::Inside) {
        assert!(world.apply(action).expect("enabled").is_empty(), "nothing is recorded");
    }
    let a = world.instance(id).template().find("A");
    let work = world
        .enabled(Part::All)
        .into_iter()
        .find(|&action| world.label(action).node == a);
    world.apply(work.expect("A is running")).expect("enabled");
    while let Some(action) = world.oldest(Part::Inside) {
        world.apply(action).expect("enabled");
    }
    assert_eq!(
        world.instance(id).canonical(),
        canonical(&recorded),
        "records are beside the state"
    );
}

#[test]
fn ins_10_different_behaviour_is_a_different_value() {
    let differ = |model: &str, a: &str, b: &str| {
        assert_ne!(
            canonical(&play_one(model, a)),
            canonical(&play_one(model, b)),
            "{model}: {a} / {b}"
        );
    };
    let joins = "s > F > A > M > J.1; F > B > M; F > C > J.2; J > D";
    differ(joins, "A", "B");
    differ(joins, "A", "A B");
    differ("s > A > X -[x > 1]> B; X -[default]> C", "x=1 |", "x=2 |");
    differ("s > A", "A", ":cancel");
    let timers = "s > F > c > A; F > d > B; catch c(timer PT1H) d(timer PT2H)";
    differ(timers, "", "+PT30M");
    differ("s > A{~timer R3/PT1H as T > B*} > C", "+PT1H", "+PT2H");
    differ("s > A{~(if x > 1) as T > B*} > C", "x=0 | x=2 x=1", "x=0 | x=2 x=1 x=2");
    differ(
        "s > A > B{~(timer cycle =every) as T > C*} > D",
        "every=R/PT1H | +PT30M A every=R",
        "every=R2/PT1H | +PT30M A every=R",
    );
    let complex = "s > F > A > K; F > B > K(1) > C; F > D > K";
    differ(complex, "A", "B");
    differ(complex, "A B", "A D");
    differ("s > A{!m > B} > C; service A", "@late | m!", "@late | m! late:A");
    differ("s > A > c > B; catch c(timer 1970-01-01T02:00:00Z)", "", "+PT1H");
    let handlers = "s > A > E; ESP~h{s1(m) > H > e}";
    differ(handlers, "", "m!");
    let keyed = "s > F > A > E; F > SP{s1 > B > e} > E";
    differ(keyed, "A", "B");
}

/// The records of one instance, without those of the world's clock.
fn story(records: &[(InstanceId, Record)], id: InstanceId) -> Vec<Record> {
    let own = records
        .iter()
        .filter(|(of, record)| *of == id && !matches!(record, Record::Clock { .. }));
    own.map(|(_, record)| record.clone()).collect()
}

/// Starts `count` instances and lets them take turns, each by its own oldest action; gives all records.
fn side_by_side(model: &str, count: u32) -> Vec<(InstanceId, Record)> {
    let mut world = World::new(Options::default());
    world.add(template(&parse(model), &Compiled::default()));
    let mut all = Vec::new();
    for _ in 0..count {
        world.start(0, 0, Arc::new([("x".to_owned(), 2.into())].into()));
        all.extend_from_slice(world.records());
    }
    let mut turn = 0;
    loop {
        let enabled = world.enabled(Part::All);
        let of_turn = enabled
            .iter()
            .find(|action| action.instance() == Some(InstanceId(turn % count)));
        let Some(&action) = of_turn.or(enabled.first()) else {
            return all;
        };
        all.extend_from_slice(world.apply(action).expect("enabled"));
        turn += 1;
    }
}

#[test]
fn ins_11_instances_side_by_side_trace_as_if_alone() {
    for model in [
        "s > F > A > J; F > B > J > E",
        "s > Os -[x > 1]> A > O; Os -[x > 2]> B > O; Os -[default]> C > O > E",
        "s > F > SP{s1 > A{!timer PT1H > B > e} > e}{!m > C > E} > E; F > K; F > D > K(1) > E",
        "s > c > d > A > E; catch c(timer PT1H) d(timer PT1H)",
    ] {
        let alone = story(&side_by_side(model, 1), InstanceId(0));
        assert!(alone.len() > 5);
        let together = side_by_side(model, 3);
        for id in (0..3).map(InstanceId) {
            assert_eq!(story(&together, id), alone, "{model}");
        }
    }
}

#[test]
fn ins_4_a_circle_of_nodes_that_execute_on_arrival_does_not_trap_a_transition() {
    let _tied = hits(CoverageMark::ChainCut);
    let mut world = World::new(Options {
        grain: Grain::Atomic,
        records: false,
        ..Options::default()
    });
    let process = world.add(template(&parse("s > SP{} > SP"), &Compiled::default()));
    let instance = world.start(process, 0, Data::default());
    assert_eq!(world.run(Part::All, 5), 5, "each transition ends");
    crate::marks::noted(world.instance(instance));
    assert_eq!(world.instance(instance).end(), None);
}

#[test]
fn ins_4_labels_tell_the_runs_of_one_handler_apart() {
    let model = "s > A > E; ESP~h{s1(m) > H > e; ESP~k{s2(n) > K > e3}}";
    let mut world = World::new(Options::default());
    let process = world.add(template(&parse(model), &Compiled::default()));
    world.start(process, 0, Data::default());
    for _ in 0..3 {
        world.run(Part::Inside, u64::MAX);
        world.message("m", &Data::default(), 0);
    }
    world.run(Part::Inside, u64::MAX);
    let actions = world.enabled(Part::All);
    let labels: BTreeSet<_> = actions.iter().map(|&action| world.label(action)).collect();
    assert_eq!(labels.len(), actions.len());
    assert!(
        actions
            .iter()
            .all(|&action| world.find(world.label(action)) == Some(action))
    );
    assert_eq!(actions.len(), 1 + 3 + 1 + 3, "A, three H, s1 and three s2");
}

#[test]
fn bnd_4_an_answer_of_an_earlier_activation_is_late() {
    let mut world = World::new(Options::default());
    let process = world.add(template(&parse("s > M > A > M"), &Compiled::default()));
    let instance = world.start(process, 0, Data::default());
    world.run(Part::Inside, u64::MAX);
    let first = world.instance(instance).tracks()[0].activation().expect("A is at work");
    let complete = |world: &mut World, work| world.complete(instance, work, &Outcome::Ok, &Data::default(), 0);
    assert_eq!(complete(&mut world, first), Answer::Taken);
    world.run(Part::Inside, u64::MAX);
    let second = world.instance(instance).tracks()[0]
        .activation()
        .expect("A is at work again");
    assert_eq!((first.track, first.node), (second.track, second.node));
    assert_eq!(complete(&mut world, first), Answer::Discarded);
    assert_eq!(complete(&mut world, second), Answer::Taken);
}

#[test]
fn ins_8_a_signal_starts_instances_only_when_a_driver_sends_it_or_the_environment_says_so() {
    let births = |births: bool| {
        let environment = Environment {
            births,
            ..Environment::default()
        };
        let mut world = World::new(Options {
            environment,
            ..Options::default()
        });
        let model = "start t(signal x) > catch c(signal x) > E";
        let process = world.add(template(&parse(model), &Compiled::default()));
        world.start(process, 0, Data::default());
        world.run(Part::Inside, u64::MAX);
        let firing = world.oldest(Part::All).expect("c is armed");
        world.apply(firing).expect("it is enabled");
        world.instances().count()
    };
    assert_eq!((births(false), births(true)), (1, 2));
}
