//! What the reader makes of files: every family of elements, and every rule by which it complains.

mod elements;
mod problems;

use trackside_engine::xml::{self, Reading};

const BPMN: &str = "http://www.omg.org/spec/BPMN/20100524/MODEL";

/// A file with `inside` in its definitions; positions start in line 2.
fn file(inside: &str) -> String {
    format!(
        "<definitions xmlns=\"{BPMN}\" xmlns:b=\"{BPMN}\" xmlns:tns=\"urn:t\" xmlns:v=\"urn:vendor\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:trackside=\"urn:trackside:bpmn:1\" \
         xmlns:bpmndi=\"http://www.omg.org/spec/BPMN/20100524/DI\" \
         xmlns:dc=\"http://www.omg.org/spec/DD/20100524/DC\" xmlns:di=\"http://www.omg.org/spec/DD/20100524/DI\">\n\
         {inside}</definitions>"
    )
}

fn in_process(inside: &str) -> String {
    file(&format!("<process id=\"p\">{inside}</process>"))
}

/// Reads a file that has nothing wrong with it.
fn clean(source: &str) -> Reading {
    let reading = xml::read(source.as_bytes());
    assert_eq!(reading.problems, [], "{source}");
    reading
}
