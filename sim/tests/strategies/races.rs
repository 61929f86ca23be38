//! Small hard races: how many schedules each strategy needs to lose them, against a random walk.

use trackside_sim::schedule::Named;

use crate::common::{Track, open, template};
use crate::orders::Race;

/// Orders that defects of joins, boundary events, gates and terminations need.
#[rustfmt::skip]
pub(crate) const RACES: &[Race] = &[
    Race { name: "in transit while the other branch dies",
        model: "s > F > A > J; F > B > X -[go]> J; X -[default]> e2; F > C > J; J > e; or J",
        order: "arrived C_J < left A_J; left A_J < ran e2; ran e2 < arrived A_J" },
    Race { name: "one branch last of four",
        model: "s > F > A > A1 > J; F > B > B1 > J; F > C > C1 > J; F > D > D1 > J; J > e; and J",
        order: "parked A1_J < arrived F_D; parked B1_J < arrived F_D; parked C1_J < arrived F_D" },
    Race { name: "three firings before anything else",
        model: "s > F > A{~m > B > e2} > C > e; F > D > e3",
        order: "fired A_m#3 < arrived A_m_B; fired A_m#3 < done A; fired A_m#3 < done D" },
    Race { name: "surplus overtakes",
        model: "s > F > A > m; F > B > m; F > C > m; F > D > J; m > E1x > J > e; and J; user E1x",
        order: "parked E1x_J#3 < done D" },
    Race { name: "a terminate with both tokens in transit to the join",
        model: "s > F > A > J; F > B > J; F > C > C1 > ET; J > D > e; and J",
        order: "left A_J < ran ET; left B_J < ran ET; ran ET < arrived A_J; ran ET < arrived B_J" },
    Race { name: "interrupted with the last token before the end",
        model: "s > F > SP{s1 > A > B > e1}{!m > C > e2} > D > e; F > Q > e4",
        order: "left B_e1 < interrupted SP; done Q < interrupted SP" },
    Race { name: "a watcher's token after both branches",
        model: "s > F > A{~m > C > D > J} > J; F > B > B1 > J; J > e; or J",
        order: "arrived B1_J < fired A_m; fired A_m < done A; arrived A_J < done C" },
    Race { name: "caught before thrown",
        model: "s > F > A > B > c > J; catch c(signal g); F > throw t(signal g) > J; F > D > J; J > e; and J",
        order: "armed c < ran t" },
    Race { name: "a wave over before the rest begins",
        model: "s > F > A > K; F > B > K; F > C > K; K(1) > D > D1 > e",
        order: "done D1 < arrived F_B; trailing K#2 < arrived D1_e" },
    Race { name: "four rounds before one completion",
        model: "s > F > m > A > X -[again]> m; X -[done]> J; F > B > J; J > e; and J",
        order: "done A#4 < done B" },
    Race { name: "both triggers before the completion, then all at once",
        model: "s > F > A{~m > B > e2}{!g > C > e3} > D > e; F > Q > Q1 > e4",
        order: "done Q1 < fired A_m; fired A_m#2 < done B; fired A_m#2 < fired A_g; fired A_g < arrived A_m_B" },
    Race { name: "two tokens at a gate, one arm each at once",
        model: "s > F > A > m; F > B > m; m > G > catch a(message k) > C > e; G > catch b(signal g) > D > e2; F > Q > e3",
        order: "armed a#2 < fired a; armed a#2 < fired b; fired a < done Q; fired b < done Q; fired a < left a_C#2; fired b < arrived a_C; fired a < arrived b_D" },
    Race { name: "an inner scope done while the outer is interrupted in between",
        model: "s > SP{s1 > F > SQ{s2 > A > e1} > B > J; F > C > J; J > e2; and J}{!m > D > e3} > e",
        order: "ran e1 < interrupted SP; parked C_J < interrupted SP; interrupted SP < arrived SQ_B" },
];

/// How many of so many seeds have the order.
fn hits(race: &Race, named: Named, seeds: u64) -> u32 {
    let template = template(race.model);
    let mut track = Track::new(&template, open());
    let mut strategy = named.build(0);
    let mut hits = 0;
    for seed in 0..seeds {
        strategy.restart(seed);
        track.run(&mut *strategy);
        hits += u32::from(race.lost(&template, &track.log));
    }
    hits
}

/// How many times more often than a random walk a strategy loses the races, in the geometric mean; with what it is
/// made of, for people. Half a hit more for everyone keeps zeroes out.
fn gain(named: Named, random: &[u32]) -> (f64, Vec<u32>) {
    let counts: Vec<u32> = RACES.iter().map(|race| hits(race, named, SEEDS)).collect();
    let ratio = |(own, other): (&u32, &u32)| (f64::from(2 * own + 1) / f64::from(2 * other + 1)).ln();
    let sum: f64 = counts.iter().zip(random).map(ratio).sum();
    let races = u32::try_from(RACES.len()).expect("a handful of races");
    ((sum / f64::from(races)).exp(), counts)
}

const SEEDS: u64 = 600;

/// The aim is a third of the schedules. The portfolio is well beyond that, and so is the swarm in it.
#[test]
fn rare_orders_come_far_sooner_than_at_random() {
    let random: Vec<u32> = RACES.iter().map(|race| hits(race, Named::Random, SEEDS)).collect();
    println!("random: {random:?}");
    for (named, least) in [
        (Named::Pct, 2.0),
        (Named::Pos, 2.0),
        (Named::Surw, 1.0),
        (Named::Swarm, 4.0),
        (Named::Portfolio, 4.0),
    ] {
        let (gain, counts) = gain(named, &random);
        println!("{}: {gain:.1} {counts:?}", named.name());
        assert!(
            gain > least,
            "{}: {gain:.2} {counts:?}, random {random:?}",
            named.name()
        );
    }
}

/// No race is so hard that the portfolio never loses it.
#[test]
fn the_portfolio_loses_every_race() {
    for race in RACES {
        assert!(hits(race, Named::Portfolio, 4 * SEEDS) > 0, "{}", race.name);
    }
}
