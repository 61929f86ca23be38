//! Scopes, what watches over them, and boundary events.

use super::super::plan::Side;
use super::super::plan::{Block, Way};
use super::Family;
use super::{Body, Boundary, Cause, DEPTH_MAX, Ending, Grow, Handler, Kind, Scope, Trigger, WATCHED, Watch};

/// Boundary events of one host, and event sub-processes of one scope.
const WATCHERS_MAX: u32 = 3;

impl Grow {
    /// A scope of about `share` nodes, without its start event. At depth 0 it is the process.
    pub(super) fn scope(&mut self, share: u32, depth: u32) -> Scope {
        let mut scope = Scope {
            body: Body::Block(Block::Sequence(Vec::new())),
            ending: self.ending(),
            side: None,
            handlers: Vec::new(),
            boundaries: Vec::new(),
        };
        let mut left = share.saturating_sub(1);
        if depth > 0 && self.swarm.has(Kind::Boundary) {
            left -= self
                .spending(|grow| grow.boundaries(&mut scope, left / 3, depth))
                .min(left);
        }
        if self.likes(Kind::EventSubProcess) && left > 3 {
            left -= self
                .spending(|grow| grow.handlers(&mut scope, left / 3, depth))
                .min(left);
        }
        if depth > 0 && left > 0 && self.draw.once_in(2) {
            left -= self
                .spending(|grow| scope.side = Some(Box::new(grow.side(left / 4, depth))))
                .min(left);
        }
        scope.body = self.body(left, depth);
        scope
    }

    /// How many nodes `deed` makes.
    pub(super) fn spending(&mut self, deed: impl FnOnce(&mut Self)) -> u32 {
        let before = self.spent;
        deed(self);
        self.spent - before
    }

    fn body(&mut self, share: u32, depth: u32) -> Body {
        let graph = match self.family {
            Family::Block => false,
            Family::Acyclic => depth == 0 || self.draw.once_in(2),
            Family::Cyclic => self.draw.once_in(2),
        };
        if graph {
            Body::Graph(self.graph(share, depth))
        } else if depth == 0 && self.swarm.has(Kind::Loop) {
            let first = self.sequence(share / 4, depth);
            let repeated = self.repeat(share - share / 4, depth);
            Body::Block(Block::Sequence(vec![first, repeated]))
        } else {
            Body::Block(self.sequence(share, depth))
        }
    }

    fn handlers(&mut self, scope: &mut Scope, share: u32, depth: u32) {
        for _ in 0..=self.draw.below(WATCHERS_MAX) {
            let Some(watch) = self.watch(&WATCHED) else { return };
            self.spent += 2;
            let body = self.sequence(share / WATCHERS_MAX, depth + 1);
            let ending = self.ending();
            scope.handlers.push(Handler { watch, body, ending });
        }
    }

    /// What is raised beside the body, and, mostly, what catches it.
    fn side(&mut self, share: u32, depth: u32) -> Side {
        self.spent += 3;
        Side {
            way: self.sequence(share.saturating_sub(2), depth + 1),
            ending: self.raising(),
            optional: self.swarm.has(Kind::Exclusive) && self.draw.once_in(2),
        }
    }

    fn boundaries(&mut self, scope: &mut Scope, share: u32, depth: u32) {
        if self.likes(Kind::Boundary) {
            scope.boundaries = self.boundary_events(share, depth);
        }
    }

    /// The boundary events of one host.
    pub(super) fn boundary_events(&mut self, share: u32, depth: u32) -> Vec<Boundary> {
        let count = 1 + self.draw.below(WATCHERS_MAX);
        let mut events = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let watch = self.watch(&WATCHED);
            let event = watch.map(|watch| self.boundary_event(watch, share / WATCHERS_MAX, depth));
            events.extend(event);
        }
        events
    }

    fn boundary_event(&mut self, watch: Watch, share: u32, depth: u32) -> Boundary {
        self.spent += 1;
        let way = if share < 2 || depth + 1 >= DEPTH_MAX {
            Block::Sequence(Vec::new())
        } else {
            self.sequence(share - 1, depth + 1)
        };
        let ending = if watch.interrupting {
            Ending::PLAIN
        } else {
            self.ending()
        };
        Boundary {
            watch,
            way: Way::Block(way, ending),
        }
    }

    /// Something that catches what a scope raises.
    pub(super) fn catcher(&mut self, scope: &mut Scope) {
        let Some(Side {
            ending: Ending::Event(Trigger { kind, index }),
            ..
        }) = scope.side.as_deref()
        else {
            return;
        };
        let (kind, index) = (*kind, index % 3);
        if !matches!(kind, Cause::Error | Cause::Escalation) || !self.swarm.has(Kind::Boundary) {
            return;
        }
        let interrupting = kind == Cause::Error || !self.swarm.has(Kind::NonInterrupting) || self.draw.once_in(2);
        if interrupting && !self.swarm.has(Kind::Interrupting) {
            return;
        }
        let trigger = Trigger { kind, index };
        let boundary = self.boundary_event(Watch { trigger, interrupting }, 2, DEPTH_MAX);
        scope.boundaries.push(boundary);
    }
}
