//! What is not of the notation, and that nothing panics.

use proptest::prelude::*;

use super::super::NESTING_MAX;
use super::parse;

#[track_caller]
fn check_errors(table: &[(&str, &str)]) {
    for (text, expected) in table {
        match parse(text) {
            Ok(_) => panic!("no error: {text}"),
            Err(error) => assert_eq!(error.to_string(), *expected, "{text}"),
        }
    }
}

#[test]
fn grammar() {
    check_errors(&[
        ("A > ", "1:5: expected a name, found the end"),
        ("A > 1b", "1:5: expected a name, found `1b`"),
        (
            "A > B ? C",
            "1:7: expected an arrow, `;` or the end of the line, found `?`",
        ),
        (
            "A > B C D",
            "1:5: expected an arrow, `;`, the end of the line or a known keyword, found `B` and a name",
        ),
        (
            "foo A",
            "1:1: expected an arrow, `;`, the end of the line or a known keyword, found `foo` and a name",
        ),
        (
            "user A B > C",
            "1:10: expected an arrow, `;` or the end of the line, found `>`",
        ),
        ("A -[x] B", "1:8: expected `>`, found `B`"),
        ("A -[ ]> B", "1:6: expected a condition or `default`, found the end"),
        (
            "A - > B",
            "1:3: expected an arrow, `;` or the end of the line, found `-`",
        ),
        ("A\n}", "2:1: expected a statement, found `}`"),
        ("A. > B", "1:3: expected the id of a flow, found ` `"),
        ("A.f > B", "1:3: expected a flow that this label names, found none"),
        ("f: A; A > B", "1:1: expected a flow that this label names, found none"),
        ("f: A > B.g", "1:10: expected one label for a flow, found a second one"),
        ("Ä > B", "1:1: expected a name, found `Ä`"),
        (
            "s > A{ B > C } x",
            "1:16: expected an arrow, `;` or the end of the line, found `x`",
        ),
    ]);
}

#[test]
fn brackets() {
    check_errors(&[
        ("A -[x > B\n", "1:4: `[` is never closed"),
        ("catch c(if (a)", "1:8: `(` is never closed"),
        ("A > SP{ B", "1:7: `{` is never closed"),
        ("A{!m > B", "1:2: `{` is never closed"),
        ("A{!m > B; C}", "1:9: expected an arrow or `}`, found `;`"),
        ("A{!}", "1:4: expected a trigger, found `}`"),
        ("A{!()}", "1:5: expected a trigger, found the end"),
        (
            "A{!if ok > B}",
            "1:4: expected parentheses around a trigger with a condition, found `if`",
        ),
        ("A{!timer =d > B}", "1:10: expected an arrow or `}`, found `=`"),
        ("A{!m n > B}", "1:6: expected nothing more in here, found `n`"),
        ("A{!(m) n > B}", "1:8: expected an arrow or `}`, found `n`"),
        ("A{!m as > B}", "1:9: expected a name, found `>`"),
        ("sub S", "1:6: expected a body in braces, found the end"),
        ("sub S{!m}", "1:10: expected a body in braces, found the end"),
        ("ESP!h > A", "1:6: expected a body in braces, found ` `"),
        (
            "SP{A}; transaction SP",
            "1:22: expected a body in braces, found the end",
        ),
        (
            "user ESP!h{}",
            "1:9: expected an arrow, `;` or the end of the line, found `!`",
        ),
    ]);
}

#[test]
fn arguments() {
    check_errors(&[
        (
            "A(m)",
            "1:3: expected no parentheses after this kind of node, found `m`",
        ),
        (
            "or J(1)",
            "1:6: expected no parentheses after this kind of node, found `1`",
        ),
        (
            "catch c(timer soon)",
            "1:15: expected a timer: `PT…`, `R…`, a date or `=…`, found `soon`",
        ),
        ("catch c(a |)", "1:12: expected a trigger, found the end"),
        ("catch c(message a b)", "1:19: expected nothing more in here, found `b`"),
        (
            "gate G(fast)",
            "1:8: expected `instantiate` or `parallel`, found `fast`",
        ),
        ("complex K()", "1:11: expected a count, found the end"),
        ("complex K(two)", "1:11: expected a count, found `two`"),
        ("complex K(2; )", "1:13: expected a count, found the end"),
        ("complex K(2 f1)", "1:13: expected `requires` or `if`, found `f1`"),
        (
            "complex K(2 requires f-1)",
            "1:23: expected nothing more in here, found `-`",
        ),
        (
            "complex K(99999999999999999999)",
            "1:11: expected a count, found `99999999999999999999`",
        ),
        ("send S(a b)", "1:10: expected nothing more in here, found `b`"),
        ("receive R(a instantiate b)", "1:25: expected one message, found `b`"),
        ("call C(+)", "1:8: expected the id of a process, found `+`"),
    ]);
}

#[test]
fn names() {
    check_errors(&[
        ("A; SP{A}", "1:7: `A` is a node of another scope"),
        ("SP{A}; SQ{A > B}", "1:11: `A` is a node of another scope"),
        ("SP{A{!m as x}}; B{!m as x}", "1:25: `x` is a node of another scope"),
        ("user A; auto A", "1:14: `A` is declared twice"),
        ("user A; A*", "1:9: `A` is declared twice"),
        ("SP{A}; SP{B}", "1:10: `SP` is declared twice"),
        ("user A{B}", "1:7: `A` is declared twice"),
        ("A{!m as B}; user B", "1:18: `B` is declared twice"),
        ("f: A > B; f: B > C", "1:11: `f` is already the id of a flow"),
        ("A: A > B", "1:1: `A` is already the id of a node"),
        ("A > B.A", "1:7: `A` is already the id of a node"),
        ("start s(message s)", "1:9: `s` is already the id of a node"),
        ("A{!m > m}", "1:8: `m` is already the id of a message"),
        ("A{!error x}{!signal x}", "1:14: `x` is already the id of an error"),
        (
            "X -[default]> A; X -[default]> B",
            "1:20: `X` has a default flow already",
        ),
    ]);
}

#[test]
fn nesting_is_bounded() {
    let nested = |open: &str, depth: u32| {
        let bodies: String = (0..depth)
            .map(|index| open.replace('N', &format!("N{index}")))
            .collect();
        format!("{bodies}{}", "}".repeat(depth as usize))
    };
    assert!(parse(&nested("N{", NESTING_MAX)).is_ok());
    let error = parse(&nested("N{", NESTING_MAX + 1)).unwrap_err();
    assert_eq!(error.to_string(), "1:250: more than 64 braces inside each other");
    assert!(parse(&nested("N{!m > ", 100_000)).is_err());
    assert!(parse(&"{".repeat(100_000)).is_err());
    assert!(parse(&format!("X -{}> A", "[".repeat(100_000))).is_err());
}

/// Texts of the notation's own pieces, which get further into the parser than arbitrary ones.
fn pieces() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "s", "A", "B1", "X", "J", "m", "E", "1", "as", "ESP", "user", "complex", "catch", "sub", " ", " ", "\n", ";",
        ":", ".", "*", ">", "→", "-[", "]", "(", ")", "{", "}", "{!", "{~", "!", "~", "|", "&", "\"", "\\", "#", "if ",
        "timer ", "PT1S", "requires", "default",
    ]);
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        let _ = parse(&text);
    }

    #[test]
    fn pieces_never_panic_and_what_parses_is_whole(text in pieces()) {
        if let Ok(model) = parse(&text) {
            let mut ids = std::collections::BTreeSet::new();
            for scope in &model.scopes {
                for flow in &scope.flows {
                    let has = |id: &str| scope.nodes.iter().any(|node| node.id == id);
                    prop_assert!(has(&flow.source) && has(&flow.target));
                    prop_assert!(ids.insert(flow.id.clone()), "{}", flow.id);
                }
                for node in &scope.nodes {
                    prop_assert!(ids.insert(node.id.clone()), "{}", node.id);
                }
            }
        }
    }
}
