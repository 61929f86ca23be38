//! What the simulator knows of planted faults: who should notice each of them, and what it takes for that.
//!
//! The faults themselves are the engine's ([`trackside_engine::planted`]). A campaign plants one at a time and counts the
//! schedules until a judge objects; what stands here tells it which models and options are worth trying.
//!
//! ```
//! use trackside_sim::fault::{Fault, Knowledge};
//! use trackside_sim::generate::Kind;
//!
//! let knowledge = Knowledge::of(Fault::TwoArmsWin);
//! assert!(knowledge.kinds.contains(&Kind::EventBased));
//! assert!(knowledge.noticed_by.contains(&"V8"));
//! ```

mod knowledge;

pub use knowledge::Knowledge;
pub use trackside_engine::planted::Fault;
