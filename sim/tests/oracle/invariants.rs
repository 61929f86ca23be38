//! Each invariant holds of what the engine records, and fails for records that have been tampered with.

use trackside_engine::instance::{End, Final, LifeCycle, Outcome, Record, TrackView, Withdrawal};
use trackside_engine::{NodeId, TrackId};
use trackside_sim::oracle::invariants::Invariants;

use super::drive::{Walk, numbers, options, walk};

/// The transitions of a run: records, tracks and end.
type Story = Vec<(Vec<Record>, Vec<TrackView>, Option<End>)>;

/// A run of this model, in the protocol grain and symbolic, over data for none.
fn story(model: &str, seed: u64) -> Story {
    let mut told = Walk::begin(model, options(0), 0).expect("it is judged");
    let mut story = Vec::new();
    let tell = |walk: &Walk, story: &mut Story| {
        let records = walk.world.records().iter().map(|(_, record)| record.clone());
        story.push((
            records.collect(),
            walk.instance().tracks(),
            walk.instance().end().cloned(),
        ));
    };
    tell(&told, &mut story);
    for pick in numbers(seed, 100) {
        if !told.step(pick | 1 << 56).expect("it is judged") {
            break;
        }
        tell(&told, &mut story);
    }
    story
}

fn judge(story: &Story) -> Result<(), &'static str> {
    let mut invariants = Invariants::default();
    for (records, tracks, end) in story {
        invariants
            .observe(records.iter(), tracks.iter().copied(), end.as_ref())
            .map_err(|violation| violation.invariant)?;
    }
    Ok(())
}

/// The story holds, and after `tamper` has changed some record the invariant fails. `tamper` gives what stands in the
/// place of a record, or nothing if it is no record to change; the first one is.
fn check(model: &str, invariant: &str, tamper: impl Fn(&Record) -> Option<Vec<Record>>) {
    for seed in 0..50 {
        let mut story = story(model, seed);
        assert_eq!(judge(&story), Ok(()));
        let found = story.iter_mut().find_map(|(records, ..)| {
            let at = records.iter().position(|record| tamper(record).is_some())?;
            let changed = tamper(&records[at]).expect("it is to be changed");
            records.splice(at..=at, changed);
            Some(())
        });
        if found.is_some() {
            return assert_eq!(judge(&story), Err(invariant), "{story:#?}");
        }
    }
    panic!("no schedule has what is to be changed: {model}");
}

const DIAMOND: &str = "s > F > A > J > e; F > B > J";
const WATCHED: &str = "s > user A{!m > B > e2}{~m > C > e3} > D > e";
const GATE: &str = "s > G > catch a(message m) > A > e; G > catch b(message k) > B > e";

#[test]
fn v4_an_instance_ends_once_and_as_it_says() {
    check(DIAMOND, "V4", |record| match record {
        Record::InstanceEnded { .. } => Some(vec![record.clone(), record.clone()]),
        _ => None,
    });
    check(DIAMOND, "V4", |record| match record {
        Record::InstanceEnded { .. } => Some(vec![Record::InstanceEnded { end: End::Terminated }]),
        _ => None,
    });
    check(DIAMOND, "V4", |record| match record {
        Record::InstanceEnded { .. } => Some(vec![
            record.clone(),
            Record::Stepped {
                track: TrackId(0),
                node: NodeId(0),
            },
        ]),
        _ => None,
    });
}

#[test]
fn v6_tokens_are_conserved() {
    check(DIAMOND, "V6", |record| match record {
        Record::Merged { .. } => Some(Vec::new()),
        _ => None,
    });
    check(DIAMOND, "V6", |record| match record {
        Record::TrackEnded { .. } => Some(vec![record.clone(), record.clone()]),
        _ => None,
    });
    check(DIAMOND, "V6", |record| match *record {
        Record::Born {
            parent: Some(_),
            node,
            flow,
            ..
        } => Some(vec![
            record.clone(),
            Record::Born {
                track: TrackId(99),
                parent: None,
                node,
                flow,
            },
        ]),
        _ => None,
    });
}

#[test]
fn v7_lineage_is_acyclic_and_names_the_survivor() {
    check(DIAMOND, "V7", |record| match *record {
        Record::Merged { track, node, into } => Some(vec![Record::Merged {
            track,
            node,
            into: TrackId(1 - into.0.min(1)),
        }])
        .filter(|_| into != track),
        _ => None,
    });
    check(DIAMOND, "V7", |record| match *record {
        Record::Born {
            track,
            node,
            flow,
            parent: Some(_),
        } => Some(vec![Record::Born {
            track,
            node,
            flow,
            parent: Some(TrackId(7)),
        }]),
        _ => None,
    });
    check(DIAMOND, "V7", |record| match record {
        Record::JoinFired { node, flows, .. } => Some(vec![Record::JoinFired {
            node: *node,
            flows: flows.clone(),
            survivor: TrackId(9),
        }]),
        _ => None,
    });
}

#[test]
fn v8_a_host_is_completed_or_interrupted_and_leaves_nothing() {
    check(WATCHED, "V8", |record| match record {
        Record::Disarmed {
            why: Withdrawal::HostEnded,
            ..
        } => Some(Vec::new()),
        _ => None,
    });
    check(WATCHED, "V8", |record| match *record {
        Record::Interrupted {
            track,
            node,
            state: LifeCycle::Terminated,
            ..
        } => Some(vec![record.clone(), Record::Stepped { track, node }]),
        _ => None,
    });
    check(WATCHED, "V8", |record| match *record {
        Record::Interrupted {
            track,
            node,
            state: LifeCycle::Terminating,
            ..
        } => Some(vec![
            Record::WorkEnded {
                track,
                node,
                outcome: Outcome::Ok,
            },
            record.clone(),
        ]),
        _ => None,
    });
}

#[test]
fn v9_one_arm_of_a_gate_is_taken() {
    check(GATE, "V9", |record| match record {
        Record::Fired { .. } => Some(Vec::new()),
        _ => None,
    });
    check(GATE, "V9", |record| match record {
        Record::Fired { .. } => Some(vec![record.clone(), record.clone()]),
        _ => None,
    });
    check(GATE, "V9", |record| match record {
        Record::Disarmed {
            watcher,
            node,
            host,
            why: Withdrawal::Taken,
        } => Some(vec![Record::Disarmed {
            watcher: *watcher,
            node: *node,
            host: *host,
            why: Withdrawal::Lost,
        }]),
        _ => None,
    });
}

#[test]
fn they_hold_of_what_ends_in_other_ways() {
    let walk = walk(
        "s > F > A > ET; F > service B{!signal g > e2} > e",
        options(0),
        0,
        &numbers(3, 100),
    );
    let walk = walk.expect("it is judged");
    let canceled = |record: &&Record| {
        matches!(
            record,
            Record::TrackEnded {
                state: Final::Canceled,
                ..
            }
        )
    };
    assert!(walk.log.iter().any(|record| canceled(&record)));
}
