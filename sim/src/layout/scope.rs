//! One scope: its nodes and the lines between them, from its own upper left corner.

use std::collections::BTreeMap;

use trackside_engine::model::{Definitions, FlowNode, NodeKind, Scope, Trigger};

use super::Point;
use super::layers::Graph;
use super::lines::{self, Box, Line};
use super::place::Placed;

/// Between a sub-process and what is in it.
pub(super) const PADDING: f64 = 40.0;
/// Between nodes that nothing leads to or from.
const SPACE: f64 = 40.0;
/// How wide a row of them is at least.
const ROW_MIN: f64 = 800.0;

const EVENT: f64 = 36.0;
const GATEWAY: f64 = 50.0;
const TASK: Point = [100.0, 80.0];
/// What a boundary event takes of the edge of its host, at least.
const WATCHER: f64 = 45.0;
/// What boundary events and the lines from them take below their host.
const BELOW: f64 = 42.0;

/// A scope that has been drawn.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// Corner and size of each node.
    pub(super) boxes: Vec<Box>,
    /// The body that is drawn inside each node.
    pub(super) inside: Vec<Option<usize>>,
    /// The points of each flow; none for one that leads from or to nowhere.
    pub(super) lines: Vec<Line>,
    pub(super) size: Point,
}

/// All scopes of a model.
pub(super) fn all(definitions: &Definitions) -> Vec<Drawn> {
    let mut drawn: Vec<Drawn> = definitions.scopes.iter().map(|_| Drawn::default()).collect();
    for (scope, inside) in bodies(definitions).into_iter().rev() {
        let sizes: Vec<Option<Point>> = inside.iter().map(|body| body.map(|body| drawn[body].size)).collect();
        drawn[scope] = Drawn {
            inside,
            ..draw(&definitions.scopes[scope], &sizes)
        };
    }
    drawn
}

/// Every scope with the bodies in it, outer ones first. A body is drawn once, whatever refers to it.
fn bodies(definitions: &Definitions) -> Vec<(usize, Vec<Option<usize>>)> {
    let mut seen = vec![false; definitions.scopes.len()];
    let mut claim = |body: usize| seen.get_mut(body).is_some_and(|seen| !std::mem::replace(seen, true));
    let roots = definitions.processes.iter().map(|process| process.body.0 as usize);
    let mut pending: Vec<usize> = roots.filter(|&root| claim(root)).collect();
    let mut found = Vec::new();
    while let Some(scope) = pending.pop() {
        let body = |node: &FlowNode| match node.kind {
            NodeKind::SubProcess { body, .. } => Some(body.0 as usize).filter(|&body| claim(body)),
            _ => None,
        };
        let inside: Vec<_> = definitions.scopes[scope].nodes.iter().map(body).collect();
        pending.extend(inside.iter().flatten());
        found.push((scope, inside));
    }
    found
}

fn draw(scope: &Scope, inside: &[Option<Point>]) -> Drawn {
    let connections = Connections::of(scope);
    let sizes: Vec<Point> = (0..scope.nodes.len())
        .map(|node| connections.size(node, inside[node]))
        .collect();
    let graph = connections.graph(&sizes);
    let placed = Placed::of(&graph);
    let mut boxes = vec![Box::default(); scope.nodes.len()];
    for (vertex, &node) in connections.vertices.iter().enumerate() {
        boxes[node] = Box::new(placed.corners[vertex], sizes[node]);
    }
    let size = connections.alone(&sizes, &mut boxes, placed.size);
    for (host, watchers) in connections.watchers.iter().enumerate() {
        let step = boxes[host].size[0] / (super::number(watchers.len()) + 1.0);
        for (at, &watcher) in (1_u32..).zip(watchers) {
            let centre = boxes[host].corner[0] + (step * f64::from(at)).round();
            boxes[watcher] = Box::new(
                [centre - EVENT / 2.0, boxes[host].bottom() - EVENT / 2.0],
                sizes[watcher],
            );
        }
    }
    let lines = connections.flows.iter().map(|flow| match *flow {
        Some((source, target, edge)) => {
            let [from, to] = [connections.anchor(source), target];
            let column = |node: usize| connections.vertex[node].map_or(boxes[node].sides(), |v| placed.column(v));
            lines::line(&lines::Course {
                watcher: (from != source).then(|| boxes[source]),
                ends: [boxes[from], boxes[to]],
                columns: [column(from), column(to)],
                lanes: edge.map_or(&[], |edge| &placed.lanes[edge]),
            })
        }
        None => Vec::new(),
    });
    Drawn {
        lines: lines.collect(),
        boxes,
        inside: Vec::new(),
        size,
    }
}

/// How the nodes of a scope belong together.
struct Connections<'m> {
    scope: &'m Scope,
    /// The host of each boundary event that has one.
    host: Vec<Option<usize>>,
    /// The boundary events of each node.
    watchers: Vec<Vec<usize>>,
    /// Source, target and edge of each flow.
    flows: Vec<Option<(usize, usize, Option<usize>)>>,
    /// The nodes that are placed by what they are connected to, and the places of nodes among them.
    vertices: Vec<usize>,
    vertex: Vec<Option<usize>>,
    /// Edges between nodes: flows, and links.
    edges: Vec<[usize; 2]>,
}

impl<'m> Connections<'m> {
    fn of(scope: &'m Scope) -> Self {
        let count = scope.nodes.len();
        let mut by_id: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, node) in scope.nodes.iter().enumerate() {
            by_id.entry(&node.id).or_insert(index);
        }
        let mut found = Self {
            scope,
            host: scope
                .nodes
                .iter()
                .map(|node| host(node).and_then(|id| by_id.get(id).copied()))
                .collect(),
            watchers: vec![Vec::new(); count],
            flows: Vec::new(),
            vertices: Vec::new(),
            vertex: vec![None; count],
            edges: Vec::new(),
        };
        // What is attached to a boundary event, or to itself, is attached to nothing.
        let is_watcher = |node: usize| host(&scope.nodes[node]).is_some();
        found
            .host
            .iter_mut()
            .for_each(|host| *host = host.filter(|&host| !is_watcher(host)));
        for (index, host) in found.host.iter().enumerate() {
            if let Some(host) = *host {
                found.watchers[host].push(index);
            }
        }
        for flow in &scope.flows {
            let ends = by_id.get(&*flow.source).zip(by_id.get(&*flow.target));
            let flow = ends.map(|(&source, &target)| {
                found.edges.push([found.anchor(source), found.anchor(target)]);
                (source, target, Some(found.edges.len() - 1))
            });
            found.flows.push(flow);
        }
        found.links();
        found.number();
        found
    }

    /// Links lead on as flows do.
    fn links(&mut self) {
        let mut catches: BTreeMap<&str, usize> = BTreeMap::new();
        let nodes = || self.scope.nodes.iter().enumerate();
        for (index, node) in nodes().filter(|(_, node)| matches!(node.kind, NodeKind::Catch { .. })) {
            if let Some(name) = link(node) {
                catches.entry(name).or_insert(index);
            }
        }
        let throws = nodes().filter(|(_, node)| matches!(node.kind, NodeKind::Throw { .. }));
        let pairs = throws.filter_map(|(index, node)| Some([index, *catches.get(link(node)?)?]));
        let pairs: Vec<_> = pairs.collect();
        self.edges.extend(pairs);
    }

    fn number(&mut self) {
        let mut connected = vec![false; self.scope.nodes.len()];
        for end in self.edges.iter().flatten() {
            connected[*end] = true;
        }
        for node in (0..connected.len()).filter(|&node| connected[node]) {
            self.vertex[node] = Some(self.vertices.len());
            self.vertices.push(node);
        }
    }

    /// What moves with a node: its host, or itself.
    fn anchor(&self, node: usize) -> usize {
        self.host[node].unwrap_or(node)
    }

    /// How large a node is, with a body of the size `inside` in it.
    fn size(&self, node: usize, inside: Option<Point>) -> Point {
        let [width, height] = match self.scope.nodes[node].kind {
            NodeKind::Task { .. } | NodeKind::Call { .. } => TASK,
            NodeKind::SubProcess { .. } => inside.map_or(TASK, |inside| inside.map(|side| side + 2.0 * PADDING)),
            NodeKind::Gateway { .. } => [GATEWAY; 2],
            _ => [EVENT; 2],
        };
        // They stand at equal distances from each other and from the corners.
        let watched = WATCHER * (super::number(self.watchers[node].len()) + 1.0);
        if self.watchers[node].is_empty() {
            [width, height]
        } else {
            [width.max(watched), height]
        }
    }

    /// The size of a node with its boundary events.
    fn room(&self, node: usize, size: Point) -> Point {
        let below = if self.watchers[node].is_empty() { 0.0 } else { BELOW };
        [size[0], size[1] + below]
    }

    fn graph(&self, sizes: &[Point]) -> Graph {
        // Ends of edges are nodes that are connected.
        let vertex = |node: usize| self.vertex[node].unwrap_or_default();
        Graph {
            sizes: self.vertices.iter().map(|&node| self.room(node, sizes[node])).collect(),
            edges: self.edges.iter().map(|edge| edge.map(vertex)).collect(),
        }
    }

    /// Puts what is connected to nothing in rows below the rest; gives the size of all.
    fn alone(&self, sizes: &[Point], boxes: &mut [Box], [width, height]: Point) -> Point {
        let most = width.max(ROW_MIN);
        let mut size = [width, height];
        let mut next = [0.0, if height > 0.0 { height + SPACE } else { 0.0 }];
        let alone = (0..boxes.len()).filter(|&node| self.vertex[node].is_none() && self.host[node].is_none());
        for node in alone {
            let room = self.room(node, sizes[node]);
            if next[0] > 0.0 && next[0] + room[0] > most {
                next = [0.0, size[1] + SPACE];
            }
            boxes[node] = Box::new(next, sizes[node]);
            size = [size[0].max(next[0] + room[0]), size[1].max(next[1] + room[1])];
            next[0] += room[0] + SPACE;
        }
        size
    }
}

fn host(node: &FlowNode) -> Option<&str> {
    match &node.kind {
        NodeKind::Boundary { attached_to, .. } => attached_to.as_deref(),
        _ => None,
    }
}

fn link(node: &FlowNode) -> Option<&str> {
    match node.kind.events() {
        [event] => match &event.trigger {
            Trigger::Link(name) => name.as_deref(),
            _ => None,
        },
        _ => None,
    }
}
