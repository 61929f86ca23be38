//! A replay token carries the fault that was planted; where none is, nothing speaks of it.

use trackside_engine::model::notation;
use trackside_sim::fault::Fault;
use trackside_sim::run::{Settings, Simulation};
use trackside_sim::source::Source;
use trackside_sim::token::Token;

#[test]
fn a_token_plants_its_fault_again() {
    let file = notation::parse("s > F > A > e; F > B > e2").expect("a model");
    let source = Source::of_model("planted.bpmn", &file);
    let mut settings = Settings::default();
    settings.set("plant", "plain-end-terminates").expect("a fault");
    assert_eq!(settings.options.plant, Some(Fault::PlainEndTerminates));
    let planted = Simulation::of(&source).seed(3).settings(settings.clone());
    let planted = planted.run().expect("it runs");
    let plain = Simulation::of(&source).seed(3).run().expect("it runs");
    assert_ne!(planted.trace_hash, plain.trace_hash);

    let token: Token = planted.token.parse().expect("a token");
    let again = Simulation::replay(&source, &token).and_then(|simulation| simulation.run());
    assert_eq!(again.expect("it runs again").trace_hash, planted.trace_hash);
    assert!(settings.set("plant", "no-such-fault").is_err());
}

#[test]
fn settings_without_a_fault_do_not_mention_it() {
    let settings = Settings::default();
    let mentioned = settings.pairs(false).into_iter().any(|(name, _)| name == "plant");
    assert!(!mentioned);
}
