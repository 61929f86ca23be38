//! Errors and escalations that nobody catches, and catchers that nothing is raised for (ERR-4, ESC-1).
//!
//! What is raised climbs scopes: at each level the event sub-processes of the scope come first, then the boundary events
//! of its activity; the same code, or a catcher of every code. Inside an interrupting event sub-process the other
//! handlers of the scope around it are gone already.
//!
//! *Never raised* is decided by what can raise. Error and escalation events raise their codes. External work (user,
//! service and business rule tasks, receive tasks, call activities, and every task that hosts a boundary event) may raise
//! any error, so that around it no catcher of errors is called idle; it raises no escalations, but for a called process.
//! Tasks that run by themselves raise nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::model::{EventDefinition, FlowNode, NodeKind, TaskKind, Trigger};

use super::index::{Handled, Index, NodeIx, ScopeIx, Spot};
use super::report::{Report, called};

/// ERR-4, ESC-1.
pub(super) fn check(index: &Index<'_>, report: &mut Report) {
    for kind in [Kind::Error, Kind::Escalation] {
        let mut climb = Climb::new(index, kind);
        climb.run(report);
        climb.idle_catchers(report);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Error,
    Escalation,
}

/// What is raised or caught: a code, or, for a catcher, every code.
type Code<'m> = Option<&'m str>;

/// One walk over the scopes of a file, outer before inner.
struct Climb<'i, 'm> {
    index: &'i Index<'m>,
    kind: Kind,
    /// The scopes directly inside each scope.
    inner: Vec<Vec<ScopeIx>>,
    /// What event sub-processes of each scope catch.
    handlers: Vec<Vec<Code<'m>>>,
    /// How many catchers around the place of the walk match each code.
    around: BTreeMap<Code<'m>, usize>,
    /// Scopes are numbered as the walk enters them: all that is inside a scope is one range.
    inside: Vec<Range<u32>>,
    /// Numbers of the scopes in which each code is raised, in ascending order.
    raised: BTreeMap<Code<'m>, Vec<u32>>,
    /// The same for all codes together.
    raised_all: Vec<u32>,
    /// Numbers of the scopes in which any code may be raised, in ascending order.
    anything: Vec<u32>,
    entered: u32,
}

enum Step<'m> {
    Enter(ScopeIx),
    Leave(ScopeIx),
    Release(Vec<Code<'m>>),
}

impl<'i, 'm> Climb<'i, 'm> {
    fn new(index: &'i Index<'m>, kind: Kind) -> Self {
        let scopes = index.scopes().len();
        let mut climb = Self {
            index,
            kind,
            inner: vec![Vec::new(); scopes],
            handlers: vec![Vec::new(); scopes],
            around: BTreeMap::new(),
            inside: vec![0..0; scopes],
            raised: BTreeMap::new(),
            raised_all: Vec::new(),
            anything: Vec::new(),
            entered: 0,
        };
        for scope in index.scopes() {
            let Some(parent) = index.area(scope).parent else {
                continue;
            };
            climb.inner[parent.ix()].push(scope);
            if let Some((_, code)) = climb.start_of(scope) {
                climb.handlers[parent.ix()].push(code);
            }
        }
        climb
    }

    /// The start event of an event sub-process, if it catches what this is about.
    fn start_of(&self, scope: ScopeIx) -> Option<(&'m FlowNode, Code<'m>)> {
        self.is_handler(scope).then_some(())?;
        let starts = self.index.nodes_of(scope).map(|ix| self.index.node(ix));
        let mut starts = starts.filter(|node| matches!(node.kind, NodeKind::Start { .. }));
        let start = starts.next()?;
        Some((start, self.caught(start)?))
    }

    fn is_handler(&self, scope: ScopeIx) -> bool {
        let host = self.index.area(scope).host;
        host.is_some_and(|host| self.index.spot(host).handles())
    }

    /// Whether the scope around is stopped when this one begins.
    fn interrupts(&self, scope: ScopeIx) -> bool {
        let mut starts = self
            .index
            .nodes_of(scope)
            .filter_map(|ix| match &self.index.node(ix).kind {
                NodeKind::Start {
                    interrupting, events, ..
                } => Some(*interrupting || matches!(events.as_slice(), [e] if matches!(e.trigger, Trigger::Error(_)))),
                _ => None,
            });
        self.is_handler(scope) && starts.next().unwrap_or(true)
    }

    /// What a catching event catches.
    fn caught(&self, node: &'m FlowNode) -> Option<Code<'m>> {
        let (NodeKind::Start { events, .. } | NodeKind::Boundary { events, .. }) = &node.kind else {
            return None;
        };
        match events.as_slice() {
            [event] => self.code(event),
            _ => None,
        }
    }

    fn code(&self, event: &'m EventDefinition) -> Option<Code<'m>> {
        match (self.index.handled(&event.trigger)?, self.kind) {
            (Handled::Error(code), Kind::Error) | (Handled::Escalation(code), Kind::Escalation) => Some(code),
            _ => None,
        }
    }

    fn at_boundary(&self, host: Option<NodeIx>) -> Vec<Code<'m>> {
        let boundaries = host.map_or(&[][..], |host| &self.index.spot(host).boundaries);
        boundaries
            .iter()
            .filter_map(|&ix| self.caught(self.index.node(ix)))
            .collect()
    }

    /// Walks over all scopes and reports what is caught nowhere.
    fn run(&mut self, report: &mut Report) {
        let roots = self
            .index
            .scopes()
            .filter(|&scope| self.index.area(scope).parent.is_none());
        let mut steps: Vec<Step<'m>> = roots.map(Step::Enter).collect();
        steps.reverse();
        while let Some(step) = steps.pop() {
            match step {
                Step::Release(codes) => self.release(codes),
                Step::Leave(scope) => self.inside[scope.ix()].end = self.entered,
                Step::Enter(scope) => {
                    self.inside[scope.ix()].start = self.entered;
                    self.catch(self.at_boundary(self.index.area(scope).host));
                    self.catch(self.handlers[scope.ix()].clone());
                    self.raise(scope, report);
                    self.entered += 1;
                    self.push_steps(scope, &mut steps);
                }
            }
        }
    }

    /// What comes after entering a scope, last first.
    fn push_steps(&self, scope: ScopeIx, steps: &mut Vec<Step<'m>>) {
        let handlers = &self.handlers[scope.ix()];
        let (alone, among) = self.inner[scope.ix()]
            .iter()
            .partition::<Vec<_>, _>(|s| self.interrupts(**s));
        steps.push(Step::Leave(scope));
        steps.push(Step::Release(self.at_boundary(self.index.area(scope).host)));
        steps.extend(alone.into_iter().rev().copied().map(Step::Enter));
        steps.push(Step::Release(handlers.clone()));
        steps.extend(among.into_iter().rev().copied().map(Step::Enter));
    }

    fn catch(&mut self, codes: Vec<Code<'m>>) {
        for code in codes {
            *self.around.entry(code).or_default() += 1;
        }
    }

    fn release(&mut self, codes: Vec<Code<'m>>) {
        for code in codes {
            if let Some(count) = self.around.get_mut(&code) {
                *count -= 1;
            }
        }
    }

    fn is_caught(&self, code: Code<'m>) -> bool {
        let any = |code| self.around.get(&code).is_some_and(|&count| count > 0);
        any(None) || code.is_some() && any(code)
    }

    fn raise(&mut self, scope: ScopeIx, report: &mut Report) {
        for ix in self.index.nodes_of(scope) {
            let spot = self.index.spot(ix);
            if may_raise_anything(spot, self.kind) && self.anything.last() != Some(&self.entered) {
                self.anything.push(self.entered);
            }
            let (NodeKind::End { events } | NodeKind::Throw { events }) = &spot.node.kind else {
                continue;
            };
            let codes: BTreeSet<_> = events.iter().filter_map(|event| self.code(event)).collect();
            for code in codes {
                if !self.is_caught(code) {
                    self.uncaught(spot.node, code, report);
                }
                self.raised.entry(code).or_default().push(self.entered);
                self.raised_all.push(self.entered);
            }
        }
    }

    fn uncaught(&self, node: &FlowNode, code: Code<'m>, report: &mut Report) {
        let code = code.map_or_else(|| "without a code".to_owned(), |code| format!("`{code}`"));
        let node_called = called(node);
        match self.kind {
            Kind::Error => {
                let message = format!("{node_called} raises error {code}, which nothing catches: the instance faults");
                let hint = "catch it with a boundary event or an event sub-process around it, if that is not meant";
                report.warning("ERR-4", node, message, hint);
            }
            Kind::Escalation => {
                let message =
                    format!("{node_called} raises escalation {code}, which nothing catches: it has no effect");
                let hint = "catch it with a boundary event or an event sub-process around it, or remove it";
                report.warning("ESC-1", node, message, hint);
            }
        }
    }

    /// Reports catchers that nothing is raised for.
    fn idle_catchers(&self, report: &mut Report) {
        for (_, spot) in self.index.spots() {
            let body = spot.body.map(|body| self.inside[body.ix()].clone());
            for &boundary in &spot.boundaries {
                let node = self.index.node(boundary);
                let Some(code) = self.caught(node) else { continue };
                let busy = match &body {
                    Some(inside) => self.raises(inside, code) > 0,
                    None => may_raise_anything(spot, self.kind),
                };
                if !busy {
                    self.idle(node, code, &format!("in {}", called(spot.node)), report);
                }
            }
        }
        for scope in self.index.scopes() {
            let (Some((start, code)), Some(around)) = (self.start_of(scope), self.index.area(scope).parent) else {
                continue;
            };
            let all = self.raises(&self.inside[around.ix()], code);
            if all == self.raises(&self.inside[scope.ix()], code) {
                self.idle(start, code, "in the scope around it", report);
            }
        }
    }

    /// How often something inside a range of scopes may raise what `code` catches.
    fn raises(&self, inside: &Range<u32>, code: Code<'m>) -> usize {
        let within = |numbers: &[u32]| {
            let below = |bound: u32| numbers.partition_point(|&number| number < bound);
            below(inside.end) - below(inside.start)
        };
        let of_code = match code {
            Some(_) => self.raised.get(&code).map_or(0, |numbers| within(numbers)),
            None => within(&self.raised_all),
        };
        of_code + within(&self.anything)
    }

    fn idle(&self, node: &FlowNode, code: Code<'m>, place: &str, report: &mut Report) {
        let (rule, what) = match self.kind {
            Kind::Error => ("ERR-4", "error"),
            Kind::Escalation => ("ESC-1", "escalation"),
        };
        let what = code.map_or_else(|| format!("any {what}"), |code| format!("{what} `{code}`"));
        let message = format!("{} never catches anything: nothing {place} raises {what}", called(node));
        report.warning(rule, node, message, "correct the code, or remove the event");
    }
}

/// Whether what runs here, beside what is drawn, may raise any code of this kind.
fn may_raise_anything(spot: &Spot<'_>, kind: Kind) -> bool {
    match &spot.node.kind {
        NodeKind::Call { .. } => true,
        NodeKind::Task { task, .. } if kind == Kind::Error => match task {
            TaskKind::User | TaskKind::Service | TaskKind::BusinessRule | TaskKind::Receive => true,
            // BND-11.
            TaskKind::Abstract | TaskKind::Manual | TaskKind::Script | TaskKind::Send => !spot.boundaries.is_empty(),
        },
        _ => false,
    }
}
