//! Joins: parallel (PAR), inclusive (ORJ) and complex (CPX). They decide on the marking after a transition, all of them
//! until none does anything any more.

use std::collections::BTreeSet;

use trackside_engine::FlowId;
use trackside_engine::instance::{ComplexReset, Conditions, FaultKind, Final, Record};

use super::evidence::Recorded;
use super::facts::Fact;
use super::game::{Ending, Game, Judged};
use super::marking::{Doing, RunRef, Token, TokenRef, Wave};
use super::net::{FlowRef, Kind, NodeRef, Triple};

/// What is wrong with a complex join that can't fire.
type Faults = Vec<FaultKind>;

impl Game<'_> {
    /// A token has arrived at a join: it parks, or, too late at a complex one, is consumed (CPX-6).
    pub(super) fn reach_join(&mut self, token: TokenRef, flow: FlowRef) -> Judged {
        let Token { node: join, run, .. } = *self.m.token(token);
        let silent = self.options.complex_reset == ComplexReset::Silent;
        if let Some(wave) = self.m.run_mut(run).waves.get_mut(&join)
            && silent
            && !wave.used.contains(&flow)
            && wave.trailed.insert(flow)
        {
            self.lists.facts.push(Fact::Trailing(token, flow));
            self.end_token(token, Final::Ended);
            return Ok(());
        }
        let order = self.m.next_parking();
        self.m.token_mut(token).doing = Doing::Parked(flow, order);
        self.lists.arrived.push(token);
        // Each arrival of the atomic grain is a transition of the other grain, and there the join has decided at once. It
        // shows only if what follows here ends the scope. Between parts of a transition nothing is decided (EVT-2), but a
        // parallel join decides nothing: its tokens are there or not.
        let may = self.parts == 0 || matches!(self.net.node(join).kind, Kind::Parallel);
        if may && !self.holds_survivor(run, join) && self.evidence.decision(self.m, run, join).is_some() {
            self.decide(run, join)?;
        }
        Ok(())
    }

    /// Lets every join decide until none does anything any more; says whether one did.
    pub(super) fn decide_joins(&mut self) -> Judged<bool> {
        let mut any = false;
        loop {
            let mut done = false;
            let joins = self.joins();
            for &(.., run, join) in &joins {
                if self.ending.is_none() && self.m.is_open(run) && !self.holds_survivor(run, join) {
                    done |= self.decide(run, join)?;
                }
            }
            self.lists.deciding = joins;
            if !done || self.ending.is_some() {
                return Ok(any);
            }
            any = true;
        }
    }

    /// The joins that hold a token or whose wave is open.
    fn joins(&mut self) -> Vec<(bool, Option<Recorded>, RunRef, NodeRef)> {
        let mut joins = std::mem::take(&mut self.lists.deciding);
        joins.clear();
        let parked = self
            .m
            .live()
            .filter(|(_, token)| matches!(token.doing, Doing::Parked(..)));
        joins.extend(parked.map(|(_, token)| (true, None, token.run, token.node)));
        for (run, known) in self.m.open_runs() {
            joins.extend(known.waves.keys().map(|&join| (true, None, run, join)));
        }
        // Which of several decides first shows only where one of them is a fault, and is read off the records.
        for (silent, recorded, run, join) in &mut joins {
            *recorded = self.evidence.decision(self.m, *run, *join);
            *silent = recorded.is_none();
        }
        joins.sort_unstable();
        joins.dedup();
        joins
    }

    fn decide(&mut self, run: RunRef, join: NodeRef) -> Judged<bool> {
        let marked = self.marked(run, join);
        let decided = self.decide_with(run, join, &marked);
        self.lists.marked = marked;
        decided
    }

    fn decide_with(&mut self, run: RunRef, join: NodeRef, marked: &[FlowRef]) -> Judged<bool> {
        let net = self.net;
        match &net.node(join).kind {
            // PAR-2: each incoming flow has a token.
            Kind::Parallel => {
                let complete = marked.len() == net.node(join).incoming.len();
                if complete {
                    self.join(run, join, marked).map(|()| true)
                } else {
                    Ok(false)
                }
            }
            Kind::Inclusive => {
                let (others, rule) = (self.m.others(run, join), self.options.or_join);
                if self.paths.inclusive_fires(net, join, rule, marked, others) {
                    self.join(run, join, marked).map(|()| true)
                } else {
                    Ok(false)
                }
            }
            Kind::Complex(_) if self.m.run(run).waves.contains_key(&join) => self.close_wave(run, join, marked),
            Kind::Complex(triples) if !marked.is_empty() => self.judge_triples(run, join, triples, marked),
            _ => Ok(false),
        }
    }

    /// M: the incoming flows that hold a token, in order.
    fn marked(&mut self, run: RunRef, join: NodeRef) -> Vec<FlowRef> {
        let mut marked = std::mem::take(&mut self.lists.marked);
        marked.clear();
        let at_join = self.m.of_run(run).filter(|(_, token)| token.node == join);
        marked.extend(at_join.filter_map(|(_, token)| match token.doing {
            Doing::Parked(flow, _) => Some(flow),
            _ => None,
        }));
        marked.sort_unstable();
        marked.dedup();
        marked
    }

    /// A firing takes one token off each of these flows (PAR-2, ORJ-8, CPX-2). The arrival that completed it survives, else
    /// the earliest parked; which of the two it was is read off the record.
    fn join(&mut self, run: RunRef, join: NodeRef, flows: &[FlowRef]) -> Judged {
        let (names, m) = (self.evidence.names, &*self.m);
        // The same join of another run of its scope may fire in this transition too.
        let fired = self.evidence.take(|record| match record {
            Record::JoinFired { node, survivor, flows } if names.is_node(*node, join) && m.is_in(run, *survivor) => {
                Some((*survivor, flows))
            }
            _ => None,
        });
        let Some((survivor, found)) = fired else {
            let rule = if matches!(self.net.node(join).kind, Kind::Parallel) {
                "PAR-2"
            } else {
                "ORJ-6"
            };
            return Err(self.violation("V3", rule, join, "its rule holds, and it does not fire"));
        };
        let marked = |flow: &FlowId| names.known_flow(*flow).is_some_and(|flow| flows.contains(&flow));
        if found.len() != flows.len() || !found.iter().all(marked) {
            return Err(self.violation(
                "V1",
                "GW-2",
                join,
                "it takes tokens of other flows than those that are marked",
            ));
        }
        let survivor = self.survivor(run, join, flows, self.m.called(survivor))?;
        self.lists.facts.push(Fact::JoinFired {
            join,
            survivor,
            flows: flows.to_vec(),
        });
        self.consume(run, flows, survivor);
        Ok(())
    }

    /// Checks who survives: an arrival of this transition, or the earliest that was parked (PAR-3, ORJ-8, CPX-2).
    fn survivor(&self, run: RunRef, join: NodeRef, flows: &[FlowRef], found: Option<TokenRef>) -> Judged<TokenRef> {
        let mut parked = flows.iter().flat_map(|&flow| self.m.parked(run, flow));
        let earliest = parked.clone().min().map(|(_, token)| token);
        let allowed = |token: TokenRef| Some(token) == earliest || self.lists.arrived.contains(&token);
        let survives = parked.find(|&(_, token)| Some(token) == found && allowed(token));
        survives.map(|(_, token)| token).ok_or_else(|| {
            self.violation(
                "V1",
                "ORJ-8",
                join,
                "neither an arrival nor the earliest of its tokens survives",
            )
        })
    }

    /// TRK-5: the others are absorbed before the join executes; surplus stays on its flow (GW-2).
    fn consume(&mut self, run: RunRef, flows: &[FlowRef], survivor: TokenRef) {
        let own = self.m.token(survivor).doing;
        for &flow in flows
            .iter()
            .filter(|&&flow| !matches!(own, Doing::Parked(on, _) if on == flow))
        {
            if let Some(first) = self.m.first_parked(run, flow) {
                self.merge(first, survivor);
            }
        }
        self.m.token_mut(survivor).doing = Doing::Ready;
    }

    // ---- complex joins ----

    /// The unmarked incoming flows that some live token can still reach (CPX-4).
    fn still_reachable(&mut self, run: RunRef, join: NodeRef, marked: &[FlowRef]) -> BTreeSet<FlowRef> {
        let mut reached = BTreeSet::new();
        for position in self.m.others(run, join) {
            reached.extend(self.paths.reachable(self.net, join, position));
        }
        reached.retain(|flow| !marked.contains(flow));
        reached
    }

    /// CPX-2: fires as soon as one triple holds, else CPX-3 and CPX-4.
    fn judge_triples(&mut self, run: RunRef, join: NodeRef, triples: &[Triple], marked: &[FlowRef]) -> Judged<bool> {
        for triple in triples {
            if marked.len() < triple.count || !triple.required.iter().all(|flow| marked.contains(flow)) {
                continue;
            }
            let holds = match &triple.guard {
                Some(guard) if self.options.conditions == Conditions::Data => self.holds(guard, &[], None),
                _ => Some(true),
            };
            match holds {
                Some(true) => {
                    let wave = Wave {
                        used: marked.iter().copied().collect(),
                        trailed: BTreeSet::new(),
                    };
                    self.join(run, join, marked)?;
                    self.m.run_mut(run).waves.insert(join, wave);
                    return Ok(true);
                }
                Some(false) => {}
                None => return Ok(true),
            }
        }
        let faults = self.hopeless(run, join, triples, marked);
        if faults.is_empty() {
            return Ok(false);
        }
        self.end_instance(
            Ending::Faulted {
                kinds: faults,
                code: None,
            },
            None,
        );
        Ok(true)
    }

    fn hopeless(&mut self, run: RunRef, join: NodeRef, triples: &[Triple], marked: &[FlowRef]) -> Faults {
        let reachable = self.still_reachable(run, join, marked);
        let dead = |triple: &Triple| {
            let comes = |flow: &FlowRef| marked.contains(flow) || reachable.contains(flow);
            marked.len() + reachable.len() < triple.count || !triple.required.iter().all(comes)
        };
        let mut faults = Faults::new();
        if triples.iter().all(dead) {
            faults.push(FaultKind::ActivationUnsatisfiable);
        }
        if reachable.is_empty() {
            faults.push(FaultKind::ArrivalsExhausted);
        }
        faults
    }

    /// CPX-6: re-arms when every unused flow has had its late token or can get none any more; under the standard reset
    /// the late tokens that wait are taken then, one per flow.
    fn close_wave(&mut self, run: RunRef, join: NodeRef, marked: &[FlowRef]) -> Judged<bool> {
        let standard = self.options.complex_reset == ComplexReset::Standard;
        let wave = self.m.run(run).waves[&join].clone();
        let reachable = self.still_reachable(run, join, &[]);
        let mut late = Vec::new();
        for &flow in self
            .net
            .node(join)
            .incoming
            .iter()
            .filter(|flow| !wave.used.contains(flow))
        {
            if standard && marked.contains(&flow) {
                late.push(flow);
            } else if !wave.trailed.contains(&flow) && reachable.contains(&flow) {
                return Ok(false);
            }
        }
        self.m.run_mut(run).waves.remove(&join);
        let names = self.evidence.names;
        // If it is not recorded, the comparison of facts will find that.
        let _ = self.evidence.take(|record| match record {
            Record::Rearmed { node } if names.is_node(*node, join) => Some(()),
            _ => None,
        });
        self.lists.facts.push(Fact::Rearmed(join));
        if !late.is_empty() {
            let survivor = self.unmerged(run, &late);
            let survivor = self.survivor(run, join, &late, survivor)?;
            self.consume(run, &late, survivor);
            self.m.token_mut(survivor).resets = true;
        }
        Ok(true)
    }

    /// The token of these flows that the engine did not merge: the survivor of a second phase has no record of its own.
    fn unmerged(&self, run: RunRef, flows: &[FlowRef]) -> Option<TokenRef> {
        let mut first = flows.iter().filter_map(|&flow| self.m.first_parked(run, flow));
        let merged = |token: TokenRef| {
            let track = self.track(token);
            self.evidence
                .records
                .iter()
                .any(|record| matches!(record, Record::Merged { track: gone, .. } if *gone == track))
        };
        first.find(|&token| !merged(token))
    }
}
