//! The enabled actions as a strategy looks at them: all of them in one pass, each with whose it is and where.

use super::{Action, Part, World};
use crate::ids::{FlowId, InstanceId, NodeId};
use crate::instance::{Core, Deed, Entry, Owner};
use crate::template::Shared;

/// Whose an action is, as a small number: a track with its steps and arrivals; the external work that a track waits for;
/// a subscription, however often it fires; late work; the clock; what may be done to an instance from outside. It is the same in every run of one
/// schedule, and no two that are pending at once share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Task(pub u64);

impl Task {
    const fn new(instance: InstanceId, kind: u64, number: u32) -> Self {
        Self((instance.0 as u64) << 35 | kind << 32 | number as u64)
    }
}

/// An enabled action, with what there is to know for the choice.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    /// The action, with choices 0.
    pub action: Action,
    /// Whose it is.
    pub task: Task,
    /// The transition since which it can be taken; with the task, it tells the action from all others of a run.
    pub born: u64,
    /// The index of the template of its instance; of no meaning for the clock.
    pub template: u32,
    /// The node it acts at or arrives at, or whose subscription it is; none for the clock and for cancellation.
    pub node: NodeId,
    /// For a subscription, the node of the track that owns it (a host, a gate); else the same as `node`.
    pub at: NodeId,
    /// The flow that an arrival comes by; none for the others.
    pub flow: FlowId,
}

impl World {
    /// All templates, by index.
    #[inline]
    pub fn templates(&self) -> &[Shared] {
        &self.templates
    }

    /// Shows `see` every enabled action of a part, in an order of no meaning, which is the same for equal worlds. Costs a
    /// few nanoseconds for each, and no memory.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use trackside_engine::instance::Options;
    /// # use trackside_engine::model::notation;
    /// # use trackside_engine::template::{Compiled, compile};
    /// # use trackside_engine::world::{Part, World};
    /// # let file = notation::parse("s > A{!m > e2} > e").unwrap();
    /// # let template = compile(&file, &file.processes[0], &Compiled::default()).unwrap();
    /// # let mut world = World::new(Options::default());
    /// # let process = world.add(Arc::new(template));
    /// world.start(process, 0, Default::default());
    /// world.run(Part::Inside, 10);
    /// let mut seen = Vec::new();
    /// world.each_enabled(Part::All, |pending| seen.push((pending.action.class(), pending.at)));
    /// let host = world.templates()[process].find("A").unwrap();
    /// assert_eq!(seen.len(), world.count(Part::All));
    /// assert!(seen.iter().all(|(_, at)| *at == host));
    /// ```
    #[inline]
    pub fn each_enabled(&self, part: Part, mut see: impl FnMut(Pending)) {
        let whole = part == Part::All;
        for &id in &self.live {
            let core = self.core(id);
            let template = self.kinds[id.ix()];
            if part != Part::Due {
                core.inside
                    .all()
                    .for_each(|entry| see(inside(core, template, id, entry)));
            }
            if whole {
                core.outside
                    .all()
                    .for_each(|entry| see(outside(core, template, id, entry)));
            } else if part == Part::Due && core.due > 0 {
                let due = core.outside.all().filter(|entry| core.is_due(entry));
                due.for_each(|entry| see(outside(core, template, id, entry)));
            }
            if whole && self.options.environment.cancel {
                see(bare(Action::control(id), Task::new(id, 3, 0), template));
            }
        }
        if whole && self.clock_may_run() {
            see(bare(Action::CLOCK, Task(u64::MAX), 0));
        }
    }
}

/// A step or an arrival.
#[inline]
fn inside(core: &Core, template: u32, id: InstanceId, entry: &Entry) -> Pending {
    let token = core.tokens.get(entry.slot);
    let flow = if entry.deed == Deed::Arrive {
        token.flow
    } else {
        FlowId::NONE
    };
    Pending {
        action: Action::of(id, entry),
        task: Task::new(id, if entry.deed == Deed::Complete { 4 } else { 0 }, token.id.0),
        born: entry.born,
        template,
        node: token.node,
        at: token.node,
        flow,
    }
}

/// What the outside may do.
#[inline]
fn outside(core: &Core, template: u32, id: InstanceId, entry: &Entry) -> Pending {
    let (task, node, at) = match entry.deed {
        Deed::Fire => {
            let watcher = core.watchers.get(entry.slot);
            let at = match watcher.owner {
                Owner::Token(token) => core.tokens.get(token.0).node,
                Owner::Scope(_) => watcher.node,
            };
            (Task::new(id, 1, watcher.id.0), watcher.node, at)
        }
        Deed::Late => {
            let late = core.late.get(entry.slot);
            // A track may leave several answers behind.
            (Task::new(id, 2, entry.slot), late.node, late.node)
        }
        Deed::Step | Deed::Arrive | Deed::Complete => return inside(core, template, id, entry),
    };
    Pending {
        action: Action::of(id, entry),
        task,
        born: entry.born,
        template,
        node,
        at,
        flow: FlowId::NONE,
    }
}

fn bare(action: Action, task: Task, template: u32) -> Pending {
    Pending {
        action,
        task,
        born: 0,
        template,
        node: NodeId::NONE,
        at: NodeId::NONE,
        flow: FlowId::NONE,
    }
}
