//! Tables: a text, and the model that it means, summed up in a line by [`summary`].

mod cases;
mod constructs;
mod errors;

use std::fmt::Write;

use super::parse;
use crate::model::{
    Binding, Definitions, EventDefinition, FlowNode, Gateway, NodeKind, Scope, SubProcessKind, TaskKind, Timer, Trigger,
};

/// Parses each text and compares it with its summary.
#[track_caller]
fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        let model = parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert_eq!(summary(&model), *expected, "{text}");
    }
}

/// Scopes in order, with `||` between them: nodes as `id:kind`, then flows as `source>target`, with the id in front
/// where it is not made of these two.
fn summary(model: &Definitions) -> String {
    let scopes: Vec<_> = model.scopes.iter().map(scope).collect();
    scopes.join(" || ")
}

fn scope(scope: &Scope) -> String {
    let nodes: Vec<_> = scope
        .nodes
        .iter()
        .map(|node| format!("{}:{}", node.id, kind(node)))
        .collect();
    let mut text = nodes.join(" ");
    for (index, flow) in scope.flows.iter().enumerate() {
        text.push_str(if index == 0 { "; " } else { " " });
        let ends = format!("{}>{}", flow.source, flow.target);
        if flow.id != ends.replace('>', "_") {
            write!(text, "{}:", flow.id).unwrap();
        }
        text.push_str(&ends);
        if let Some(condition) = &flow.condition {
            write!(text, "[{}]", condition.text).unwrap();
        }
        let source = scope
            .nodes
            .iter()
            .find(|node| node.id == flow.source)
            .expect("a flow has ends");
        if source.default.as_ref() == Some(&flow.id) {
            text.push_str("[default]");
        }
    }
    text
}

fn kind(node: &FlowNode) -> String {
    match &node.kind {
        NodeKind::Start {
            events,
            binding,
            interrupting,
        } => {
            let mode = if *interrupting { "" } else { "~" };
            format!("{mode}start{}", triggers(events, *binding))
        }
        NodeKind::End { events } => format!("end{}", triggers(events, Binding::Any)),
        NodeKind::Throw { events } => format!("throw{}", triggers(events, Binding::Any)),
        NodeKind::Catch { events, binding } => format!("catch{}", triggers(events, *binding)),
        NodeKind::Boundary {
            attached_to,
            interrupting,
            events,
            binding,
        } => {
            let mode = if *interrupting { '!' } else { '~' };
            format!(
                "{mode}{}{}",
                attached_to.as_deref().unwrap_or("?"),
                triggers(events, *binding)
            )
        }
        NodeKind::Task {
            task: kind,
            message,
            instantiate,
            ..
        } => {
            let words = message
                .as_deref()
                .into_iter()
                .chain(instantiate.then_some("instantiate"));
            format!("{}{}", task(*kind), parentheses(&words.collect::<Vec<_>>()))
        }
        NodeKind::SubProcess { kind, body, .. } => format!("{}#{}", sub_process(*kind), body.0),
        NodeKind::Call { called, .. } => {
            format!(
                "call{}",
                parentheses(&called.as_deref().into_iter().collect::<Vec<_>>())
            )
        }
        NodeKind::Gateway { gateway: kind, .. } => gateway(kind),
    }
}

fn parentheses(words: &[&str]) -> String {
    if words.is_empty() {
        String::new()
    } else {
        format!("({})", words.join(" "))
    }
}

fn triggers(events: &[EventDefinition], binding: Binding) -> String {
    let events: Vec<_> = events.iter().map(|event| trigger(&event.trigger)).collect();
    let between = if binding == Binding::All { "&" } else { "|" };
    if events.is_empty() {
        String::new()
    } else {
        format!("({})", events.join(between))
    }
}

fn trigger(trigger: &Trigger) -> String {
    let named = |kind: &str, name: &Option<String>| match name {
        Some(name) => format!("{kind} {name}"),
        None => kind.into(),
    };
    match trigger {
        Trigger::Message(name) => named("message", name),
        Trigger::Signal(name) => named("signal", name),
        Trigger::Error(name) => named("error", name),
        Trigger::Escalation(name) => named("escalation", name),
        Trigger::Link(name) => named("link", name),
        Trigger::Conditional(condition) => named("if", &condition.as_ref().map(|c| c.text.clone())),
        Trigger::Timer(None) => "timer".into(),
        Trigger::Timer(Some(timer)) => {
            let kind = match timer {
                Timer::Duration(_) => "duration",
                Timer::Date(_) => "date",
                Timer::Cycle(_) => "cycle",
            };
            format!("{kind} {}", timer.expression().text)
        }
        Trigger::Terminate => "terminate".into(),
        Trigger::Compensate => "compensate".into(),
        Trigger::Cancel => "cancel".into(),
    }
}

fn task(kind: TaskKind) -> &'static str {
    match kind {
        TaskKind::Abstract => "auto",
        TaskKind::Manual => "manual",
        TaskKind::Script => "script",
        TaskKind::Send => "send",
        TaskKind::Receive => "receive",
        TaskKind::User => "user",
        TaskKind::Service => "service",
        TaskKind::BusinessRule => "rule",
    }
}

fn sub_process(kind: SubProcessKind) -> &'static str {
    match kind {
        SubProcessKind::Embedded => "sub",
        SubProcessKind::Event => "event",
        SubProcessKind::Transaction => "transaction",
        SubProcessKind::AdHoc => "adhoc",
    }
}

fn gateway(gateway: &Gateway) -> String {
    match gateway {
        Gateway::Exclusive => "xor".into(),
        Gateway::Parallel => "and".into(),
        Gateway::Inclusive => "or".into(),
        Gateway::EventBased { instantiate, parallel } => {
            let words = instantiate.then_some("instantiate").into_iter();
            let words: Vec<_> = words.chain(parallel.then_some("parallel")).collect();
            format!("gate{}", parentheses(&words))
        }
        Gateway::Complex { activations, condition } => {
            let mut parts: Vec<_> = condition.iter().map(|c| format!("if {}", c.text)).collect();
            for activation in activations {
                let mut part = activation.count.map_or("?".into(), |count| count.to_string());
                if !activation.required.is_empty() {
                    write!(part, " requires {}", activation.required.join(" ")).unwrap();
                }
                if let Some(condition) = &activation.condition {
                    write!(part, " if {}", condition.text).unwrap();
                }
                parts.push(part);
            }
            if parts.is_empty() {
                "complex".into()
            } else {
                format!("complex({})", parts.join("; "))
            }
        }
    }
}
