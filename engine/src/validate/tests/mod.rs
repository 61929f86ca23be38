//! Each rule with a model that breaks it, and the nearest one that does not.

mod beside;
mod compiled;
mod events;
mod gateways;
mod mutations;
mod text;

use super::validate;
use crate::model::notation::parse;
use crate::model::{Definitions, FlowNode, NodeKind, Scope};
use crate::problem::Problem;

/// What a model in the notation gives, one line `severity rule element` each, in order.
fn check(text: &str, expected: &[&str]) {
    check_with(text, |_| {}, expected);
}

/// The same, after a change that the notation can't express.
fn check_with(text: &str, change: impl FnOnce(&mut Definitions), expected: &[&str]) {
    let problems = problems_with(text, change);
    assert_eq!(lines(&problems), expected, "{text}\n{problems:#?}");
}

fn problems_with(text: &str, change: impl FnOnce(&mut Definitions)) -> Vec<Problem> {
    let mut model = parse(text).unwrap_or_else(|error| panic!("{error} in {text}"));
    change(&mut model);
    let problems = validate(&model);
    for problem in &problems {
        assert!(!problem.message.is_empty() && !problem.hint.is_empty(), "{problem:?}");
        assert!(!problem.message.ends_with('.'), "{problem:?}");
    }
    problems
}

fn lines(problems: &[Problem]) -> Vec<String> {
    let line = |p: &Problem| format!("{} {} {}", p.severity, p.rule, p.element.as_deref().unwrap_or("-"));
    problems.iter().map(line).collect()
}

fn scope_of<'m>(model: &'m mut Definitions, node: &str) -> &'m mut Scope {
    let found = model.scopes.iter_mut().find(|s| s.nodes.iter().any(|n| n.id == node));
    found.expect("the model has the node")
}

fn node<'m>(model: &'m mut Definitions, id: &str) -> &'m mut FlowNode {
    let mut nodes = model.scopes.iter_mut().flat_map(|scope| &mut scope.nodes);
    nodes.find(|node| node.id == id).expect("the model has the node")
}

fn kind<'m>(model: &'m mut Definitions, id: &str) -> &'m mut NodeKind {
    &mut node(model, id).kind
}
