//! Graphs: vertices and edges without any structure.

use trackside_engine::model::Gateway;

use super::super::plan::{Boundary, Choice, Edge, Ending, Graph, Vertex, VertexKind, Way};
use super::event::unique;
use super::fork::complex;
use super::node::{Name, Port, mark};
use super::{Around, Builder};

/// How many flows lead into and out of a vertex.
#[derive(Clone, Copy, Default)]
struct Degree {
    out: u32,
    /// How many flows out of it have been written.
    written: u32,
    /// Whether a flow comes from an earlier vertex.
    entered: bool,
}

/// A graph that is being written.
struct Writing<'p> {
    graph: &'p Graph,
    names: Vec<Name>,
    degrees: Vec<Degree>,
    /// Complex gateways by vertex, with the flows into them.
    into: Vec<(u32, u32)>,
}

impl Builder {
    /// Draws a graph behind `from`: it leads to every vertex that no earlier one leads to.
    pub(super) fn graph(&mut self, around: Around, graph: &Graph, from: Port) {
        // What a graph starts may lead to anything.
        let around = Around {
            quiet: true,
            root: false,
            ..around
        };
        let mut writing = Writing {
            graph,
            names: Vec::with_capacity(graph.vertices.len()),
            degrees: degrees(graph),
            into: Vec::new(),
        };
        if graph.vertices.is_empty() {
            return self.end(around, Ending::PLAIN, from);
        }
        for (vertex, degree) in graph.vertices.iter().zip(writing.degrees.clone()) {
            let name = self.vertex(around, vertex, degree);
            writing.names.push(name);
        }
        self.entries(around, &mut writing, from);
        for edge in &graph.edges {
            self.edge(around, &mut writing, edge);
        }
        for (index, vertex) in graph.vertices.iter().enumerate() {
            if writing.degrees[index].out == 0 {
                self.end(around, vertex.ending, writing.names[index].into());
            }
            self.watchers(around, &mut writing, index);
        }
        self.activations(around, &writing);
    }

    fn vertex(&mut self, around: Around, vertex: &Vertex, degree: Degree) -> Name {
        match &vertex.kind {
            VertexKind::Task(task) => self.work(around, task.work),
            VertexKind::Event(event) => self.event_alone(around, *event),
            VertexKind::Scope(scope) => {
                let kind = trackside_engine::model::SubProcessKind::Embedded;
                let (name, body) = self.sub_process(around, kind);
                self.inside(around, scope, body);
                name
            }
            VertexKind::Parallel => self.gateway(around, "and", Gateway::Parallel),
            VertexKind::Inclusive => self.gateway(around, "or", Gateway::Inclusive),
            VertexKind::Complex(_) => self.gateway(around, "complex", complex()),
            VertexKind::Gate(_) if degree.out > 1 => {
                let kind = Gateway::EventBased {
                    instantiate: false,
                    parallel: false,
                };
                self.gateway(around, "gate", kind)
            }
            // A race needs two (EVG-5).
            VertexKind::Gate(_) | VertexKind::Exclusive => self.gateway(around, "xor", Gateway::Exclusive),
        }
    }

    fn entries(&mut self, around: Around, writing: &mut Writing<'_>, from: Port) {
        let entries: Vec<u32> = (0..)
            .zip(&writing.degrees)
            .filter(|(_, d)| !d.entered)
            .map(|(v, _)| v)
            .collect();
        let mut from = from;
        if from.mark == super::node::Mark::Nothing && entries.len() > 1 {
            // An exclusive merge of several starts would choose one of them, a fork beside would not.
            let task = self.task(around);
            self.flow(around, from, task);
            from = task.into();
        }
        for entry in entries {
            self.into(around, writing, from, entry);
        }
    }

    /// A flow to a vertex, which remembers it where it counts.
    fn into(&mut self, around: Around, writing: &mut Writing<'_>, from: Port, to: u32) {
        let flow = self.flow(around, from, writing.names[to as usize]);
        if let VertexKind::Complex(_) = writing.graph.vertices[to as usize].kind {
            writing.into.push((to, flow));
        }
    }

    fn edge(&mut self, around: Around, writing: &mut Writing<'_>, edge: &Edge) {
        let source = edge.from as usize;
        let Degree { out, written, .. } = writing.degrees[source];
        writing.degrees[source].written += 1;
        let vertex = &writing.graph.vertices[source];
        let mut port = Port {
            from: writing.names[source],
            mark: mark(choice(vertex, out), written as usize),
        };
        if let VertexKind::Gate(receive) = vertex.kind
            && out > 1
        {
            port = self.arm(around, edge.arm, receive, port);
        }
        if edge.link {
            port = self.link(around, port).into();
        }
        self.into(around, writing, port, edge.to);
    }

    /// The boundary events of a vertex.
    fn watchers(&mut self, around: Around, writing: &mut Writing<'_>, index: usize) {
        let mut handled = 0;
        for Boundary { watch, way } in boundaries(&writing.graph.vertices[index]) {
            let Some(watch) = unique(around, &mut handled, *watch) else {
                continue;
            };
            let event = self.boundary(around, writing.names[index], watch);
            match way {
                Way::To(to) => self.into(around, writing, event.into(), *to),
                Way::Block(block, ending) => {
                    let last = self.block(around, block, event.into());
                    self.end(around, *ending, last);
                }
            }
        }
    }

    fn activations(&mut self, around: Around, writing: &Writing<'_>) {
        for (index, vertex) in (0..).zip(&writing.graph.vertices) {
            if let VertexKind::Complex(triples) = &vertex.kind {
                let name = writing.names[index as usize];
                let of_this = |&&(to, _): &&(u32, u32)| to == index;
                let incoming: Vec<u32> = writing.into.iter().filter(of_this).map(|&(_, flow)| flow).collect();
                if incoming.len() > 1 {
                    self.activate(around, name, triples, &incoming, false);
                }
            }
        }
    }
}

fn boundaries(vertex: &Vertex) -> &[Boundary] {
    match &vertex.kind {
        VertexKind::Task(task) => &task.boundaries,
        VertexKind::Scope(scope) => &scope.boundaries,
        _ => &[],
    }
}

/// Conditions stand where they mean something: not behind parallel and event-based gateways, and defaults only on
/// gateways and activities.
fn choice(vertex: &Vertex, out: u32) -> Choice {
    match vertex.kind {
        VertexKind::Parallel | VertexKind::Event(_) => Choice::BARE,
        VertexKind::Gate(_) if out > 1 => Choice::BARE,
        _ if out < 2 => Choice::BARE,
        _ => vertex.choice,
    }
}

fn degrees(graph: &Graph) -> Vec<Degree> {
    let mut degrees = vec![Degree::default(); graph.vertices.len()];
    let mut enter = |from: u32, to: u32| {
        if from < to {
            degrees[to as usize].entered = true;
        }
    };
    for edge in &graph.edges {
        enter(edge.from, edge.to);
    }
    for (from, vertex) in (0..).zip(&graph.vertices) {
        for boundary in boundaries(vertex) {
            if let Way::To(to) = boundary.way {
                enter(from, to);
            }
        }
    }
    for edge in &graph.edges {
        degrees[edge.from as usize].out += 1;
    }
    degrees
}
