//! Blocks written out: sequences, forks, loops, gates and scopes, each with one way in and one way out.

use trackside_engine::model::Gateway;

use super::super::plan::{Block, Cause, Choice, Ending, Form, Join, Race, Repeat, Trigger, Work};
use super::node::{Port, mark};
use super::{Around, Builder};

impl Builder {
    /// Draws a block behind `from`; gives the one way on.
    pub(super) fn block(&mut self, around: Around, block: &Block, from: Port) -> Port {
        match block {
            Block::Sequence(blocks) => blocks.iter().fold(from, |from, block| self.block(around, block, from)),
            Block::Task(task) => self.hosting(around, task, from),
            Block::Event(event) => self.event(around, *event, from).into(),
            Block::Fork(fork) => self.fork(around, fork, from),
            Block::Race(race) => self.race(around, race, from),
            Block::Scope(scope) => self.scope(around, scope, from),
            Block::Surplus(feeders, rest) => self.surplus(around, feeders, rest, from),
            Block::Loop(repeat) => self.repeat(around, repeat, from),
        }
    }

    fn race(&mut self, around: Around, race: &Race, from: Port) -> Port {
        if race.arms.len() < 2 {
            let Some((trigger, block)) = race.arms.first() else {
                return from;
            };
            let catch = self.catch(around, *trigger);
            self.flow(around, from, catch);
            return self.block(around, block, catch.into());
        }
        let kind = Gateway::EventBased {
            instantiate: false,
            parallel: false,
        };
        let gate = self.gateway(around, "gate", kind);
        self.flow(around, from, gate);
        let open = self.open.len();
        for (trigger, block) in &race.arms {
            let arm = self.arm(around, *trigger, race.receive, gate.into());
            let last = self.block(around, block, arm);
            self.open.push(last);
        }
        self.merge(around, race.join, open)
    }

    /// An arm of a gate: a catch event or, for messages if the gate says so, a receive task (EVG-5).
    pub(super) fn arm(&mut self, around: Around, trigger: Trigger, receive: bool, gate: Port) -> Port {
        let arm = if receive && trigger.kind == Cause::Message {
            self.work(around, Work::Receive(trigger.index))
        } else {
            self.catch(around, trigger)
        };
        self.flow(around, gate, arm);
        arm.into()
    }

    /// All open ways from the `open`-th on into one. Each token goes on by itself.
    pub(super) fn merge(&mut self, around: Around, join: Join, open: usize) -> Port {
        let merge = match join {
            Join::Implicit => self.task(around),
            _ => self.gateway(around, "xor", Gateway::Exclusive),
        };
        for index in open..self.open.len() {
            self.flow(around, self.open[index], merge);
        }
        self.open.truncate(open);
        merge.into()
    }

    /// Several tokens go through `rest`; a sub-process around it gives one of them back.
    fn surplus(&mut self, around: Around, feeders: &[Block], rest: &Block, from: Port) -> Port {
        self.wrapped(around, from, |builder, around, from| {
            let fork = builder.gateway(around, "and", Gateway::Parallel);
            builder.flow(around, from, fork);
            let open = builder.open.len();
            for feeder in feeders {
                let last = builder.block(around, feeder, fork.into());
                builder.open.push(last);
            }
            if feeders.is_empty() {
                builder.open.push(fork.into());
            }
            let merge = builder.merge(around, Join::Exclusive, open);
            builder.block(around, rest, merge)
        })
    }

    /// What `draw` draws, in a sub-process of its own.
    pub(super) fn wrapped(
        &mut self,
        around: Around,
        from: Port,
        draw: impl FnOnce(&mut Self, Around, Port) -> Port,
    ) -> Port {
        let (sub, body) = self.sub_process(around, trackside_engine::model::SubProcessKind::Embedded);
        self.flow(around, from, sub);
        let inner = around.body(body);
        let start = self.start(inner, Trigger::NONE, super::Role::Plain, true);
        let last = draw(self, inner, start.into());
        self.end(inner, Ending::PLAIN, last);
        sub.into()
    }

    fn repeat(&mut self, around: Around, repeat: &Repeat, from: Port) -> Port {
        let head = self.gateway(around, "xor", Gateway::Exclusive);
        self.flow(around, from, head);
        let choice = match repeat.choice.form {
            Form::Bare | Form::Default => Choice {
                form: Form::Default,
                ..repeat.choice
            },
            Form::Open | Form::Mixed => Choice {
                form: Form::Open,
                ..repeat.choice
            },
        };
        let ways = |from| {
            [0, 1].map(|n| Port {
                from,
                mark: mark(choice, n),
            })
        };
        if repeat.ahead {
            let [on, again] = ways(head);
            let last = self.block(around, &repeat.body, again);
            self.flow(around, last, head);
            on
        } else {
            let last = self.block(around, &repeat.body, head.into());
            let tail = self.gateway(around, "xor", Gateway::Exclusive);
            self.flow(around, last, tail);
            let [on, again] = ways(tail);
            self.flow(around, again, head);
            on
        }
    }
}
