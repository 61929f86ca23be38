//! The reference semantics against the engine, and against engines that are said to have done something else.

mod doctored;
mod drive;
mod graphs;
mod invariants;
mod models;
mod random;
mod stranger;
mod table;
