//! A test of the duty to heed, for handlers of your own (DRV-1).
//!
//! ```
//! use trackside_sim::handler::{Call, Reply, contract};
//!
//! fn polite(call: &Call) -> Reply {
//!     while !call.is_canceled() {
//!         // … a piece of work …
//!     }
//!     Reply::Failed("told to stop".to_owned())
//! }
//!
//! # fn main() {
//! contract::heeds_cancellation(polite).unwrap();
//! assert!(contract::heeds_cancellation(|_: &Call| Reply::done()).is_err());
//! # }
//! ```

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use trackside_engine::expr::Data;
use trackside_engine::{InstanceId, TrackId};

use super::{Call, CancelToken, Handler};

/// How long a handler has to return once it has been told to stop.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// How a handler neglects its duty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Deaf {
    /// It returned, but never looked at the signal: it would have gone on whatever it said.
    #[error("the handler never looks at its cancellation signal")]
    NeverLooks,
    /// It looked, or not, and did not return.
    #[error("the handler does not return when it is told to stop {0}")]
    DoesNotReturn(Moment),
    /// It panicked.
    #[error("the handler panics when it is told to stop {0}")]
    Panics(Moment),
}

/// When it was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before it began.
    BeforeItBegins,
    /// After it had looked at the signal for the first time.
    WhileItWorks,
}

impl std::fmt::Display for Moment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::BeforeItBegins => "before it begins",
            Self::WhileItWorks => "while it works",
        })
    }
}

/// Whether a handler heeds its cancellation signal: when it is told to stop before it begins, and while it works.
///
/// It is called twice, with no process data, and has [`PATIENCE`] to return each time. What it answers does not matter.
///
/// # Errors
///
/// [`Deaf`], saying what it does instead.
pub fn heeds_cancellation(handler: impl Handler) -> Result<(), Deaf> {
    heeds_cancellation_with(handler, &Data::default(), PATIENCE)
}

/// The same, with process data for the handler to work on, and with a patience of your own.
///
/// # Errors
///
/// [`Deaf`], saying what it does instead.
pub fn heeds_cancellation_with(handler: impl Handler, data: &Data, patience: Duration) -> Result<(), Deaf> {
    let handler: Arc<dyn Handler> = Arc::new(handler);
    let told = CancelToken::default();
    told.cancel();
    call(&handler, &told, data, (patience, Moment::BeforeItBegins))?;
    if told.looks() == 0 {
        return Err(Deaf::NeverLooks);
    }
    let later = CancelToken::after_first_look();
    call(&handler, &later, data, (patience, Moment::WhileItWorks))
}

fn call(
    handler: &Arc<dyn Handler>,
    cancel: &CancelToken,
    data: &Data,
    (patience, moment): (Duration, Moment),
) -> Result<(), Deaf> {
    let call = Call {
        element: "contract".to_owned(),
        name: None,
        instance: InstanceId(0),
        track: TrackId(0),
        data: Data::clone(data),
        cancel: cancel.clone(),
    };
    let (done, is_done) = channel();
    let handler = Arc::clone(handler);
    thread::spawn(move || {
        let reply = handler.handle(&call);
        // The test may have lost its patience by now.
        let _ = done.send(reply);
    });
    match is_done.recv_timeout(patience) {
        Ok(_) => Ok(()),
        Err(RecvTimeoutError::Timeout) => Err(Deaf::DoesNotReturn(moment)),
        Err(RecvTimeoutError::Disconnected) => Err(Deaf::Panics(moment)),
    }
}
