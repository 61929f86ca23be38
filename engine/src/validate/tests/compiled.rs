//! What compiling finds comes through, and a file without errors compiles.

use super::{check, check_with, node};
use crate::model::SequenceFlow;

#[test]
fn dangling_and_crossing_flows() {
    let change = |source: &'static str, target: &'static str| {
        move |model: &mut crate::model::Definitions| {
            let flow: &mut SequenceFlow = &mut model.scopes[0].flows[0];
            flow.source = source.into();
            flow.target = target.into();
        }
    };
    let model = "s > A > sub S{s1 > B > e1} > E";
    check_with(model, change("s", "none"), &["error XML-REF s_A", "warning FLOW-1 A"]);
    check_with(model, change("none", "A"), &["error XML-REF s_A"]);
    check_with(
        model,
        change("none", "none"),
        &["error XML-REF s_A", "error XML-REF s_A", "warning FLOW-1 A"],
    );
    check_with(model, change("s", "B"), &["error INS-9 s_A", "warning FLOW-1 A"]);
}

#[test]
fn expressions_and_timers() {
    check("s > X -[a +]> A > E; X -[default]> B > E", &["error EVT-6 X_A"]);
    check("s > catch c(timer PT) > E", &["error EVT-3 c"]);
    check("s > catch c(timer) > E", &["warning EVT-3 c"]);
    check("s > catch c(message) > E", &["warning EVT-1 c"]);
    check("s > catch c(if) > E", &["error EVT-4 c"]);
}

#[test]
fn elements_that_are_not_executed() {
    check("s > call C(q) > E", &["error UNSUPPORTED C"]);
    check("s > transaction T{s1 > e1} > E", &["error UNSUPPORTED T"]);
    check("s > throw t(compensate) > E", &["error UNSUPPORTED t"]);
    check("s > end E(cancel)", &["error UNSUPPORTED E"]);
}

#[test]
fn a_default_that_is_no_outgoing_flow() {
    check_with(
        "s > A > E",
        |model| node(model, "A").default = Some("none".into()),
        &["error XOR-3 A"],
    );
    check_with(
        "s > A > E",
        |model| node(model, "A").default = Some("s_A".into()),
        &["error XOR-3 A"],
    );
    check_with("s > A > E", |model| node(model, "A").default = Some("A_E".into()), &[]);
}
