//! EVG: event-based gateways.

use trackside_engine::instance::CoverageMark;

use crate::marks::hits;
use crate::scenario::{check, check_every};

const GATE: &str = "s > G > c > A > E1; G > t > B > E2; G > g > C > E3; G > i > D > E4; G > R > H > E5; \
                    catch c(message m) t(timer PT1H) g(signal sg) i(if ready); receive R(n)";

#[test]
fn evg_1_the_token_rests_at_the_gate() {
    let _tied = hits(CoverageMark::ArmTakesToken);
    check(
        GATE,
        "ready=false | [at G; armed R c g i t; records Armed=5] m! [at A; armed -]",
        "ran G=1 c=1; not t g i R",
    );
    check(GATE, "ready=false | m!", "records Fired=1 Disarmed=5 Stepped@G=1");
}

#[test]
fn evg_1_evg_2_each_kind_of_arm_wins_alone() {
    for (event, arm, next) in [
        ("m!", "c", "A"),
        ("+PT1H", "t", "B"),
        ("sig:sg", "g", "C"),
        ("ready=true", "i", "D"),
        ("n!", "R", "H"),
    ] {
        let script = format!("ready=false | {event} [at {next}; armed -; ran G=1 {arm}=1] {next}");
        check(GATE, &script, "completed; ran G=1; records Fired=1");
    }
}

#[test]
fn evg_1_a_sibling_event_a_moment_later_finds_no_subscription() {
    let all = ["m!", "sig:sg", "n!"];
    for first in all {
        for second in all {
            let script = format!("ready=false | {first} [records Undelivered=0] {second}");
            check(GATE, &script, "records Fired=1 Undelivered=1");
        }
    }
    check(
        GATE,
        "ready=false | :clock m! +PT1H ready=true",
        "at A; records Fired=1",
    );
    check(
        GATE,
        "ready=false | :clock fire:t m!",
        "at B; records Fired=1 Undelivered=1",
    );
}

#[test]
fn evg_1_every_order_of_events_takes_one_arm() {
    let model =
        "s > F > G > c > J; G > d > J2; F > A* > M; J > E; J2 > E; M > E; catch c(message m) d(message n); xor J J2 M";
    let states = check_every(model, "m!", "completed; ran G=1 c=1 E=2; not d");
    assert!(states > 10);
}

#[test]
fn evg_1_in_a_loop_each_pass_subscribes_again() {
    let model = "s > M > G > c > X -[again]> M; X -[default]> E; G > t > E2; catch c(message m) t(timer PT1H)";
    let script = "again=true | m! [at G; armed c t; records Armed=4] +PT30M [at G] m! +PT30M [at G] again=false m!";
    check(model, script, "completed; ran G=3 c=3; not t");
}

#[test]
fn evg_3_an_exclusive_start_creates_an_instance_per_event() {
    let model = "G > c > A > E; G > d > B > E; gate G(instantiate); catch c(message m) d(message n)";
    check(
        model,
        "@unborn | [unborn] m! [at A; armed -; data x=1]"
            .replace("m!", "m!(x=1)")
            .as_str(),
        "ran G=1 c=1; not d",
    );
    check(model, "@unborn | n! B", "completed; only G=1 d=1 B=1 E=1");
    check(model, "start:d |", "at B");
    let mut runs = crate::scenario::play(&crate::scenario::parse(model), "@unborn | m! n!");
    let run = runs.remove(0);
    assert_eq!(
        run.world.instances().count(),
        2,
        "each matching event is an instance of its own"
    );
}

#[test]
fn evg_4_joins_wait_for_arms_that_are_owed() {
    let gate = "G > c > A > J; G > d > J; J > B > E; gate G(parallel instantiate); catch c(message m) d(message n)";
    for joins in ["or J", "and J", "complex J(2)"] {
        let model = format!("{gate}; {joins}");
        check(
            &model,
            "@unborn | m! [at A] A [armed d; not B] n! [at B] B",
            "completed; fired J=1; ran E=1",
        );
        check(&model, "@unborn @conservative | n! m! A", "at B; fired J=1");
    }
}

#[test]
fn evg_4_a_parallel_start_feeds_all_arms_of_one_instance() {
    let _tied = hits(CoverageMark::ArmWasOwed);
    let model = "G > c > A > E; G > d > B > E; G > f > E; gate G(parallel instantiate); \
                 catch c(message m) d(message n) f(message o)";
    let script =
        "@unborn | m! [at A; armed d f] A [waiting; ran E=1; at -; armed d f] o! [waiting; ran E=2; armed d] n! B";
    check(
        model,
        script,
        "completed; ran G=1 c=1 d=1 f=1 E=3; records InstanceEnded=1",
    );
    // Arms go on as they fire: no barrier.
    check(model, "@unborn | n! [at B] m! [at A B]", "waiting; armed f");
    // Once they are taken, the same message is a new instance's.
    check(model, "@unborn | m! m!", "at A; armed d f");
}

#[test]
fn evg_7_the_winning_arm_binds_the_payload() {
    let model = "s > G > c > X -[x > 1]> A; X -[default]> B; G > R > C; catch c(message m); receive R(n)";
    check(model, "x=0 | m!(x=5)", "at A; data x=5");
    check(model, "x=0 | n!(x=7)", "at C; data x=7");
}
