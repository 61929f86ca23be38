//! Drives a BPMN engine deterministically, and judges what it does.
//!
//! The engine ([`trackside_engine`]) says which actions are enabled and applies one of them. Everything here decides
//! *which*: [`schedule`] holds the strategies, [`run`] one simulated execution with its result, [`token`] the text that
//! plays a run again, [`trace`] the records as programs and people read them, [`source`] the model files. [`generate`]
//! makes random models, and [`layout`] draws what has no diagram. [`oracle`] judges
//! what an engine does. [`handler`] is a driver of another kind: it runs real
//! Rust handlers, without the simulator's choices. [`cli`] is the `trackside` command.

pub mod cli;
pub mod generate;
pub mod handler;
pub mod hash;
pub mod layout;
pub mod oracle;
mod report;
pub mod run;
pub mod schedule;
pub mod source;
pub mod token;
pub mod trace;
