//! Families of models, by size.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use trackside_engine::model::{Definitions, SequenceFlow, notation};
use trackside_engine::template::{Compiled, Template, compile};

/// A named model of a family.
#[derive(Debug)]
pub struct Family {
    /// Its name, as reports show it.
    pub name: String,
    /// The model.
    pub definitions: Definitions,
}

/// The families of the engine's report, smallest first in each.
pub fn all() -> Vec<Family> {
    let mut all = Vec::new();
    let mut add = |name: String, definitions| all.push(Family { name, definitions });
    for n in [10, 100, 1000, 10_000] {
        add(format!("linear {n}"), linear(n));
    }
    for (n, m) in [(10, 5), (10, 50), (100, 5), (1000, 1), (10_000, 1)] {
        add(format!("fork {n}×{m}"), fork(n, m));
    }
    for n in [3, 30, 300] {
        add(format!("OR {n}"), or_diamond(n));
    }
    all
}

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

/// `blocks` inclusive diamonds of four branches of one task each, one after the other; all branches are taken.
pub fn or_ladder(blocks: usize) -> Definitions {
    let mut text = String::from("s > F0\n");
    for block in 0..blocks {
        let _ = writeln!(text, "or F{block} J{block}");
        for branch in 0..4 {
            let _ = writeln!(text, "F{block} -[true]> T{block}_{branch}* > J{block}");
        }
        let next = if block + 1 < blocks {
            format!("F{}", block + 1)
        } else {
            "E".to_owned()
        };
        let _ = writeln!(text, "J{block} > {next}");
    }
    parse(&text)
}

fn branches(gateways: &str, n: usize, m: usize, condition: &str) -> Definitions {
    let mut text = format!("{gateways}; s > F; J > E\n");
    for branch in 0..n {
        let tasks: Vec<String> = (0..m).map(|task| format!("T{branch}_{task}*")).collect();
        let _ = writeln!(text, "F {condition}> {} > J", tasks.join(" > "));
    }
    parse(&text)
}

/// `n` user tasks side by side, each with three boundary events or none.
pub fn hosts(n: usize, watched: bool) -> Definitions {
    let mut text = String::from("and F J; s > F; J > E\n");
    for host in 0..n {
        let _ = writeln!(text, "F > H{host}{} > J", watchers(watched));
    }
    parse(&text)
}

/// A user task that begins again whenever it ends, with three boundary events or none, beside `n - 1` user tasks that have
/// three each.
pub fn host_among(n: usize, watched: bool) -> Definitions {
    let mut text = format!("and F; s > F > H{} > H\n", watchers(watched));
    for host in 1..n {
        let _ = writeln!(text, "F > H{host}{} > E", watchers(true));
    }
    parse(&text)
}

fn watchers(watched: bool) -> &'static str {
    if watched {
        "{!timer PT1H > E2}{~m > E3}{!error err > E4}"
    } else {
        ""
    }
}

/// The model as XML in which every node also lists its flows: some readers need that.
///
/// # Panics
///
/// Never: writing to a string does not fail.
pub fn with_incoming_and_outgoing(definitions: &Definitions) -> String {
    let scope = &definitions.scopes[0];
    let mut lists: BTreeMap<&str, String> = BTreeMap::new();
    for flow in &scope.flows {
        let _ = write!(
            lists.entry(&flow.source).or_default(),
            "<outgoing>{}</outgoing>",
            flow.id
        );
        let _ = write!(
            lists.entry(&flow.target).or_default(),
            "<incoming>{}</incoming>",
            flow.id
        );
    }
    let mut xml =
        String::from("<definitions xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\"><process id=\"p\">\n");
    for node in &scope.nodes {
        let (element, list) = (
            node.kind.element(),
            lists.get(node.id.as_str()).map_or("", String::as_str),
        );
        let _ = writeln!(xml, "<{element} id=\"{}\">{list}</{element}>", node.id);
    }
    for SequenceFlow { id, source, target, .. } in &scope.flows {
        let _ = writeln!(
            xml,
            "<sequenceFlow id=\"{id}\" sourceRef=\"{source}\" targetRef=\"{target}\"/>"
        );
    }
    xml.push_str("</process></definitions>\n");
    xml
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
