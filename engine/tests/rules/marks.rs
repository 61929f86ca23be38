//! Tests tied to branches of the engine: a test that says [`hits`] fails if no run of it takes the branch.
//!
//! The engine collects marks in its instances; [`noted`] gathers them per thread, which is per test.

use std::cell::RefCell;
use std::collections::BTreeSet;

use trackside_engine::instance::{CoverageMark, Instance};

thread_local! {
    static SEEN: RefCell<BTreeSet<CoverageMark>> = const { RefCell::new(BTreeSet::new()) };
}

/// Gathers what an instance has marked.
pub(crate) fn noted(instance: &Instance) {
    SEEN.with_borrow_mut(|seen| seen.extend(instance.marks()));
}

/// Says that the test takes a branch; it is judged when the test is over.
pub(crate) fn hits(mark: CoverageMark) -> Tied {
    SEEN.with_borrow_mut(|seen| seen.remove(&mark));
    Tied(mark)
}

/// Judges on its way out.
#[must_use = "it judges at the end of the test"]
pub(crate) struct Tied(CoverageMark);

impl Drop for Tied {
    fn drop(&mut self) {
        let seen = SEEN.with_borrow(|seen| seen.contains(&self.0));
        assert!(seen || std::thread::panicking(), "no run takes the branch {:?}", self.0);
    }
}

/// The marks that the sources of the tests name.
fn tied() -> BTreeSet<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.file_name().is_some_and(|name| name == "marks.rs") {
            continue;
        }
        let source = std::fs::read_to_string(path).expect("a text");
        let named = source.split("hits(CoverageMark::").skip(1);
        found.extend(named.filter_map(|rest| rest.split(')').next()).map(ToOwned::to_owned));
    }
    found
}

#[test]
fn every_mark_is_tied_to_a_test() {
    let all: BTreeSet<String> = CoverageMark::NAMES.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(tied(), all);
    let collected = CoverageMark::COLLECTED;
    assert!(collected, "tests are built with the feature");
}

#[test]
#[should_panic(expected = "no run takes the branch ChainCut")]
fn a_branch_that_is_not_taken_is_told() {
    let _tied = hits(CoverageMark::ChainCut);
    crate::scenario::check("s > A > e", "A", "completed");
}
