//! V8: a run of a host is completed or interrupted, never both; nothing comes of an interrupted host; no subscription
//! outlives its host, and none its instance (BND-1, BND-2, BND-8).

use std::collections::{BTreeMap, BTreeSet};

use trackside_engine::instance::{LifeCycle, Outcome, Record};
use trackside_engine::{NodeId, TrackId, WatcherId};

use super::{After, Invariant};

#[derive(Debug, Default)]
pub(super) struct Hosts {
    armed: BTreeMap<WatcherId, Option<TrackId>>,
    /// External work that runs, by who does it.
    working: BTreeMap<TrackId, NodeId>,
    /// Tracks whose work has ended well in this transition: it can't be interrupted any more.
    completed: BTreeSet<TrackId>,
    interrupted: BTreeSet<TrackId>,
}

impl Hosts {
    fn complete(&mut self, track: TrackId, node: NodeId, outcome: &Outcome) -> Result<(), String> {
        if *outcome == Outcome::Ok {
            self.completed.insert(track);
        }
        match self.working.remove(&track) {
            Some(at) if at == node => Ok(()),
            _ => Err(format!("track {track} completes work that it does not do")),
        }
    }

    fn interrupt(&mut self, track: TrackId, state: LifeCycle) -> Result<(), String> {
        if self.completed.contains(&track) {
            return Err(format!("track {track} completes and is interrupted"));
        }
        if matches!(state, LifeCycle::Terminated | LifeCycle::Failed) {
            self.interrupted.insert(track);
            self.working.remove(&track);
        }
        Ok(())
    }

    fn act(&self, track: TrackId) -> Result<(), String> {
        let gone = self.interrupted.contains(&track);
        if gone {
            Err(format!("track {track} was interrupted and goes on"))
        } else {
            Ok(())
        }
    }
}

impl Invariant for Hosts {
    const ID: (&'static str, &'static str) = ("V8", "BND-1");

    fn note(&mut self, record: &Record) -> Result<(), String> {
        match *record {
            Record::Armed { watcher, host, .. } => {
                self.armed.insert(watcher, host);
                host.map_or(Ok(()), |host| self.act(host))
            }
            Record::Fired { watcher, .. } if !self.armed.contains_key(&watcher) => {
                Err(format!("subscription {watcher} fires and is not armed"))
            }
            Record::Disarmed { watcher, .. } => {
                let known = self.armed.remove(&watcher).is_some();
                if known {
                    Ok(())
                } else {
                    Err(format!("subscription {watcher} is torn down twice"))
                }
            }
            Record::WorkStarted { track, node } => {
                self.working.insert(track, node);
                self.act(track)
            }
            Record::WorkEnded {
                track,
                node,
                ref outcome,
            } => self.complete(track, node, outcome),
            Record::Interrupted { track, state, .. } => self.interrupt(track, state),
            Record::Stepped { track, .. } => {
                // A receive task that takes its message ends by that.
                self.working.remove(&track);
                self.act(track)
            }
            Record::Left { track, .. } => self.act(track),
            Record::Arrived { track, .. } => {
                // It has left its host for good, and may host something else in the same transition.
                self.completed.remove(&track);
                self.act(track)
            }
            _ => Ok(()),
        }
    }

    fn settle(&mut self, after: After<'_>) -> Result<(), String> {
        self.completed.clear();
        let lives = |host: &TrackId| after.tracks.iter().any(|track| track.id == *host);
        let outlives = |host: &Option<TrackId>| host.is_some_and(|host| !lives(&host)) || after.end.is_some();
        match self.armed.iter().find(|(_, host)| outlives(host)) {
            None => Ok(()),
            Some((watcher, host)) => Err(format!("subscription {watcher} outlives its host {host:?}")),
        }
    }
}
