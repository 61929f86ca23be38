//! Seeds in parallel, with the same result on any number of threads.
//!
//! Seeds are worked off in chunks. Threads take the chunks in order, one collector adds the sums up in order: so what
//! comes out is a contiguous prefix of the seeds, whoever was faster. A chunk counts when it is finished and stored.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::case::Space;
use super::progress::Progress;
use super::round;
use super::store::{Kept, Store, StoreError};
use super::tally::Tally;

/// So many seeds are worked off, counted and stored together.
pub(super) const CHUNK: u64 = 64;
/// How often progress is shown, at least.
const TICK: Duration = Duration::from_millis(200);

/// How far a campaign goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) first_seed: u64,
    pub(super) seeds: Option<u64>,
    pub(super) time: Option<Duration>,
    /// Whether the first seed with a finding is the last one.
    pub(super) until_found: bool,
}

impl Range {
    /// How many seeds a chunk has; none if the range is over before it.
    fn seeds_of(&self, chunk: u64) -> std::ops::Range<u64> {
        let end = self.seeds.unwrap_or(u64::MAX);
        let from = chunk.saturating_mul(CHUNK).min(end);
        from..from.saturating_add(CHUNK).min(end)
    }
}

/// Works a range off; gives the sums over its seeds and how long it took, earlier runs of a stored campaign included.
pub(super) fn run(
    space: &Space,
    range: Range,
    jobs: usize,
    (store, kept): (Option<&Store>, Kept),
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<(Tally, Duration), StoreError> {
    let shared = Shared {
        space,
        range,
        kept: &kept.chunks.keys().copied().collect(),
        next: AtomicU64::new(0),
        stop: AtomicBool::new(false),
    };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let (shared, sender) = (&shared, sender.clone());
            scope.spawn(move || shared.work(&sender));
        }
        drop(sender);
        let collector = Collector {
            shared: &shared,
            store,
            began: Instant::now(),
            before: kept.elapsed,
            pending: kept.chunks,
            frontier: 0,
            sum: Tally::default(),
            failed: None,
        };
        collector.collect(&receiver, progress)
    })
}

/// What the threads share.
struct Shared<'s> {
    space: &'s Space,
    range: Range,
    /// Chunks that are in the store already.
    kept: &'s std::collections::BTreeSet<u64>,
    next: AtomicU64,
    stop: AtomicBool,
}

impl Shared<'_> {
    fn work(&self, sender: &Sender<(u64, Tally)>) {
        while !self.stop.load(Ordering::Relaxed) {
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            if self.range.seeds_of(chunk).is_empty() {
                return;
            }
            if self.kept.contains(&chunk) {
                continue;
            }
            // The collector is gone only if it failed; then nobody needs this.
            if sender.send((chunk, self.chunk(chunk))).is_err() {
                return;
            }
        }
    }

    fn chunk(&self, chunk: u64) -> Tally {
        let mut tally = Tally::default();
        for offset in self.range.seeds_of(chunk) {
            round::run(self.space, self.range.first_seed.wrapping_add(offset), &mut tally);
            if self.range.until_found && tally.findings > 0 {
                break;
            }
        }
        tally
    }
}

/// Adds chunks up in order.
struct Collector<'s> {
    shared: &'s Shared<'s>,
    store: Option<&'s Store>,
    began: Instant,
    /// How long the campaign had run before it was interrupted.
    before: Duration,
    /// Finished chunks that others come before.
    pending: BTreeMap<u64, Tally>,
    /// The first chunk that has not been added.
    frontier: u64,
    sum: Tally,
    failed: Option<StoreError>,
}

impl Collector<'_> {
    fn collect(
        mut self,
        receiver: &Receiver<(u64, Tally)>,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<(Tally, Duration), StoreError> {
        loop {
            self.advance();
            progress(&self.progress());
            match receiver.recv_timeout(TICK) {
                Ok((chunk, tally)) => self.keep(chunk, tally),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.advance();
        progress(&self.progress());
        match self.failed {
            Some(error) => Err(error),
            None => Ok((self.sum, self.before + self.began.elapsed())),
        }
    }

    fn elapsed(&self) -> Duration {
        self.before + self.began.elapsed()
    }

    fn keep(&mut self, chunk: u64, tally: Tally) {
        if let (Some(store), None) = (self.store, &self.failed)
            && let Err(error) = store.write(chunk, self.elapsed(), &tally)
        {
            self.failed = Some(error);
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.pending.insert(chunk, tally);
    }

    /// Adds what can be added, and tells the threads when it is enough.
    fn advance(&mut self) {
        while !self.is_enough()
            && let Some(tally) = self.pending.remove(&self.frontier)
        {
            self.sum.append(&tally);
            self.frontier += 1;
        }
        let late = self.shared.range.time.is_some_and(|time| self.elapsed() >= time);
        if late || self.is_enough() {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
    }

    fn is_enough(&self) -> bool {
        self.shared.range.until_found && self.sum.findings > 0
    }

    fn progress(&self) -> Progress<'_> {
        Progress {
            tally: &self.sum,
            range: self.shared.range,
            elapsed: self.elapsed(),
            resumed: !self.before.is_zero(),
        }
    }
}
