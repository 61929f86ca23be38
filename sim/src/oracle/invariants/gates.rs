//! V9: per pass of a gate exactly one arm is taken, and the others are lost in the same transition (EVG-1).

use std::collections::BTreeMap;

use trackside_engine::instance::{Mode, Record, Withdrawal};
use trackside_engine::{TrackId, WatcherId};

use super::{After, Invariant};

#[derive(Debug, Default)]
pub(super) struct Gates {
    /// What is armed for the token that waits for it, with whether it has been taken.
    arms: BTreeMap<WatcherId, (TrackId, bool)>,
}

impl Gates {
    fn fire(&mut self, watcher: WatcherId) -> Result<(), String> {
        let Some(&(host, _)) = self.arms.get(&watcher) else {
            return Err(format!("arm {watcher} fires and is not armed"));
        };
        let beside = self.arms.values().any(|&(other, taken)| other == host && taken);
        self.arms.insert(watcher, (host, true));
        if beside {
            Err(format!("a second event of track {host} is taken"))
        } else {
            Ok(())
        }
    }

    fn disarm(&mut self, watcher: WatcherId, why: Withdrawal) -> Result<(), String> {
        match (self.arms.remove(&watcher), why) {
            (Some((_, false)), Withdrawal::Taken) => Err(format!("arm {watcher} is taken without an event")),
            (Some((_, true)), Withdrawal::Lost) => Err(format!("arm {watcher} is taken and lost")),
            _ => Ok(()),
        }
    }
}

impl Invariant for Gates {
    const ID: (&'static str, &'static str) = ("V9", "EVG-1");

    fn note(&mut self, record: &Record) -> Result<(), String> {
        match *record {
            // Arms of a parallel start are owned by nobody, and all of them are taken (EVG-4).
            Record::Armed {
                watcher,
                host: Some(host),
                mode: Mode::Catching,
                ..
            } => {
                self.arms.insert(watcher, (host, false));
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
        match self.arms.iter().find(|(_, (_, taken))| *taken) {
            None => Ok(()),
            Some((watcher, _)) => Err(format!("arm {watcher} has been taken and is still armed")),
        }
    }
}
