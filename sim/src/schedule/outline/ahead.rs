//! How many actions are still to come from each position of a template.
//!
//! A token counts for what it and those that it will spawn have yet to do: a fork for all its branches, a decision for the
//! mean of them. What lies behind a join counts for each of its incoming flows in equal parts, so that branches together
//! count for it once. On an acyclic template that is exact wherever no decision is left; around a cycle the counts grow
//! with each round and are cut off.

use trackside_engine::NodeId;
use trackside_engine::instance::Grain;
use trackside_engine::template::{Awaits, Birth, Role, Template};
use trackside_engine::world::{Class, Pending};

/// One action, in the fixed point that counts are held in.
pub(crate) const UNIT: u64 = 1 << 10;

/// No count goes higher: cycles have no number of actions.
const CAP: u64 = UNIT << 20;

/// Cycles are followed this often.
const ROUNDS_MAX: usize = 64;

/// Which actions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interest {
    /// All.
    All,
    /// Arrivals at joins, and what ends or raises something beyond its own track.
    Meetings,
    /// Completions and firings: what the outside does.
    Outside,
}

impl Interest {
    pub(crate) const ALL: [Self; 3] = [Self::All, Self::Meetings, Self::Outside];

    /// Whether an action of this class at a node with this role counts.
    fn counts(self, class: Class, role: Role) -> bool {
        match self {
            Self::All => true,
            Self::Meetings => match class {
                Class::Arrival => role.joins,
                Class::Step => role.effect != trackside_engine::template::Effect::None,
                Class::Firing => role.interrupts,
                _ => false,
            },
            Self::Outside => matches!(class, Class::Completion | Class::Firing | Class::Late | Class::Clock),
        }
    }
}

/// What is to come from one node: from a token that arrives there, executes it, or waits there, and when a subscription
/// of it fires. Each with its own action, if that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    arrival: u64,
    step: u64,
    wait: u64,
    fire: u64,
    /// Whether these four actions count themselves, bit by bit.
    own: u8,
}

/// The counts of a template, under each interest.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    of: [Vec<Counts>; 3],
}

impl Ahead {
    pub(crate) fn of(template: &Template, grain: Grain) -> Self {
        let spots = spots(template);
        Self {
            of: Interest::ALL.map(|interest| count(template, &spots, grain, interest)),
        }
    }

    /// How many actions are to come from a pending one, itself included, in units.
    #[inline]
    pub(crate) fn to_come(&self, interest: Interest, pending: &Pending) -> u64 {
        let Some(counts) = self.of[interest as usize].get(pending.node.ix()) else {
            return UNIT;
        };
        match pending.action.class() {
            Class::Arrival => counts.arrival,
            Class::Step => counts.step,
            Class::Completion => counts.wait,
            Class::Firing => counts.fire,
            Class::Late | Class::Clock | Class::Data | Class::Control => UNIT,
        }
    }

    /// Whether a pending action counts itself.
    #[inline]
    pub(crate) fn counts(&self, interest: Interest, pending: &Pending) -> bool {
        let own = self.of[interest as usize].get(pending.node.ix()).map_or(0xf, |c| c.own);
        match pending.action.class() {
            Class::Arrival => own & 1 != 0,
            Class::Step => own & 2 != 0,
            Class::Completion => own & 4 != 0,
            Class::Firing => own & 8 != 0,
            Class::Late | Class::Clock | Class::Data | Class::Control => true,
        }
    }

    /// All actions of a run that begins like this, in units.
    pub(crate) fn of_birth(&self, interest: Interest, template: &Template, birth: Birth) -> u64 {
        let all = &self.of[interest as usize];
        match birth.node {
            Some(node) => all[node.ix()].step,
            None => entries(template, 0).map(|node| all[node.ix()].step).sum(),
        }
    }
}

/// What a token finds behind a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Split {
    /// One of the flows.
    One,
    /// Any of them, but not none.
    Some,
    /// All.
    All,
}

fn split(template: &Template, node: NodeId) -> Split {
    match template.node(node).element {
        "exclusiveGateway" | "eventBasedGateway" => Split::One,
        "inclusiveGateway" | "complexGateway" => Split::Some,
        _ => Split::All,
    }
}

/// Where a run of a scope begins.
fn entries(template: &Template, scope: u32) -> impl Iterator<Item = NodeId> {
    let inside = move |node: &NodeId| template.node(*node).scope.0 == scope;
    let start = template
        .node_ids()
        .filter(inside)
        .find(|&node| template.node(node).element == "startEvent");
    let source = move |&node: &NodeId| {
        let element = template.node(node).element;
        start.is_none() && template.incoming(node).is_empty() && element != "boundaryEvent"
    };
    start
        .into_iter()
        .chain(template.node_ids().filter(inside).filter(source))
}

/// The scopes that hosts open, by host. Event sub-processes are not entered, and count nothing.
fn bodies(template: &Template) -> Vec<Option<u32>> {
    let mut bodies = vec![None; template.node_ids().len()];
    let scopes: std::collections::BTreeSet<_> = template.node_ids().map(|node| template.node(node).scope).collect();
    for scope in scopes {
        if let Some(host) = template.scope(scope).host {
            bodies[host.ix()] = Some(scope.0);
        }
    }
    bodies
}

/// What does not change while counts go up.
struct Spot {
    role: Role,
    split: Split,
    gate: bool,
    waits: bool,
    /// Where runs of its body begin.
    entries: Vec<NodeId>,
}

fn spots(template: &Template) -> Vec<Spot> {
    let spot = |(node, body): (NodeId, Option<u32>)| Spot {
        role: template.role(node),
        split: split(template, node),
        gate: template.node(node).element == "eventBasedGateway",
        waits: waits(template, node),
        entries: body.map_or_else(Vec::new, |scope| entries(template, scope).collect()),
    };
    template.node_ids().zip(bodies(template)).map(spot).collect()
}

/// Whether a token that executes this node stays until a subscription of it fires.
fn waits(template: &Template, node: NodeId) -> bool {
    let element = template.node(node).element;
    let catches = !matches!(element, "startEvent" | "boundaryEvent");
    catches
        && matches!(
            template.awaits(node),
            Some(Awaits::Message(_) | Awaits::Signal(_) | Awaits::Timer | Awaits::Condition)
        )
}

struct Counting<'t> {
    template: &'t Template,
    spots: &'t [Spot],
    interest: Interest,
    grain: Grain,
    counts: Vec<Counts>,
}

fn count(template: &Template, spots: &[Spot], grain: Grain, interest: Interest) -> Vec<Counts> {
    let mut counting = Counting {
        template,
        spots,
        interest,
        grain,
        counts: vec![Counts::default(); spots.len()],
    };
    for _ in 0..ROUNDS_MAX.min(2 * spots.len() + 1) {
        let mut changed = false;
        for node in (0..spots.len() as u32).rev().map(NodeId) {
            let new = counting.node(node);
            changed |= std::mem::replace(&mut counting.counts[node.ix()], new) != new;
        }
        if !changed {
            break;
        }
    }
    counting.counts
}

impl Counting<'_> {
    fn node(&self, node: NodeId) -> Counts {
        let spot = &self.spots[node.ix()];
        let role = spot.role;
        let atomic = self.grain == Grain::Atomic;
        let counts = |class| {
            // There, arrivals belong to the step before, and some steps to their arrival.
            let apart = !atomic || class != Class::Arrival && (class != Class::Step || !role.prompt);
            apart && self.interest.counts(class, role)
        };
        let one = |class| u64::from(counts(class)) * UNIT;
        let after = self.after(node);
        let fire = one(Class::Firing) + after;
        let waits = if role.external {
            one(Class::Completion) + after
        } else if spot.gate {
            self.arms(node)
        } else if spot.waits {
            fire
        } else {
            after
        };
        let body: u64 = spot.entries.iter().map(|entry| self.counts[entry.ix()].step).sum();
        let step = (one(Class::Step) + waits + body).min(CAP);
        let shares = if role.joins {
            self.template.incoming(node).len() as u64
        } else {
            1
        };
        let own = [Class::Arrival, Class::Step, Class::Completion, Class::Firing]
            .into_iter()
            .zip(0..);
        Counts {
            arrival: (one(Class::Arrival) + step / shares).min(CAP),
            step,
            wait: (one(Class::Completion) + after).min(CAP),
            fire: fire.min(CAP),
            own: own.map(|(class, bit)| u8::from(counts(class)) << bit).sum(),
        }
    }

    /// What is to come when the token at a gate waits for one of its arms.
    fn arms(&self, gate: NodeId) -> u64 {
        let flows = self.template.outgoing(gate);
        let arms = flows
            .iter()
            .map(|&flow| self.counts[self.template.flow(flow).target.ix()].fire);
        arms.sum::<u64>() / flows.len().max(1) as u64
    }

    /// What is to come once a token has left `node`.
    fn after(&self, node: NodeId) -> u64 {
        let flows = self.template.outgoing(node);
        let sum: u64 = flows
            .iter()
            .map(|&flow| self.counts[self.template.flow(flow).target.ix()].arrival)
            .sum();
        let many = flows.len() as u64;
        match self.spots[node.ix()].split {
            Split::One => sum / many.max(1),
            // Of all non-empty sets, a flow is in a bit more than half.
            Split::Some if (2..32).contains(&many) => (sum << (many - 1)) / ((1 << many) - 1),
            Split::Some | Split::All => sum,
        }
        .min(CAP)
    }
}
