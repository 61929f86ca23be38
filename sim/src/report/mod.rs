//! Results for people.

pub(crate) mod human;
pub(crate) mod problems;
