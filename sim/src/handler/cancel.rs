//! The signal that tells a handler to stop.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Tells the work of one call to stop. Clones are the same signal.
///
/// ```
/// use trackside_sim::handler::CancelToken;
///
/// let token = CancelToken::default();
/// let other = token.clone();
/// let worker = std::thread::spawn(move || other.wait());
/// assert!(!token.is_canceled());
/// token.cancel();
/// worker.join().unwrap();
/// assert!(token.is_canceled());
/// ```
#[derive(Clone, Default)]
pub struct CancelToken {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    canceled: bool,
    /// How often somebody has asked; the contract test counts on it.
    looks: u64,
    /// Cancels itself once somebody has looked.
    cancel_after_look: bool,
    callbacks: Vec<Box<dyn FnOnce() + Send>>,
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CancelToken")
            .field("canceled", &self.state().canceled)
            .finish()
    }
}

impl CancelToken {
    /// A signal that goes off right after it has been looked at for the first time.
    pub(super) fn after_first_look() -> Self {
        let token = Self::default();
        token.state().cancel_after_look = true;
        token
    }

    /// Whether the work is to stop.
    pub fn is_canceled(&self) -> bool {
        let canceled = self.look().canceled;
        self.cancel_if_looked_at();
        canceled
    }

    /// Waits until the work is to stop.
    pub fn wait(&self) {
        drop(self.look());
        self.cancel_if_looked_at();
        let mut state = self.state();
        while !state.canceled {
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until the work is to stop, but no longer than `timeout`; gives whether it is.
    pub fn wait_for(&self, timeout: Duration) -> bool {
        drop(self.look());
        self.cancel_if_looked_at();
        let waited = self
            .shared
            .changed
            .wait_timeout_while(self.state(), timeout, |state| !state.canceled);
        waited.unwrap_or_else(PoisonError::into_inner).0.canceled
    }

    /// Calls `deed` once the work is to stop: at once, if it is already. For work that waits where it can't look: `deed`
    /// closes the connection, say.
    pub fn on_cancel(&self, deed: impl FnOnce() + Send + 'static) {
        let mut state = self.look();
        if state.canceled {
            drop(state);
            deed();
        } else {
            state.callbacks.push(Box::new(deed));
            drop(state);
            self.cancel_if_looked_at();
        }
    }

    /// Tells the work to stop.
    pub fn cancel(&self) {
        let callbacks = {
            let mut state = self.state();
            state.canceled = true;
            std::mem::take(&mut state.callbacks)
        };
        self.shared.changed.notify_all();
        for callback in callbacks {
            callback();
        }
    }

    /// How often somebody has asked.
    pub(super) fn looks(&self) -> u64 {
        self.state().looks
    }

    fn look(&self) -> MutexGuard<'_, State> {
        let mut state = self.state();
        state.looks += 1;
        state
    }

    fn cancel_if_looked_at(&self) {
        if self.state().cancel_after_look {
            self.cancel();
        }
    }

    /// A callback runs outside of the lock, so that a panic in one leaves the state whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
