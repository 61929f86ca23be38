//! What all families share: attributes with their checks, ids, expressions, and the list of problems.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Expression, FlowNode, NodeKind, Position};
use crate::problem::{Problem, Severity};

use super::super::Limits;
use super::super::attribute::is_space;
use super::super::known::is_not_executed;
use super::super::namespace::Space;
use super::super::problems::{Problems, quote};
use super::super::rule;
use super::super::tree::{Element, NodeRef, Tree};

/// The state of one conversion.
pub(super) struct Context<'t> {
    pub(super) tree: &'t Tree<'t>,
    limits: &'t Limits,
    problems: &'t mut Problems,
    /// Event definitions at the top, by id.
    shared_events: BTreeMap<Cow<'t, str>, NodeRef>,
    /// Bytes of text that may still be copied for events that share a definition.
    shared_bytes_left: usize,
    /// Entries of lists that may still be read.
    entries_left: usize,
    /// How many elements of a kind have been given an id or had one.
    ordinals: BTreeMap<&'t str, u32>,
    /// All ids of the file; filled when the first one is missing.
    taken: Option<BTreeSet<String>>,
}

impl<'t> Context<'t> {
    pub(super) fn new(
        tree: &'t Tree<'t>,
        limits: &'t Limits,
        problems: &'t mut Problems,
        shared_events: BTreeMap<Cow<'t, str>, NodeRef>,
    ) -> Self {
        Self {
            tree,
            limits,
            problems,
            shared_events,
            shared_bytes_left: limits.shared_bytes,
            entries_left: limits.elements.saturating_sub(tree.nodes.len()),
            ordinals: BTreeMap::new(),
            taken: None,
        }
    }

    /// Reports an error about `el`.
    pub(super) fn error(&mut self, rule: &str, el: &Element<'_>, message: impl Into<String>, hint: &str) {
        self.report(Problem::error(rule, el.at(), message), el, hint);
    }

    /// Reports a warning about `el`.
    pub(super) fn warn(&mut self, rule: &str, el: &Element<'_>, message: impl Into<String>, hint: &str) {
        self.report(Problem::warning(rule, el.at(), message), el, hint);
    }

    fn report(&mut self, mut problem: Problem, el: &Element<'_>, hint: &str) {
        problem.element = el.id();
        self.problems.push(problem.hint(hint));
    }

    /// Reports a wrong value: an error, but in a drawing a warning.
    pub(super) fn wrong(&mut self, el: &Element<'_>, message: impl Into<String>, hint: &str) {
        let mut problem = Problem::error(rule::VALUE, el.at(), message);
        if el.space().is_drawing() {
            problem.severity = Severity::Warning;
        }
        self.report(problem, el, hint);
    }
}

/// Attributes.
impl Context<'_> {
    /// What an attribute refers to, where the element makes no sense without.
    pub(super) fn required(&mut self, el: &Element<'_>, name: &str) -> String {
        let reference = el.reference(name).unwrap_or_default();
        if reference.is_empty() {
            let message = format!("{} has no `{name}`", quote(el.local));
            self.wrong(el, message, "Say which element it refers to.");
        }
        reference
    }

    /// What the text of an element refers to.
    pub(super) fn text_reference(&mut self, el: &Element<'_>) -> String {
        let text = self.text(el);
        el.local_part(&text).to_owned()
    }

    /// A truth value; `None` where it is not given or is none.
    pub(super) fn optional_bool(&mut self, el: &Element<'_>, name: &str) -> Option<bool> {
        let value = el.attribute(name)?;
        match value.trim_matches(is_space) {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => {
                let message = format!("`{name}` is {}, which is neither true nor false", quote(&value));
                self.wrong(el, message, "Write `true` or `false`.");
                None
            }
        }
    }

    /// A truth value, and `default` without one.
    pub(super) fn bool(&mut self, el: &Element<'_>, name: &str, default: bool) -> bool {
        self.optional_bool(el, name).unwrap_or(default)
    }

    /// One of the values that an attribute can have; the first of `values` without one.
    pub(super) fn one_of<T: Copy>(&mut self, el: &Element<'_>, name: &str, values: &[(&str, T)]) -> T {
        let value = el.attribute(name);
        let value = value
            .as_deref()
            .map_or(values[0].0, |value| value.trim_matches(is_space));
        if let Some((_, found)) = values.iter().find(|(name, _)| *name == value) {
            return *found;
        }
        let names: Vec<_> = values.iter().map(|(name, _)| format!("`{name}`")).collect();
        let message = format!("`{name}` cannot be {}", quote(value));
        self.wrong(el, message, &format!("Write one of {}.", names.join(", ")));
        values[0].1
    }

    /// The references in an attribute that holds a list of them.
    pub(super) fn list(&mut self, el: &Element<'_>, name: &str) -> Vec<String> {
        let Some(value) = el.attribute(name) else {
            return Vec::new();
        };
        let mut entries = value.split(is_space).filter(|entry| !entry.is_empty());
        let list: Vec<_> = entries
            .by_ref()
            .take(self.entries_left)
            .map(|entry| el.local_part(entry).to_owned())
            .collect();
        self.entries_left -= list.len();
        if entries.next().is_some() {
            let message = format!(
                "there are more than {} elements and entries of lists",
                self.limits.elements
            );
            self.error(
                rule::LIMIT,
                el,
                message,
                "Split the model, or raise `Limits::elements`.",
            );
        }
        list
    }
}

/// Ids.
impl<'t> Context<'t> {
    /// The id; made up from kind and ordinal where none is given (F25).
    pub(super) fn id(&mut self, el: &Element<'t>) -> String {
        let ordinal = self.ordinals.entry(el.local).or_default();
        *ordinal += 1;
        let ordinal = *ordinal;
        if let Some(id) = el.id() {
            return id;
        }
        let id = self.make_up(el.local, ordinal);
        let message = format!("{} has no id; it is called `{id}`", quote(el.local));
        let problem = Problem::warning(rule::MISSING_ID, el.at(), message).element(&id);
        let hint = "Give it an id of its own, so that its name stays when the model changes.";
        self.problems.push(problem.hint(hint));
        id
    }

    fn make_up(&mut self, local: &str, ordinal: u32) -> String {
        let tree = self.tree;
        let taken = self.taken.get_or_insert_with(|| {
            let ids = tree.refs().filter_map(|node| tree.element(node).id());
            ids.collect()
        });
        let mut id = format!("_{local}_{ordinal}");
        while taken.contains(id.as_str()) {
            id.push('_');
        }
        id
    }
}

/// Text and expressions.
impl<'t> Context<'t> {
    /// The text of an element, exactly; empty where it is too long.
    pub(super) fn text<'e>(&mut self, el: &Element<'e>) -> Cow<'e, str> {
        let text = el.text();
        if text.len() > self.limits.text_bytes {
            let message = format!(
                "the text of {} is longer than {} bytes",
                quote(el.local),
                self.limits.text_bytes
            );
            self.error(rule::LIMIT, el, message, "Shorten it, or raise `Limits::text_bytes`.");
            return Cow::Borrowed("");
        }
        text
    }

    /// An expression (F29): its type is a qualified name, its language may be inherited.
    pub(super) fn expression(&mut self, el: &Element<'_>) -> Expression {
        if let Some(name) = el.xsi_type() {
            let (prefix, local) = name
                .trim_matches(is_space)
                .split_once(':')
                .unwrap_or(("", name.trim_matches(is_space)));
            let is_known = matches!(local, "tFormalExpression" | "tExpression");
            if !is_known || el.resolve(prefix) != Some(Space::Bpmn) {
                let message = format!("`xsi:type` is {}, which is no expression of BPMN", quote(&name));
                let hint = "Write `tFormalExpression` with the prefix of BPMN.";
                self.warn(rule::VALUE, el, message, hint);
            }
        }
        Expression {
            text: self.text(el).trim().to_owned(),
            language: el.string("language"),
            at: el.at(),
        }
    }

    /// The event definition at the top with this id, as long as not too much text is copied that way.
    pub(super) fn shared_event(&mut self, el: &Element<'_>, id: &str) -> Option<Element<'t>> {
        let Some(&node) = self.shared_events.get(id) else {
            let message = format!("there is no event definition {}", quote(id));
            self.wrong(el, message, "Define it directly inside `definitions`.");
            return None;
        };
        let shared = self.tree.element(node);
        if let Some(left) = self.shared_bytes_left.checked_sub(shared.content().len()) {
            self.shared_bytes_left = left;
            return Some(shared);
        }
        let message = format!(
            "events that share a definition hold more than {} bytes of text",
            self.limits.shared_bytes
        );
        let hint = "Shorten the expressions in shared event definitions.";
        self.error(rule::LIMIT, el, message, hint);
        None
    }
}

/// What no family takes.
impl<'t> Context<'t> {
    /// Reports an element that stands where the model has no place for it.
    pub(super) fn leftover(&mut self, el: &Element<'_>, parent: &str) {
        match el.space() {
            Space::Bpmn if el.local == "extensionElements" => {
                for extension in el.children() {
                    self.leftover(&extension, parent);
                }
            }
            Space::Bpmn if is_not_executed(el.local) => {
                let message = format!("{} is not executed", quote(el.local));
                self.warn(
                    rule::UNKNOWN_ELEMENT,
                    el,
                    message,
                    "The model runs as if it were not there.",
                );
            }
            Space::Bpmn | Space::Trackside => {
                let message = format!("{} inside {} is not read", quote(el.local), quote(parent));
                let hint = "Check the spelling, and which element it belongs to.";
                self.warn(rule::UNKNOWN_ELEMENT, el, message, hint);
            }
            // A drawing may have more than we keep of it.
            _ => {}
        }
    }

    /// Reports every child, of an element that has none that the model keeps.
    pub(super) fn all_leftover(&mut self, el: &Element<'_>) {
        for child in el.children() {
            self.leftover(&child, el.local);
        }
    }

    /// A flow node with what all of them have.
    pub(super) fn flow_node(&mut self, el: &Element<'t>, kind: NodeKind) -> FlowNode {
        FlowNode {
            id: self.id(el),
            name: el.string("name"),
            at: el.at(),
            default: el.reference("default"),
            kind,
        }
    }

    /// An expression for a place where one must be and is not.
    pub(super) fn no_expression(at: Position) -> Expression {
        Expression {
            text: String::new(),
            language: None,
            at,
        }
    }
}
