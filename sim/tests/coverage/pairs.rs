//! Race pairs: for each, a model and a schedule that hits it, and one that nearly does.

use super::drive::{free, play};

/// A model; then rows of a script, what it hits, and what it misses.
struct Case {
    model: &'static str,
    rows: &'static [(&'static str, &'static [&'static str], &'static [&'static str])],
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    Case { model: "s > F > user A{!message m as w > B > O} > O; F > user C > O; O > e; or O; and F", rows: &[
        ("go fire:w", &["boundary.message.interrupting.working.or", "completion.fires-before-completion.message.interrupting"],
            &["boundary.message.interrupting.working.and", "boundary.message.interrupting.working.none", "completion.completes-before.message.interrupting"]),
        ("go done:A", &["completion.completes-before.message.interrupting"],
            &["boundary.message.interrupting.working.or", "completion.fires-before-completion.message.interrupting"]),
    ] },
    Case { model: "s > user A{~signal g as w > B* > e2} > e", rows: &[
        ("go fire:w", &["boundary.signal.non-interrupting.working.none"], &["boundary.signal.non-interrupting.refired.none", "branch.outlives-host"]),
        ("go fire:w fire:w", &["boundary.signal.non-interrupting.refired.none"], &[]),
        ("go fire:w done:A", &["branch.outlives-host", "completion.completes-before.signal.non-interrupting"], &["branch.ends-before-host"]),
        ("go fire:w go done:A", &["branch.ends-before-host"], &["branch.outlives-host"]),
    ] },
    Case { model: "s > SP{s1 > F > user A > J; F > user B > J; J > e1; and F J} > e; SP{!timer PT1H as t > e2}", rows: &[
        ("go done:A fire:t", &["boundary.timer.interrupting.scope-moving.none", "ended-by.interruption.in-transit", "ended-by.interruption.working"],
            &["boundary.timer.interrupting.scope-parked.none"]),
        ("go done:A go fire:t", &["boundary.timer.interrupting.scope-parked.none", "ended-by.interruption.parked-and"],
            &["boundary.timer.interrupting.scope-moving.none", "ended-by.interruption.in-transit"]),
        ("go done:A go done:B go", &["completion.drains-before.timer.interrupting"], &["ended-by.interruption.parked-and"]),
    ] },
    Case { model: "s > SP{s1 > SQ{s2 > user A > e2} > e1} > e; SP{!message m as w > e3}", rows: &[
        ("go fire:w", &["boundary.message.interrupting.scope-nested.none", "ended-by.interruption.hosting", "ended-by.interruption.working"],
            &["boundary.message.interrupting.working.none"]),
    ] },
    Case { model: "s > service A{!error k as w > e2} > e", rows: &[
        ("go error:A", &["boundary.error.interrupting.working.none"], &["completion.completes-before.message.interrupting"]),
    ] },
    Case { model: "s > G > catch a(message m) > e; G > catch b(signal g) > e", rows: &[
        ("go fire:a", &["arms.message.signal"], &["arms.signal.message"]),
        ("go fire:b", &["arms.signal.message"], &["arms.message.signal"]),
    ] },
    Case { model: "s > user A{!message m as w > e2}{!timer PT1H as t > e3} > e", rows: &[
        ("go fire:w", &["watchers.message.timer"], &["watchers.timer.message"]),
        ("go fire:t", &["watchers.timer.message"], &["watchers.message.timer"]),
    ] },
    Case { model: "s > F > A* > ET; F > user B > J; F > user C > J; J > e; and J F", rows: &[
        ("step:s arrive:F step:F arrive:B step:B arrive:C step:C arrive:A step:A arrive:ET step:ET", &["ended-by.terminate-process.working"],
            &["ended-by.terminate-process.parked-and", "ended-by.terminate-process.in-transit", "ended-by.terminate-scope.working"]),
        ("step:s arrive:F step:F arrive:B step:B done:B arrive:J arrive:A step:A arrive:ET step:ET", &["ended-by.terminate-process.parked-and", "ended-by.terminate-process.in-transit"],
            &["ended-by.terminate-process.working"]),
    ] },
    Case { model: "s > SP{s1 > F > user A > ET; F > catch b(message m) > e1; and F} > e", rows: &[
        ("go done:A go", &["ended-by.terminate-scope.catching"], &["ended-by.terminate-process.catching"]),
        ("go fire:b go", &[], &["ended-by.terminate-scope.catching"]),
    ] },
    Case { model: "s > F > user A > O; F > user B > O; O > e; or O; and F", rows: &[
        ("go done:A go cancel", &["ended-by.cancel.parked-or", "ended-by.cancel.working"], &["ended-by.fault.parked-or"]),
        ("go done:A go fail:B", &["ended-by.fault.parked-or"], &["ended-by.cancel.parked-or", "ended-by.fault.working"]),
    ] },
    Case { model: "s > F > A* > m; F > B* > m; F > user C > J; m > J > e; xor m; and F J", rows: &[
        ("go", &["surplus.and.while-marked"], &["surplus.and.consumed", "surplus.and.after-firing"]),
        ("go done:C go", &["surplus.and.while-marked"], &["surplus.or.while-marked"]),
    ] },
    Case { model: "s > F > user A > m; F > user B > m; F > user C > J; m > J > e; xor m; and F J", rows: &[
        ("go done:A go done:C go done:B go", &["surplus.and.after-firing"], &["surplus.and.while-marked"]),
    ] },
    Case { model: "s > F > user A > K; F > user B > K; K(1) > e; and F", rows: &[
        ("go done:A go done:B go", &["wave.late"], &["wave.used-flow", "surplus.complex.while-marked"]),
        ("go done:A", &[], &["wave.late"]),
    ] },
    Case { model: "s > F > user A > O; F > user B > X > O; X > e2; O > e; or O; xor X; and F", rows: &[
        ("go done:A go done:B arrive:X step:X/1", &["unblocked.or.move", "ORJ-6"], &["unblocked.or.end"]),
        ("go done:A go done:B arrive:X step:X go", &[], &["unblocked.or.move"]),
    ] },
    Case { model: "s > F > user A > O; F > user B{!message m as w > e2} > O; O > e; or O; and F", rows: &[
        ("go done:A go fire:w", &["unblocked.or.interruption"], &["unblocked.or.move", "unblocked.or.caught-error"]),
    ] },
    Case { model: "s > F > user A > O; F > service B{!error k as w > e2} > O; O > e; or O; and F", rows: &[
        ("go done:A go error:B", &["unblocked.or.caught-error"], &["unblocked.or.interruption"]),
    ] },
    Case { model: "s > F > user A > J; F > user B > J; F > user C > X > J; X > e2; J > e; xor X; and F J", rows: &[
        ("go done:A go done:B go done:C arrive:X step:X/1 go", &["last-end.and", "stuck"], &["last-end.or"]),
        ("go done:A go done:B go done:C go", &[], &["last-end.and"]),
    ] },
    Case { model: "s > F > user A > O; F > user B > P; F > user C > X > O; X > P; X > e; O > e1; P > e2; or O P; xor X; and F", rows: &[
        ("go done:A go done:B go done:C arrive:X step:X/2", &["two-freed.or-or"], &["two-freed.or-complex"]),
        ("go done:A go done:B go done:C arrive:X step:X", &[], &["two-freed.or-or"]),
    ] },
    Case { model: "s > service A{!message m as w > user B > e2} > e", rows: &[
        ("go fire:w late:A", &["late-answer.before-end"], &["late-answer.node-works-again", "late-answer.after-end"]),
        ("go fire:w", &[], &["late-answer.before-end"]),
    ] },
    Case { model: "s > x > service A{!message m as w > x} > e; xor x", rows: &[
        ("go fire:w go late:A", &["late-answer.node-works-again"], &[]),
    ] },
    Case { model: "s > F > user A{~signal g as b > e2} > e; F > catch c(signal g) > e; and F", rows: &[
        ("go fire:c", &["signal.catch-boundary"], &["signal.catch-catch"]),
        ("go done:A fire:c", &[], &["signal.catch-boundary"]),
    ] },
    Case { model: "s > SP{s1 > catch c(signal g) > e1} > e; SP{!signal g as b > e2}", rows: &[
        ("go fire:b", &["signal.withdrawn-receiver"], &["signal.catch-boundary"]),
    ] },
    Case { model: "s > F > catch a(message m) > e; F > catch b(message m) > e; and F", rows: &[
        ("go fire:a", &["message.one-of-several"], &[]),
        ("go fire:a go fire:b", &["message.one-of-several"], &["message.handler-before-boundary"]),
    ] },
    Case { model: "s > SP{s1 > user A > e1; ESP!h{start hs(message m) > user H > eh}} > e; SP{!message m as b > e2}", rows: &[
        ("go fire:hs", &["message.handler-before-boundary", "handler.message.interrupting.working", "ended-by.takeover.working"], &["message.boundary-behind-handler"]),
        ("go fire:hs go fire:b", &["message.boundary-behind-handler", "ended-by.interruption.handler"], &[]),
    ] },
    Case { model: "s > F > user A > J; F > user B > J; J > e; and J F; ESP~h{start hs(signal g) > user H > eh}", rows: &[
        ("go done:A go fire:hs", &["handler.signal.non-interrupting.parked", "handler.signal.non-interrupting.working"], &["handler.signal.non-interrupting.moving", "handler.signal.non-interrupting.handler"]),
        ("go fire:hs fire:hs", &["handler.signal.non-interrupting.handler"], &["handler.signal.non-interrupting.parked"]),
    ] },
];

#[test]
fn small_models_hit_what_they_are_for_and_no_more() {
    let mut hit: std::collections::BTreeSet<&str> = std::collections::BTreeSet::new();
    for Case { model, rows } in CASES {
        for (script, hits, misses) in *rows {
            let coverage = play(model, free(), script);
            let strange = |wanted: bool, ids: &[&'static str]| -> Vec<&str> {
                ids.iter().copied().filter(|id| coverage.has(id) != wanted).collect()
            };
            let seen = coverage.seen();
            let pairs: Vec<&&str> = seen.iter().filter(|id| id.contains(['.', '-'])).collect();
            assert_eq!(
                (strange(true, hits), strange(false, misses)),
                (vec![], vec![]),
                "`{script}` on `{model}`: {pairs:?}"
            );
            hit.extend(hits.iter());
        }
    }
    assert!(hit.len() > 50, "{}", hit.len());
}
