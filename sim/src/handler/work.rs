//! Handlers at work: a thread each, and the signals to stop them.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;

use trackside_engine::instance::Activation;
use trackside_engine::{InstanceId, NodeId, TrackId};

use super::inputs::Letter;
use super::{Call, CancelToken, Handler, Reply};

/// Names a piece of work.
pub(super) type Place = (InstanceId, Activation);

/// The handlers that have been called and have not answered.
#[derive(Debug, Default)]
pub(super) struct AtWork {
    signals: BTreeMap<Place, CancelToken>,
}

impl AtWork {
    pub(super) fn is_empty(&self) -> bool {
        self.signals.is_empty()
    }

    /// Calls a handler on a thread of its own.
    pub(super) fn call(&mut self, handler: Arc<dyn Handler>, place: Place, call: Call, letters: Sender<Letter>) {
        self.signals.insert(place, call.cancel.clone());
        let unspawned = letters.clone();
        let name = call.element.clone();
        let work = move || {
            let reply = panic::catch_unwind(AssertUnwindSafe(|| handler.handle(&call)));
            let reply = reply.unwrap_or_else(|_| Reply::Failed("the handler panicked".to_owned()));
            // Nobody listens if the driver did not wait for us.
            let _ = letters.send(Letter::Answer(place, reply));
        };
        if let Err(error) = thread::Builder::new().name(name).spawn(work) {
            let _ = unspawned.send(Letter::Answer(
                place,
                Reply::Failed(format!("no thread for it: {error}")),
            ));
        }
    }

    /// Tells the work of a track at a node to stop, if it is at work.
    pub(super) fn stop(&self, instance: InstanceId, track: TrackId, node: NodeId) {
        let first = Activation { track, node, began: 0 };
        let last = Activation {
            track,
            node,
            began: u64::MAX,
        };
        for (_, signal) in self.signals.range((instance, first)..=(instance, last)) {
            signal.cancel();
        }
    }

    /// Tells all work to stop.
    pub(super) fn stop_all(&self) {
        for signal in self.signals.values() {
            signal.cancel();
        }
    }

    /// Work has answered.
    pub(super) fn answered(&mut self, place: Place) {
        self.signals.remove(&place);
    }
}
