//! Gateways and conditions.

use super::{check, check_with, kind, node};
use crate::model::{
    CorrelationKey, CorrelationProperty, Definitions, Expression, FlowNode, Gateway, GatewayDirection, NodeKind,
    Position, Retrieval,
};

fn expression(text: &str) -> Expression {
    Expression {
        text: text.into(),
        language: None,
        at: Position::default(),
    }
}

#[test]
fn directions() {
    let at = |text: &str, says: GatewayDirection, expected: &[&str]| {
        let change = |model: &mut Definitions| {
            let NodeKind::Gateway { direction, .. } = kind(model, "F") else {
                panic!()
            };
            *direction = says;
        };
        check_with(text, change, expected);
    };
    let split = "s > F; F > A > E; F > B > E";
    let both = "s > M; M > A > F; M > B > F; F > C > E; F > D > E";
    let join = "s > M; M > A > F; M > B > F; F > E";
    at(split, GatewayDirection::Diverging, &[]);
    at(split, GatewayDirection::Unspecified, &[]);
    at(split, GatewayDirection::Converging, &["warning GW-1 F"]);
    at(split, GatewayDirection::Mixed, &["warning GW-1 F"]);
    at(join, GatewayDirection::Converging, &[]);
    at(join, GatewayDirection::Diverging, &["warning GW-1 F"]);
    at(both, GatewayDirection::Mixed, &[]);
    at(both, GatewayDirection::Diverging, &["warning GW-1 F"]);
    at(both, GatewayDirection::Converging, &["warning GW-1 F"]);
    at("s > F > E", GatewayDirection::Diverging, &[]);
}

#[test]
fn gateways_without_flows() {
    check("s > A > E; X", &["error FLOW-2 X"]);
    check("s > A > E; X > A", &["warning FLOW-1 X"]);
    // TRK-9: an implicit end.
    check("s > A > X", &[]);
    check("s > A > E; G", &["error EVG-5 G"]);
}

#[test]
fn defaults() {
    let give = |model: &mut Definitions, flow: &str| {
        let mut flows = model.scopes[0].flows.iter_mut();
        flows.find(|f| f.id == flow).expect("the model has it").condition = Some(expression("b"));
    };
    for (name, split) in [("X", "xor"), ("O", "or"), ("A", "user")] {
        check_with(
            &format!("s > {split} {name} -[a]> B > E; {name} -[default]> C > E"),
            |model| give(model, &format!("{name}_C")),
            &[&format!("warning XOR-3 {name}_C")],
        );
    }
    check("s > X -[a]> B > E; X -[default]> C > E", &[]);
    check_with(
        "s > X -[a]> B > E; X -[default]> C > E",
        |m| node(m, "X").default = Some("s_X".into()),
        &["error XOR-3 X", "warning XOR-5 X_C"],
    );
}

#[test]
fn exclusive_splits() {
    check("s > X -[a]> B > E; X > C > E", &["warning XOR-5 X_C"]);
    check("s > X -[a]> B > E; X -[b]> C > E", &["warning XOR-2 X"]);
    check("s > X -[a]> B > E", &[]);
    check("s > X > B > E; X > C > E", &[]);
}

#[test]
fn inclusive_and_complex_splits() {
    for name in ["O", "K"] {
        check(
            &format!("s > {name} -[a]> B > E; {name} > C > E"),
            &[&format!("warning ORS-3 {name}_C")],
        );
        check(
            &format!("s > {name} -[a]> B > E; {name} -[b]> C > E"),
            &[&format!("warning ORS-2 {name}")],
        );
        check(&format!("s > {name} -[a]> B > E; {name} -[default]> C > E"), &[]);
        check(&format!("s > {name} > B > E; {name} > C > E"), &[]);
    }
    // TRK-8: usual for an activity.
    check("s > A -[a]> B > E; A > C > E", &[]);
}

#[test]
fn parallel_gateways() {
    check("s > F -[a]> B > E; F > C > E", &["warning PAR-1 F_B"]);
    check("s > F -[default]> B > E; F > C > E", &["warning PAR-1 F"]);
    check("s > A > J > E; B > J", &["warning PAR-5 J", "warning FLOW-1 B"]);
    check("s > A > J > E; J > J", &["warning PAR-5 J"]);
    check("s > A > M > E; B > M", &["warning FLOW-1 B"]);
}

#[test]
fn arms_of_a_gate() {
    let m = "G > catch a(message m) > E";
    check(&format!("s > G; {m}; G > catch b(timer PT1H) > E"), &[]);
    check(
        &format!("s > G; {m}; G > catch b(signal x) > E; G > catch c(if d) > E"),
        &[],
    );
    check("s > G; G > receive A(m) > E; G > catch b(timer PT1H) > E", &[]);
    check(&format!("s > G; {m}"), &["error EVG-5 G"]);
    for arm in [
        "user b",
        "xor b",
        "end b",
        "throw b(message n)",
        "send b(n)",
        "sub b{s1 > e1}",
    ] {
        check(&format!("s > G; {m}; G > {arm}"), &["error EVG-5 b"]);
    }
    check(
        &format!("s > X; X > G; {m}; G > catch b(timer PT1H) > E; X > b"),
        &["error EVG-5 b"],
    );
    check(
        &format!("s > G; {m}; G > catch b(timer PT1H) > E; b > B > b"),
        &["error EVG-5 b"],
    );
    check(
        &format!("s > G; {m}; G -[c]> catch b(timer PT1H) > E"),
        &["error EVG-5 G_b"],
    );
    check(&format!("s > G; {m}; G > catch b > E"), &["error EVT-1 b"]);
}

#[test]
fn receive_tasks_at_a_gate() {
    let timer = "G > catch b(timer PT1H) > E";
    check(
        &format!("s > G; G > receive A(m){{!timer PT1H}} > E; {timer}"),
        &["error EVG-5 A"],
    );
    check(&format!("s > G; G > receive A > E; {timer}"), &["error EVG-2 A"]);
    check(
        &format!("s > G; G > receive A(m) > E; G > catch c(message n) > E; {timer}"),
        &["error EVG-5 G"],
    );
    check("s > receive A(m){!timer PT1H} > E", &[]);
}

#[test]
fn kinds_of_gates() {
    let arms = "G > catch a(message m) > E; G > catch b(message n) > E";
    check(&format!("gate G(instantiate); {arms}"), &[]);
    check(&format!("s > gate G(parallel); {arms}"), &["error EVG-6 G"]);
    check(&format!("s > gate G(instantiate); {arms}"), &["error EVG-6 G"]);
    check(
        &format!("gate G(instantiate); {arms}; G > catch c(timer PT1H) > E"),
        &["error EVG-5 c"],
    );
    check(
        &format!("s > sub S{{gate G(instantiate); {arms}}} > E1"),
        &["error INS-8 G"],
    );
}

fn key(model: &mut Definitions, name: &str, messages: &[&str]) {
    let at = Position::default();
    let retrieval = |message: &&str| Retrieval {
        message: (*message).into(),
        path: expression("order"),
    };
    model.correlation_properties.push(CorrelationProperty {
        id: format!("{name}_property"),
        name: None,
        at,
        retrievals: messages.iter().map(retrieval).collect(),
    });
    if model.collaborations.is_empty() {
        model.collaborations.push(crate::model::Collaboration::default());
    }
    model.collaborations[0].keys.push(CorrelationKey {
        id: name.into(),
        name: None,
        at,
        properties: vec![format!("{name}_property")],
    });
}

#[test]
fn correlation_of_a_parallel_start() {
    let model = "gate G(instantiate parallel); G > catch a(message m) > E; G > catch b(message n) > E";
    check(model, &["error COR-1 a"]);
    check_with(model, |d| key(d, "k", &["m"]), &["error COR-1 b"]);
    check_with(model, |d| key(d, "k", &["m", "n"]), &[]);
    let apart = |d: &mut Definitions| {
        key(d, "k", &["m"]);
        key(d, "l", &["n"]);
    };
    check_with(model, apart, &["error COR-1 G"]);
}

/// A join of three flows, `i1` to `i3`, with this declaration.
fn join(declaration: &str) -> String {
    format!("s > F; F > A > K.i1; F > B > K.i2; F > C > K.i3; {declaration} > E")
}

#[test]
fn activations() {
    check(&join("K(2)"), &[]);
    check(&join("K(1; 3)"), &[]);
    check(&join("K(2 requires i1 i2)"), &[]);
    check(&join("K(2 if ok)"), &[]);
    for wrong in [
        "K",
        "K(0)",
        "K(4)",
        "K(1 requires i1 i2)",
        "K(1 requires F_A)",
        "K(1 requires none)",
    ] {
        check(&join(wrong), &["error CPX-7 K"]);
    }
    check(&join("K(4 requires none)"), &["error CPX-7 K", "error CPX-7 K"]);
    check(&join("K(0; 1; 9)"), &["error CPX-7 K", "error CPX-7 K"]);
    // With one incoming flow it only splits.
    check("s > K > E", &[]);
    check("s > K(7) > E", &[]);
    check_with(
        &join("K(2)"),
        |model| {
            let NodeKind::Gateway {
                gateway: Gateway::Complex { activations, .. },
                ..
            } = kind(model, "K")
            else {
                panic!()
            };
            activations[0].count = None;
        },
        &["error CPX-7 K"],
    );
}

#[test]
fn plain_activation_conditions() {
    check(&join("K(if activationCount >= 2)"), &[]);
    check(&join("K(if x1 + x2 + x3 >= 3)"), &[]);
    check(&join("K(if activationCount >= 4)"), &["error CPX-7 K"]);
    check(&join("K(if activationCount >= 0)"), &["error CPX-7 K"]);
    check(&join("K(if amount == 4)"), &["error CPX-8 K"]);
    check_with(
        &join("K(2)"),
        |model| {
            let FlowNode {
                kind:
                    NodeKind::Gateway {
                        gateway: Gateway::Complex { condition, .. },
                        ..
                    },
                ..
            } = node(model, "K")
            else {
                panic!()
            };
            *condition = Some(expression("activationCount >= 2"));
        },
        &["warning CPX-8 K"],
    );
}
