//! Every case that was stored once is played again, under the judges: the schedule is still possible, and breaks no rule.
//! A case of a planted fault still breaks the same invariant when the fault is planted, and none when it is not.
//!
//! A case stays valid when engine or settings move on: its fingerprints of these say what it was made with, and are not
//! compared. That of the model is, because a file that was changed is another case.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trackside_engine::planted::Fault;
use trackside_engine::template::{Birth, Compiled, Template, compile};
use trackside_engine::world::{Part, World};
use trackside_sim::oracle::laws::{Trace, same_trace};
use trackside_sim::oracle::{Deed, Panel, Violation};
use trackside_sim::run::Settings;
use trackside_sim::schedule::{Deviation, Divergence, Replay, Strategy};
use trackside_sim::shrink::store::{Case, Store};
use trackside_sim::source::Source;
use trackside_sim::token::Plan;

const FOLDERS: [&str; 2] = ["proptest-regressions", PLANTED];
const PLANTED: &str = "proptest-regressions/planted";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn cases(folder: &str) -> Vec<Case> {
    Store::new(root(), folder).cases().expect("the cases can be read")
}

/// What came of playing a case.
struct Played {
    violation: Option<Violation>,
    divergence: Option<Divergence>,
    trace: Trace,
}

/// Plays a case with this schedule under the judges, up to the first violation.
fn play(case: &Case, settings: &Settings, schedule: &[Deviation]) -> Played {
    let source = Store::new(root(), FOLDERS[0])
        .source(case)
        .expect("its model can be read");
    assert!(!source.has_errors(), "{}: {:?}", case.name, source.problems);
    let fingerprint = &case.token.fingerprints.model;
    assert_eq!(&source.fingerprint.hex(), fingerprint, "{}: another model", case.name);
    let (template, process, compiled) = template(&source, case, settings);
    let options = settings.engine_options(false);
    let mut panel = Panel::new(&source.definitions, process, &compiled, &options);
    let birth = way(&template, case.token.birth.as_deref()).expect("it can begin there");
    let mut world = World::new(options);
    world.add(template);
    let instance = world.start(0, birth, Arc::new(settings.variables.clone()));
    let mut replay = Replay::strict(schedule.iter().cloned());
    let (mut deed, mut trace) = (Deed::Start(birth), Trace::default());
    let violation = loop {
        trace.note(&world);
        if let Err(violation) = panel.observe(&world, instance, deed) {
            break Some(violation);
        }
        if world.transitions() >= settings.steps_max {
            break None;
        }
        let Some(action) = replay.choose(&world, Part::All) else {
            break None;
        };
        deed = Deed::of(&world, action);
        world.apply(action).expect("what is chosen is enabled");
    };
    Played {
        violation,
        divergence: replay.divergence(),
        trace,
    }
}

fn template(source: &Source, case: &Case, settings: &Settings) -> (Arc<Template>, usize, Compiled) {
    let file = &source.definitions;
    let at = file.processes.iter().position(|of| of.id == case.token.process);
    let at = at.expect("the process is there");
    let compiled = Compiled {
        timers: settings.timers.clone(),
        ..Compiled::default()
    };
    let template = compile(file, &file.processes[at], &compiled).expect("it compiles");
    (Arc::new(template), at, compiled)
}

/// The way to begin at this element; else the first that waits for nothing, else the first.
fn way(template: &Template, element: Option<&str>) -> Option<usize> {
    let births = template.births();
    if let Some(id) = element {
        let at = |arm: trackside_engine::NodeId| template.node(arm).id == id;
        return births.iter().position(|birth| birth.arm.some().is_some_and(at));
    }
    let plain = |birth: &Birth| birth.node.is_none() || template.awaits(birth.arm).is_none();
    births.iter().position(plain).or((!births.is_empty()).then_some(0))
}

fn schedule(case: &Case) -> &[Deviation] {
    match &case.token.schedule {
        Plan::Deviations(deviations) => deviations,
        Plan::Seeded(..) => panic!("{}: a stored schedule names its deviations", case.name),
    }
}

#[test]
fn no_stored_case_breaks_a_rule() {
    let cases = cases(FOLDERS[0]);
    assert!(cases.len() >= 3, "{} cases", cases.len());
    for case in cases {
        let played = play(&case, &case.token.settings, schedule(&case));
        assert_eq!(played.violation, None, "{}: {}", case.name, case.message);
        assert_eq!(played.divergence, None, "{}: {}", case.name, case.message);
    }
}

#[test]
fn every_planted_fault_has_a_small_case_that_still_shows_it() {
    let cases = cases(PLANTED);
    let planted: BTreeSet<_> = cases.iter().filter_map(|case| case.plant.clone()).collect();
    let all: BTreeSet<_> = Fault::ALL.iter().map(|fault| fault.name().to_owned()).collect();
    assert_eq!(planted, all);
    for case in &cases {
        let settings = &case.token.settings;
        assert_eq!(settings.plant(), case.plant.as_deref(), "{}", case.name);
        let source = Store::new(root(), PLANTED).source(case).expect("its model can be read");
        let nodes: usize = source.definitions.scopes.iter().map(|scope| scope.nodes.len()).sum();
        assert!(nodes <= 8, "{}: {nodes} nodes", case.name);
        let found = (0..20).find_map(|_| shows(case, settings));
        assert_eq!(
            found.as_deref(),
            Some(case.invariant.as_str()),
            "{}: {}",
            case.name,
            case.message
        );
    }
}

#[test]
fn no_planted_case_shows_anything_without_its_fault() {
    for case in cases(PLANTED) {
        let mut settings = case.token.settings.clone();
        settings.options.plant = None;
        assert_eq!(shows(&case, &settings), None, "{}", case.name);
    }
}

/// The invariant that a case breaks: by the panel, else because it does not play alike twice.
fn shows(case: &Case, settings: &Settings) -> Option<String> {
    let run = || play(case, settings, schedule(case));
    let (one, other) = (run(), run());
    let lawless = same_trace(&one.trace, &other.trace).err();
    let violation = one.violation.or(other.violation).or(lawless);
    violation.map(|violation| violation.invariant.to_owned())
}

#[test]
fn a_schedule_that_is_not_possible_any_more_is_told() {
    for case in cases(FOLDERS[0]) {
        let mut other = schedule(&case).to_vec();
        let Some(first) = other.first_mut() else { continue };
        first.node = Some("Nowhere".to_owned());
        let told = play(&case, &case.token.settings, &other).divergence;
        assert!(
            matches!(told, Some(Divergence::Impossible(_))),
            "{}: {told:?}",
            case.name
        );
    }
}

/// Every model has its case, and the other way round.
#[test]
fn nothing_in_the_folders_is_half_a_case() {
    for folder in FOLDERS {
        for entry in std::fs::read_dir(root().join(folder)).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            let other = match path.extension().and_then(|extension| extension.to_str()) {
                Some("bpmn") => path.with_extension("case"),
                Some("case") => path.with_extension("bpmn"),
                _ => continue,
            };
            assert!(other.exists(), "{} is missing", other.display());
        }
    }
}
