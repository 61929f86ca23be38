//! Statements: chains of nodes, with braces that hold boundary events and bodies.

use super::build::{Builder, Flow, NodeIndex};
use super::cursor::Cursor;
use super::kind::{body, kind, letters, sub_process};
use super::trigger::{bare, rest, slug, triggers};
use super::{NESTING_MAX, NotationError, NotationErrorKind};
use crate::model::{Definitions, Expression, NodeKind, Position, ScopeRef, SubProcessKind, TaskKind};

/// A reader of one text. It recurses at braces only, at most [`NESTING_MAX`] deep.
pub(super) struct Parser<'t> {
    cursor: Cursor<'t>,
    model: Builder,
    depth: u32,
}

/// A word and where it stands.
type Word<'t> = (&'t str, Position);

/// A node of a chain, as far as its braces.
struct Step<'t> {
    node: NodeIndex,
    /// The id of the flow into it, where one is written.
    flow: Option<Word<'t>>,
    /// The sub-process that it was declared to be.
    declared: Option<SubProcessKind>,
    /// Whether the start event in its body interrupts.
    interrupting: bool,
}

/// What stands between two nodes of a chain.
struct Arrow {
    at: Position,
    condition: Option<Expression>,
    is_default: bool,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            cursor: Cursor::new(text),
            model: Builder::default(),
            depth: 0,
        }
    }

    pub(super) fn parse(mut self) -> Result<Definitions, NotationError> {
        let scope = self.model.open(None, true);
        self.statements(scope)?;
        match self.cursor.peek() {
            None => self.model.finish(scope),
            Some(_) => Err(self.cursor.expected("a statement")),
        }
    }

    /// Statements up to the end of the text or of the braces.
    fn statements(&mut self, scope: ScopeRef) -> Result<(), NotationError> {
        loop {
            self.cursor.skip_separators();
            if matches!(self.cursor.peek(), None | Some('}')) {
                return Ok(());
            }
            self.statement(scope)?;
            self.cursor.skip_blanks();
            if !matches!(self.cursor.peek(), None | Some('}' | ';' | '\n')) {
                return Err(self.cursor.expected("an arrow, `;` or the end of the line"));
            }
        }
    }

    fn statement(&mut self, scope: ScopeRef) -> Result<(), NotationError> {
        let label = self.label();
        let keyword = self.keyword();
        let first = self.step(scope, keyword)?;
        self.all_braces(scope, &first)?;
        let unused = label.filter(|_| !self.is_at_arrow());
        if let Some((_, at)) = first.flow.or(unused) {
            let (expected, found) = ("a flow that this label names".into(), "none".into());
            return Err(NotationErrorKind::Expected { expected, found }.at(at));
        }
        if keyword.is_some() && self.is_at_name() {
            while self.is_at_name() {
                let next = self.step(scope, keyword)?;
                self.all_braces(scope, &next)?;
            }
            return Ok(());
        }
        self.chain(scope, first.node, label)
    }

    /// `label:`, or nothing.
    fn label(&mut self) -> Option<Word<'t>> {
        let mut ahead = self.cursor;
        let (at, label) = (ahead.at(), ahead.word());
        ahead.skip_blanks();
        let found = !label.is_empty() && ahead.eat(':');
        found.then(|| {
            ahead.skip_blanks();
            self.cursor = ahead;
            (label, at)
        })
    }

    /// A word that another one follows, or nothing.
    fn keyword(&mut self) -> Option<Word<'t>> {
        let mut ahead = self.cursor;
        let (at, word) = (ahead.at(), ahead.word());
        let end = ahead;
        ahead.skip_blanks();
        let found = self.cursor.at_name() && ahead.at() != end.at() && ahead.at_name();
        found.then(|| {
            self.cursor = ahead;
            (word, at)
        })
    }

    fn is_at_name(&mut self) -> bool {
        self.cursor.skip_blanks();
        self.cursor.at_name()
    }

    fn is_at_arrow(&self) -> bool {
        let mut ahead = self.cursor;
        ahead.reach(is_arrow)
    }

    /// The arrows and nodes after `from`.
    fn chain(
        &mut self,
        scope: ScopeRef,
        mut from: NodeIndex,
        mut label: Option<Word<'t>>,
    ) -> Result<(), NotationError> {
        while self.cursor.reach(is_arrow) {
            let arrow = self.arrow()?;
            self.cursor.skip_lines();
            let keyword = self.keyword();
            let to = self.step(scope, keyword)?;
            let id = match (label.take(), to.flow) {
                (Some(_), Some((_, at))) => {
                    let found = "a second one".into();
                    let expected = "one label for a flow".into();
                    return Err(NotationErrorKind::Expected { expected, found }.at(at));
                }
                (first, second) => first.or(second),
            };
            self.model.flow(Flow {
                id: id.map(|(id, _)| id.into()),
                at: id.map_or(arrow.at, |(_, at)| at),
                source: from,
                target: to.node,
                condition: arrow.condition,
                is_default: arrow.is_default,
            })?;
            self.all_braces(scope, &to)?;
            from = to.node;
        }
        Ok(())
    }

    /// `>`, `→`, or either after `-[…]`.
    fn arrow(&mut self) -> Result<Arrow, NotationError> {
        let at = self.cursor.at();
        let (mut condition, mut is_default) = (None, false);
        if self.cursor.eat('-') {
            let text = self.cursor.enclosed('[', ']')?.trimmed();
            is_default = text.rest() == "default";
            if !is_default {
                let missing = || text.expected("a condition or `default`");
                condition = Some(rest(&mut { text }).ok_or_else(missing)?);
            }
            self.cursor.skip_blanks();
        }
        if !self.cursor.eat('>') && !self.cursor.eat('→') {
            return Err(self.cursor.expected("`>`"));
        }
        Ok(Arrow {
            at,
            condition,
            is_default,
        })
    }

    /// A node with what is written behind it, but for braces.
    fn step(&mut self, scope: ScopeRef, keyword: Option<Word<'t>>) -> Result<Step<'t>, NotationError> {
        let event = if keyword.is_none() {
            self.event_sub_process()
        } else {
            None
        };
        let at = self.cursor.at();
        let name = self.cursor.name()?;
        let node = self.model.node(scope, name, at)?;
        let declared = match event {
            Some(_) => Some(SubProcessKind::Event),
            None => keyword.and_then(|(keyword, _)| sub_process(keyword)),
        };
        if declared.is_none() {
            self.declaration(node, keyword, at)?;
        }
        let flow = self.incoming()?;
        let interrupting = event.unwrap_or(true);
        Ok(Step {
            node,
            flow,
            declared,
            interrupting,
        })
    }

    /// All braces behind a node. The flow into it comes first, so that flows are in the order of the text.
    fn all_braces(&mut self, scope: ScopeRef, step: &Step<'_>) -> Result<(), NotationError> {
        let mut has_body = false;
        while self.cursor.reach(|text| text.starts_with('{')) {
            has_body |= self.braces(scope, step)?;
        }
        if step.declared.is_some() && !has_body {
            return Err(self.cursor.expected("a body in braces"));
        }
        Ok(())
    }

    /// `ESP!` or `ESP~`: whether the start event interrupts.
    fn event_sub_process(&mut self) -> Option<bool> {
        let mut ahead = self.cursor;
        let is_event = ahead.word() == "ESP";
        let mode = is_event.then(|| mode(&mut ahead)).flatten();
        if mode.is_some() {
            self.cursor = ahead;
        }
        mode
    }

    /// What a keyword, parentheses or a star say about `node`.
    fn declaration(&mut self, node: NodeIndex, keyword: Option<Word<'t>>, at: Position) -> Result<(), NotationError> {
        let has_arguments = self.cursor.peek() == Some('(');
        let arguments = has_arguments.then(|| self.cursor.enclosed('(', ')')).transpose()?;
        if keyword.is_some() || has_arguments {
            let (keyword, keyword_at) = keyword.unwrap_or_else(|| (letters(self.model.name(node)), at));
            self.model.declare(node, kind(keyword, keyword_at, arguments)?, at)?;
        }
        if self.cursor.eat('*') && !self.model.declared(node).is_some_and(is_auto) {
            self.model.declare(node, kind("auto", at, None)?, at)?;
        }
        Ok(())
    }

    /// `.flow`: the id of the flow into the node.
    fn incoming(&mut self) -> Result<Option<Word<'t>>, NotationError> {
        if !self.cursor.eat('.') {
            return Ok(None);
        }
        let at = self.cursor.at();
        match self.cursor.word() {
            "" => Err(self.cursor.expected("the id of a flow")),
            id => Ok(Some((id, at))),
        }
    }

    /// A boundary event of a node, or its body; true for a body.
    fn braces(&mut self, scope: ScopeRef, step: &Step<'_>) -> Result<bool, NotationError> {
        let opened = self.cursor.at();
        self.cursor.bump();
        if self.depth == NESTING_MAX {
            return Err(NotationErrorKind::TooDeep.at(opened));
        }
        self.depth += 1;
        self.cursor.skip_lines();
        let event = mode(&mut self.cursor);
        if let Some(interrupting) = event {
            self.boundary(scope, step.node, interrupting)?;
        } else {
            let inside = self.model.open(Some(scope), step.interrupting);
            let kind = step.declared.unwrap_or(SubProcessKind::Embedded);
            self.model.declare(step.node, body(kind, inside), opened)?;
            self.statements(inside)?;
        }
        self.cursor.skip_lines();
        self.depth -= 1;
        if self.cursor.eat('}') {
            Ok(event.is_none())
        } else if self.cursor.peek().is_none() {
            Err(NotationErrorKind::Unclosed('{').at(opened))
        } else {
            Err(self.cursor.expected("an arrow or `}`"))
        }
    }

    /// `trigger [as id] [> …]`, after the mode.
    fn boundary(&mut self, scope: ScopeRef, host: NodeIndex, interrupting: bool) -> Result<(), NotationError> {
        self.cursor.skip_blanks();
        let mut at = self.cursor.at();
        let text = match self.cursor.peek() {
            Some('(') => self.cursor.enclosed('(', ')')?,
            _ => bare(&mut self.cursor)?,
        };
        let (events, binding) = triggers(text)?;
        let name = if self.alias() {
            at = self.cursor.at();
            self.cursor.name()?.to_owned()
        } else {
            self.model
                .boundary_name(host, events.first().map_or("", |event| slug(&event.trigger)))
        };
        let node = self.model.node(scope, &name, at)?;
        let kind = NodeKind::Boundary {
            attached_to: Some(self.model.name(host).into()),
            interrupting,
            events,
            binding,
        };
        self.model.declare(node, kind, at)?;
        self.chain(scope, node, None)
    }

    /// `as`, in front of the name of a boundary event.
    fn alias(&mut self) -> bool {
        let mut ahead = self.cursor;
        ahead.skip_lines();
        let found = ahead.word() == "as";
        if found {
            ahead.skip_lines();
            self.cursor = ahead;
        }
        found
    }
}

fn is_arrow(text: &str) -> bool {
    text.starts_with(['>', '→']) || text.starts_with("-[")
}

fn is_auto(kind: &NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Task {
            task: TaskKind::Abstract,
            ..
        }
    )
}

/// `!`: interrupting; `~`: not.
fn mode(cursor: &mut Cursor<'_>) -> Option<bool> {
    if cursor.eat('!') {
        Some(true)
    } else {
        cursor.eat('~').then_some(false)
    }
}
