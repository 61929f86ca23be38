//! The oracle is a stranger: what it may know of the engine, read off its sources.

use std::path::{Path, PathBuf};

/// What the oracle may import, and from which parts of the engine.
const MAY_KNOW: &[&str] = &[
    "trackside_engine::expr::{Data, Program}",
    "trackside_engine::instance",
    "trackside_engine::model",
    "trackside_engine::world",
    // Settings and ways to begin: what a driver says, no tables.
    "trackside_engine::template::Compiled",
    "trackside_engine::template::Birth",
    "trackside_engine::{FlowId",
    "trackside_engine::{InstanceId",
    "trackside_engine::{NodeId",
    "trackside_engine::{TrackId",
    "trackside_engine::FlowId",
    "trackside_engine::InstanceId",
    "trackside_engine::TrackId",
    "trackside_engine::WatcherId",
];

/// Laws compare the engine with itself, and ask it for what they compare.
const NO_STRANGERS: &str = "src/oracle/laws";

/// Methods of instances and templates by which the engine's own answers could be asked for.
const MUST_NOT_ASK: &[&str] = &[
    ".waits()",
    ".canonical()",
    ".outgoing(",
    ".incoming(",
    ".boundary_events(",
    ".awaits(",
    ".diagnose",
    "compile(",
];

fn sources(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
    {
        if entry.ends_with(NO_STRANGERS) {
            continue;
        }
        if entry.is_dir() {
            sources(&entry, found);
        } else {
            let text = std::fs::read_to_string(&entry).expect("a text");
            found.push((entry, text));
        }
    }
}

/// What is wrong with a source, in sentences.
fn faults(text: &str) -> Vec<String> {
    let code: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let code = code.join(" ");
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut faults = Vec::new();
    for (at, _) in code.match_indices("trackside_engine::") {
        let path = &code[at..];
        let known = MAY_KNOW.iter().any(|known| path.starts_with(known) || expr_alone(path));
        if !known {
            faults.push(format!(
                "it must not know `{}`",
                path.chars().take(60).collect::<String>()
            ));
        }
    }
    for (at, _) in code.match_indices("crate::") {
        let own = code[at..].starts_with("crate::oracle");
        if !own && !code[..at].ends_with("pub(in ") {
            faults.push("it shares nothing with the rest of the simulator".to_owned());
        }
    }
    faults.extend(
        MUST_NOT_ASK
            .iter()
            .filter(|word| asks(&code, word))
            .map(|word| format!("it must not ask `{word}`")),
    );
    faults
}

/// Data and evaluation through the public interface of expressions.
fn expr_alone(path: &str) -> bool {
    ["trackside_engine::expr::Program", "trackside_engine::expr::Data"]
        .iter()
        .any(|known| path.starts_with(known))
}

/// `.incoming` of the oracle's own net is a field; the template's is a method. Compiling expressions is public.
fn asks(code: &str, word: &str) -> bool {
    code.match_indices(word)
        .any(|(at, _)| !code[..at].ends_with("Program::"))
}

#[test]
fn the_oracle_shares_nothing_with_the_engine_it_judges() {
    let mut all = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/oracle"), &mut all);
    assert!(all.len() > 15, "there is something to look at");
    for (file, text) in all {
        assert_eq!(faults(&text), Vec::<String>::new(), "{}", file.display());
    }
}

#[test]
fn a_friend_is_found_out() {
    for text in [
        "use trackside_engine::reach::Index;",
        "use trackside_engine::template::{Compiled, Template};",
        "use trackside_engine::{reach, model};",
        "fn f() { trackside_engine::template::compile(a, b, c) }",
        "let flows = template.incoming(node);",
        "for wait in instance.waits() {}",
        "use crate::schedule::Dice;",
    ] {
        assert_ne!(faults(text), Vec::<String>::new(), "{text}");
    }
    for text in [
        "use trackside_engine::model::Trigger;",
        "// use trackside_engine::reach;",
        "Program::compile(e, None)",
    ] {
        assert_eq!(faults(text), Vec::<String>::new(), "{text}");
    }
}
