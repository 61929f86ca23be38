//! Cuts: what can be taken out of a model, or made plainer in it.
//!
//! A [`Cut`] names its place by index, for one model. Making it is total: any cut of [`PASSES`] gives a model, and what it
//! leaves hanging is tidied up (`tidy`). Whether the model is still one without errors is asked afterwards, and
//! whether it is a smaller one ([`weight`]), so that cutting comes to an end.

mod flows;
mod graph;
mod nodes;
mod plain;
mod scopes;
#[cfg(test)]
mod tests;
mod tidy;
mod weight;

use trackside_engine::model::{Definitions, ScopeRef};

pub(super) use weight::weight;

/// A node: its scope and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    scope: ScopeRef,
    node: usize,
}

/// A flow: its scope and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    scope: ScopeRef,
    flow: usize,
}

/// One way to make a model smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Only one of the processes.
    OnlyProcess(usize),
    /// Without one of the processes.
    Process(usize),
    /// Without what stands beside the flow: lanes, data, artifacts, pools, message flows, diagrams, and what is never used.
    Beside,
    /// Without correlation.
    Correlation,
    /// Without any conditions and default flows.
    AllConditions,
    /// A process is what is inside of a sub-process.
    Hoist(Spot),
    /// The inside of a sub-process stands in its place.
    Inline(Spot),
    /// A sub-process is a task.
    Task(Spot),
    /// From a split on at once to where its branches meet.
    Collapse(Spot),
    /// Several nodes are bypassed.
    Bypass(Vec<Spot>),
    /// A node is bypassed: what led to it leads to where its n-th way out leads.
    Way(Spot, usize),
    /// What leaves a node leaves the one before it.
    Fuse(Spot),
    /// Without a flow.
    Flow(Line),
    /// A node and another one of its scope are one.
    Merge(Spot, usize),
    /// Without a condition.
    Condition(Line),
    /// Without a default flow.
    Default(Spot),
    /// An element is a plainer one.
    Plain(Spot, plain::Plainer),
}

/// The kinds of cuts, in the order in which they are tried: large ones first.
pub(super) const PASSES: &[fn(&Definitions) -> Vec<Cut>] = &[
    scopes::processes,
    tidy::beside,
    plain::all_conditions,
    scopes::hoists,
    nodes::chunks,
    flows::collapses,
    scopes::inside,
    flows::flows,
    nodes::ways,
    nodes::fusions,
    nodes::mergers,
    plain::nodes,
    plain::conditions,
];

impl Cut {
    /// What the cut makes of a model.
    pub(super) fn of(&self, model: &Definitions) -> Definitions {
        let mut model = model.clone();
        match self {
            Self::OnlyProcess(at) => scopes::only(&mut model, *at),
            Self::Process(at) => {
                model.processes.remove(*at);
            }
            Self::Beside => tidy::drop_beside(&mut model),
            Self::Correlation => tidy::drop_correlation(&mut model),
            Self::AllConditions => plain::drop_conditions(&mut model),
            Self::Hoist(spot) => scopes::hoist(&mut model, *spot),
            Self::Inline(spot) => scopes::inline(&mut model, *spot),
            Self::Task(spot) => scopes::task(&mut model, *spot),
            Self::Collapse(spot) => flows::collapse(&mut model, *spot),
            Self::Bypass(spots) => nodes::bypass_all(&mut model, spots),
            Self::Way(spot, way) => nodes::bypass(&mut model, *spot, *way),
            Self::Fuse(spot) => nodes::fuse(&mut model, *spot),
            Self::Flow(line) => flows::remove(&mut model, *line),
            Self::Merge(spot, into) => nodes::merge(&mut model, *spot, *into),
            Self::Condition(line) => model.scopes[line.scope.0 as usize].flows[line.flow].condition = None,
            Self::Default(spot) => node_mut(&mut model, *spot).default = None,
            Self::Plain(spot, plainer) => plain::make(&mut model, *spot, *plainer),
        }
        tidy::tidy(&mut model);
        model
    }
}

/// All nodes, scope by scope.
fn spots(model: &Definitions) -> impl Iterator<Item = Spot> + '_ {
    let scopes = (0..).map(ScopeRef).zip(&model.scopes);
    scopes.flat_map(|(scope, body)| (0..body.nodes.len()).map(move |node| Spot { scope, node }))
}

/// All flows, scope by scope.
fn lines(model: &Definitions) -> impl Iterator<Item = Line> + '_ {
    let scopes = (0..).map(ScopeRef).zip(&model.scopes);
    scopes.flat_map(|(scope, body)| (0..body.flows.len()).map(move |flow| Line { scope, flow }))
}

fn node(model: &Definitions, spot: Spot) -> &trackside_engine::model::FlowNode {
    &model.scope(spot.scope).nodes[spot.node]
}

fn node_mut(model: &mut Definitions, spot: Spot) -> &mut trackside_engine::model::FlowNode {
    &mut scope_mut(model, spot.scope).nodes[spot.node]
}

fn scope_mut(model: &mut Definitions, scope: ScopeRef) -> &mut trackside_engine::model::Scope {
    &mut model.scopes[scope.0 as usize]
}
