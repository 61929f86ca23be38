//! What an unfinished instance waits for, in ids and in words (INS-6, ORJ-10).

use trackside_engine::NodeId;
use trackside_engine::instance::{Instance, Missing, Wait};
use trackside_engine::template::{Awaits, Template};

use super::report::{MissingFlow, RunEnd, Waiting};

/// The waits of an instance, in the engine's order.
pub(super) fn of(instance: &Instance, end: RunEnd) -> Vec<Waiting> {
    let template = instance.template();
    instance
        .waits()
        .iter()
        .map(|wait| waiting(template, wait, end))
        .collect()
}

/// The start events of a process of which no instance has begun.
pub(super) fn for_a_start(template: &Template) -> Vec<Waiting> {
    let arms = template.births().iter().filter_map(|birth| birth.arm.some());
    arms.map(|arm| event(template, "event", arm, Vec::new())).collect()
}

fn waiting(template: &Template, wait: &Wait, end: RunEnd) -> Waiting {
    match wait {
        Wait::Work { node, track } => {
            let running = format!("external work of {} is running", id(template, *node));
            // A receive task takes its message too.
            let events: Vec<String> = awaited(template, *node).into_iter().collect();
            let detail = events
                .iter()
                .fold(running, |detail, event| format!("{detail}, and {event} would do"));
            Waiting {
                events,
                detail,
                ..bare(template, "work", *node, vec![track.0])
            }
        }
        Wait::Event { node, track } => event(template, "event", *node, vec![track.0]),
        Wait::Arm { node } => event(template, "arm", *node, Vec::new()),
        Wait::Join {
            node,
            tracks,
            missing,
            circle,
        } => join(
            template,
            *node,
            tracks.iter().map(|track| track.0).collect(),
            (missing, circle),
            end,
        ),
    }
}

fn bare(template: &Template, kind: &'static str, node: NodeId, tracks: Vec<u32>) -> Waiting {
    let info = template.node(node);
    Waiting {
        kind,
        element: info.id.clone(),
        name: info.name.clone(),
        tracks,
        events: Vec::new(),
        missing: Vec::new(),
        circle: Vec::new(),
        detail: String::new(),
    }
}

fn event(template: &Template, kind: &'static str, node: NodeId, tracks: Vec<u32>) -> Waiting {
    let own = awaited(template, node);
    let arms = template.outgoing(node).iter().map(|&flow| template.flow(flow).target);
    let events: Vec<String> = match own {
        Some(own) => vec![own],
        // A gate waits for what its arms wait for.
        None => arms.filter_map(|arm| awaited(template, arm)).collect(),
    };
    Waiting {
        detail: format!("{} waits for {}", id(template, node), events.join(" or ")),
        events,
        ..bare(template, kind, node, tracks)
    }
}

fn awaited(template: &Template, node: NodeId) -> Option<String> {
    Some(match template.awaits(node)? {
        Awaits::Message(message) => format!("message {}", message.name),
        Awaits::Signal(signal) => format!("signal {}", signal.name),
        Awaits::Timer => format!("the timer of {}", id(template, node)),
        Awaits::Condition => format!("the condition of {}", id(template, node)),
        Awaits::Error(code) => format!("error {}", code.unwrap_or("of any code")),
        Awaits::Escalation(code) => format!("escalation {}", code.unwrap_or("of any code")),
    })
}

fn join(
    template: &Template,
    node: NodeId,
    tracks: Vec<u32>,
    (missing, circle): (&[Missing], &[NodeId]),
    end: RunEnd,
) -> Waiting {
    let missing: Vec<_> = missing
        .iter()
        .map(|flow| missing_flow(template, flow, circle, end))
        .collect();
    let circle: Vec<String> = circle.iter().map(|&node| id(template, node).to_owned()).collect();
    let flows: Vec<_> = missing.iter().map(|m| format!("{} ({})", m.flow, m.why)).collect();
    let what = if flows.is_empty() {
        format!("{} holds tokens", id(template, node))
    } else {
        format!("{} misses {}", id(template, node), flows.join(", "))
    };
    let detail = match &circle[..] {
        [] => what,
        circle => format!("{what}; vicious circle of {}", circle.join(", ")),
    };
    Waiting {
        missing,
        circle,
        detail,
        ..bare(template, "join", node, tracks)
    }
}

fn missing_flow(template: &Template, missing: &Missing, circle: &[NodeId], end: RunEnd) -> MissingFlow {
    let from: Vec<String> = missing.from.iter().map(|&node| id(template, node).to_owned()).collect();
    let places = from.join(", ");
    let why = if from.is_empty() {
        "no token is left that could come by it".to_owned()
    } else if missing.from.iter().any(|node| circle.contains(node)) {
        format!("the token at {places} waits for this join in turn")
    } else if end == RunEnd::Stuck {
        format!("the token at {places} can't go on")
    } else {
        format!("it may still come from {places}")
    };
    MissingFlow {
        flow: template.flow(missing.flow).id.clone(),
        from,
        why,
    }
}

fn id(template: &Template, node: NodeId) -> &str {
    &template.node(node).id
}
