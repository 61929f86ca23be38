//! What keeps the index up to date: moves, arrivals, firings.

use std::time::Duration;

use trackside_benches::graphs::{SHAPES, SIZES};
use trackside_benches::ground::Ground;
use trackside_benches::moves::Moves;
use trackside_benches::waves::Waves;

use crate::Report;
use crate::plot::Plot;
use crate::spread::{Spread, number};

/// Everything is gone through so often, some time apart, so that a slow spell of the machine is in few rounds of each.
const PASSES: usize = 4;
const ROUNDS: usize = 11;

/// The worst figure of a kind, and where it was seen.
#[derive(Default)]
struct Worst(f64, String);

impl Worst {
    fn see(&mut self, value: f64, place: String) {
        if value > self.0 {
            *self = Self(value, place);
        }
    }
}

/// Of each group of moves, and last of the waves: two times each round.
type Times = Vec<[Vec<Duration>; 2]>;

/// Holds everything on a graph against a search; gives room for its times.
fn checked(ground: &Ground) -> Times {
    let groups = Moves::groups(ground);
    groups.iter().for_each(Moves::check);
    Waves::new(ground).check();
    vec![Default::default(); groups.len() + 1]
}

fn measured(ground: &Ground, first: usize, times: &mut Times) {
    let (groups, mut waves) = (Moves::groups(ground), Waves::new(ground));
    for round in first..first + ROUNDS {
        let moving = groups.iter().map(|moves| moves.time(round)).collect::<Vec<_>>();
        for (times, time) in times.iter_mut().zip(moving.into_iter().chain([waves.time()])) {
            times[0].push(time[0]);
            times[1].push(time[1]);
        }
    }
}

pub(crate) fn measure(report: &mut Report) {
    let (mut per_touch, mut untouched) = (Worst::default(), Worst::default());
    let mut moves_table = Vec::new();
    let mut waves_table = Vec::new();
    let mut curves = Vec::new();
    let grounds: Vec<Ground> = SHAPES
        .iter()
        .flat_map(|&shape| SIZES.map(|flows| Ground::new(shape, flows)))
        .collect();
    let mut taken: Vec<Times> = grounds.iter().map(checked).collect();
    for pass in 0..PASSES {
        for (ground, times) in grounds.iter().zip(&mut taken) {
            measured(ground, pass * ROUNDS, times);
        }
        println!("upkeep, pass {} of {PASSES}", pass + 1);
    }
    let mut taken = grounds.iter().zip(&taken);
    for shape in SHAPES {
        for flows in SIZES {
            let (ground, times) = taken.next().expect("one for each shape and size");
            let (groups, waves) = (Moves::groups(ground), Waves::new(ground));
            let mut curve = Vec::new();
            for (moves, times) in groups.iter().zip(times) {
                let time = Spread::of(&times[0], moves.count() as usize);
                let empty = Spread::of(&times[1], moves.count() as usize);
                let per_join = (moves.touched > 0.0 && moves.name != "anywhere")
                    .then(|| (time.median - empty.median) / moves.touched);
                let place = || {
                    format!(
                        "{} of {} flows, touching {}",
                        shape.name,
                        number(flows as f64),
                        moves.name
                    )
                };
                match per_join {
                    Some(per_join) => {
                        per_touch.see(per_join, place());
                        curve.push((moves.touched, time.median));
                    }
                    None if moves.touched == 0.0 => untouched.see(time.median - empty.median, place()),
                    None => {}
                }
                moves_table.push(vec![
                    shape.name.to_owned(),
                    number(ground.flows() as f64),
                    moves.name.clone(),
                    number(moves.touched),
                    time.cell(),
                    number(empty.median),
                    per_join.map_or("–".to_owned(), number),
                ]);
            }
            if flows == SIZES[2] {
                curves.push((shape.name.to_owned(), curve));
            }
            let last = &times[groups.len()];
            waves_table.push(vec![
                shape.name.to_owned(),
                number(ground.flows() as f64),
                Spread::of(&last[0], waves.count()).cell(),
                Spread::of(&last[1], waves.count()).cell(),
            ]);
        }
    }
    report.target(
        "an update takes at most 3 ns per join touched",
        format!("at most {} ns ({})", number(per_touch.0), per_touch.1),
        per_touch.0 <= 3.0,
    );
    report.target(
        "a move that touches no join takes nothing",
        format!(
            "no counter changes (checked); at most {} ns for looking that up ({})",
            number(untouched.0),
            untouched.1
        ),
        untouched.0 <= 3.0,
    );
    report.say("## Moves\n");
    report.say(
        "Nanoseconds for one move of a token along a flow, from its source to its target: both updates, and asking whether a \
         join was freed. Moves are grouped by how many joins they touch, that is, how many joins see the token in another \
         class (*mean*). *anywhere* is a move along any flow of the graph, so that large graphs are not in the caches. \
         *list*: going through the list of moves alone; *ns per join touched* is what the move takes beyond that, over the \
         joins touched. Except for *anywhere*, few moves are made over and over, so that what they touch stays in the innermost \
         cache. Counts after all moves were found equal to counts made anew, and \
         decisions to those of a search.\n",
    );
    let head = [
        "family",
        "flows",
        "joins touched",
        "mean",
        "ns per move",
        "list",
        "ns per join touched",
    ]
    .map(str::to_owned);
    report.table(&head, &moves_table);
    let plot = Plot {
        title: format!("one move at {} flows, by joins touched", number(SIZES[2] as f64)),
        x: "joins touched",
        y: "nanoseconds",
        curves: curves.into_iter().filter(|(_, points)| !points.is_empty()).collect(),
    };
    report.plot("moves", &plot);
    report.say("## Arrivals and firings\n");
    report.say(
        "Nanoseconds per token. *arrival*: a token is registered on an input, and the join asked about. *firing*: a token is \
         consumed. All inputs of up to 64 joins in turn, with 100 tokens elsewhere; half way and at the end decisions were \
         found equal to those of a search, and the counts after firing to those before the arrivals.\n",
    );
    let head = ["family", "flows", "arrival", "firing"].map(str::to_owned);
    report.table(&head, &waves_table);
}
