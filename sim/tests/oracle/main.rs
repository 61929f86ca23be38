//! The reference semantics against the engine, and against engines that are said to have done something else.

mod doctored;
mod drive;
mod fails;
mod graphs;
mod invariants;
mod laws;
mod models;
mod page;
mod panel;
mod random;
mod stranger;
mod table;
