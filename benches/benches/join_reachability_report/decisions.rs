//! Decisions: by size, by tokens, with any answer, and cold.

use std::time::Duration;

use trackside_benches::fit::exponent;
use trackside_benches::graphs::{SHAPES, SIZES, Shape};
use trackside_benches::ground::{Ground, Question, Ring};
use trackside_benches::marking::Answers;
use trackside_benches::measure::{rounds, rounds_within};
use trackside_benches::peers::WAYS;

use crate::Report;
use crate::plot::Plot;
use crate::spread::{Spread, number};

/// Live tokens beside those registered at the joins asked about.
const LIVE: [usize; 4] = [1, 5, 100, 1000];
/// The number of them where something else varies.
const FEW: usize = 5;
/// The size where the number of tokens varies, and that at which the search is compared with.
const MIDDLE: usize = 4096;
const COMPARED: usize = 512;

const ROUNDS: usize = 15;
const AT_LEAST: Duration = Duration::from_millis(1);
const AT_MOST: Duration = Duration::from_millis(500);

/// What was measured in one state.
struct Row {
    flows: usize,
    live: usize,
    wanted: Answers,
    /// How many of the joins asked about may fire, and how many there are.
    firing: (usize, usize),
    index: Spread,
    /// In the order of [`WAYS`].
    peers: Vec<Option<Spread>>,
    /// The time of the first peer over that of the index, round by round.
    ratio: Spread,
}

impl Row {
    fn new(ground: &Ground, live: usize, wanted: Answers) -> Self {
        Self::of(ground, &ground.question(live, wanted), live, wanted)
    }

    fn of(ground: &Ground, question: &Question, live: usize, wanted: Answers) -> Self {
        let mut peers = ground.peers(question);
        let mut index = || {
            question.decide();
        };
        let mut asks: Vec<Box<dyn FnMut() + '_>> = Vec::new();
        for (_, peer) in &mut peers {
            asks.push(Box::new(|| question.ask(peer.as_mut())));
        }
        let mut contenders: Vec<&mut dyn FnMut()> = vec![&mut index];
        contenders.extend(asks.iter_mut().map(|ask| &mut **ask as &mut dyn FnMut()));
        let times = rounds_within(ROUNDS, AT_LEAST, AT_MOST, &mut contenders);
        drop(asks);
        let joins = question.joins.len();
        let spread_of = |name| {
            let place = peers.iter().position(|(way, _)| way.name == name);
            place.map(|at| Spread::of(&times[at + 1], joins))
        };
        Self {
            flows: ground.flows(),
            live,
            wanted,
            firing: (question.answers.iter().filter(|answer| **answer).count(), joins),
            index: Spread::of(&times[0], question.decisions()),
            peers: WAYS.iter().map(|way| spread_of(way.name)).collect(),
            ratio: Spread::of_ratio(&times[1], joins, &times[0], question.decisions()),
        }
    }

    /// The figure of the index and those of the peers, by name.
    fn figures(&self) -> impl Iterator<Item = (&'static str, Option<Spread>)> + '_ {
        let peers = WAYS.iter().zip(&self.peers).map(|(way, spread)| (way.name, *spread));
        std::iter::once(("index", Some(self.index))).chain(peers)
    }
}

pub(crate) fn measure(report: &mut Report) {
    let mut families = Vec::new();
    let mut cold = Vec::new();
    let mut hardest = Vec::new();
    for shape in SHAPES {
        let mut rows = Vec::new();
        for flows in SIZES {
            let ground = Ground::new(shape, flows);
            for live in LIVE {
                rows.push(Row::new(&ground, live, Answers::Fire));
            }
            rows.push(Row::new(&ground, FEW, Answers::Any));
            cold.push(chilled(shape, &ground));
            if flows == COMPARED {
                let question = ground.hardest(FEW, Answers::Fire);
                hardest.push(Row::of(&ground, &question, FEW, Answers::Fire));
            }
            println!("decisions, {} of {flows} flows", shape.name);
        }
        families.push((shape, rows));
    }
    report.say("## Decisions, by size\n");
    report.say(&format!(
        "Nanoseconds for one decision, with {FEW} live tokens that block none of the joins asked about: the worst case for a \
         search. *growth* is the exponent that least squares give on logarithmic axes, over the sizes measured: 0 is \
         constant, 1 linear.\n"
    ));
    for (shape, rows) in &families {
        by_size(report, *shape, rows);
    }
    compare(report, &families, &hardest);
    report.say("## Decisions, by live tokens\n");
    report.say(&format!("The same at {} flows.\n", number(MIDDLE as f64)));
    for (shape, rows) in &families {
        by_tokens(report, *shape, rows);
    }
    anywhere(report, &families);
    report.say("## Cold decisions\n");
    report.say(&format!(
        "Nanoseconds. *cold*: a decision in one of so many instances that no cache holds them. *fresh*: making an instance's \
         counts, placing {FEW} tokens and those registered at the joins asked about, and one decision. Peers keep nothing for \
         an instance beyond its tokens.\n"
    ));
    let head = ["family", "flows", "warm", "cold", "fresh", "bytes per instance"].map(str::to_owned);
    report.table(&head, &cold);
}

fn by_size(report: &mut Report, shape: Shape, rows: &[Row]) {
    let rows: Vec<&Row> = rows
        .iter()
        .filter(|row| row.live == FEW && row.wanted == Answers::Fire)
        .collect();
    report.say(&format!("### {}\n", shape.name));
    let mut head = vec!["flows".to_owned()];
    head.extend(rows.iter().map(|row| number(row.flows as f64)));
    head.push("growth".to_owned());
    let mut table = Vec::new();
    let mut curves = Vec::new();
    for (at, (name, _)) in rows[0].figures().enumerate() {
        let spreads: Vec<Option<Spread>> = rows.iter().map(|row| row.figures().nth(at).and_then(|f| f.1)).collect();
        let points: Vec<(f64, f64)> = rows
            .iter()
            .zip(&spreads)
            .filter_map(|(row, spread)| Some((row.flows as f64, spread.as_ref()?.median)))
            .collect();
        let mut cells = vec![name.to_owned()];
        cells.extend(spreads.iter().map(|spread| spread.map_or("–".to_owned(), Spread::cell)));
        cells.push(if points.len() < 2 {
            "–".to_owned()
        } else {
            format!("{:.2}", exponent(&points))
        });
        table.push(cells);
        curves.push((name.to_owned(), points));
    }
    report.table(&head, &table);
    let plot = Plot {
        title: format!("{}: one decision with {FEW} live tokens", shape.name),
        x: "flows",
        y: "nanoseconds",
        curves,
    };
    report.plot(&format!("decision-{}", shape.name), &plot);
}

fn by_tokens(report: &mut Report, shape: Shape, rows: &[Row]) {
    let sizes: Vec<usize> = rows.iter().map(|row| row.flows).collect();
    let near = sizes
        .iter()
        .copied()
        .min_by_key(|flows| flows.abs_diff(MIDDLE))
        .expect("there are sizes");
    let rows = rows
        .iter()
        .filter(|row| row.flows == near && row.wanted == Answers::Fire);
    let rows: Vec<&Row> = rows.collect();
    let mut head = vec![format!("{}, tokens", shape.name)];
    head.extend(
        rows.iter()
            .map(|row| number(row.live as f64).trim_end_matches(".00").to_owned()),
    );
    let lines = (0..=WAYS.len()).map(|at| {
        let mut figures = rows.iter().filter_map(|row| row.figures().nth(at)).peekable();
        let mut cells = vec![figures.peek().map_or("", |figure| figure.0).to_owned()];
        cells.extend(figures.map(|(_, spread)| spread.map_or("–".to_owned(), Spread::cell)));
        cells
    });
    report.table(&head, &lines.collect::<Vec<_>>());
    let plot = Plot {
        title: format!("{}: one decision at {} flows", shape.name, number(near as f64)),
        x: "live tokens",
        y: "nanoseconds",
        curves: (0..=WAYS.len())
            .map(|at| {
                let points = rows
                    .iter()
                    .filter_map(|row| Some((row.live as f64, row.figures().nth(at)?.1?.median)));
                (
                    rows[0].figures().nth(at).map_or("", |f| f.0).to_owned(),
                    points.collect(),
                )
            })
            .collect(),
    };
    report.plot(&format!("tokens-{}", shape.name), &plot);
}

/// The targets, and how much faster the index is than the search.
fn compare(report: &mut Report, families: &[(Shape, Vec<Row>)], hardest: &[Row]) {
    let all = families
        .iter()
        .flat_map(|(shape, rows)| rows.iter().map(move |row| (shape, row)));
    let slowest = all.max_by(|a, b| a.1.index.median.total_cmp(&b.1.index.median));
    let (shape, row) = slowest.expect("something was measured");
    report.target(
        "a warm decision takes at most 2 ns at every size",
        format!(
            "at most {} ns (median; {}, {} flows, {} tokens)",
            number(row.index.median),
            shape.name,
            number(row.flows as f64),
            row.live
        ),
        row.index.median <= 2.0,
    );
    report.say("### How many times longer the CSR search takes\n");
    report.say(
        "Round by round, with the quartiles; the same states. What a search has to look at is what leads to the join that it \
         is asked about: joins are drawn at random, and in the nested family most are innermost and have little before them. \
         The last column asks about the one join that most nodes lead to.\n",
    );
    let mut table = Vec::new();
    for ((shape, rows), worst) in families.iter().zip(hardest) {
        let rows = rows.iter().filter(|row| row.live == FEW && row.wanted == Answers::Fire);
        let mut cells = vec![shape.name.to_owned()];
        cells.extend(rows.map(|row| row.ratio.cell()));
        cells.push(worst.ratio.cell());
        table.push(cells);
        report.target(
            format!(
                "at least 1,000× the CSR search at {COMPARED} flows, the join that most leads to; {}",
                shape.name
            ),
            format!("{}×", worst.ratio.cell()),
            worst.ratio.median >= 1000.0,
        );
    }
    let mut head = vec!["flows, about".to_owned()];
    head.extend(SIZES.map(|flows| number(flows as f64)));
    head.push(format!("{COMPARED}, the join that most leads to"));
    report.table(&head, &table);
}

fn anywhere(report: &mut Report, families: &[(Shape, Vec<Row>)]) {
    report.say("## Decisions with tokens anywhere\n");
    report.say(&format!(
        "{FEW} live tokens wherever they fall, at about {} flows: some joins have to wait, and a search may stop early.\n",
        number(MIDDLE as f64)
    ));
    let mut table = Vec::new();
    for (shape, rows) in families {
        let rows = rows.iter().filter(|row| row.wanted == Answers::Any);
        let row = rows
            .min_by_key(|row| row.flows.abs_diff(MIDDLE))
            .expect("there are sizes");
        let mut cells = vec![shape.name.to_owned(), format!("{} of {}", row.firing.0, row.firing.1)];
        cells.extend(
            row.figures()
                .map(|(_, spread)| spread.map_or("–".to_owned(), Spread::cell)),
        );
        table.push(cells);
    }
    let mut head = vec!["family".to_owned(), "may fire".to_owned(), "index".to_owned()];
    head.extend(WAYS.iter().map(|way| way.name.to_owned()));
    report.table(&head, &table);
}

fn chilled(shape: Shape, ground: &Ground) -> Vec<String> {
    let question: Question = ground.question(FEW, Answers::Fire);
    assert_eq!(ground.fresh(&question), question.answers[0]);
    let mut ring = Ring::new(ground, &question);
    let times = rounds(
        ROUNDS,
        AT_LEAST,
        &mut [
            &mut || {
                question.decide();
            },
            &mut || ring.decide(),
            &mut || {
                ground.fresh(&question);
            },
        ],
    );
    vec![
        shape.name.to_owned(),
        number(ground.flows() as f64),
        Spread::of(&times[0], question.decisions()).cell(),
        Spread::of(&times[1], Ring::DECISIONS).cell(),
        Spread::of(&times[2], 1).cell(),
        number(ground.instance_bytes() as f64),
    ]
}
