//! A driver in preparation: handlers, hooks, and what it leaves when it has run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::{Receiver, Sender, channel};

use trackside_engine::expr::Data;
use trackside_engine::instance::{End, Options, Record};
use trackside_engine::model::{Definitions, Process};
use trackside_engine::problem::Problem;
use trackside_engine::template::{Compiled, Template, compile};
use trackside_engine::world::World;
use trackside_engine::{InstanceId, NodeId};

use super::Handler;
use super::inputs::{Inputs, Letter};
use super::turn::Loop;
use crate::run::Incident;

/// The most transitions between two answers: a model that goes round in circles without ever waiting is stopped there.
pub const TRANSITIONS_BETWEEN_MAX: u64 = 1_000_000;

/// Why a driver can't run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriverError {
    /// The file holds no such process.
    #[error("there is no process {0}")]
    NoProcess(String),
    /// The process can't be compiled.
    #[error("the process has {} problems", .0.len())]
    Invalid(Vec<Problem>),
}

/// Why a driver has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Its instance has ended.
    Ended,
    /// Nothing is at work, and nobody is left who could say something.
    Idle,
    /// [`TRANSITIONS_BETWEEN_MAX`] was reached.
    Runaway,
}

/// What a driver leaves.
#[derive(Debug)]
pub struct Finished {
    /// The world as it is now.
    pub world: World,
    /// The instance, if one has begun.
    pub instance: Option<InstanceId>,
    /// Why the driver has returned.
    pub stop: Stop,
}

impl Finished {
    /// How the instance ended, if it has.
    pub fn end(&self) -> Option<&End> {
        self.world.instance(self.instance?).end()
    }

    /// Its process data; none if it has not begun.
    pub fn data(&self) -> Data {
        let data = self.instance.map(|id| Data::clone(self.world.instance(id).data()));
        data.unwrap_or_default()
    }
}

type IncidentHook<'m> = Box<dyn FnMut(&Incident) + 'm>;
type RecordHook<'m> = Box<dyn FnMut(InstanceId, &Record) + 'm>;

/// Runs one process with real handlers; see the [module](super).
pub struct Driver<'m> {
    definitions: &'m Definitions,
    process: Option<String>,
    options: Options,
    by_id: BTreeMap<String, Arc<dyn Handler>>,
    by_kind: BTreeMap<String, Arc<dyn Handler>>,
    pub(super) on_incident: IncidentHook<'m>,
    pub(super) on_record: RecordHook<'m>,
    pub(super) letters: (Sender<Letter>, Receiver<Letter>),
    /// How many [`Inputs`] there are.
    pub(super) speakers: Arc<AtomicUsize>,
}

impl fmt::Debug for Driver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let handled: Vec<_> = self.by_id.keys().chain(self.by_kind.keys()).collect();
        f.debug_struct("Driver")
            .field("handled", &handled)
            .finish_non_exhaustive()
    }
}

impl<'m> Driver<'m> {
    /// A driver of the first process of a file, with no handlers yet.
    pub fn of(definitions: &'m Definitions) -> Self {
        Self {
            definitions,
            process: None,
            options: Options::default(),
            by_id: BTreeMap::new(),
            by_kind: BTreeMap::new(),
            on_incident: Box::new(|_| {}),
            on_record: Box::new(|_, _| {}),
            letters: channel(),
            speakers: Arc::default(),
        }
    }

    /// Runs the process with this id.
    #[must_use]
    pub fn process(mut self, id: impl Into<String>) -> Self {
        self.process = Some(id.into());
        self
    }

    /// Under these options of the engine. Records are kept in any case.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = Options {
            records: true,
            ..options
        };
        self
    }

    /// The work of the task with this id is done by `handler`. It becomes external work, whatever its kind (BND-11).
    #[must_use]
    pub fn on(mut self, id: impl Into<String>, handler: impl Handler) -> Self {
        self.by_id.insert(id.into(), Arc::new(handler));
        self
    }

    /// The work of all tasks of this kind (`serviceTask`, `scriptTask`, …) without a handler of their own is done by
    /// `handler`.
    #[must_use]
    pub fn on_kind(mut self, element: impl Into<String>, handler: impl Handler) -> Self {
        self.by_kind.insert(element.into(), Arc::new(handler));
        self
    }

    /// Tells of uncaught errors and technical failures (ERR-5).
    #[must_use]
    pub fn on_incident(mut self, hook: impl FnMut(&Incident) + 'm) -> Self {
        self.on_incident = Box::new(hook);
        self
    }

    /// Tells of everything that happens.
    #[must_use]
    pub fn on_record(mut self, hook: impl FnMut(InstanceId, &Record) + 'm) -> Self {
        self.on_record = Box::new(hook);
        self
    }

    /// A way to speak to the driver while it runs. As long as one exists, the driver waits for what it may say.
    pub fn inputs(&self) -> Inputs {
        Inputs::new(self.letters.0.clone(), Arc::clone(&self.speakers))
    }

    /// Runs an instance with these data to its end, or until nothing can happen any more. Returns when every handler
    /// that it has called has answered.
    ///
    /// # Errors
    ///
    /// [`DriverError`], before anything has happened.
    pub fn run(mut self, data: Data) -> Result<Finished, DriverError> {
        let process = self.definitions.process(self.process.as_deref());
        let process = process.ok_or_else(|| DriverError::NoProcess(self.process.clone().unwrap_or_default()))?;
        let template = Arc::new(self.compile(process)?);
        let mut world = World::new(self.options);
        let main = world.add(Arc::clone(&template));
        world.furnish(main, Data::clone(&data));
        let begins_by_itself = template.births().iter().position(|birth| {
            birth
                .node
                .is_none_or(|node| template.awaits(birth.arm).is_none() && node == birth.arm)
        });
        if let Some(birth) = begins_by_itself {
            world.start(main, birth, data);
        }
        let (world, stop) = Loop::new(&mut self, world).run();
        let instance = world.instances().next().map(|(id, _)| id);
        Ok(Finished { world, instance, stop })
    }

    /// What has a handler is external work.
    fn compile(&self, process: &Process) -> Result<Template, DriverError> {
        let nodes = self.definitions.scopes.iter().flat_map(|scope| &scope.nodes);
        let of_kind = nodes.filter(|node| self.by_kind.contains_key(node.kind.element()));
        let external: BTreeSet<String> = of_kind.map(|node| &node.id).chain(self.by_id.keys()).cloned().collect();
        let settings = Compiled {
            external,
            ..Compiled::default()
        };
        compile(self.definitions, process, &settings).map_err(DriverError::Invalid)
    }

    pub(super) fn handler(&self, template: &Template, node: NodeId) -> Option<Arc<dyn Handler>> {
        let info = template.node(node);
        let handler = self.by_id.get(&info.id).or_else(|| self.by_kind.get(info.element));
        handler.map(Arc::clone)
    }
}
