//! The observer of a run: what happened in its transitions, by their records.

use trackside_engine::instance::{Options, Record, Wait};
use trackside_engine::world::{Action, Class, Part, World};
use trackside_engine::{InstanceId, NodeId, WatcherId};

use super::families::Family;
use super::follow::Picture;
use super::rules::{OWN_RANKS, Own};
use super::words::{By, Cause, Ending, Join, Kind, State};
use super::{Coverage, Facts};

/// Follows one instance at a time; its memory serves the next one.
#[derive(Debug, Default)]
pub struct Observer {
    pub(super) instance: Option<InstanceId>,
    pub(super) picture: Picture,
    pub(super) moment: Moment,
    pub(super) ended: bool,
}

/// What the current transition has brought so far.
#[derive(Debug, Default)]
pub(super) struct Moment {
    /// What is ending tokens just now, where that is known.
    pub(super) cause: Option<Cause>,
    /// The host that is being interrupted.
    pub(super) host: Option<u32>,
    /// What was ended by something that only the end of the instance will tell, a bit for each state.
    pub(super) victims: u16,
    /// What could free a join, from what was seen last.
    pub(super) by: Option<By>,
    /// What freed the join that fired last.
    pub(super) freed_by: Option<By>,
    /// The joins that fired without an arrival.
    pub(super) resumed: Vec<(Join, NodeId)>,
    /// The subscriptions that got a signal.
    pub(super) heard: Vec<WatcherId>,
    /// Inclusive joins at which something parked, with their runs.
    pub(super) parked: Vec<(u32, NodeId)>,
    /// An arm of a gate has just been taken.
    pub(super) took_arm: bool,
}

impl Moment {
    fn clear(&mut self) {
        (self.cause, self.host, self.victims) = (None, None, 0);
        (self.by, self.freed_by, self.took_arm) = (None, None, false);
        self.resumed.clear();
        self.heard.clear();
        self.parked.clear();
    }

    /// Something that could free a join; the least ordinary one counts.
    pub(super) fn note(&mut self, by: By) {
        if self.by.is_none_or(|before| before < by) {
            self.by = Some(by);
        }
    }
}

impl Observer {
    /// Follows `instance` from its start on, which is the next transition that it is shown.
    pub fn begin(&mut self, facts: &Facts, options: &Options, instance: InstanceId) {
        self.instance = Some(instance);
        self.ended = false;
        self.picture.begin(facts, options);
    }

    /// Looks at the records of one transition. They have to be kept ([`Options::records`]), and every transition from the
    /// start on has to be shown.
    pub fn see(&mut self, facts: &Facts, records: &[(InstanceId, Record)], coverage: &mut Coverage) {
        self.picture.transition += 1;
        self.moment.clear();
        if self.picture.transition == 1 && facts.alternatives {
            own(coverage, Own::Ins8);
        }
        for (instance, record) in records {
            if Some(*instance) == self.instance {
                self.record(facts, record, coverage);
            } else if let Record::Clock { now } = record {
                self.picture.now = *now;
                coverage.hit(Family::Record.one(Kind::Clock.ix()));
            }
        }
        if !self.moment.parked.is_empty() {
            self.look_at_joins(facts, coverage);
        }
    }

    /// Looks at how the run has ended: stuck, or before its end, where it has none; and at the marks, in a build that has
    /// them.
    ///
    /// # Panics
    ///
    /// If the instance is not of this world.
    pub fn finish(&mut self, world: &World, coverage: &mut Coverage) {
        let Some(id) = self.instance.take() else { return };
        let instance = world.instance(id);
        for mark in instance.marks() {
            coverage.hit(Family::Marked.one(mark as usize));
        }
        if instance.end().is_some() {
            return;
        }
        // Neither cancellation nor an answer that is discarded makes anything go on.
        let enabled = world.enabled(Part::All).into_iter();
        let goes_on = |action: Action| !matches!(action.class(), Class::Control | Class::Late);
        if enabled.into_iter().any(goes_on) || instance.may_hear() {
            coverage.hit(Family::End.one(Ending::Bounded.ix()));
            return;
        }
        coverage.hit(Family::End.one(Ending::Stuck.ix()));
        if self.picture.runs.iter().any(|run| run.open && run.has(State::And)) {
            own(coverage, Own::Par5);
        }
        let waits = instance.waits();
        if waits
            .iter()
            .any(|wait| matches!(wait, Wait::Join { circle, .. } if !circle.is_empty()))
        {
            own(coverage, Own::Orj10);
        }
    }

    /// ORJ-3, ORJ-7: an inclusive join at which something parked still waits when the transition is whole.
    fn look_at_joins(&mut self, facts: &Facts, coverage: &mut Coverage) {
        let picture = &self.picture;
        for &(run, node) in &self.moment.parked {
            let counts = picture.runs[run as usize];
            let waits = |track: &&super::follow::Track| track.run == run && track.node == node;
            if !counts.open
                || !picture
                    .alive()
                    .any(|track| waits(&track) && track.state == Some(State::Or))
            {
                continue;
            }
            let others = [State::InTransit, State::Ready, State::Working, State::Catching];
            if counts.has(State::Hosting) && !others.iter().any(|&state| counts.has(state)) {
                own(coverage, Own::Orj3);
            }
            let mut coming = picture
                .alive()
                .filter(waits)
                .filter(|track| track.state == Some(State::InTransit));
            if coming.any(|track| picture.lanes[run as usize * facts.flows.len() + track.flow.ix()].queue == 0) {
                own(coverage, Own::Orj7);
            }
        }
    }
}

/// A rule was seen by the observer itself.
pub(super) fn own(coverage: &mut Coverage, rule: Own) {
    coverage.hit(Family::Rule.one(OWN_RANKS[rule.ix()]));
}
