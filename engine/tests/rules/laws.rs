//! What holds of every model and every schedule: small random models, driven by random choices.
//!
//! The ledger of [`crate::run::Run`] judges each transition: tokens are conserved, a parent is older than its child, a
//! merge names its survivor, no subscription outlives its host, and after the end nothing is left and nothing happens.

use proptest::prelude::*;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, End, Environment, Grain, Options, OrJoin, Wait};
use trackside_engine::template::Compiled;
use trackside_engine::world::Part;

use crate::run::{Run, Status, template};
use crate::scenario::parse;

/// A block has one way in and one way out, so that models made of blocks are sound.
#[derive(Clone, Debug)]
enum Block {
    Task(&'static str),
    Catch(&'static str),
    Sequence(Vec<Block>),
    Parallel(Vec<Block>),
    Inclusive(Vec<Block>, bool),
    Exclusive(Vec<Block>),
    Race(Vec<Block>),
    Scope(Box<Block>, Option<(bool, Box<Block>)>),
    Guarded(bool, &'static str, Box<Block>),
    Loop(Box<Block>),
}

fn block() -> impl Strategy<Value = Block> {
    let task = prop::sample::select(vec!["auto", "user", "service", "send"]);
    let event = prop::sample::select(vec!["message m", "signal g", "timer PT1H"]);
    let leaf = prop_oneof![4 => task.prop_map(Block::Task), 1 => event.clone().prop_map(Block::Catch)];
    let nested = leaf.prop_recursive(4, 40, 3, move |inner| {
        let some = prop::collection::vec(inner.clone(), 2..4);
        let one = inner.clone().prop_map(Box::new);
        let trigger = prop::sample::select(vec!["message m", "signal g", "timer PT1H"]);
        prop_oneof![
            some.clone().prop_map(Block::Sequence),
            some.clone().prop_map(Block::Parallel),
            (some.clone(), any::<bool>()).prop_map(|(blocks, default)| Block::Inclusive(blocks, default)),
            some.clone().prop_map(Block::Exclusive),
            some.prop_map(Block::Race),
            (one.clone(), prop::option::of((any::<bool>(), one.clone())))
                .prop_map(|(body, handler)| Block::Scope(body, handler)),
            (any::<bool>(), trigger, one.clone()).prop_map(|(mode, trigger, way)| Block::Guarded(mode, trigger, way)),
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
                let mode = if *interrupting { '!' } else { '~' };
                self.put(format_args!("{host}{{{mode}{trigger} as {boundary}}}\n"));
                let (merge, end) = (self.declared("xor"), self.declared("end"));
                self.line(from, arrow, &host);
                self.line(&host, ">", &merge);
                self.line(&merge, ">", to);
                // What interrupts takes the token along. What does not starts more and more, each in a scope of its own:
                // inside one scope the joins of a block could take tokens of several passes for those of one.
                if *interrupting {
                    self.block(way, &boundary, ">", &merge);
                } else {
                    self.scope(way, None, &boundary, ">", &end);
                }
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

    fn scope(&mut self, body: &Block, handler: Option<&(bool, Box<Block>)>, from: &str, arrow: &str, to: &str) {
        let sub = self.name("sub");
        self.put(format_args!("sub {sub}{{\n"));
        self.whole(body, "start");
        if let Some((interrupting, way)) = handler {
            let (mode, name) = (if *interrupting { '!' } else { '~' }, self.name("h"));
            self.put(format_args!("ESP{mode}{name}{{\n"));
            self.whole(way, "start(message m)");
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
}

fn text(block: &Block) -> String {
    let mut writer = Writer::default();
    writer.whole(block, "start");
    writer.text
}

fn options(grain: bool, or_join: bool, outside: bool) -> Options {
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
fn drive(model: &str, options: Options, picks: &[u64]) -> Run {
    let definitions = parse(model);
    let mut run = Run::new(template(&definitions, &Compiled::default()), options);
    run.start(0, Data::default());
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
    }
}

/// More than any of the small models needs to end.
const DRAIN_MAX: u32 = 20_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// INS-5: whatever happens, an instance ends once and leaves nothing, and a model of blocks always ends. (Under the
    /// conservative reading a loop around an inclusive block may deadlock, ORJ-2; then it says so.)
    #[test]
    fn ins_5_ins_6_blocks_always_end_and_leave_nothing(
        block in block(),
        picks in prop::collection::vec(any::<u64>(), 0..60),
        grain in any::<bool>(),
        or_join in any::<bool>(),
        outside in any::<bool>(),
    ) {
        let model = text(&block);
        let run = drive(&model, options(grain, or_join, outside), &picks);
        if or_join && run.status() == Status::Stuck {
            let named = run.waits().iter().any(|wait| matches!(wait, Wait::Join { circle, .. } if !circle.is_empty()));
            prop_assert!(named, "{}", model);
            return Ok(());
        }
        prop_assert!(matches!(run.status(), Status::Ended(_)), "{:?}\n{}", run.status(), model);
        let ends = run.log.iter().filter(|record| crate::kinds::name(record) == "InstanceEnded").count();
        prop_assert_eq!(ends, 1);
        prop_assert_eq!((run.world.count(Part::All), run.world.next_due()), (0, None));
        prop_assert!(run.armed().is_empty() && run.tracks().is_empty());
        if !outside {
            prop_assert_eq!(run.end(), Some(&End::Completed), "{}", model);
        }
    }

    /// INS-10: runs that took the same schedule are equal, also those that kept no records.
    #[test]
    fn ins_10_records_are_beside_the_state(
        block in block(),
        picks in prop::collection::vec(any::<u64>(), 0..30),
    ) {
        let model = text(&block);
        let definitions = parse(&model);
        let shared = template(&definitions, &Compiled::default());
        let mut worlds = [true, false].map(|records| {
            let options = Options { records, ..options(false, false, true) };
            let mut world = trackside_engine::world::World::new(options);
            world.add(std::sync::Arc::clone(&shared));
            world.start(0, 0, Data::default());
            world
        });
        for pick in picks {
            let values = worlds.each_ref().map(|world| {
                let (_, instance) = world.instances().next().expect("one instance");
                instance.canonical()
            });
            prop_assert_eq!(&values[0], &values[1]);
            for world in &mut worlds {
                let enabled = world.enabled(Part::All);
                if let Some(&action) = enabled.get((pick % enabled.len().max(1) as u64) as usize) {
                    world.apply(action).expect("enabled");
                }
            }
        }
    }

    /// ORJ-2: where the conservative reading fires, the standard's does too.
    #[test]
    fn orj_2_the_conservative_reading_fires_only_where_the_standard_does(
        model in 0..crate::orj_table::MODELS.len(),
        registered in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
        others in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
    ) {
        let (model, join) = crate::orj_table::MODELS[model];
        let definitions = parse(model);
        let flows: Vec<&str> = definitions.scopes[0].flows.iter().map(|flow| flow.id.as_str()).collect();
        let into: Vec<&str> = definitions.scopes[0].flows.iter().filter(|f| f.target == join).map(|f| f.id.as_str()).collect();
        let registered: Vec<&str> = registered.iter().map(|index| *index.get(&into)).collect();
        let others: Vec<String> = others.iter().map(|index| format!("on:{}", index.get(&flows))).collect();
        let marks: Vec<String> = registered.iter().map(|flow| format!("on:{flow}")).collect();
        let fires = |reading: &str| {
            let arrivals: Vec<String> = registered.iter().map(|flow| format!("arrive:{flow}")).collect();
            let script = format!("@hold {reading} {} {} | {}", marks.join(" "), others.join(" "), arrivals.join(" "));
            let run = crate::scenario::play_one(model, &script);
            crate::expect::holds(&run, &format!("fired {join}=0")).is_err()
        };
        prop_assert!(!fires("@conservative") || fires(""), "{} {:?} {:?}", model, registered, others);
    }
}

#[test]
fn ins_5_the_generator_writes_what_it_is_meant_to() {
    let scope = Block::Scope(
        Box::new(Block::Task("auto")),
        Some((true, Box::new(Block::Task("user")))),
    );
    let all = [
        Block::Parallel(vec![Block::Task("service"), Block::Catch("signal g")]),
        Block::Inclusive(vec![Block::Task("send"), Block::Task("auto")], true),
        Block::Exclusive(vec![Block::Task("user"), scope]),
        Block::Race(vec![Block::Task("auto"), Block::Task("auto")]),
        Block::Guarded(true, "timer PT1H", Box::new(Block::Task("auto"))),
        Block::Guarded(false, "message m", Box::new(Block::Task("auto"))),
        Block::Loop(Box::new(Block::Task("auto"))),
    ];
    let run = drive(&text(&Block::Sequence(all.to_vec())), options(false, false, false), &[]);
    assert_eq!(run.end(), Some(&End::Completed));
    assert!(run.log.len() > 100, "it has done something: {}", run.log.len());
}

/// The canonical values that a run of the default order goes through, at most this many.
const PREFIX_MAX: u64 = 40;

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    /// INS-4: running in one go is applying the oldest action again and again. INS-1: memory that other instances have
    /// used makes no difference.
    #[test]
    fn ins_1_ins_4_running_on_in_used_memory_is_stepping_in_fresh_memory(
        first in block(),
        second in block(),
        steps in 1..PREFIX_MAX,
    ) {
        let shared = [first, second].map(|block| template(&parse(&text(&block)), &Compiled::default()));
        let options = Options { records: false, ..options(false, false, false) };
        let canonical = |world: &trackside_engine::world::World| {
            world.instances().last().map(|(_, instance)| (world.transitions(), instance.canonical()))
        };
        let mut fresh = trackside_engine::world::World::new(options);
        let process = fresh.add(std::sync::Arc::clone(&shared[1]));
        fresh.start(process, 0, Data::default());
        for _ in 0..steps {
            let Some(action) = fresh.oldest(Part::All) else { break };
            fresh.apply(action).expect("enabled");
        }
        let mut used = trackside_engine::world::World::new(options);
        used.add(std::sync::Arc::clone(&shared[0]));
        let process = used.add(std::sync::Arc::clone(&shared[1]));
        used.start(0, 0, Data::default());
        used.run(Part::All, steps);
        used.reset();
        used.start(process, 0, Data::default());
        used.run(Part::All, steps);
        prop_assert_eq!(canonical(&used), canonical(&fresh));
    }
}
