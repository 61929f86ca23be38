//! The reference semantics that judges the engine, written from the rules alone.
//!
//! The oracle is a stranger: it reads the model, and knows the engine as anybody outside does, by actions, records and
//! tracks. It shares no code with the engine's nodes, templates, reachability or instances. It plays the token game on
//! a marking of its own, as plainly as possible (inclusive joins by literal path search), *follows* an engine from
//! transition to transition, and says where the two part. Where the rules leave a choice (which way out under symbolic
//! conditions, which of several receivers, which of two tokens survives), the choice is read off the records and
//! checked to be one of those that the rules allow.
//!
//! ```
//! use std::sync::Arc;
//! use trackside_engine::instance::Options;
//! use trackside_engine::model::notation;
//! use trackside_engine::template::{Compiled, compile};
//! use trackside_engine::world::{Part, World};
//! use trackside_sim::oracle::{Deed, Reference};
//!
//! let file = notation::parse("s > F > A* > J > e; F > B* > J")?;
//! let options = Options::default();
//! let mut reference = Reference::new(&file, 0, &Compiled::default(), &options)?;
//!
//! let mut world = World::new(options);
//! let process = world.add(Arc::new(compile(&file, &file.processes[0], &Compiled::default()).unwrap()));
//! let instance = world.start(process, 0, Default::default());
//! reference.follow(&world, instance, Deed::Start(0))?;
//! while let Some(action) = world.oldest(Part::All) {
//!     let label = world.label(action);
//!     world.apply(action)?;
//!     reference.follow(&world, instance, Deed::Action { label, outcome: action.outcome() })?;
//! }
//! assert!(reference.has_ended());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It judges V1 (firings of joins and the tokens they take), V2 (none too early), V3 (none too late), V4 (the end), V5
//! (what is enabled, and stuck), V6 (tokens) and, of V8 and V9, whatever shows in records: [`invariants`] check those
//! again from records and tracks alone. It does not judge *when* a timer is due, what external work writes into the
//! data, correlation between instances, nor the texts of faults. Models that it has no rules for are refused by name:
//! [`NotCovered`].

mod compare;
mod decision;
mod deed;
mod events;
mod evidence;
mod facts;
mod game;
pub mod invariants;
mod joins;
pub mod laws;
mod marking;
mod net;
mod nodes;
mod panel;
mod paths;
mod read;
mod scopes;
mod table;
mod triggers;
mod ways;

use trackside_engine::InstanceId;
use trackside_engine::instance::Options;
use trackside_engine::model::Definitions;
use trackside_engine::template::Compiled;
use trackside_engine::world::World;

pub use decision::{Place, inclusive_join_fires};
pub use deed::Deed;
pub use panel::Panel;
pub use read::NotCovered;

use deed::Shown;
use evidence::{Names, Records};
use game::Lists;
use marking::Marking;
use net::Net;
use paths::Paths;
use read::Reader;

/// Where the engine parts from the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{invariant} ({rule}) {}: {message}", node.as_deref().unwrap_or("-"))]
pub struct Violation {
    /// The invariant, such as `V2`.
    pub invariant: &'static str,
    /// The rule, or the first of several that may be concerned.
    pub rule: &'static str,
    /// The id of the element, where there is one.
    pub node: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl Violation {
    fn new(invariant: &'static str, rule: &'static str, node: Option<String>, message: String) -> Self {
        Self {
            invariant,
            rule,
            node,
            message,
        }
    }

    /// Something in the records that is not of the model.
    fn stray(what: &str) -> Self {
        Self::new("V6", "OBS-1", None, format!("{what} that is not of the model"))
    }
}

/// The reference semantics of one instance.
#[derive(Debug)]
pub struct Reference {
    net: Net,
    options: Options,
    marking: Marking,
    /// The engine's names, once there is an instance to read them off.
    names: Option<Names>,
    paths: Paths,
    lists: Lists,
}

impl Reference {
    /// A reference for the `process`-th process of a file, compiled with these settings and run with these options.
    ///
    /// # Errors
    ///
    /// [`NotCovered`] names what the oracle has no rules for.
    ///
    /// ```
    /// use trackside_engine::model::notation;
    /// use trackside_sim::oracle::Reference;
    ///
    /// let file = notation::parse("s > transaction T{a} > e").unwrap();
    /// let refused = Reference::new(&file, 0, &Default::default(), &Default::default()).unwrap_err();
    /// assert_eq!(refused.to_string(), "the oracle does not cover transaction: `T`");
    /// ```
    pub fn new(file: &Definitions, process: usize, settings: &Compiled, options: &Options) -> Result<Self, NotCovered> {
        let process = file.processes.get(process);
        let process = process.ok_or_else(|| NotCovered::new("a process that is not in the file", ""))?;
        let net = Reader { file, settings }.net(process.body)?;
        Ok(Self {
            net,
            options: *options,
            marking: Marking::default(),
            names: None,
            paths: Paths::default(),
            lists: Lists::default(),
        })
    }

    /// Begins anew, for another instance of the same model. Memory is kept, so that many short runs under one reference
    /// cost less than as many references.
    pub fn restart(&mut self) {
        self.marking.clear();
    }

    /// Follows the transition that `world` has just made and judges it. Every transition of the instance has to be
    /// followed, in order, with records kept, beginning with its start. After a violation the reference is of no more use.
    ///
    /// # Errors
    ///
    /// [`Violation`] if the rules do not allow the transition, or bring about something else.
    pub fn follow(&mut self, world: &World, instance: InstanceId, deed: Deed<'_>) -> Result<(), Violation> {
        let engine = world.instance(instance);
        if self.names.is_none() {
            self.names = Some(Names::read(&self.net, engine));
        }
        let birth = match deed {
            Deed::Start(birth) => engine.template().births().get(birth).copied(),
            _ => None,
        };
        let shown = Shown {
            records: Records::Of(instance, world.records()),
            tracks: engine.live_tracks(),
            end: engine.end(),
            data: Some(engine.data()),
        };
        self.play(shown, deed, birth)?;
        self.compare_enabled(world, instance)
    }

    /// The same for what is said to have happened: tracks, records and end, instead of those of a world. The instance
    /// must have been started under [`Self::follow`].
    ///
    /// # Errors
    ///
    /// [`Violation`] as above.
    pub fn follow_claim(&mut self, claim: &Seen<'_>, deed: Deed<'_>) -> Result<(), Violation> {
        let shown = Shown {
            records: Records::Claimed(claim.records),
            tracks: claim.tracks.iter().copied(),
            end: claim.end,
            data: None,
        };
        self.play(shown, deed, None)
    }

    /// Whether the instance has ended by the rules.
    pub fn has_ended(&self) -> bool {
        self.marking.ended
    }
}

/// What the engine shows after a transition.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'s> {
    /// The live tracks.
    pub tracks: &'s [trackside_engine::instance::TrackView],
    /// What it recorded of this instance in this transition.
    pub records: &'s [trackside_engine::instance::Record],
    /// How the instance has ended.
    pub end: Option<&'s trackside_engine::instance::End>,
}
