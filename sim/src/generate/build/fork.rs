//! Splits with their joins, and the activations of complex ones.

use trackside_engine::model::{Activation, Gateway, NodeKind};

use super::super::plan::{Choice, Fork, Form, Join, Split, Triple};
use super::node::{Name, Port, condition, flow_id, mark};
use super::{Around, Builder, NOWHERE};

/// Flows that an activation can require: one for each bit.
const REQUIRED_MAX: usize = 8;

impl Builder {
    pub(super) fn fork(&mut self, around: Around, fork: &Fork, from: Port) -> Port {
        if fork.branches.len() < 2 {
            let branches = fork.branches.iter();
            return branches.fold(from, |from, block| self.block(around, block, from));
        }
        let join = suitable(fork.split, fork.join);
        let flows = fork.branches.len();
        let partial = join == Join::Complex && fork.triples.iter().any(|triple| count(*triple, flows) < flows);
        // Late tokens may go on beside the one that fired.
        if partial {
            return self.wrapped(around, from, |builder, around, from| {
                builder.branches(around, fork, join, from)
            });
        }
        self.branches(around, fork, join, from)
    }

    fn branches(&mut self, around: Around, fork: &Fork, join: Join, from: Port) -> Port {
        let split = match fork.split {
            Split::Parallel => self.gateway(around, "and", Gateway::Parallel),
            Split::Exclusive => self.gateway(around, "xor", Gateway::Exclusive),
            Split::Inclusive => self.gateway(around, "or", Gateway::Inclusive),
            Split::Complex => self.gateway(around, "complex", complex()),
            Split::ImplicitAll | Split::ImplicitSome => self.task(around),
        };
        self.flow(around, from, split);
        let choice = match (fork.split, fork.choice.form) {
            (Split::Parallel | Split::ImplicitAll, _) => Choice::BARE,
            // Only what asks for trouble leaves a choice without a way out; blocks don't.
            (_, Form::Open | Form::Mixed) => Choice {
                form: Form::Default,
                ..fork.choice
            },
            _ => fork.choice,
        };
        let open = self.open.len();
        for (n, block) in fork.branches.iter().enumerate() {
            let way = Port {
                from: split,
                mark: mark(choice, n),
            };
            let last = self.block(around, block, way);
            self.open.push(last);
        }
        match join {
            Join::Exclusive | Join::Implicit => self.merge(around, join, open),
            Join::Parallel | Join::Inclusive | Join::Complex => self.join(around, join, &fork.triples, open),
        }
    }

    /// All open ways from the `open`-th on into one that waits for them.
    fn join(&mut self, around: Around, join: Join, triples: &[Triple], open: usize) -> Port {
        let name = match join {
            Join::Complex => self.gateway(around, "complex", complex()),
            Join::Inclusive => self.gateway(around, "or", Gateway::Inclusive),
            _ => self.gateway(around, "and", Gateway::Parallel),
        };
        let first = self.flows + 1;
        for index in open..self.open.len() {
            self.flow(around, self.open[index], name);
        }
        let incoming: Vec<u32> = (first..=self.flows).collect();
        self.open.truncate(open);
        if join == Join::Complex {
            // One of them must hold in the end, whatever the data.
            let safe = !triples.is_empty() && triples.iter().all(|triple| triple.guard.is_some());
            self.activate(around, name, triples, &incoming, safe);
        }
        name.into()
    }

    /// Gives a complex join its activations; the first of them loses its guard if it has to be safe.
    pub(super) fn activate(&mut self, around: Around, name: Name, triples: &[Triple], incoming: &[u32], safe: bool) {
        let all = Triple {
            count: incoming.len() as u8 - 1,
            required: 0,
            guard: None,
        };
        let triples = if triples.is_empty() { &[all] } else { triples };
        let activation = |(n, triple): (usize, &Triple)| Activation {
            at: NOWHERE,
            count: i64::try_from(count(*triple, incoming.len())).ok(),
            required: required(*triple, incoming).map(flow_id).collect(),
            condition: triple.guard.filter(|_| n > 0 || !safe).map(condition),
        };
        let written = triples.iter().enumerate().map(activation).collect();
        let nodes = &mut self.scopes[around.scope.0 as usize].nodes;
        if let NodeKind::Gateway {
            gateway: Gateway::Complex { activations, .. },
            ..
        } = &mut nodes[name.at as usize].kind
        {
            *activations = written;
        }
    }
}

pub(super) const fn complex() -> Gateway {
    Gateway::Complex {
        activations: Vec::new(),
        condition: None,
    }
}

/// A join that gives one token back, whatever its split sends.
fn suitable(split: Split, join: Join) -> Join {
    match (split, join) {
        (Split::Parallel | Split::ImplicitAll, Join::Exclusive | Join::Implicit) => Join::Parallel,
        (Split::Exclusive, Join::Parallel | Join::Complex) => Join::Exclusive,
        (Split::Inclusive | Split::Complex | Split::ImplicitSome, _) => Join::Inclusive,
        _ => join,
    }
}

fn required(triple: Triple, incoming: &[u32]) -> impl Iterator<Item = u32> {
    let flows = incoming.iter().take(REQUIRED_MAX).enumerate();
    flows.filter_map(move |(bit, &flow)| (triple.required >> bit & 1 == 1).then_some(flow))
}

/// CPX-7: between 1 and the number of flows, and no less than are required.
fn count(triple: Triple, flows: usize) -> usize {
    let mask = (1_u32 << flows.min(REQUIRED_MAX)) - 1;
    let required = (u32::from(triple.required) & mask).count_ones() as usize;
    (1 + usize::from(triple.count) % flows).max(required)
}
