//! Coverage of campaigns: each group can be hit and missed, small models hit exactly what they are for, and generated
//! models hit nearly all there is.

mod drive;
mod generated;
mod groups;
mod laws;
mod pairs;
