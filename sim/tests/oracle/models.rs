//! Small models, each for some rules, under many schedules and all options: the reference finds nothing.

use std::collections::BTreeSet;

use trackside_engine::instance::Options;
use trackside_engine::template::Compiled;
use trackside_sim::oracle::Reference;

use super::drive::{numbers, options, parse, walk};

const SCHEDULES: u64 = 40;
const STEPS: usize = 60;

/// Name and model.
#[rustfmt::skip]
const MODELS: &[(&str, &str)] = &[
    ("a parallel diamond", "s > F > A* > J > e; F > B > J"),
    ("an inclusive diamond", "s > O > A > J > e; O > B > J; O > C* > J; or J O"),
    ("an exclusive loop", "s > m > A > X -[again]> m; X -[default]> e"),
    ("surplus at a parallel join", "s > F > m; F > m; F > J; m > J > e; and J F"),
    ("surplus at an inclusive join", "s > F > m > J; F > m; F > O > B > J; J > e; O > e2; or J O; and F"),
    ("an inclusive join in a loop", "s > m > O > A > J; O > B > J; J > X -[again]> m; X -[done]> e; or J O"),
    ("two inclusive joins in a circle", "s > F > J1; F > J2; J1 > X1 > J2; X1 > e1; J2 > X2 > J1; X2 > e2; or J1 J2; xor X1 X2"),
    ("implicit splits and merges", "s > A > B; A > C; B > D; C > D; D > e"),
    ("conditional ways out of a task", "s > A -[c]> B > e; A -[done]> C > e; A -[default]> e"),
    ("unconditional beside conditional", "s > A -[c]> B > e; A > C > e"),
    ("starved", "s > X > A > J; X > B > J; J > e; and J"),
    ("a gate", "s > G > catch a(message m) > e; G > catch b(signal g) > A > e; G > catch t(timer PT1H) > e; G > receive r(k) > e"),
    ("two tokens at a gate", "s > F > G; F > G; G > catch a(message m) > A > e; G > catch b(signal g) > e"),
    ("a signal to many", "s > F > catch a(signal g) > J; F > catch b(signal g) > J; F > A{!signal g > e2} > J; F > T > throw t(signal g) > J; J > e; or J"),
    ("a message to one of several", "s > F > catch a(message m) > J; F > catch b(message m) > J; F > T > send z(m) > J; F > throw t(message m) > J; J > e; and J"),
    ("an end that throws", "s > F > catch a(signal g) > e; F > A > end x(signal g); F > B > end y(message m); F > receive r(m) > e2"),
    ("links", "s > A > throw t(link l); catch c(link l) > B > e"),
    ("links at an inclusive join", "s > F > A > J; F > B > X > throw t(link l); X > e2; catch c(link l) > J; J > e; or J"),
    ("an interrupting boundary", "s > service A{!timer PT1H > B > e2}{!m > C > e3} > D > e"),
    ("a watcher that stays", "s > user A{~timer R3/PT1H > B > e2}{~m > C* > e3} > D > e"),
    ("a watcher that feeds the join", "s > F > A{~m > C > J} > J; F > B > J; J > e; or J"),
    ("conditional watchers", "s > A{~(if c) > B > e2}{!(if done) > C > e3} > e"),
    ("a conditional catch", "s > F > catch a(if c) > J; F > A > J; J > e; and J F"),
    ("a thrower that chooses after what it drained", "s > T -[c]> K; T > X; s > K; s > SP{s1 > catch c(message m)}; send T(m); xor X; complex K(2)"),
    ("a timer of a variable that nobody sets", "s > F > A{!(timer =wait) > B > e2} > J; F > C > J; J > e; and J F"),
    ("errors", "s > SP{s1 > A > X > end x(error k); X > e1} > e; SP{!error k > B > e2}"),
    ("an error of a task", "s > service A{!error k > B > e2}{!error > C > e3} > e"),
    ("an uncaught error", "s > F > A > end x(error k); F > B > e"),
    ("an error climbs", "s > SP{s1 > SQ{s2 > F > A > end x(error k); F > B > e2} > e1} > e; SP{!error > C > e3}"),
    ("an error handler", "s > F > A > end x(error k); F > B > e; ESP!h{start hs(error k) > H > eh}"),
    ("escalation", "s > SP{s1 > A > throw t(escalation k) > B > e1} > e; SP{~escalation k > C > e2}"),
    ("an interrupting escalation", "s > SP{s1 > F > A > end t(escalation k); F > B > e1} > e; SP{!escalation > C > e2}"),
    ("an uncaught escalation", "s > A > throw t(escalation k) > e"),
    ("an escalation handler", "s > A > throw t(escalation k) > B > e; ESP~h{start hs(escalation) > throw u(escalation k) > eh}"),
    ("scopes in a loop", "s > m > SP{s1 > F > A > J; F > B* > J; J > e1} > X -[again]> m; X -[done]> e"),
    ("an empty scope", "s > SP{} > A > e"),
    ("a scope without a start", "s > SP{A > e1; B > e2} > e"),
    ("terminate", "s > F > A > ET; F > B > J; F > C > J; J > e; and J"),
    ("terminate in a scope", "s > SP{s1 > F > A > ET; F > service B > e1} > C > e"),
    ("a scope with watchers", "s > SP{s1 > service A > e1}{!m > B > e2}{~signal g > C > e3} > D > e"),
    ("a handler beside", "s > A > B > e; ESP~h{start hs(message m) > H > eh}; ESP~i{start is(signal g) > H2* > ei}"),
    ("a handler that takes over", "s > F > service A > J; F > B > J; J > e; ESP!h{start hs(message m) > H > eh}; ESP~i{start is(signal g) > I > ei}"),
    ("a handler inside before the boundary", "s > SP{s1 > A > e1; ESP~h{start hs(message m) > H > eh}} > e; SP{!m > B > e2}"),
    ("handlers in handlers", "s > A > e; ESP~h{start hs(message m) > H > eh; ESP!i{start is(signal g) > I > ei}}"),
    ("a timer handler", "s > A > e; ESP~h{start hs(timer R2/PT1H) > H > eh}; ESP!i{start is(timer PT5H) > I > ei}"),
    ("a complex join", "s > F > A > K; F > B > K; F > C > K; K(2) > D > e"),
    ("a complex join in a loop", "s > m > F > A > K; F > B > K; K(1) > X -[again]> m; X -[done]> e"),
    ("required flows", "s > F > A > K.a; F > B > K.b; F > C > K.c; K(2 requires a; 1 requires c) > e"),
    ("a dead complex join", "s > X > A > K; X > B > K; K(2) > e"),
    ("exhausted arrivals", "s > O > A > K.a; O > B > K.b; K(2 if c; 1 if done) > e; or O"),
    ("a complex split", "s > K -[c]> A > e; K -[done]> B > e; K -[default]> e"),
    ("ways out of a reset", "s > F > A > K; F > B > K; F > C > K; K(2) -[c]> D > e; K -[done]> E; K -[default]> e2"),
    ("alternative starts", "start s1(message m) > A > e; start s2(signal g) > B > e"),
    ("an instantiating gate", "gate G(instantiate) > catch a(message m) > A > e; G > catch b(message k) > e"),
    ("an instantiating receive task", "receive R(m instantiate) > A > e"),
    ("no start at all", "A > J > e; B > J; and J"),
    ("a send that is interrupted", "s > send A(m){!signal g > B > e2} > e"),
    ("a scope that leaves by choice", "s > SP{s1 > A > e1} -[c]> B > e; SP -[done]> C > e; SP{!m as b > D}; D -[c]> B; D -[default]> e2"),
    ("an empty scope that leaves by choice", "s > SP{} -[c]> B > e; SP > C > e"),
    ("a signal to several that choose", "s > F > catch a(signal g) -[c]> A > e; a -[done]> B > e; F > catch b(signal g) -[c]> A; b > e2"),
    ("a caught error that chooses", "s > service A{!error k as b > e2} > e; b -[c]> B > e; b -[done]> C > e"),
    ("one condition is no choice", "s > SP{s1 > A > e1} -[c]> B > e"),
    ("a receiver that throws in turn", "s > F > catch c(message k) > end x(signal h); F > send T(k) > service B{!signal h > C > e2} > e"),
    ("straight back", "s > A -[again]> A; A -[done]> e"),
];

/// The kinds of records there are, but for those of inputs that the schedules do not make.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "Armed", "Arrived", "Born", "Clock", "DataChanged", "Disarmed", "Discarded", "Fired", "InstanceEnded", "Interrupted",
    "JoinFired", "Left", "Merged", "Parked", "Rearmed", "Refired", "Resumed", "ScopeCompleted", "ScopeOpened",
    "ScopeWithdrawn", "Stepped", "Thrown", "TrackEnded", "Trailing", "Undelivered", "WorkAskedToStop", "WorkEnded",
    "WorkStarted",
];

#[test]
fn small_models_under_many_schedules() {
    let mut follows = 0;
    let mut kinds = BTreeSet::new();
    for (at, (name, model)) in MODELS.iter().enumerate() {
        for schedule in 0..SCHEDULES {
            let seed = at as u64 * 1_000 + schedule;
            let picks = numbers(seed, STEPS);
            // Both grains and both readings in turn, the other options at random.
            let options = options((schedule % 4) | (picks[0] & !3));
            match walk(model, options, picks[1], &picks) {
                Ok(walk) => {
                    follows += walk.follows;
                    let names = walk.log.iter().map(|record| format!("{record:?}"));
                    kinds.extend(names.map(|name| name.split([' ', '{']).next().unwrap_or_default().to_owned()));
                }
                Err(violation) => panic!("{name}, schedule {schedule}: {violation}\n{model}\n{options:?}"),
            }
        }
    }
    assert!(follows > 10_000, "{follows}");
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>(), KINDS);
}

/// What the oracle has no rules for is refused by name.
#[test]
fn what_is_not_covered_is_refused() {
    for (model, refused) in [
        ("s > transaction T{a} > e", "transaction: `T`"),
        ("s > adhoc T{a} > e", "adHocSubProcess: `T`"),
        ("s > call C(p) > e", "callActivity: `C`"),
        (
            "s > A{~timer R3/2030-01-01T00:00:00Z/PT1H as b > e2} > e",
            "a cycle with a date or of data: `b`",
        ),
        (
            "start s(message m) > throw t(message m) > e",
            "a throw that starts another instance: `t`",
        ),
        (
            "s > catch c(message m | signal g) > e",
            "an event with several definitions: `c`",
        ),
        (
            "s > A > K; s > B > K; K(if x1 + x2 >= 2) > e",
            "a plain activation condition: `K`",
        ),
    ] {
        let refusal = Reference::new(&parse(model), 0, &Compiled::default(), &Options::default());
        let found = refusal.expect_err(model).to_string();
        assert_eq!(found, format!("the oracle does not cover {refused}"));
    }
}
