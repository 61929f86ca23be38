//! Building a room: what a kind may look at while it is compiled, and the fallback for what no kind takes.

use std::collections::BTreeMap;

use super::spec::CodeIndex;
use super::{Node, REGISTRY};
use crate::expr::Program;
use crate::ids::{NodeId, ScopeId};
use crate::instance::{Cx, TokenIx};
use crate::model::{Definitions, EventDefinition, Expression, FlowNode};
use crate::problem::Problem;
use crate::template::{Compiled, EventRef, Template, compile_program};

/// What the rooms of one process have in common while they are compiled.
pub(crate) struct Surroundings<'a, 'm> {
    pub(crate) definitions: &'m Definitions,
    pub(crate) settings: &'a Compiled,
    /// Errors and escalations by what they are called.
    pub(crate) codes: &'a CodeIndex<'m>,
    /// The catch that each link throw leads to.
    pub(crate) links: &'a BTreeMap<NodeId, NodeId>,
}

/// One node being compiled.
pub(crate) struct Build<'a, 'm> {
    pub(crate) around: &'a Surroundings<'a, 'm>,
    /// The template so far: flows, scopes and names are complete.
    pub(crate) t: &'a Template,
    pub(crate) node: &'m FlowNode,
    pub(crate) id: NodeId,
    /// The scope of its body, for a sub-process.
    pub(crate) body: Option<ScopeId>,
    problems: &'a mut Vec<Problem>,
}

impl<'a, 'm> Build<'a, 'm> {
    pub(crate) fn new(
        around: &'a Surroundings<'a, 'm>,
        t: &'a Template,
        node: &'m FlowNode,
        id: NodeId,
        body: Option<ScopeId>,
        problems: &'a mut Vec<Problem>,
    ) -> Self {
        Self {
            around,
            t,
            node,
            id,
            body,
            problems,
        }
    }

    /// Reports an error at this node.
    pub(crate) fn error(&mut self, rule: &str, message: impl Into<String>, hint: &str) {
        self.problems.push(
            Problem::error(rule, self.node.at, message)
                .element(&self.node.id)
                .hint(hint),
        );
    }

    /// Reports that this node, or a part of it, can't be executed yet.
    pub(crate) fn unsupported(&mut self, what: &str) {
        let message = format!("`{}`: {what} is not supported", self.node.id);
        self.error(
            "UNSUPPORTED",
            message,
            "replace it by supported elements, or leave it out of the model you run",
        );
    }

    /// Compiles an expression of this node, or reports why it can't be.
    pub(crate) fn program(&mut self, expression: &Expression) -> Option<Program> {
        let around = (self.around.definitions, self.around.settings);
        compile_program(around, expression, &self.node.id, self.problems)
    }

    /// The message or signal that a reference names, or a report.
    pub(crate) fn event(&mut self, message: bool, reference: Option<&str>) -> Option<EventRef> {
        // An event that names nothing has a name of its own: that of its node.
        let reference = reference.unwrap_or(&self.node.id);
        let found = self.t.names.resolve_event(message, reference);
        if found.is_none() {
            let what = if message { "message" } else { "signal" };
            let text = format!(
                "`{}` refers to {what} `{reference}`, which is not declared",
                self.node.id
            );
            self.error(
                "XML-REF",
                text,
                "declare it beside the processes, or correct the reference",
            );
        }
        found
    }

    /// The single event definition of an event, `None` for a plain one; several are reported.
    pub(crate) fn single(&mut self, events: &'m [EventDefinition]) -> Option<&'m EventDefinition> {
        if events.len() > 1 {
            self.unsupported("an event with several event definitions");
        }
        events.first()
    }
}

/// Builds the room of a node.
pub(crate) fn build(build: &mut Build<'_, '_>) -> Box<dyn Node> {
    for builder in REGISTRY {
        if let Some(room) = builder(build) {
            return room;
        }
    }
    build.unsupported(build.node.kind.element());
    Box::new(Nothing { id: build.id })
}

/// Stands in for a node that could not be built; its template is never handed out.
#[derive(Debug)]
pub(crate) struct Nothing {
    pub(crate) id: NodeId,
}

impl Node for Nothing {
    fn place(&self) -> NodeId {
        self.id
    }

    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, _: u32) {
        cx.end_here(token);
    }
}
