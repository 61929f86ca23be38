//! What the tests of this crate share: the binary, run in the root of the repository, and models in a line.

#![allow(dead_code, reason = "not every test file needs everything")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use trackside_engine::model::notation;
use trackside_sim::run::{Report, Script, Simulation};
use trackside_sim::source::Source;

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The binary, to be run in the root of the repository.
pub(crate) fn trackside(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trackside"));
    command.args(arguments).current_dir(root()).env_remove("NO_COLOR");
    command
}

/// Runs the binary to its end.
pub(crate) fn run(arguments: &[&str]) -> Output {
    trackside(arguments).output().expect("the binary runs")
}

/// What it wrote to stdout.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the binary writes text")
}

/// What it wrote to stderr.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("the binary writes text")
}

/// Runs the binary with `--format json`; gives its code and its one document.
pub(crate) fn json(arguments: &[&str]) -> (i32, Value) {
    let output = run(&[arguments, &["--format", "json"]].concat());
    let document = serde_json::from_str(&stdout(&output)).expect("stdout is one JSON document");
    (output.status.code().expect("the binary is not killed"), document)
}

/// A file of this test run alone.
pub(crate) fn scratch(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the scratch directory can be written to");
    path
}

/// A model in the engine's notation.
pub(crate) fn model(text: &str) -> Source {
    Source::of_model("p.bpmn", &notation::parse(text).expect("the notation is right"))
}

/// One run of a model under a script.
pub(crate) fn scripted(text: &str, script: &str) -> Report {
    let source = model(text);
    let script = Script::parse(script).expect("the script is right");
    Simulation::of(&source).script(script).run().expect("the model runs")
}
