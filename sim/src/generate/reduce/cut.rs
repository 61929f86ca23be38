//! A walk over a plan that makes one cut: the n-th that there is to make.
//!
//! Every cut makes the plan smaller, or something in it plainer, so that cutting comes to an end.

use super::super::plan::{
    Block, Body, Boundary, Choice, Ending, Event, Form, Graph, Join, Plan, Race, Scope, Split, Task, Trigger, Triple,
    Vertex, VertexKind, Way, Work,
};

pub(super) struct Cutter {
    /// Cuts to pass by before the one to make; `None` when it has been made.
    left: Option<usize>,
}

impl Cutter {
    pub(super) fn at(n: usize) -> Self {
        Self { left: Some(n) }
    }

    pub(super) fn has_cut(&self) -> bool {
        self.left.is_none()
    }

    /// Whether this is the cut to make.
    fn here(&mut self) -> bool {
        match self.left {
            Some(0) => {
                self.left = None;
                true
            }
            Some(left) => {
                self.left = Some(left - 1);
                false
            }
            None => false,
        }
    }

    pub(super) fn plan(&mut self, plan: &mut Plan) {
        self.body(&mut plan.root.body);
        self.list(&mut plan.starts, 1);
        if plan.order != 0 && self.here() {
            plan.order = 0;
        }
        self.around(&mut plan.root);
    }

    /// Halves of a list, then single items, but for the first `keep`.
    fn list<T>(&mut self, list: &mut Vec<T>, keep: usize) {
        if list.len() > keep + 3 {
            let middle = usize::midpoint(keep, list.len());
            if self.here() {
                list.truncate(middle);
                return;
            }
            if self.here() {
                list.drain(keep..middle);
                return;
            }
        }
        for index in (keep..list.len()).rev() {
            if self.here() {
                list.remove(index);
                return;
            }
        }
    }

    /// Makes `value` plain.
    fn plain<T: PartialEq>(&mut self, value: &mut T, plain: T) {
        if *value != plain && self.here() {
            *value = plain;
        }
    }

    fn body(&mut self, body: &mut Body) {
        if let Body::Block(Block::Scope(scope)) = body
            && self.here()
        {
            *body = std::mem::replace(&mut scope.body, Body::Block(Block::Sequence(Vec::new())));
            return;
        }
        match body {
            Body::Block(block) => self.block(block),
            Body::Graph(graph) => {
                let inner = graph.vertices.iter_mut().filter_map(|vertex| match &mut vertex.kind {
                    VertexKind::Scope(scope) => Some(scope),
                    _ => None,
                });
                for scope in inner {
                    if self.here() {
                        let empty = Body::Block(Block::Sequence(Vec::new()));
                        *body = std::mem::replace(&mut scope.body, empty);
                        return;
                    }
                }
                self.graph(graph);
            }
        }
    }

    fn scope(&mut self, scope: &mut Scope) {
        self.body(&mut scope.body);
        self.around(scope);
    }

    /// What a scope has beside its body.
    fn around(&mut self, scope: &mut Scope) {
        self.boundaries(&mut scope.boundaries);
        self.list(&mut scope.handlers, 0);
        if scope.side.is_some() && self.here() {
            scope.side = None;
        }
        if let Some(side) = &mut scope.side {
            self.block(&mut side.way);
            self.plain(&mut side.optional, false);
            self.ending(&mut side.ending);
        }
        for handler in &mut scope.handlers {
            self.block(&mut handler.body);
            self.trigger(&mut handler.watch.trigger);
            self.ending(&mut handler.ending);
        }
        self.ending(&mut scope.ending);
    }

    fn boundaries(&mut self, boundaries: &mut Vec<Boundary>) {
        self.list(boundaries, 0);
        for boundary in boundaries {
            if let Way::Block(block, ending) = &mut boundary.way {
                self.block(block);
                self.ending(ending);
            }
            self.trigger(&mut boundary.watch.trigger);
        }
    }

    fn trigger(&mut self, trigger: &mut Trigger) {
        self.plain(&mut trigger.index, 0);
    }

    fn ending(&mut self, ending: &mut Ending) {
        self.plain(ending, Ending::PLAIN);
    }

    fn task(&mut self, task: &mut Task) {
        self.boundaries(&mut task.boundaries);
        self.plain(&mut task.work, Work::Abstract);
    }

    fn event(&mut self, event: &mut Event) {
        if let Event::Catch(trigger) | Event::Throw(trigger) = event {
            self.trigger(trigger);
        }
    }

    fn choice(&mut self, choice: &mut Choice) {
        self.plain(&mut choice.form, Form::Bare);
        self.plain(&mut choice.index, 0);
    }

    fn triples(&mut self, triples: &mut Vec<Triple>) {
        self.list(triples, 1);
        for triple in triples {
            self.plain(&mut triple.guard, None);
            self.plain(&mut triple.required, 0);
            self.plain(&mut triple.count, 0);
        }
    }

    /// Collapses the block to nothing, then to something in it, then makes it smaller inside.
    fn block(&mut self, block: &mut Block) {
        let empty = matches!(block, Block::Sequence(blocks) if blocks.is_empty());
        if self.has_cut() || empty {
            return;
        }
        if self.here() {
            *block = Block::Sequence(Vec::new());
            return;
        }
        if let Some(inner) = self.collapsed(block) {
            *block = inner;
            return;
        }
        self.inside(block);
    }

    /// Something in a block that can stand in its place.
    fn collapsed(&mut self, block: &mut Block) -> Option<Block> {
        let candidates: Vec<&mut Block> = match block {
            Block::Sequence(blocks) if blocks.len() == 1 => blocks.iter_mut().collect(),
            Block::Sequence(_) | Block::Task(_) | Block::Event(_) => Vec::new(),
            Block::Fork(fork) => fork.branches.iter_mut().collect(),
            Block::Race(race) => race.arms.iter_mut().map(|(_, block)| block).collect(),
            Block::Scope(scope) => match &mut scope.body {
                Body::Block(block) => vec![block],
                Body::Graph(_) => Vec::new(),
            },
            Block::Surplus(_, rest) => vec![rest],
            Block::Loop(repeat) => vec![&mut repeat.body],
        };
        let chosen = candidates.into_iter().find(|_| self.here())?;
        Some(std::mem::replace(chosen, Block::Sequence(Vec::new())))
    }

    fn inside(&mut self, block: &mut Block) {
        match block {
            Block::Sequence(blocks) => {
                self.list(blocks, 0);
                for block in blocks {
                    self.block(block);
                }
            }
            Block::Task(task) => self.task(task),
            Block::Event(event) => self.event(event),
            Block::Fork(fork) => {
                self.list(&mut fork.branches, 2);
                for block in &mut fork.branches {
                    self.block(block);
                }
                match fork.split {
                    Split::ImplicitAll => self.plain(&mut fork.split, Split::Parallel),
                    Split::ImplicitSome | Split::Complex => self.plain(&mut fork.split, Split::Inclusive),
                    Split::Parallel => self.plain(&mut fork.join, Join::Parallel),
                    Split::Exclusive => self.plain(&mut fork.join, Join::Exclusive),
                    Split::Inclusive => {}
                }
                self.choice(&mut fork.choice);
                self.triples(&mut fork.triples);
            }
            Block::Race(race) => self.race(race),
            Block::Scope(scope) => self.scope(scope),
            Block::Surplus(feeders, rest) => {
                self.list(feeders, 2);
                for block in feeders {
                    self.block(block);
                }
                self.block(rest);
            }
            Block::Loop(repeat) => {
                self.block(&mut repeat.body);
                self.plain(&mut repeat.ahead, false);
            }
        }
    }

    fn race(&mut self, race: &mut Race) {
        self.list(&mut race.arms, 2);
        for (trigger, block) in &mut race.arms {
            self.block(block);
            self.trigger(trigger);
        }
        self.plain(&mut race.join, Join::Exclusive);
    }

    fn graph(&mut self, graph: &mut Graph) {
        if graph.vertices.len() > 3 {
            let middle = graph.vertices.len() / 2;
            for half in [middle..graph.vertices.len(), 0..middle] {
                if self.here() {
                    half.rev().for_each(|vertex| remove(graph, vertex, false));
                    return;
                }
            }
        }
        for vertex in (0..graph.vertices.len()).rev() {
            for joined in [true, false] {
                if self.here() {
                    remove(graph, vertex, joined);
                    return;
                }
            }
        }
        self.list(&mut graph.edges, 0);
        for edge in &mut graph.edges {
            self.plain(&mut edge.link, false);
            self.trigger(&mut edge.arm);
        }
        for vertex in &mut graph.vertices {
            self.vertex(vertex);
        }
    }

    fn vertex(&mut self, vertex: &mut Vertex) {
        let plain = VertexKind::Task(Task {
            work: Work::Abstract,
            boundaries: Vec::new(),
        });
        self.plain(&mut vertex.kind, plain);
        match &mut vertex.kind {
            VertexKind::Task(task) => self.task(task),
            VertexKind::Event(event) => self.event(event),
            VertexKind::Scope(scope) => self.scope(scope),
            VertexKind::Complex(triples) => self.triples(triples),
            VertexKind::Gate(receive) => self.plain(receive, false),
            VertexKind::Exclusive | VertexKind::Parallel | VertexKind::Inclusive => {}
        }
        self.choice(&mut vertex.choice);
        self.ending(&mut vertex.ending);
    }
}

/// Takes a vertex out; if `joined`, what led to it leads to what it led to first.
fn remove(graph: &mut Graph, vertex: usize, joined: bool) {
    let gone = vertex as u32;
    let next = graph
        .edges
        .iter()
        .find(|edge| edge.from == gone && edge.to != gone)
        .map(|edge| edge.to);
    let next = next.filter(|_| joined);
    let moved = |index: u32| index - u32::from(index > gone);
    graph.edges.retain_mut(|edge| {
        if edge.to == gone && edge.from != gone {
            match next {
                // A forward edge stays one.
                Some(next) if next > edge.from || gone < edge.from => edge.to = next,
                _ => return false,
            }
        }
        let kept = edge.from != gone && edge.to != gone;
        (edge.from, edge.to) = (moved(edge.from), moved(edge.to));
        kept
    });
    graph.vertices.remove(vertex);
    for vertex in &mut graph.vertices {
        let boundaries = match &mut vertex.kind {
            VertexKind::Task(task) => &mut task.boundaries,
            VertexKind::Scope(scope) => &mut scope.boundaries,
            _ => continue,
        };
        for boundary in boundaries {
            match &mut boundary.way {
                Way::To(to) if *to == gone => {
                    boundary.way = Way::Block(Block::Sequence(Vec::new()), Ending::PLAIN);
                }
                Way::To(to) => *to = moved(*to),
                Way::Block(..) => {}
            }
        }
    }
}
