//! What events wait for and what they cause, read from their definitions (EVT-1).

use trackside_engine::model::{Declaration, EventDefinition, FlowNode, NodeKind, Timer, Trigger};

use super::net::{Effect, Kind, Net, NodeRef, Waits};
use super::read::{NotCovered, Reader};

/// The one definition of an event; a plain event has none.
fn single(node: &FlowNode) -> Result<Option<&Trigger>, NotCovered> {
    match node.kind.events() {
        [] => Ok(None),
        [EventDefinition { trigger, .. }] => Ok(Some(trigger)),
        _ => Err(NotCovered::new("an event with several definitions", &node.id)),
    }
}

pub(super) fn is_error(node: &FlowNode) -> bool {
    matches!(
        node.kind.events(),
        [EventDefinition {
            trigger: Trigger::Error(_),
            ..
        }]
    )
}

/// The name of the message or signal behind a reference.
pub(super) fn event_name(declared: &[Declaration], reference: &str) -> String {
    let found = declared.iter().find(|declaration| declaration.id == reference);
    found
        .and_then(|declaration| declaration.name.clone())
        .unwrap_or_else(|| reference.to_owned())
}

/// The code behind a reference to an error or escalation: its code, else its name, else its id.
fn code(declared: &[Declaration], reference: Option<&str>) -> Option<String> {
    let reference = reference?;
    let found = declared.iter().find(|declaration| declaration.id == reference);
    let code = found.and_then(|declaration| declaration.code.clone().or_else(|| declaration.name.clone()));
    Some(code.unwrap_or_else(|| reference.to_owned()))
}

/// What a catch, throw or end event is.
pub(super) fn event(reader: &Reader<'_>, net: &Net, node: &FlowNode) -> Result<Kind, NotCovered> {
    let trigger = single(node)?;
    Ok(match (&node.kind, trigger) {
        (NodeKind::Catch { .. }, Some(Trigger::Link(_))) => Kind::LinkCatch,
        (NodeKind::Catch { .. }, _) => Kind::Catch,
        (NodeKind::Throw { .. }, Some(Trigger::Link(name))) => {
            Kind::LinkThrow(link_catch(reader, net, node, name.as_deref())?)
        }
        (NodeKind::Throw { .. }, _) => Kind::Throw(effect(reader, node, trigger)?),
        _ => Kind::End(effect(reader, node, trigger)?),
    })
}

/// The catch event of the same name in the same scope.
fn link_catch(reader: &Reader<'_>, net: &Net, node: &FlowNode, name: Option<&str>) -> Result<NodeRef, NotCovered> {
    let own_body = net.find(&node.id).map(|place| net.node(place).body);
    let all = reader.file.scopes.iter().flat_map(|scope| &scope.nodes);
    let named = all.filter(|other| {
        let same = matches!(single(other), Ok(Some(Trigger::Link(other))) if other.as_deref() == name);
        same && matches!(other.kind, NodeKind::Catch { .. })
    });
    let places = named.filter_map(|other| net.find(&other.id));
    let mut beside = places.filter(|&place| Some(net.node(place).body) == own_body);
    beside
        .next()
        .ok_or_else(|| NotCovered::new("a link without a catch", &node.id))
}

fn effect(reader: &Reader<'_>, node: &FlowNode, trigger: Option<&Trigger>) -> Result<Effect, NotCovered> {
    let file = reader.file;
    // An event that names nothing has a name of its own, the id of the event.
    let named = |declared: &[Declaration], name: &Option<String>| match name {
        Some(name) => event_name(declared, name),
        None => node.id.clone(),
    };
    Ok(match trigger {
        None => Effect::Nothing,
        Some(Trigger::Message(name)) => Effect::Message(named(&file.messages, name)),
        Some(Trigger::Signal(name)) => Effect::Signal(named(&file.signals, name)),
        Some(Trigger::Error(name)) => Effect::Error(code(&file.errors, name.as_deref()).unwrap_or_default()),
        Some(Trigger::Escalation(name)) => {
            Effect::Escalation(code(&file.escalations, name.as_deref()).unwrap_or_default())
        }
        Some(Trigger::Terminate) => Effect::Terminate,
        Some(_) => return Err(NotCovered::new("what the event throws", &node.id)),
    })
}

/// What a node waits for.
pub(super) fn waits(reader: &Reader<'_>, node: &FlowNode) -> Result<Option<Waits>, NotCovered> {
    let file = reader.file;
    let trigger = match &node.kind {
        NodeKind::Start { .. } | NodeKind::Catch { .. } | NodeKind::Boundary { .. } => single(node)?,
        NodeKind::Task {
            task: trackside_engine::model::TaskKind::Receive,
            message: Some(name),
            ..
        } => {
            return Ok(Some(Waits::Message(event_name(&file.messages, name))));
        }
        _ => None,
    };
    Ok(Some(match trigger {
        None | Some(Trigger::Link(_)) => return Ok(None),
        Some(Trigger::Message(Some(name))) => Waits::Message(event_name(&file.messages, name)),
        Some(Trigger::Message(None)) => Waits::Message(node.id.clone()),
        Some(Trigger::Signal(Some(name))) => Waits::Signal(event_name(&file.signals, name)),
        Some(Trigger::Signal(None)) => Waits::Signal(node.id.clone()),
        Some(Trigger::Error(name)) => Waits::Error(code(&file.errors, name.as_deref())),
        Some(Trigger::Escalation(name)) => Waits::Escalation(code(&file.escalations, name.as_deref())),
        Some(Trigger::Conditional(Some(condition))) => Waits::Condition(reader.program(condition, &node.id)?),
        Some(Trigger::Timer(timer)) => Waits::Timer {
            times: times(reader, node, timer.as_ref())?,
            computed: is_computed(reader, node, timer.as_ref()),
        },
        Some(_) => return Err(NotCovered::new("what the event waits for", &node.id)),
    }))
}

/// How often a timer fires that is armed again (BND-5, EVT-7): a cycle as often as it says, a duration or date once.
fn times(reader: &Reader<'_>, node: &FlowNode, timer: Option<&Timer>) -> Result<Option<u32>, NotCovered> {
    let text = match (reader.settings.timers.get(&node.id), timer) {
        (Some(text), _) => text.as_str(),
        // A timer without a value may fire at any time.
        (None, None) => return Ok(None),
        (None, Some(Timer::Duration(_) | Timer::Date(_))) => return Ok(Some(1)),
        (None, Some(Timer::Cycle(cycle))) => cycle.text.as_str(),
    };
    let Some(cycle) = text.trim().strip_prefix('R') else {
        return Ok(Some(1));
    };
    // One that begins or ends at a date needs a clock to be counted.
    match cycle.split_once("/P") {
        Some(("", interval)) if !interval.contains('/') => Ok(None),
        Some((count, interval)) if !interval.contains('/') => match count.parse() {
            Ok(count) => Ok(Some(count)),
            Err(_) => Err(NotCovered::new("a cycle with a date or of data", &node.id)),
        },
        _ => Err(NotCovered::new("a cycle with a date or of data", &node.id)),
    }
}

/// Whether the value of a timer is no ISO 8601 text, which begins with a `P`, an `R`, a sign or a digit.
fn is_computed(reader: &Reader<'_>, node: &FlowNode, timer: Option<&Timer>) -> bool {
    let text = match (reader.settings.timers.get(&node.id), timer) {
        (Some(text), _) => text.as_str(),
        (None, Some(Timer::Duration(value) | Timer::Date(value) | Timer::Cycle(value))) => value.text.as_str(),
        (None, None) => return false,
    };
    !text
        .trim_start()
        .starts_with(|c: char| "PR+-".contains(c) || c.is_ascii_digit())
}

/// What is thrown stays in one instance: it starts none, and needs no correlation (COR-1).
pub(super) fn refuse_conversations(reader: &Reader<'_>, net: &Net) -> Result<(), NotCovered> {
    let keyed = reader
        .file
        .collaborations
        .iter()
        .any(|collaboration| !collaboration.keys.is_empty());
    let starts: Vec<&Waits> = net.bodies[0]
        .starts
        .iter()
        .filter_map(|&start| net.node(start).waits.as_ref())
        .collect();
    for node in &net.nodes {
        let (message, name) = match &node.kind {
            Kind::Throw(Effect::Message(name))
            | Kind::End(Effect::Message(name))
            | Kind::Task { sends: Some(name), .. } => (true, name),
            Kind::Throw(Effect::Signal(name)) | Kind::End(Effect::Signal(name)) => (false, name),
            _ => continue,
        };
        if keyed && message {
            return Err(NotCovered::new("a message with a correlation key", &node.id));
        }
        let born = |waits: &&Waits| match waits {
            Waits::Message(own) => message && own == name,
            Waits::Signal(own) => !message && own == name,
            _ => false,
        };
        if starts.iter().any(born) {
            return Err(NotCovered::new("a throw that starts another instance", &node.id));
        }
    }
    Ok(())
}
