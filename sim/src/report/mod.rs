//! Results for people.

pub(crate) mod campaign;
pub(crate) mod human;
pub(crate) mod problems;
