//! Expectations: clauses separated by `;`, each of which a run must meet.
//!
//! | clause | means |
//! |---|---|
//! | `completed`, `terminated`, `canceled`, `stuck`, `waiting`, `running`, `unborn` | how it stands |
//! | `faulted KIND`, `faulted KIND NODE`, `faulted error NODE CODE` | it ended with this fault |
//! | `ran A=1 B=2` | how often these nodes let a token go on or ended one |
//! | `only A=1 B=2` | the same, and no other node ever did |
//! | `not A B` | these never did |
//! | `fired J=1` | how often these joins fired |
//! | `at A J.f >g` | all live tokens: at `A`, parked at `J` on flow `f`, in transit on `g`; `at -` for none |
//! | `armed A_m T` | all armed subscriptions; `armed -` for none |
//! | `records Kind=1 Kind@A=0` | how many records of a kind there are, of all nodes or of one |
//! | `missing J.f` | join `J` waits for flow `f`, and nothing can come there any more |
//! | `awaits J.f` | join `J` waits for flow `f`, and something can still come |
//! | `circle J1 J2`, `circle -` | the joins of the vicious circles |
//! | `data x=1` | process data |

use std::collections::{BTreeMap, BTreeSet};

use trackside_engine::NodeId;
use trackside_engine::instance::{End, FaultKind, Phase, Record, Wait};

use crate::kinds;
use crate::run::{Run, Status};
use crate::script::assignment;

/// Fails with the whole story if `expected` is not met.
pub(crate) fn must_hold(run: &Run, expected: &str, place: &str) {
    if let Err(found) = holds(run, expected) {
        let story: Vec<String> = run.log.iter().map(|record| format!("  {record:?}")).collect();
        panic!(
            "at {place}\nexpected {expected}\nfound    {found}\n{}",
            story.join("\n")
        );
    }
}

/// Whether `expected` is met; an error says what was found instead.
pub(crate) fn holds(run: &Run, expected: &str) -> Result<(), String> {
    for part in expected.split(';') {
        let mut words = part.split_whitespace();
        if let Some(head) = words.next() {
            clause(run, head, &words.collect::<Vec<_>>())?;
        }
    }
    Ok(())
}

fn clause(run: &Run, head: &str, words: &[&str]) -> Result<(), String> {
    match head {
        "completed" | "terminated" | "canceled" => same(&Status::Ended(ended(head)), &run.status()),
        "stuck" => same(&Status::Stuck, &run.status()),
        "waiting" => same(&Status::Waiting, &run.status()),
        "running" => same(&Status::Running, &run.status()),
        "unborn" => same(&Status::Unborn, &run.status()),
        "faulted" => faulted(run, words),
        "ran" => counted(words, &runs(run), false),
        "only" => counted(words, &runs(run), true),
        "not" => {
            let runs = runs(run);
            let ran: Vec<_> = words
                .iter()
                .filter(|word| runs.contains_key(known(run, word)))
                .collect();
            same(&Vec::<&&str>::new(), &ran)
        }
        "fired" => counted(words, &firings(run), false),
        "at" => same(&listed(words), &positions(run)),
        "armed" => same(&listed(words), &run.armed().into_iter().map(str::to_owned).collect()),
        "records" => records(run, words),
        "missing" => awaited(run, words, false),
        "awaits" => awaited(run, words, true),
        "circle" => circle(run, words),
        "data" => data(run, words),
        _ => panic!("`{head}` is no clause"),
    }
}

fn same<T: PartialEq + std::fmt::Debug>(expected: &T, found: &T) -> Result<(), String> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{found:?}, not {expected:?}"))
    }
}

fn ended(head: &str) -> &'static str {
    let known = ["completed", "terminated", "canceled"];
    known.into_iter().find(|name| *name == head).expect("a known end")
}

fn known<'r>(run: &'r Run, name: &str) -> &'r str {
    run.name(run.node(name))
}

fn faulted(run: &Run, words: &[&str]) -> Result<(), String> {
    let Some(End::Faulted(fault)) = run.end() else {
        return Err(format!("{:?}", run.end()));
    };
    let kind = match fault.kind {
        FaultKind::Error => "error",
        FaultKind::Technical => "technical",
        FaultKind::NoFlow => "no-flow",
        FaultKind::Expression => "expression",
        FaultKind::ActivationUnsatisfiable => "activation-unsatisfiable",
        FaultKind::ArrivalsExhausted => "arrivals-exhausted",
        FaultKind::TooManyTokens => "tokens",
    };
    let found = [kind, run.name(fault.node), fault.code.as_deref().unwrap_or("-")];
    let expected: Vec<&str> = words.to_vec();
    if found.iter().zip(&expected).all(|(found, expected)| found == expected) && expected.len() <= found.len() {
        Ok(())
    } else {
        Err(format!("faulted {found:?}: {}", fault.message))
    }
}

type Counts = BTreeMap<String, u32>;

fn count(run: &Run, node_of: impl Fn(&Record) -> Option<NodeId>) -> Counts {
    let mut counts = Counts::new();
    for node in run.log.iter().filter_map(node_of) {
        *counts.entry(run.name(node).to_owned()).or_default() += 1;
    }
    counts
}

pub(crate) fn runs(run: &Run) -> Counts {
    count(run, |record| match record {
        Record::Stepped { node, .. } => Some(*node),
        _ => None,
    })
}

fn firings(run: &Run) -> Counts {
    count(run, |record| match record {
        Record::JoinFired { node, .. } => Some(*node),
        _ => None,
    })
}

fn counted(words: &[&str], found: &Counts, only: bool) -> Result<(), String> {
    let mut expected = Counts::new();
    for word in words {
        let (name, n) = word.split_once('=').expect("name=count");
        expected.insert(name.to_owned(), n.parse().expect("a count"));
    }
    let differs = expected
        .iter()
        .any(|(name, n)| found.get(name).copied().unwrap_or(0) != *n);
    let more = only && found.keys().any(|name| !expected.contains_key(name));
    if differs || more {
        Err(format!("{found:?}"))
    } else {
        Ok(())
    }
}

fn listed(words: &[&str]) -> Vec<String> {
    let mut list: Vec<String> = words
        .iter()
        .filter(|word| **word != "-")
        .map(|&word| word.to_owned())
        .collect();
    list.sort_unstable();
    list
}

fn positions(run: &Run) -> Vec<String> {
    let place = |track: trackside_engine::instance::TrackView| {
        let node = run.name(track.node).to_owned();
        let flow = track.flow.map_or("", |flow| run.template().flow(flow).id.as_str());
        match track.phase {
            Phase::InTransit => format!(">{flow}"),
            Phase::AwaitingMerge | Phase::AwaitSync => format!("{node}.{flow}"),
            _ => node,
        }
    };
    let mut places: Vec<String> = run.tracks().into_iter().map(place).collect();
    places.sort_unstable();
    places
}

fn records(run: &Run, words: &[&str]) -> Result<(), String> {
    for word in words {
        let (filter, n) = word.split_once('=').expect("Kind=count");
        let (kind, node) = filter
            .split_once('@')
            .map_or((filter, None), |(kind, node)| (kind, Some(node)));
        let (kind, node) = (kinds::known(kind), node.map(|node| run.node(node)));
        let of_kind = run.log.iter().filter(|record| kinds::name(record) == kind);
        let found = of_kind
            .filter(|record| node.is_none() || kinds::node(record) == node)
            .count();
        if found != n.parse::<usize>().expect("a count") {
            return Err(format!("{found} of {filter}"));
        }
    }
    Ok(())
}

fn awaited(run: &Run, words: &[&str], can_come: bool) -> Result<(), String> {
    let mut found = BTreeSet::new();
    for wait in run.waits() {
        let Wait::Join { node, missing, .. } = wait else {
            continue;
        };
        let missing = missing
            .into_iter()
            .filter(|missing| missing.from.is_empty() != can_come);
        found.extend(missing.map(|m| format!("{}.{}", run.name(node), run.template().flow(m.flow).id)));
    }
    same(&words.iter().map(|&word| word.to_owned()).collect(), &found)
}

fn circle(run: &Run, words: &[&str]) -> Result<(), String> {
    let mut found = BTreeSet::new();
    for wait in run.waits() {
        if let Wait::Join { circle, .. } = wait {
            found.extend(circle.into_iter().map(|node| run.name(node).to_owned()));
        }
    }
    same(&listed(words).into_iter().collect(), &found)
}

fn data(run: &Run, words: &[&str]) -> Result<(), String> {
    let id = run.id.expect("the instance is born");
    for word in words {
        let (name, value) = assignment(word).expect("name=value");
        let found = run.world.instance(id).data().get(&name);
        if found != Some(&value) {
            return Err(format!("{name} is {found:?}"));
        }
    }
    Ok(())
}
