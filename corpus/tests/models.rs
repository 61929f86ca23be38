//! Every shipped model is listed, says nothing that the engine complains about, can be drawn, and runs.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use trackside_corpus::models;
use trackside_engine::instance::{Conditions, End, Options};
use trackside_engine::model::{Definitions, Gateway, NodeKind};
use trackside_engine::problem::any_error;
use trackside_engine::template::{Compiled, compile};
use trackside_engine::validate::validate;
use trackside_engine::world::{Part, World};
use trackside_engine::xml;

/// More transitions than any model here has.
const STEPS_MAX: u64 = 1_000;

fn read(source: &str) -> Definitions {
    let reading = xml::read(source.as_bytes());
    assert!(!any_error(&reading.problems), "{:?}", reading.problems);
    reading.definitions
}

/// The names of the files in `models/` that end like this.
fn files(ending: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let entries = std::fs::read_dir(folder).expect("the models have a folder");
    let names = entries.map(|entry| {
        entry
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("a plain name")
    });
    names
        .filter_map(|name| name.strip_suffix(ending).map(ToOwned::to_owned))
        .collect()
}

#[test]
fn every_file_is_listed() {
    let names: Vec<&str> = models().iter().map(|model| model.name).collect();
    assert!(names.is_sorted(), "{names:?}");
    assert_eq!(
        names.iter().map(ToString::to_string).collect::<BTreeSet<_>>(),
        files(".bpmn")
    );
    let scripted = models().iter().filter(|model| model.events.is_some());
    assert_eq!(
        scripted.map(|model| model.name.to_owned()).collect::<BTreeSet<_>>(),
        files(".events")
    );
}

#[test]
fn none_has_a_problem() {
    for model in models() {
        let reading = xml::read(model.xml.as_bytes());
        let problems = [reading.problems, validate(&reading.definitions)].concat();
        assert!(problems.is_empty(), "{}: {problems:?}", model.name);
    }
}

/// Ways out are free choices here, so that no model needs data.
#[test]
fn each_runs_to_its_end_and_the_starved_join_gets_stuck() {
    for model in models() {
        let file = read(model.xml);
        let process = file.process(None).expect(model.name);
        let template = compile(&file, process, &Compiled::default()).expect(model.name);
        let mut world = World::new(Options {
            conditions: Conditions::Symbolic,
            refires: Some(3),
            ..Options::default()
        });
        let process = world.add(Arc::new(template));
        let instance = world.start(process, 0, Arc::default());
        let steps = world.run(Part::All, STEPS_MAX);
        assert!(steps < STEPS_MAX, "{} goes on and on", model.name);
        let instance = world.instance(instance);
        match (model.name, instance.end()) {
            ("starved-join", end) => assert!(end.is_none() && !instance.may_hear(), "{end:?}"),
            (_, Some(End::Completed | End::Terminated)) => {}
            (name, end) => panic!("{name}: {end:?}"),
        }
    }
}

#[test]
fn where_there_is_a_diagram_it_shows_every_node_and_flow() {
    for model in models() {
        let file = read(model.xml);
        let Some(diagram) = file.diagrams.first() else { continue };
        let shown: BTreeSet<&str> = diagram.shapes.iter().map(|shape| shape.element.as_str()).collect();
        let drawn: BTreeSet<&str> = diagram.edges.iter().map(|edge| edge.element.as_str()).collect();
        let nodes = file
            .scopes
            .iter()
            .flat_map(|scope| &scope.nodes)
            .map(|node| node.id.as_str());
        let flows = file
            .scopes
            .iter()
            .flat_map(|scope| &scope.flows)
            .map(|flow| flow.id.as_str());
        assert_eq!(shown, nodes.collect(), "{}", model.name);
        assert_eq!(drawn, flows.collect(), "{}", model.name);
    }
}

#[test]
fn the_discriminator_is_written_with_a_triple() {
    let file = read(trackside_corpus::model("discriminator").expect("it is shipped").xml);
    let counts = file
        .scopes
        .iter()
        .flat_map(|scope| &scope.nodes)
        .find_map(|node| match &node.kind {
            NodeKind::Gateway {
                gateway: Gateway::Complex { activations, .. },
                ..
            } => Some(activations.iter().map(|triple| triple.count).collect::<Vec<_>>()),
            _ => None,
        });
    assert_eq!(counts, Some(vec![Some(1)]));
}
