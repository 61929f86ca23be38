//! Decisions by the conservative rule.

use std::cell::RefCell;
use std::time::Duration;

use trackside_benches::cautious::Cautious;
use trackside_benches::graphs::{SHAPES, SIZES};
use trackside_benches::ground::Ground;
use trackside_benches::marking::Answers;
use trackside_benches::measure::rounds_within;

use crate::Report;
use crate::spread::{Spread, number};

const HEAD: [&str; 6] = ["family", "flows", "tokens", "may fire", "index", "CSR search"];

const LIVE: [usize; 2] = [5, 100];
const ROUNDS: usize = 15;
const AT_LEAST: Duration = Duration::from_millis(1);
const AT_MOST: Duration = Duration::from_millis(500);

pub(crate) fn measure(report: &mut Report) {
    report.say("## The conservative rule\n");
    report.say(
        "Nanoseconds for one decision by the rule that a token blocks as soon as it reaches an input without a token (ORJ-2), \
         with tokens wherever they fall. Tokens that reach some inputs are counted as for the standard's rule; those that reach \
         all are looked for among the tokens, one lookup each, where nothing else blocks and an input is unmarked. The engine \
         remembers the one that it found, so that it looks at one only while that one stays where it is; here nothing is \
         remembered. *CSR search*: a search backwards from the inputs without a token. Answers were found equal before \
         anything was timed.\n",
    );
    let mut table = Vec::new();
    for shape in SHAPES {
        for flows in SIZES {
            let ground = Ground::new(shape, flows);
            let known = ground.decided().first().and_then(|&join| {
                let number = ground.index.join_at(join)?;
                ground.index.reaches_all(number, 0)
            });
            if known.is_none() {
                let mut row = vec![shape.name.to_owned(), number(flows as f64)];
                row.resize(HEAD.len(), "left to search".to_owned());
                table.push(row);
                continue;
            }
            for live in LIVE {
                let question = ground.question(live, Answers::Any);
                let cautious = RefCell::new(Cautious::new(&ground, &question));
                let (firing, joins) = cautious.borrow().firing();
                let decisions = cautious.borrow().decisions();
                let times = rounds_within(
                    ROUNDS,
                    AT_LEAST,
                    AT_MOST,
                    &mut [&mut || cautious.borrow().decide(), &mut || {
                        cautious.borrow_mut().search();
                    }],
                );
                table.push(vec![
                    shape.name.to_owned(),
                    number(ground.flows() as f64),
                    live.to_string(),
                    format!("{firing} of {joins}"),
                    Spread::of(&times[0], decisions).cell(),
                    Spread::of(&times[1], joins).cell(),
                ]);
            }
        }
        println!("conservative, {}", shape.name);
    }
    report.table(&HEAD.map(str::to_owned), &table);
}
