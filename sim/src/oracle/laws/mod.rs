//! Laws that need no reference: the engine is compared with itself, run again, restored, beside others, or searched
//! through. Each stands in its file.
//!
//! These are no strangers to the engine as the rest of the oracle is: they ask it for its canonical value, for copies and
//! for an audit. What they say is that its answers fit together.

mod audit;
pub mod confluence;
mod determinism;
mod outcome;
mod samples;
mod sides;
mod snapshot;
mod structure;

pub use audit::audit;
pub use determinism::{Divergence, Trace, same_trace};
pub use outcome::Outcome;
pub use samples::{Reachable, Search};
pub use sides::{Apart, beside, solo};
pub use snapshot::{continues, restores};
