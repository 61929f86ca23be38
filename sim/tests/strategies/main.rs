//! What the strategies promise: orders with at least the probability they say, all of them where they enumerate, the same
//! ones under the same seed, and rare ones far sooner than a random walk.

mod bounds;
mod common;
mod every;
mod orders;
mod pending;
mod races;
mod seeds;
mod uniform;
