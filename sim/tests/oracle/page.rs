//! `docs/invariants.md` tells the truth: every invariant stands in it once, its files exist, and so do the tests in which
//! it is seen to fail.

use std::path::Path;

const IDS: usize = 15;

fn read(path: &str) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::fs::read_to_string(root.join(path)).ok()
}

/// The words in backticks of a cell.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// What is wrong with a cell of files, each followed by tests that stand in it.
fn faults(cell: &str) -> Vec<String> {
    let (mut faults, mut text, mut named) = (Vec::new(), None, 0);
    for word in quoted(cell) {
        named += 1;
        if Path::new(word).extension().is_some_and(|extension| extension == "rs") {
            text = read(word);
            if text.is_none() {
                faults.push(format!("there is no file {word}"));
            }
        } else {
            let heads = ["#[test]\nfn", "#[test]\n    fn"].map(|head| format!("{head} {word}()"));
            let text = text.as_deref().unwrap_or_default();
            if !heads.iter().any(|head| text.contains(head)) {
                faults.push(format!("there is no test {word}"));
            }
        }
    }
    if named == 0 {
        faults.push("nothing is named".to_owned());
    }
    faults
}

/// What is wrong with a page.
fn check(page: &str) -> Vec<String> {
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| V"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    let ids: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    let all: Vec<String> = (1..=IDS).map(|id| format!("V{id}")).collect();
    let mut wrong = Vec::new();
    if ids != all {
        wrong.push(format!("the ids are {ids:?}"));
    }
    for row in rows {
        match row[..] {
            [id, _, place, test] => {
                let faults = faults(place).into_iter().chain(faults(test));
                wrong.extend(faults.map(|fault| format!("{id}: {fault}")));
                if !test.split('`').any(|word| word.contains('_')) {
                    wrong.push(format!("{id}: no test is named"));
                }
            }
            _ => wrong.push(format!("a row of {} cells", row.len())),
        }
    }
    wrong
}

fn page() -> String {
    read("docs/invariants.md").expect("the page exists")
}

#[test]
fn every_invariant_is_described_with_its_place_and_a_test_in_which_it_fails() {
    assert_eq!(check(&page()), Vec::<String>::new());
}

#[test]
fn a_wrong_page_is_found_out() {
    let page = page();
    for (from, to) in [
        ("| V7 |", "| V6 |"),
        ("`sim/src/oracle/joins.rs`", "`sim/src/oracle/joints.rs`"),
        ("`v6_tokens_are_conserved`", "`v6_tokens_are_lost`"),
        (" `v6_tokens_are_conserved`", ""),
    ] {
        assert!(page.contains(from));
        assert_ne!(check(&page.replacen(from, to, 1)), Vec::<String>::new(), "{to}");
    }
}

/// Each violation that the oracle can report has an id of the page.
#[test]
fn the_oracle_names_no_other_invariant() {
    let page = page();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/oracle")];
    let mut named = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a text");
            for word in text
                .split('"')
                .filter(|word| word.starts_with('V') && word[1..].parse::<u32>().is_ok())
            {
                named += 1;
                assert!(page.contains(&format!("| {word} |")), "{word} in {}", path.display());
            }
        }
    }
    assert!(named > 20, "{named}");
}
