mod bounds;
mod values;

use serde_json::{Value, json};

use super::*;
use crate::model::Position;

const XPATH: &str = "http://www.w3.org/1999/XPath";

/// The lines of a table, without its indentation.
fn lines(table: &str) -> impl Iterator<Item = &str> {
    table.lines().map(str::trim).filter(|line| !line.is_empty())
}

fn expression(text: &str, language: Option<&str>) -> Expression {
    Expression {
        text: text.to_owned(),
        language: language.map(str::to_owned),
        at: Position::default(),
    }
}

fn compile(text: &str) -> Result<Program, ExprError> {
    Program::compile(&expression(text, None), None)
}

fn data() -> Data {
    let Value::Object(fields) = json!({
        "amount": 12,
        "rate": 0.5,
        "five": 5.0,
        "name": "test run",
        "done": false,
        "ready": true,
        "nothing": null,
        "end": "x",
        "order": {"total": 99, "lines": [{"n": 1}, {"n": 2}], "a.b": 1},
        "list": [1, 2, 3],
        "empty": [],
        "huge": u64::MAX,
        "least": i64::MIN,
        "most": i64::MAX,
        "and": 1,
    }) else {
        unreachable!("the literal is an object")
    };
    Arc::new(fields.into_iter().collect())
}

#[track_caller]
fn check(text: &str, expected: &Value) {
    let value = compile(text).and_then(|program| program.value(&data(), &[]));
    assert_eq!(value.as_ref(), Ok(expected), "{text}");
}

#[track_caller]
fn check_fails(text: &str, part: &str) {
    let program = compile(text).expect(text);
    let error = program.value(&data(), &[]).expect_err(text);
    assert!(
        matches!(&error, ExprError::Evaluation(reason) if reason.contains(part)),
        "{text}: {error}"
    );
    assert!(error.to_string().contains(text), "{error} names `{text}`");
}

#[track_caller]
fn check_refused(text: &str, part: &str) {
    let error = compile(text).expect_err(text);
    assert!(
        matches!(&error, ExprError::Syntax(reason) if reason.contains(part)),
        "{text}: {error}"
    );
}

#[test]
fn what_cannot_be_evaluated_is_refused_at_once() {
    for (text, part) in [
        ("", "no expression"),
        ("${}", "no expression"),
        ("=", "no expression"),
        ("// nothing", "comment"),
        ("next(null, x)", "unknown function `next`"),
        ("x.next(1)", "unknown method `next`"),
        ("now() > x", "unknown function `now`"),
        ("x.matches('a*')", "unknown method `matches`"),
        ("size(a, b)", "unknown function `size`"),
        ("list.map(i, i)", "unknown method `map`"),
        ("list.filter(i, i > 1)", "unknown method `filter`"),
        ("{'a': 1}", "maps"),
        ("[?x]", ""),
        ("a.?b", ""),
        ("T{a: 1}", "maps"),
        ("a.all(x, a.all(y, x > y))", "quantifier"),
        ("a.all(1, true)", "item"),
        ("type(x)", "unknown function `type`"),
        ("bytes(x)", "unknown function `bytes`"),
        ("b'x' == y", "bytes"),
        ("5u == y", "unsigned"),
        ("x = 5", "=="),
        ("x == ", ""),
        ("x y", ""),
        ("${a} && ${b}", "enclose"),
        ("PT${n}H", "enclose"),
        ("=some x in list satisfies x > 1", ""),
        ("=every x in list satisfies x > 1", ""),
        ("=if a then b else c", ""),
        ("=x between 1 and 5", ""),
        ("=x in [1..5]", ""),
        ("=list[1] = 2", "FEEL"),
        ("=date(\"2026-01-01\") < x", "unknown function `date`"),
        ("=string length(x) > 1", ""),
        ("${empty x}", ""),
        ("${x instanceof y}", ""),
        ("1 / 0", "division by zero"),
        ("true && 1", "bool"),
        ("1e999 > x", "literal"),
        ("99999999999999999999 > x", ""),
    ] {
        check_refused(text, part);
    }
}

#[test]
fn languages_are_routed() {
    let check = |text: &str, own: Option<&str>, inherited: Option<&str>, expected: Result<bool, &str>| {
        let outcome = Program::compile(&expression(text, own), inherited).and_then(|p| p.holds(&data(), &[]));
        let expected = expected.map_err(|language| ExprError::Language(language.to_owned()));
        assert_eq!(outcome, expected, "{text} {own:?} {inherited:?}");
    };
    check("${amount > 10}", None, Some(XPATH), Ok(true));
    check("amount > 10", None, Some(XPATH), Ok(true));
    check("bpmn:getDataObject('x')/a = 5", None, Some(XPATH), Err(XPATH));
    check(
        "return amount > 10;",
        None,
        Some("http://www.java.com/javaTypes"),
        Err("http://www.java.com/javaTypes"),
    );
    check("end = \"x\"", Some("feel"), None, Ok(true));
    check(
        "end = \"x\"",
        None,
        Some("https://www.omg.org/spec/DMN/20191111/FEEL/"),
        Ok(true),
    );
    check("amount gt 10", Some("juel"), None, Ok(true));
    for unknown in ["javascript", "groovy", "python", XPATH] {
        check("true", Some(unknown), None, Err(unknown));
        check("${true}", Some(unknown), None, Err(unknown));
    }
    let error = Program::compile(&expression("${next(1)}", None), Some(XPATH)).expect_err("an unknown function");
    assert!(matches!(error, ExprError::Syntax(_)), "a mark is believed: {error}");
}

#[test]
fn constants_and_variables_are_known_without_data() {
    for (text, expected) in [
        ("true", json!(true)),
        ("${true}", json!(true)),
        ("\"PT1H\"", json!("PT1H")),
        ("1 + 1 == 2", json!(true)),
        ("=null", json!(null)),
    ] {
        let program = compile(text).expect(text);
        assert_eq!((program.constant(), program.text()), (Some(&expected), text));
        assert!(program.variables().is_empty());
    }
    for (text, expected) in [
        ("b > a && a.c.d == \"e\" || f[g] == h", vec!["a", "b", "f", "g", "h"]),
        ("list.all(i, i > limit)", vec!["limit", "list"]),
        ("i.all(i, i > 0) && has(x.y)", vec!["i", "x"]),
    ] {
        let program = compile(text).expect(text);
        assert_eq!(
            (program.constant(), program.variables()),
            (None, expected.map_strings().as_slice()),
            "{text}"
        );
    }
}

trait MapStrings {
    fn map_strings(self) -> Vec<String>;
}

impl MapStrings for Vec<&str> {
    fn map_strings(self) -> Vec<String> {
        self.into_iter().map(str::to_owned).collect()
    }
}

#[test]
fn timers_take_iso_texts_and_expressions() {
    let duration = |text: &str| Program::compile_timer(&Timer::Duration(expression(text, None)), None);
    let cycle = |text: &str| Program::compile_timer(&Timer::Cycle(expression(text, None)), Some(XPATH));
    let date = |text: &str| Program::compile_timer(&Timer::Date(expression(text, None)), None);
    for (program, expected) in [
        (duration("PT1H"), "PT1H"),
        (duration("\"PT1H\""), "PT1H"),
        (duration("=\"PT1H\""), "PT1H"),
        (duration("${'PT1H'}"), "PT1H"),
        (cycle("R3/PT10S"), "R3/PT10S"),
        (date("2026-01-01T00:00:00Z"), "2026-01-01T00:00:00Z"),
    ] {
        assert_eq!(program.expect(expected).constant(), Some(&json!(expected)));
    }
    for (program, expected) in [
        (duration("${wait}"), "wait"),
        (duration("wait"), "wait"),
        (duration("Patience"), "Patience"),
        (cycle("=rhythm"), "rhythm"),
        (date("release"), "release"),
    ] {
        assert_eq!(program.expect(expected).variables(), [expected]);
    }
    for refused in [
        duration("1h"),
        duration("PT1X"),
        duration("R3/PT1H"),
        duration("5"),
        duration("${5}"),
        duration("${'1h'}"),
        duration("-PT1S"),
    ] {
        assert!(matches!(refused, Err(ExprError::Syntax(_))), "{refused:?}");
    }
    for refused in [
        cycle("0 0 9 * * ?"),
        cycle("* * * * *"),
        cycle("PT1H"),
        cycle("R/PT0S"),
        cycle("@daily"),
    ] {
        let error = refused.expect_err("no cycle").to_string();
        assert!(error.contains("R3/PT10S") || error.contains("positive"), "{error}");
    }
}

#[test]
fn programs_are_shared_between_threads() {
    fn shared<T: Send + Sync + Clone + std::fmt::Debug>(_: &T) {}
    shared(&compile("a").expect("an expression"));
    assert_eq!(
        format!("{:?}", compile("${a}").expect("an expression")),
        "Program(\"${a}\")"
    );
}
