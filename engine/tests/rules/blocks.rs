//! Random models and random schedules: what the property tests stand on.

use proptest::prelude::*;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, Environment, Grain, Options, OrJoin};
use trackside_engine::template::Compiled;
use trackside_engine::world::Part;

use crate::run::{Run, template};
use crate::scenario::parse;

/// A block has one way in and one way out, so that models made of blocks are sound.
#[derive(Clone, Debug)]
pub(crate) enum Block {
    Task(&'static str),
    Catch(&'static str),
    Sequence(Vec<Block>),
    Parallel(Vec<Block>),
    Inclusive(Vec<Block>, bool),
    Exclusive(Vec<Block>),
    Race(Vec<Block>),
    /// A sub-process, perhaps with a handler: whether that interrupts, its trigger and what it does.
    Scope(Box<Block>, Option<Handler>),
    /// A task with a boundary event: whether that interrupts, its trigger and the way behind it.
    Guarded(bool, &'static str, Box<Block>),
    /// A sub-process with a boundary event, its body before the way behind the event; an error is raised inside, or not.
    Hosting(bool, &'static str, Box<Block>, Box<Block>),
    /// A sub-process which a terminate end event ends, behind the second block, if that is the faster one.
    Terminated(Box<Block>, Box<Block>),
    Loop(Box<Block>),
}

type Handler = (bool, &'static str, Box<Block>);

pub(crate) fn block() -> impl Strategy<Value = Block> {
    let task = prop::sample::select(vec!["auto", "user", "service", "send"]);
    let event = prop::sample::select(vec!["message m", "signal g", "timer PT1H"]);
    let leaf = prop_oneof![4 => task.prop_map(Block::Task), 1 => event.clone().prop_map(Block::Catch)];
    let raised = prop_oneof![3 => event.clone(), 1 => Just("error k")];
    // A signal that is caught again and again and a signal caught in what it starts would go on for ever.
    let handled = prop_oneof![
        (any::<bool>(), prop::sample::select(vec!["message m", "timer PT1H"])),
        Just((true, "signal g")),
    ];
    let nested = leaf.prop_recursive(4, 40, 3, move |inner| {
        let some = prop::collection::vec(inner.clone(), 2..4);
        let one = inner.clone().prop_map(Box::new);
        let trigger = event.clone();
        prop_oneof![
            some.clone().prop_map(Block::Sequence),
            some.clone().prop_map(Block::Parallel),
            (some.clone(), any::<bool>()).prop_map(|(blocks, default)| Block::Inclusive(blocks, default)),
            some.clone().prop_map(Block::Exclusive),
            some.prop_map(Block::Race),
            (one.clone(), prop::option::of((handled.clone(), one.clone()))).prop_map(|(body, handler)| {
                Block::Scope(body, handler.map(|((mode, trigger), way)| (mode, trigger, way)))
            }),
            (any::<bool>(), trigger, one.clone()).prop_map(|(mode, trigger, way)| Block::Guarded(mode, trigger, way)),
            (any::<bool>(), raised.clone(), one.clone(), one.clone())
                .prop_map(|(mode, trigger, body, way)| Block::Hosting(mode, trigger, body, way)),
            (one.clone(), one.clone()).prop_map(|(body, way)| Block::Terminated(body, way)),
            one.prop_map(Block::Loop),
        ]
    });
    prop::collection::vec(nested, 1..5).prop_map(Block::Sequence)
}

/// Writes a block between two nodes of its scope.
#[derive(Default)]
struct Writer {
    names: u32,
    text: String,
}

impl Writer {
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        std::fmt::Write::write_fmt(&mut self.text, text).expect("a text takes everything");
    }

    fn name(&mut self, word: &str) -> String {
        self.names += 1;
        format!("{word}_{}", self.names)
    }

    fn declared(&mut self, kind: &str) -> String {
        let name = self.name(kind.split(['(', ' ']).next().expect("a kind"));
        let (keyword, arguments) = kind.split_at(kind.find('(').unwrap_or(kind.len()));
        self.put(format_args!("{keyword} {name}{arguments}\n"));
        name
    }

    fn line(&mut self, from: &str, arrow: &str, to: &str) {
        self.put(format_args!("{from} {arrow} {to}\n"));
    }

    fn block(&mut self, block: &Block, from: &str, arrow: &str, to: &str) {
        match block {
            Block::Task(kind) => {
                let task = self.declared(kind);
                self.line(from, arrow, &task);
                self.line(&task, ">", to);
            }
            Block::Catch(event) => {
                let catch = self.declared(&format!("catch({event})"));
                self.line(from, arrow, &catch);
                self.line(&catch, ">", to);
            }
            Block::Sequence(blocks) => {
                let (last, first) = blocks.split_last().expect("a sequence has parts");
                let (mut from, mut arrow) = (from.to_owned(), arrow);
                for block in first {
                    let next = self.declared("xor");
                    self.block(block, &from, arrow, &next);
                    (from, arrow) = (next, ">");
                }
                self.block(last, &from, arrow, to);
            }
            Block::Parallel(blocks) => self.branches(blocks, ("and", "and"), from, arrow, to, |_| ">"),
            Block::Exclusive(blocks) => self.branches(blocks, ("xor", "xor"), from, arrow, to, |_| ">"),
            Block::Inclusive(blocks, default) => {
                let arrow_of = |n| if n == 0 && *default { "-[default]>" } else { "-[c]>" };
                self.branches(blocks, ("or", "or"), from, arrow, to, arrow_of);
            }
            Block::Race(blocks) => {
                let (gate, merge) = (self.declared("gate"), self.declared("xor"));
                self.line(from, arrow, &gate);
                for block in blocks {
                    let arm = self.declared("catch(message m)");
                    self.line(&gate, ">", &arm);
                    self.block(block, &arm, ">", &merge);
                }
                self.line(&merge, ">", to);
            }
            Block::Scope(body, handler) => self.scope(body, handler.as_ref(), from, arrow, to),
            Block::Guarded(interrupting, trigger, way) => {
                let (host, boundary) = (self.declared("user"), self.name("b"));
                self.put(format_args!("{host}"));
                self.guard(&host, &boundary, (*interrupting, trigger), way, (from, arrow, to));
            }
            Block::Hosting(interrupting, trigger, body, way) => {
                let (host, boundary) = (self.name("sub"), self.name("b"));
                let error = trigger.starts_with("error");
                self.put(format_args!("sub {host}{{\n"));
                if error {
                    self.raising(body, trigger);
                } else {
                    self.whole(body, "start");
                }
                self.text.push('}');
                let mode = *interrupting || error;
                self.guard(&host, &boundary, (mode, trigger), way, (from, arrow, to));
            }
            Block::Terminated(body, way) => {
                let sub = self.name("sub");
                self.put(format_args!("sub {sub}{{\n"));
                self.terminated(body, way);
                self.text.push_str("}\n");
                self.line(from, arrow, &sub);
                self.line(&sub, ">", to);
            }
            Block::Loop(body) => {
                let (head, tail) = (self.declared("xor"), self.declared("xor"));
                self.line(from, arrow, &head);
                self.block(body, &head, ">", &tail);
                self.line(&tail, "-[again]>", &head);
                self.line(&tail, "-[done]>", to);
            }
        }
    }

    /// A boundary event on `host`, which has just been written, and both ways on.
    fn guard(
        &mut self,
        host: &str,
        boundary: &str,
        (interrupting, trigger): (bool, &str),
        way: &Block,
        (from, arrow, to): (&str, &str, &str),
    ) {
        let mode = if interrupting { '!' } else { '~' };
        self.put(format_args!("{{{mode}{trigger} as {boundary}}}\n"));
        let (merge, end) = (self.declared("xor"), self.declared("end"));
        self.line(from, arrow, host);
        self.line(host, ">", &merge);
        self.line(&merge, ">", to);
        // What interrupts takes the token along. What does not starts more and more, each in a scope of its own: inside
        // one scope the joins of a block could take tokens of several passes for those of one.
        if interrupting {
            self.block(way, boundary, ">", &merge);
        } else {
            self.scope(way, None, boundary, ">", &end);
        }
    }

    fn branches(
        &mut self,
        blocks: &[Block],
        (split, join): (&str, &str),
        from: &str,
        arrow: &str,
        to: &str,
        arrow_of: impl Fn(usize) -> &'static str,
    ) {
        let (split, join) = (self.declared(split), self.declared(join));
        self.line(from, arrow, &split);
        for (n, block) in blocks.iter().enumerate() {
            self.block(block, &split, arrow_of(n), &join);
        }
        self.line(&join, ">", to);
    }

    fn scope(&mut self, body: &Block, handler: Option<&Handler>, from: &str, arrow: &str, to: &str) {
        let sub = self.name("sub");
        self.put(format_args!("sub {sub}{{\n"));
        self.whole(body, "start");
        if let Some((interrupting, trigger, way)) = handler {
            let (mode, name) = (if *interrupting { '!' } else { '~' }, self.name("h"));
            self.put(format_args!("ESP{mode}{name}{{\n"));
            self.whole(way, &format!("start({trigger})"));
            self.text.push_str("}\n");
        }
        self.text.push_str("}\n");
        self.line(from, arrow, &sub);
        self.line(&sub, ">", to);
    }

    fn whole(&mut self, block: &Block, start: &str) {
        let (start, end) = (self.declared(start), self.declared("end"));
        self.block(block, &start, ">", &end);
    }

    /// A body beside which something terminates its scope.
    fn terminated(&mut self, body: &Block, way: &Block) {
        let (start, fork) = (self.declared("start"), self.declared("and"));
        let (end, stop) = (self.declared("end"), self.declared("terminate"));
        self.line(&start, ">", &fork);
        self.block(body, &fork, ">", &end);
        self.block(way, &fork, ">", &stop);
    }

    /// A body beside which an error may be raised.
    fn raising(&mut self, body: &Block, error: &str) {
        let (start, fork, either) = (self.declared("start"), self.declared("and"), self.declared("xor"));
        let (end, raise) = (self.declared("end"), self.declared(&format!("end({error})")));
        self.line(&start, ">", &fork);
        self.block(body, &fork, ">", &end);
        self.block(&Block::Task("user"), &fork, ">", &either);
        self.line(&either, "-[default]>", &end);
        self.line(&either, "-[c]>", &raise);
    }
}

pub(crate) fn text(block: &Block) -> String {
    let mut writer = Writer::default();
    writer.whole(block, "start");
    writer.text
}

/// The same with a terminate end event of the process beside the block, behind `way`.
pub(crate) fn text_terminated(block: &Block, way: &Block) -> String {
    let mut writer = Writer::default();
    writer.terminated(block, way);
    writer.text
}

pub(crate) fn options(grain: bool, or_join: bool, outside: bool) -> Options {
    Options {
        grain: if grain { Grain::Atomic } else { Grain::Protocol },
        or_join: if or_join {
            OrJoin::Conservative
        } else {
            OrJoin::Standard
        },
        conditions: Conditions::Symbolic,
        refires: Some(2),
        environment: Environment {
            failures: outside,
            cancel: outside,
            late: outside,
            births: false,
        },
        ..Options::default()
    }
}

/// Takes the enabled action that each number picks, and its choice; then drains, first in, first out.
/// `watch` sees the run after every transition.
pub(crate) fn drive(model: &str, options: Options, picks: &[u64], mut watch: impl FnMut(&mut Run)) -> Run {
    let definitions = parse(model);
    let mut run = Run::new(template(&definitions, &Compiled::default()), options);
    run.start(0, Data::default());
    watch(&mut run);
    let mut picks = picks.iter().copied();
    let mut drained = 0u32;
    loop {
        let enabled = run.world.enabled(Part::All);
        let action = match picks.next() {
            None if drained > DRAIN_MAX => return run,
            None => {
                drained += 1;
                run.world.oldest(Part::All).map(|action| {
                    // The last way out of a loop is the one that leaves it.
                    let (_, ways) = run.world.choices(action);
                    action.choose(0, ways - 1)
                })
            }
            Some(pick) => enabled
                .get((pick % enabled.len().max(1) as u64) as usize)
                .map(|&action| {
                    let (outcomes, ways) = run.world.choices(action);
                    action.choose((pick >> 16) as u32 % outcomes, (pick >> 32) as u32 % ways)
                }),
        };
        match action {
            Some(action) => run.apply(action),
            None => return run,
        }
        watch(&mut run);
    }
}

/// More than any of the small models needs to end.
const DRAIN_MAX: u32 = 20_000;
