//! ESP, ESC: event sub-processes and escalation.

use trackside_engine::world::{Class, Part};

use trackside_engine::instance::CoverageMark;

use crate::marks::hits;
use crate::run::Run;
use crate::scenario::{check, check_every, parse, play, play_one};

#[test]
fn esp_1_a_handler_is_armed_while_its_scope_runs() {
    let model = "s > A > E; ESP~h{s1(m) > H > e}";
    check(
        model,
        "[armed s1] A",
        "completed; armed -; records Armed=1 Disarmed=1 Fired=0",
    );
    check(model, "A m!", "completed; records Undelivered=1; not s1");
    let inner = "s > SP{s2 > A > e2; ESP~h{s1(m) > H > e}} > B > E";
    check(
        inner,
        "[armed s1] A [at B; armed -] m! [records Undelivered=1]",
        "at B; not s1",
    );
}

#[test]
fn esp_1_non_interrupting_handlers_run_beside_and_are_armed_again() {
    let model = "s > A > E; ESP~h{s1(m) > H > e}";
    check(
        model,
        "m! m! [at A H H; armed s1; records Refired=2] A [waiting; at H H] H [waiting] H",
        "completed; ran s1=2 H=2 e=2",
    );
    check_every(
        model,
        "m! m! any: A H H",
        "completed; ran A=1 H=2 e=2; records ScopeOpened=3",
    );
    let inner = "s > SP{s2 > A > e2; ESP~h{s1(m) > H > e}} > B > E";
    check(inner, "m! A [at H SP] H [at B] B", "completed; ran SP=1");
}

#[test]
fn esp_1_an_interrupting_handler_takes_over_its_scope() {
    let _tied = hits(CoverageMark::HandlerTakesOver);
    let model = "s > F > A{~x > C} > J; F > B > J > E; F > c > E2; catch c(timer PT1H); \
                 ESP!h{s1(m) > H > e}; ESP~k{s2(n) > I > e3}";
    let script = "x! n! A [at B C I J.A_J c] m! [at H; armed -]";
    check(
        model,
        &format!("{script} n! m! [at H; records Undelivered=2] +PT2H H"),
        "completed; ran e=1; not B C I J E E2",
    );
    let inner = "s > SP{s2 > A > e2; ESP!h{s1(m) > H > e}}{!out > D > E2} > B > E";
    check(
        inner,
        "m! [at H SP; armed SP_out] H [at B] B",
        "completed; ran SP=1; not A e2",
    );
    check(inner, "m! [at H SP] out! [at D] D", "completed; not H SP");
}

#[test]
fn esp_1_at_most_one_interrupting_handler_runs_per_scope_run() {
    let model = "s > A > E; ESP!h{s1(m) > H > e}; ESP!k{s2(n) > I > e2}";
    check(
        model,
        "[armed s1 s2] m! [at H; armed -] n! [at H; records Undelivered=1] H",
        "completed; not I A",
    );
    let timers = "s > A > E; ESP!h{s1(timer PT1H) > H > e}; ESP!k{s2(timer PT1H) > I > e2}";
    check(timers, "+PT1H [armed -]", "at H; records Fired=1");
    check(timers, ":clock fire:s2 [armed -]", "at I; records Fired=1");
}

#[test]
fn esp_1_a_handler_is_a_scope_of_its_own() {
    // Terminate in a handler ends that run of it; handlers may hold handlers and joins.
    let model = "s > A > E; ESP~h{s1(m) > F > H > ET; F > I > e}";
    check(
        model,
        "m! m! [at A H H I I] H [at A H I] A [at H I] I H",
        "completed; ran ET=2",
    );
    let nested = "s > A > E; ESP~h{s1(m) > F > H > J; F > I > J > e; ESP!k{s2(n) > L > e2}}";
    check(nested, "m! [armed s1 s2] m! H [fired J=0] n! [at A H I L]", "waiting");
}

/// The messages that are on offer, by the nodes that would take them.
fn offered(run: &Run) -> Vec<String> {
    let firings = run.world.enabled(Part::All).into_iter();
    let firings = firings.filter(|action| action.class() == Class::Firing);
    let nodes = firings.filter_map(|action| run.world.label(action).node);
    nodes.map(|node| run.template().node(node).id.clone()).collect()
}

#[test]
fn esp_2_a_boundary_event_is_not_offered_what_a_handler_inside_takes() {
    let _tied = hits(CoverageMark::BoundaryOfferedAgain);
    let model = "s > P{s1 > A > e1; ESP!h{s2(message m) > H > e2}}{!message m as B > C > e3} > e";
    assert_eq!(offered(&play_one(model, "")), ["s2"]);
    assert_eq!(
        offered(&play_one(model, "m!")),
        ["B"],
        "the handler runs and is armed no more"
    );
    check(model, "m! m!", "at C");
    let again = model.replace("ESP!h", "ESP~h");
    assert_eq!(offered(&play_one(&again, "m!")), ["s2"], "this one is armed again");
    let other = model.replace("!message m as B", "!message n as B");
    assert_eq!(offered(&play_one(&other, "")), ["B", "s2"]);
}

#[test]
fn esp_2_the_inner_handler_takes_what_the_boundary_could() {
    let model = "s > SP{s2 > A > e2; ESP~h{s1(m) > H > e}}{!m > C > E2} > B > E";
    check(model, "m! [at A H SP; records Fired@SP_m=0] H A B", "completed; not C");
    let error = "s > SP{s2 > A > e2(error k); ESP!h{s1(error k) > H > e}}{!error k > C > E2} > B > E";
    check(error, "A [at H SP] H B", "completed; not C SP_k");
    let escalation =
        "s > SP{s2 > t > A > e2; throw t(escalation k); ESP~h{s1(escalation k) > H > e}}{~escalation k > C > E2} > B";
    check(escalation, "", "at A H SP; records Fired@SP_k=0");
    // A message that the handler does not wait for goes to the boundary.
    let other = "s > SP{s2 > A > e2; ESP~h{s1(n) > H > e}}{!m > C > E2} > B > E";
    check(other, "m!", "at C");
}

#[test]
fn esp_3_error_and_escalation_starts_catch_what_is_raised_in_their_scope() {
    let error = "s > F > A > E; F > B > E; ESP!h{s1(error k) > H > e}";
    check(error, "A(k) [at H; armed -] H", "completed; not A B E");
    check(error, "A(other)", "faulted error A other");
    let deep = "s > SP{s2 > SQ{s3 > A > e3} > e2} > E; ESP!h{s1(error) > H > e}";
    check(deep, "A(k) [at H] H", "completed; records ScopeWithdrawn=2; not SP SQ");
    let escalation = "s > A > t > B > E; throw t(escalation k); ESP~h{s1(escalation k) > H > e}";
    check(escalation, "A [at B H; armed s1] B H", "completed; ran t=1 s1=1");
    let interrupting = "s > A > t > B > E; throw t(escalation k); ESP!h{s1(escalation k) > H > e}";
    check(interrupting, "A [at H] H", "completed; not t B");
}

#[test]
fn esp_3_a_handler_does_not_catch_what_its_own_run_raises() {
    let _tied = hits(CoverageMark::OwnRunSkipped);
    let handler = "ESP~h{s1(escalation k) > H > u; end u(escalation k)}";
    let passed_on =
        format!("s > SP{{s2 > t > A > e2; throw t(escalation k); {handler}}}{{~escalation k > C > E2}} > E");
    check(
        &passed_on,
        "[at A H SP] H [at A C SP] A C",
        "completed; ran s1=1 u=1 t=1",
    );
    // Another handler of the same scope may take it.
    let other = "ESP~i{s3(escalation) > I > e3}";
    let beside = format!("s > SP{{s2 > t > A > e2; throw t(escalation k); {handler}; {other}}} > E");
    check(&beside, "[at A H SP] H [at A I SP]", "ran s1=1 s3=1");
}

#[test]
fn esc_1_a_throw_climbs_to_the_innermost_catcher_and_goes_on() {
    let inner = "s > SP{s1 > SQ{s2 > t > A > e2; throw t(escalation k)}{~escalation k > C > e3} > e1}{~escalation k > D > E2} > E";
    check(
        inner,
        "[at A C SP SQ; records Fired@SP_k=0 Fired@SQ_k=1]",
        "ran t=1; not D",
    );
    let outer = "s > SP{s1 > SQ{s2 > t > A > e2; throw t(escalation k)} > e1}{~escalation k > D > E2} > E";
    check(outer, "", "at A D SP SQ");
    let code_first = "s > SP{s1 > t > A > e1; throw t(escalation k)}{~escalation > C > E2}{~escalation k > D > E2} > E";
    check(code_first, "", "at A D SP; not C");
    let any = "s > SP{s1 > t > A > e1; throw t(escalation k)}{~escalation other > C > E2}{~escalation > D > E2} > E";
    check(any, "", "at A D SP; not C");
}

#[test]
fn esc_1_an_uncaught_escalation_is_recorded_and_never_a_fault() {
    let _tied = hits(CoverageMark::EscalationUncaught);
    check(
        "s > t > A > E; throw t(escalation k)",
        "[at A; records Undelivered=1 Thrown=1] A",
        "completed",
    );
    check("s > e(escalation k)", "", "completed; ran e=1; records Undelivered=1");
}

#[test]
fn esc_1_an_interrupting_catcher_stops_the_thrower() {
    let model = "s > SP{s1 > F > t > A > e1; F > B > e1; throw t(escalation k)}{!escalation k > C > E2} > E";
    check(model, "[at C] C", "completed; not t A B E");
    let end = "s > SP{s1 > F > B > e1; F > A > e2(escalation k)}{~escalation k > C > E2} > E";
    check(end, "A [at B C SP] B C", "completed; ran e2=1 SP=1 E=1 E2=1");
}

/// ERR-1: the outside is offered no code whose catcher is gone, since nothing would catch it.
#[test]
fn esp_1_work_of_an_interrupting_handler_raises_only_what_is_caught_outside() {
    let model = |mode: char| {
        let handler = format!("ESP{mode}h{{s1(m) > H > e}}; ESP!k{{s2(error x) > K > f}}");
        format!("s > SP{{s3 > A > g; {handler}}}{{!error y > B}} > E")
    };
    // Beside ending well: what the scope's boundary catches, and what the other handler does while it is there.
    for (mode, outcomes) in [('!', 2), ('~', 3)] {
        for run in play(&parse(&model(mode)), "m!") {
            let actions = run.world.enabled(Part::All).into_iter();
            let most = actions.map(|action| run.world.choices(action).0).max();
            assert_eq!(most, Some(outcomes), "{mode}");
        }
    }
    check(&model('!'), "m! H(x)", "faulted error H x");
    check(&model('~'), "m! H(x)", "ran K=1; not h");
}

#[test]
fn esp_2_one_handler_inside_is_enough_to_keep_a_message_from_the_boundary() {
    let _tied = hits(CoverageMark::BoundaryEclipsed);
    let model = "s > SP{s1 > A > e1; ESP!h{start hs(message m) > H > eh*}; ESP~i{start is(message m) > I > ei*}} > e; \
                 SP{!m as b > B > e2}";
    // One handler takes the message and takes over; with it the other one goes, and then the boundary event has its turn.
    check(model, "m! [at H SP; armed b] m!", "waiting; at B");
}
