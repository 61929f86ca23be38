//! Laws of [`Coverage`]: merging is commutative and associative, empty is neutral, and stores bring back what was stored.

use trackside_sim::campaign::coverage::{Coverage, Group, Universe};
use trackside_sim::schedule::Dice;

fn random(seed: u64) -> Coverage {
    let mut dice = Dice::new(seed);
    let mut coverage = Coverage::default();
    let ids: Vec<&str> = Universe::get().items().map(|item| Universe::get().id(item)).collect();
    for _ in 0..dice.below(400) {
        assert!(coverage.hit_id(ids[dice.below(ids.len() as u64) as usize]));
    }
    coverage
}

fn merged(all: &[&Coverage]) -> Coverage {
    let mut sum = Coverage::default();
    for one in all {
        sum.merge(one);
    }
    sum
}

#[test]
fn merging_is_commutative_and_associative() {
    for seed in 0..50 {
        let (a, b, c) = (random(3 * seed), random(3 * seed + 1), random(3 * seed + 2));
        assert_eq!(merged(&[&a, &b]), merged(&[&b, &a]));
        assert_eq!(merged(&[&merged(&[&a, &b]), &c]), merged(&[&a, &merged(&[&b, &c])]));
        assert_eq!(merged(&[&a]), a);
        let both = merged(&[&a, &b]);
        let one = a.seen().into_iter().chain(b.seen());
        assert!(one.into_iter().all(|id| both.has(id)));
    }
}

#[test]
fn a_store_brings_back_what_was_stored() {
    for seed in 0..20 {
        let coverage = random(seed);
        let text = serde_json::to_string(&coverage).expect("a document");
        assert_eq!(serde_json::from_str::<Coverage>(&text).expect("a coverage"), coverage);
    }
    let strange: Coverage = serde_json::from_str(r#"{"stuck": 2, "of another version": 1}"#).expect("a coverage");
    assert_eq!(strange.seen(), ["INS-6", "stuck"].into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn shares_add_up() {
    let coverage = random(7);
    let covered = serde_json::to_value(coverage.covered()).expect("a document");
    for group in Group::ALL {
        let share = coverage.share(group);
        assert_eq!(share.hit + share.missing.len(), share.total);
        if share.total > 0 {
            assert_eq!(covered[group.name()]["hit"], share.hit);
            assert_eq!(
                covered[group.name()]["missing"].as_array().map(Vec::len),
                Some(share.missing.len())
            );
        }
    }
    let empty = Coverage::default();
    assert!(empty.seen().is_empty());
    assert_eq!(
        empty.missing().len(),
        Group::ALL.iter().map(|&group| empty.share(group).total).sum::<usize>()
    );
}
