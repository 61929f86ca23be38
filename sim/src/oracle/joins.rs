//! Joins: parallel (PAR), inclusive (ORJ) and complex (CPX). They decide on the marking after a transition, all of them
//! until none does anything any more.

use std::collections::BTreeSet;

use trackside_engine::instance::{ComplexReset, Conditions, FaultKind, Final, Record};

use super::facts::Fact;
use super::game::{Ending, Game, Judged};
use super::marking::{Doing, RunRef, Token, TokenRef, Wave};
use super::net::{FlowRef, Kind, NodeRef, Triple};
use super::paths::{self, Position};

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
            self.facts.push(Fact::Trailing(token, flow));
            self.end_token(token, Final::Ended);
            return Ok(());
        }
        let order = self.m.next_parking();
        self.m.token_mut(token).doing = Doing::Parked(flow, order);
        self.arrived.push(token);
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
            for (run, join) in self.joins() {
                if self.ending.is_none() && self.m.runs.contains_key(&run) && !self.holds_survivor(run, join) {
                    done |= self.decide(run, join)?;
                }
            }
            if !done || self.ending.is_some() {
                return Ok(any);
            }
            any = true;
        }
    }

    /// The joins that hold a token or whose wave is open.
    fn joins(&self) -> Vec<(RunRef, NodeRef)> {
        let parked = self
            .m
            .tokens
            .values()
            .filter(|token| matches!(token.doing, Doing::Parked(..)));
        let mut joins: BTreeSet<(RunRef, NodeRef)> = parked.map(|token| (token.run, token.node)).collect();
        for (&run, known) in &self.m.runs {
            joins.extend(known.waves.keys().map(|&join| (run, join)));
        }
        // Which of several decides first shows only where one of them is a fault, and is read off the records.
        let mut joins: Vec<_> = joins.into_iter().collect();
        joins.sort_by_key(|&(run, join)| {
            let recorded = self.evidence.decision(self.m, run, join);
            (recorded.is_none(), recorded)
        });
        joins
    }

    fn decide(&mut self, run: RunRef, join: NodeRef) -> Judged<bool> {
        let net = self.net;
        let marked = self.marked(run, join);
        match &net.node(join).kind {
            // PAR-2: each incoming flow has a token.
            Kind::Parallel => {
                let complete = marked.len() == net.node(join).incoming.len();
                if complete {
                    self.join(run, join, &marked).map(|()| true)
                } else {
                    Ok(false)
                }
            }
            Kind::Inclusive => {
                let others = self.others(run, join);
                let fires = paths::inclusive_fires(net, join, self.options.or_join, &marked, &others);
                if fires {
                    self.join(run, join, &marked).map(|()| true)
                } else {
                    Ok(false)
                }
            }
            Kind::Complex(_) if self.m.run(run).waves.contains_key(&join) => self.close_wave(run, join),
            Kind::Complex(triples) if !marked.is_empty() => self.judge_triples(run, join, triples, &marked),
            _ => Ok(false),
        }
    }

    /// M: the incoming flows that hold a token.
    fn marked(&self, run: RunRef, join: NodeRef) -> BTreeSet<FlowRef> {
        let incoming = self.net.node(join).incoming.iter().copied();
        incoming.filter(|&flow| !self.m.queue(run, flow).is_empty()).collect()
    }

    /// Where the other live tokens of the run are. One that hosts a scope counts as being at its sub-process (ORJ-3).
    fn others(&self, run: RunRef, join: NodeRef) -> Vec<Position> {
        let of_run = self.m.tokens.values().filter(|token| token.run == run);
        let elsewhere = of_run.filter(|token| !(token.node == join && matches!(token.doing, Doing::Parked(..))));
        elsewhere
            .map(|token| match token.doing {
                Doing::Travels(flow) => Position::On(flow),
                _ => Position::At(token.node),
            })
            .collect()
    }

    /// A firing takes one token off each of these flows (PAR-2, ORJ-8, CPX-2). The arrival that completed it survives, else
    /// the earliest parked; which of the two it was is read off the record.
    fn join(&mut self, run: RunRef, join: NodeRef, flows: &BTreeSet<FlowRef>) -> Judged {
        let (names, m) = (self.evidence.names, &*self.m);
        // The same join of another run of its scope may fire in this transition too.
        let fired = self.evidence.take(|record| match record {
            Record::JoinFired { node, survivor, flows } if names.node(*node) == Ok(join) && m.is_in(run, *survivor) => {
                Some((*survivor, flows.clone()))
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
        let found: BTreeSet<FlowRef> = found.iter().filter_map(|&flow| names.flow(flow).ok()).collect();
        if found != *flows {
            return Err(self.violation(
                "V1",
                "GW-2",
                join,
                "it takes tokens of other flows than those that are marked",
            ));
        }
        let survivor = self
            .m
            .tracks
            .iter()
            .find(|(_, track)| **track == survivor)
            .map(|(&token, _)| token);
        let survivor = self.survivor(run, join, flows, survivor)?;
        self.facts.push(Fact::JoinFired {
            join,
            survivor,
            flows: flows.iter().copied().collect(),
        });
        self.consume(run, flows, survivor);
        Ok(())
    }

    /// Checks who survives: an arrival of this transition, or the earliest that was parked (PAR-3, ORJ-8, CPX-2).
    fn survivor(
        &self,
        run: RunRef,
        join: NodeRef,
        flows: &BTreeSet<FlowRef>,
        found: Option<TokenRef>,
    ) -> Judged<TokenRef> {
        let parked = flows.iter().flat_map(|&flow| self.m.queue(run, flow));
        let earliest = parked.clone().min_by_key(|&token| match self.m.token(token).doing {
            Doing::Parked(_, order) => order,
            _ => u32::MAX,
        });
        let allowed = |token: TokenRef| Some(token) == earliest || self.arrived.contains(&token);
        let mut candidates = parked.filter(|&token| Some(token) == found && allowed(token));
        candidates.next().ok_or_else(|| {
            self.violation(
                "V1",
                "ORJ-8",
                join,
                "neither an arrival nor the earliest of its tokens survives",
            )
        })
    }

    /// TRK-5: the others are absorbed before the join executes; surplus stays on its flow (GW-2).
    fn consume(&mut self, run: RunRef, flows: &BTreeSet<FlowRef>, survivor: TokenRef) {
        for &flow in flows {
            let queue = self.m.queue(run, flow);
            if !queue.contains(&survivor)
                && let Some(&first) = queue.first()
            {
                self.merge(first, survivor);
            }
        }
        self.m.token_mut(survivor).doing = Doing::Ready;
    }

    // ---- complex joins ----

    /// The unmarked incoming flows that some live token can still reach (CPX-4).
    fn still_reachable(&self, run: RunRef, join: NodeRef, marked: &BTreeSet<FlowRef>) -> BTreeSet<FlowRef> {
        let others = self.others(run, join).into_iter();
        let mut reached: BTreeSet<FlowRef> = others
            .flat_map(|position| paths::reachable(self.net, join, position))
            .collect();
        reached.retain(|flow| !marked.contains(flow));
        reached
    }

    /// CPX-2: fires as soon as one triple holds, else CPX-3 and CPX-4.
    fn judge_triples(
        &mut self,
        run: RunRef,
        join: NodeRef,
        triples: &[Triple],
        marked: &BTreeSet<FlowRef>,
    ) -> Judged<bool> {
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
                        used: marked.clone(),
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

    fn hopeless(&self, run: RunRef, join: NodeRef, triples: &[Triple], marked: &BTreeSet<FlowRef>) -> Faults {
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
    fn close_wave(&mut self, run: RunRef, join: NodeRef) -> Judged<bool> {
        let standard = self.options.complex_reset == ComplexReset::Standard;
        let wave = self.m.run(run).waves[&join].clone();
        let marked = self.marked(run, join);
        let reachable = self.still_reachable(run, join, &BTreeSet::new());
        let mut late = BTreeSet::new();
        for &flow in self
            .net
            .node(join)
            .incoming
            .iter()
            .filter(|flow| !wave.used.contains(flow))
        {
            if standard && marked.contains(&flow) {
                late.insert(flow);
            } else if !wave.trailed.contains(&flow) && reachable.contains(&flow) {
                return Ok(false);
            }
        }
        self.m.run_mut(run).waves.remove(&join);
        let names = self.evidence.names;
        // If it is not recorded, the comparison of facts will find that.
        let _ = self.evidence.take(|record| match record {
            Record::Rearmed { node } if names.node(*node) == Ok(join) => Some(()),
            _ => None,
        });
        self.facts.push(Fact::Rearmed(join));
        if !late.is_empty() {
            let survivor = self.unmerged(run, &late);
            let survivor = self.survivor(run, join, &late, survivor)?;
            self.consume(run, &late, survivor);
            self.m.token_mut(survivor).resets = true;
        }
        Ok(true)
    }

    /// The token of these flows that the engine did not merge: the survivor of a second phase has no record of its own.
    fn unmerged(&self, run: RunRef, flows: &BTreeSet<FlowRef>) -> Option<TokenRef> {
        let mut first = flows
            .iter()
            .filter_map(|&flow| self.m.queue(run, flow).first().copied());
        let merged = |token: TokenRef| {
            let track = self.track(token);
            self.evidence
                .all()
                .any(|record| matches!(record, Record::Merged { track: gone, .. } if *gone == track))
        };
        first.find(|&token| !merged(token))
    }
}
