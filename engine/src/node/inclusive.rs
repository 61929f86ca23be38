//! Inclusive gateways (ORS, ORJ).
//!
//! Configuration: none beyond the flows. State: two words, the number of incoming flows that hold a token and the number
//! of survivors that have not left yet, and the queue of each flow. Reachability is [`Cx::may_fire`]'s.

use super::exit::{self, Rule};
use super::{Build, Node};
use crate::ids::{FlowId, NodeId};
use crate::instance::{Cx, Phase, ScopeIx, TokenIx, mark};
use crate::model::{Gateway, NodeKind};
use crate::planted::planted;
use crate::template::Template;

#[derive(Debug)]
struct Inclusive {
    id: NodeId,
    /// The number of incoming flows; with several it is a join.
    inputs: u32,
}

/// The word that counts incoming flows with a token.
const FLOWS_MARKED: usize = 0;
/// The word that counts survivors that have not left.
const SURVIVORS: usize = 1;

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let inclusive = matches!(
        build.node.kind,
        NodeKind::Gateway {
            gateway: Gateway::Inclusive,
            ..
        }
    );
    let inputs = build.t.incoming(build.id).len() as u32;
    inclusive.then(|| Box::new(Inclusive { id: build.id, inputs }) as Box<dyn Node>)
}

impl Inclusive {
    /// ORJ-8: one token per marked flow is consumed.
    fn fire(&self, cx: &mut Cx<'_>, scope: ScopeIx, completing: Option<TokenIx>) {
        let t = cx.t;
        let mut marked = std::mem::take(&mut cx.core.taken);
        marked.clear();
        let flows = t.incoming(self.id);
        if cx.words(scope, self.id)[FLOWS_MARKED] == self.inputs {
            marked.extend_from_slice(flows);
        } else {
            marked.extend(flows.iter().filter(|&&f| cx.marked(scope, f)));
        }
        let (survivor, left) = cx.consume(scope, self.id, &marked, completing, true);
        cx.core.taken = marked;
        let words = cx.words(scope, self.id);
        words[FLOWS_MARKED] = left;
        words[SURVIVORS] += 1;
        if left == 0 {
            cx.stop_deciding(scope, self.id);
        }
        cx.ready(survivor);
    }
}

impl Node for Inclusive {
    fn place(&self) -> NodeId {
        self.id
    }

    fn passes(&self) -> bool {
        self.inputs < 2
    }

    fn words(&self) -> u32 {
        if self.inputs > 1 { 2 } else { 0 }
    }

    fn queues(&self) -> bool {
        self.inputs > 1
    }

    fn awaits_reachable(&self) -> bool {
        self.inputs > 1
    }

    fn ways(&self, t: &Template) -> u32 {
        exit::ways(t, self.id, Rule::Inclusive)
    }

    fn arrive(&self, cx: &mut Cx<'_>, token: TokenIx, flow: FlowId) {
        if self.inputs < 2 {
            return cx.ready(token);
        }
        let scope = cx.join_run(token);
        let first_on_flow = cx.park(token, flow, Phase::AwaitSync);
        cx.words(scope, self.id)[FLOWS_MARKED] += u32::from(first_on_flow);
        if !self.decide(cx, scope, Some(token)) {
            cx.keep_deciding(scope, self.id);
        }
    }

    fn decide(&self, cx: &mut Cx<'_>, scope: ScopeIx, completing: Option<TokenIx>) -> bool {
        let words = cx.words(scope, self.id);
        let (marked, survivors) = (words[FLOWS_MARKED], words[SURVIVORS]);
        // While a survivor is here its way out is open; ORJ-8 decides once it has left.
        if survivors > 0 || marked == 0 || !cx.is_whole() {
            mark!(cx.core, InclusiveSurvivorInside if survivors > 0 && marked > 0);
            return false;
        }
        planted!(cx, JoinStateSharedByPasses => if !cx.holds_any(scope, self.id) { return false });
        planted!(cx, LatchSurvivesRearming => if cx.is_latched(scope, self.id) { return false });
        if marked != self.inputs && !cx.may_fire(scope, self.id) {
            mark!(cx.core, InclusiveHeldUp);
            return false;
        }
        mark!(cx.core, InclusiveAllMarked if marked == self.inputs);
        mark!(cx.core, InclusiveByReach if marked != self.inputs);
        self.fire(cx, scope, completing);
        true
    }

    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        if self.inputs < 2 {
            return exit::leave(cx, token, Rule::Inclusive, Some(choice), &[]);
        }
        let scope = cx.join_run(token);
        planted!(cx, JoinStateSharedByPasses => super::planted::expect_one(&mut cx.words(scope, self.id)[SURVIVORS]));
        let words = cx.words(scope, self.id);
        words[SURVIVORS] -= 1;
        let surplus = words[FLOWS_MARKED] > 0;
        exit::leave(cx, token, Rule::Inclusive, Some(choice), &[]);
        if surplus && cx.core.end.is_none() {
            mark!(cx.core, InclusiveSurplusAgain);
            cx.keep_deciding(scope, self.id);
        }
    }
}
