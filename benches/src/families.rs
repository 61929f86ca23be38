//! Families of models, by size.

use std::sync::Arc;

use trackside_engine::model::{Definitions, notation};
use trackside_engine::template::{Compiled, Template, compile};

/// A start, `n` tasks that run by themselves, an end.
///
/// # Panics
///
/// Never: the text is of the notation.
pub fn linear(n: usize) -> Definitions {
    let tasks: Vec<String> = (0..n).map(|i| format!("T{i}*")).collect();
    parse(&format!("s > {} > E", tasks.join(" > ")))
}

/// A parallel split into `n` branches of `m` tasks each, and the join.
pub fn fork(n: usize, m: usize) -> Definitions {
    branches("and F J", n, m, "")
}

/// An inclusive split that takes all of its `n` branches of one task, and the join.
pub fn or_diamond(n: usize) -> Definitions {
    branches("or F J", n, 1, "-[true]")
}

fn branches(gateways: &str, n: usize, m: usize, condition: &str) -> Definitions {
    let mut text = format!("{gateways}; s > F; J > E\n");
    for branch in 0..n {
        let tasks: Vec<String> = (0..m).map(|task| format!("T{branch}_{task}*")).collect();
        text.push_str(&format!("F {condition}> {} > J\n", tasks.join(" > ")));
    }
    parse(&text)
}

fn parse(text: &str) -> Definitions {
    notation::parse(text).expect("the families are written in the notation")
}

/// Compiles the only process of a family's model.
///
/// # Panics
///
/// If the model can't be compiled.
pub fn template(definitions: &Definitions) -> Arc<Template> {
    let compiled = compile(definitions, &definitions.processes[0], &Compiled::default());
    Arc::new(compiled.expect("the families compile"))
}
