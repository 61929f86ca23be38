//! Which outgoing flows a token takes (TRK-8, XOR, ORS), over process data or as the free choice that was made (EVT-6).

use serde_json::Value;
use trackside_engine::expr::Program;
use trackside_engine::instance::{Conditions, FaultKind, Final};

use super::game::{Actor, Ending, Game, Judged};
use super::marking::{Doing, TokenRef};
use super::net::{FlowRef, Kind, NodeRef};

/// How a node chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// XOR: one flow.
    One,
    /// ORS: one or more.
    Some,
    /// TRK-8: what is unconditional, and some of the others.
    Uncontrolled,
    /// PAR-1: all.
    All,
    /// CPX-6, second phase: some or none, never the default.
    Any,
}

impl Game<'_> {
    /// The token executes its node and goes on by the rule of that node, or ends where there is no way out (TRK-9).
    pub(super) fn leave(&mut self, token: TokenRef) -> Judged {
        let node = self.m.token(token).node;
        if self.net.node(node).outgoing.is_empty() {
            // The second phase of a complex join that emits nothing executes nothing.
            if std::mem::take(&mut self.m.token_mut(token).resets) {
                self.end_token(token, Final::Ended);
            } else {
                self.end_here(token);
            }
            return Ok(());
        }
        if self.actor != Some(Actor::Token(token)) && self.hesitates(node) {
            self.m.token_mut(token).doing = Doing::Leaves;
            return Ok(());
        }
        let resets = std::mem::take(&mut self.m.token_mut(token).resets);
        let choice = match self.net.node(node).kind {
            Kind::Exclusive => Choice::One,
            Kind::Parallel => Choice::All,
            Kind::Complex(_) if resets => Choice::Any,
            Kind::Inclusive | Kind::Complex(_) => Choice::Some,
            _ => Choice::Uncontrolled,
        };
        let flows = if self.is_free(node, choice) {
            self.as_chosen(token, node, choice)?
        } else if let Some(flows) = self.by_conditions(token, node, choice) {
            flows
        } else {
            return Ok(());
        };
        if flows.is_empty() && choice == Choice::Any {
            self.end_token(token, Final::Ended);
            return Ok(());
        }
        if flows.is_empty() {
            // XOR-2, ORS-2, TRK-8.
            self.fault(FaultKind::NoFlow, None, Some(token));
            return Ok(());
        }
        self.go_on(token, &flows)
    }

    /// Whether a token that leaves within an action about something else has several ways to choose from: it chooses in a
    /// step of its own (EVT-6). Gateways leave in steps of their own anyway.
    fn hesitates(&self, node: NodeRef) -> bool {
        let here = self.net.node(node);
        let others = || here.outgoing.iter().filter(|&&flow| Some(flow) != here.default);
        let free = others()
            .filter(|&&flow| self.net.flow(flow).condition.is_some())
            .count();
        // Sets of free flows; the empty one counts where something else remains.
        let remains = here.default.is_some() || others().count() > free;
        self.options.conditions == Conditions::Symbolic && (free > 1 || free == 1 && remains)
    }

    /// Whether a free choice says where the token goes (EVT-6).
    fn is_free(&self, node: NodeRef, choice: Choice) -> bool {
        let here = self.net.node(node);
        let conditional = here
            .outgoing
            .iter()
            .any(|&flow| self.net.flow(flow).condition.is_some());
        let chooses = match choice {
            Choice::All => false,
            Choice::One | Choice::Some => true,
            Choice::Uncontrolled | Choice::Any => conditional || here.default.is_some(),
        };
        chooses && self.options.conditions == Conditions::Symbolic
    }

    /// By the conditions; `None` after a fault (EVT-8).
    fn by_conditions(&mut self, token: TokenRef, node: NodeRef, choice: Choice) -> Option<Vec<FlowRef>> {
        let here = self.net.node(node);
        if choice == Choice::All {
            return Some(here.outgoing.clone());
        }
        // CPX-6: a name of complex joins alone.
        let phase = ("waitingForStart", Value::Bool(choice != Choice::Any));
        let extra = if matches!(here.kind, Kind::Complex(_)) && self.net.is_join(node) {
            &[phase][..]
        } else {
            &[]
        };
        let mut flows = Vec::new();
        // XOR-3: a condition on the default flow is ignored.
        for &flow in here.outgoing.iter().filter(|&&flow| Some(flow) != here.default) {
            // XOR-5, ORS-3: a flow without a condition counts as true.
            let holds = match &self.net.flow(flow).condition {
                None => true,
                Some(condition) => self.holds(condition, extra, Some(token))?,
            };
            if holds {
                flows.push(flow);
            }
            // XOR-1.
            if holds && choice == Choice::One {
                break;
            }
        }
        if flows.is_empty() && choice != Choice::Any {
            flows.extend(here.default);
        }
        Some(flows)
    }

    /// Whether a condition holds; `None` after a fault (EVT-8).
    pub(super) fn holds(
        &mut self,
        condition: &Program,
        extra: &[(&str, Value)],
        blamed: Option<TokenRef>,
    ) -> Option<bool> {
        let holds = condition.holds(&self.m.data, extra);
        if holds.is_err() {
            self.fault(FaultKind::Expression, None, blamed);
        }
        holds.ok()
    }

    pub(super) fn fault(&mut self, kind: FaultKind, code: Option<String>, blamed: Option<TokenRef>) {
        self.end_instance(
            Ending::Faulted {
                kinds: vec![kind],
                code,
            },
            blamed,
        );
    }

    /// The flows that were taken, if they are ones that could be chosen (EVT-6).
    fn as_chosen(&mut self, token: TokenRef, node: NodeRef, choice: Choice) -> Judged<Vec<FlowRef>> {
        let track = self.track(token);
        let flows = self.evidence.ways_taken(self.net, track, node);
        let here = self.net.node(node);
        let conditional = |flow: &FlowRef| self.net.flow(*flow).condition.is_some();
        let others = here.outgoing.iter().copied().filter(|&flow| Some(flow) != here.default);
        let always: Vec<FlowRef> = others.filter(|flow| !conditional(flow)).collect();
        let has_default = here.default.is_some_and(|default| flows.contains(&default));
        let alone = flows.len() == 1;
        let has_always = always.iter().all(|flow| flows.contains(flow));
        let allowed = match choice {
            Choice::One => alone,
            Choice::Uncontrolled if !always.is_empty() => has_always && !has_default,
            Choice::Some | Choice::Uncontrolled => !flows.is_empty() && (!has_default || alone),
            Choice::Any => has_always && !has_default,
            Choice::All => flows.len() == here.outgoing.len(),
        };
        if allowed {
            return Ok(flows);
        }
        let ids: Vec<&str> = flows.iter().map(|&flow| self.net.flow(flow).id.as_str()).collect();
        let what = format!("a token can't leave along [{}] and nothing else", ids.join(", "));
        let rule = if choice == Choice::One { "XOR-1" } else { "ORS-1" };
        Err(self.violation("V6", rule, node, &what))
    }
}
