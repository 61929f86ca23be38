//! Model families and small helpers that the benches and reports share.
//!
//! Every family is made as a model and written as BPMN XML, so that this engine and its peers read the same file.

// Figures are counts and times far below 2^53.
#![allow(clippy::cast_precision_loss)]

pub mod cautious;
pub mod families;
pub mod fit;
pub mod graphs;
pub mod ground;
pub mod marking;
pub mod measure;
pub mod moves;
pub mod peers;
pub mod waves;
