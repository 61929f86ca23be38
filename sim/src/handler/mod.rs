//! A driver for real handlers (DRV-1): the same engine, without the simulator's choices.
//!
//! A [`Handler`] does the work of a task. The [`Driver`] runs each on a thread of its own, applies what they answer as
//! they come, and lets the instance run on in the default order in between.
//!
//! # The duty to heed
//!
//! Work can be interrupted: a boundary event fires, the instance is canceled or faults. The engine then goes on *at once*
//! and will discard whatever the handler answers later (BND-4); nothing can take back what the handler has already
//! done. Its [`Call`] holds a [`CancelToken`]: a handler must look at it wherever it may take long, and return soon after
//! it is told to stop. The driver waits for those that it has told to stop before it returns, so that a deaf handler
//! holds up its end. [`contract::heeds_cancellation`] is a test of that duty, for handlers of your own.
//!
//! ```
//! use serde_json::json;
//! use trackside_engine::instance::End;
//! use trackside_engine::model::notation;
//! use trackside_sim::handler::{Call, Driver, Reply};
//!
//! let model = notation::parse("s > service Price > X -[price > 100]> Approve* > e; X -[default]> e").unwrap();
//! let finished = Driver::of(&model)
//!     .on("Price", |call: &Call| {
//!         if call.is_canceled() {
//!             return Reply::Failed("told to stop".to_owned());
//!         }
//!         Reply::with([("price", json!(120))])
//!     })
//!     .run(Default::default())
//!     .unwrap();
//! assert_eq!(finished.end(), Some(&End::Completed));
//! assert_eq!(finished.data()["price"], 120);
//! ```

mod cancel;
pub mod contract;
mod driver;
mod inputs;
mod turn;
mod work;

use std::sync::Arc;

use serde_json::Value;
use trackside_engine::expr::Data;
use trackside_engine::{InstanceId, TrackId};

pub use cancel::CancelToken;
pub use driver::{Driver, DriverError, Finished, Stop, TRANSITIONS_BETWEEN_MAX};
pub use inputs::Inputs;

/// Does the work of a task. Any function of a [`Call`] that threads may share is one.
pub trait Handler: Send + Sync + 'static {
    /// Does the work, or stops doing it once `call` says so.
    fn handle(&self, call: &Call) -> Reply;
}

impl<F: Fn(&Call) -> Reply + Send + Sync + 'static> Handler for F {
    fn handle(&self, call: &Call) -> Reply {
        self(call)
    }
}

/// One piece of work to be done.
#[derive(Clone, Debug)]
pub struct Call {
    /// The id of the task.
    pub element: String,
    /// The name of the task.
    pub name: Option<String>,
    /// The instance.
    pub instance: InstanceId,
    /// The track that waits for it.
    pub track: TrackId,
    /// Process data as they were when it began.
    pub data: Data,
    pub(super) cancel: CancelToken,
}

impl Call {
    /// Whether the work is to stop. Its answer no longer counts then.
    pub fn is_canceled(&self) -> bool {
        self.cancel.is_canceled()
    }

    /// The signal itself, to wait for it or to hand it on.
    pub fn cancel(&self) -> &CancelToken {
        &self.cancel
    }
}

/// How work has ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Well, writing these process data.
    Done(Data),
    /// With a BPMN error of this code (ERR-1).
    Error(String),
    /// With a technical failure (ERR-3).
    Failed(String),
}

impl Reply {
    /// Well, writing nothing.
    pub fn done() -> Self {
        Self::Done(Data::default())
    }

    /// Well, writing these.
    pub fn with<'n>(values: impl IntoIterator<Item = (&'n str, Value)>) -> Self {
        let values = values.into_iter().map(|(name, value)| (name.to_owned(), value));
        Self::Done(Arc::new(values.collect()))
    }
}
