//! The command `generate`, as scripts see it.

#[path = "../common/mod.rs"]
mod common;

use common::{json, run, scratch, stderr, stdout};
use trackside_engine::xml;
use trackside_sim::generate::{Parameters, model};
use trackside_sim::layout::lay_out;

#[test]
fn a_seed_is_a_file_with_a_diagram() {
    let output = run(&["generate", "--seed", "7"]);
    assert_eq!((output.status.code(), &*stderr(&output)), (Some(0), ""));
    let mut expected = model(7, &Parameters::default());
    lay_out(&mut expected);
    assert_eq!(stdout(&output), xml::write(&expected));
    assert!(stdout(&output).contains("<bpmndi:BPMNShape") && stdout(&output).contains("<di:waypoint"));
    assert_ne!(stdout(&run(&["generate", "--seed", "8"])), stdout(&output));
}

#[test]
fn files_validate_and_run() {
    for family in ["block", "acyclic", "cyclic"] {
        for seed in ["1", "2", "3"] {
            let path = scratch(&format!("{family}{seed}.bpmn"), "");
            let path = path.to_str().expect("a plain path");
            let output = run(&[
                "generate", "--seed", seed, "--family", family, "--nodes", "30", "--out", path,
            ]);
            assert_eq!(output.status.code(), Some(0));
            assert!(stdout(&output).starts_with(&format!("{path}: ")), "{}", stdout(&output));
            assert_eq!(run(&["validate", path]).status.code(), Some(0));
            let (code, report) = json(&["run", path, "--conditions", "symbolic", "--steps", "5000"]);
            assert!(code < 2 || code == 3, "{report}");
            if family == "block" {
                assert_eq!(report["end"], "completed", "{path}");
                let over_data = ["run", path, "--var", "a=1", "--var", "b=1", "--var", "c=1"];
                let (_, report) = json(&over_data);
                assert!(
                    matches!(report["end"].as_str(), Some("completed" | "waiting")),
                    "{report}"
                );
            }
        }
    }
}

#[test]
fn a_document_holds_the_model_and_its_options() {
    let arguments = ["generate", "--seed", "5", "--nodes", "12", "--family", "cyclic"];
    let (code, document) = json(&arguments);
    assert_eq!(
        (code, document["version"].as_u64(), document["kind"].as_str()),
        (0, Some(1), Some("generate"))
    );
    assert_eq!(
        document["options"],
        serde_json::json!({"seed": 5, "nodes": 12, "family": "cyclic"})
    );
    assert_eq!(document["bpmn"].as_str(), Some(&*stdout(&run(&arguments))));
    assert_eq!(
        (&document["out"], document["process"].as_str()),
        (&serde_json::Value::Null, Some("process"))
    );
    assert_eq!(document["variables"], serde_json::json!(["a", "b", "c"]));
    let nodes = xml::read(document["bpmn"].as_str().unwrap_or_default().as_bytes()).definitions;
    let nodes: usize = nodes.scopes.iter().map(|scope| scope.nodes.len()).sum();
    assert_eq!(document["nodes"].as_u64(), Some(nodes as u64));
}

#[test]
fn what_can_not_be_done_is_said() {
    let (code, document) = json(&["generate", "--out", "no-such-directory/x.bpmn"]);
    assert_eq!((code, document["kind"].as_str()), (2, Some("generate")));
    assert!(
        document["error"]
            .as_str()
            .is_some_and(|error| error.contains("no-such-directory")),
        "{document}"
    );
    for wrong in [
        &["--nodes", "20001"][..],
        &["--nodes", "-1"],
        &["--family", "round"],
        &["--seed", "x"],
    ] {
        assert_eq!(
            run(&[&["generate"][..], wrong].concat()).status.code(),
            Some(2),
            "{wrong:?}"
        );
    }
}
