//! Every kind of element that the generator is to know comes up, often.

use std::collections::BTreeMap;

use trackside_engine::model::{FlowNode, Gateway, NodeKind, Scope, SubProcessKind, TaskKind, Timer, Trigger};
use trackside_sim::generate::{Family, Kind, Parameters, model};

use crate::expected::expected;

const SEEDS: u64 = 2_000;

type Census = BTreeMap<String, u32>;

fn trigger(trigger: &Trigger) -> &'static str {
    match trigger {
        Trigger::Message(_) => "message",
        Trigger::Signal(_) => "signal",
        Trigger::Error(Some(_)) => "error",
        Trigger::Error(None) => "any error",
        Trigger::Escalation(Some(_)) => "escalation",
        Trigger::Escalation(None) => "any escalation",
        Trigger::Timer(Some(Timer::Duration(_))) => "duration",
        Trigger::Timer(Some(Timer::Date(_))) => "date",
        Trigger::Timer(Some(Timer::Cycle(_))) => "cycle",
        Trigger::Conditional(_) => "condition",
        Trigger::Link(_) => "link",
        Trigger::Terminate => "terminate",
        _ => "other",
    }
}

fn triggers(node: &FlowNode) -> &'static str {
    node.kind
        .events()
        .first()
        .map_or("none", |event| self::trigger(&event.trigger))
}

const fn mode(interrupting: bool) -> &'static str {
    if interrupting {
        "interrupting"
    } else {
        "non-interrupting"
    }
}

/// A scope with what is needed to judge its nodes.
struct Place<'m> {
    scope: &'m Scope,
    handles: bool,
}

impl<'m> Place<'m> {
    fn host(&self, id: &str) -> Option<&'m FlowNode> {
        self.scope.nodes.iter().find(|node| node.id == id)
    }

    fn flows(&self, node: &FlowNode) -> (usize, usize) {
        let into = self.scope.flows.iter().filter(|flow| flow.target == node.id).count();
        (
            into,
            self.scope.flows.iter().filter(|flow| flow.source == node.id).count(),
        )
    }

    /// How a node counts.
    fn names(&self, node: &FlowNode) -> Vec<String> {
        let triggers = triggers(node);
        let (into, out) = self.flows(node);
        let mut names = Vec::new();
        match &node.kind {
            NodeKind::Start { interrupting, .. } if self.handles => {
                names.push(format!("event sub-process: {triggers}, {}", mode(*interrupting)));
            }
            NodeKind::Start { .. } => names.push(format!("start: {triggers}")),
            NodeKind::End { .. } => names.push(format!("end: {triggers}")),
            NodeKind::Throw { .. } => names.push(format!("throw: {triggers}")),
            NodeKind::Catch { .. } => names.push(format!("catch: {triggers}")),
            NodeKind::Boundary {
                attached_to,
                interrupting,
                ..
            } => {
                let host = attached_to
                    .as_deref()
                    .and_then(|id| self.host(id))
                    .expect("it has a host");
                let host = match &host.kind {
                    NodeKind::Task {
                        task: TaskKind::Receive,
                        ..
                    } => "receive task",
                    NodeKind::SubProcess { .. } => "sub-process",
                    NodeKind::Task { .. } => "task",
                    _ => "call",
                };
                names.push(format!("boundary: {triggers}, {}, on a {host}", mode(*interrupting)));
            }
            NodeKind::SubProcess {
                kind: SubProcessKind::Embedded,
                ..
            } => {
                names.push(
                    if self.scope.parent.is_some() {
                        "sub-process, nested"
                    } else {
                        "sub-process"
                    }
                    .to_owned(),
                );
            }
            NodeKind::SubProcess { .. } => names.push("event sub-process".to_owned()),
            NodeKind::Gateway { gateway, .. } => self.gateway(node, gateway, (into, out), &mut names),
            kind => names.push(kind.element().to_owned()),
        }
        if matches!(
            node.kind,
            NodeKind::Task { .. } | NodeKind::SubProcess { .. } | NodeKind::Call { .. }
        ) {
            if out > 1 {
                let what = if node.default.is_some() {
                    "with a default"
                } else {
                    "without a default"
                };
                names.push(format!("implicit split {what}"));
            }
            if into > 1 {
                names.push("implicit merge".to_owned());
            }
        }
        if out == 0 && !matches!(node.kind, NodeKind::End { .. }) && triggers != "link" {
            names.push("implicit end".to_owned());
        }
        names
    }

    fn gateway(&self, node: &FlowNode, gateway: &Gateway, (into, out): (usize, usize), names: &mut Vec<String>) {
        let word = node.kind.element();
        if into > 1 {
            names.push(format!("{word}: join"));
        }
        if out > 1 {
            let what = if node.default.is_some() {
                "with a default"
            } else {
                "without a default"
            };
            names.push(format!("{word}: split {what}"));
        }
        if into > 1 && out > 1 {
            names.push(format!("{word}: mixed"));
        }
        if let Gateway::Complex { activations, .. } = gateway {
            names.extend(
                activations
                    .iter()
                    .filter(|a| a.condition.is_some())
                    .map(|_| "activation with a guard".to_owned()),
            );
            names.extend(
                activations
                    .iter()
                    .filter(|a| !a.required.is_empty())
                    .map(|_| "activation that requires".to_owned()),
            );
            names.extend(
                activations
                    .iter()
                    .skip(1)
                    .map(|_| "activation beside another".to_owned()),
            );
            let few = activations.iter().filter(|a| {
                a.count
                    .and_then(|count| usize::try_from(count).ok())
                    .is_some_and(|count| count < into)
            });
            names.extend(few.map(|_| "activation by some flows".to_owned()));
        }
        if let Gateway::EventBased { .. } = gateway {
            for flow in self.scope.flows.iter().filter(|flow| flow.source == node.id) {
                let arm = self.host(&flow.target).expect("a flow leads somewhere");
                names.push(format!("arm: {} {}", arm.kind.element(), self::triggers(arm)));
            }
        }
    }

    fn count(&self, census: &mut Census) {
        for node in &self.scope.nodes {
            for name in self.names(node) {
                *census.entry(name).or_default() += 1;
            }
        }
        let conditions = self.scope.flows.iter().filter(|flow| flow.condition.is_some()).count() as u32;
        *census.entry("condition".to_owned()).or_default() += conditions;
        let starts = self
            .scope
            .nodes
            .iter()
            .filter(|node| matches!(node.kind, NodeKind::Start { .. }))
            .count();
        *census.entry("several start events".to_owned()).or_default() += u32::from(starts > 1);
        let first = &self.scope.nodes[0].kind;
        let permuted = !matches!(first, NodeKind::Start { .. });
        *census.entry("permuted".to_owned()).or_default() += u32::from(permuted);
    }
}

fn census(parameters: &Parameters, seeds: u64) -> Census {
    let mut census = Census::new();
    for seed in 0..seeds {
        let definitions = model(seed, parameters);
        let handlers: Vec<usize> = definitions
            .scopes
            .iter()
            .flat_map(|scope| &scope.nodes)
            .filter_map(|node| match node.kind {
                NodeKind::SubProcess {
                    kind: SubProcessKind::Event,
                    body,
                    ..
                } => Some(body.0 as usize),
                _ => None,
            })
            .collect();
        for (index, scope) in definitions.scopes.iter().enumerate() {
            let is_handler = handlers.contains(&index);
            Place {
                scope,
                handles: is_handler,
            }
            .count(&mut census);
        }
        *census.entry("a loop".to_owned()).or_default() += u32::from(definitions.scopes.iter().any(is_cyclic));
    }
    census
}

/// Whether flows lead back, by taking away what nothing leads to.
fn is_cyclic(scope: &Scope) -> bool {
    let mut flows: Vec<_> = scope.flows.iter().map(|flow| (&flow.source, &flow.target)).collect();
    loop {
        let before = flows.len();
        let targets: std::collections::BTreeSet<_> = flows.iter().map(|&(_, target)| target).collect();
        flows.retain(|(source, _)| targets.contains(source));
        if flows.len() == before {
            return before > 0;
        }
    }
}

#[test]
fn every_kind_of_element_comes_up() {
    for family in Family::ALL {
        let census = census(&Parameters::of(family), SEEDS);
        let rare: Vec<_> = expected(family)
            .into_iter()
            .filter(|(name, least)| census.get(name).copied().unwrap_or(0) < *least)
            .map(|(name, least)| (name.clone(), census.get(&name).copied(), least))
            .collect();
        assert!(rare.is_empty(), "{family:?}: {rare:?}\n{census:?}");
        let loops = census["a loop"];
        assert!(
            (family == Family::Cyclic) == (loops > 0),
            "{family:?} has {loops} loops"
        );
    }
}

/// Tests that can't use a kind rely on its absence.
#[test]
fn what_is_switched_off_does_not_come_up() {
    let traces: [(Kind, &[&str]); 15] = [
        (Kind::Complex, &["complexGateway", "activation"]),
        (Kind::EventBased, &["eventBasedGateway", "arm"]),
        (Kind::Inclusive, &["inclusiveGateway", "implicit split with a default"]),
        (Kind::Message, &["message", "sendTask", "receiveTask"]),
        (Kind::Timer, &["duration", "date", "cycle"]),
        (Kind::Signal, &["signal"]),
        (Kind::Conditional, &[": condition", "Event condition"]),
        (Kind::Error, &["error"]),
        (Kind::Escalation, &["escalation"]),
        (Kind::Terminate, &["terminate"]),
        (Kind::Link, &["link"]),
        (Kind::Boundary, &["boundary"]),
        (Kind::EventSubProcess, &["event sub-process"]),
        (Kind::Interrupting, &[", interrupting"]),
        (Kind::NonInterrupting, &["non-interrupting"]),
    ];
    for (kind, words) in traces {
        // Without structure, an activity may split as an inclusive gateway does.
        for family in [Family::Block, Family::Acyclic] {
            if family == Family::Acyclic && kind == Kind::Inclusive {
                continue;
            }
            let census = census(&Parameters::of(family).without(kind), 300);
            let found = census.keys().find(|name| words.iter().any(|word| name.contains(word)));
            assert_eq!(found, None, "{kind:?} {family:?}");
        }
    }
}

/// Two tokens on one flow: some sub-process of blocks has a parallel split whose branches meet in an exclusive merge.
#[test]
fn surplus_tokens_come_up() {
    let mut runs = 0;
    for seed in 0..200 {
        let definitions = model(seed, &Parameters::default());
        runs += definitions.scopes.iter().filter(|scope| feeds_twice(scope)).count();
    }
    assert!(runs > 8, "{runs}");
}

fn feeds_twice(scope: &Scope) -> bool {
    let is = |id: &str, word: &str| id.starts_with(word);
    let ends = |word: &str| scope.nodes.iter().filter(|node| is(&node.id, word)).count();
    let join = |node: &&FlowNode| scope.flows.iter().filter(|flow| flow.target == node.id).count() > 1;
    let joins = scope
        .nodes
        .iter()
        .filter(|node| is(&node.id, "and"))
        .filter(join)
        .count();
    let direct = scope
        .flows
        .iter()
        .filter(|flow| is(&flow.source, "and") && is(&flow.target, "xor"))
        .count();
    ends("and") > joins && direct > 1
}
