//! V9: per pass of a gate exactly one arm is taken, and the others are lost in the same transition (EVG-1).

use trackside_engine::instance::{Mode, Record, Withdrawal};
use trackside_engine::{TrackId, WatcherId};

use super::{After, Invariant};

#[derive(Debug, Default)]
pub(super) struct Gates {
    /// What is armed for the token that waits for it, with whether it has been taken.
    arms: Vec<(WatcherId, TrackId, bool)>,
}

impl Gates {
    fn fire(&mut self, watcher: WatcherId) -> Result<(), String> {
        let Some(at) = self.arms.iter().position(|&(arm, ..)| arm == watcher) else {
            return Err(format!("arm {watcher} fires and is not armed"));
        };
        let host = self.arms[at].1;
        let beside = self.arms.iter().any(|&(_, other, taken)| other == host && taken);
        self.arms[at].2 = true;
        if beside {
            Err(format!("a second event of track {host} is taken"))
        } else {
            Ok(())
        }
    }

    fn disarm(&mut self, watcher: WatcherId, why: Withdrawal) -> Result<(), String> {
        let at = self.arms.iter().position(|&(arm, ..)| arm == watcher);
        match (at.map(|at| self.arms.swap_remove(at).2), why) {
            (Some(false), Withdrawal::Taken) => Err(format!("arm {watcher} is taken without an event")),
            (Some(true), Withdrawal::Lost) => Err(format!("arm {watcher} is taken and lost")),
            _ => Ok(()),
        }
    }
}

impl Invariant for Gates {
    const ID: (&'static str, &'static str) = ("V9", "EVG-1");

    fn restart(&mut self) {
        self.arms.clear();
    }

    fn note(&mut self, record: &Record) -> Result<(), String> {
        match *record {
            // Arms of a parallel start are owned by nobody, and all of them are taken (EVG-4).
            Record::Armed {
                watcher,
                host: Some(host),
                mode: Mode::Catching,
                ..
            } => {
                self.arms.push((watcher, host, false));
                Ok(())
            }
            Record::Fired {
                watcher,
                host: Some(_),
                mode: Mode::Catching,
                ..
            } => self.fire(watcher),
            Record::Disarmed { watcher, why, .. } => self.disarm(watcher, why),
            _ => Ok(()),
        }
    }

    fn settle(&mut self, _: After<'_>) -> Result<(), String> {
        match self.arms.iter().find(|(.., taken)| *taken) {
            None => Ok(()),
            Some((watcher, ..)) => Err(format!("arm {watcher} has been taken and is still armed")),
        }
    }
}
