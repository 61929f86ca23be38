//! How problems are reported: at an element, with its place and id, and by what people call it.

use crate::model::{
    Artifact, CorrelationKey, CorrelationProperty, DataElement, FlowNode, Lane, MessageFlow, Participant, Position,
    Process, SequenceFlow,
};
use crate::problem::Problem;

/// Longest name that is quoted in a message, in characters.
const NAME_MAX: usize = 40;

/// What has an id and a place.
pub(super) trait Element {
    fn id(&self) -> &str;
    fn at(&self) -> Position;
}

macro_rules! element {
    ($($kind:ty),* $(,)?) => {
        $(impl Element for $kind {
            fn id(&self) -> &str {
                &self.id
            }

            fn at(&self) -> Position {
                self.at
            }
        })*
    };
}

element!(
    Artifact,
    CorrelationKey,
    CorrelationProperty,
    DataElement,
    FlowNode,
    Lane,
    MessageFlow,
    Participant,
    Process,
    SequenceFlow,
);

/// The problems found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    problems: Vec<Problem>,
}

impl Report {
    /// The model can't be run as it stands.
    pub(super) fn error(&mut self, rule: &str, element: &dyn Element, message: impl Into<String>, hint: &str) {
        let problem = Problem::error(rule, element.at(), message);
        self.problems.push(problem.element(element.id()).hint(hint));
    }

    /// The model runs; its author should know all the same.
    pub(super) fn warning(&mut self, rule: &str, element: &dyn Element, message: impl Into<String>, hint: &str) {
        let problem = Problem::warning(rule, element.at(), message);
        self.problems.push(problem.element(element.id()).hint(hint));
    }

    /// A problem of another make.
    pub(super) fn push(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }
}

/// How a node is called in a message: kind, id, and its name where that says more.
pub(super) fn called(node: &FlowNode) -> String {
    let words = words(node.kind.element());
    match name(node.name.as_deref(), &node.id) {
        Some(name) => format!("{words} `{}` ({name})", node.id),
        None => format!("{words} `{}`", node.id),
    }
}

/// How a flow is called in a message.
pub(super) fn flow_called(flow: &SequenceFlow) -> String {
    match name(flow.name.as_deref(), &flow.id) {
        Some(name) => format!("sequence flow `{}` ({name})", flow.id),
        None => format!("sequence flow `{}`", flow.id),
    }
}

/// A name on one line and not too long, unless it only repeats the id.
fn name(name: Option<&str>, id: &str) -> Option<String> {
    let name = name?.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() || name == id {
        return None;
    }
    let mut short: String = name.chars().take(NAME_MAX).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    Some(short)
}

/// The local name of an element, `intermediateCatchEvent`, as people write it.
pub(super) fn words(element: &str) -> String {
    let mut words = String::with_capacity(element.len() + 4);
    for letter in element.chars() {
        if letter.is_uppercase() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    let hyphens = [
        ("sub process", "sub-process"),
        ("event based", "event-based"),
        ("ad hoc", "ad-hoc"),
    ];
    hyphens
        .iter()
        .fold(words, |words, (apart, joined)| words.replace(apart, joined))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_on_one_line() {
        assert_eq!(name(Some("Order\n  ok?"), "X").as_deref(), Some("Order ok?"));
        assert_eq!(name(Some(" X "), "X"), None);
        assert_eq!(
            name(Some(&"ä".repeat(99)), "X").map(|n| n.chars().count()),
            Some(NAME_MAX + 1)
        );
        assert_eq!(words("adHocSubProcess"), "ad-hoc sub-process");
        assert_eq!(words("eventBasedGateway"), "event-based gateway");
    }
}
