//! Generated models: every one is valid, blocks always complete, each kind of element comes up, a seed is a model for
//! ever, and what fails shrinks.

mod census;
mod command;
mod driven;
mod expected;
mod layout;
mod shrink;
mod sound;
mod valid;
