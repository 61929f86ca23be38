//! Each of V1 to V5 is seen to fail: true stories with one thing changed, and a world that offers what it should not.

use trackside_engine::instance::{End, Options, Record};
use trackside_engine::world::Part;
use trackside_sim::oracle::{Deed, Reference};

use super::doctored::{Told, judge, tell};
use super::drive::{Walk, parse};

const DIAMOND: &str = "s > F > A > J > e; F > B > J";
const INCLUSIVE: &str = "s > O > A > J > e; O > B > J; O > C* > J; or J O";

/// The story of some seed that `change` can change is found out as a violation of this invariant.
fn check(model: &str, invariant: &str, change: impl Fn(&mut Vec<Told>) -> bool) {
    let mut changed = 0;
    for seed in 0..12 {
        let mut story = tell(model, seed);
        assert_eq!(judge(model, seed, &story), Ok(()));
        if change(&mut story) {
            changed += 1;
            let violation = judge(model, seed, &story).expect_err("it is found out");
            assert_eq!(violation.invariant, invariant, "{violation}");
        }
    }
    assert!(changed > 0, "no story has what is to be changed");
}

#[test]
fn v1_a_join_takes_one_token_per_flow() {
    check(DIAMOND, "V1", |story| {
        let records = story.iter_mut().flat_map(|told| &mut told.records);
        let mut flows = records.filter_map(|record| match record {
            Record::JoinFired { flows, .. } => Some(flows),
            _ => None,
        });
        flows.next().and_then(Vec::pop).is_some()
    });
}

#[test]
fn v2_no_join_fires_too_early() {
    check(INCLUSIVE, "V2", |story| {
        let fires = |told: &Told| {
            told.records
                .iter()
                .any(|record| matches!(record, Record::JoinFired { .. }))
        };
        story.iter_mut().filter(|told| !fires(told)).any(|told| {
            let parked = told.records.iter().find_map(|record| match *record {
                Record::Parked { track, flow, node, .. } => Some((track, flow, node)),
                _ => None,
            });
            let Some((survivor, flow, node)) = parked else {
                return false;
            };
            told.records.push(Record::JoinFired {
                node,
                survivor,
                flows: vec![flow],
            });
            true
        })
    });
}

#[test]
fn v3_no_join_waits_once_its_rule_holds() {
    check(INCLUSIVE, "V3", |story| {
        story.iter_mut().any(|told| {
            let before = told.records.len();
            told.records
                .retain(|record| !matches!(record, Record::JoinFired { .. } | Record::Merged { .. }));
            told.records.len() < before
        })
    });
}

#[test]
fn v4_the_recorded_end_is_the_right_one() {
    check(DIAMOND, "V4", |story| {
        let last = story.last_mut().filter(|told| told.end.is_some());
        last.is_some_and(|told| told.end.replace(End::Terminated).is_some())
    });
}

#[test]
fn v5_what_is_offered_is_what_the_rules_enable() {
    let model = "s > user A{~m > B > e2} > e";
    let begun = |refires| Options {
        refires,
        timed: false,
        ..Options::default()
    };
    // By these rules what stays armed is never offered; the world offers it.
    let mut walk = Walk::begin(model, begun(None), 0).expect("it is judged");
    let reference = Reference::new(
        &parse(model),
        0,
        &trackside_engine::template::Compiled::default(),
        &begun(Some(0)),
    );
    walk.reference = reference.expect("the model is covered");
    walk.world.reset();
    walk.invariants.restart();
    walk.id = walk.world.start(0, 0, trackside_engine::expr::Data::default());
    walk.observe(Deed::Start(0)).expect("nothing is armed yet");
    let mut found = None;
    while found.is_none() {
        let Some(action) = walk.world.oldest(Part::All) else {
            break;
        };
        found = walk.apply(action).err();
    }
    let found = found.expect("the world offers a subscription that by these rules is used up");
    assert_eq!((found.invariant, found.rule), ("V5", "INS-4"));
    assert!(found.message.starts_with("enabled, but should not be"), "{found}");
}

/// Another action than the one that happened.
#[test]
fn v5_what_is_not_enabled_does_not_happen() {
    check(DIAMOND, "V5", |story| {
        let at = (1..story.len()).find(|&at| story[at].label.class != story[at - 1].label.class);
        at.is_some_and(|at| {
            story[at].label = story[at - 1].label;
            true
        })
    });
}
