//! Embeds the engine alone: reads a BPMN file, compiles its first process, and drives it with a policy of its own.
//!
//! `cargo run -p trackside-engine --example embed [FILE]`
//!
//! The engine does no I/O and makes no choice. This driver's policy: what happens inside comes first, oldest first; then
//! external work, which always ends well; then whatever else the outside may do, as long as it lasts.

use std::process::ExitCode;
use std::sync::Arc;

use trackside_engine::instance::{Options, Record};
use trackside_engine::problem::any_error;
use trackside_engine::template::{Compiled, Template, compile};
use trackside_engine::world::{Action, Class, Part, World};
use trackside_engine::xml;

const MODEL: &str = r#"<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL">
  <process id="breakfast">
    <startEvent id="wake-up"/>
    <parallelGateway id="fork"/>
    <userTask id="brew"/>
    <userTask id="toast"/>
    <parallelGateway id="join"/>
    <endEvent id="eat"/>
    <sequenceFlow id="f1" sourceRef="wake-up" targetRef="fork"/>
    <sequenceFlow id="f2" sourceRef="fork" targetRef="brew"/>
    <sequenceFlow id="f3" sourceRef="fork" targetRef="toast"/>
    <sequenceFlow id="f4" sourceRef="brew" targetRef="join"/>
    <sequenceFlow id="f5" sourceRef="toast" targetRef="join"/>
    <sequenceFlow id="f6" sourceRef="join" targetRef="eat"/>
  </process>
</definitions>"#;

/// The most transitions of this driver: a model may go round in circles.
const STEPS_MAX: u32 = 10_000;

fn main() -> ExitCode {
    let outcome = match std::env::args().nth(1) {
        Some(path) => std::fs::read(&path)
            .map_err(|error| format!("{path}: {error}"))
            .and_then(|bytes| drive(&bytes)),
        None => drive(MODEL.as_bytes()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn drive(bytes: &[u8]) -> Result<(), String> {
    let template = Arc::new(understand(bytes)?);
    let mut world = World::new(Options::default());
    let process = world.add(Arc::clone(&template));
    let instance = world.start(process, 0, Arc::default());
    for _ in 0..STEPS_MAX {
        let Some(action) = next(&world) else { break };
        let records = world.apply(action).map_err(|error| error.to_string())?;
        for (_, record) in records {
            if let Record::Stepped { track, node } = record {
                println!("track {track} executed {}", template.node(*node).id);
            }
        }
    }
    match world.instance(instance).end() {
        Some(end) => println!("the instance has ended: {end:?}"),
        None => println!("the instance waits: {:?}", world.instance(instance).waits()),
    }
    Ok(())
}

/// From bytes to what can be executed; all problems at once.
fn understand(bytes: &[u8]) -> Result<Template, String> {
    let reading = xml::read(bytes);
    let say = |problems: &[trackside_engine::problem::Problem]| {
        let lines = problems
            .iter()
            .map(|p| format!("{}:{}: {} [{}]", p.at.line, p.at.column, p.message, p.rule));
        lines.collect::<Vec<_>>().join("\n")
    };
    if any_error(&reading.problems) {
        return Err(say(&reading.problems));
    }
    let process = reading.definitions.process(None).ok_or("the file holds no process")?;
    compile(&reading.definitions, process, &Compiled::default()).map_err(|problems| say(&problems))
}

/// The policy.
fn next(world: &World) -> Option<Action> {
    let work = || {
        let actions = world.enabled(Part::All);
        actions.into_iter().find(|action| action.class() == Class::Completion)
    };
    world
        .oldest(Part::Inside)
        .or_else(work)
        .or_else(|| world.oldest(Part::All))
}
