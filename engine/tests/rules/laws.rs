//! What holds of every model and every schedule: small random models, driven by random choices.
//!
//! The ledger of [`crate::run::Run`] judges each transition: tokens are conserved, a parent is older than its child, a
//! merge names its survivor, no subscription outlives its host, and after the end nothing is left and nothing happens.

use proptest::prelude::*;
use trackside_engine::expr::Data;
use trackside_engine::instance::{End, Options, Wait};
use trackside_engine::template::Compiled;
use trackside_engine::world::Part;

use crate::blocks::{Block, block, drive, options, text};
use crate::run::{Status, template};
use crate::scenario::parse;

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

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
        let run = drive(&model, options(grain, or_join, outside), &picks, |_| {});
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
        Some((true, "message m", Box::new(Block::Task("user")))),
    );
    let task = |kind| Box::new(Block::Task(kind));
    let all = [
        Block::Parallel(vec![Block::Task("service"), Block::Catch("signal g")]),
        Block::Inclusive(vec![Block::Task("send"), Block::Task("auto")], true),
        Block::Exclusive(vec![Block::Task("user"), scope]),
        Block::Race(vec![Block::Task("auto"), Block::Task("auto")]),
        Block::Guarded(true, "timer PT1H", Box::new(Block::Task("auto"))),
        Block::Guarded(false, "message m", Box::new(Block::Task("auto"))),
        Block::Terminated(task("service"), task("user")),
        Block::Hosting(true, "error k", task("auto"), task("user")),
        Block::Hosting(false, "timer PT1H", task("auto"), task("user")),
        Block::Loop(task("auto")),
    ];
    let run = drive(
        &text(&Block::Sequence(all.to_vec())),
        options(false, false, false),
        &[],
        |_| {},
    );
    assert_eq!(run.end(), Some(&End::Completed));
    assert!(run.log.len() > 100, "it has done something: {}", run.log.len());
}

/// The canonical values that a run of the default order goes through, at most this many.
const PREFIX_MAX: u64 = 40;

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

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
