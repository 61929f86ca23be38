//! Diagrams: where everything is drawn.

use crate::model::{Diagram, DiagramEdge, DiagramShape};

use super::super::attribute::is_space;
use super::super::namespace::Space;
use super::super::problems::quote;
use super::super::tree::Element;
use super::context::Context;

/// A diagram with what is on its plane.
pub(super) fn diagram(context: &mut Context<'_>, el: &Element<'_>) -> Diagram {
    let mut diagram = Diagram {
        id: el.id(),
        ..Diagram::default()
    };
    for plane in el.children().filter(|child| is(child, Space::BpmnDi, "BPMNPlane")) {
        diagram.plane = diagram.plane.or_else(|| plane.reference("bpmnElement"));
        for child in plane.children() {
            if is(&child, Space::BpmnDi, "BPMNShape") {
                diagram.shapes.push(shape(context, &child));
            } else if is(&child, Space::BpmnDi, "BPMNEdge") {
                diagram.edges.push(edge(context, &child));
            }
        }
    }
    diagram
}

fn is(el: &Element<'_>, space: Space, local: &str) -> bool {
    el.space() == space && el.local == local
}

fn shape(context: &mut Context<'_>, el: &Element<'_>) -> DiagramShape {
    let found = bounds(context, el);
    if found.is_none() {
        context.wrong(el, "a shape has no bounds", "Draw it again.");
    }
    DiagramShape {
        id: el.id(),
        element: context.required(el, "bpmnElement"),
        bounds: found.unwrap_or_default(),
        label: label(context, el),
        horizontal: context.optional_bool(el, "isHorizontal"),
        expanded: context.optional_bool(el, "isExpanded"),
        marker: context.optional_bool(el, "isMarkerVisible"),
    }
}

fn edge(context: &mut Context<'_>, el: &Element<'_>) -> DiagramEdge {
    let points = el.children().filter(|child| is(child, Space::Di, "waypoint"));
    DiagramEdge {
        id: el.id(),
        element: context.required(el, "bpmnElement"),
        waypoints: points.map(|point| numbers(context, &point, ["x", "y"])).collect(),
        label: label(context, el),
    }
}

fn label(context: &mut Context<'_>, el: &Element<'_>) -> Option<[f64; 4]> {
    let label = el.children().find(|child| is(child, Space::BpmnDi, "BPMNLabel"))?;
    bounds(context, &label)
}

fn bounds(context: &mut Context<'_>, el: &Element<'_>) -> Option<[f64; 4]> {
    let bounds = el.children().find(|child| is(child, Space::Dc, "Bounds"))?;
    Some(numbers(context, &bounds, ["x", "y", "width", "height"]))
}

/// The numbers in these attributes; 0 where there is none.
fn numbers<const N: usize>(context: &mut Context<'_>, el: &Element<'_>, names: [&str; N]) -> [f64; N] {
    names.map(|name| {
        let value = el.attribute(name).unwrap_or_default();
        let number = value.trim_matches(is_space).parse().ok();
        number.filter(|number: &f64| number.is_finite()).unwrap_or_else(|| {
            let message = format!("`{name}` is {}, which is not a number", quote(&value));
            context.wrong(el, message, "Draw it again.");
            0.0
        })
    })
}
