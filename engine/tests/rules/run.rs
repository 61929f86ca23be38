//! One instance under test: the world it lives in, all it has recorded, and what must hold of any run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use trackside_engine::expr::Data;
use trackside_engine::instance::{Activation, End, Final, Options, Record, TrackView, TriggerKind, Wait};
use trackside_engine::model::Definitions;
use trackside_engine::template::{Compiled, Template, compile};
use trackside_engine::world::{Action, Class, Part, World};
use trackside_engine::{InstanceId, NodeId, TrackId, WatcherId};

use crate::kinds;

/// More transitions than any scenario needs: a livelock fails instead of hanging.
const TRANSITIONS_MAX: u64 = 2_000_000;

/// An instance under test.
#[derive(Clone)]
pub(crate) struct Run {
    pub(crate) world: World,
    shared: Arc<Template>,
    pub(crate) id: Option<InstanceId>,
    pub(crate) log: Vec<Record>,
    /// Nothing settles by itself: the script says every step.
    pub(crate) hold: bool,
    ledger: Ledger,
}

/// The canonical value, and how many records there were of each kind and node.
pub(crate) type Key = (Vec<u64>, BTreeMap<(&'static str, Option<NodeId>), u32>);

/// What the records of one instance add up to.
#[derive(Clone, Default)]
struct Ledger {
    parents: BTreeMap<TrackId, Option<TrackId>>,
    live: BTreeSet<TrackId>,
    gone: u64,
    armed: BTreeMap<WatcherId, (NodeId, Option<TrackId>)>,
    triggers: BTreeMap<NodeId, TriggerKind>,
    works: Vec<(TrackId, NodeId)>,
    survivor: Option<TrackId>,
    ended: bool,
}

/// How an instance stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ended(&'static str),
    /// Inside actions are left.
    Running,
    /// Only the outside can make it go on.
    Waiting,
    /// INS-6.
    Stuck,
    Unborn,
}

pub(crate) fn template(definitions: &Definitions, settings: &Compiled) -> Arc<Template> {
    let compiled = compile(definitions, &definitions.processes[0], settings);
    Arc::new(compiled.unwrap_or_else(|problems| panic!("the model compiles: {problems:#?}")))
}

impl Run {
    /// A world with one template and no instance yet.
    pub(crate) fn new(template: Arc<Template>, options: Options) -> Self {
        let mut world = World::new(options);
        world.add(Arc::clone(&template));
        Self {
            world,
            shared: template,
            id: None,
            log: Vec::new(),
            hold: false,
            ledger: Ledger::default(),
        }
    }

    pub(crate) fn start(&mut self, birth: usize, data: Data) {
        self.id = Some(self.world.start(0, birth, data));
        self.observe();
    }

    pub(crate) fn template(&self) -> &Template {
        &self.shared
    }

    pub(crate) fn node(&self, name: &str) -> NodeId {
        let found = self.template().find(name);
        found.unwrap_or_else(|| panic!("the model has a node `{name}`"))
    }

    pub(crate) fn name(&self, node: NodeId) -> &str {
        &self.template().node(node).id
    }

    pub(crate) fn apply(&mut self, action: Action) {
        self.world.apply(action).expect("the action is enabled");
        self.observe();
    }

    /// Applies inside actions, oldest first, until there is none.
    pub(crate) fn settle(&mut self) {
        while let Some(action) = self.world.oldest(Part::Inside) {
            self.apply(action);
            assert!(self.world.transitions() < TRANSITIONS_MAX, "the run never settles");
        }
    }

    /// The enabled timer of this moment, the oldest first.
    pub(crate) fn due_timer(&self) -> Option<Action> {
        let actions = self.world.enabled(Part::All);
        actions.into_iter().find(|&action| {
            let node = self.world.label(action).node;
            action.class() == Class::Firing
                && node.and_then(|node| self.ledger.triggers.get(&node)) == Some(&TriggerKind::Timer)
        })
    }

    /// Lets virtual time pass; at every due time the instance settles and its timers fire (EVT-3).
    pub(crate) fn advance(&mut self, ms: i64) {
        let to = self.world.now() + ms;
        loop {
            self.settle();
            while let Some(timer) = self.due_timer() {
                self.apply(timer);
                self.settle();
            }
            if self.world.now() == to {
                return;
            }
            self.world.pass_time(to);
            self.observe();
        }
    }

    pub(crate) fn end(&self) -> Option<&End> {
        self.id.and_then(|id| self.world.instance(id).end())
    }

    pub(crate) fn tracks(&self) -> Vec<TrackView> {
        self.id.map_or_else(Vec::new, |id| self.world.instance(id).tracks())
    }

    pub(crate) fn waits(&self) -> Vec<Wait> {
        self.id.map_or_else(Vec::new, |id| self.world.instance(id).waits())
    }

    pub(crate) fn status(&self) -> Status {
        let Some(id) = self.id else { return Status::Unborn };
        match self.world.instance(id).end() {
            Some(End::Completed) => return Status::Ended("completed"),
            Some(End::Terminated) => return Status::Ended("terminated"),
            Some(End::Canceled) => return Status::Ended("canceled"),
            Some(End::Faulted(_)) => return Status::Ended("faulted"),
            None => {}
        }
        if self.world.count(Part::Inside) > 0 {
            return Status::Running;
        }
        let outside = self.world.enabled(Part::All);
        let awaited = outside
            .iter()
            .any(|action| !matches!(action.class(), Class::Control | Class::Late))
            || self.waits().iter().any(|wait| !matches!(wait, Wait::Join { .. }));
        if awaited { Status::Waiting } else { Status::Stuck }
    }

    /// The nodes whose subscriptions are armed, one entry per subscription.
    pub(crate) fn armed(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.ledger.armed.values().map(|&(node, _)| self.name(node)).collect();
        names.sort_unstable();
        names
    }

    /// All that ever worked at `node`, in order.
    pub(crate) fn workers(&self, node: NodeId) -> Vec<TrackId> {
        let works = self.ledger.works.iter().filter(|(_, at)| *at == node);
        works.map(|(track, _)| *track).collect()
    }

    /// The tracks that external work is running for at `node` now, oldest first.
    pub(crate) fn working(&self, node: NodeId) -> Vec<TrackId> {
        let tracks = self.tracks().into_iter();
        tracks.filter(|t| t.external && t.node == node).map(|t| t.id).collect()
    }

    /// The same with the transition in which the work began.
    pub(crate) fn activations(&self, node: NodeId) -> Vec<Activation> {
        let tracks = self.tracks().into_iter();
        tracks
            .filter_map(|t| t.activation())
            .filter(|work| work.node == node)
            .collect()
    }

    /// Takes over what the last transition recorded and judges it.
    pub(crate) fn observe(&mut self) {
        let records: Vec<_> = self.world.records().to_vec();
        for (id, record) in records {
            if self.id.is_none_or(|own| own == id) {
                self.ledger.note(&record);
                self.log.push(record);
            }
        }
        if let Some(id) = self.id {
            crate::marks::noted(self.world.instance(id));
            self.ledger.judge(&self.world, id);
        }
    }

    /// A key under which two runs are the same for the rest and for what is expected of them.
    pub(crate) fn key(&self) -> Key {
        let mut counts = BTreeMap::new();
        for record in &self.log {
            *counts.entry((kinds::name(record), kinds::node(record))).or_insert(0) += 1;
        }
        let canonical = self.id.map_or_else(Vec::new, |id| self.world.instance(id).canonical());
        (canonical, counts)
    }
}

impl Ledger {
    fn note(&mut self, record: &Record) {
        let harmless = matches!(
            record,
            Record::Discarded { .. } | Record::Undelivered { .. } | Record::Clock { .. }
        );
        assert!(!self.ended || harmless, "nothing happens after the end: {record:?}");
        match record {
            Record::Born { track, parent, .. } => {
                assert!(
                    parent.is_none_or(|parent| parent < *track),
                    "a parent is older than its child"
                );
                let known = self.parents.insert(*track, *parent);
                assert!(known.is_none(), "a track is born once, with one parent");
                self.live.insert(*track);
            }
            Record::TrackEnded { track, .. } => self.bury(*track),
            Record::JoinFired { survivor, .. } => self.survivor = Some(*survivor),
            Record::Rearmed { .. } => self.survivor = None,
            Record::Merged { track, into, .. } => {
                // The second phase of a complex join has a survivor and no firing (CPX-6).
                let survivor = *self.survivor.get_or_insert(*into);
                assert_eq!(*into, survivor, "a merge names its survivor");
                assert!(self.live.contains(into) && into != track, "the survivor goes on");
                self.bury(*track);
            }
            Record::Armed {
                watcher,
                node,
                host,
                trigger,
                ..
            } => {
                self.armed.insert(*watcher, (*node, *host));
                self.triggers.insert(*node, *trigger);
            }
            Record::Disarmed { watcher, .. } => {
                let known = self.armed.remove(watcher);
                assert!(known.is_some(), "a subscription is torn down once");
            }
            Record::WorkStarted { track, node } => self.works.push((*track, *node)),
            Record::InstanceEnded { end } => {
                self.ended = true;
                assert!(
                    self.live.is_empty() && self.armed.is_empty(),
                    "nothing is left: {end:?} {:?} {:?}",
                    self.live,
                    self.armed
                );
            }
            _ => {}
        }
    }

    fn bury(&mut self, track: TrackId) {
        assert!(self.live.remove(&track), "a track ends once, after it was born");
        self.gone += 1;
    }

    fn judge(&self, world: &World, id: InstanceId) {
        let live: BTreeSet<TrackId> = world.instance(id).tracks().iter().map(|track| track.id).collect();
        assert_eq!(self.live, live, "tokens are conserved");
        assert_eq!(self.parents.len() as u64, self.gone + live.len() as u64);
        for (node, host) in self.armed.values() {
            let hosted = host.is_none_or(|host| live.contains(&host));
            assert!(
                hosted,
                "no subscription outlives its host: {}",
                world.instance(id).template().node(*node).id
            );
        }
        assert_eq!(self.ended, world.instance(id).end().is_some());
    }
}

/// How often tracks ended in `state`.
pub(crate) fn ended_as(log: &[Record], state: Final) -> usize {
    let of_state = |record: &&Record| matches!(record, Record::TrackEnded { state: found, .. } if *found == state);
    log.iter().filter(of_state).count()
}

impl Run {
    /// The template, also before there is an instance.
    pub(crate) fn shared(&self) -> Arc<Template> {
        Arc::clone(&self.shared)
    }
}
