//! Who may know whom: the parts of the engine, and what must not occur in any of them.
//!
//! The arrows between the parts are read off the source: every `crate::part` in a file, also inside of `use` groups, and
//! every `super::` that climbs out of its part. Comments, texts and test modules do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What each part may know. A part that is not listed may not exist.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("ids", &[]),
    ("planted", &[]),
    ("model", &[]),
    ("time", &["model"]),
    ("expr", &["model", "time"]),
    ("problem", &["model"]),
    ("xml", &["model", "problem"]),
    ("validate", &["ids", "model", "node", "problem", "template"]),
    ("reach", &[]),
    (
        "template",
        &["expr", "ids", "model", "node", "planted", "problem", "reach"],
    ),
    (
        "node",
        &[
            "expr", "ids", "instance", "model", "planted", "problem", "template", "time",
        ],
    ),
    (
        "instance",
        &["expr", "ids", "node", "planted", "reach", "template", "time"],
    ),
    ("world", &["expr", "ids", "instance", "node", "planted", "template"]),
    (
        "lib",
        &[
            "expr", "ids", "instance", "model", "node", "planted", "problem", "reach", "template", "time", "validate",
            "world", "xml",
        ],
    ),
];

/// What the engine does without (INS-4): words, and files that are allowed one all the same.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("std::time", &[]),
    ("std::thread", &[]),
    ("std::fs", &[]),
    ("std::net", &[]),
    ("std::env", &[]),
    ("std::process", &[]),
    ("SystemTime", &[]),
    ("Instant", &[]),
    ("RandomState", &[]),
    ("HashSet", &[]),
    // The expression engine takes its bindings in one; nothing goes through it. And one of the planted faults is just that.
    ("HashMap", &["expr/evaluate.rs", "planted.rs"]),
    ("rand", &[]),
    ("rand_core", &[]),
    ("trackside_sim", &[]),
    ("unsafe", &[]),
    ("println", &[]),
    ("eprintln", &[]),
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All files below `folder`, in name order, with their paths from there.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(at) = pending.pop() {
        for entry in std::fs::read_dir(&at)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
        {
            if entry.is_dir() {
                pending.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                let name = entry
                    .strip_prefix(folder)
                    .expect("below")
                    .to_str()
                    .expect("a name")
                    .replace('\\', "/");
                found.insert(name, std::fs::read_to_string(&entry).expect("a text"));
            }
        }
    }
    assert!(!found.is_empty(), "there is something to look at");
    found
}

/// The source of a part, without its tests.
fn is_test(file: &str) -> bool {
    file.ends_with("tests.rs") || file.contains("/tests/")
}

/// The code alone: comments, texts and a test module at the end taken out.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().expect("a first part");
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(raw) = rest.strip_prefix("r#\"") {
            raw.find("\"#").map_or(rest.len(), |end| end + 5)
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find('\'').map_or(rest.len(), |end| end + 2)
        } else if c == '"' {
            end_of_text(rest)
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        out.push(' ');
        rest = &rest[skipped..];
    }
    out
}

/// The length of the string literal at the start.
fn end_of_text(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.split(move |c| !is_word(c))
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - code.as_ptr() as usize, word))
}

/// The part that a file belongs to, and how many `super::` lead out of the part to the crate's root.
fn place(file: &str) -> (&str, usize) {
    let steps: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    let depth = steps.len() - usize::from(steps.last() == Some(&"mod"));
    (steps[0], if steps[0] == "lib" { 0 } else { depth })
}

/// The parts that the code of `file` names.
fn knows(file: &str, text: &str) -> BTreeSet<String> {
    let (_, depth) = place(file);
    let code = code(text);
    let compact: String = code.split_whitespace().collect();
    let out_of_part = "super::".repeat(depth);
    let mut found = BTreeSet::new();
    let mut roots = vec!["crate::"];
    if depth > 0 {
        roots.push(&out_of_part);
    }
    for root in roots {
        for (at, _) in compact.match_indices(root) {
            let rest = &compact[at + root.len()..];
            // One `super` fewer than it takes stays inside the part; one more can't be.
            let before = &compact[..at];
            if root.starts_with("super") && before.ends_with("super::") {
                continue;
            }
            match rest.strip_prefix('{') {
                Some(group) => found.extend(group_heads(group)),
                None => found.extend(
                    words(rest)
                        .next()
                        .filter(|(at, _)| *at == 0)
                        .map(|(_, word)| word.to_owned()),
                ),
            }
        }
    }
    found.retain(|word| word.starts_with(|c: char| c.is_lowercase()) && word != "super");
    found
}

/// The first names of the paths in a `use` group, up to its end.
fn group_heads(group: &str) -> Vec<String> {
    let (mut heads, mut depth, mut at_head) = (Vec::new(), 0, true);
    let mut word = String::new();
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.extend(Some(std::mem::take(&mut word)).filter(|_| at_head));
                (at_head, word) = (true, String::new());
            }
            ':' if depth == 0 && at_head => {
                heads.push(std::mem::take(&mut word));
                at_head = false;
            }
            _ if depth == 0 && at_head => word.push(c),
            _ => {}
        }
    }
    heads.extend(Some(word).filter(|word| at_head && !word.is_empty()));
    heads
}

fn may_know(part: &str) -> Option<&'static [&'static str]> {
    MAY_KNOW.iter().find(|(of, _)| *of == part).map(|(_, known)| *known)
}

/// What is wrong with one file, in sentences.
fn faults(file: &str, text: &str) -> Vec<String> {
    let (part, _) = place(file);
    let Some(allowed) = may_know(part) else {
        return vec![format!("{file}: `{part}` is no part; list it with what it may know")];
    };
    let is_part = |word: &String| may_know(word).is_some() && word != "lib";
    let known = knows(file, text).into_iter().filter(is_part);
    let strange = known.filter(|word| word != part && !allowed.contains(&word.as_str()));
    let mut faults: Vec<String> = strange
        .map(|word| format!("{file}: `{part}` must not know `{word}`"))
        .collect();
    let code = code(text);
    for (forbidden, except) in FORBIDDEN {
        let parts: Vec<&str> = forbidden.split("::").collect();
        let found = match parts[..] {
            [word] => words(&code).any(|(_, found)| found == word),
            _ => code.contains(forbidden),
        };
        if found && !except.contains(&file) {
            faults.push(format!("{file}: no `{forbidden}` in the engine"));
        }
    }
    faults
}

#[test]
fn ins_4_the_parts_of_the_engine_keep_their_arrows() {
    let mut all = Vec::new();
    for (file, text) in files(&source()).iter().filter(|(file, _)| !is_test(file)) {
        all.extend(faults(file, text));
    }
    assert_eq!(all, Vec::<String>::new());
}

#[test]
fn ins_4_the_engine_depends_on_no_driver() {
    let manifest =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).expect("a manifest");
    let own = manifest.split("[dev-dependencies]").next().expect("a first part");
    for name in ["trackside-sim", "rand", "proptest", "tokio", "rayon"] {
        assert!(!own.lines().any(|line| line.starts_with(name)), "{name}");
    }
}

#[test]
fn ins_2_no_part_but_the_rooms_switches_over_kinds() {
    for (file, text) in files(&source()) {
        let (part, _) = place(&file);
        if !["instance", "world"].contains(&part) {
            continue;
        }
        let code = code(&text);
        let kinds = ["NodeKind", "TaskKind", "Gateway", "SubProcessKind"];
        let named: Vec<_> = words(&code)
            .map(|(_, word)| word)
            .filter(|word| kinds.contains(word))
            .collect();
        assert_eq!(named, Vec::<&str>::new(), "{file}: kinds are the rooms' own business");
    }
}

#[test]
fn ins_2_every_room_is_one_file_and_registered() {
    let rooms = files(&source().join("node"));
    let registry = code(&rooms["mod.rs"]);
    let registry: String = registry
        .split("REGISTRY")
        .last()
        .expect("a registry")
        .split_whitespace()
        .collect();
    let mut count = 0;
    for (file, text) in &rooms {
        if text.contains("pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>>") {
            let name = file.trim_end_matches(".rs");
            assert!(registry.contains(&format!("{name}::build")), "{name} is registered");
            assert!(
                text.contains("//! Configuration:") || text.contains("\n//! Configuration"),
                "{name} says which field is which"
            );
            count += 1;
        }
    }
    assert!(count >= 13, "every kind is a room: {count}");
}

#[test]
fn the_scanner_finds_what_it_is_to_find() {
    let check = |file: &str, text: &str, expected: &[&str]| assert_eq!(faults(file, text), expected, "{text}");
    check(
        "model/mod.rs",
        "use crate::template::Template;",
        &["model/mod.rs: `model` must not know `template`"],
    );
    check(
        "model/node.rs",
        "fn f() { crate::node::f() }",
        &["model/node.rs: `model` must not know `node`"],
    );
    check(
        "expr/mod.rs",
        "use crate::{model::Expression, instance};",
        &["expr/mod.rs: `expr` must not know `instance`"],
    );
    check(
        "expr/mod.rs",
        "use crate::{\n    time,\n    template::{A, B},\n};",
        &["expr/mod.rs: `expr` must not know `template`"],
    );
    check(
        "node/task.rs",
        "use super::super::world::World;",
        &["node/task.rs: `node` must not know `world`"],
    );
    check(
        "time.rs",
        "use super::template::Template;",
        &["time.rs: `time` must not know `template`"],
    );
    check(
        "node/mod.rs",
        "use super::world;",
        &["node/mod.rs: `node` must not know `world`"],
    );
    check("node/task.rs", "use super::event_gate::took_arm;", &[]);
    check(
        "node/task.rs",
        "// use crate::world;\nconst A: &str = \"crate::world\";",
        &[],
    );
    check(
        "node/task.rs",
        "const Q: char = '\"'; use crate::world;",
        &["node/task.rs: `node` must not know `world`"],
    );
    check(
        "extra/mod.rs",
        "",
        &["extra/mod.rs: `extra` is no part; list it with what it may know"],
    );
    check(
        "world/mod.rs",
        "use std::time::Duration;",
        &["world/mod.rs: no `std::time` in the engine"],
    );
    check(
        "world/mod.rs",
        "let x = HashMap::new();",
        &["world/mod.rs: no `HashMap` in the engine"],
    );
    check("expr/evaluate.rs", "use std::collections::HashMap;", &[]);
    check(
        "node/task.rs",
        "let operand = rand::random();",
        &["node/task.rs: no `rand` in the engine"],
    );
    check("node/task.rs", "let operand = 1; // rand", &[]);
    check(
        "node/task.rs",
        "fn f() {}\n#[cfg(test)]\nmod tests {\n use std::thread;\n}",
        &[],
    );
}
