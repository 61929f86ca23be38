//! `trackside fuzz` as people and programs see it.

use crate::common::{json, run, scratch, stderr, stdout};

#[test]
fn a_clean_campaign_says_what_it_means() {
    let output = run(&["fuzz", "--seed", "1", "--seeds", "64"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for part in [
        "128 schedules of 64 models (seeds 1 to 64)",
        "one instance, from each of its starts in turn",
        "under one seed in four also",
        "race_pairs",
        "no invariant was broken: with 95 % confidence",
        "under fewer than",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn the_document_is_that_of_the_contract() {
    let (code, document) = json(&["fuzz", "--seeds", "64", "--jobs", "1"]);
    assert_eq!(
        (code, &document["version"], &document["kind"]),
        (0, &1.into(), &"fuzz".into())
    );
    for field in ["seeds", "schedules", "models", "actions", "elapsed_ms"] {
        assert!(document[field].is_u64(), "{field}: {}", document[field]);
    }
    assert_eq!(document["violations"], serde_json::json!([]));
    let pairs = &document["covered"]["race_pairs"];
    let hit = pairs["hit"].as_u64().expect("a number");
    let missing = pairs["missing"].as_array().expect("a list").len() as u64;
    assert_eq!(pairs["total"], hit + missing);
    assert!(document["covered"]["gateways"]["total"].is_u64());
}

#[test]
fn planted_faults_are_in_the_document() {
    let out = concat!(env!("CARGO_TARGET_TMPDIR"), "/planted");
    let (code, document) = json(&["fuzz", "--plant", "two-arms-win", "--seed", "1", "--out", out]);
    assert_eq!(code, 0);
    let planted = &document["planted"][0];
    assert_eq!(
        (&planted["fault"], &planted["found"]),
        (&"two-arms-win".into(), &true.into())
    );
    assert!(planted["schedules"].as_u64() > Some(0) && planted["nodes"].as_u64() <= Some(8));
    assert!(planted["by"].is_string() && planted["deviations"].is_u64());
    assert!(planted["token"].as_str().is_some_and(|token| token.starts_with("ts1:")));
}

#[test]
fn a_fault_that_is_not_found_is_a_finding() {
    let output = run(&["fuzz", "--plant", "late-result-taken", "--env", "none", "--seeds", "20"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stdout(&output).contains("not found"));
}

#[test]
fn assumptions_are_those_of_the_options() {
    let options = ["--env", "none", "--refires", "1", "--redact", "--var", "x=1"];
    let (_, document) = json(&[&["fuzz", "--seeds", "2"], &options[..]].concat());
    let assumed = document["assumptions"].to_string();
    assert!(
        assumed.contains("no technical failure") && assumed.contains("at most 1 times"),
        "{assumed}"
    );
    assert!(document["options"]["var.x"].is_null(), "it is redacted");
    assert!(document["laws"]["V11"].is_u64() && document["statistics"]["share"].is_f64());
}

#[test]
fn findings_that_cannot_be_written_are_no_result() {
    let file = scratch("unwritable", "");
    let out = format!("{}/in-it", file.display());
    let output = run(&["fuzz", "--plant", "two-arms-win", "--seed", "1", "--out", &out]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("a finding can't be written"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    for arguments in [
        &["fuzz", "nowhere.bpmn"][..],
        &["fuzz", "--time", "soon"],
        &["fuzz", "--strategy", "luck"],
        &["fuzz", "--plant", "nothing"],
        &["fuzz", "--seeds", "1", "--nodes", "0"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!stderr(&output).is_empty(), "{arguments:?}");
    }
}
