//! The table of decisions of inclusive joins: what the oracle decides in a marking, under either reading. `*` marks rows
//! where the two differ.

use trackside_engine::instance::OrJoin;
use trackside_sim::oracle::{Place, inclusive_join_fires};

use super::drive::parse;
use Place::{At, On};

const D: &str = "e: S > O > A > J.1; O > B > J.2; J > End.o; start S; or O J; auto A B";
const X: &str = "e: S > O > A > J.1; O > B > X.c; X > J.2; X > Q > E2; J > End; start S; or O J; auto A B Q";
const C: &str = "S > O > X.a; X > J.1; X > J.2; O > B > J.3; start S; or O J; auto B";
const L: &str = "S > J.1; J > T > X > J.x; X > End; start S; or J; auto T";
const LD: &str = "S > m > O > A > J.1; O > B > J.2; J > X > m.r; X > End; start S; or O J; auto A B";
const N: &str = "O > A > J1.1; O > B > J1.2; J1 > J.3; O > C > J.4; or O J J1; auto A B C";
const V: &str = "F > J1.a; F > J2.b; J1 > P1 > J2.y; P1 > End; J2 > P2 > J1.x; P2 > End; or J1 J2; xor P1 P2";
const W: &str = "S > m > X1 > End; X1 > O > J1.3; O > J2.4; J1 > J2.8; J2 > X2 > J1.1; X2 > m; start S; or O J1 J2";
const K: &str = "S > m > F > O > J.1; O > J.2; F > PJ.p; J > PJ > X > m; X > End; start S; or O J; and PJ";
const U: &str =
    "S > F > G.g; F > m; G > J1.5; G > J2.6; m > J2.7; J2 > J1.9; J1 > X > m; X > End; start S; and G; or J1 J2";
const P: &str = "F > A > J.1; F > B > X > J.2; X > PJ.p; J > PJ > End; or J; and PJ; auto A B";
const Q: &str = "F > A > J.1; F > PJ.p; Z > PJ > W > J.2; or J; and PJ; auto A W";
const EV: &str = "F > A > J.1; F > E > M > J.2; E > T > E2; or J; gate E; catch M(message m) T(timer PT1H); auto A";
const B1: &str = "A > J.1; B{!timer PT1H as C > J.2} > E2; or J; auto A";
const B2: &str = "A > m > J.1; B{!timer PT1H as T > m} > J.2; or J; auto A";

/// Number, model, join, registered, other tokens; whether the standard reading fires, and the conservative one.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [Place<'static>],
    bool,
    bool,
);

#[rustfmt::skip]
const TABLE: &[Row] = &[
    ("1", D, "J", &["1"], &[], true, true),
    ("2", D, "J", &["1"], &[At("B")], false, false),
    ("3", D, "J", &["1", "2"], &[], true, true),
    ("4", D, "J", &[], &[At("A")], false, false),
    ("5", D, "J", &["1"], &[At("A")], true, true),
    ("6*", D, "J", &["1"], &[On("e")], true, false),
    ("7, 8 (surplus counts as its flow): fires", D, "J", &["1", "1"], &[], true, true),
    ("8", D, "J", &["1", "1"], &[At("B")], false, false),
    ("9", D, "J", &["1"], &[On("o")], true, true),
    ("10", X, "J", &["1"], &[On("c")], false, false),
    ("11", X, "J", &["1"], &[At("Q")], true, true),
    ("12", C, "J", &["3"], &[On("a")], false, false),
    ("13*", C, "J", &["1", "3"], &[On("a")], true, false),
    ("14", L, "J", &["1"], &[At("T")], false, false),
    ("15", L, "J", &["x"], &[], true, true),
    ("16*", LD, "J", &["1"], &[On("r")], true, false),
    ("17", N, "J", &["4"], &[At("J1")], false, false),
    ("17, the join that is counted", N, "J1", &["1"], &[At("J")], true, true),
    ("18", V, "J1", &["a"], &[On("b")], false, false),
    ("19", V, "J2", &["b"], &[On("a")], false, false),
    ("20*", W, "J1", &["3"], &[On("4")], true, false),
    ("21", W, "J2", &["4"], &[On("3")], false, false),
    ("22*", K, "J", &["1"], &[On("p")], true, false),
    ("23*", U, "J2", &["7"], &[On("g")], true, false),
    ("24", P, "J", &["1"], &[At("PJ")], true, true),
    ("25", Q, "J", &["1"], &[At("PJ")], false, false),
    ("26", EV, "J", &["1"], &[At("E")], false, false),
    ("27", EV, "J", &["1"], &[At("T")], true, true),
    ("28", B1, "J", &["1"], &[At("B")], false, false),
    ("29*", B2, "J", &["1"], &[At("B")], true, false),
];

#[test]
fn every_row_decides_as_the_table_says() {
    for &(row, model, join, registered, others, standard, conservative) in TABLE {
        let file = parse(model);
        let decide = |rule| inclusive_join_fires(&file, join, rule, registered, others);
        assert_eq!(decide(OrJoin::Standard), Ok(standard), "row {row}, standard");
        assert_eq!(
            decide(OrJoin::Conservative),
            Ok(conservative),
            "row {row}, conservative"
        );
    }
}
