//! V8: a run of a host is completed or interrupted, never both; nothing comes of an interrupted host; no subscription
//! outlives its host, and none its instance (BND-1, BND-2, BND-8).

use trackside_engine::instance::{LifeCycle, Outcome, Record};
use trackside_engine::{NodeId, TrackId, WatcherId};

use super::{After, Invariant};
use crate::oracle::table::Table;

#[derive(Debug, Default)]
pub(super) struct Hosts {
    armed: Vec<(WatcherId, Option<TrackId>)>,
    /// External work that runs, and who does it.
    working: Vec<(TrackId, NodeId)>,
    /// Tracks whose work has ended well in this transition: it can't be interrupted any more.
    completed: Vec<TrackId>,
    interrupted: Table<bool>,
}

impl Hosts {
    fn complete(&mut self, track: TrackId, node: NodeId, outcome: &Outcome) -> Result<(), String> {
        if *outcome == Outcome::Ok {
            self.completed.push(track);
        }
        if self.stop(track) == Some(node) {
            Ok(())
        } else {
            Err(format!("track {track} completes work that it does not do"))
        }
    }

    /// The track's work runs no more; gives where it ran.
    fn stop(&mut self, track: TrackId) -> Option<NodeId> {
        let at = self.working.iter().position(|&(worker, _)| worker == track)?;
        Some(self.working.swap_remove(at).1)
    }

    fn interrupt(&mut self, track: TrackId, state: LifeCycle) -> Result<(), String> {
        if self.completed.contains(&track) {
            return Err(format!("track {track} completes and is interrupted"));
        }
        if matches!(state, LifeCycle::Terminated | LifeCycle::Failed) {
            self.stop(track);
            if let Some(interrupted) = self.interrupted.at_mut(track.0) {
                *interrupted = true;
            }
        }
        Ok(())
    }

    fn act(&self, track: TrackId) -> Result<(), String> {
        if self.interrupted.at(track.0) {
            Err(format!("track {track} was interrupted and goes on"))
        } else {
            Ok(())
        }
    }
}

impl Invariant for Hosts {
    const ID: (&'static str, &'static str) = ("V8", "BND-1");

    fn restart(&mut self) {
        self.armed.clear();
        self.working.clear();
        self.completed.clear();
        self.interrupted.clear();
    }

    fn note(&mut self, record: &Record) -> Result<(), String> {
        match *record {
            Record::Armed { watcher, host, .. } => {
                self.armed.push((watcher, host));
                host.map_or(Ok(()), |host| self.act(host))
            }
            Record::Fired { watcher, .. } if !self.armed.iter().any(|&(armed, _)| armed == watcher) => {
                Err(format!("subscription {watcher} fires and is not armed"))
            }
            Record::Disarmed { watcher, .. } => {
                let at = self.armed.iter().position(|&(armed, _)| armed == watcher);
                let at = at.ok_or_else(|| format!("subscription {watcher} is torn down twice"))?;
                self.armed.swap_remove(at);
                Ok(())
            }
            Record::WorkStarted { track, node } => {
                self.stop(track);
                self.working.push((track, node));
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
                self.stop(track);
                self.act(track)
            }
            Record::Left { track, .. } => self.act(track),
            Record::Arrived { track, .. } => {
                // It has left its host for good, and may host something else in the same transition.
                self.completed.retain(|&other| other != track);
                self.act(track)
            }
            _ => Ok(()),
        }
    }

    fn settle(&mut self, after: After<'_>) -> Result<(), String> {
        self.completed.clear();
        let outlives = |host: Option<TrackId>| host.is_some_and(|host| !after.shown.lives(host)) || after.end.is_some();
        match self.armed.iter().find(|&&(_, host)| outlives(host)) {
            None => Ok(()),
            Some((watcher, host)) => Err(format!("subscription {watcher} outlives its host {host:?}")),
        }
    }
}
