//! ERR, COR: errors and correlation.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use trackside_engine::expr::Data;
use trackside_engine::instance::{CoverageMark, End, FaultKind, Record};
use trackside_engine::model::{
    Collaboration, CorrelationKey, CorrelationProperty, Definitions, Expression, Position, Retrieval,
};
use trackside_engine::world::Delivery;

use crate::marks::hits;
use crate::scenario::{check, check_definitions, parse, play, play_one};

// ---- ERR ----

#[test]
fn err_1_the_innermost_catcher_with_the_code_else_without_one() {
    let _tied = hits(CoverageMark::ExactCodeFirst);
    let own = "s > A{!error k > C}{!error > D} > B";
    check(own, "A(k)", "at C");
    check(own, "A(other)", "at D");
    let nested = "s > SP{s1 > SQ{s2 > A > e}{!error k > C > e3} > e1}{!error > D > E2} > E";
    check(nested, "A(k)", "at C SP");
    check(nested, "A(other)", "at D");
    let inner_any = "s > SP{s1 > SQ{s2 > A > e}{!error > C > e3} > e1}{!error k > D > E2} > E";
    check(inner_any, "A(k)", "at C SP; not D");
    let end = "s > SP{s1 > SQ{s2 > A > e(error k)} > e1}{!error k > D > E2} > E";
    check(end, "A", "at D; ran e=1; not SP SQ e1");
}

#[test]
fn err_1_an_error_without_a_code_is_caught_by_a_catcher_of_every_error() {
    let bare = |catcher: &str| format!("s > SP{{s1 > e; end e(error)}}{{!error {catcher} > D > E2}} > E");
    check(&bare(""), "[at D] D", "completed");
    check(&bare("k"), "", "faulted error e");
}

#[test]
fn err_2_an_uncaught_error_faults_the_instance() {
    let _tied = hits(CoverageMark::BlamedTrackFails);
    check("s > F > A; F > B > E", "A(k)", "faulted error A k; at -; not B E");
    check("s > F > A > E(error k); F > B", "A", "faulted error E k; at -; ran E=1");
    check("s > SP{s1 > A > e}{!error other > C} > E", "A(k)", "faulted error A k");
    // The boundary catches for its own host only.
    check("s > F > A{!error k > C}; F > B", "B(k)", "faulted error B k; not C");
}

#[test]
fn err_3_a_technical_failure_is_no_error() {
    let model = "s > SP{s1 > A{!error > C} > e}{!error > D} > E; ESP!h{s2(error) > H}";
    check(
        model,
        "A(!disk full)",
        "faulted technical A; not C D H; records Thrown=0",
    );
}

#[test]
fn err_5_the_fault_is_an_incident_with_code_element_track_and_instance() {
    let run = play_one("s > F > A; F > B", "B(k)");
    let Some(End::Faulted(fault)) = run.end() else {
        panic!("{:?}", run.end())
    };
    assert_eq!(
        (fault.kind, fault.code.as_deref(), run.name(fault.node)),
        (FaultKind::Error, Some("k"), "B")
    );
    assert_eq!(fault.track, run.workers(run.node("B")).first().copied());
    let ended = run.log.last().expect("a record");
    assert_eq!(
        *ended,
        Record::InstanceEnded {
            end: run.end().cloned().expect("an end")
        }
    );
}

// ---- COR ----

/// `model` with a key `order` that is read from the field `id` of these messages.
fn correlated(model: &str, messages: &[&str]) -> Definitions {
    let mut model = parse(model);
    let at = Position::default();
    let retrieval = |message: &&str| Retrieval {
        message: (*message).to_owned(),
        path: Expression {
            text: "id".into(),
            language: None,
            at,
        },
    };
    model.correlation_properties.push(CorrelationProperty {
        id: "order_id".into(),
        name: None,
        at,
        retrievals: messages.iter().map(retrieval).collect(),
    });
    let key = CorrelationKey {
        id: "order".into(),
        name: None,
        at,
        properties: vec!["order_id".into()],
    };
    model.collaborations.push(Collaboration {
        id: None,
        at,
        participants: Vec::new(),
        message_flows: Vec::new(),
        keys: vec![key],
    });
    model
}

#[test]
fn cor_1_the_first_message_sets_the_key_and_later_ones_must_agree() {
    let model = correlated("s > c > d > A; catch c(message m) d(message n)", &["m", "n"]);
    check_definitions(
        &model,
        "m!(id=7) [at d] n!(id=8) [at d; records Undelivered=1] n!(id=7)",
        "at A",
    );
    check_definitions(&model, "m! [at c; records Undelivered=1]", "at c");
    let plain = correlated("s > c > d > A; catch c(message m) d(message n)", &["m"]);
    check_definitions(&plain, "m!(id=7) n!(id=8)", "at A");
}

#[test]
fn cor_1_a_message_that_is_sent_sets_the_key_too() {
    let model = correlated("s > send S(m) > c > A; catch c(message n)", &["m", "n"]);
    check_definitions(&model, "id=7 | n!(id=8) [at c; records Undelivered=2] n!(id=7)", "at A");
}

#[test]
fn cor_1_each_instance_gets_its_own_conversation() {
    let model = correlated("start s(message m) > d > A; catch d(message n)", &["m", "n"]);
    let mut run = play(&model, "@unborn | m!(id=1)").swap_remove(0);
    let send = |run: &mut crate::run::Run, message: &str, id: i32| {
        let payload: Data = Arc::new(BTreeMap::from([("id".to_owned(), Value::from(id))]));
        let delivery = run.message(message, &payload, 1);
        run.settle();
        delivery
    };
    let Delivery::Born(second) = send(&mut run, "m", 2) else {
        panic!("a second order, a second instance")
    };
    assert_eq!(send(&mut run, "n", 2), Delivery::Reached(second));
    assert_eq!(send(&mut run, "n", 3), Delivery::Undelivered);
    assert!(matches!(send(&mut run, "n", 1), Delivery::Reached(first) if Some(first[0]) == run.id));
}
