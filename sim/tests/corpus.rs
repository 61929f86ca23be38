//! The scripts that are shipped with the models tell the stories that they promise.

mod common;

use serde_json::{Value, json};
use trackside_corpus::models;
use trackside_sim::run::{Report, RunEnd, Script, Simulation};
use trackside_sim::source::Source;

/// What must come of each script: nodes that tell the story, with how often they are executed.
fn stories() -> Value {
    json!({
        "cancel-order": {"pick": 1, "pack": null, "sent": null, "canceled": 1, "refund": 1, "undone": 1},
        "discriminator": {"north": 1, "east": 1, "south": 1, "first": 1, "deliver": 1, "delivered": 1},
        "error-path": {"declined": 1, "paid": null, "pay": null, "not-paid": 1, "call-customer": 1, "ship": null},
        "escalation": {"too-much": 1, "settle": 1, "settled": 1, "inform": 1, "informed": 1},
        "first-answer": {"offered": 1, "two-days": null, "decide": 1, "give-up": null},
        "order": {"payment": 1, "week": null, "sold-out": null, "truck": 1, "parcel": null, "sent": 1},
        "reminder": {"every-hour": 2, "remind": 2, "review": 1, "reviewed": 1},
        "timeout": {"answer": null, "too-late": 1, "escalate": 1, "escalated": 1},
    })
}

fn run(name: &str, xml: &str, script: &str, seed: u64) -> Report {
    let source = Source::of_bytes(&format!("{name}.bpmn"), xml.as_bytes());
    let script = Script::parse(script).expect(name);
    Simulation::of(&source).seed(seed).script(script).run().expect(name)
}

/// Whatever the seed: the scripts leave nothing open that would change the story.
#[test]
fn every_script_tells_its_story_under_every_seed() {
    const SEEDS: u64 = 20;
    let stories = stories();
    let mut told = 0;
    for model in models() {
        let Some(events) = model.events else { continue };
        told += 1;
        for seed in 0..SEEDS {
            let main = run(model.name, model.xml, events, seed).main;
            assert_eq!(main.end, Some(RunEnd::Completed), "{} {seed}", model.name);
            assert!(main.undelivered.is_empty(), "{}: {:?}", model.name, main.undelivered);
            let story = stories[model.name].as_object().expect(model.name);
            for (node, count) in story {
                let found = main.executed.get(node).copied();
                assert_eq!(found, count.as_u64(), "{} {seed}: {node}", model.name);
            }
        }
    }
    assert_eq!(
        told,
        stories.as_object().map_or(0, serde_json::Map::len),
        "each story has a script"
    );
}

#[test]
fn the_pages_name_every_script() {
    let pages = ["README.md", "docs/commands.md"].map(|page| {
        let path = common::root().join(page);
        std::fs::read_to_string(&path).expect(page)
    });
    for model in models().iter().filter(|model| model.events.is_some()) {
        let name = format!("--events corpus/models/{}.events", model.name);
        assert!(pages.iter().any(|page| page.contains(&name)), "{name}");
    }
}
