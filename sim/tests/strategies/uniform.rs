//! How evenly `surw` and `pos` spread over orders, where a random walk does not.

use std::collections::BTreeMap;

use trackside_sim::schedule::{Pos, Random, Seeded, Strategy, Surw};

use crate::common::{Track, atomic, executed, template};

const SEEDS: u64 = 7_000;

fn orders(model: &str, strategy: &mut dyn Seeded) -> BTreeMap<String, u32> {
    let template = template(model);
    let mut track = Track::new(&template, atomic());
    let mut orders = BTreeMap::new();
    for seed in 0..SEEDS {
        strategy.restart(seed);
        track.run(strategy);
        *orders.entry(executed(&track)).or_default() += 1;
    }
    orders
}

/// Two branches of two and five tasks: 21 orders, each about 333 times. A random walk has those where the short branch
/// goes first in a quarter of all runs.
#[test]
fn surw_gives_every_interleaving_of_two_branches_the_same_odds() {
    let model = "s > F > a1* > a2* > e1; F > b1* > b2* > b3* > b4* > b5* > e2";
    let uniform = orders(model, &mut Uniform(Surw::uniform(0)));
    assert_eq!(uniform.len(), 21);
    assert!(uniform.values().all(|count| (250..420).contains(count)), "{uniform:#?}");
    let random = orders(model, &mut Random::new(0));
    let most = random.values().max().expect("there are runs");
    let least = random.values().min().expect("there are runs");
    assert!(*most > 8 * least, "{random:#?}");
}

/// Every action interesting under every seed.
struct Uniform(Surw);

impl Strategy for Uniform {
    fn choose(
        &mut self,
        world: &trackside_engine::world::World,
        part: trackside_engine::world::Part,
    ) -> Option<trackside_engine::world::Action> {
        self.0.choose(world, part)
    }
}

impl Seeded for Uniform {
    fn restart(&mut self, seed: u64) {
        self.0 = Surw::uniform(seed);
    }
}

/// Three branches into a join, one short and two long. What matters is the order of the arrivals there, and each of the 6
/// comes up; a random walk hardly ever has the short one last.
#[test]
fn pos_has_every_order_at_a_join() {
    let model = "s > F > J; F > a1* > a2* > a3* > a4* > J; F > b1* > b2* > b3* > b4* > J; J > e; and J";
    let template = template(model);
    let mut track = Track::new(&template, crate::common::open());
    let mut last = |strategy: &mut dyn Seeded| {
        let mut lasts: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        for seed in 0..SEEDS {
            strategy.restart(seed);
            track.run(strategy);
            *lasts.entry(crate::common::arrivals(&track, "J")).or_default() += 1;
        }
        lasts
    };
    let pos = last(&mut Pos::new(0));
    assert_eq!(pos.len(), 6, "{pos:?}");
    assert!(pos.values().all(|&count| u64::from(count) > SEEDS / 400), "{pos:?}");
    let short_last = |lasts: &BTreeMap<Vec<u32>, u32>| -> u32 {
        lasts
            .iter()
            .filter(|(order, _)| order[2] == 0)
            .map(|(_, count)| count)
            .sum()
    };
    let random = last(&mut Random::new(0));
    assert!(short_last(&pos) > 50 && short_last(&random) < 2, "{pos:?} {random:?}");
}
