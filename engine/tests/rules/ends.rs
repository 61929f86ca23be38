//! Nothing outlives what it belongs to: whatever a scope run or an instance held is gone when that ends (INS-5, INS-9,
//! BND-1, ESP-1), in random models under random schedules, cancellation and terminate included. Judged by what anybody
//! can see: records, enabled actions, live tracks.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use trackside_engine::instance::{End, Final, Grain, Options, Record, TriggerKind};
use trackside_engine::template::Template;
use trackside_engine::world::{Class, Part};
use trackside_engine::{ScopeId, TrackId, WatcherId};

use crate::blocks::{Block, block, drive, options, text, text_terminated};
use crate::run::{Run, ended_as};

/// One run of a scope, as its records tell it.
#[derive(Debug)]
struct Pass {
    def: ScopeId,
    host: Option<TrackId>,
    /// The run around it, by its place in the list.
    around: Option<usize>,
    open: bool,
    live: BTreeSet<TrackId>,
    armed: BTreeSet<WatcherId>,
}

/// All runs in the order in which they were opened; the process itself is the first.
#[derive(Default)]
struct Passes {
    all: Vec<Pass>,
    of_track: BTreeMap<TrackId, usize>,
    of_watcher: BTreeMap<WatcherId, usize>,
    timers: BTreeSet<WatcherId>,
    /// The run whose subscription fired last: a handler that opens next belongs to it.
    fired: usize,
    seen: usize,
    ended: bool,
}

impl Passes {
    fn watch(&mut self, run: &Run) {
        for record in &run.log[self.seen..] {
            assert!(
                !self.ended || matches!(record, Record::Discarded { .. }),
                "after the end: {record:?}"
            );
            self.note(record, run.template());
        }
        self.seen = run.log.len();
        self.judge(run);
    }

    fn note(&mut self, record: &Record, t: &Template) {
        if let Some(track) = acting(record) {
            let of = &self.all[self.of_track[&track]];
            assert!(of.open, "a track of a scope that has ended: {record:?}");
        }
        match *record {
            Record::ScopeOpened { scope, host } => self.open(scope, host, t),
            Record::Born {
                track, parent, node, ..
            } => self.bear(track, parent, t.node(node).scope),
            Record::TrackEnded { track, .. } | Record::Merged { track, .. } => {
                self.all[self.of_track[&track]].live.remove(&track);
            }
            Record::Armed {
                watcher,
                node,
                host,
                trigger,
                ..
            } => {
                // A token's stand in its own scope; a scope run's are the starts of its handlers, armed when it opens.
                let own = host.map(|host| self.of_track[&host]);
                let own = own.filter(|&at| self.all[at].def == t.node(node).scope);
                let at = own.unwrap_or(self.all.len() - 1);
                assert!(self.all[at].open, "armed in a scope that has ended: {record:?}");
                self.all[at].armed.insert(watcher);
                self.of_watcher.insert(watcher, at);
                if trigger == TriggerKind::Timer {
                    self.timers.insert(watcher);
                }
            }
            Record::Fired { watcher, .. } => {
                self.fired = self.of_watcher[&watcher];
                assert!(self.all[self.fired].armed.contains(&watcher), "not armed: {record:?}");
            }
            Record::Disarmed { watcher, .. } => {
                self.all[self.of_watcher[&watcher]].armed.remove(&watcher);
                self.timers.remove(&watcher);
            }
            Record::ScopeCompleted { scope, host } | Record::ScopeWithdrawn { scope, host } => self.close(scope, host),
            Record::InstanceEnded { .. } => {
                self.ended = true;
                assert!(self.all[1..].iter().all(|pass| !pass.open), "all scopes have ended");
                assert!(self.is_bare(0), "nothing is left: {:?}", self.all[0]);
            }
            _ => {}
        }
    }

    fn open(&mut self, def: ScopeId, host: Option<TrackId>, t: &Template) {
        let around = match host {
            Some(host) => Some(self.of_track[&host]),
            None => (!self.all.is_empty()).then_some(self.fired),
        };
        assert_eq!(t.scope(def).parent, around.map(|at| self.all[at].def));
        assert!(
            around.is_none_or(|at| self.all[at].open),
            "opened in a scope that has ended"
        );
        self.all.push(Pass {
            def,
            host,
            around,
            open: true,
            live: BTreeSet::new(),
            armed: BTreeSet::new(),
        });
    }

    /// A track is born where its parent is, or as the first one of a run: below its parent, or of a handler.
    fn bear(&mut self, track: TrackId, parent: Option<TrackId>, def: ScopeId) {
        let beside = parent.map(|parent| self.of_track[&parent]);
        let beside = beside.filter(|&at| self.all[at].def == def);
        let first = || {
            let is_it = |pass: &Pass| pass.open && pass.def == def && pass.host == parent;
            self.all.iter().rposition(is_it).or((parent.is_none()).then_some(0))
        };
        let at = beside.or_else(first).expect("the run it belongs to is open");
        assert!(self.all[at].open, "track {track} is born in a scope that has ended");
        self.all[at].live.insert(track);
        self.of_track.insert(track, at);
    }

    /// Whether a run holds nothing and nothing below it is open.
    fn is_bare(&self, at: usize) -> bool {
        let pass = &self.all[at];
        let below = self.all.iter().any(|below| below.open && below.around == Some(at));
        pass.live.is_empty() && pass.armed.is_empty() && !below
    }

    /// Runs of one handler beside one another have the same name: one of them that has ended is bare.
    fn close(&mut self, def: ScopeId, host: Option<TrackId>) {
        let of_name = |at: &usize| self.all[*at].open && self.all[*at].def == def && self.all[*at].host == host;
        let named: Vec<usize> = (0..self.all.len()).filter(of_name).collect();
        let bare = named.iter().copied().find(|&at| self.is_bare(at));
        let left = || -> Vec<&Pass> { named.iter().map(|&at| &self.all[at]).collect() };
        let at = bare.unwrap_or_else(|| panic!("scope {def} has ended and left {:#?}", left()));
        self.all[at].open = false;
    }

    fn judge(&self, run: &Run) {
        for track in run.tracks() {
            let of = &self.all[self.of_track[&track.id]];
            assert!(of.open && of.live.contains(&track.id), "{track:?} lives in {of:?}");
        }
        let enabled = run.world.enabled(Part::All);
        assert!(!self.ended || enabled.is_empty(), "enabled after the end: {enabled:?}");
        for label in enabled.into_iter().map(|action| run.world.label(action)) {
            if let Some(track) = label.track {
                let lives = self.all[self.of_track[&track]].live.contains(&track);
                assert_eq!(lives, label.class != Class::Late, "{label:?}");
            }
            if let Some(at) = label.run {
                assert!(self.all[at as usize].open, "of a scope that has ended: {label:?}");
            }
        }
        let timed = run.world.next_due().is_some();
        assert!(!timed || !self.timers.is_empty(), "a timer runs for nobody");
    }
}

/// The track that a record says does something. (A late answer is of a track that is gone.)
fn acting(record: &Record) -> Option<TrackId> {
    match *record {
        Record::Stepped { track, .. }
        | Record::Left { track, .. }
        | Record::Arrived { track, .. }
        | Record::Parked { track, .. }
        | Record::JoinFired { survivor: track, .. }
        | Record::Resumed { track, .. }
        | Record::Merged { track, .. }
        | Record::Trailing { track, .. }
        | Record::WorkStarted { track, .. }
        | Record::WorkEnded { track, .. }
        | Record::WorkAskedToStop { track, .. }
        | Record::Interrupted { track, .. }
        | Record::Thrown { track, .. }
        | Record::TrackEnded { track, .. } => Some(track),
        _ => None,
    }
}

/// Drives a model, cancels the instance after that many transitions, and watches all that ends.
fn watched(model: &str, options: Options, picks: &[u64], cancel: Option<usize>) -> (Run, Passes) {
    let mut passes = Passes::default();
    let mut transitions = 0;
    let run = drive(model, options, picks, |run| {
        passes.watch(run);
        if cancel == Some(transitions) && !passes.ended {
            run.world.cancel(run.id.expect("the instance is born"));
            run.observe();
            passes.watch(run);
        }
        transitions += 1;
    });
    (run, passes)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 384, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn ins_5_ins_9_nothing_outlives_the_scope_or_instance_it_belongs_to(
        block in block(),
        terminate in prop::option::of(block()),
        picks in prop::collection::vec(any::<u64>(), 0..80),
        cancel in prop::option::of(0..100usize),
        grain in any::<bool>(),
        outside in any::<bool>(),
    ) {
        let model = terminate.map_or_else(|| text(&block), |way| text_terminated(&block, &way));
        let mut options = options(grain, false, outside);
        options.environment.cancel = false;
        let (run, passes) = watched(&model, options, &picks, cancel);
        prop_assert!(passes.ended, "{:?}\n{}", run.status(), model);
    }
}

/// The property above would hold of models in which nothing ever ends early.
#[test]
fn ins_5_ins_9_every_way_to_end_a_scope_is_watched() {
    let task = |kind| Box::new(Block::Task(kind));
    let later = || Box::new(Block::Catch("timer PT3H"));
    let scope = |handler| Box::new(Block::Scope(later(), handler));
    let all = Block::Parallel(vec![
        Block::Hosting(true, "error k", scope(None), task("user")),
        Block::Hosting(
            false,
            "timer PT1H",
            scope(Some((true, "signal g", later()))),
            task("user"),
        ),
        Block::Terminated(scope(None), task("user")),
    ]);
    for grain in [Grain::Protocol, Grain::Atomic] {
        let options = Options {
            grain,
            ..options(false, false, false)
        };
        let (run, passes) = watched(&text(&all), options, &[], None);
        let count = |kind| {
            run.log
                .iter()
                .filter(|record| crate::kinds::name(record) == kind)
                .count()
        };
        let (completed, withdrawn) = (count("ScopeCompleted"), count("ScopeWithdrawn"));
        assert_eq!(
            (run.end(), completed + withdrawn),
            (Some(&End::Completed), passes.all.len() - 1)
        );
        assert!(completed > 2 && withdrawn > 1, "{completed} and {withdrawn}");
        assert!(ended_as(&run.log, Final::Failed) > 0 && ended_as(&run.log, Final::Canceled) > 2);
        let (run, _) = watched(&text(&all), options, &[], Some(12));
        assert_eq!(run.end(), Some(&End::Canceled));
        let (run, _) = watched(&text_terminated(&all, &Block::Task("user")), options, &[], None);
        assert_eq!(run.end(), Some(&End::Terminated));
    }
}
