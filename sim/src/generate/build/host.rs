//! Boundary events, and what is done beside the body of a scope.

use trackside_engine::model::Gateway;

use super::super::plan::{Boundary, Choice, Ending, Form, Join, Side, Task, Way};
use super::event::unique;
use super::node::{Name, Port, mark};
use super::{Around, Builder};

impl Builder {
    pub(super) fn hosting(&mut self, around: Around, task: &Task, from: Port) -> Port {
        let host = self.work(around, task.work);
        self.flow(around, from, host);
        self.guarded(around, host, &task.boundaries)
    }

    /// The boundary events of `host` and their ways; gives the one way on from all that takes the token along.
    pub(super) fn guarded(&mut self, around: Around, host: Name, boundaries: &[Boundary]) -> Port {
        let open = self.open.len();
        self.open.push(host.into());
        let mut handled = 0;
        for boundary in boundaries {
            let Some(watch) = unique(around, &mut handled, boundary.watch) else {
                continue;
            };
            let event = self.boundary(around, host, watch);
            let Way::Block(block, ending) = &boundary.way else {
                self.end(around, Ending::PLAIN, event.into());
                continue;
            };
            if watch.interrupting {
                let last = self.block(around, block, event.into());
                self.open.push(last);
            } else {
                // It may fire many times while the host runs.
                let repeated = Around { quiet: true, ..around };
                let last = self.block(repeated, block, event.into());
                self.end(repeated, *ending, last);
            }
        }
        if self.open.len() == open + 1 {
            return self.open.pop().expect("the host's own way is open");
        }
        self.merge(around, Join::Exclusive, open)
    }

    /// What is done beside the body; gives the way into the body.
    pub(super) fn beside(&mut self, around: Around, side: &Side, from: Port) -> Port {
        let fork = self.gateway(around, "and", Gateway::Parallel);
        self.flow(around, from, fork);
        let mut last = self.block(around, &side.way, fork.into());
        if side.optional {
            let either = self.gateway(around, "xor", Gateway::Exclusive);
            self.flow(around, last, either);
            let choice = Choice {
                form: Form::Default,
                index: 0,
            };
            let way = |n| Port {
                from: either,
                mark: mark(choice, n),
            };
            self.end(around, Ending::PLAIN, way(0));
            last = way(1);
        }
        self.end(around, side.ending, last);
        fork.into()
    }
}
