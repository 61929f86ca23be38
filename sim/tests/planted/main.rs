//! Planted faults: each one is found, by the judge that should, and nothing is found without.

mod generated;
mod judge;
mod token;
mod witnesses;
