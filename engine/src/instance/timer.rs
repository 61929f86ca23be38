//! Timers, and the lists that subscriptions stand in.
//!
//! Most timers are torn down before the clock ever gets to them. So arming one only appends it to a list, and tearing it
//! down takes it out again, whatever their number; they are put in order of time when the clock moves, each at most once
//! per arming.

use std::collections::BTreeSet;

use super::state::{Core, Subscribers, Waits, Watcher, WatcherIx};
use crate::ids::WatcherId;
use crate::node::{Spec, Timing};
use crate::template::Template;
use crate::time::Schedule;

/// Where a timer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Not on the clock: it is due, or there is no clock.
    Off,
    /// In the list of those armed since the clock last moved.
    Fresh,
    /// In order of time.
    Sorted,
}

/// Timers in order of time, the earlier armed first (EVT-3: ties are a choice, and this is the default order).
pub(crate) type Sorted = BTreeSet<(i64, WatcherId, WatcherIx)>;

/// Lists beside those of the events: the conditional events, then the fresh timers.
const MORE_LISTS: usize = 2;

/// Empties the lists of subscriptions, for that many events.
pub(crate) fn clear_lists(lists: &mut Vec<Subscribers>, events: usize) {
    lists.clear();
    lists.resize(events + MORE_LISTS, Subscribers::NONE);
}

impl Core {
    /// The list of conditional events.
    #[inline]
    pub(crate) fn conditional(&self) -> usize {
        self.subscribers.len() - MORE_LISTS
    }

    /// The list of fresh timers.
    #[inline]
    fn fresh(&self) -> usize {
        self.subscribers.len() - 1
    }

    /// Puts a subscription at the end of a list.
    #[inline]
    pub(crate) fn link(&mut self, list: usize, ix: WatcherIx) {
        let before = std::mem::replace(&mut self.subscribers[list].last, ix);
        let watcher = self.watchers.get_mut(ix.0);
        (watcher.event_prev, watcher.event_next) = (before, WatcherIx::NONE);
        match before.some() {
            Some(before) => self.watchers.get_mut(before.0).event_next = ix,
            None => self.subscribers[list].first = ix,
        }
    }

    /// Takes a subscription out of the list it stands in.
    #[inline]
    pub(crate) fn unlink(&mut self, list: usize, ix: WatcherIx) {
        let Watcher {
            event_prev, event_next, ..
        } = *self.watchers.get(ix.0);
        match event_prev.some() {
            Some(prev) => self.watchers.get_mut(prev.0).event_next = event_next,
            None => self.subscribers[list].first = event_next,
        }
        match event_next.some() {
            Some(next) => self.watchers.get_mut(next.0).event_prev = event_prev,
            None => self.subscribers[list].last = event_prev,
        }
    }

    /// The schedule of a timer: the model's, or the one that an expression gave when it was armed.
    pub(crate) fn schedule<'a>(&'a self, t: &'a Template, watcher: &Watcher) -> Option<&'a Schedule> {
        match t.kind(watcher.node).spec() {
            Some(Spec::Timer(Timing::Fixed(schedule))) => Some(schedule),
            Some(Spec::Timer(Timing::Computed(..))) => self.schedules.get(&watcher.id),
            _ => None,
        }
    }

    /// Puts a timer on the clock.
    pub(crate) fn start_timer(&mut self, ix: WatcherIx) {
        self.set_clock_of(ix, Clock::Fresh);
        self.link(self.fresh(), ix);
    }

    /// Takes a timer off the clock, if it is on it.
    pub(crate) fn stop_timer(&mut self, ix: WatcherIx) {
        let watcher = self.watchers.get(ix.0);
        if let Waits::Timer { due, clock } = watcher.waits {
            match clock {
                Clock::Off => return,
                Clock::Fresh => self.unlink(self.fresh(), ix),
                Clock::Sorted => {
                    self.timers.remove(&(due, watcher.id, ix));
                }
            }
            self.set_clock_of(ix, Clock::Off);
        }
    }

    fn set_clock_of(&mut self, ix: WatcherIx, to: Clock) {
        if let Waits::Timer { clock, .. } = &mut self.watchers.get_mut(ix.0).waits {
            *clock = to;
        }
    }

    /// Whether any timer is on the clock.
    pub(crate) fn has_timers(&self) -> bool {
        !self.subscribers[self.fresh()].first.is_none() || !self.timers.is_empty()
    }

    /// Takes the next timer that is due off the clock.
    pub(crate) fn ripe(&mut self) -> Option<WatcherIx> {
        while let Some(ix) = self.subscribers[self.fresh()].first.some() {
            self.unlink(self.fresh(), ix);
            let watcher = self.watchers.get_mut(ix.0);
            if let Waits::Timer { due, clock } = &mut watcher.waits {
                *clock = Clock::Sorted;
                self.timers.insert((*due, watcher.id, ix));
            }
        }
        let &(due, _, ix) = self.timers.first()?;
        if due > self.now {
            return None;
        }
        self.timers.pop_first();
        self.set_clock_of(ix, Clock::Off);
        Some(ix)
    }

    /// When the next timer is due. Costs as much as there are timers armed since the clock last moved.
    pub(crate) fn next_due(&self) -> Option<i64> {
        let fresh = self.fresh_timers().filter_map(|watcher| match watcher.waits {
            Waits::Timer { due, .. } => Some(due),
            _ => None,
        });
        let sorted = self.timers.first().map(|&(due, ..)| due);
        fresh.chain(sorted).min()
    }

    /// Timers armed since the clock last moved.
    pub(crate) fn fresh_timers(&self) -> impl Iterator<Item = &Watcher> {
        let mut next = self.subscribers[self.fresh()].first;
        std::iter::from_fn(move || {
            let watcher = self.watchers.get(next.some()?.0);
            next = watcher.event_next;
            Some(watcher)
        })
    }
}
