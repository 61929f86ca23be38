//! Cuts of flows: one at a time, and all that lies between a split and where its branches meet.

use trackside_engine::model::Definitions;

use super::graph::Graph;
use super::{Cut, Line, Spot, lines, scope_mut, spots};

pub(super) fn flows(model: &Definitions) -> Vec<Cut> {
    lines(model).map(Cut::Flow).collect()
}

/// For each node with several ways out.
pub(super) fn collapses(model: &Definitions) -> Vec<Cut> {
    let several = |spot: &Spot| {
        let scope = model.scope(spot.scope);
        let id = &scope.nodes[spot.node].id;
        scope.flows.iter().filter(|flow| flow.source == *id).count() > 1
    };
    spots(model).filter(several).map(Cut::Collapse).collect()
}

pub(super) fn remove(model: &mut Definitions, line: Line) {
    scope_mut(model, line.scope).flows.remove(line.flow);
}

/// One flow of the split leads to where its branches meet, the others go; or all of them go, where they never do.
pub(super) fn collapse(model: &mut Definitions, spot: Spot) {
    let meeting = meeting(&Graph::of(model.scope(spot.scope)), spot.node);
    let scope = scope_mut(model, spot.scope);
    let id = scope.nodes[spot.node].id.clone();
    let target = meeting.map(|at| scope.nodes[at].id.clone());
    let mut first = true;
    scope.flows.retain_mut(|flow| {
        if flow.source != id {
            return true;
        }
        let kept = std::mem::take(&mut first);
        match &target {
            Some(target) if kept => flow.target.clone_from(target),
            _ => return false,
        }
        true
    });
}

/// The first node that every way from `split` to an end passes.
fn meeting(graph: &Graph, split: usize) -> Option<usize> {
    let mut seen = vec![false; graph.leads.len()];
    let mut order = vec![split];
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        next += 1;
        for &lead in &graph.leads[at] {
            if !std::mem::replace(&mut seen[lead], true) {
                order.push(lead);
            }
        }
    }
    let mut after = order.into_iter().skip(1).filter(|&at| at != split);
    after.find(|&at| {
        let around = graph.reachable(&[split], Some(at));
        let mut left = around.iter().zip(&graph.leads).filter(|(reached, _)| **reached);
        left.all(|(_, leads)| !leads.is_empty())
    })
}
