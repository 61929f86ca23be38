//! Starts, ends, boundary events, event sub-processes, errors and escalations.

use super::{check, check_with, kind, node};
use crate::model::{EventDefinition, NodeKind, Position, SequenceFlow, SubProcessKind, Trigger};

fn flow(source: &str, target: &str) -> SequenceFlow {
    SequenceFlow {
        id: format!("{source}_{target}"),
        name: None,
        at: Position::default(),
        source: source.into(),
        target: target.into(),
        condition: None,
    }
}

fn event(trigger: Trigger) -> EventDefinition {
    EventDefinition {
        id: None,
        at: Position::default(),
        trigger,
    }
}

#[test]
fn a_usual_model_has_no_problem() {
    check(
        "s > A{!m > C > E1}{~timer PT1H > D > E2} > F; F > B > J; F > H > J; J > E",
        &[],
    );
    check("s > X -[ok]> A > M > E; X -[default]> B > M", &[]);
    check(
        "s > SP{s1 > A > e1}{!error err > C > E2} > E; ESP~h{start hs(message m) > H > e2}",
        &[],
    );
}

#[test]
fn flows_at_events() {
    check("s > A > E; A > s", &["error EVT-1 s"]);
    check("s > A > E > B", &["error EVT-1 E"]);
    check("s > A{!m > B > E} > E1; B > A_m", &["error EVT-1 A_m"]);
    check("s > A > E; ESP!h{start hs(message m) > e2}; A > h", &["error ESP-1 h"]);
    check("s > A > E; ESP!h{start hs(message m) > e2}; h > E", &["error ESP-1 h"]);
}

#[test]
fn triggers_of_starts() {
    check("start s(link a) > E", &["error EVT-1 s"]);
    check("start s(terminate) > E", &["error EVT-1 s"]);
    check("start s(cancel) > E", &["error EVT-1 s"]);
    check("start s(compensate) > E", &["error UNSUPPORTED s"]);
    check("start s(error x) > E", &["error EVT-1 s"]);
    check(
        "start s(timer PT1H) > E; start s2(if a > 1) > E; start s3(signal x) > E",
        &[],
    );
}

#[test]
fn links() {
    check("s > throw t(link a); catch c(link a) > E", &[]);
    check(
        "s > throw t(link a); catch c(link b) > E",
        &["error EVT-1 t", "warning FLOW-1 c"],
    );
    check(
        "s > throw t(link a); catch c(link a) > E; catch d(link a) > E",
        &["error EVT-1 d", "warning FLOW-1 d"],
    );
    check("s > throw t(link a) > E; catch c(link a) > E", &["warning EVT-1 t"]);
    check(
        "s > F; F > throw t(link a); F > catch c(link a) > E",
        &["warning EVT-1 c"],
    );
    // Links of different scopes have nothing to do with each other.
    check(
        "s > throw t(link a); catch c(link a) > sub S{s1 > throw t1(link a); catch c1(link a) > e1} > E",
        &[],
    );
}

#[test]
fn starts_of_a_process() {
    check("s > A > E; s2 > A", &["warning INS-8 s2"]);
    check("s > A > E; start s2(message m) > A", &[]);
    check("A > B > E", &[]);
    check("A > B > A", &["error INS-8 p"]);
    check_with(
        "A > B > A",
        |model| model.scopes[0].flows[0].source = "none".into(),
        &["error XML-REF A_B"],
    );
    check_with("A", |model| model.scopes[0].nodes.clear(), &["warning FLOW-3 p"]);
    check("ESP!h{start hs(message m) > e}", &["warning INS-8 p"]);
}

#[test]
fn starts_of_a_sub_process() {
    check("s > sub S{s1 > A > e1} > E", &[]);
    check("s > sub S{A > e1} > E", &[]);
    check("s > sub S{A > B > A} > E", &["error INS-9 S"]);
    check("s > sub S{s1 > A > e1; s2 > A} > E", &["warning INS-9 s2"]);
    check("s > sub S{start s1(message m) > e1} > E", &["error INS-9 s1"]);
    check("s > sub S{} > E", &["warning FLOW-3 S"]);
    check("s > sub S{receive R(m instantiate) > e1} > E", &["error INS-8 R"]);
}

#[test]
fn starts_of_an_event_sub_process() {
    let model = |body: &str| format!("s > A > E; ESP!h{{{body}}}");
    check(&model("start hs(message m) > e"), &[]);
    check(&model("A1 > e"), &["error ESP-1 h"]);
    check(&model(""), &["error ESP-1 h"]);
    check(&model("start hs > e"), &["error ESP-1 hs"]);
    check(
        &model("start hs(message m) > e; start h2(message n) > e"),
        &["error ESP-1 h2"],
    );
}

#[test]
fn boundary_events_hang_on_activities() {
    check_with(
        "s > A{!m > E1} > E",
        |model| {
            let NodeKind::Boundary { attached_to, .. } = kind(model, "A_m") else {
                panic!()
            };
            *attached_to = None;
        },
        &["error XML-REF A_m"],
    );
    check("s > A{!m > E1} > sub S{s1 > A1 > e1} > E", &[]);
    for (host, rule) in [
        ("none", "XML-REF"),
        ("A1", "XML-REF"),
        ("E", "BND-1"),
        ("h", "BND-1"),
        ("p", "XML-REF"),
    ] {
        check_with(
            "s > A{!m > E1} > sub S{s1 > A1 > e1} > E; ESP!h{start hs(message n) > e2}",
            |model| {
                let NodeKind::Boundary { attached_to, .. } = kind(model, "A_m") else {
                    panic!()
                };
                *attached_to = Some(host.into());
            },
            &[&format!("error {rule} A_m")],
        );
    }
    // TRK-9: an event without a flow only interrupts.
    check("s > A{!m} > E", &[]);
}

#[test]
fn triggers_of_boundary_events() {
    check("s > A{!link x > E1} > E", &["error BND-7 A_x"]);
    check("s > A{!terminate > E1} > E", &["error BND-7 A_terminate"]);
    check("s > A{!cancel > E1} > E", &["error UNSUPPORTED A_cancel"]);
    check_with(
        "s > A{!m > E1} > E",
        |model| {
            let NodeKind::Boundary { events, .. } = kind(model, "A_m") else {
                panic!()
            };
            events.clear();
        },
        &["error BND-7 A_m"],
    );
    check("s > A{~error x > E1} > E", &["warning BND-3 A_x"]);
    check("s > A{~signal x > E1} > E", &[]);
}

#[test]
fn one_interrupting_handler_for_each_declaration() {
    for trigger in ["m", "signal x", "error x", "error"] {
        let model = |first: char, second: char| {
            format!("s > A{{{first}{trigger} as b1 > E1}}{{{second}{trigger} as b2 > E2}} > E")
        };
        check(&model('!', '!'), &["error BND-7 b2"]);
        if !trigger.starts_with("error") {
            check(&model('!', '~'), &[]);
            check(&model('~', '~'), &[]);
        }
    }
    // Timers and conditions are always different ones; so are messages, and one error and every error.
    check("s > A{!timer PT1H as b1}{!timer PT1H as b2} > E", &[]);
    check("s > A{!(if a) as b1}{!(if a) as b2} > E", &[]);
    check("s > A{!m as b1}{!n as b2}{!error x as b3}{!error as b4} > E", &[]);
    check("s > A{!m as b1} > B{!m as b2} > E", &[]);
}

#[test]
fn one_interrupting_event_sub_process_for_each_declaration() {
    let model = |first: char, second: char| {
        format!("s > A > E; ESP{first}h{{start hs(message m) > e}}; ESP{second}i{{start is(message m) > e2}}")
    };
    check(&model('!', '!'), &["error BND-7 is"]);
    check(&model('!', '~'), &[]);
    check(
        "s > A > E; ESP!h{start hs(message m) > e; ESP!i{start is(message m) > e2}}",
        &[],
    );
    check("s > A > E; ESP~h{start hs(error x) > e}", &["warning BND-3 hs"]);
}

#[test]
fn errors_that_nothing_catches() {
    check("s > end E(error x)", &["warning ERR-4 E"]);
    check("s > sub S{s1 > end e(error x)}{!error x > E1} > E", &[]);
    check("s > sub S{s1 > end e(error x)}{!error > E1} > E", &[]);
    check(
        "s > sub S{s1 > end e(error x)}{!error y > E1} > E",
        &["warning ERR-4 e", "warning ERR-4 S_y"],
    );
    check(
        "s > sub S{s1 > sub S2{s2 > end e(error x)} > e1}{!error x > E1} > E",
        &[],
    );
    check("s > end E(error x); ESP!h{start hs(error x) > e}", &[]);
    // Only a catcher of every error catches one without a code.
    check(
        "s > sub S{s1 > A1 > end e(error)}{!error x > E1} > E",
        &["warning ERR-4 e"],
    );
    check("s > sub S{s1 > end e(error)}{!error > E1} > E", &[]);
}

#[test]
fn a_handler_does_not_catch_its_own_errors() {
    let handler = "ESP!h{start hs(error x) > end e(error x)}";
    check(&format!("s > A > E; {handler}"), &["warning ERR-4 e"]);
    check(
        &format!("s > sub S{{s1 > A1 > e1; {handler}}}{{!error x > E1}} > E"),
        &[],
    );
    check(
        &format!("s > A* > E; {handler}"),
        &["warning ERR-4 hs", "warning ERR-4 e"],
    );
}

#[test]
fn catchers_that_nothing_is_raised_for() {
    check("s > sub S{s1 > A* > e1}{!error x > E1} > E", &["warning ERR-4 S_x"]);
    check("s > sub S{s1 > A* > e1}{!error > E1} > E", &["warning ERR-4 S_error"]);
    // External work may raise any error, also deep inside; so may a host of boundary events.
    check("s > sub S{s1 > A1 > e1}{!error x > E1} > E", &[]);
    check(
        "s > sub S{s1 > sub S2{s2 > service A1 > e2} > e1}{!error x > E1} > E",
        &[],
    );
    check("s > sub S{s1 > A1*{!m} > e1}{!error x > E1} > E", &[]);
    check("s > A*{!error x > E1} > E", &[]);
    check("s > A* > E; ESP!h{start hs(error x) > A1 > e}", &["warning ERR-4 hs"]);
    // What is beside the sub-process is not inside of it.
    check(
        "s > sub S{s1 > A* > e1}{!error x > E1} > B > end E(error x)",
        &["warning ERR-4 S_x", "warning ERR-4 E"],
    );
}

#[test]
fn escalations() {
    check("s > throw t(escalation x) > E", &["warning ESC-1 t"]);
    check(
        "s > sub S{s1 > throw t(escalation x) > e1}{~escalation x > E1} > E",
        &[],
    );
    check("s > sub S{s1 > throw t(escalation x) > e1}{~escalation > E1} > E", &[]);
    check("s > throw t(escalation x) > E; ESP~h{start hs(escalation x) > e}", &[]);
    // A non-interrupting handler is still there for what it raises itself.
    check(
        "s > throw t(escalation x) > E; ESP~h{start hs(escalation x) > end e(escalation x)}",
        &[],
    );
    // External work raises no escalations.
    check("s > A{!escalation x > E1} > E", &["warning ESC-1 A_x"]);
    check(
        "s > sub S{s1 > A1 > e1}{~escalation x > E1} > E",
        &["warning ESC-1 S_x"],
    );
}

#[test]
fn nodes_that_are_never_reached() {
    check("s > A > E; B > C > E", &["warning FLOW-1 B"]);
    check("s > A > E; B > C > B", &["warning FLOW-1 B"]);
    check("s > A > E; B > B", &["warning FLOW-1 B"]);
    check("s > A > E; B{!m > C > E} > E", &["warning FLOW-1 B"]);
    check("s > sub S{s1 > e1; A1 > e1} > E", &["warning FLOW-1 A1"]);
    check_with(
        "s > A > E; B > C > E",
        |model| model.scopes[0].flows.push(flow("gone", "B")),
        &["error XML-REF gone_B"],
    );
    check_with(
        "s > A > E; B",
        |model| {
            let NodeKind::Task { for_compensation, .. } = kind(model, "B") else {
                panic!()
            };
            *for_compensation = true;
        },
        &["error UNSUPPORTED B"],
    );
    check("s > adhoc S{A; B; C > D} > E", &["error UNSUPPORTED S"]);
}

#[test]
fn several_event_definitions_are_one_problem() {
    check("s > catch c(m | n) > E", &["error UNSUPPORTED c"]);
    check("s > catch c(m | link n) > E", &["error UNSUPPORTED c"]);
    check("s > throw c(m | link n) > E", &["error UNSUPPORTED c"]);
    check("s > A{!(m | n) as b > E1} > E", &["error UNSUPPORTED b"]);
}

#[test]
fn an_undeclared_reference_is_one_problem() {
    for trigger in [
        Trigger::Message(Some("none".into())),
        Trigger::Signal(Some("none".into())),
    ] {
        check_with(
            "s > catch c(m) > E",
            |model| {
                let NodeKind::Catch { events, .. } = kind(model, "c") else {
                    panic!()
                };
                *events = vec![event(trigger)];
            },
            &["error XML-REF c"],
        );
    }
    check("s > catch c(error x) > E", &["error EVT-1 c"]);
    check("s > catch c > E", &["error EVT-1 c"]);
}

#[test]
fn a_sub_process_that_is_not_executed_is_reported_once() {
    check_with(
        "s > sub S{s1 > e1} > E",
        |model| {
            let NodeKind::SubProcess { kind, .. } = &mut node(model, "S").kind else {
                panic!()
            };
            *kind = SubProcessKind::Transaction;
        },
        &["error UNSUPPORTED S"],
    );
}
