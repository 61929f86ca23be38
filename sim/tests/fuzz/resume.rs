//! A campaign that is killed goes on where it was: nothing is lost, nothing counted twice.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use trackside_sim::campaign::Campaign;

use crate::common::{stdout, trackside};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // What an earlier run of the tests has left is another campaign's.
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("it can be removed");
    }
    folder
}

#[test]
fn what_was_finished_before_an_interruption_is_not_run_again() {
    let folder = folder("interrupted");
    let campaign = Campaign::generated().seed(9).seeds(640);
    let whole = campaign.run().expect("it runs");
    let kept = campaign.clone().store(&folder);
    let interrupted = catch_unwind(AssertUnwindSafe(|| {
        kept.run_with(&mut |progress| assert!(progress.seeds() < 256, "interrupted"))
    }));
    assert!(interrupted.is_err());

    let mut first = None;
    let resumed = kept.run_with(&mut |progress| {
        first.get_or_insert((progress.seeds(), progress.is_resumed()));
    });
    let resumed = resumed.expect("it goes on");
    assert!(
        first.is_some_and(|(seeds, resumed)| seeds >= 256 && resumed),
        "{first:?}"
    );
    assert_eq!(
        (
            resumed.seeds,
            resumed.schedules,
            resumed.actions,
            resumed.ends,
            &resumed.covered
        ),
        (whole.seeds, whole.schedules, whole.actions, whole.ends, &whole.covered)
    );
    let left = std::fs::read_dir(&folder).expect("the folder is there").count();
    assert_eq!(left, 0, "a campaign that is over leaves no store");
}

fn document(mut command: std::process::Command) -> Value {
    let output = command.output().expect("the binary runs");
    let mut document: Value = serde_json::from_str(&stdout(&output)).expect("stdout is one JSON document");
    document.as_object_mut().expect("an object").remove("elapsed_ms");
    document
}

/// The real thing: `SIGKILL` as soon as something is in the store.
#[test]
fn a_killed_campaign_ends_like_one_that_was_not() {
    let folder = folder("killed");
    let path = folder.display().to_string();
    let arguments = [
        "fuzz", "--seed", "3", "--seeds", "1280", "--jobs", "2", "--format", "json", "--store",
    ];
    let with = |store: &str| trackside(&[&arguments[..], &[store]].concat());
    let whole = document(with(&format!("{path}-whole")));

    let mut child = with(&path);
    let child = child.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.spawn().expect("the binary starts");
    let stored = || {
        let entries = std::fs::read_dir(&folder).ok().into_iter().flatten().flatten();
        entries
            .filter_map(|entry| entry.metadata().ok())
            .map(|file| file.len())
            .sum::<u64>()
    };
    while stored() == 0 && child.try_wait().expect("it can be asked").is_none() {
        std::thread::yield_now();
    }
    // It may be over by now; then there is nothing to resume, and the summary has to be the same all the more.
    let _ = child.kill();
    child.wait().expect("it is gone");
    assert_eq!(document(with(&path)), whole);
}
