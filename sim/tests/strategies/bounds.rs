//! `pct` has the orders of a model with a known number of tasks and steps at least as often as its bound says.

use trackside_sim::schedule::{Pct, Random, Seeded};

use crate::common::{Track, atomic, executed, template};

const SEEDS: u64 = 4_000;

/// How often `strategy` executes the nodes in an order that `lost` says.
fn hits(track: &mut Track, strategy: &mut dyn Seeded, lost: impl Fn(&str) -> bool) -> u32 {
    let mut hits = 0;
    for seed in 0..SEEDS {
        strategy.restart(seed);
        track.run(strategy);
        hits += u32::from(lost(&executed(track)));
    }
    hits
}

/// Depth 1: one constraint. Five branches of five tasks; the whole of the last one before anything of the others: one of
/// n = 5 tracks has to be the highest. (Every task runs by itself, and the fork and its flows count for the first track.)
#[test]
fn depth_1_is_found_in_one_of_n() {
    let branch = |n: char| format!("; F > {n}1* > {n}2* > {n}3* > {n}4* > e{n}; end e{n}");
    let model: String = "abcdv".chars().map(branch).collect();
    let template = template(&format!("s > F{model}"));
    let mut track = Track::new(&template, atomic());
    let first = |order: &str| order.starts_with("s F v1 v2 v3 v4 ev ");
    let pct = hits(&mut track, &mut Pct::with_depth(0, 1), first);
    // 1/5 of 4,000 are 800, give or take four standard deviations of 25.
    assert!((700..900).contains(&pct), "{pct}");
    assert!(hits(&mut track, &mut Random::new(0), first) < 20);
}

/// Depth 2: `a1` comes before the other branches, and `a2` after them. The track has to be the highest of n = 3, and the
/// change point at that one of k = 17 steps: no order needs more luck, so that the bound 1/51 is what is to be seen.
#[test]
fn depth_2_is_found_as_often_as_its_bound() {
    let model = "s > F > a1* > a2* > a3* > a4* > a5* > e1; F > b1* > b2* > b3* > b4* > b5* > e2; F > c1* > c2* > c3* > c4* > c5* > e3";
    let template = template(model);
    let mut track = Track::new(&template, atomic());
    let between = |order: &str| {
        let at = |name: &str| order.find(name).expect("every node is executed");
        at("a1") < at("b1").min(at("c1")) && at("b5").max(at("c5")) < at("a2")
    };
    let bound = SEEDS / (3 * 17);
    // Estimated from the template, or given, k is the same.
    for mut pct in [Pct::with_depth(0, 2), Pct::with_depth(0, 2).within(17)] {
        let pct = u64::from(hits(&mut track, &mut pct, between));
        assert!(pct + 3 * bound.isqrt() >= bound, "{pct} of {bound}");
    }
    let random = hits(&mut track, &mut Random::new(0), between);
    assert!(u64::from(5 * random) < bound, "{random} of {bound}");
}
