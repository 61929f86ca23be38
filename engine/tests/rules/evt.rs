//! EVT: events, data and time.

use std::sync::Arc;

use serde_json::Value;
use trackside_engine::expr::Data;
use trackside_engine::instance::{CoverageMark, End, Options, Record};
use trackside_engine::model::{NodeKind, Trigger};
use trackside_engine::template::{Compiled, compile};
use trackside_engine::world::{Action, Class, Delivery, Part, World};

use crate::marks::hits;
use crate::run::template;
use crate::scenario::{check, check_every, parse, play_one};

fn data(pairs: &[(&str, Value)]) -> Data {
    Arc::new(
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect(),
    )
}

/// The rules that a model breaks.
fn refused(model: &str) -> Vec<String> {
    let model = parse(model);
    match compile(&model, &model.processes[0], &Compiled::default()) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.into_iter().map(|problem| problem.rule).collect(),
    }
}

#[test]
fn evt_1_every_kind_of_event_does_its_part() {
    for start in [
        "start s",
        "start s(message m)",
        "start s(signal g)",
        "start s(timer PT1H)",
        "start s(if go)",
    ] {
        check(&format!("{start} > A > E"), "A", "completed; only s=1 A=1 E=1");
    }
    for (catch, event) in [
        ("message m", "m!"),
        ("signal g", "sig:g"),
        ("timer PT1H", "+PT1H"),
        ("if go", "go=true"),
    ] {
        check(
            &format!("s > c > E; catch c({catch})"),
            &format!("go=false | [at c] {event}"),
            "completed; ran c=1",
        );
    }
    for (throw, thrown) in [("", 0), ("(message m)", 1), ("(signal g)", 1), ("(escalation k)", 1)] {
        check(
            &format!("s > t > E; throw t{throw}"),
            "",
            &format!("completed; ran t=1; records Thrown={thrown} Undelivered={thrown}"),
        );
        check(
            &format!("s > E; end E{throw}"),
            "",
            &format!("completed; ran E=1; records Thrown={thrown} Undelivered={thrown}"),
        );
    }
    check(
        "s > t; c > A; throw t(link l); catch c(link l)",
        "[at A] A",
        "completed; ran t=1 c=1",
    );
    check(
        "s > t; s > t2; c > A; throw t(link l) t2(link l); catch c(link l)",
        "[at A A]",
        "ran t=1 t2=1 c=2; only s=1 t=1 t2=1 c=2",
    );
    check("s > E; end E(error k)", "", "faulted error E k");
    check("s > ET", "", "terminated");
}

#[test]
fn evt_1_other_kinds_are_refused() {
    for model in [
        "start s(error k) > E",
        "start s(escalation k) > E",
        "s > c; catch c(error k)",
        "s > c; catch c(escalation k)",
        "s > c; catch c",
        "s > t; throw t(error k)",
        "s > t; throw t(timer PT1H)",
        "s > t; throw t(link nowhere)",
        "s > e; end e(timer PT1H)",
        "s > e; end e(if x)",
    ] {
        assert_eq!(refused(model), ["EVT-1"], "{model}");
    }
}

#[test]
fn evt_2_a_message_goes_to_exactly_one_subscription() {
    let _tied = hits(CoverageMark::SeveralReceivers);
    let model = "s > F > c > A; F > d > B; catch c(message m) d(message m)";
    check(model, "m! [at A d]", "records Fired=1");
    check(model, "m!#2 [at B c]", "records Fired=1");
    check(model, "m! m! [at A B] m!", "records Fired=2 Undelivered=1");
    check_every(model, "m! m! any:", "at A B");
}

#[test]
fn evt_2_a_signal_goes_to_all_that_exist_at_that_moment() {
    let model = "s > F > c > A; F > d > B; F > H{~signal g > C}; catch c(signal g) d(signal g)";
    check(model, "sig:g [at A B C H]", "records Fired=3");
    check(model, "sig:g sig:g", "at A B C C H; records Fired=4 Undelivered=0");
    check("s > A", "sig:g", "records Undelivered=1 Fired=0");
    // What the signal itself brings about does not get it.
    check("s > c > d > A; catch c(signal g) d(signal g)", "sig:g", "at d");
}

#[test]
fn evt_2_outer_interrupting_handlers_get_a_signal_first() {
    let _tied = hits(CoverageMark::ReceiverGone);
    let boundary = "s > SP{s1 > F > A{!signal g > C > e}; F > c > e; catch c(signal g)}{!signal g > D > E2} > E";
    check(boundary, "sig:g [at D]", "records Fired=1; not C c");
    let handler = "s > SP{s1 > A > e}{!signal g > D > E2} > E; ESP!h{s2(signal g) > H > e2}";
    check(handler, "sig:g [at H]", "records Fired=1; not D");
    // What does not interrupt keeps nobody from it.
    let beside = "s > SP{s1 > c > C > e; catch c(signal g)}{~signal g > D > E2} > E";
    check(beside, "sig:g [at C D SP]", "records Fired=2");
}

#[test]
fn evt_2_a_throw_and_what_it_causes_are_one_transition() {
    let _tied = hits(CoverageMark::ThrowerGone);
    let model = "s > F > A > t > B; F > c > C; throw t(message m); catch c(message m)";
    check(
        model,
        "@hold | :settle A arrive:A_t [records Fired=0] step:t [at >t_B >c_C]",
        "records Fired=1 Thrown=1",
    );
    let error = "s > SP{s1 > A > e(error k)}{!error k > C} > E";
    check(error, "@hold | :settle A arrive:A_e step:e", "at >SP_k_C");
    let escalation = "s > SP{s1 > A > t > B; throw t(escalation k)}{~escalation k > C} > E";
    check(escalation, "@hold | :settle A arrive:A_t step:t", "at >SP_k_C >t_B SP");
    // The thrower may be among what its throw withdraws.
    let own = "s > SP{s1 > A > t > B > e; throw t(signal g)}{!signal g > C > E2} > E";
    check(own, "A [at C] C", "completed; not t B E");
}

#[test]
fn evt_2_what_a_transition_causes_is_decided_on_together() {
    let _tied = hits(CoverageMark::JoinWaitsForWhole);
    // The signal moves c away from the join and d onto flow 2. A decision in between would see d before its way out,
    // from where it also reaches flow 1, which has its token: it would fire.
    let model = "A > M > J.1; c > Q; d > M2 > J.2; d -[back]> M; c -[never]> M2; J > End; \
                 or J; xor M2; catch c(signal g) d(signal g); auto A Q";
    let script = "@hold back=false never=false on:1 at:c at:d | step:c step:d arrive:1 [fired J=0] sig:g";
    check(model, script, "fired J=0; at >c_Q >d_M2 J.1");
}

#[test]
fn evt_2_an_event_that_nobody_waits_for_is_undelivered() {
    check("s > A", "m! sig:g", "records Undelivered=2; at A");
    check("s > t > A; throw t(message m)", "", "at A; records Undelivered=1");
}

#[test]
fn evt_2_a_subscription_gets_a_message_before_a_start_does() {
    let model = parse("start s(message m) > c > A > E; catch c(message m)");
    let mut world = World::new(Options::default());
    world.add(template(&model, &Compiled::default()));
    let mut send = || {
        let delivery = world.message("m", &Data::default(), 0);
        while let Some(action) = world.oldest(Part::Inside) {
            world.apply(action).expect("enabled");
        }
        (delivery, world.instances().count())
    };
    assert!(matches!(send(), (Delivery::Born(born), 1) if born.len() == 1));
    assert!(
        matches!(send(), (Delivery::Reached(_), 1)),
        "the running instance takes it"
    );
    assert!(
        matches!(send(), (Delivery::Born(_), 2)),
        "and the next one starts another"
    );
}

#[test]
fn evt_2_a_message_between_processes_carries_the_throwers_data() {
    let thrower = parse("s > A > t > c > E; throw t(message ask); catch c(message reply)");
    let catcher = parse("start s(message ask) > X -[x > 1]> B > e(message reply); X -[default]> E");
    let mut world = World::new(Options::default());
    let first = world.add(template(&thrower, &Compiled::default()));
    world.add(template(&catcher, &Compiled::default()));
    let asker = world.start(first, 0, data(&[("x", 5.into())]));
    let run = |world: &mut World| {
        while let Some(action) = world.oldest(Part::All) {
            world.apply(action).expect("enabled");
        }
    };
    run(&mut world);
    let ends: Vec<_> = world.instances().map(|(_, instance)| instance.end().cloned()).collect();
    assert_eq!(ends, [Some(End::Completed), Some(End::Completed)]);
    let (_, answerer) = world.instances().nth(1).expect("the message created an instance");
    assert_eq!(answerer.data().get("x"), Some(&5.into()));
    assert_eq!(world.instance(asker).data().get("x"), Some(&5.into()));
}

#[test]
fn evt_3_time_stops_at_every_due_time() {
    let model = "s > c > d > A{~timer R/PT15M as T > B*} > E; catch c(timer PT10M) d(timer PT20M)";
    check(model, "+PT9M [at c] +PT1M [at d] +PT20M [at A] +PT1H", "ran T=4");
    let run = play_one(model, "+PT1H");
    let clock: Vec<i64> = run
        .log
        .iter()
        .filter_map(|record| match record {
            Record::Clock { now } => Some(*now / 60_000),
            _ => None,
        })
        .collect();
    assert_eq!(clock, [10, 30, 45, 60], "armed at 30, so due at 45 and 60");
    check(
        "s > c > A; catch c(timer 1970-01-01T02:00:00Z)",
        "+PT119M [at c] +PT1M",
        "at A",
    );
    check("s > c > A; catch c(timer 1969-01-01T00:00:00Z)", "fire:c", "at A");
}

#[test]
fn evt_3_ties_are_a_choice() {
    let model = "s > F > c > A; F > d > B; catch c(timer PT1H) d(timer PT1H)";
    check(model, ":clock fire:d [at B c] fire:c", "at A B");
    check(model, ":clock fire:c [at A d] fire:d", "at A B");
}

#[test]
fn evt_3_time_stands_still_until_everything_has_settled_and_fired() {
    let clock = |script: &str| {
        let run = play_one(
            "s > F > A*; F > c > B; F > d > C; catch c(timer PT1H) d(timer PT2H)",
            script,
        );
        run.world
            .enabled(Part::All)
            .iter()
            .any(|action| action.class() == Class::Clock)
    };
    assert!(!clock("@hold |"), "inside actions are left");
    assert!(clock(""), "all has settled");
    assert!(!clock(":clock"), "a due timer has not fired");
    assert!(clock(":clock fire:c"));
    let untimed = play_one("s > c > A; catch c(timer PT1H)", "@untimed | fire:c [at A]");
    assert_eq!(untimed.world.now(), 0, "untimed, it may fire whenever it is armed");
}

#[test]
fn evt_4_a_condition_that_is_true_when_armed_fires_at_once() {
    let _tied = hits(CoverageMark::ConditionTrueWhenArmed);
    check("s > c > A; catch c(if x > 1)", "x=2 |", "at A");
    check("s > B{!(if x > 1) as T > C} > A", "x=2 |", "at C; armed -; not B");
    check(
        "s > G > c > A; G > d > B; catch c(if x > 1) d(message m)",
        "x=2 |",
        "at A; armed -",
    );
    check("s > A > E; ESP!h{s1(if x > 1) > H > e}", "x=2 |", "at H");
}

#[test]
fn evt_4_else_on_the_next_edge_after_a_change_of_data() {
    let _tied = hits(CoverageMark::ConditionBecomesTrue);
    let model = "s > B{~(if x > 1) as T > C*} > A";
    check(
        model,
        "x=0 | x=1 [ran T=0] x=2 [ran T=1] x=3 [ran T=1] x=1 x=2 [ran T=2]",
        "at B",
    );
    check(model, "x=2 | [ran T=1] x=3 [ran T=1] x=0 x=3", "ran T=2");
    // Every change counts: an answer, a payload.
    let inside = "s > F > B{~(if x > 1) as T > C*}; F > A; F > c > D; catch c(message m)";
    check(inside, "x=0 | A(x=2) [ran T=1] m!(x=0) m!", "ran T=1; data x=0");
    check(inside, "x=0 | m!(x=2)", "ran T=1");
}

#[test]
fn evt_5_terminate_ends_its_scope_at_once() {
    let _tied = hits(CoverageMark::TerminatesScope);
    let root = "s > F > A > J; F > B > J > E; F > C{~m > D} > ET; F > SP{s1 > H > e}; F > c > E; catch c(timer PT1H)";
    check(
        root,
        "A m! [at B C D H J.A_J SP c] C",
        "terminated; at -; armed -; ran ET=1; not E J; records InstanceEnded=1",
    );
    let inner = "s > F > SP{s1 > F1 > A > J > e; F1 > B > J; F1 > C > ET; and F1} > D > E; F > H > E";
    check(
        inner,
        "A [at B C H J.A_J SP] C [at D H] D H",
        "completed; ran SP=1 ET=1 E=2; not e J",
    );
    check_every("s > F > A* > E; F > B* > ET", "", "terminated; records InstanceEnded=1");
}

#[test]
fn evt_6_conditions_go_to_the_language_they_are_in() {
    for condition in ["x > 1", "${x > 1}", "#{x gt 1}", "= x > 1"] {
        let model = format!("s > X -[{condition}]> A; X -[default]> B");
        check(&model, "x=2 |", "at A");
        check(&model, "x=1 |", "at B");
    }
    let mut model = parse("s > X -[x > 1]> A; X -[default]> B");
    let flow = model.scopes[0]
        .flows
        .iter_mut()
        .find(|flow| flow.condition.is_some())
        .expect("a condition");
    flow.condition.as_mut().expect("a condition").language = Some("http://example.org/prolog".into());
    let problems = compile(&model, &model.processes[0], &Compiled::default()).expect_err("the language is unknown");
    assert_eq!(
        problems[0].rule, "EVT-6",
        "an unknown language is a problem, not a condition that is always true"
    );
}

#[test]
fn evt_7_timer_values_may_be_expressions_and_may_be_overridden() {
    let model = "s > c > A; catch c(timer =wait)";
    check(model, "wait=PT30M | +PT29M [at c] +PT1M", "at A");
    check("s > c > A; catch c(timer PT1H)", "timer:c=PT5M | +PT5M", "at A");
    check("s > B{~timer PT1H as T > C*} > A", "timer:T=R2/PT1M | +PT1H", "ran T=2");
    check(model, "wait=soon |", "faulted expression c");
}

#[test]
fn evt_1_an_event_that_names_nothing_is_reached_from_outside_only() {
    let mut model = parse("s > c > A; catch c(message m)");
    for node in &mut model.scopes[0].nodes {
        if let NodeKind::Catch { events, .. } = &mut node.kind {
            events[0].trigger = Trigger::Message(None);
        }
    }
    let mut world = World::new(Options::default());
    let process = world.add(template(&model, &Compiled::default()));
    let instance = world.start(process, 0, Data::default());
    world.run(Part::Inside, u64::MAX);
    assert_eq!(world.message("m", &Data::default(), 0), Delivery::Undelivered);
    assert_eq!(
        world.message("c", &Data::default(), 0),
        Delivery::Reached(vec![instance])
    );
}

#[test]
fn evt_3_time_from_outside_waits_for_what_is_due() {
    let model = parse("s > A{!timer PT1H > e2}{~timer PT2H > e3} > e");
    let mut world = World::new(Options {
        timed: true,
        ..Options::default()
    });
    let process = world.add(template(&model, &Compiled::default()));
    world.start(process, 0, Data::default());
    world.run(Part::Inside, u64::MAX);
    let hour = 3_600_000;
    assert_eq!((world.pass_time(3 * hour), world.count(Part::Due)), (hour, 1));
    assert_eq!(world.pass_time(3 * hour), hour, "the first timer has not fired");
    let firing = world.oldest(Part::Due).expect("it is due");
    world.apply(firing).expect("it is enabled");
    assert_eq!(world.pass_time(3 * hour), 3 * hour, "the other has gone with its host");
}

#[test]
fn evt_3_a_timer_without_a_value_may_fire_at_any_time() {
    let mut model = parse("s > B{!timer PT1H as T > C} > A");
    for node in &mut model.scopes[0].nodes {
        if let NodeKind::Boundary { events, .. } = &mut node.kind {
            events[0].trigger = Trigger::Timer(None);
        }
    }
    let fires = |settings: &Compiled| {
        let mut world = World::new(Options::default());
        let process = world.add(template(&model, settings));
        world.start(process, 0, Data::default());
        world.run(Part::Inside, u64::MAX);
        let classes: Vec<Class> = world.enabled(Part::All).into_iter().map(Action::class).collect();
        (classes, world.next_due())
    };
    assert_eq!(
        fires(&Compiled::default()),
        (vec![Class::Completion, Class::Firing], None)
    );
    let timers = [("T".to_owned(), "PT5M".to_owned())].into();
    let set = Compiled {
        timers,
        ..Compiled::default()
    };
    assert_eq!(fires(&set), (vec![Class::Completion, Class::Clock], Some(300_000)));
}

#[test]
fn evt_2_what_a_signal_arms_does_not_get_that_signal() {
    let model = "s > A > E; ESP~h{s1(signal x) > catch c(signal x) > H > e}";
    check(model, "sig:x", "at A c; not c");
    check(model, "sig:x sig:x", "at A H c; ran c=1 s1=2");
}

#[test]
fn evt_8_a_condition_that_fails_is_a_fault_of_its_own_kind() {
    let split = |condition: &str| format!("s > X -[{condition}]> A; X -[default]> B");
    for condition in ["nobody_knows", "x", "x + 1", "x > \"a\"", "x / 0 > 1"] {
        check(&split(condition), "x=1 |", "faulted expression X");
    }
    check("s > O -[nobody_knows]> A; O > B", "", "faulted expression O");
    check("s > A -[nobody_knows]> B; A > C", "A", "faulted expression A");
    check("s > c > A; catch c(if nobody_knows)", "", "faulted expression c");
    check("s > c > A; catch c(if x > 1)", "x=0 | x=text", "faulted expression c");
    check("s > B{!(if nobody_knows) as T} > A", "", "faulted expression T");
    check(
        "s > SP{s1 > A > e; ESP!h{s2(if nobody_knows) > H}} > E",
        "",
        "faulted expression s2",
    );
    check(
        "s > F > A > K; F > B > K(1 if nobody_knows) > E",
        "A",
        "faulted expression K",
    );
}
