//! What expressions are worth.

use super::*;

#[test]
fn the_usual_spellings_mean_the_same() {
    for text in lines(
        r#"
        amount > 10
        ${amount > 10}
        #{amount > 10}
        ${ amount gt 10 }
        =amount > 10
        = amount > 10
        amount gt 10 and not done
        ${amount ge 12 && !done}
        =amount > 10 and not(done)
        amount lt 1 or ready
        name == 'test run'
        ${name eq "test run"}
        =name = "test run"
        = end = "x"
        true
        ${true}
        =true
        name.contains("run")
        ${name.startsWith('test')}
        name.endsWith('run') and size(name) eq 8
        ${name != 'a and b = c'}
        =name != "not(x) = ${y}"
        order.total == 99
        order["a.b"] == 1
        order.lines[1].n == 2
        2 in list
        has(order.total) && !has(order.tax)
        and == 1
        list.size() == 3
        list.all(i, i > 0)
        list.exists(i, i == 2)
        list.exists_one(i, i > 2)
        empty.all(i, i > 0)
        !empty.exists(i, i > 0)
        !list.exists_one(i, i > 1)
        amount > 10 ? ready : done
        nothing == null
        "#,
    ) {
        check(text, &json!(true));
    }
}

#[test]
fn numbers_are_those_of_json() {
    for (text, expected) in [
        ("five == 5", json!(true)),
        ("1 < 1.5", json!(true)),
        ("5 == 5.0", json!(true)),
        ("huge > most", json!(true)),
        ("huge > 1.5", json!(true)),
        ("huge == huge", json!(true)),
        ("least < 0", json!(true)),
        ("huge", json!(u64::MAX)),
        ("amount * rate", json!(6.0)),
        ("amount + 1", json!(13)),
        ("huge - 1", json!(u64::MAX - 1)),
        ("amount % 5", json!(2)),
        ("-amount", json!(-12)),
        ("5 / 2", json!(2)),
        ("${5 / 2}", json!(2.5)),
        ("${5 div 2}", json!(2.5)),
        ("=5 / 2", json!(2.5)),
        ("double(amount) / 5", json!(2.4)),
        ("int('7') + int(2.9)", json!(9)),
        ("string(amount) + '!'", json!("12!")),
        ("'a' + 'b'", json!("ab")),
        ("list + [4]", json!([1, 2, 3, 4])),
        ("order", json!({"total": 99, "lines": [{"n": 1}, {"n": 2}], "a.b": 1})),
    ] {
        check(text, &expected);
    }
}

#[test]
fn different_types_are_unequal_and_unordered() {
    for text in [
        "amount == '12'",
        "nothing == 0",
        "nothing == false",
        "list == 1",
        "name == null",
    ] {
        check(text, &json!(false));
    }
    for text in [
        "amount > '12'",
        "nothing > 0",
        "nothing < 1",
        "name > 1",
        "list > 1",
        "ready > 1",
    ] {
        check_fails(text, "can't be applied");
    }
}

#[test]
fn nothing_wraps_and_nothing_is_infinite() {
    for text in [
        "most + 1",
        "least - 1",
        "most * most",
        "huge * huge",
        "huge + huge",
        "-least",
        "least / -1",
    ] {
        check_fails(text, "overflow");
    }
    for text in [
        "amount / 0",
        "amount % 0",
        "amount / 0.0",
        "rate / 0",
        "${amount / 0}",
        "=amount / 0",
    ] {
        check_fails(text, "division by zero");
    }
    check_fails("rate * 1e308 * 1e308", "finite");
    check_fails("list[3]", "bounds");
    check_fails("list[-1]", "");
    check_fails("list[amount]", "bounds");
    check_fails("rate % 2.0 > amount % 'x'", "");
    check_fails("double(name)", "double");
    check_fails("int(name)", "int");
    check_fails("${name + name}", "can't be applied");
}

#[test]
fn an_unknown_variable_that_is_reached_is_an_error() {
    for text in lines(
        "
        unknown
        unknown == null
        !unknown
        ready && unknown
        done || unknown
        unknown && done
        unknown || ready
        ${ready and unknown}
        unknown.field
        has(unknown.field)
        list.all(i, i > unknown)
        list.exists(i, i == unknown || i == 3)
        ready ? unknown : 1
        ",
    ) {
        check_fails(text, "unknown variable `unknown`");
    }
    // The engine's own names are nobody's variables.
    for name in [
        "int",
        "list_type",
        "string",
        "map",
        "type",
        "null_type",
        "bool",
        "optional",
    ] {
        let unknown = compile(&format!("{name} == 1"))
            .expect(name)
            .value(&Data::default(), &[]);
        assert!(matches!(unknown, Err(ExprError::Evaluation(_))), "{name}: {unknown:?}");
    }
    check("done && unknown", &json!(false));
    check("ready || unknown", &json!(true));
    check("list.exists(i, i == 1 || i == unknown)", &json!(true));
}

#[test]
fn a_condition_is_a_boolean() {
    for text in ["amount", "name", "nothing", "list", "order", "1", "'true'"] {
        let error = compile(text).expect(text).holds(&data(), &[]).expect_err(text);
        assert!(error.to_string().contains("no Boolean"), "{error}");
        assert!(!error.to_string().contains("test run"), "no values in {error}");
    }
    for text in [
        "amount && ready",
        "ready && amount",
        "done || amount",
        "!amount",
        "amount ? 1 : 2",
        "list.all(i, i)",
    ] {
        check_fails(text, "");
    }
    check_fails("order.tax > 1", "no field `tax`");
}

#[test]
fn errors_hold_no_values_of_data() {
    let secret: Data = Arc::new(
        [
            ("pin".to_owned(), json!("4711")),
            ("m".to_owned(), json!({"4711": {"x": "4711"}})),
        ]
        .into(),
    );
    for text in lines(
        "
        pin > 1
        pin + 1
        -pin
        int(pin + 'x')
        double(pin + 'x')
        m[pin].y
        m.x
        m[pin + '1']
        pin.x
        m > pin
        ",
    ) {
        let error = compile(text)
            .expect(text)
            .value(&secret, &[])
            .expect_err(text)
            .to_string();
        assert!(!error.contains("4711"), "{text}: {error}");
    }
}

#[test]
fn names_beside_the_data_shadow_it() {
    let program = compile("amount + x1").expect("an expression");
    assert_eq!(
        program.value(&data(), &[("x1", json!(1)), ("amount", json!(1))]),
        Ok(json!(2))
    );
    let dotted: Data = Arc::new([("order.total".to_owned(), json!(1))].into());
    assert!(
        compile("order.total")
            .expect("an expression")
            .value(&dotted, &[])
            .is_err()
    );
}
