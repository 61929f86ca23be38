//! A pure BPMN 2.0 execution core.
//!
//! The crate reads a BPMN 2.0 file into a [`model`], judges it ([`validate`]), compiles it into an immutable
//! [`template`], and executes it as a labelled transition system ([`instance`]): a driver asks which actions are
//! enabled, picks one, and applies it. Nothing in here does I/O, reads a clock, starts a thread or draws a random
//! number, so that every ordering is the driver's explicit choice and can be replayed.

pub mod expr;
mod ids;
pub mod instance;
pub mod model;
mod node;
#[cfg(not(feature = "planted-faults"))]
mod planted;
#[cfg(feature = "planted-faults")]
pub mod planted;
pub mod problem;
pub mod reach;
pub mod template;
pub mod time;
pub mod validate;
pub mod world;
pub mod xml;

pub use ids::{FlowId, InstanceId, NodeId, ScopeId, TrackId, WatcherId};
