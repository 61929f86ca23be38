//! The command line as scripts see it: exit codes, documents, places.

mod common;

use std::process::Stdio;

use common::{json, run, scratch, stderr, stdout, trackside};
use serde_json::Value;

const NOTICE: &str = "corpus/models/notice.bpmn";
const TIMEOUT: &str = "corpus/models/timeout.bpmn";
const ORDER: &str = "corpus/models/order.bpmn";
const STARVED: &str = "corpus/models/starved-join.bpmn";

fn code(arguments: &[&str]) -> i32 {
    run(arguments).status.code().expect("the binary is not killed")
}

fn strings(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

#[test]
fn exit_codes_say_how_it_went() {
    let bad = scratch("codes.bpmn", "<definitions/>");
    let bad = bad.to_str().expect("a plain path");
    for (arguments, expected) in [
        (&["run", NOTICE, "--var", "urgency=2"][..], 0),
        (&["validate", NOTICE, TIMEOUT, ORDER][..], 0),
        (&["run", STARVED][..], 1),
        (&["run", NOTICE][..], 1),
        (&["run", "no-such-file.bpmn"][..], 2),
        (&["run", bad][..], 2),
        (&["validate", bad][..], 2),
        (&["validate", NOTICE, "no-such-file.bpmn"][..], 2),
        (&["run", NOTICE, "--process", "another"][..], 2),
        (&["run", NOTICE, "--var", "urgency=high"][..], 2),
        (&["run", NOTICE, "--or-join", "perhaps"][..], 2),
        (&["run", NOTICE, "--steps", "0"][..], 2),
        (&["run", TIMEOUT, "--set-timer", "answer=PT1H"][..], 2),
        (&["run", TIMEOUT, "--set-timer", "too-late=1h"][..], 2),
        (&["run", TIMEOUT, "--events", "no-such-file"][..], 2),
        (&["run", TIMEOUT, "--trace", "no-such-directory/trace"][..], 2),
        (&["run"][..], 2),
        (&["dance"][..], 2),
        (&["replay", "ts9:f=x"][..], 2),
        (&["replay", "ts1:f=x"][..], 2),
        (&["replay", "nowhere"][..], 2),
        (&["run", NOTICE, "--var", "urgency=2", "--steps", "5"][..], 3),
        (&["--help"][..], 0),
        (&["--version"][..], 0),
    ] {
        assert_eq!(code(arguments), expected, "{arguments:?}");
    }
}

#[test]
fn a_run_is_one_document() {
    let (code, run) = json(&[
        "run",
        ORDER,
        "--seed",
        "4",
        "--var",
        "weight=40",
        "--or-join",
        "conservative",
    ]);
    assert_eq!((run["version"].as_u64(), run["kind"].as_str()), (Some(1), Some("run")));
    for key in [
        "end",
        "fault",
        "incident",
        "waiting",
        "undelivered",
        "steps",
        "executed",
        "fired",
        "tracks",
        "token",
        "trace_hash",
        "others",
        "options",
        "file",
        "process",
    ] {
        assert!(run.get(key).is_some(), "{key}");
    }
    let options = &run["options"];
    assert_eq!(
        (options["seed"].as_u64(), options["or_join"].as_str()),
        (Some(4), Some("conservative"))
    );
    assert_eq!(
        (options["grain"].as_str(), options["steps"].as_u64()),
        (Some("protocol"), Some(1_000_000))
    );
    assert_eq!(
        (options["refires"].as_u64(), options["var.weight"].as_u64()),
        (Some(3), Some(40))
    );
    assert_eq!(options["env"], serde_json::json!([]));
    let track = &run["tracks"][0];
    for key in ["id", "parent", "merged_into", "state", "path"] {
        assert!(track.get(key).is_some(), "{key}");
    }
    assert_eq!(code, 0);
}

#[test]
fn a_script_decides_what_happens_from_outside() {
    let events = scratch(
        "late.events",
        "advance PT2H\ncomplete answer reply=\"secret\"\ncomplete escalate\nmessage hello\n",
    );
    let events = events.to_str().expect("a plain path");
    let trace = scratch("late.trace", "");
    let trace = trace.to_str().expect("a plain path");
    let (code, run) = json(&["run", TIMEOUT, "--events", events, "--trace", trace]);
    assert_eq!((code, run["end"].as_str()), (0, Some("completed")));
    assert_eq!(
        run["executed"],
        serde_json::json!({"start": 1, "too-late": 1, "escalate": 1, "escalated": 1})
    );
    assert_eq!(run["undelivered"][0]["name"], "hello");
    assert_eq!(run["undelivered"][0]["line"], 4);
    assert_eq!(
        strings(&run["tracks"][1]["path"]),
        ["too-late", "escalate", "escalated"]
    );
    let lines = std::fs::read_to_string(trace).expect("the trace was written");
    let kinds: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"))
        .inspect(|line| {
            assert_eq!(
                (line["version"].as_u64(), line["kind"].as_str()),
                (Some(1), Some("record"))
            );
        })
        .map(|line| line["record"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert!(kinds.iter().any(|kind| kind == "discarded"));
    // BND-9.
    assert!(
        !lines.contains("secret") && !lines.contains("reply"),
        "a discarded answer leaves no data"
    );
}

#[test]
fn a_token_replays_from_the_command_line_and_from_files() {
    let (_, run) = json(&["run", ORDER, "--seed", "2", "--var", "weight=3"]);
    let token = run["token"].as_str().expect("a token");
    let file = scratch("order.token", &format!("# found\n{token}\n"));
    let document = scratch("order.json", &run.to_string());
    for from in [
        token,
        file.to_str().expect("a plain path"),
        document.to_str().expect("a plain path"),
    ] {
        let (_, again) = json(&["replay", from]);
        assert_eq!(again["kind"], "replay");
        for key in ["trace_hash", "token", "end", "executed", "tracks", "steps"] {
            assert_eq!(again[key], run[key], "{key}");
        }
    }
}

#[test]
fn a_token_whose_model_has_moved_needs_to_be_told_where() {
    let text = std::fs::read_to_string(common::root().join(STARVED)).expect("the model is there");
    let here = scratch("here.bpmn", &text);
    let there = scratch("there.bpmn", &text);
    let (_, run) = json(&["run", here.to_str().expect("a plain path")]);
    std::fs::remove_file(&here).expect("it can be removed");
    let token = run["token"].as_str().expect("a token");
    let missing = common::run(&["replay", token]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("--model FILE"), "{}", stderr(&missing));
    let (code, again) = json(&["replay", token, "--model", there.to_str().expect("a plain path")]);
    assert_eq!(
        (code, &again["trace_hash"], &again["token"]),
        (1, &run["trace_hash"], &run["token"])
    );
    let other = common::run(&["replay", token, "--model", ORDER]);
    assert_eq!(other.status.code(), Some(2));
    assert!(
        stderr(&other).contains("the model is not the one of the token"),
        "{}",
        stderr(&other)
    );
}

#[test]
fn every_fault_of_a_script_is_reported_with_its_place() {
    let events = scratch("bad.events", "complete\nadvance 1h\n\n# fine\n  dance\nset a=b\n");
    let path = events.to_str().expect("a plain path");
    let output = run(&["run", TIMEOUT, "--events", path]);
    assert_eq!(output.status.code(), Some(2));
    for place in [":1:9: ", ":2:9: ", ":5:3: ", ":6:7: "] {
        assert!(
            stderr(&output).contains(&format!("{path}{place}")),
            "{place}\n{}",
            stderr(&output)
        );
    }
    let events = scratch("stranger.events", "complete nobody\n");
    let output = run(&["run", TIMEOUT, "--events", events.to_str().expect("a plain path")]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("warning: the model has no node `nobody`"));
}

#[test]
fn problems_have_places_rules_and_hints() {
    let text = std::fs::read_to_string(common::root().join(STARVED)).expect("the model is there");
    let broken = scratch(
        "broken.bpmn",
        &text.replace("targetRef=\"end\"", "targetRef=\"nowhere\""),
    );
    let path = broken.to_str().expect("a plain path");
    let (code, document) = json(&["validate", path]);
    assert_eq!((code, document["kind"].as_str()), (2, Some("validate")));
    let problem = &document["problems"][0];
    for key in [
        "severity", "file", "line", "column", "element", "rule", "message", "hint",
    ] {
        assert!(problem.get(key).is_some(), "{key}");
    }
    let human = stdout(&run(&["validate", path]));
    for problem in document["problems"].as_array().into_iter().flatten() {
        let severity = problem["severity"].as_str().expect("a name");
        let rule = problem["rule"].as_str().expect("a name");
        let place = format!("{path}:{}:{}: {severity}[{rule}]", problem["line"], problem["column"]);
        assert!(human.contains(&place), "{place}\n{human}");
    }
    let (code, refused) = json(&["run", path]);
    assert_eq!(
        (code, &refused["end"], &refused["problems"]),
        (2, &Value::Null, &document["problems"])
    );
    // A file that can't be read does not hide the problems of the others.
    let (code, both) = json(&["validate", "no-such-file.bpmn", path]);
    let files: Vec<_> = both["problems"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|p| p["file"].clone())
        .collect();
    assert_eq!(
        (code, files[0].as_str(), files.last().and_then(Value::as_str)),
        (2, Some("no-such-file.bpmn"), Some(path))
    );
}

#[test]
fn failures_are_documents_too() {
    for arguments in [
        &["run", "no-such-file.bpmn"][..],
        &["replay", "nowhere"][..],
        &["run", ORDER, "--process", "x"][..],
    ] {
        let (code, document) = json(arguments);
        assert_eq!((code, document["version"].as_u64()), (2, Some(1)), "{arguments:?}");
        assert!(document["error"].is_string(), "{document}");
    }
}

#[test]
fn faults_can_be_redacted() {
    let arguments = [
        "run",
        "corpus/models/notice.bpmn",
        "--var",
        "urgency=\"confidential\"",
    ];
    let (code, run) = json(&arguments);
    assert_eq!((code, run["fault"]["kind"].as_str()), (1, Some("expression")));
    assert!(
        run["fault"]["values"]
            .as_str()
            .is_some_and(|values| values.contains("confidential"))
    );
    let (_, run) = json(&[&arguments[..], &["--redact"]].concat());
    assert_eq!(run["fault"]["values"], "");
    assert_eq!(run["options"]["var.urgency"], "redacted");
    let human = common::run(&[&arguments[..], &["--redact"]].concat());
    let story = stdout(&human);
    let story = story.split("trackside replay").next().expect("there is a first part");
    assert!(!story.contains("confidential"), "{story}");
}

#[test]
fn timers_can_be_overridden() {
    let events = scratch("short.events", "advance PT10S\n");
    let events = events.to_str().expect("a plain path");
    let (_, run) = json(&["run", TIMEOUT, "--events", events]);
    assert_eq!(run["executed"]["too-late"], Value::Null);
    let (_, run) = json(&["run", TIMEOUT, "--events", events, "--set-timer", "too-late=PT10S"]);
    assert_eq!(run["executed"]["too-late"], 1);
}

#[test]
fn a_reader_that_goes_away_is_no_defect() {
    let mut child = trackside(&["run", NOTICE, "--var", "urgency=2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

#[test]
fn stdout_is_plain_where_it_is_no_terminal() {
    let output = run(&["run", STARVED]);
    assert!(!stdout(&output).contains('\x1b'));
}
