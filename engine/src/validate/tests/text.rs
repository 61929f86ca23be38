//! How diagnostics read.

use std::fmt::Write as _;

use super::problems_with;

/// A file with one problem of most families.
const MODEL: &str = "\
s > A{!m as late > E1}{!m as later > E1} > X
X -[ok]> B > J
X > C > J
J > G
G > catch c(message m) > K.i1
G -[ok]> user D > K.i2
K(3 requires i1 i9) > sub SP{start s1(timer PT1H) > end e1(error x)}{!error y > E2} > E
Lost > Found > E
ESP!h{start hs > throw t(escalation z) > e2}
";

#[test]
fn diagnostics() {
    let mut text = String::new();
    for problem in problems_with(MODEL, |_| {}) {
        let _ = writeln!(
            text,
            "{}:{} {} {}: {}\n    {}",
            problem.at.line, problem.at.column, problem.severity, problem.rule, problem.message, problem.hint
        );
    }
    insta::assert_snapshot!(text);
}
