//! Blocks from random numbers: what is nested in what, by the weights of the kinds and the share of nodes that is left.

use super::super::plan::{Block, Choice, Event, Fork, Form, Join, Race, Repeat, Split, Task, Triple};
use super::{DEPTH_MAX, EVENTS, Grow, Kind};

/// Branches of a fork, arms of a gate.
const BRANCHES_MAX: u32 = 5;
/// Blocks with fewer nodes are tasks or events.
const NESTED_MIN: u32 = 4;

/// What a block can be but for a task, by kind.
const LEAVES: [Kind; 4] = [Kind::Catch, Kind::Throw, Kind::Link, Kind::Boundary];
/// What comes up twice is as likely as two.
const NESTED: [Kind; 18] = [
    Kind::Catch,
    Kind::Throw,
    Kind::Link,
    Kind::Boundary,
    Kind::Parallel,
    Kind::Exclusive,
    Kind::Inclusive,
    Kind::Complex,
    Kind::EventBased,
    Kind::SubProcess,
    Kind::SubProcess,
    Kind::Surplus,
    Kind::Loop,
    Kind::Surplus,
    Kind::Loop,
    Kind::Parallel,
    Kind::Exclusive,
    Kind::Inclusive,
];
/// The weight of a plain task among these.
const TASK: [u32; 2] = [16, 6];

impl Grow {
    /// Blocks in a row, of about `share` nodes.
    pub(super) fn sequence(&mut self, share: u32, depth: u32) -> Block {
        let until = self.spent + share;
        let mut blocks = Vec::new();
        while self.spent < until {
            let left = until - self.spent;
            let most = left.min(12 + left / 4);
            // Rather larger than smaller ones, or little would nest.
            let share = 1 + self.draw.below(most).max(self.draw.below(most));
            blocks.push(self.block(share, depth));
        }
        match blocks.pop() {
            Some(only) if blocks.is_empty() => only,
            Some(last) => {
                blocks.push(last);
                Block::Sequence(blocks)
            }
            None => Block::Sequence(blocks),
        }
    }

    fn block(&mut self, share: u32, depth: u32) -> Block {
        let nested = share >= NESTED_MIN && depth < DEPTH_MAX;
        let kinds = if nested { &NESTED[..] } else { &LEAVES[..] };
        let kind = self.swarm.pick(&mut self.draw, kinds, TASK[usize::from(nested)]);
        let deeper = depth + 1;
        match kind {
            Some(Kind::Catch | Kind::Throw | Kind::Link) => {
                let event: Option<Event> = kind.and_then(|kind| self.event(kind));
                event.map_or_else(|| self.task(), Block::Event)
            }
            Some(Kind::Boundary) => Block::Task(Task {
                work: self.work(),
                boundaries: self.boundary_events(share.saturating_sub(1), depth),
            }),
            Some(Kind::EventBased) => self.race(share, deeper),
            Some(Kind::SubProcess) => {
                self.spent += 2;
                let mut scope = self.scope(share - 2, deeper);
                self.catcher(&mut scope);
                Block::Scope(Box::new(scope))
            }
            Some(Kind::Surplus) => self.surplus(share, deeper),
            Some(Kind::Loop) => self.repeat(share, deeper),
            Some(kind) => self.fork(kind, share, deeper),
            None => self.task(),
        }
    }

    fn task(&mut self) -> Block {
        Block::Task(Task {
            work: self.work(),
            boundaries: Vec::new(),
        })
    }

    /// How many branches `share` nodes are enough for, and how large they are.
    fn branches(&mut self, share: u32) -> (u32, u32) {
        let share = share.saturating_sub(2);
        let most = share.clamp(1, BRANCHES_MAX - 1);
        // Rather few and large than many and small, for the same reason.
        let count = 2 + self.draw.below(most).min(self.draw.below(most));
        (count, share / count)
    }

    /// Now and then with nothing on it.
    fn branch(&mut self, share: u32, depth: u32) -> Block {
        let share = share.div_ceil(2) + self.draw.below(share + 1);
        self.sequence(share, depth)
    }

    fn fork(&mut self, kind: Kind, share: u32, depth: u32) -> Block {
        let implicit = self.likes(Kind::ImplicitSplit);
        let split = match kind {
            Kind::Exclusive => Split::Exclusive,
            Kind::Inclusive if implicit => Split::ImplicitSome,
            Kind::Inclusive => Split::Inclusive,
            Kind::Complex if self.swarm.has(Kind::Inclusive) && self.draw.once_in(3) => Split::Complex,
            _ if implicit => Split::ImplicitAll,
            _ => Split::Parallel,
        };
        let join = match kind {
            Kind::Exclusive => self.merging(),
            Kind::Complex => Join::Complex,
            _ if self.swarm.has(Kind::Inclusive) && self.draw.once_in(3) => Join::Inclusive,
            _ => Join::Parallel,
        };
        let choice = self.choice();
        self.spent += 2;
        let (count, share) = self.branches(share);
        Block::Fork(Fork {
            split,
            join,
            choice,
            triples: if kind == Kind::Complex {
                self.triples()
            } else {
                Vec::new()
            },
            branches: (0..count).map(|_| self.branch(share, depth)).collect(),
        })
    }

    fn merging(&mut self) -> Join {
        if self.likes(Kind::ImplicitMerge) {
            Join::Implicit
        } else if self.swarm.has(Kind::Inclusive) && self.draw.once_in(4) {
            Join::Inclusive
        } else {
            Join::Exclusive
        }
    }

    /// Conditions on the flows of a split.
    pub(super) fn choice(&mut self) -> Choice {
        let index = self.draw.index();
        let form = if self.likes(Kind::Default) {
            Form::Default
        } else {
            Form::Bare
        };
        Choice { form, index }
    }

    /// Activations of a complex join.
    pub(super) fn triples(&mut self) -> Vec<Triple> {
        let count = 1 + self.draw.below(3);
        let triple = |grow: &mut Self| Triple {
            count: grow.draw.index(),
            // Mostly few flows.
            required: grow.draw.index() & grow.draw.index() & grow.draw.index(),
            guard: grow.draw.once_in(3).then(|| grow.draw.index()),
        };
        (0..count).map(|_| triple(self)).collect()
    }

    fn race(&mut self, share: u32, depth: u32) -> Block {
        let join = if self.likes(Kind::ImplicitMerge) {
            Join::Implicit
        } else {
            Join::Exclusive
        };
        let receive = self.draw.once_in(2);
        let (count, share) = self.branches(share);
        self.spent += 2 + count;
        let mut arms = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let Some(trigger) = self.trigger(&EVENTS) else { break };
            arms.push((trigger, self.branch(share.saturating_sub(1), depth)));
        }
        if arms.len() < 2 {
            return self.task();
        }
        Block::Race(Race { receive, join, arms })
    }

    fn surplus(&mut self, share: u32, depth: u32) -> Block {
        self.spent += 5;
        let (count, share) = self.branches(share.saturating_sub(4));
        let feeders = (0..count.min(3)).map(|_| self.branch(share / 2, depth)).collect();
        Block::Surplus(feeders, Box::new(self.sequence(share.max(1), depth)))
    }

    pub(super) fn repeat(&mut self, share: u32, depth: u32) -> Block {
        let ahead = self.draw.once_in(2);
        self.spent += if ahead { 1 } else { 2 };
        let index = self.draw.index();
        let form = if self.swarm.has(Kind::Default) {
            Form::Default
        } else {
            Form::Open
        };
        Block::Loop(Box::new(Repeat {
            body: self.sequence(share.saturating_sub(2), depth),
            ahead,
            choice: Choice { form, index },
        }))
    }
}
