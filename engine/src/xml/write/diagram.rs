//! Diagrams.

use crate::model::{Diagram, DiagramEdge, DiagramShape};

use super::out::Out;
use super::reference;

pub(super) fn diagram(out: &mut Out, diagram: &Diagram) {
    out.start("bpmndi:BPMNDiagram").optional("id", diagram.id.as_deref());
    out.start("bpmndi:BPMNPlane")
        .optional("bpmnElement", diagram.plane.as_deref().map(reference).as_deref());
    for shape in &diagram.shapes {
        self::shape(out, shape);
    }
    for edge in &diagram.edges {
        self::edge(out, edge);
    }
    out.end();
    out.end();
}

fn shape(out: &mut Out, shape: &DiagramShape) {
    out.start("bpmndi:BPMNShape")
        .optional("id", shape.id.as_deref())
        .attribute("bpmnElement", &reference(&shape.element))
        .optional_flag("isHorizontal", shape.horizontal)
        .optional_flag("isExpanded", shape.expanded)
        .optional_flag("isMarkerVisible", shape.marker);
    bounds(out, &shape.bounds);
    label(out, shape.label.as_ref());
    out.end();
}

fn edge(out: &mut Out, edge: &DiagramEdge) {
    out.start("bpmndi:BPMNEdge")
        .optional("id", edge.id.as_deref())
        .attribute("bpmnElement", &reference(&edge.element));
    for [x, y] in &edge.waypoints {
        out.start("di:waypoint")
            .attribute("x", &x.to_string())
            .attribute("y", &y.to_string())
            .end();
    }
    label(out, edge.label.as_ref());
    out.end();
}

fn label(out: &mut Out, label: Option<&[f64; 4]>) {
    if let Some(label) = label {
        out.start("bpmndi:BPMNLabel");
        bounds(out, label);
        out.end();
    }
}

fn bounds(out: &mut Out, bounds: &[f64; 4]) {
    out.start("dc:Bounds");
    for (name, number) in ["x", "y", "width", "height"].into_iter().zip(bounds) {
        out.attribute(name, &number.to_string());
    }
    out.end();
}
