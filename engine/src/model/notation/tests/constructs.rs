//! Every construct of the notation.

use super::{check, parse, summary};
use crate::model::{Definitions, Position};

#[test]
fn chains() {
    check(&[
        ("", ""),
        (" \n ; # nothing\n;", ""),
        ("A", "A:user"),
        ("s > A > E", "s:start A:user E:end; s>A A>E"),
        ("s→A → E", "s:start A:user E:end; s>A A>E"),
        ("s > A; A > E", "s:start A:user E:end; s>A A>E"),
        ("s > A # the way in\nA > E # and out", "s:start A:user E:end; s>A A>E"),
        ("s >\n  A # so far\n  > E", "s:start A:user E:end; s>A A>E"),
        ("A > B; A > B; A > B", "A:user B:user; A>B A_B_2:A>B A_B_3:A>B"),
        ("A > A", "A:user; A>A"),
        ("A > B; A_B > C", "A:user B:user A_B:user C:user; A_B_2:A>B A_B>C"),
    ]);
}

#[test]
fn labels() {
    check(&[
        ("g: A > J > E", "A:user J:and E:end; g:A>J J>E"),
        ("1:A>J; 2 : B>J", "A:user J:and B:user; 1:A>J 2:B>J"),
        ("A > J.in > E", "A:user J:and E:end; in:A>J J>E"),
        (
            "s > A*.i1 > B.i2{!m > C.i3}",
            "s:start A:auto B:user B_m:!B(message m) C:user; i1:s>A i2:A>B i3:B_m>C",
        ),
        ("B_A: A > B; B > A", "A:user B:user; B_A:A>B B_A_2:B>A"),
        ("B > A; B_A: A > B", "B:user A:user; B_A_2:B>A B_A:A>B"),
    ]);
}

#[test]
fn conditions() {
    check(&[
        ("X -[amount > 10]> B", "X:xor B:user; X>B[amount > 10]"),
        ("X-[ a[0] == b[i[1]] ]→B", "X:xor B:user; X>B[a[0] == b[i[1]]]"),
        (
            r#"X -[a == "]" || b == "\"]"]> B"#,
            r#"X:xor B:user; X>B[a == "]" || b == "\"]"]"#,
        ),
        ("X -[a;b # c]> B", "X:xor B:user; X>B[a;b # c]"),
        (
            "X -[a]> B; X -[ default ]> C",
            "X:xor B:user C:user; X>B[a] X>C[default]",
        ),
        ("d: X -[default]> B > C", "X:xor B:user C:user; d:X>B[default] B>C"),
        (
            "X -[default]> B; X -[default2]> B",
            "X:xor B:user; X>B[default] X_B_2:X>B[default2]",
        ),
    ]);
}

#[test]
fn kinds_by_letters() {
    check(&[
        (
            "s; s1; e; E; E1; e2; End",
            "s:start s1:start e:end E:end E1:end e2:end End:end",
        ),
        ("ET; ET1", "ET:end(terminate) ET1:end(terminate)"),
        ("F; F1; J; J12", "F:and F1:and J:and J12:and"),
        ("O; Os; O1", "O:or Os:or O1:or"),
        ("X; M; m; X1; M1; m1", "X:xor M:xor m:xor X1:xor M1:xor m1:xor"),
        ("K; K1; G; G1", "K:complex K1:complex G:gate G1:gate"),
        (
            "A; S; SP; sx; Foo; E1a; _1; f; start",
            "A:user S:user SP:user sx:user Foo:user E1a:user _1:user f:user start:user",
        ),
        ("A* > B; A > C*", "A:auto B:user C:auto; A>B A>C"),
        ("A > B; A*; A*", "A:auto B:user; A>B"),
        ("F*", "F:auto"),
        (
            "K(2); G(instantiate); E(error x); s(m1)",
            "K:complex(2) G:gate(instantiate) E:end(error x) s:start(message m1)",
        ),
    ]);
}

#[test]
fn declarations() {
    check(&[
        ("or J O; and F2 PJ", "J:or O:or F2:and PJ:and"),
        ("J > E; or J", "J:or E:end; J>E"),
        ("xor F; complex J; gate H; end s", "F:xor J:complex H:gate s:end"),
        (
            "task T; auto U; user V; service W; manual N; rule R",
            "T:auto U:auto V:user W:service N:manual R:rule",
        ),
        (
            "send S(m1) T; receive R(m1); script Q; receive I(m2 instantiate)",
            "S:send(m1) T:send R:receive(m1) Q:script I:receive(m2 instantiate)",
        ),
        (
            "start S > user E > terminate Z",
            "S:start E:user Z:end(terminate); S>E E>Z",
        ),
        ("g: start S > A", "S:start A:user; g:S>A"),
        ("call C; call D(q)", "C:call D:call(q)"),
        ("user user > start", "user:user start:user; user>start"),
        ("auto A > B; A*", "A:auto B:user; A>B"),
    ]);
}

#[test]
fn triggers() {
    check(&[
        ("start s; catch c; throw t; end x", "s:start c:catch t:throw x:end"),
        (
            "start s(message m); catch c(signal g)",
            "s:start(message m) c:catch(signal g)",
        ),
        (
            "catch c(timer PT1H); catch d(timer R3/PT1S)",
            "c:catch(duration PT1H) d:catch(cycle R3/PT1S)",
        ),
        (
            "catch c(timer 2030-01-01T00:00:00Z); catch d( timer  =a + f(b) )",
            "c:catch(date 2030-01-01T00:00:00Z) d:catch(duration =a + f(b))",
        ),
        (
            "catch c(timer date =a); catch d(timer cycle R/PT1S)",
            "c:catch(date =a) d:catch(cycle R/PT1S)",
        ),
        (
            "catch c(if amount > 3); catch d(if (a) || b)",
            "c:catch(if amount > 3) d:catch(if (a) || b)",
        ),
        (
            "throw t(message m); throw u(signal g); throw v(escalation k)",
            "t:throw(message m) u:throw(signal g) v:throw(escalation k)",
        ),
        (
            "end e(error code); end e2(message m); end e3(signal g)",
            "e:end(error code) e2:end(message m) e3:end(signal g)",
        ),
        (
            "end e(escalation k); end e2(terminate); end e3(cancel)",
            "e:end(escalation k) e2:end(terminate) e3:end(cancel)",
        ),
        (
            "throw l(link a); catch l2(link a); throw c(compensate)",
            "l:throw(link a) l2:catch(link a) c:throw(compensate)",
        ),
        (
            "catch c(message); catch d(timer); catch f(if)",
            "c:catch(message) d:catch(timer) f:catch(if)",
        ),
        (
            "start s(m1 | signal g); catch c(message a & timer PT1S)",
            "s:start(message m1|signal g) c:catch(message a&duration PT1S)",
        ),
    ]);
}

#[test]
fn declared_words() {
    let text = "start s(message m | message n); A{!error bad}{~error}; end E(error bad); send T(m); catch c(signal g); throw t(escalation k)";
    let model = parse(text).unwrap();
    let words = |list: &[crate::model::Declaration]| -> Vec<_> {
        let parts = list.iter().map(|d| {
            (
                d.id.clone(),
                d.name.clone().unwrap(),
                d.code.clone().unwrap_or_default(),
            )
        });
        parts.map(|(id, name, code)| format!("{id} {name} {code}")).collect()
    };
    assert_eq!(words(&model.messages), ["m m ", "n n "]);
    assert_eq!(words(&model.signals), ["g g "]);
    assert_eq!(words(&model.errors), ["bad bad bad"]);
    assert_eq!(words(&model.escalations), ["k k k"]);
}

#[test]
fn gateways_with_arguments() {
    check(&[
        (
            "gate G; gate H(parallel instantiate)",
            "G:gate H:gate(instantiate parallel)",
        ),
        ("complex K(2)", "K:complex(2)"),
        (
            "complex K(1 if ok; 2 requires f1 f2)",
            "K:complex(1 if ok; 2 requires f1 f2)",
        ),
        (
            "complex K(2 requires 1 if a || b | 3)",
            "K:complex(2 requires 1 if a || b; 3)",
        ),
        ("complex K(1 if n > 2 && f(a;b))", "K:complex(1 if n > 2 && f(a;b))"),
        (
            "complex K(if activationCount >= 2)",
            "K:complex(if activationCount >= 2)",
        ),
        (
            "K(1) -[waitingForStart]> C",
            "K:complex(1) C:user; K>C[waitingForStart]",
        ),
    ]);
}

#[test]
fn boundary_events() {
    check(&[
        (
            "A{!m > C > E1}{~n > D > E2} > B",
            "A:user A_m:!A(message m) C:user E1:end A_n:~A(message n) D:user E2:end B:user; A_m>C C>E1 A_n>D D>E2 A>B",
        ),
        ("A{!m}", "A:user A_m:!A(message m)"),
        (
            "A { ! m\n > C\n}\n{~n} > B",
            "A:user A_m:!A(message m) C:user A_n:~A(message n) B:user; A_m>C A>B",
        ),
        (
            "A{!m}{!m}; A_m_2 > C",
            "A:user A_m:!A(message m) A_m_2:!A(message m) C:user; A_m_2>C",
        ),
        ("A_m > C; A{!m}", "A_m:!A(message m) C:user A:user; A_m>C"),
        (
            "A{!timer PT1H > C}{~timer R2/PT1S}",
            "A:user A_timer:!A(duration PT1H) C:user A_timer_2:~A(cycle R2/PT1S); A_timer>C",
        ),
        (
            "A{!timer 2030-01-01T00:00:00Z}",
            "A:user A_timer:!A(date 2030-01-01T00:00:00Z)",
        ),
        (
            "A{!error bad}{!error}{!signal g}{!escalation k}{!message m}",
            "A:user A_bad:!A(error bad) A_error:!A(error) A_g:!A(signal g) A_k:!A(escalation k) A_m:!A(message m)",
        ),
        (
            "A{!compensate}{!cancel}",
            "A:user A_compensate:!A(compensate) A_cancel:!A(cancel)",
        ),
        (
            "A{!timer PT1H as late > C}{~m as note}",
            "A:user late:!A(duration PT1H) C:user note:~A(message m); late>C",
        ),
        (
            "A{!(if a > 3) > C}{~( m1 & signal g ) as both}",
            "A:user A_if:!A(if a > 3) C:user both:~A(message m1&signal g); A_if>C",
        ),
        ("A{!(timer =d) as t1 > C}", "A:user t1:!A(duration =d) C:user; t1>C"),
        (
            "A{!m > C{!n > D} > E}",
            "A:user A_m:!A(message m) C:user C_n:!C(message n) D:user E:end; A_m>C C_n>D C>E",
        ),
        ("A{!m -[ok]> C}", "A:user A_m:!A(message m) C:user; A_m>C[ok]"),
        (
            "service A{!m} > receive R(n){!k} > E",
            "A:service A_m:!A(message m) R:receive(n) R_k:!R(message k) E:end; A>R R>E",
        ),
    ]);
}

#[test]
fn sub_processes() {
    check(&[
        (
            "s > SP{ s1 > A > e } > E",
            "s:start SP:sub#1 E:end; s>SP SP>E || s1:start A:user e:end; s1>A A>e",
        ),
        ("SP{}", "SP:sub#1 || "),
        (
            "s > SP > E\nSP{\n  s1 > A # in here\n  A > e;\n}",
            "s:start SP:sub#1 E:end; s>SP SP>E || s1:start A:user e:end; s1>A A>e",
        ),
        (
            "s > SP{s1 > A* > B* > e}{!error err > C > E2} > D > E1",
            "s:start SP:sub#1 SP_err:!SP(error err) C:user E2:end D:user E1:end; s>SP SP_err>C C>E2 SP>D D>E1 || s1:start A:auto B:auto e:end; s1>A A>B B>e",
        ),
        (
            "P1{Q{A}; B}; R{C}",
            "P1:sub#1 R:sub#3 || Q:sub#2 B:user || A:user || C:user",
        ),
        ("SP{!m}{A}", "SP:sub#1 SP_m:!SP(message m) || A:user"),
        (
            "transaction T{A}{!cancel}; adhoc U{B}; sub V{C}",
            "T:transaction#1 T_cancel:!T(cancel) U:adhoc#2 V:sub#3 || A:user || B:user || C:user",
        ),
        (
            "ESP!h{ start hs(message m1); hs > H > e }",
            "h:event#1 || hs:start(message m1) H:user e:end; hs>H H>e",
        ),
        (
            "ESP~h{ s1(m1) > H > e }",
            "h:event#1 || s1:~start(message m1) H:user e:end; s1>H H>e",
        ),
        (
            "SP{ESP~h{s1 > SQ{s2}}}",
            "SP:sub#1 || h:event#2 || s1:~start SQ:sub#3; s1>SQ || s2:start",
        ),
        ("ESP > A", "ESP:user A:user; ESP>A"),
    ]);
}

#[test]
fn the_process() {
    let id = |model: &Definitions| model.processes[0].id.clone();
    let model = parse("s > E").unwrap();
    assert_eq!((id(&model).as_str(), model.processes.len()), ("p", 1));
    assert!(model.process(Some("p")).is_some());
    // An id stands once in a file: a flow that is called `p` keeps it.
    let model = parse("p: s > E").unwrap();
    assert_eq!(
        (id(&model).as_str(), summary(&model).as_str()),
        ("p_2", "s:start E:end; p:s>E")
    );
}

#[test]
fn positions() {
    let at = |line, column| Position { line, column };
    let model = parse("s > user A{!m}\n  g: A →\n  B -[ x ]> C; A > C.h\n").unwrap();
    let scope = &model.scopes[0];
    let nodes: Vec<_> = scope.nodes.iter().map(|node| (node.id.as_str(), node.at)).collect();
    assert_eq!(
        nodes,
        [
            ("s", at(1, 1)),
            ("A", at(1, 10)),
            ("A_m", at(1, 13)),
            ("B", at(3, 3)),
            ("C", at(3, 13))
        ]
    );
    let flows: Vec<_> = scope.flows.iter().map(|flow| (flow.id.as_str(), flow.at)).collect();
    assert_eq!(
        flows,
        [("s_A", at(1, 3)), ("g", at(2, 3)), ("B_C", at(3, 5)), ("h", at(3, 22))]
    );
    assert_eq!(scope.flows[2].condition.as_ref().unwrap().at, at(3, 8));
    assert_eq!(model.messages[0].at, at(1, 13));
}
