//! Properties of models: they hold, or fail with model, token and story.

use trackside_engine::model::notation;
use trackside_sim::property::Property;
use trackside_sim::run::RunEnd;
use trackside_sim::source::Source;

fn model(text: &str) -> Source {
    Source::of_model("p.bpmn", &notation::parse(text).expect("a model"))
}

#[test]
fn a_property_that_fails_says_where_how_and_how_to_see_it_again() {
    let source = model("s > F > A > J > e; F > B{!timer PT1H > e2} > J; and F J");
    let found = Property::of(&source)
        .check()
        .expect_err("a timer can leave the join waiting for ever");
    assert!(
        found.message.contains("stuck") && found.message.contains('J'),
        "{}",
        found.message
    );
    let text = found.to_string();
    assert!(
        text.starts_with("p.bpmn: ") && text.contains("\ntrackside replay ts1:"),
        "{text}"
    );
    assert!(text.contains("fires: timer"), "{text}");
    Property::of(&source).allow(RunEnd::Stuck).assert();
}

#[test]
fn claims_are_looked_at_in_every_run() {
    let source = model("s > X > A > M > e; X > B > M; xor X M");
    let property = Property::of(&source).holds("A is executed", |report| report.main.executed.contains_key("A"));
    let found = property.check().expect_err("X may choose B");
    assert_eq!(found.message, "it does not hold that A is executed");
    let checked = Property::of(&source).schedules(30).check().expect("it completes");
    assert_eq!(checked.schedules, 30);
}

#[test]
fn a_model_that_cannot_be_run_is_a_counterexample() {
    let found = Property::of(&model("s > A > e; A > nowhere; gate nowhere"))
        .check()
        .expect_err("it has errors");
    assert!(found.to_string().contains("nowhere"), "{found}");
}
