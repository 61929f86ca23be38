//! The one way in which tests are run: `check(model, script, expected)`, and the same for every schedule there is.

use std::collections::HashSet;

use trackside_engine::expr::Data;
use trackside_engine::instance::Grain;
use trackside_engine::model::{Definitions, notation};
use trackside_engine::world::{Delivery, Part};

use crate::expect;
use crate::run::{Run, template};
use crate::script::{self, Setup};

/// States that one exhaustive search may visit.
const STATES_MAX: usize = 500_000;

/// Runs `script` on `model` (both in their notations), in both grains, and judges what has become of it.
pub(crate) fn check(model: &str, script: &str, expected: &str) {
    check_definitions(&parse(model), script, expected);
}

/// The same for a model that the notation can't write.
pub(crate) fn check_definitions(model: &Definitions, script: &str, expected: &str) {
    for run in play(model, script) {
        expect::must_hold(
            &run,
            expected,
            &format!("the end of `{script}` ({:?})", run.world.options().grain),
        );
    }
}

/// Runs `script`, once per grain, for a test that looks closer.
pub(crate) fn play(model: &Definitions, script: &str) -> Vec<Run> {
    let (setup, entries) = script::parse(script);
    let grains = setup.grains.clone();
    let play = |grain| {
        let mut run = begin(model, &setup, grain);
        for entry in &entries {
            script::perform(&mut run, entry);
        }
        run
    };
    grains.into_iter().map(play).collect()
}

/// One run in the protocol grain.
pub(crate) fn play_one(model: &str, script: &str) -> Run {
    play(&parse(model), script).swap_remove(0)
}

pub(crate) fn parse(model: &str) -> Definitions {
    notation::parse(model).unwrap_or_else(|error| panic!("the model is of the notation: {error}"))
}

pub(crate) fn begin(model: &Definitions, setup: &Setup, grain: Grain) -> Run {
    let mut options = setup.options;
    options.grain = grain;
    let mut run = Run::new(template(model, &setup.settings), options);
    setup.begin(&mut run);
    run
}

/// Applies the entries of `script` in every order in which they are possible, with every interleaving of steps and
/// arrivals, and judges every end; all entries must have been used by then. Entries before the word `any:` come first,
/// in order, each settled. Gives the number of states seen.
pub(crate) fn check_every(model: &str, script: &str, expected: &str) -> usize {
    explore(model, script, expected, false)
}

/// The same with the entries in their order: only the inside interleaves.
pub(crate) fn check_interleaved(model: &str, script: &str, expected: &str) -> usize {
    explore(model, script, expected, true)
}

fn explore(model: &str, script: &str, expected: &str, ordered: bool) -> usize {
    let definitions = parse(model);
    let (mut setup, entries) = script::parse(script);
    let fixed = entries.iter().position(|entry| *entry == "any:");
    let (first, free) = fixed.map_or((&[][..], &entries[..]), |at| (&entries[..at], &entries[at + 1..]));
    assert!(free.len() < 32, "a set of entries fits a word");
    setup.hold = fixed.is_none();
    let mut states = 0;
    for &grain in &setup.grains {
        let mut run = begin(&definitions, &setup, grain);
        for entry in first {
            script::perform(&mut run, entry);
        }
        run.hold = true;
        states += search(run, free, expected, ordered);
    }
    states
}

/// Depth first over clones of the world.
fn search(first: Run, entries: &[&str], expected: &str, ordered: bool) -> usize {
    let all = (1u32 << entries.len()) - 1;
    let mut seen = HashSet::from([(first.key(), all)]);
    let mut stack = vec![(first, all)];
    while let Some((run, left)) = stack.pop() {
        let mut successors: Vec<(Run, u32)> = Vec::new();
        for action in run.world.enabled(Part::Inside) {
            let mut next = run.clone();
            next.apply(action);
            successors.push((next, left));
        }
        let next_entries = entries.iter().enumerate().filter(|(bit, _)| left >> bit & 1 == 1);
        for (bit, entry) in next_entries.take(if ordered { 1 } else { entries.len() }) {
            successors.extend(possible(&run, entry).map(|next| (next, left & !(1 << bit))));
        }
        if successors.is_empty() {
            assert_eq!(
                left, 0,
                "entries are left over: {entries:?}, bits {left:b}\n{:#?}",
                run.log
            );
            expect::must_hold(&run, expected, "the end of a schedule");
        }
        for (next, left) in successors {
            if seen.insert((next.key(), left)) {
                assert!(seen.len() < STATES_MAX, "the scenario is small enough to search");
                stack.push((next, left));
            }
        }
    }
    seen.len()
}

/// What becomes of `run` if the outside does `entry` now; `None` if nothing is there to take it.
fn possible(run: &Run, entry: &str) -> Option<Run> {
    let mut next = run.clone();
    let word = entry.split(['(', '#']).next().expect("a word");
    if let Some(message) = word.strip_suffix('!') {
        let delivery = next.message(message, &Data::default(), 1);
        return (delivery != Delivery::Undelivered).then_some(next);
    }
    if let Some(node) = word.strip_prefix("fire:") {
        let node = run.node(node);
        let enabled = run.world.enabled(Part::All);
        let action = enabled.into_iter().find(|&action| {
            action.class() == trackside_engine::world::Class::Firing && run.world.label(action).node == Some(node)
        })?;
        next.apply(action);
        return Some(next);
    }
    if run.working(run.node(word)).is_empty() {
        return None;
    }
    script::perform(&mut next, entry);
    Some(next)
}
