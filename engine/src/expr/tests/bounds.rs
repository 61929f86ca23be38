//! What no text and no data can do: panic, overflow the stack, or run on and on.

use proptest::prelude::*;

use super::*;

/// Everything at its limit, on a thread with a small stack.
#[test]
fn the_limits_keep_the_stack_shallow() {
    const STACK_BYTES: usize = 1024 * 1024;
    let n = lex::OPERATORS_MAX;
    let nest = lex::NESTING_MAX;
    let texts = [
        format!("{}a{}", "(".repeat(nest), ")".repeat(nest)),
        format!("{}{}", "[".repeat(nest), "]".repeat(nest)),
        format!("{}a", "!".repeat(n)),
        format!("{}a", "-".repeat(n)),
        format!("{}a", "- ".repeat(n)),
        format!("a{}", "+a".repeat(n)),
        format!("a{}", ".b".repeat(n)),
        format!("a{}", "[0]".repeat(n)),
        format!("{}a", "a?b:".repeat(n / 2)),
        format!("{}a", "a ? ".repeat(n)),
        format!("a{}", "&&a".repeat(n)),
        format!("a{}", "==a".repeat(n)),
        format!("[{}1]", "1,".repeat(lex::TOKENS_MAX / 2 - 2)),
        format!("{}a{}", "a+(".repeat(nest), ")".repeat(nest)),
        format!("{}a{}", "size(".repeat(nest), ")".repeat(nest)),
        format!("{}a{}", "(a+a+a+".repeat(nest), ")".repeat(nest)),
        "a ".repeat(lex::TOKENS_MAX),
        "'".repeat(4000),
        "a.".repeat(n),
    ];
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        for text in texts {
            if let Ok(program) = compile(&text) {
                let _ = program.value(&Arc::new([("a".to_owned(), json!(1))].into()), &[]);
            }
        }
    });
    worker.expect("a thread").join().expect("no panic");
    check_refused(&"a".repeat(lex::TEXT_BYTES_MAX + 1), "longer");
}

#[test]
fn deep_and_long_data_is_an_error() {
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let long = json!(vec![1; 10_001]);
    let data: Data = Arc::new([("deep".to_owned(), deep), ("long".to_owned(), long)].into());
    for (text, part) in [
        ("deep == 1", "deeper"),
        ("long.all(i, i == 1)", "too long"),
        ("data.all(i, true)", "unknown"),
    ] {
        let error = compile(text).expect(text).value(&data, &[]).expect_err(text);
        assert!(error.to_string().contains(part), "{error}");
    }
    check_fails("order.all(key, true)", "only a list");
    check_fails("name.exists(c, true)", "only a list");
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-c]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-c]", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Texts made of the pieces of expressions, so that many of them compile.
fn expression_like() -> impl Strategy<Value = String> {
    let operand = prop_oneof![
        Just("a".to_owned()),
        Just("b".to_owned()),
        Just("a.b".to_owned()),
        Just("1".to_owned()),
        Just("2.5".to_owned()),
        Just("'x'".to_owned()),
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("a[b]".to_owned()),
        Just("[a, b]".to_owned()),
        Just("size(a)".to_owned()),
        Just("int(a)".to_owned()),
        Just("double(b)".to_owned()),
        Just("string(a)".to_owned()),
        Just("a.all(i, i > b)".to_owned()),
        Just("a.contains(b)".to_owned()),
        Just("has(a.b)".to_owned()),
        Just("-a".to_owned()),
        Just("!b".to_owned()),
    ];
    let operator = prop::sample::select(vec![
        "+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||", " in ", "?", ":",
    ]);
    prop::collection::vec((operand, operator), 1..6).prop_map(|parts| {
        let mut text = String::new();
        for (operand, operator) in parts {
            text += &operand;
            text += operator;
        }
        text.push('b');
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics(text in prop_oneof!["\\PC{0,40}", "[-a-c0-9=!&|<>()\\[\\].,?:'\"+*/% ${}#\\\\ru\n]{0,40}"]) {
        for own in [None, Some("feel"), Some("juel"), Some("cel")] {
            if let Ok(program) = Program::compile(&expression(&text, own), Some(XPATH)) {
                let _ = program.holds(&data(), &[]);
            }
        }
        let _ = Program::compile_timer(&Timer::Cycle(expression(&text, None)), None);
    }

    #[test]
    fn no_data_panics_and_a_run_can_be_repeated(text in expression_like(), a in json_value(), b in json_value()) {
        if let Ok(program) = compile(&text) {
            let data: Data = Arc::new([("a".to_owned(), a), ("b".to_owned(), b)].into());
            prop_assert_eq!(program.value(&data, &[]), program.value(&data, &[]));
        }
    }
}
