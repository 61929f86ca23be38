//! A run that is played again by its identities: the same on the same model, the same race on another.

use std::collections::BTreeSet;

use trackside_engine::instance::Record;
use trackside_engine::model::{Definitions, notation};
use trackside_engine::world::{Class, World};
use trackside_sim::generate::{Family, Parameters, model};
use trackside_sim::schedule::Random;
use trackside_sim::shrink::{Failing, Identity, Trial, Wishes};

use super::trial::{Finding, ONLY, Search};

/// The run is over.
#[derive(Default)]
struct Ended;

impl Finding for Ended {
    fn after(&mut self, world: &World) -> bool {
        world.instance(ONLY).end().is_some()
    }
}

/// A node is executed that is wanted.
#[derive(Default)]
struct Wanted;

impl Finding for Wanted {
    fn after(&mut self, world: &World) -> bool {
        let template = world.instance(ONLY).template();
        let stepped = world.records().iter().filter_map(|(_, record)| match record {
            Record::Stepped { node, .. } => Some(template.node(*node).id.as_str()),
            _ => None,
        });
        stepped.into_iter().any(|id| id == "Wanted")
    }
}

fn again<F: Finding>(search: &mut Search<F>, model: &Definitions, run: &Failing) -> Option<Failing> {
    assert!(search.prepare(model));
    search.fails(&mut Wishes::new(run.choices.iter().cloned()))
}

#[test]
fn a_run_is_the_same_on_the_same_model() {
    let mut runs = 0;
    for family in Family::ALL {
        for seed in 0..60 {
            let model = model(seed, &Parameters::of(family));
            let mut search = Search::<Ended>::new();
            assert!(search.prepare(&model));
            let Some(run) = search.fails(&mut Random::new(seed)) else {
                continue;
            };
            let again = again(&mut search, &model, &run).expect("it ends again");
            assert_eq!(
                (again.choices, again.steps),
                (run.choices, run.steps),
                "{family:?} {seed}"
            );
            runs += 1;
        }
    }
    assert!(runs > 100, "{runs}");
}

/// A free choice takes the same flow, wherever that stands now.
#[test]
fn a_choice_is_known_by_its_flow() {
    let before = notation::parse("s > X > A* > e1; X > B* > e2; X > auto Wanted > e3; xor X").expect("a model");
    let mut search = Search::<Wanted>::new();
    let run = search.find(&before, 0..50).expect("some run chooses it");
    let chosen = run.choices.iter().filter_map(|choice| choice.chosen.as_ref());
    assert_eq!(chosen.collect::<Vec<_>>(), [&BTreeSet::from(["X_Wanted".to_owned()])]);
    for after in [
        "s > X > auto Wanted > e3; X > B* > e2; X > A* > e1; xor X",
        "s > X > B* > e2; X > auto Wanted > e3; xor X",
        "s > O > B* > e2; O > auto Wanted > e3; O > A*",
    ] {
        let after = notation::parse(after).expect("a model");
        let renamed = |choice: &Identity| Identity {
            node: choice.node.clone().map(|id| {
                if id == "X" && !has(&after, "X") {
                    "O".to_owned()
                } else {
                    id
                }
            }),
            chosen: choice.chosen.as_ref().map(|_| BTreeSet::from([wanted(&after)])),
            ..choice.clone()
        };
        let run = Failing {
            choices: run.choices.iter().map(renamed).collect(),
            ..run.clone()
        };
        assert!(again(&mut search, &after, &run).is_some());
    }
}

fn has(model: &Definitions, id: &str) -> bool {
    model.scopes[0].nodes.iter().any(|node| node.id == id)
}

fn wanted(model: &Definitions) -> String {
    let flow = model.scopes[0].flows.iter().find(|flow| flow.target == "Wanted");
    flow.expect("a flow to it").id.clone()
}

/// What has been cut out is passed over: the arrival that was first is first, by whatever flow it comes now.
#[test]
fn a_race_goes_on_as_before_where_something_is_cut_out() {
    let before = notation::parse("s > F > A* > B* > C* > Wanted; F > D* > E* > J; auto Wanted; Wanted > J > e");
    let before = before.expect("a model");
    let mut search = Search::<Wanted>::new();
    assert!(search.prepare(&before));
    let run = search.fails(&mut Random::new(3)).expect("it comes there");
    let after = notation::parse("s > F > A* > Wanted; F > D* > J; auto Wanted; Wanted > J > e").expect("a model");
    let replayed = again(&mut search, &after, &run).expect("it comes there");
    let order = |run: &Failing| {
        let kept = |choice: &&Identity| {
            choice.class == Class::Step && choice.node.as_deref().is_some_and(|id| has(&after, id))
        };
        run.choices
            .iter()
            .filter(kept)
            .filter_map(|choice| choice.node.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(order(&run), order(&replayed));
}
