//! What the outside says to a running driver, beside the answers of its handlers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use trackside_engine::expr::Data;

use super::Reply;

/// Something for the loop of a driver.
#[derive(Debug)]
pub(super) enum Letter {
    /// A handler has answered.
    Answer(super::work::Place, Reply),
    /// Somebody else has: for the oldest running work of this element.
    AnswerOf(String, Reply),
    Message(String, Data),
    Signal(String, Data),
    Set(Data),
    Cancel,
    Pass(Duration),
    /// Somebody who could have said something is gone.
    Gone,
}

/// Speaks to a running [`super::Driver`] from any thread. As long as one exists, the driver waits for what it may say.
///
/// Time passes when it is told to: the driver reads no clock, so that its caller decides what time is.
#[derive(Debug)]
pub struct Inputs {
    letters: Sender<Letter>,
    /// How many there are.
    speakers: Arc<AtomicUsize>,
}

impl Clone for Inputs {
    fn clone(&self) -> Self {
        Self::new(self.letters.clone(), Arc::clone(&self.speakers))
    }
}

impl Drop for Inputs {
    fn drop(&mut self) {
        // Counted first: whoever reads the letter finds the right number.
        self.speakers.fetch_sub(1, Ordering::SeqCst);
        self.send(Letter::Gone);
    }
}

impl Inputs {
    pub(super) fn new(letters: Sender<Letter>, speakers: Arc<AtomicUsize>) -> Self {
        speakers.fetch_add(1, Ordering::SeqCst);
        Self { letters, speakers }
    }

    /// A message, by its name or id.
    pub fn message(&self, name: impl Into<String>, data: Data) {
        self.send(Letter::Message(name.into(), data));
    }

    /// A signal, by its name or id.
    pub fn signal(&self, name: impl Into<String>, data: Data) {
        self.send(Letter::Signal(name.into(), data));
    }

    /// The oldest running work of `element` ends: a person has done a user task, say.
    pub fn answer(&self, element: impl Into<String>, reply: Reply) {
        self.send(Letter::AnswerOf(element.into(), reply));
    }

    /// Process data change.
    pub fn set(&self, data: Data) {
        self.send(Letter::Set(data));
    }

    /// The instance is canceled.
    pub fn cancel(&self) {
        self.send(Letter::Cancel);
    }

    /// So much time has passed; due timers fire.
    pub fn pass(&self, time: Duration) {
        self.send(Letter::Pass(time));
    }

    fn send(&self, letter: Letter) {
        // A driver that has returned hears nothing any more; that is no error of the speaker's.
        let _ = self.letters.send(letter);
    }
}
