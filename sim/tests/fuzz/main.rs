//! Campaigns: clean on this engine, the same however they are worked off, resumed after they were killed, and as the
//! command shows them.

#[path = "../common/mod.rs"]
mod common;

mod campaign;
mod command;
mod planted;
mod resume;
