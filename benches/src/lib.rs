//! Model families and small helpers that the benches and reports share.
//!
//! Every family is made as a model and written as BPMN XML, so that this engine and its peers read the same file.

pub mod families;
pub mod graphs;
pub mod marking;
pub mod measure;
pub mod peers;
