//! Findings that are made up, as questions to a run, shrink to the few nodes and deviations that they need.

mod findings;
mod trial;
mod users;
mod wishes;
