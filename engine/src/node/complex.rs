//! Complex gateways (CPX): a join that fires as soon as one of its activation triples holds.
//!
//! Configuration: the triples. State, in words: how many incoming flows hold a token, how many survivors have not left,
//! whether a wave is open (fired, late tokens still to come), whether the survivor here is that of a reset, and two bit
//! sets over the incoming flows, *used* by the wave and *trailed* (their late token has come). Beside them the queue of
//! each flow.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::exit::{self, Rule};
use super::{Build, Node};
use crate::expr::Program;
use crate::ids::{FlowId, NodeId};
use crate::instance::{ComplexReset, Conditions, Cx, FaultKind, Final, Phase, Record, ScopeIx, TokenIx, mark};
use crate::model::{Activation, Expression, Gateway, NodeKind};
use crate::planted::planted;
use crate::template::Template;

#[derive(Debug)]
struct Complex {
    id: NodeId,
    /// The number of incoming flows, where there are several.
    join: Option<usize>,
    triples: Vec<Triple>,
}

/// One activation triple (CPX-2).
#[derive(Debug)]
struct Triple {
    condition: Option<Program>,
    count: usize,
    required: Vec<FlowId>,
}

const FLOWS_MARKED: usize = 0;
const SURVIVORS: usize = 1;
const WAVE_OPEN: usize = 2;
const RESETTING: usize = 3;
/// First word of the bit sets.
const SETS: usize = 4;

/// The name that outgoing conditions may read (CPX-6).
const WAITING_FOR_START: &str = "waitingForStart";

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let NodeKind::Gateway {
        gateway: Gateway::Complex { activations, condition },
        ..
    } = &build.node.kind
    else {
        return None;
    };
    let flows = build.t.incoming(build.id).len();
    let join = (flows > 1).then_some(flows);
    let mut triples = Vec::new();
    if join.is_some() {
        let incoming = build.t.incoming(build.id).iter();
        let by_id = incoming.map(|&flow| (&*build.t.flow(flow).id, flow)).collect();
        triples.extend(activations.iter().map(|activation| triple(build, &by_id, activation)));
        if let (true, Some(condition)) = (activations.is_empty(), condition) {
            triples.extend(plain(build, condition));
        }
    }
    Some(Box::new(Complex {
        id: build.id,
        join,
        triples,
    }))
}

fn triple(build: &mut Build<'_, '_>, by_id: &BTreeMap<&str, FlowId>, activation: &Activation) -> Triple {
    let required = activation.required.iter().filter_map(|id| by_id.get(&**id).copied());
    let required = required.collect();
    let condition = activation
        .condition
        .as_ref()
        .and_then(|condition| build.program(condition));
    // The validator refuses counts out of range (CPX-7); whatever is here must only be safe.
    let count = activation
        .count
        .and_then(|n| usize::try_from(n).ok())
        .unwrap_or(usize::MAX);
    Triple {
        condition,
        count,
        required,
    }
}

/// CPX-8: `activationCount >= k` or `x1 + … + xn >= k`.
fn plain(build: &mut Build<'_, '_>, condition: &Expression) -> Option<Triple> {
    let flows = build.t.incoming(build.id);
    if let Some((count, needed)) = threshold(&condition.text, flows.len()) {
        return Some(Triple {
            condition: None,
            count,
            required: needed.into_iter().map(|rank| flows[rank]).collect(),
        });
    }
    build.error(
        "CPX-8",
        format!(
            "activation condition `{}` of `{}` is not of a form that is understood",
            condition.text, build.node.id
        ),
        "write `activationCount >= k`, `x1 + … + xn >= k` over the incoming flows, or trackside:activation elements",
    );
    None
}

/// The count that a plain activation condition asks for, and the ranks of the flows that it needs, at a gateway with so
/// many incoming flows; `None` for a form that is not understood.
pub(crate) fn threshold(text: &str, flows: usize) -> Option<(usize, BTreeSet<usize>)> {
    let bare = text.trim();
    let bare = bare
        .strip_prefix("${")
        .or_else(|| bare.strip_prefix("#{"))
        .and_then(|t| t.strip_suffix('}'))
        .unwrap_or(bare);
    let bare = bare.trim_start_matches('=');
    let (sum, bound) = bare
        .split_once(">=")
        .map(|(l, r)| (l, r, 0))
        .or_else(|| bare.split_once('>').map(|(l, r)| (l, r, 1)))
        .map(|(sum, bound, more)| Some((sum, bound.trim().parse::<usize>().ok()?.checked_add(more)?)))??;
    if sum.trim() == "activationCount" {
        return Some((bound, BTreeSet::new()));
    }
    let mut named = BTreeSet::new();
    for term in sum.split('+') {
        let number: usize = term.trim().strip_prefix('x')?.parse().ok()?;
        let rank = number.checked_sub(1).filter(|&rank| rank < flows)?;
        if !named.insert(rank) {
            return None;
        }
    }
    if named.len() == flows {
        Some((bound, BTreeSet::new()))
    } else {
        // Part of the flows: understood where all of them are needed.
        (named.len() == bound).then_some((bound, named))
    }
}

impl Complex {
    fn set_words(&self) -> usize {
        self.join.unwrap_or(0).div_ceil(32)
    }

    fn used(&self, cx: &mut Cx<'_>, scope: ScopeIx, rank: u32) -> bool {
        cx.words(scope, self.id)[SETS + rank as usize / 32] >> (rank % 32) & 1 == 1
    }

    fn trailed(&self, cx: &mut Cx<'_>, scope: ScopeIx, rank: u32) -> bool {
        cx.words(scope, self.id)[SETS + self.set_words() + rank as usize / 32] >> (rank % 32) & 1 == 1
    }

    fn fire(&self, cx: &mut Cx<'_>, scope: ScopeIx, flows: &[FlowId], completing: Option<TokenIx>) {
        let t = cx.t;
        let fires = cx.words(scope, self.id)[RESETTING] == 0;
        let (survivor, _) = cx.consume(scope, self.id, flows, completing, fires);
        let marked = t
            .incoming(self.id)
            .iter()
            .filter(|&&flow| cx.marked(scope, flow))
            .count() as u32;
        let words = cx.words(scope, self.id);
        words[FLOWS_MARKED] = marked;
        words[SURVIVORS] += 1;
        cx.ready(survivor);
    }

    /// Opens a wave with every flow that holds a token.
    fn open_wave(&self, cx: &mut Cx<'_>, scope: ScopeIx, completing: Option<TokenIx>) {
        let t = cx.t;
        let marked: Vec<FlowId> = t
            .incoming(self.id)
            .iter()
            .copied()
            .filter(|&f| cx.marked(scope, f))
            .collect();
        let words = cx.words(scope, self.id);
        words[WAVE_OPEN] = 1;
        for &flow in &marked {
            let rank = t.flow(flow).rank;
            words[SETS + rank as usize / 32] |= 1 << (rank % 32);
        }
        self.fire(cx, scope, &marked, completing);
        cx.keep_deciding(scope, self.id);
    }

    /// CPX-6: the wave closes when every unused flow has had its late token or can get none any more.
    fn close_wave(&self, cx: &mut Cx<'_>, scope: ScopeIx) -> bool {
        let t = cx.t;
        let flows = t.incoming(self.id);
        let standard = cx.core.options.complex_reset == ComplexReset::Standard;
        let (mut late, mut open) = (Vec::new(), Vec::new());
        for (rank, &flow) in (0..).zip(flows) {
            if self.used(cx, scope, rank) {
                continue;
            }
            if standard && cx.marked(scope, flow) {
                late.push(flow);
            } else if !self.trailed(cx, scope, rank) {
                open.push(flow);
            }
        }
        if cx.any_reachable(scope, self.id, open) {
            mark!(cx.core, ComplexWaveStaysOpen);
            return false;
        }
        mark!(cx.core, ComplexWaveCloses);
        cx.words(scope, self.id)[WAVE_OPEN] = 0;
        cx.words(scope, self.id)[SETS..].fill(0);
        let node = self.id;
        cx.record(|_| Record::Rearmed { node });
        if !late.is_empty() {
            mark!(cx.core, ComplexResetFires);
            cx.words(scope, self.id)[RESETTING] = 1;
            self.fire(cx, scope, &late, None);
        }
        true
    }

    /// A late token goes on as the survivor of a firing that takes nothing else.
    #[cfg(feature = "planted-faults")]
    fn refire(&self, cx: &mut Cx<'_>, scope: ScopeIx, token: TokenIx, flow: FlowId) {
        let (node, survivor) = (self.id, cx.track(token));
        cx.record(|_| Record::JoinFired {
            node,
            survivor,
            flows: vec![flow],
        });
        cx.words(scope, node)[SURVIVORS] += 1;
        cx.ready(token);
    }

    /// CPX-2..4, while no wave is open and something is parked.
    fn judge(&self, cx: &mut Cx<'_>, scope: ScopeIx, completing: Option<TokenIx>) -> bool {
        let t = cx.t;
        planted!(cx, LatchSurvivesRearming => if cx.is_latched(scope, self.id) { return false });
        let marked = cx.words(scope, self.id)[FLOWS_MARKED] as usize;
        let symbolic = cx.core.options.conditions == Conditions::Symbolic;
        for triple in &self.triples {
            if marked < triple.count || !triple.required.iter().all(|&flow| cx.marked(scope, flow)) {
                continue;
            }
            let holds = match &triple.condition {
                Some(condition) if !symbolic => cx.holds(None, self.id, condition, &[]),
                _ => Some(true),
            };
            match holds {
                Some(true) => {
                    mark!(cx.core, ComplexDecidesAgain if completing.is_none());
                    self.open_wave(cx, scope, completing);
                    return true;
                }
                Some(false) => {
                    mark!(cx.core, ComplexGuardFalse);
                }
                None => return false,
            }
        }
        let missing: Vec<FlowId> = t
            .incoming(self.id)
            .iter()
            .copied()
            .filter(|&f| !cx.marked(scope, f))
            .collect();
        #[cfg(feature = "planted-faults")]
        let marked = marked - usize::from(super::planted::is_overlooked(cx, scope, completing));
        let dead = |triple: &Triple, reachable: &[FlowId]| {
            marked + reachable.len() < triple.count
                || triple
                    .required
                    .iter()
                    .any(|f| missing.contains(f) && !reachable.contains(f))
        };
        // Nearly always what is easily told is enough for a triple to live on.
        let reachable = cx.surely_reachable(scope, self.id, missing.clone());
        if self.triples.iter().any(|triple| !dead(triple, &reachable)) && !reachable.is_empty() {
            return false;
        }
        let reachable = cx.still_reachable(scope, self.id, missing.clone());
        let id = &t.node(self.id).id;
        if self.triples.iter().all(|triple| dead(triple, &reachable)) {
            mark!(cx.core, ComplexDead);
            let message = format!("no activation of `{id}` can hold any more: {marked} arrived");
            cx.fault(FaultKind::ActivationUnsatisfiable, self.id, None, None, message, &[]);
        } else if reachable.is_empty() {
            mark!(cx.core, ComplexExhausted);
            let message = format!("nothing can arrive at `{id}` any more and no activation holds");
            cx.fault(FaultKind::ArrivalsExhausted, self.id, None, None, message, &[]);
        }
        false
    }
}

impl Node for Complex {
    fn place(&self) -> NodeId {
        self.id
    }

    fn passes(&self) -> bool {
        self.join.is_none()
    }

    fn words(&self) -> u32 {
        match self.join {
            Some(_) => (SETS + 2 * self.set_words()) as u32,
            None => 0,
        }
    }

    fn asks_ahead(&self) -> bool {
        self.join.is_some()
    }

    fn queues(&self) -> bool {
        self.join.is_some()
    }

    fn ways(&self, t: &Template) -> u32 {
        exit::ways(t, self.id, Rule::Inclusive)
    }

    fn arrive(&self, cx: &mut Cx<'_>, token: TokenIx, flow: FlowId) {
        if self.join.is_none() {
            return cx.ready(token);
        }
        let (track, scope) = (cx.track(token), cx.join_run(token));
        let rank = cx.t.flow(flow).rank;
        let open = cx.words(scope, self.id)[WAVE_OPEN] == 1;
        let silent = cx.core.options.complex_reset == ComplexReset::Silent;
        if open && silent && !self.used(cx, scope, rank) && !self.trailed(cx, scope, rank) {
            let node = self.id;
            planted!(cx, LateTokenParksForEver => return cx.strand(token, flow));
            let word = SETS + self.set_words() + rank as usize / 32;
            cx.words(scope, self.id)[word] |= 1 << (rank % 32);
            planted!(cx, TrailingTokenRefires => return self.refire(cx, scope, token, flow));
            mark!(cx.core, ComplexTrailing);
            cx.record(|_| Record::Trailing { track, flow, node });
            cx.end_track(token, Final::Ended);
            return;
        }
        mark!(cx.core, ComplexSecondOnUsedFlow if open && self.used(cx, scope, rank));
        let first_on_flow = cx.park(token, flow, Phase::AwaitSync);
        cx.words(scope, self.id)[FLOWS_MARKED] += u32::from(first_on_flow);
        if !self.decide(cx, scope, Some(token)) && cx.core.end.is_none() {
            cx.keep_deciding(scope, self.id);
        }
    }

    fn decide(&self, cx: &mut Cx<'_>, scope: ScopeIx, completing: Option<TokenIx>) -> bool {
        if cx.words(scope, self.id)[SURVIVORS] > 0 || !cx.is_whole() {
            return false;
        }
        let words = cx.words(scope, self.id);
        if words[WAVE_OPEN] == 1 {
            return self.close_wave(cx, scope);
        }
        if words[FLOWS_MARKED] == 0 {
            cx.stop_deciding(scope, self.id);
            return false;
        }
        planted!(cx, JoinStateSharedByPasses => if !cx.holds_any(scope, self.id) { return false });
        self.judge(cx, scope, completing)
    }

    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        if self.join.is_none() {
            return exit::leave(cx, token, Rule::Inclusive, Some(choice), &[]);
        }
        let scope = cx.join_run(token);
        planted!(cx, JoinStateSharedByPasses => super::planted::expect_one(&mut cx.words(scope, self.id)[SURVIVORS]));
        let words = cx.words(scope, self.id);
        words[SURVIVORS] -= 1;
        let reset = std::mem::replace(&mut words[RESETTING], 0) == 1;
        let extra = [(WAITING_FOR_START, Value::Bool(!reset))];
        if reset {
            exit::emit(cx, token, choice, &extra);
        } else {
            exit::leave(cx, token, Rule::Inclusive, Some(choice), &extra);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(usize, usize)>) {
        let found = threshold(text, 3).map(|(count, needed)| (count, needed.len()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn plain_activation_conditions_are_thresholds() {
        check("activationCount >= 2", Some((2, 0)));
        check("${activationCount > 1}", Some((2, 0)));
        check("x1 + x2 + x3 >= 2", Some((2, 0)));
        check("x1+x3 >= 2", Some((2, 2)));
        check("x1 + x3 >= 1", None);
        check("x1 + x1 >= 2", None);
        check("x4 >= 1", None);
        check("amount >= 2", None);
    }
}
