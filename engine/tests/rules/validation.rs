//! Rules that a model must keep before it runs: GW-1, CPX-7, EVG-5, EVG-6, BND-7, ERR-4. How each is reported in detail
//! is the validator's own tests' business; here stands what the rule lets through and what not.

use trackside_engine::model::{Definitions, GatewayDirection, NodeKind};
use trackside_engine::problem::Severity;
use trackside_engine::validate::validate;

use crate::scenario::parse;

/// The errors and warnings of one rule, by element.
fn broken(model: &Definitions, rule: &str, severity: Severity) -> Vec<String> {
    let problems = validate(model).into_iter();
    let of_rule = problems.filter(|problem| problem.rule == rule && problem.severity == severity);
    of_rule.filter_map(|problem| problem.element).collect()
}

fn refuses(rule: &str, model: &str, elements: &[&str]) {
    assert_eq!(broken(&parse(model), rule, Severity::Error), elements, "{model}");
}

fn warns(rule: &str, model: &str, elements: &[&str]) {
    assert_eq!(broken(&parse(model), rule, Severity::Warning), elements, "{model}");
    assert_eq!(
        broken(&parse(model), rule, Severity::Error),
        Vec::<String>::new(),
        "{model}"
    );
}

#[test]
fn gw_1_a_direction_that_contradicts_the_flows_is_a_warning() {
    let mut model = parse("s > F > A > J > E; F > B > J");
    assert_eq!(broken(&model, "GW-1", Severity::Warning), Vec::<String>::new());
    for node in &mut model.scopes[0].nodes {
        if let NodeKind::Gateway { direction, .. } = &mut node.kind {
            *direction = GatewayDirection::Converging;
        }
    }
    assert_eq!(broken(&model, "GW-1", Severity::Warning), ["F"]);
    crate::scenario::check_definitions(&model, "[at A B] A B", "completed; fired J=1");
}

#[test]
fn cpx_7_activations_are_within_the_flows() {
    let model = |activations: &str| format!("s > F > A > K.a; F > B > K.b; K{activations} > E");
    refuses("CPX-7", &model("(1)"), &[]);
    refuses("CPX-7", &model("(2 requires a b)"), &[]);
    for wrong in ["", "(0)", "(3)", "(1 requires a b)", "(1 requires s_F)", "(1; 5)"] {
        refuses("CPX-7", &model(wrong), &["K"]);
    }
    refuses("CPX-7", "s > K > A; K > B", &[]);
}

#[test]
fn evg_5_arms_are_few_and_of_the_right_kind() {
    let good = "s > G > c > E; G > d > E; catch c(message m) d(timer PT1H)";
    refuses("EVG-5", good, &[]);
    refuses("EVG-5", "s > G > c > E; catch c(message m)", &["G"]);
    refuses("EVG-5", "s > G > c > E; G > B > E; catch c(message m)", &["B"]);
    let conditional = "s > G -[x]> c > E; G > d > E; catch c(message m) d(timer PT1H)";
    assert!(!broken(&parse(conditional), "EVG-5", Severity::Error).is_empty());
    let shared = "s > G > c > E; G > d > E; A > c; catch c(message m) d(timer PT1H)";
    assert!(!broken(&parse(shared), "EVG-5", Severity::Error).is_empty());
    let hosting = "s > G > c > E; G > R{!n > E} > E; catch c(timer PT1H); receive R(m)";
    assert!(!broken(&parse(hosting), "EVG-5", Severity::Error).is_empty());
    let both = "s > G > c > E; G > R > E; catch c(message m); receive R(n)";
    assert!(!broken(&parse(both), "EVG-5", Severity::Error).is_empty());
    let start = "G > c > E; G > t > E; gate G(instantiate); catch c(message m) t(timer PT1H)";
    assert!(!broken(&parse(start), "EVG-5", Severity::Error).is_empty());
}

#[test]
fn evg_6_parallel_only_as_a_start_and_a_start_without_a_way_in() {
    refuses(
        "EVG-6",
        "s > G > c > E; G > d > E; gate G(parallel); catch c(message m) d(message n)",
        &["G"],
    );
    refuses(
        "EVG-6",
        "s > G > c > E; G > d > E; gate G(instantiate); catch c(message m) d(message n)",
        &["G"],
    );
    refuses(
        "EVG-6",
        "G > c > E; G > d > E; gate G(instantiate); catch c(message m) d(message n)",
        &[],
    );
}

#[test]
fn bnd_7_one_interrupting_handler_per_declaration() {
    refuses("BND-7", "s > A{!m > C}{!m > D} > E", &["A_m_2"]);
    refuses("BND-7", "s > A{!m > C}{~m > D}{~m > D} > E", &[]);
    refuses("BND-7", "s > A{!timer PT1H > C}{!timer PT1H > D} > E", &[]);
    refuses(
        "BND-7",
        "s > A{!error k > C}{!error k > D}{!error other > D} > E",
        &["A_k_2"],
    );
    refuses("BND-7", "s > A{!link l > C} > E", &["A_l"]);
}

#[test]
fn err_4_codes_without_a_counterpart_are_warnings() {
    warns("ERR-4", "s > SP{s1 > e(error k)}{!error k > C} > E", &[]);
    let thrown = broken(&parse("s > e(error k)"), "ERR-4", Severity::Warning);
    assert_eq!(thrown, ["e"]);
    let caught = broken(&parse("s > SP{s1 > e}{!error k > C} > E"), "ERR-4", Severity::Warning);
    assert_eq!(caught, ["SP_k"]);
}

#[test]
fn xor_5_ors_3_a_bare_flow_beside_conditions_is_a_warning() {
    warns("XOR-5", "s > X -[a]> A; X > B", &["X_B"]);
    warns("ORS-3", "s > O -[a]> A; O > B", &["O_B"]);
    warns("XOR-5", "s > X -[a]> A; X -[default]> B", &[]);
}

#[test]
fn xml_id_an_id_stands_once() {
    let mut model = parse("s > A > B > E");
    assert_eq!(broken(&model, "XML-ID", Severity::Error), Vec::<String>::new());
    model.scopes[0].nodes[2].id = "A".into();
    assert_eq!(broken(&model, "XML-ID", Severity::Error), ["A"]);
}

#[test]
fn xml_ref_a_reference_names_something() {
    let mut model = parse("s > A > E");
    model.scopes[0].flows[1].target = "nowhere".into();
    assert_eq!(broken(&model, "XML-REF", Severity::Error), ["A_E"]);
}

#[test]
fn flow_1_a_node_that_is_never_reached_is_a_warning() {
    warns("FLOW-1", "s > A > E; B > E", &["B"]);
    warns("FLOW-1", "s > A{!m > C > E} > E", &[]);
}

#[test]
fn flow_2_a_gateway_without_any_flow_is_refused() {
    refuses("FLOW-2", "s > A > E; X", &["X"]);
    refuses("FLOW-2", "s > X", &[]);
}

#[test]
fn flow_3_an_empty_scope_is_a_warning_and_completes_at_once() {
    warns("FLOW-3", "s > SP{} > E", &["SP"]);
    crate::scenario::check("s > SP{} > E", "", "completed; ran SP=1 E=1");
}
