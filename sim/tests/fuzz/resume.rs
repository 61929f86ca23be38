//! A campaign that is killed goes on where it was: nothing is lost, nothing counted twice.

use std::io::{BufRead, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use trackside_sim::campaign::{Campaign, CampaignError};

use crate::campaign::timeless;

const CHILD: &str = "TRACKSIDE_TEST_CHILD";

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
    assert_eq!(timeless(resumed), timeless(whole));
    let left = std::fs::read_dir(&folder).expect("the folder is there").count();
    assert_eq!(left, 0, "a campaign that is over leaves no store");
}

fn campaign() -> Campaign {
    Campaign::generated().seed(3).seeds(1_280).jobs(2)
}

/// What the next test starts, to kill it: a campaign that goes on until 256 seeds are done, says so, and waits. Started by
/// itself, it has nothing to do.
#[test]
fn a_child_that_waits_to_be_killed() {
    let Some(folder) = std::env::var_os(CHILD) else { return };
    let run = campaign().store(folder).run_with(&mut |progress| {
        if progress.seeds() >= 256 {
            println!("\nready");
            loop {
                std::thread::park();
            }
        }
    });
    unreachable!("it is killed before {run:?}");
}

/// The real thing: `SIGKILL`, when something is in the store and more is to come.
#[test]
fn a_killed_campaign_ends_like_one_that_was_not() {
    let folder = folder("killed");
    let whole = campaign().run().expect("it runs");

    let mut child = Command::new(std::env::current_exe().expect("this test has a path"));
    child.args(["--exact", "resume::a_child_that_waits_to_be_killed", "--nocapture"]);
    child.env(CHILD, &folder).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = child.spawn().expect("it starts");
    let said = BufReader::new(child.stdout.take().expect("it is piped"));
    let ready = said.lines().map_while(Result::ok).any(|line| line == "ready");
    assert!(ready, "the child came to its 256 seeds");
    child.kill().expect("it can be killed");
    child.wait().expect("it is gone");

    let mut first = None;
    let resumed = campaign().store(&folder).run_with(&mut |progress| {
        first.get_or_insert((progress.seeds(), progress.is_resumed()));
    });
    assert!(
        first.is_some_and(|(seeds, resumed)| seeds >= 256 && resumed),
        "{first:?}"
    );
    assert_eq!(timeless(resumed.expect("it goes on")), timeless(whole));
}

#[test]
fn a_store_that_is_in_use_or_damaged_is_told() {
    let folder = folder("used");
    let campaign = Campaign::generated().seed(4).seeds(64).store(&folder);
    let mut second = None;
    let ran = campaign.run_with(&mut |_| {
        second.get_or_insert_with(|| campaign.run().map_err(|error| error.to_string()));
    });
    ran.expect("it runs");
    let told = second.expect("it was tried").expect_err("the first one has it");
    assert!(told.contains("is running already"), "{told}");

    let interrupted = catch_unwind(AssertUnwindSafe(|| campaign.run_with(&mut |_| panic!("interrupted"))));
    assert!(interrupted.is_err());
    for entry in std::fs::read_dir(&folder).expect("the folder is there") {
        std::fs::write(entry.expect("an entry").path(), "nonsense").expect("it can be written");
    }
    let refused = campaign.run().expect_err("it can't be read");
    assert!(matches!(refused, CampaignError::Store(_)), "{refused}");
    assert!(refused.to_string().contains("delete it to begin anew"), "{refused}");
}
