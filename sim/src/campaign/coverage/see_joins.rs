//! What records say of joins: tokens that park, firings and by what they became possible, surplus, and waves of complex joins.

use trackside_engine::instance::OrJoin;
use trackside_engine::{FlowId, NodeId, TrackId};

use super::Coverage;
use super::facts::Facts;
use super::families::Family;
use super::follow::parked;
use super::observer::{Observer, own};
use super::rules::Own;
use super::words::{Freed, Join, State, Surplus, Unblocked, Wave};

impl Observer {
    pub(super) fn parked(
        &mut self,
        facts: &Facts,
        track: TrackId,
        flow: FlowId,
        node: NodeId,
        coverage: &mut Coverage,
    ) {
        let Some(join) = facts.node(node).join else { return };
        let run = self.picture.track(track).run;
        let lane = self.picture.lane(run, flow);
        let (behind, after, used) = (lane.queue > 0, lane.taken, lane.used);
        lane.queue += 1;
        if behind {
            coverage.hit(Family::Surplus.two(join.ix(), Surplus::Behind.ix()));
        } else if after {
            coverage.hit(Family::Surplus.two(join.ix(), Surplus::After.ix()));
        }
        if join == Join::Complex && used {
            coverage.hit(Family::Wave.one(Wave::Used.ix()));
        }
        if join == Join::Or {
            self.moment.parked.push((run, node));
        }
        let here = &mut self.picture.tracks[track.ix()];
        (here.surplus, here.flow, here.node) = (behind, flow, node);
        self.picture.set(track, Some(parked(join)));
    }

    pub(super) fn fired_join(
        &mut self,
        facts: &Facts,
        node: NodeId,
        survivor: TrackId,
        flows: &[FlowId],
        coverage: &mut Coverage,
    ) {
        let Some(join) = facts.node(node).join else { return };
        self.moment.freed_by = self.moment.by;
        let run = self.picture.track(survivor).run;
        for &flow in flows {
            let lane = self.picture.lane(run, flow);
            (lane.taken, lane.used) = (true, true);
        }
        if join == Join::Or {
            if self.picture.options().or_join == OrJoin::Conservative {
                own(coverage, Own::Orj2);
            }
            let counts = &self.picture.runs[run as usize];
            let about = [
                State::InTransit,
                State::Ready,
                State::Working,
                State::Catching,
                State::Hosting,
            ];
            if flows.len() == facts.into(node).len() && about.iter().any(|&state| counts.has(state)) {
                own(coverage, Own::Orj5);
            }
        }
        self.consumed(facts, survivor, node, coverage);
        self.goes_on(survivor, join);
    }

    /// The survivor of a join leaves its queue.
    fn goes_on(&mut self, survivor: TrackId, join: Join) {
        let here = *self.picture.track(survivor);
        if here.state == Some(parked(join)) {
            self.picture.unpark(here.run, here.flow);
            self.picture.set(survivor, Some(State::Ready));
        }
    }

    pub(super) fn consumed(&mut self, facts: &Facts, track: TrackId, node: NodeId, coverage: &mut Coverage) {
        let here = &mut self.picture.tracks[track.ix()];
        if std::mem::take(&mut here.surplus)
            && let Some(join) = facts.node(node).join
        {
            coverage.hit(Family::Surplus.two(join.ix(), Surplus::Consumed.ix()));
        }
    }

    pub(super) fn resumed(&mut self, facts: &Facts, track: TrackId, node: NodeId, coverage: &mut Coverage) {
        let Some(join) = facts.node(node).join else { return };
        self.goes_on(track, join);
        let unblocked = match join {
            Join::And => return,
            Join::Or => Unblocked::Or,
            Join::Complex => Unblocked::Complex,
        };
        if let Some(by) = self.moment.freed_by {
            coverage.hit(Family::Unblocked.two(unblocked.ix(), by.ix()));
        }
        for &(other, at) in &self.moment.resumed {
            if at != node {
                let freed = match (other, join) {
                    (Join::Or, Join::Or) => Freed::Ors,
                    (Join::Complex, Join::Complex) => Freed::Complexes,
                    _ => Freed::OrComplex,
                };
                coverage.hit(Family::Freed.one(freed.ix()));
            }
        }
        self.moment.resumed.push((join, node));
    }

    /// CPX-6. The record does not say in which run; where several are open, the wave of all is taken as closed.
    pub(super) fn rearmed(&mut self, facts: &Facts, node: NodeId) {
        let scope = facts.node(node).scope;
        let open = self
            .picture
            .runs
            .iter()
            .zip(0..)
            .filter(|(run, _)| run.open && run.scope == scope);
        let runs: Vec<u32> = open.map(|(_, run)| run).collect();
        for run in runs {
            for &flow in facts.into(node) {
                self.picture.lane(run, flow).used = false;
            }
        }
    }
}
