//! Automatic layout: where the elements of a model are drawn that has no diagram, or none that is wanted.
//!
//! Each scope is drawn by itself, inner ones first: its nodes stand in layers from left to right, as the flows lead, and
//! a sub-process is a box around what is in it. Boundary events sit on the lower edge of their host. Flows leave to the
//! right, enter from the left, and bend at right angles; those that pass layers have a lane of their own there, so that
//! they don't run through nodes. Processes stand below each other, in their pools where there are any.
//!
//! The same model always gives the same diagram. Time grows about linearly with the size of the diagram.
//!
//! Lanes, artifacts and data are not drawn.

mod absolute;
mod layers;
mod lines;
mod order;
mod place;
mod scope;

use trackside_engine::model::{Definitions, Diagram};

/// An upper left corner, or any other point.
type Point = [f64; 2];

/// A count as a length. Nothing has more than 2^32 parts.
fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Gives a model a diagram in place of those it has.
///
/// ```
/// use trackside_engine::model::notation;
/// use trackside_sim::layout::lay_out;
///
/// let mut model = notation::parse("s > A > e").unwrap();
/// lay_out(&mut model);
/// assert_eq!(model.diagrams[0].shapes.len(), 3);
/// assert_eq!(model.diagrams[0].edges.len(), 2);
/// ```
pub fn lay_out(definitions: &mut Definitions) {
    definitions.diagrams = vec![diagram(definitions)];
}

/// The diagram that [`lay_out`] gives.
pub fn diagram(definitions: &Definitions) -> Diagram {
    absolute::diagram(definitions, &scope::all(definitions))
}
