//! The panel: all judges of one run behind one small interface.

use trackside_engine::InstanceId;
use trackside_engine::instance::Options;
use trackside_engine::model::Definitions;
use trackside_engine::template::Compiled;
use trackside_engine::world::World;

use super::invariants::Invariants;
use super::{Deed, NotCovered, Reference, Violation, laws};

/// All judges of the runs of one model under one set of options. It is made once, and restarted for every run.
///
/// One instance is judged by the reference and by the invariants. If an event starts further instances, what they say to
/// one another is not the reference's: from then on every instance is judged by the invariants alone, and
/// [`Self::has_company`] says so. Where the reference has no rules for a model, [`Self::not_covered`] says why, and the
/// invariants judge alone.
///
/// ```
/// use std::sync::Arc;
/// use trackside_engine::model::notation;
/// use trackside_engine::template::{Compiled, compile};
/// use trackside_engine::world::{Part, World};
/// use trackside_sim::oracle::{Deed, Panel};
/// use trackside_sim::schedule::{Random, Strategy};
///
/// let file = notation::parse("s > F > A* > J > e; F > B* > J").unwrap();
/// let (settings, options) = (Compiled::default(), Default::default());
/// let mut world = World::new(options);
/// world.add(Arc::new(compile(&file, &file.processes[0], &settings).unwrap()));
/// let mut panel = Panel::new(&file, 0, &settings, &options);
/// assert!(panel.not_covered().is_none());
/// for seed in 0..10 {
///     world.reset();
///     panel.restart();
///     let instance = world.start(0, 0, Default::default());
///     panel.observe(&world, instance, Deed::Start(0))?;
///     let mut strategy = Random::new(seed);
///     while let Some(action) = strategy.choose(&world, Part::All) {
///         let deed = Deed::of(&world, action);
///         world.apply(action)?;
///         panel.observe(&world, instance, deed)?;
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Panel {
    reference: Result<Reference, NotCovered>,
    /// By instance, of those that this run has met.
    invariants: Vec<Invariants>,
    company: bool,
    /// Every so many transitions there is an audit; none if 0.
    audit_every: u64,
}

impl Panel {
    /// The judges of the `process`-th process of a file, compiled with these settings and run with these options. Records
    /// have to be kept.
    pub fn new(file: &Definitions, process: usize, settings: &Compiled, options: &Options) -> Self {
        Self {
            reference: Reference::new(file, process, settings, options),
            invariants: Vec::new(),
            company: false,
            audit_every: 0,
        }
    }

    /// The same with an audit (V10) after every `transitions`-th transition of the world; 0 is never. One costs as much as
    /// some tens of transitions.
    #[must_use]
    pub fn audit_every(mut self, transitions: u64) -> Self {
        self.audit_every = transitions;
        self
    }

    /// What the reference has no rules for, if it does not take part.
    pub fn not_covered(&self) -> Option<&NotCovered> {
        self.reference.as_ref().err()
    }

    /// Whether there is more than one instance in this run, so that the reference does not judge any more.
    pub fn has_company(&self) -> bool {
        self.company
    }

    /// Whether the reference judges.
    pub fn is_complete(&self) -> bool {
        self.reference.is_ok() && !self.company
    }

    /// A new run begins. Memory is kept.
    pub fn restart(&mut self) {
        self.company = false;
        if let Ok(reference) = &mut self.reference {
            reference.restart();
        }
        self.invariants.iter_mut().for_each(Invariants::restart);
    }

    /// Judges the transition that `world` has just made, by `deed`. Every one has to be observed, in order, beginning with
    /// the start of `instance`, the first of the world. After a violation nothing more is to be asked before a restart.
    ///
    /// # Errors
    ///
    /// [`Violation`] says which judge objects to what.
    pub fn observe(&mut self, world: &World, instance: InstanceId, deed: Deed<'_>) -> Result<(), Violation> {
        self.company |= world.instances().nth(1).is_some();
        if let (Ok(reference), false) = (&mut self.reference, self.company) {
            reference.follow(world, instance, deed)?;
        }
        for (id, shown) in world.instances() {
            let own = world.records().iter().filter(|(of, _)| *of == id);
            let records = own.map(|(_, record)| record);
            self.of(id).observe(records, shown.live_tracks(), shown.end())?;
        }
        if self.audit_every > 0 && world.transitions().is_multiple_of(self.audit_every) {
            laws::audit(world.instance(instance))?;
        }
        Ok(())
    }

    fn of(&mut self, instance: InstanceId) -> &mut Invariants {
        let at = instance.ix();
        if at >= self.invariants.len() {
            self.invariants.resize_with(at + 1, Invariants::default);
        }
        &mut self.invariants[at]
    }
}
