//! Cuts do what they say, leave valid models, and none of them is dead.

use std::collections::BTreeSet;

use trackside_engine::model::{Definitions, NodeKind, notation};
use trackside_engine::problem::any_error;
use trackside_engine::validate::validate;
use trackside_engine::xml;

use super::plain::Plainer;
use super::{Cut, PASSES, Spot, lines, node, spots, tidy, weight};
use crate::generate::{Family, Parameters, model};
use crate::source::Source;

fn parse(text: &str) -> Definitions {
    notation::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn spot(model: &Definitions, id: &str) -> Spot {
    spots(model)
        .find(|spot| node(model, *spot).id == id)
        .expect("a node of the model")
}

/// Nodes and flows of all scopes, in words.
fn shape(model: &Definitions) -> BTreeSet<String> {
    let scopes = model.scopes.iter().enumerate();
    let words = scopes.flat_map(|(at, scope)| {
        let nodes = scope
            .nodes
            .iter()
            .map(move |node| format!("{at} {} {}", node.kind.element(), node.id));
        let flow = |flow: &trackside_engine::model::SequenceFlow| {
            let condition = flow.condition.as_ref().map_or("", |condition| &*condition.text);
            format!("{}[{condition}]>{}", flow.source, flow.target)
        };
        nodes.chain(scope.flows.iter().map(flow))
    });
    words.collect()
}

fn check(before: &str, cut: impl Fn(&Definitions) -> Cut, after: &str) {
    let model = parse(before);
    let reduced = cut(&model).of(&model);
    assert_eq!(shape(&reduced), shape(&parse(after)), "{before}");
    assert!(weight(&reduced) < weight(&model), "{before}");
    let problems = validate(&reduced);
    assert!(!any_error(&problems), "{problems:?}");
}

fn at(id: &str, cut: fn(Spot) -> Cut) -> impl Fn(&Definitions) -> Cut {
    let id = id.to_owned();
    move |model| cut(spot(model, &id))
}

fn flow(id: &str) -> impl Fn(&Definitions) -> Cut {
    let id = id.to_owned();
    move |model| {
        let is = |line: &super::Line| model.scope(line.scope).flows[line.flow].id == id;
        Cut::Flow(lines(model).find(is).expect("a flow of the model"))
    }
}

#[test]
fn a_node_is_bypassed_along_one_of_its_ways() {
    check("s > A > B > e", at("A", |it| Cut::Way(it, 0)), "s > B > e");
    check("s > X > A > e; X > B > e", at("X", |it| Cut::Way(it, 1)), "s > B > e");
    check("s > A > e", at("e", |it| Cut::Way(it, 0)), "s > A");
    check("s > A > A > e", at("A", |it| Cut::Way(it, 0)), "s > e");
    check("s > A{!m > B > e2} > e", at("A", |it| Cut::Way(it, 0)), "s > e");
    check("s > A{!m > B > e2} > e", at("A_m", |it| Cut::Way(it, 0)), "s > A > e");
    let links = "s > throw t(link x); catch c(link x) > A > e";
    check(links, at("t", |it| Cut::Way(it, 0)), "s > A > e");
}

#[test]
fn a_flow_takes_along_what_it_led_to() {
    check("s > F > A > B > e; F > C > e", flow("F_A"), "s > F > C > e");
    check("s > F > A > J > e; F > B > J", flow("F_A"), "s > F > B > J > e");
}

#[test]
fn branches_collapse_to_where_they_meet() {
    let diamond = "s > F > A > J > e; F > B > C > J";
    check(diamond, at("F", Cut::Collapse), "s > F > J > e");
    check("s > X > A > e1; X > B > e2", at("X", Cut::Collapse), "s > X");
}

#[test]
fn a_split_is_fused_with_the_node_before() {
    check("s > F > A > e; F > B > e", at("F", Cut::Fuse), "s > A > e; s > B > e");
}

#[test]
fn nodes_of_a_kind_become_one() {
    check(
        "s > X > e1; X > e2",
        |model| Cut::Merge(spot(model, "e2"), 2),
        "s > X > e1; X > e1",
    );
    check(
        "s > A > B > C > e",
        |model| Cut::Merge(spot(model, "B"), 1),
        "s > A > C > e",
    );
    let hosts = "s > A{!m > C} > e; s > B > e";
    let merge = |model: &Definitions| Cut::Merge(spot(model, "A"), spot(model, "B").node);
    check(hosts, merge, "s > B{!m as A_m > C} > e; s > B > e");
    let watched = "s > A{!m > B > e2}{~n > C > e3} > e";
    let merge = |model: &Definitions| Cut::Merge(spot(model, "A_n"), spot(model, "A_m").node);
    check(watched, merge, "s > A{!m > B > e2} > e; A_m > C > e3");
}

#[test]
fn a_sub_process_is_its_inside_or_a_task() {
    let sub = "s > SP{s1 > X > A > e1; X > B > e2}{!m > C > e3} > D > e";
    check(sub, at("SP", Cut::Task), "s > task SP{!m > C > e3} > D > e");
    check(sub, at("SP", Cut::Hoist), "s1 > X > A > e1; X > B > e2");
    let inside = "throw s1; throw e1; s > s1 > X > A > e1 > D > e; X > B > e1";
    check(sub, at("SP", Cut::Inline), inside);
    let raising = "s > SP{s1 > end x(error k)} > D > e";
    check(
        raising,
        at("SP", Cut::Inline),
        "throw s1; s > s1 > end x(error k); s1 > D > e",
    );
    let handler = "s > A > e; ESP!h{start hs(message m) > H > eh}";
    check(handler, at("h", Cut::Hoist), "start hs > H > eh");
}

#[test]
fn elements_become_plainer() {
    check(
        "s > catch c(message m) > e",
        at("c", |it| Cut::Plain(it, Plainer::Bare)),
        "s > throw c > e",
    );
    let parallel = at("O", |it| Cut::Plain(it, Plainer::Parallel));
    check("s > O > A > e; O > B > e", parallel, "and O; s > O > A > e; O > B > e");
    check(
        "s > X -[a]> A > e; X -[b]> B > e",
        |_| Cut::AllConditions,
        "s > X > A > e; X > B > e",
    );
}

#[test]
fn activations_fit_what_is_left() {
    let model = parse("s > F > A > K; F > B > K; f: F > C > K; C > K; K(3 requires C_K) > e");
    let reduced = flow("F_A")(&model).of(&model);
    assert!(!any_error(&validate(&reduced)), "{:?}", validate(&reduced));
    let reduced = at("C", |it| Cut::Way(it, 0))(&model).of(&model);
    assert!(!any_error(&validate(&reduced)), "{:?}", validate(&reduced));
}

/// Generated models, shipped ones, and some with what neither has.
fn models() -> Vec<Definitions> {
    let mut models = Vec::new();
    for family in Family::ALL {
        models.extend((0..25).map(|seed| model(seed, &Parameters::of(family))));
    }
    let shipped = trackside_corpus::models().iter();
    models.extend(shipped.map(|shipped| xml::read(shipped.xml.as_bytes()).definitions));
    // A user's file with two pools and all that stands beside the flow.
    let pools = include_bytes!("../../../tests/shrink/pools.bpmn");
    models.push(xml::read(pools).definitions);
    models.extend(
        [
            "s > catch c(message m | signal g) > e",
            "s > K > A > L > e; K > B > L; K > C > L; complex K; complex L(2 if ok requires A_L; 3)",
            "s > receive R(m) > e",
        ]
        .map(parse),
    );
    models
}

/// The name of a cut, with that of what it makes plainer.
fn name(cut: &Cut) -> String {
    let said = match cut {
        Cut::Plain(_, plainer) => format!("{plainer:?}"),
        other => format!("{other:?}"),
    };
    said.split(['(', ' ']).next().unwrap_or_default().to_owned()
}

#[test]
fn cuts_leave_valid_models_or_are_passed_over_and_none_is_dead() {
    let (mut alive, mut refused, mut all) = (BTreeSet::new(), 0, 0);
    for model in models() {
        for cut in PASSES.iter().flat_map(|pass| pass(&model)) {
            let reduced = cut.of(&model);
            let mut again = reduced.clone();
            tidy::tidy(&mut again);
            assert_eq!(again, reduced, "tidy once is tidy: {cut:?}");
            all += 1;
            if weight(&reduced) >= weight(&model) {
                continue;
            }
            if any_error(&validate(&reduced)) {
                refused += 1;
                continue;
            }
            let source = Source::of_model("cut.bpmn", &reduced);
            assert!(
                !source.has_errors(),
                "{cut:?}: {:?}\n{}",
                source.problems,
                xml::write(&reduced)
            );
            alive.insert(name(&cut));
        }
    }
    let expected = [
        "AllConditions",
        "BareActivations",
        "Bare",
        "Beside",
        "Bypass",
        "Collapse",
        "Condition",
        "Correlation",
        "Default",
        "Flow",
        "Fuse",
        "Hoist",
        "Inclusive",
        "Inline",
        "Merge",
        "OneActivation",
        "OneTrigger",
        "OnlyProcess",
        "Parallel",
        "Process",
        "Task",
        "Way",
    ];
    assert_eq!(alive, expected.map(str::to_owned).into());
    assert!(refused * 5 < all, "{refused} of {all} cuts are not valid");
}

#[test]
fn cutting_whatever_can_be_cut_ends_at_a_start() {
    for mut model in models() {
        let mut cuts = 0;
        while let Some(smaller) = PASSES.iter().flat_map(|pass| pass(&model)).find_map(|cut| {
            let reduced = cut.of(&model);
            let fits = weight(&reduced) < weight(&model) && !any_error(&validate(&reduced));
            fits.then_some(reduced)
        }) {
            model = smaller;
            cuts += 1;
            assert!(cuts < 1_000, "cutting comes to an end");
        }
        let nodes: Vec<_> = model.scopes.iter().flat_map(|scope| &scope.nodes).collect();
        assert!(nodes.len() <= 1, "{}", xml::write(&model));
        assert!(
            nodes.iter().all(|node| matches!(node.kind, NodeKind::Start { .. })),
            "{}",
            xml::write(&model)
        );
    }
}
