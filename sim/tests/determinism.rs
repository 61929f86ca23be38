//! One seed decides everything, and a token plays a run again.

mod common;

use std::collections::BTreeSet;

use common::model;
use proptest::prelude::*;
use trackside_sim::hash::Fnv;
use trackside_sim::run::{Report, RunError, Script, Settings, Simulation};
use trackside_sim::schedule::{Deviation, Named};
use trackside_sim::source::Source;
use trackside_sim::token::{Plan, Token};

const MODELS: [&str; 6] = [
    "s > F > A > J > e; F > B > J; F > C > J",
    "s > O -[true]> A > C* > O1 > e; O -[true]> B > O1; or O1",
    "s > A{!error x > B > e2}{~timer R/PT1H as t > D* > e1}{!(message stop) > e3} > e",
    "s > G; G > catch a(message m) > A > e; G > catch b(timer PT1H) > e1",
    "s > SP{s1 > F1 > A > e4; F1 > B > ET} > C > e",
    "start s1(message m) > A > e; start s2(signal go) > B > e; start s3(timer PT1H) > C > e",
];

fn run(source: &Source, seed: u64) -> Report {
    Simulation::of(source).seed(seed).run().expect("it runs")
}

/// The result without what names the way it came about.
fn result(report: &Report) -> (String, String, String) {
    let main = serde_json::to_string(&report.main).expect("a report serializes");
    (main, report.trace_hash.clone(), report.token.clone())
}

fn replayed(source: &Source, token: &str) -> Report {
    let token: Token = token.parse().expect("a printed token is one");
    let simulation = Simulation::replay(source, &token).expect("the fingerprints fit");
    simulation.run().expect("the schedule fits")
}

#[test]
fn the_same_seed_gives_the_same_trace_and_other_seeds_others() {
    for text in MODELS {
        let source = model(text);
        let hashes: BTreeSet<_> = (0..20).map(|seed| run(&source, seed).trace_hash).collect();
        assert!(hashes.len() >= 3, "{text}: {} traces", hashes.len());
        for seed in 0..5 {
            assert_eq!(result(&run(&source, seed)), result(&run(&source, seed)), "{text}");
        }
    }
}

#[test]
fn a_token_plays_the_same_run_again() {
    for text in MODELS {
        let source = model(text);
        for seed in 0..30 {
            let report = run(&source, seed);
            assert_eq!(
                result(&replayed(&source, &report.token)),
                result(&report),
                "{text} {seed}"
            );
        }
    }
}

#[test]
fn a_scripted_run_is_played_again_with_its_inputs() {
    let source = model("s > F > A{!timer PT1H > B* > e2} > J > e; F > X -[n > 1]> C > J; X -[default]> J");
    let script = Script::parse("set n=2\n# half an hour\nadvance PT30M\ncomplete C text=\"a, b: c\"\ncomplete A");
    let script = script.expect("the script is right");
    for seed in 0..20 {
        let simulation = Simulation::of(&source)
            .seed(seed)
            .script(script.clone())
            .variable("n", 0.into());
        let report = simulation.run().expect("it runs");
        assert_eq!(replayed(&source, &report.token).trace_hash, report.trace_hash);
    }
}

/// EVT-3: of timers that are due together, the schedule says which fires first.
#[test]
fn ties_of_timers_are_replayed() {
    let source = model("and F; catch c(timer PT1S) d(timer PT1S); s > F > c > A* > e; F > d > B* > e");
    let mut hashes = BTreeSet::new();
    for seed in 0..20 {
        let script = Script::parse("advance PT1S").expect("a script");
        let report = Simulation::of(&source)
            .seed(seed)
            .script(script)
            .run()
            .expect("it runs");
        let token: Token = report.token.parse().expect("a printed token is one");
        let again = Simulation::replay(&source, &token).expect("the token fits");
        let again = again.run().expect("the schedule fits");
        assert_eq!(again.trace_hash, report.trace_hash, "seed {seed}");
        hashes.insert(report.trace_hash);
    }
    assert!(hashes.len() > 1, "seeds break ties differently");
}

#[test]
fn the_default_order_needs_no_schedule() {
    let source = model(MODELS[0]);
    let report = Simulation::of(&source).strategy(Named::Fifo, 9).run().expect("it runs");
    let token: Token = report.token.parse().expect("a printed token is one");
    assert_eq!(token.schedule, Plan::Deviations(Vec::new()));
}

#[test]
fn a_schedule_too_long_for_a_command_line_is_given_by_its_seed() {
    let source = model("s > F > M > A* > M; F > M1 > B* > M1; F > M2 > C* > M2");
    let mut settings = Settings::default();
    settings.set("steps", "20000").expect("a setting");
    let report = Simulation::of(&source)
        .seed(3)
        .settings(settings)
        .run()
        .expect("it runs");
    assert!(report.token.len() < 200, "{}", report.token.len());
    assert_eq!(replayed(&source, &report.token).trace_hash, report.trace_hash);
}

#[test]
fn other_options_give_other_fingerprints() {
    let source = model(MODELS[1]);
    let token: Token = run(&source, 1).token.parse().expect("a printed token is one");
    let check = |token: &Token, source: &Source, expected: &str| {
        let error = Simulation::replay(source, token)
            .expect_err("the fingerprints differ")
            .to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(error.matches("token").count(), 1, "only one differs: {error}");
    };
    let mut other = token.clone();
    other.settings.set("or-join", "conservative").expect("a setting");
    check(&other, &source, "the options are not those of the token");
    check(&token, &model(MODELS[0]), "the model is not the one of the token");
    let mut other = token.clone();
    other.fingerprints.engine = "0.0.1-1".to_owned();
    check(&other, &source, "the engine is not the one of the token (0.0.1-1 then,");
}

#[test]
fn a_schedule_that_does_not_fit_says_where() {
    let source = model(MODELS[0]);
    let mut token: Token = run(&source, 1).token.parse().expect("a printed token is one");
    let mut check = |step: &str, expected: &str| {
        token.schedule = Plan::Deviations(vec![Deviation::parse(step).expect("a deviation")]);
        let outcome = Simulation::replay(&source, &token).expect("the fingerprints fit").run();
        assert!(matches!(&outcome, Err(RunError::Divergence(_))), "{outcome:?}");
        let error = outcome.expect_err("it diverges").to_string();
        assert!(error.ends_with(expected), "{error}");
    };
    check("3c9.A", "`3c9.A` is not possible at step 3");
    check("3a0.nowhere", "`3a0.nowhere` is not possible at step 3");
    check("3a0@7.F", "`3a0@7.F` is not possible at step 3");
    check("3a0/5.F", "`3a0/5.F` is not possible at step 3");
    check("900s0.F", "the run was over before `900s0.F`");
    check("1s0.F", "the run was over before `1s0.F`");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_refused_or_understood(text in ".{0,200}") {
        let _ = text.parse::<Token>();
        let _ = Deviation::parse(&text);
        let _ = trackside_sim::token::find_in(&text);
        let _ = Script::parse(&text);
    }

    #[test]
    fn any_script_is_refused_with_places_or_understood(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "complete", "error", "fail", "message", "signal", "advance", "set", "cancel", "A", "A#1", "A#", "#", "x=1",
                "x=", "=", "\"", "\"m n\"", "{}", "x={\"y\":[1,", "PT1H", "P9999Y", "\n", "\t", "\u{e4}", "[", "1e999",
            ]),
            0..12,
        ),
    ) {
        let text = words.join(" ");
        if let Err(errors) = Script::parse(&text) {
            for error in errors {
                let line = text.lines().nth(error.line as usize - 1).expect("the line is there");
                prop_assert!(error.column >= 1 && error.column as usize <= line.chars().count() + 1);
            }
        }
    }

    #[test]
    fn any_bent_token_is_refused_or_runs(
        seed in 0_u64..20,
        permille in 0_usize..1000,
        bent in prop::sample::select(vec!["", ",", ":", "=", "%", "%4", "9", "999999999999999999999", "/", "@9", ".", "d=", "steps=3,"]),
        cut in 0_usize..4,
    ) {
        let source = model(MODELS[2]);
        let token = run(&source, seed).token;
        let token = token.rsplit_once(",z=").expect("its checksum is last").0;
        let at = token.len() * permille / 1000;
        let end = (at + cut).min(token.len());
        let bent = format!("{}{bent}{}", &token[..at], &token[end..]);
        // The checksum is right, so that it is the reader that is tried.
        let bent = format!("{bent},z={}", Fnv::of(bent.as_bytes()).hex());
        if let Ok(token) = bent.parse::<Token>()
            && let Ok(simulation) = Simulation::replay(&source, &token)
        {
            let _ = simulation.run();
        }
    }

    #[test]
    fn a_token_cut_anywhere_is_none(seed in 0_u64..20, permille in 0_usize..1000) {
        let token = run(&model(MODELS[2]), seed).token;
        prop_assert!(token[..token.len() * permille / 1000].parse::<Token>().is_err());
    }

    #[test]
    fn every_token_comes_back_from_its_text(
        path in "[ -~äß]{1,20}",
        variable in "[a-z]{1,8}",
        value in "[ -~]{0,12}",
        lines in prop::option::of(prop::collection::vec("[!-~][ -~]{0,20}", 0..4)),
        steps in prop::collection::btree_set(1_u64..1000, 0..5),
        node in "[A-Za-z_][A-Za-z0-9_.-]{0,8}",
    ) {
        let mut token: Token = run(&model(MODELS[0]), 1).token.parse().expect("a printed token is one");
        token.model = path;
        token.settings.variables.insert(variable, value.into());
        token.script = lines;
        let deviations = steps.iter().map(|step| {
            let deviation = Deviation::parse(&format!("{step}c3/1/2@4")).expect("a deviation");
            Deviation { node: Some(node.clone()), ..deviation }
        });
        token.schedule = Plan::Deviations(deviations.collect());
        let text = token.to_string();
        prop_assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./@=+%:,".contains(&b)), "{}", text);
        prop_assert_eq!(text.parse::<Token>(), Ok(token));
    }
}
