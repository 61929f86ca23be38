//! Ways out of a node: which outgoing flows a token takes (TRK-8, TRK-9, XOR, ORS).
//!
//! Conditions are decided over process data, or, for exploration, as free choices (EVT-6): then `choice` numbers the
//! possible outcomes from 0, and every number is one that some data could give.

use serde_json::Value;

use crate::ids::{FlowId, NodeId};
use crate::instance::{Conditions, Cx, FaultKind, Final, TokenIx, mark};
use crate::template::Template;

/// How the outgoing flows of a node are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// XOR: the first true one.
    Exclusive,
    /// ORS: every true one, the default only if none.
    Inclusive,
    /// TRK-8, for activities and events: the same, but a flow without a condition is always taken, also when conditions
    /// are free choices. (For an inclusive gateway EVT-6 then lets every flow be taken or not.)
    Uncontrolled,
}

/// How many conditional flows a free choice covers; more would not fit a number.
const FREE_CONDITIONS_MAX: u32 = 31;

/// In how many ways a token can leave `node` when conditions are free choices.
pub(crate) fn ways(t: &Template, node: NodeId, rule: Rule) -> u32 {
    let flows = t.outgoing(node);
    match rule {
        Rule::Exclusive => (flows.len() as u32).max(1),
        Rule::Inclusive | Rule::Uncontrolled => {
            let default = !t.nodes[node.ix()].default.is_none();
            let free = flows.iter().filter(|&&f| is_free(t, node, f, rule)).count();
            let always = flows.len() - free - usize::from(default);
            let free = free.min(FREE_CONDITIONS_MAX as usize);
            // Each set of true conditions; without anything that is always taken, the empty one means the default.
            let sets = 1u32 << free;
            if always > 0 || default || free == 0 {
                sets
            } else {
                sets - 1
            }
        }
    }
}

/// Whether a flow is taken or not as a free choice says.
fn is_free(t: &Template, node: NodeId, flow: FlowId, rule: Rule) -> bool {
    flow != t.nodes[node.ix()].default && (rule == Rule::Inclusive || t.flow(flow).condition.is_some())
}

/// The token executes its node and leaves by `rule`, or ends where there is no way out (TRK-9). Where nobody has chosen
/// and there is a choice, it is left to a transition of its own.
pub(crate) fn leave(cx: &mut Cx<'_>, token: TokenIx, rule: Rule, choice: Option<u32>, extra: &[(&str, Value)]) {
    let t = cx.t;
    let node = cx.token(token).node;
    let pass = t.passes[node.ix()];
    if !pass.flow.is_none() {
        return cx.pass(token, pass);
    }
    if t.outgoing(node).is_empty() {
        return cx.end_here(token);
    }
    let symbolic = cx.core.options.conditions == Conditions::Symbolic;
    if symbolic && choice.is_none() && ways(t, node, rule) > 1 {
        debug_assert_eq!(rule, Rule::Uncontrolled, "a gateway leaves in a step of its own");
        mark!(cx.core, ChoosesLater);
        return cx.hesitate(token);
    }
    let choice = choice.unwrap_or(0);
    let mut ways_out = std::mem::take(&mut cx.core.taken);
    ways_out.clear();
    let decided = match (symbolic, rule) {
        (true, Rule::Exclusive) => {
            choose_one(t, node, choice, &mut ways_out);
            Some(())
        }
        (true, _) => {
            choose_some(t, node, rule, choice, &mut ways_out);
            Some(())
        }
        (false, Rule::Exclusive) => first_true(cx, token, node, extra, &mut ways_out),
        (false, _) => all_true(cx, token, node, extra, &mut ways_out),
    };
    if decided.is_some() {
        if ways_out.is_empty() {
            no_flow(cx, token, node);
        } else {
            cx.leave(token, &ways_out);
        }
    }
    cx.core.taken = ways_out;
}

/// The second phase of a complex join (CPX-6): the token leaves along what is true, or ends without a fault.
pub(crate) fn emit(cx: &mut Cx<'_>, token: TokenIx, choice: u32, extra: &[(&str, Value)]) {
    let t = cx.t;
    let node = cx.token(token).node;
    let symbolic = cx.core.options.conditions == Conditions::Symbolic;
    let mut ways_out = Vec::new();
    for (bit, &flow) in t.outgoing(node).iter().enumerate() {
        let default = flow == t.nodes[node.ix()].default;
        let free = symbolic && t.flow(flow).condition.is_some();
        let holds = if free {
            Some(choice.checked_shr(bit as u32).unwrap_or(0) & 1 == 1)
        } else {
            holds(cx, token, node, flow, extra)
        };
        match holds {
            Some(true) if !default => ways_out.push(flow),
            Some(_) => {}
            None => return,
        }
    }
    if ways_out.is_empty() {
        mark!(cx.core, ComplexResetEmitsNothing);
        cx.end_track(token, Final::Ended);
    } else {
        cx.leave(token, &ways_out);
    }
}

fn choose_one(t: &Template, node: NodeId, choice: u32, ways_out: &mut Vec<FlowId>) {
    let flows = t.outgoing(node);
    ways_out.push(flows[choice as usize % flows.len()]);
}

fn choose_some(t: &Template, node: NodeId, rule: Rule, choice: u32, ways_out: &mut Vec<FlowId>) {
    let default = t.nodes[node.ix()].default;
    let always = |flow: FlowId| flow != default && !is_free(t, node, flow, rule);
    let may_be_empty = !default.is_none() || t.outgoing(node).iter().any(|&f| always(f));
    // Where the empty set is no outcome, outcome 0 is the set {first}, and so on.
    let set = if may_be_empty { choice } else { choice + 1 };
    let mut bit = 0;
    for &flow in t.outgoing(node) {
        if always(flow) {
            ways_out.push(flow);
        } else if flow != default {
            if bit < FREE_CONDITIONS_MAX && set >> bit & 1 == 1 {
                ways_out.push(flow);
            }
            bit += 1;
        }
    }
    if ways_out.is_empty() {
        ways_out.extend(default.some());
    }
}

/// XOR-1..3, XOR-5.
fn first_true(
    cx: &mut Cx<'_>,
    token: TokenIx,
    node: NodeId,
    extra: &[(&str, Value)],
    ways_out: &mut Vec<FlowId>,
) -> Option<()> {
    let t = cx.t;
    let default = t.nodes[node.ix()].default;
    for &flow in t.outgoing(node).iter().filter(|&&f| f != default) {
        if holds(cx, token, node, flow, extra)? {
            ways_out.push(flow);
            return Some(());
        }
    }
    ways_out.extend(default.some());
    Some(())
}

/// ORS-1..3, TRK-8.
fn all_true(
    cx: &mut Cx<'_>,
    token: TokenIx,
    node: NodeId,
    extra: &[(&str, Value)],
    ways_out: &mut Vec<FlowId>,
) -> Option<()> {
    let t = cx.t;
    let default = t.nodes[node.ix()].default;
    for &flow in t.outgoing(node).iter().filter(|&&f| f != default) {
        if holds(cx, token, node, flow, extra)? {
            ways_out.push(flow);
        }
    }
    if ways_out.is_empty() {
        ways_out.extend(default.some());
    }
    Some(())
}

/// A flow without a condition counts as true (XOR-5, ORS-3). `None` after a fault.
fn holds(cx: &mut Cx<'_>, token: TokenIx, node: NodeId, flow: FlowId, extra: &[(&str, Value)]) -> Option<bool> {
    let t = cx.t;
    match &t.flow(flow).condition {
        None => Some(true),
        Some(condition) => {
            if let Some(Value::Bool(always)) = condition.constant() {
                return Some(*always);
            }
            let track = cx.track(token);
            cx.holds(Some(track), node, condition, extra)
        }
    }
}

fn no_flow(cx: &mut Cx<'_>, token: TokenIx, node: NodeId) {
    let t = cx.t;
    let mut names: Vec<String> = t
        .outgoing(node)
        .iter()
        .filter_map(|&flow| t.flow(flow).condition.as_ref())
        .flat_map(|condition| condition.variables().iter().cloned())
        .collect();
    names.sort();
    names.dedup();
    let message = format!("no condition of `{}` holds and it has no default flow", t.node(node).id);
    let track = cx.track(token);
    cx.fault(FaultKind::NoFlow, node, Some(track), None, message, &names);
}
