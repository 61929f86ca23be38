//! The documents of the project say what the code does: rules, tests and records are listed, and the lists are checked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use trackside_engine::instance::RECORD_VERSION;

use crate::kinds;

/// Rules that are described and not yet built: each leaves this list with its first test.
const NOT_YET: &[&str] = &[];

/// The families of rules; `XML` has names beside numbers.
const FAMILIES: &[&str] = &[
    "INS", "TRK", "GW", "PAR", "XOR", "ORS", "ORJ", "CPX", "EVG", "BND", "ESP", "ESC", "COR", "ERR", "EVT", "OBS",
    "DRV", "FLOW", "XML",
];

fn engine() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn document(name: &str) -> String {
    let path = engine().join("../docs").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut pending) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(at) = pending.pop() {
        for entry in std::fs::read_dir(&at)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
        {
            if entry.is_dir() {
                pending.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                found.push(entry);
            }
        }
    }
    found
}

/// The rule ids in a text, such as `ORJ-6`; `CPX-2..4` is its first.
fn ids(text: &str) -> BTreeSet<String> {
    let is_id = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let words = text.split(|c: char| !is_id(c)).filter_map(|word| word.split_once('-'));
    let known = words.filter(|(family, rest)| {
        let numbered = !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit());
        let named = *family == "XML" && ["ID", "REF"].contains(rest);
        FAMILIES.contains(family) && (numbered || named)
    });
    known.map(|(family, rest)| format!("{family}-{rest}")).collect()
}

/// The rules that a document describes, each once.
fn described(document: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in document.lines() {
        if let Some((id, text)) = line.strip_prefix("- **").and_then(|rest| rest.split_once("** ")) {
            assert!(text.len() > 10, "{id} is described");
            assert!(found.insert(id.to_owned()), "{id} is described once");
        }
    }
    found
}

/// The rows of the table of tests.
fn table(document: &str) -> BTreeMap<String, Vec<String>> {
    let rows = document.lines().skip_while(|line| *line != "| Rule | Tests |").skip(2);
    let mut found = BTreeMap::new();
    for line in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [rule, tests] = cells[..] else {
            panic!("a row has two cells: {line}")
        };
        let tests = tests
            .split_whitespace()
            .filter_map(|test| test.strip_prefix('`')?.strip_suffix('`'));
        let known = found.insert(rule.to_owned(), tests.map(ToOwned::to_owned).collect());
        assert!(known.is_none(), "{rule} has one row");
    }
    found
}

/// The file of a test and its name: `par::x` is in this crate of tests, `other::y` in another, `other::module::z` in a
/// module of it.
fn find(test: &str) -> Option<(PathBuf, &str)> {
    let tests = engine().join("tests");
    let (modules, name) = test.rsplit_once("::")?;
    let path = modules.replace("::", "/");
    let files = match path.strip_prefix("sim/") {
        Some(path) => vec![engine().join("../sim/tests").join(format!("{path}.rs"))],
        None => vec![
            tests.join("rules").join(format!("{path}.rs")),
            tests.join(format!("{path}.rs")),
        ],
    };
    let file = files.into_iter().find(|file| file.exists())?;
    Some((file, name))
}

/// The names of the tests in a source text, those of property tests included.
fn tests_in(source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut marked = false;
    for line in source.lines().map(str::trim) {
        if line == "#[test]" {
            marked = true;
        } else if let Some(rest) = line.strip_prefix("fn ") {
            let name = rest.split('(').next().expect("a name");
            if std::mem::take(&mut marked) {
                found.insert(name.to_owned());
            }
        }
    }
    found
}

/// The rules that the name of a test begins with.
fn rules_of(test: &str) -> Vec<String> {
    let mut rules = Vec::new();
    let mut rest = test;
    while let Some((family, tail)) = rest.split_once('_') {
        let (number, tail) = tail.split_once('_').unwrap_or((tail, ""));
        let family = family.to_uppercase();
        let counts = FAMILIES.contains(&family.as_str()) && !number.is_empty();
        let known = counts && (number.chars().all(|c| c.is_ascii_digit()) || family == "XML");
        if !known {
            break;
        }
        rules.push(format!("{family}-{}", number.to_uppercase()));
        rest = tail;
    }
    rules
}

#[test]
fn obs_1_every_rule_has_tests_and_every_listed_test_exists() {
    let document = document("semantics.md");
    let (rules, table) = (described(&document), table(&document));
    assert!(rules.len() > 100, "all sections are there: {}", rules.len());
    assert_eq!(
        table.keys().cloned().collect::<BTreeSet<_>>(),
        rules,
        "rules described and rules in the table"
    );
    let without: Vec<&str> = table
        .iter()
        .filter(|(_, tests)| tests.is_empty())
        .map(|(rule, _)| rule.as_str())
        .collect();
    assert_eq!(without, NOT_YET, "rules without a test");
    for (rule, tests) in &table {
        for test in tests {
            let (file, name) = find(test).unwrap_or_else(|| panic!("{rule}: no file for `{test}`"));
            let source = std::fs::read_to_string(file).expect("a text");
            assert!(tests_in(&source).contains(name), "{rule}: there is no test `{test}`");
        }
    }
}

#[test]
fn obs_1_a_test_named_after_a_rule_is_listed_for_it() {
    let table = table(&document("semantics.md"));
    let mut missing = Vec::new();
    let mut count = 0;
    for file in rust_files(&engine().join("tests/rules")) {
        let module = file.file_stem().expect("a name").to_str().expect("a text");
        for test in tests_in(&std::fs::read_to_string(&file).expect("a text")) {
            for rule in rules_of(&test) {
                count += 1;
                let path = format!("{module}::{test}");
                if !table.get(&rule).is_some_and(|tests| tests.contains(&path)) {
                    missing.push(format!("{rule}: {path}"));
                }
            }
        }
    }
    assert!(count > 100);
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn obs_1_every_rule_that_the_source_cites_is_described() {
    let rules = described(&document("semantics.md"));
    let mut strange = BTreeSet::new();
    for file in rust_files(&engine().join("src")) {
        let source = std::fs::read_to_string(&file).expect("a text");
        strange.extend(
            ids(&source)
                .difference(&rules)
                .map(|id| format!("{id} in {}", file.display())),
        );
    }
    assert_eq!(strange, BTreeSet::new());
}

#[test]
fn obs_1_the_list_of_records_is_the_one_that_is_documented() {
    let document = document("records.md");
    assert!(document.contains(&format!("This is version {RECORD_VERSION} of the list")));
    let rows = document
        .lines()
        .skip_while(|line| !line.starts_with("| Kind |"))
        .skip(2);
    let names = |cell: &str| -> Vec<String> {
        cell.split_whitespace()
            .map(|name| name.trim_matches('`').to_owned())
            .collect()
    };
    let documented: Vec<(Vec<String>, Vec<String>)> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            assert!(cells.len() == 3 && cells[2].len() > 10, "{line}");
            (names(cells[0]), names(cells[1]))
        })
        .collect();
    let owned = |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.to_owned()).collect() };
    let listed: Vec<_> = kinds::ALL
        .iter()
        .map(|(kind, fields)| (owned(&[kind]), owned(fields)))
        .collect();
    assert_eq!(documented, listed);
}

#[test]
fn the_checks_can_fail() {
    assert_eq!(
        ids("// ORJ-6, CPX-2..4 and UTF-8, XML-REF; XOR-"),
        ["CPX-2", "ORJ-6", "XML-REF"].map(String::from).into()
    );
    assert_eq!(rules_of("orj_1_orj_2_the_readings_agree"), ["ORJ-1", "ORJ-2"]);
    assert_eq!(rules_of("xml_ref_a_reference"), ["XML-REF"]);
    assert_eq!(rules_of("f1_a_dying_branch"), Vec::<String>::new());
    assert_eq!(
        tests_in("#[test]\nfn a() {}\nfn b() {}"),
        BTreeSet::from(["a".to_owned()])
    );
    let rows = table("| Rule | Tests |\n|---|---|\n| A-1 | `x::y` `z::w` |\n| A-2 | not yet |\n\n| B-1 | `no` |");
    assert_eq!(rows["A-1"], ["x::y", "z::w"]);
    assert_eq!((rows["A-2"].len(), rows.len()), (0, 2));
    assert!(find("no::such").is_none());
    assert!(find("docs::the_checks_can_fail").is_some());
    assert_eq!(
        described("- **A-1** text that describes it\n"),
        BTreeSet::from(["A-1".to_owned()])
    );
}
