//! The whole diagram: scopes inside their sub-processes, processes and pools below each other.

use std::collections::BTreeMap;

use trackside_engine::model::{
    Collaboration, Definitions, Diagram, DiagramEdge, DiagramShape, FlowNode, Gateway, NodeKind,
};

use super::Point;
use super::lines::Box;
use super::scope::{Drawn, PADDING};

/// Around everything, and between processes.
const MARGIN: f64 = 80.0;
/// Where the name of a pool stands.
const HEADING: f64 = 30.0;
/// A pool that nothing is known of.
const BLACK_BOX: Point = [600.0, 60.0];

pub(super) fn diagram(definitions: &Definitions, drawn: &[Drawn]) -> Diagram {
    let collaboration = definitions.collaborations.first();
    let mut canvas = Canvas {
        definitions,
        drawn,
        diagram: Diagram::default(),
        boxes: BTreeMap::new(),
        seen: vec![false; drawn.len()],
        bottom: MARGIN,
    };
    let process = definitions.processes.first().map(|process| process.id.clone());
    canvas.diagram.plane = collaboration
        .and_then(|collaboration| collaboration.id.clone())
        .or(process);
    for process in &definitions.processes {
        let pool = collaboration.and_then(|c| {
            c.participants
                .iter()
                .find(|pool| pool.process.as_ref() == Some(&process.id))
        });
        canvas.process(process.body.0 as usize, pool.map(|pool| &*pool.id));
    }
    if let Some(collaboration) = collaboration {
        canvas.black_boxes(collaboration);
        canvas.message_flows(collaboration);
    }
    canvas.diagram
}

struct Canvas<'m> {
    definitions: &'m Definitions,
    drawn: &'m [Drawn],
    diagram: Diagram,
    /// Nodes and pools, by id.
    boxes: BTreeMap<&'m str, Box>,
    /// Scopes that have been drawn.
    seen: Vec<bool>,
    bottom: f64,
}

impl<'m> Canvas<'m> {
    fn process(&mut self, body: usize, pool: Option<&'m str>) {
        let Some(size) = self.drawn.get(body).map(|drawn| drawn.size) else {
            return;
        };
        let mut corner = [MARGIN, self.bottom];
        self.bottom += size[1] + MARGIN;
        if let Some(pool) = pool {
            let outer = Box::new(corner, [size[0] + HEADING + 2.0 * PADDING, size[1] + 2.0 * PADDING]);
            corner = [corner[0] + HEADING + PADDING, corner[1] + PADDING];
            self.bottom += 2.0 * PADDING;
            self.pool(pool, outer);
        }
        self.scopes(body, corner);
    }

    fn pool(&mut self, id: &'m str, outer: Box) {
        let mut shape = shape(id, outer);
        shape.horizontal = Some(true);
        self.diagram.shapes.push(shape);
        self.boxes.insert(id, outer);
    }

    /// A body and everything inside it, outer before inner.
    fn scopes(&mut self, body: usize, corner: Point) {
        let mut pending = vec![(body, corner)];
        while let Some((index, corner)) = pending.pop() {
            if std::mem::replace(&mut self.seen[index], true) {
                continue;
            }
            let (scope, drawn) = (&self.definitions.scopes[index], &self.drawn[index]);
            let moved = |point: Point| [point[0] + corner[0], point[1] + corner[1]];
            for ((node, place), inside) in scope.nodes.iter().zip(&drawn.boxes).zip(&drawn.inside) {
                let place = Box::new(moved(place.corner), place.size);
                self.diagram.shapes.push(node_shape(node, place, inside.is_some()));
                self.boxes.entry(&node.id).or_insert(place);
                pending.extend(inside.map(|body| (body, place.corner.map(|side| side + PADDING))));
            }
            for (flow, line) in scope
                .flows
                .iter()
                .zip(&drawn.lines)
                .filter(|(_, line)| !line.is_empty())
            {
                let line = line.iter().copied().map(moved).collect();
                self.diagram.edges.push(edge(&flow.id, line));
            }
        }
    }

    fn black_boxes(&mut self, collaboration: &'m Collaboration) {
        for pool in &collaboration.participants {
            if !self.boxes.contains_key(&*pool.id) {
                self.pool(&pool.id, Box::new([MARGIN, self.bottom], BLACK_BOX));
                self.bottom += BLACK_BOX[1] + MARGIN;
            }
        }
    }

    /// Straight lines between what faces each other.
    fn message_flows(&mut self, collaboration: &'m Collaboration) {
        for flow in &collaboration.message_flows {
            let ends = self.boxes.get(&*flow.source).zip(self.boxes.get(&*flow.target));
            if let Some((source, target)) = ends {
                let down = source.centre()[1] < target.centre()[1];
                let (top, bottom) = if down { (target, source) } else { (source, target) };
                let upper = [top.centre()[0], top.corner[1]];
                let lower = [bottom.centre()[0], bottom.bottom()];
                let line = if down { vec![lower, upper] } else { vec![upper, lower] };
                self.diagram.edges.push(edge(&flow.id, line));
            }
        }
    }
}

fn node_shape(node: &FlowNode, place: Box, open: bool) -> DiagramShape {
    let mut shape = shape(&node.id, place);
    match &node.kind {
        NodeKind::SubProcess { .. } => shape.expanded = Some(open),
        NodeKind::Gateway {
            gateway: Gateway::Exclusive,
            ..
        } => shape.marker = Some(true),
        _ => {}
    }
    shape
}

fn shape(id: &str, Box { corner, size }: Box) -> DiagramShape {
    DiagramShape {
        id: None,
        element: id.to_owned(),
        bounds: [corner[0], corner[1], size[0], size[1]],
        label: None,
        horizontal: None,
        expanded: None,
        marker: None,
    }
}

fn edge(id: &str, waypoints: Vec<Point>) -> DiagramEdge {
    DiagramEdge {
        id: None,
        element: id.to_owned(),
        waypoints,
        label: None,
    }
}
