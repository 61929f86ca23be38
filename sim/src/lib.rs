//! Drives a BPMN engine deterministically, and judges what it does.
//!
//! The engine ([`trackside_engine`]) says which actions are enabled and applies one of them. Everything here decides
//! *which*: [`schedule`] holds the strategies, [`run`] one simulated execution with its result, [`token`] the text that
//! plays a run again, [`trace`] the records as programs and people read them, [`source`] the model files. [`generate`]
//! makes random models, and [`layout`] draws what has no diagram. [`oracle`] judges what an engine does, [`shrink`] makes
//! what it finds small, and [`campaign`] does all of that many times over. [`handler`] is a driver of another kind: it runs
//! real Rust handlers, without the simulator's choices. [`cli`] is the `trackside` command.

pub mod campaign;
pub mod cli;
#[cfg(feature = "planted-faults")]
pub mod fault;
pub mod generate;
pub mod handler;
pub mod hash;
pub mod layout;
pub mod oracle;
pub mod property;
mod report;
pub mod run;
pub mod schedule;
pub mod shrink;
pub mod source;
pub mod token;
pub mod trace;
