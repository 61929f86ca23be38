//! The table of decisions of inclusive joins: what the oracle decides in a marking, under either reading.

use trackside_engine::instance::OrJoin;
use trackside_engine::model::Definitions;
use trackside_sim::oracle::{Place, inclusive_join_fires};

use super::drive::parse;
use rows::{Decision, Row, TABLE};

#[path = "../../../engine/tests/rules/orj_rows.rs"]
#[allow(dead_code, reason = "each crate needs another part of it")]
mod rows;

/// The tokens of a row: flows into its join that hold one, and the places of the others. A token that is registered at
/// another join stands there.
fn marking<'r>(file: &'r Definitions, row: &Row) -> (Vec<&'static str>, Vec<Place<'r>>) {
    let target = |id: &str| {
        let mut flows = file.scopes[0].flows.iter();
        let flow = flows.find(|flow| flow.id == id);
        flow.map(|flow| flow.target.as_str()).expect("the row names a flow")
    };
    let (here, elsewhere): (Vec<_>, Vec<_>) = row.registered.iter().partition(|flow| target(flow) == row.join);
    let others = row.others.split_whitespace().map(|other| match other.split_once(':') {
        Some(("at", node)) => Place::At(node),
        Some(("on", flow)) => Place::On(flow),
        _ => panic!("{other} is no place"),
    });
    let elsewhere = elsewhere.into_iter().map(|flow| Place::At(target(flow)));
    (here, elsewhere.chain(others).collect())
}

#[test]
fn every_row_decides_as_the_table_says() {
    assert!(TABLE.len() > 28, "the whole table");
    for row in TABLE {
        let file = parse(row.model);
        let (registered, others) = marking(&file, row);
        for (rule, expected) in [
            (OrJoin::Standard, row.standard),
            (OrJoin::Conservative, row.conservative),
        ] {
            let fires = inclusive_join_fires(&file, row.join, rule, &registered, &others);
            assert_eq!(fires, Ok(expected == Decision::Fire), "row {}, {rule:?}", row.name);
        }
    }
}
