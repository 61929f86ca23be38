//! Runs that are told with something changed: a transition hidden, another action claimed, a record missing, a track
//! elsewhere, another end. The reference finds every one of them out.

use trackside_engine::instance::{End, Phase, Record, TrackView};
use trackside_engine::world::{Label, Part};
use trackside_sim::oracle::{Deed, Seen, Violation};

use super::drive::{Walk, numbers, options};

/// One transition as it is told.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) label: Label,
    outcome: u32,
    pub(crate) records: Vec<Record>,
    tracks: Vec<TrackView>,
    pub(crate) end: Option<End>,
}

#[rustfmt::skip]
const MODELS: &[&str] = &[
    "s > F > A > J > e; F > B > J",
    "s > O > A > J > e; O > B > J; O > C* > J; or J O",
    "s > F > A > K; F > B > K; F > C > K; K(2) > D > e",
    "s > service A{!m > B > e2}{~signal g > C > e3} > D > e",
    "s > G > catch a(message m) > A > e; G > catch b(signal g) > B > e",
    "s > SP{s1 > F > A > end x(error k); F > service B > e1} > e; SP{!error k > C > e2}",
    "s > F > A > ET; F > B > J; F > C > J; J > e; and J",
    "s > A > B > e; ESP!h{start hs(message m) > H > eh}; ESP~i{start is(signal g) > I > ei}",
];

/// The transitions after the start of a symbolic run.
pub(crate) fn tell(model: &str, seed: u64) -> Vec<Told> {
    let mut walk = Walk::begin(model, options(seed % 4), 0).expect("it is judged");
    let mut story = Vec::new();
    for pick in numbers(seed, 60) {
        let enabled = walk.world.enabled(Part::All);
        let Some(&action) = enabled.get((pick % enabled.len().max(1) as u64) as usize) else {
            break;
        };
        let (outcomes, ways) = walk.world.choices(action);
        let action = action.choose((pick >> 16) as u32 % outcomes, (pick >> 32) as u32 % ways);
        let label = walk.world.label(action);
        walk.apply(action).expect("it is judged");
        story.push(Told {
            label,
            outcome: action.outcome(),
            records: walk.world.records().iter().map(|(_, record)| record.clone()).collect(),
            tracks: walk.instance().tracks(),
            end: walk.instance().end().cloned(),
        });
    }
    story
}

/// What the reference says of a story that begins like the true one.
pub(crate) fn judge(model: &str, seed: u64, story: &[Told]) -> Result<(), Violation> {
    let mut walk = Walk::begin(model, options(seed % 4), 0)?;
    for told in story {
        let claim = Seen {
            tracks: &told.tracks,
            records: &told.records,
            end: told.end.as_ref(),
        };
        walk.reference.follow_claim(
            &claim,
            Deed::Action {
                label: told.label,
                outcome: told.outcome,
            },
        )?;
    }
    Ok(())
}

/// Tells every model's story under several schedules with every change that `change` makes of it; all of them are found
/// out, and there are some.
fn check(change: impl Fn(&[Told]) -> Vec<Vec<Told>>) {
    let mut changed = 0;
    for model in MODELS {
        for seed in 0..12 {
            let story = tell(model, seed);
            assert_eq!(judge(model, seed, &story), Ok(()), "the true story\n{model}");
            for other in change(&story) {
                changed += 1;
                assert!(judge(model, seed, &other).is_err(), "{model}, seed {seed}\n{other:#?}");
            }
        }
    }
    assert!(changed > 100, "{changed}");
}

#[test]
fn a_hidden_transition_is_found_out() {
    check(|story| {
        // A move of a token that the next transition cancels leaves no trace.
        let shows = |at: &usize| {
            let next = &story[at + 1];
            story[*at]
                .label
                .track
                .is_none_or(|track| next.tracks.iter().any(|view| view.id == track))
        };
        let all = (0..story.len().saturating_sub(1)).filter(shows);
        all.map(|at| [&story[..at], &story[at + 1..]].concat()).collect()
    });
}

#[test]
fn another_action_is_found_out() {
    check(|story| {
        let mut others = Vec::new();
        for at in 1..story.len() {
            if story[at].label != story[at - 1].label {
                let mut other = story.to_vec();
                other[at].label = story[at - 1].label;
                others.push(other);
            }
        }
        others
    });
}

#[test]
fn a_missing_record_is_found_out() {
    // Positions show in tracks, and how something came about does not have to be told twice.
    let matters = |record: &Record| {
        !matches!(
            record,
            Record::Left { .. }
                | Record::Arrived { .. }
                | Record::Parked { .. }
                | Record::Resumed { .. }
                | Record::Refired { .. }
                | Record::Clock { .. }
                | Record::InstanceEnded { .. }
        )
    };
    check(|story| {
        let mut others = Vec::new();
        for at in 0..story.len() {
            for record in (0..story[at].records.len()).filter(|&record| matters(&story[at].records[record])) {
                let mut other = story.to_vec();
                other[at].records.remove(record);
                others.push(other);
            }
        }
        others
    });
}

#[test]
fn a_record_too_many_is_found_out() {
    check(|story| {
        let mut others = Vec::new();
        for at in 0..story.len() {
            for (place, record) in story[at].records.iter().enumerate() {
                if matches!(
                    record,
                    Record::Stepped { .. } | Record::JoinFired { .. } | Record::Fired { .. }
                ) {
                    let mut other = story.to_vec();
                    other[at].records.insert(place, record.clone());
                    others.push(other);
                }
            }
        }
        others
    });
}

#[test]
fn a_track_that_is_elsewhere_is_found_out() {
    check(|story| {
        let mut others = Vec::new();
        for at in 0..story.len() {
            for track in 0..story[at].tracks.len() {
                let mut other = story.to_vec();
                let shown = &mut other[at].tracks[track];
                shown.phase = if shown.phase == Phase::Ready {
                    Phase::Waiting
                } else {
                    Phase::Ready
                };
                others.push(other);
                let mut other = story.to_vec();
                other[at].tracks.remove(track);
                others.push(other);
            }
        }
        others
    });
}

#[test]
fn another_end_is_found_out() {
    check(|story| {
        let ends = [None, Some(End::Completed), Some(End::Terminated), Some(End::Canceled)];
        let at = story.len() - 1;
        let others = ends.into_iter().filter(|end| *end != story[at].end);
        others
            .map(|end| {
                let mut other = story.to_vec();
                other[at].end = end;
                other
            })
            .collect()
    });
}
