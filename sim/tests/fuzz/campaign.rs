//! What a campaign of the library says, and that it says the same however it is worked off.

use std::time::Duration;

use trackside_sim::campaign::{Campaign, Summary};
use trackside_sim::schedule::Named;

use crate::common::model;

/// The result, without the time it took.
pub(crate) fn timeless(summary: Summary) -> Summary {
    Summary {
        elapsed: Duration::ZERO,
        ..summary
    }
}

#[test]
fn the_engine_passes_a_short_campaign() {
    let summary = Campaign::generated()
        .seed(1)
        .seeds(1_500)
        .jobs(2)
        .run()
        .expect("it runs");
    assert_eq!((summary.violated, &summary.findings), (0, &Vec::new()), "{summary}");
    assert_eq!(
        (summary.seeds, summary.models, summary.schedules),
        (1_500, 1_500, 3_000)
    );
    let ends = summary.ends;
    let all = ends.completed + ends.terminated + ends.faulted + ends.canceled + ends.stuck + ends.bounded;
    assert_eq!(all, summary.schedules);
    for (end, count) in [
        ("completed", ends.completed),
        ("stuck", ends.stuck),
        ("canceled", ends.canceled),
    ] {
        assert!(count > 20, "{end}: {count}");
    }
    let gateways = &summary.covered.0["gateways"];
    assert!(gateways.hit * 10 >= gateways.total * 9, "{gateways:?}");
    let laws = summary.laws;
    let judged = [
        laws.determinism,
        laws.confluence,
        laws.snapshots,
        laws.outcomes,
        laws.side_by_side,
    ];
    assert!(judged.iter().all(|&count| count > 0), "{laws:?}");
    assert!(
        summary.statistics.by_depth.is_empty(),
        "no order is in every generated model"
    );
    assert_eq!(summary.statistics.share, Some(0.002));
}

#[test]
fn the_result_is_the_same_on_any_number_of_threads() {
    let campaign = Campaign::generated().seed(77).seeds(300);
    let one = timeless(campaign.clone().jobs(1).run().expect("it runs"));
    for jobs in [2, 5] {
        assert_eq!(
            timeless(campaign.clone().jobs(jobs).run().expect("it runs")),
            one,
            "{jobs} threads"
        );
    }
    let other = timeless(campaign.seed(78).run().expect("it runs"));
    assert_ne!(other.actions, one.actions, "another seed is another campaign");
}

#[test]
fn a_time_gives_a_prefix_of_the_seeds() {
    let campaign = Campaign::generated().seed(5).jobs(2);
    let some = campaign.clone().time(Duration::from_millis(1)).run().expect("it runs");
    let again = campaign.seeds(some.seeds).run().expect("it runs");
    assert_eq!(timeless(some), timeless(again));
}

#[test]
fn given_models_are_run_in_turn() {
    let both = [
        model("s > F > A > J > e; F > B > J; and F J"),
        model("s > A{!timer PT1H > e2} > e"),
    ];
    let summary = Campaign::of(&both)
        .expect("they are models")
        .seeds(40)
        .run()
        .expect("it runs");
    assert_eq!((summary.models, summary.seeds, summary.violated), (2, 40, 0));
    let missed: Vec<f64> = summary.statistics.by_depth.iter().map(|depth| depth.missed).collect();
    assert!(missed[0] < 1.0 && missed.is_sorted(), "{missed:?}");
    let broken = model("s > A > e; A > nowhere; gate nowhere");
    let refused = Campaign::of(&[broken]).expect_err("a gate without arms");
    assert!(refused.to_string().contains("p.bpmn"), "{refused}");
}

#[test]
fn settings_can_be_pinned_and_are_checked() {
    let campaign = Campaign::generated().seeds(60).strategy(Named::Random);
    let atomic = campaign
        .clone()
        .setting("grain", "atomic")
        .expect("a setting")
        .run()
        .expect("it runs");
    let protocol = campaign
        .clone()
        .setting("grain", "protocol")
        .expect("a setting")
        .run()
        .expect("it runs");
    assert!(
        atomic.actions * 10 < protocol.actions * 9,
        "arrivals are no actions of their own"
    );
    for (name, value) in [("grain", "coarse"), ("steps", "301"), ("timer.t", "PT1H")] {
        assert!(campaign.clone().setting(name, value).is_err(), "{name}");
    }
    let timed = Campaign::of(&[model("s > A{!timer PT1H as t > e2} > e")]).expect("a model");
    let set = |id: &str, value: &str| {
        let set = timed.clone().seeds(4).setting(&format!("timer.{id}"), value);
        set.expect("a setting").run()
    };
    assert!(set("t", "PT2H").is_ok());
    assert!(set("t", "soon").is_err_and(|error| error.to_string().contains("p.bpmn")));
    assert!(set("u", "PT2H").is_err_and(|error| error.to_string().contains("`u`")));
}
