//! Graphs from random numbers: vertices in a row, each with an edge from an earlier one, and more edges anywhere.

use super::super::plan::{Cause, Choice, Edge, Ending, Form, Graph, Task, Trigger, Vertex, VertexKind, Way};
use super::{DEPTH_MAX, EVENTS, Grow, Kind};

const VERTICES: [Kind; 9] = [
    Kind::Catch,
    Kind::Throw,
    Kind::Boundary,
    Kind::Parallel,
    Kind::Exclusive,
    Kind::Inclusive,
    Kind::Complex,
    Kind::EventBased,
    Kind::SubProcess,
];
/// The weight of a plain task among these.
const TASK: u32 = 12;
/// How far back the one edge that every vertex has comes from.
const REACH: u32 = 4;

impl Grow {
    /// A graph of about `share` nodes.
    pub(super) fn graph(&mut self, share: u32, depth: u32) -> Graph {
        let mut graph = Graph::default();
        let until = self.spent + share.max(1);
        while self.spent < until {
            let vertex = self.vertex((until - self.spent) / 2, depth);
            graph.vertices.push(vertex);
            // Ends, arms and links stand beside about every second one.
            self.spent += graph.vertices.len() as u32 % 2;
        }
        let count = graph.vertices.len() as u32;
        graph.edges.reserve(count as usize * 3 / 2);
        for to in 1..count {
            let from = to - 1 - self.draw.below(to.min(REACH));
            let edge = self.edge(from, to);
            graph.edges.push(edge);
        }
        for _ in 0..count / 2 {
            self.more(&mut graph, count);
        }
        if self.swarm.has(Kind::Loop) && graph.edges.iter().all(|edge| edge.from < edge.to) {
            let from = self.draw.below(count);
            let to = self.draw.below(from + 1);
            let edge = self.edge(from, to);
            graph.edges.push(edge);
        }
        self.lead(&mut graph);
        graph
    }

    fn vertex(&mut self, share: u32, depth: u32) -> Vertex {
        let kind = self.swarm.pick(&mut self.draw, &VERTICES, TASK);
        let kind = match kind {
            Some(Kind::SubProcess) if share > 2 && depth < DEPTH_MAX => {
                self.spent += 2;
                let mut scope = self.scope(share - 2, depth + 1);
                self.catcher(&mut scope);
                VertexKind::Scope(Box::new(scope))
            }
            Some(kind @ (Kind::Catch | Kind::Throw)) => match self.event(kind) {
                Some(event) => VertexKind::Event(event),
                None => self.plain(),
            },
            Some(Kind::Boundary) => VertexKind::Task(Task {
                work: self.work(),
                boundaries: self.boundary_events(share, depth),
            }),
            Some(Kind::Parallel) => self.gateway(VertexKind::Parallel),
            Some(Kind::Exclusive) => self.gateway(VertexKind::Exclusive),
            Some(Kind::Inclusive) => self.gateway(VertexKind::Inclusive),
            Some(Kind::Complex) => {
                let triples = self.triples();
                self.gateway(VertexKind::Complex(triples))
            }
            Some(Kind::EventBased) if EVENTS.iter().any(|&kind| self.swarm.has(kind)) => {
                let receive = self.draw.once_in(2);
                self.gateway(VertexKind::Gate(receive))
            }
            _ => self.plain(),
        };
        Vertex {
            kind,
            choice: self.loose_choice(),
            ending: self.loose_ending(),
        }
    }

    fn plain(&mut self) -> VertexKind {
        VertexKind::Task(Task {
            work: self.work(),
            boundaries: Vec::new(),
        })
    }

    fn gateway(&mut self, kind: VertexKind) -> VertexKind {
        self.spent += 1;
        kind
    }

    /// Conditions that may leave no way out.
    fn loose_choice(&mut self) -> Choice {
        let mut choice = self.choice();
        if choice.form == Form::Bare {
            choice.form = match choice.index % 4 {
                0 => Form::Open,
                1 => Form::Mixed,
                _ => Form::Bare,
            };
        }
        choice
    }

    /// An end of any kind; only some are used.
    fn loose_ending(&mut self) -> Ending {
        if self.draw.once_in(4) {
            return self.raising();
        }
        if self.likes(Kind::ImplicitEnd) {
            return Ending::Open;
        }
        Ending::PLAIN
    }

    fn edge(&mut self, from: u32, to: u32) -> Edge {
        let none = Trigger {
            kind: Cause::Timer,
            index: 0,
        };
        Edge {
            from,
            to,
            link: self.swarm.has(Kind::Link) && self.draw.once_in(8) && self.likes(Kind::Link),
            arm: self.trigger(&EVENTS).unwrap_or(none),
        }
    }

    /// One more edge, forward or, where that is allowed, back, if its ends can have several.
    fn more(&mut self, graph: &mut Graph, count: u32) {
        let back = self.swarm.has(Kind::Loop) && self.draw.once_in(4);
        let one = self.draw.below(count);
        let other = (one + self.draw.below(2 * REACH)).min(count - 1);
        let (from, to) = if back { (other, one) } else { (one, other) };
        if from == to && !back {
            return;
        }
        let is_gateway = |vertex: u32| {
            !matches!(
                graph.vertices[vertex as usize].kind,
                VertexKind::Task(_) | VertexKind::Event(_) | VertexKind::Scope(_)
            )
        };
        let split = is_gateway(from) || self.likes(Kind::ImplicitSplit);
        let merge = is_gateway(to) || self.likes(Kind::ImplicitMerge);
        if split && merge {
            let edge = self.edge(from, to);
            graph.edges.push(edge);
        }
    }

    /// Some boundary events lead into the graph instead of along a way of their own.
    fn lead(&mut self, graph: &mut Graph) {
        let count = graph.vertices.len() as u32;
        for (index, vertex) in (0..).zip(&mut graph.vertices) {
            let boundaries = match &mut vertex.kind {
                VertexKind::Task(task) => &mut task.boundaries,
                VertexKind::Scope(scope) => &mut scope.boundaries,
                _ => continue,
            };
            for boundary in boundaries {
                let later = index + 1 + self.draw.below(REACH);
                if later < count && self.draw.once_in(2) {
                    boundary.way = Way::To(later);
                }
            }
        }
    }
}
