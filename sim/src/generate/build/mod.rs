//! From a plan to a model. Total: every plan gives a valid one.
//!
//! Blocks keep their promise to complete in whatever they are nested, because the builder knows what is around a block
//! and draws it accordingly: a join that counts on one token at a time gets a sub-process of its own where several may
//! pass; what would start itself again and again throws nothing; what nobody catches is not raised.

mod block;
mod event;
mod fork;
mod graph;
mod host;
mod node;
mod order;

use trackside_engine::model::{self, Definitions, NodeKind, Position, Process, ScopeRef, SubProcessKind};

use super::plan::{Body, Cause, Ending, Handler, Join, Plan, Scope, Trigger};
use event::{Declared, Role};
pub(super) use node::{KNOWN, VARIABLES};
use node::{Name, Port};

/// What memory is reserved for: growing it step by step costs more than all else.
const NODES: usize = 24;
const SCOPES: usize = 4;

/// Everything generated stands nowhere in a file.
const NOWHERE: Position = Position { line: 0, column: 0 };

/// The id of every generated process.
pub(super) const PROCESS: &str = "process";

pub(super) fn definitions(plan: &Plan) -> Definitions {
    let mut builder = Builder::default();
    builder.scopes.reserve(SCOPES);
    builder.scopes.push(model::Scope {
        nodes: Vec::with_capacity(NODES),
        flows: Vec::with_capacity(NODES),
        ..model::Scope::default()
    });
    let around = Around::PROCESS.within(&plan.root);
    let start = builder.starts(around, plan);
    builder.contents(around, &plan.root, start);
    builder.handlers(around, Around::PROCESS, &plan.root.handlers);
    let mut definitions = builder.finish();
    if plan.order != 0 {
        order::shuffle(&mut definitions, plan.order);
    }
    definitions
}

/// What a block must know of the place where it is drawn.
#[allow(clippy::struct_excessive_bools, reason = "each is a condition of its own")]
#[derive(Clone, Copy)]
struct Around {
    scope: ScopeRef,
    /// Something without interruption watches for messages and signals around here, and would go on for ever if what it
    /// starts threw them.
    quiet: bool,
    /// Inside of an event sub-process that does not interrupt.
    handler: bool,
    /// The same as `quiet` for escalations.
    muted: bool,
    /// Whether a terminate event here would stop the whole of a model that promises to complete.
    root: bool,
    /// Codes that something around catches.
    errors: u8,
    escalations: u8,
}

impl Around {
    const PROCESS: Self = Self {
        scope: ScopeRef(0),
        quiet: false,
        handler: false,
        muted: false,
        root: true,
        errors: 0,
        escalations: 0,
    };

    /// Inside a scope with these watchers, in the same body until it has one of its own.
    fn within(self, scope: &Scope) -> Self {
        let watches = scope.handlers.iter().map(|handler| &handler.watch);
        let watches = watches.chain(scope.boundaries.iter().map(|boundary| &boundary.watch));
        watches.fold(self, |around, watch| around.catching(watch.trigger))
    }

    fn catching(mut self, trigger: Trigger) -> Self {
        match trigger.kind {
            Cause::Error => self.errors |= event::codes(trigger.index),
            Cause::Escalation => self.escalations |= event::codes(trigger.index),
            _ => {}
        }
        self
    }

    fn body(self, scope: ScopeRef) -> Self {
        Self {
            scope,
            root: false,
            ..self
        }
    }
}

/// The model as far as it has been written.
#[derive(Default)]
struct Builder {
    scopes: Vec<model::Scope>,
    declared: Declared,
    nodes: u32,
    flows: u32,
    links: u32,
    /// Ways that wait for the join they lead to.
    open: Vec<Port>,
}

impl Builder {
    fn finish(self) -> Definitions {
        let mut definitions = Definitions {
            id: Some("definitions".to_owned()),
            target_namespace: Some("urn:trackside:generated".to_owned()),
            processes: vec![Process {
                id: PROCESS.to_owned(),
                name: None,
                at: NOWHERE,
                is_executable: Some(true),
                body: ScopeRef(0),
            }],
            scopes: self.scopes,
            ..Definitions::default()
        };
        self.declared.write(&mut definitions);
        definitions
    }

    /// The start events of the process, and the one way on from them.
    fn starts(&mut self, around: Around, plan: &Plan) -> Port {
        let mark = self.open.len();
        for (index, trigger) in plan.starts.iter().enumerate() {
            let by_itself = index == 0 && trigger.kind == Cause::None;
            let role = if by_itself { Role::Plain } else { Role::Start };
            let event = self.start(around, *trigger, role, true);
            self.open.push(event.into());
        }
        if plan.starts.len() < 2 {
            let only = self.open.pop();
            return only.unwrap_or_else(|| self.start(around, Trigger::NONE, Role::Plain, true).into());
        }
        self.merge(around, Join::Exclusive, mark)
    }

    /// The body of a scope between `from` and its end, with what is done beside it.
    fn contents(&mut self, around: Around, scope: &Scope, from: Port) {
        let from = match &scope.side {
            Some(side) => self.beside(around, side, from),
            None => from,
        };
        match &scope.body {
            Body::Block(block) => {
                let last = self.block(around, block, from);
                // What ends the whole process, or raises, must not come from the body: it would always do so.
                let ending = match scope.ending {
                    Ending::Terminate => Ending::PLAIN,
                    Ending::Event(trigger) if trigger.kind == Cause::Error => Ending::PLAIN,
                    ending => ending,
                };
                self.end(around, ending, last);
            }
            Body::Graph(graph) => self.graph(around, graph, from),
        }
    }

    /// A sub-process with everything in it and on it; gives the way on.
    fn scope(&mut self, around: Around, scope: &Scope, from: Port) -> Port {
        let sub = self.sub_process(around, SubProcessKind::Embedded);
        self.flow(around, from, sub.0);
        self.inside(around, scope, sub.1);
        self.guarded(around, sub.0, &scope.boundaries)
    }

    /// What is in a sub-process.
    fn inside(&mut self, around: Around, scope: &Scope, body: ScopeRef) {
        let inner = around.within(scope).body(body);
        let start = self.start(inner, Trigger::NONE, Role::Plain, true);
        self.contents(inner, scope, start.into());
        let boundaries = scope.boundaries.iter();
        let outer = boundaries.fold(around, |around, boundary| around.catching(boundary.watch.trigger));
        self.handlers(inner, outer, &scope.handlers);
    }

    /// A sub-process and its body.
    fn sub_process(&mut self, around: Around, kind: SubProcessKind) -> (Name, ScopeRef) {
        let body = ScopeRef(self.scopes.len() as u32);
        self.scopes.push(model::Scope {
            parent: Some(around.scope),
            ..model::Scope::default()
        });
        let word = if kind == SubProcessKind::Event {
            "handler"
        } else {
            "sub"
        };
        let kind = NodeKind::SubProcess {
            kind,
            body,
            repeat: None,
            for_compensation: false,
        };
        (self.node(around, word, kind), body)
    }

    /// The event sub-processes of the scope that `inner` is the body of. What they raise climbs from `outer`.
    fn handlers(&mut self, inner: Around, outer: Around, handlers: &[Handler]) {
        let mut handled = 0;
        for handler in handlers {
            let Some(watch) = event::unique(inner, &mut handled, handler.watch) else {
                continue;
            };
            let (_, body) = self.sub_process(inner, SubProcessKind::Event);
            let mut around = outer.body(body);
            if !watch.interrupting {
                (around.quiet, around.muted, around.handler) = (true, true, true);
            }
            let role = Role::watching(watch);
            let start = self.start(around, watch.trigger, role, watch.interrupting);
            let last = self.block(around, &handler.body, start.into());
            self.end(around, handler.ending, last);
        }
    }
}
