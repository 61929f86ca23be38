//! Nodes, flows and their ids.

use std::sync::LazyLock;

use trackside_engine::expr::Known;
use trackside_engine::model::{Expression, FlowNode, Gateway, GatewayDirection, NodeKind, SequenceFlow, TaskKind};

use super::super::plan::{Choice, Form};
use super::{Around, Builder, NOWHERE};

/// A node that has been written: what it is called, and where in its scope it stands.
#[derive(Clone, Copy)]
pub(super) struct Name {
    word: &'static str,
    number: u32,
    /// Its index in the scope.
    pub(super) at: u32,
}

/// A way out of a node that leads nowhere yet.
#[derive(Clone, Copy)]
pub(super) struct Port {
    pub(super) from: Name,
    pub(super) mark: Mark,
}

/// What a flow has beside its ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Nothing,
    Default,
    Condition(u8),
}

impl From<Name> for Port {
    fn from(from: Name) -> Self {
        Self {
            from,
            mark: Mark::Nothing,
        }
    }
}

impl Name {
    pub(super) fn id(self) -> String {
        id(self.word, self.number)
    }
}

/// The mark on the `n`-th flow of a split.
pub(super) fn mark(choice: Choice, n: usize) -> Mark {
    let condition = Mark::Condition(choice.index.wrapping_add(n as u8));
    match choice.form {
        Form::Default if n == 0 => Mark::Default,
        Form::Mixed if n.is_multiple_of(2) => Mark::Nothing,
        Form::Bare => Mark::Nothing,
        Form::Default | Form::Open | Form::Mixed => condition,
    }
}

/// `word` and `number` in one. Made by hand: ids are most of what a model consists of.
pub(super) fn id(word: &str, number: u32) -> String {
    let mut digits = [0; 10];
    let mut at = digits.len();
    let mut rest = number;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    let mut text = String::with_capacity(word.len() + digits.len() - at);
    text.push_str(word);
    text.push_str(std::str::from_utf8(&digits[at..]).expect("digits are text"));
    text
}

/// Conditions are over these variables, which are whole numbers.
pub(in super::super) const VARIABLES: [&str; 3] = ["a", "b", "c"];

/// Conditions in the spellings that are understood.
const CONDITIONS: [&str; 12] = [
    "a > 0",
    "b > 1",
    "c > 2",
    "a <= 1",
    "${b == 2}",
    "=c = 0",
    "a + b > 3",
    "!(b > 1)",
    "${c >= 1 and a < 4}",
    "=a > 1 or b > 1",
    "c < 3",
    "a % 2 == 0",
];

/// All conditions, compiled.
pub(in super::super) static KNOWN: LazyLock<Known> =
    LazyLock::new(|| Known::of(CONDITIONS).expect("the conditions are expressions"));

pub(super) fn condition(index: u8) -> Expression {
    expression(CONDITIONS[usize::from(index) % CONDITIONS.len()])
}

pub(super) fn expression(text: &str) -> Expression {
    Expression {
        text: text.to_owned(),
        language: None,
        at: NOWHERE,
    }
}

pub(super) fn task_kind(task: TaskKind, message: Option<String>) -> NodeKind {
    NodeKind::Task {
        task,
        message,
        instantiate: false,
        repeat: None,
        for_compensation: false,
    }
}

impl Builder {
    pub(super) fn node(&mut self, around: Around, word: &'static str, kind: NodeKind) -> Name {
        self.nodes += 1;
        let nodes = &mut self.scopes[around.scope.0 as usize].nodes;
        let name = Name {
            word,
            number: self.nodes,
            at: nodes.len() as u32,
        };
        nodes.push(FlowNode {
            id: name.id(),
            name: None,
            at: NOWHERE,
            default: None,
            kind,
        });
        name
    }

    pub(super) fn gateway(&mut self, around: Around, word: &'static str, gateway: Gateway) -> Name {
        let direction = GatewayDirection::Unspecified;
        self.node(around, word, NodeKind::Gateway { gateway, direction })
    }

    pub(super) fn task(&mut self, around: Around) -> Name {
        self.node(around, "task", task_kind(TaskKind::Abstract, None))
    }

    /// Writes a flow; gives its number.
    pub(super) fn flow(&mut self, around: Around, from: Port, to: Name) -> u32 {
        self.flows += 1;
        let scope = &mut self.scopes[around.scope.0 as usize];
        let condition = match from.mark {
            Mark::Nothing => None,
            Mark::Condition(index) => Some(condition(index)),
            Mark::Default => {
                scope.nodes[from.from.at as usize].default = Some(flow_id(self.flows));
                None
            }
        };
        scope.flows.push(SequenceFlow {
            id: flow_id(self.flows),
            name: None,
            at: NOWHERE,
            source: from.from.id(),
            target: to.id(),
            condition,
        });
        self.flows
    }
}

pub(super) fn flow_id(number: u32) -> String {
    id("f", number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_words_and_numbers() {
        for number in [0, 1, 9, 10, 4_294_967_295] {
            assert_eq!(id("xor", number), format!("xor{number}"));
        }
    }
}
