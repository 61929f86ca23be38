//! What a keyword, or the letters of a name, say about a node.

use super::cursor::Cursor;
use super::trigger::{end, rest, triggers};
use super::{NotationError, NotationErrorKind};
use crate::model::{
    Activation, Binding, EventDefinition, Gateway, GatewayDirection, NodeKind, Position, ScopeRef, SubProcessKind,
    TaskKind, Trigger,
};

/// The keyword that the letters of a name stand for.
pub(super) fn letters(name: &str) -> &'static str {
    match name.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "s" => "start",
        "e" | "E" | "End" => "end",
        "ET" => "terminate",
        "F" | "J" => "and",
        "O" | "Os" => "or",
        "X" | "M" | "m" => "xor",
        "K" => "complex",
        "G" => "gate",
        _ => "user",
    }
}

/// The sub-process that a keyword declares.
pub(super) fn sub_process(keyword: &str) -> Option<SubProcessKind> {
    match keyword {
        "sub" => Some(SubProcessKind::Embedded),
        "transaction" => Some(SubProcessKind::Transaction),
        "adhoc" => Some(SubProcessKind::AdHoc),
        _ => None,
    }
}

/// The node that `keyword`, which stands at `at`, declares with what is in its parentheses.
pub(super) fn kind(keyword: &str, at: Position, arguments: Option<Cursor<'_>>) -> Result<NodeKind, NotationError> {
    if let Some(task) = task(keyword) {
        return task_kind(task, arguments);
    }
    match keyword {
        "start" | "catch" | "throw" | "end" => event(keyword, arguments),
        "complex" => complex(arguments),
        "gate" => gate(arguments),
        "call" => Ok(NodeKind::Call {
            called: single(arguments, "the id of a process")?,
            repeat: None,
            for_compensation: false,
        }),
        "terminate" => plain(arguments).map(|()| NodeKind::End {
            events: vec![terminate(at)],
        }),
        "and" => plain(arguments).map(|()| gateway(Gateway::Parallel)),
        "or" => plain(arguments).map(|()| gateway(Gateway::Inclusive)),
        "xor" => plain(arguments).map(|()| gateway(Gateway::Exclusive)),
        _ => Err(unknown(keyword, at)),
    }
}

fn unknown(keyword: &str, at: Position) -> NotationError {
    let expected = "an arrow, `;`, the end of the line or a known keyword".into();
    let found = format!("`{keyword}` and a name");
    NotationErrorKind::Expected { expected, found }.at(at)
}

fn terminate(at: Position) -> EventDefinition {
    let trigger = Trigger::Terminate;
    EventDefinition { id: None, at, trigger }
}

fn gateway(gateway: Gateway) -> NodeKind {
    let direction = GatewayDirection::Unspecified;
    NodeKind::Gateway { gateway, direction }
}

pub(super) fn body(kind: SubProcessKind, body: ScopeRef) -> NodeKind {
    NodeKind::SubProcess {
        kind,
        body,
        repeat: None,
        for_compensation: false,
    }
}

fn event(keyword: &str, arguments: Option<Cursor<'_>>) -> Result<NodeKind, NotationError> {
    let (events, binding) = match arguments {
        Some(text) => triggers(text)?,
        None => (Vec::new(), Binding::Any),
    };
    Ok(match keyword {
        "start" => NodeKind::Start {
            events,
            binding,
            interrupting: true,
        },
        "catch" => NodeKind::Catch { events, binding },
        "throw" => NodeKind::Throw { events },
        _ => NodeKind::End { events },
    })
}

fn task(keyword: &str) -> Option<TaskKind> {
    match keyword {
        "task" | "auto" => Some(TaskKind::Abstract),
        "manual" => Some(TaskKind::Manual),
        "script" => Some(TaskKind::Script),
        "send" => Some(TaskKind::Send),
        "receive" => Some(TaskKind::Receive),
        "user" => Some(TaskKind::User),
        "service" => Some(TaskKind::Service),
        "rule" => Some(TaskKind::BusinessRule),
        _ => None,
    }
}

fn task_kind(task: TaskKind, arguments: Option<Cursor<'_>>) -> Result<NodeKind, NotationError> {
    let (mut message, mut instantiate) = (None, false);
    match task {
        TaskKind::Send => message = single(arguments, "a message")?,
        TaskKind::Receive => {
            for word in words(arguments, "a message or `instantiate`")? {
                match word.rest() {
                    "instantiate" => instantiate = true,
                    name if message.is_none() => message = Some(name.into()),
                    _ => return Err(word.expected("one message")),
                }
            }
        }
        _ => plain(arguments)?,
    }
    Ok(NodeKind::Task {
        task,
        message,
        instantiate,
        repeat: None,
        for_compensation: false,
    })
}

fn gate(arguments: Option<Cursor<'_>>) -> Result<NodeKind, NotationError> {
    let (mut instantiate, mut parallel) = (false, false);
    for word in words(arguments, "`instantiate` or `parallel`")? {
        match word.rest() {
            "instantiate" => instantiate = true,
            "parallel" => parallel = true,
            _ => return Err(word.expected("`instantiate` or `parallel`")),
        }
    }
    Ok(gateway(Gateway::EventBased { instantiate, parallel }))
}

fn complex(arguments: Option<Cursor<'_>>) -> Result<NodeKind, NotationError> {
    let (mut activations, mut condition) = (Vec::new(), None);
    if let Some(text) = arguments.map(Cursor::trimmed) {
        let mut guard = text;
        if guard.word() == "if" {
            condition = rest(&mut guard);
        } else {
            let parts = text.split(&[';', '|']).into_iter();
            activations = parts.map(activation).collect::<Result<_, _>>()?;
        }
    }
    Ok(gateway(Gateway::Complex { activations, condition }))
}

/// `count [requires flow…] [if condition]`.
fn activation(text: Cursor<'_>) -> Result<Activation, NotationError> {
    let mut text = text.trimmed();
    let start = text;
    let Ok(count) = text.word().parse() else {
        return Err(start.expected("a count"));
    };
    let (mut required, mut condition) = (Vec::new(), None);
    let mut flows = false;
    loop {
        text = text.trimmed();
        let before = text;
        match text.word() {
            "" => break,
            "if" => condition = rest(&mut text),
            "requires" if !flows => flows = true,
            flow if flows => required.push(flow.into()),
            _ => return Err(before.expected("`requires` or `if`")),
        }
    }
    end(text)?;
    Ok(Activation {
        at: start.at(),
        count: Some(count),
        required,
        condition,
    })
}

/// Nothing in parentheses, and no parentheses.
fn plain(arguments: Option<Cursor<'_>>) -> Result<(), NotationError> {
    match arguments {
        None => Ok(()),
        Some(text) => Err(text.trimmed().expected("no parentheses after this kind of node")),
    }
}

/// One word, or nothing.
fn single(arguments: Option<Cursor<'_>>, expected: &str) -> Result<Option<String>, NotationError> {
    let words = words(arguments, expected)?;
    match words.get(1) {
        None => Ok(words.first().map(|word| word.rest().into())),
        Some(second) => Err(second.expected("nothing more in here")),
    }
}

fn words<'t>(arguments: Option<Cursor<'t>>, expected: &str) -> Result<Vec<Cursor<'t>>, NotationError> {
    let mut words = Vec::new();
    let Some(mut text) = arguments.map(Cursor::trimmed) else {
        return Ok(words);
    };
    while text.peek().is_some() {
        let word = text.take_while(|_, c| super::cursor::is_word(c));
        if word.rest().is_empty() {
            return Err(text.expected(expected));
        }
        words.push(word);
        text = text.trimmed();
    }
    Ok(words)
}
