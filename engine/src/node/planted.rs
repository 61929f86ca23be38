//! What rooms do when a fault is planted and it takes more than a line.

use super::Occasion;
use super::boundary::Boundary;
use super::exit::{self, Rule};
use crate::ids::{FlowId, NodeId};
use crate::instance::{Cx, Owner, ScopeIx, TokenIx, WatcherIx, Withdrawal};
use crate::planted::planted;

/// Fault 9: a parallel join counts tokens. It fires with as many as it has flows, and takes one off each marked flow.
pub(super) fn join_by_count(cx: &mut Cx<'_>, join: NodeId, scope: ScopeIx, token: TokenIx) {
    let t = cx.t;
    let flows = t.incoming(join);
    let count = &mut cx.words(scope, join)[0];
    *count += 1;
    if (*count as usize) < flows.len() {
        return;
    }
    let marked: Vec<FlowId> = flows.iter().copied().filter(|&flow| cx.marked(scope, flow)).collect();
    let (survivor, _) = cx.consume(scope, join, &marked, Some(token), true);
    let left = flows.iter().map(|&flow| cx.queue(scope, flow).len).sum();
    cx.words(scope, join)[0] = left;
    cx.ready(survivor);
}

/// Fault 14: the run that keeps the state may have come and gone since the survivor was counted.
pub(super) fn expect_one(survivors: &mut u32) {
    *survivors = (*survivors).max(1);
}

/// Fault 16: the event of another arm, after the gate's token has gone, brings a token of its own.
pub(super) fn win_too(cx: &mut Cx<'_>, watcher: WatcherIx, token: TokenIx, arm: NodeId) -> TokenIx {
    let (parent, scope) = (cx.track(token), cx.token(token).scope);
    cx.disarm(watcher, Withdrawal::Taken);
    cx.born_at(scope, Some(parent), arm)
}

/// Fault 18: a boundary event fires whose host has gone.
pub(super) fn fire_without_host(cx: &mut Cx<'_>, watcher: WatcherIx, event: &Boundary, occasion: Occasion<'_>) {
    let Owner::Scope(scope) = cx.watcher(watcher).owner else {
        return;
    };
    let token = cx.born_at(scope, None, event.id);
    if event.interrupting {
        cx.disarm(watcher, Withdrawal::Taken);
    } else {
        cx.refire(watcher);
    }
    exit::leave(cx, token, Rule::Uncontrolled, occasion.choice, &[]);
}

/// Fault 27: the arrival that asks for a decision was not yet there when the tokens were counted.
pub(super) fn is_overlooked(cx: &mut Cx<'_>, scope: ScopeIx, arrival: Option<TokenIx>) -> bool {
    let first_on_flow = arrival.is_some_and(|token| {
        let flow = cx.token(token).flow;
        cx.queue(scope, flow).len == 1
    });
    planted!(cx, ComplexJoinSamplesTwice) && first_on_flow
}
