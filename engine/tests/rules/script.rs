//! Scripts: what the outside does, in a line, with expectations in between.
//!
//! A script is `setup | entries`, or entries alone. After each entry the instance settles, first in, first out, unless
//! the setup says `@hold`.
//!
//! | setup | means |
//! |---|---|
//! | `x=1` | process data at the start |
//! | `start:N` | the birth whose event is node `N`; without it the first one |
//! | `@unborn` | no instance yet: an event is to create it |
//! | `at:N`, `on:f` | a token at node `N`, or in transit on flow `f`, instead of a start |
//! | `timer:N=V` | a timer value that stands in for the model's |
//! | `external:N` | node `N` is external work |
//! | `@protocol`, `@atomic` | this grain only (both are run otherwise) |
//! | `@hold` | nothing settles by itself; implies `@protocol` |
//! | `@conservative`, `@standard-reset`, `@symbolic`, `@untimed`, `@late`, `@failures`, `@cancel`, `@redact`, `@refires:N` | options |
//!
//! | entry | means |
//! |---|---|
//! | `A`, `A#2` | external work at `A` ends well; of several, the second |
//! | `A(x=1 y=2)`, `A(err)`, `A(!text)` | with data; with a BPMN error; with a technical failure |
//! | `late:A` | the last work at `A` that is not running any more answers |
//! | `m!`, `m!(x=1)`, `m!#2` | a message; with a payload; to the second of its possible receivers |
//! | `sig:s` | a signal |
//! | `x=1` | process data change |
//! | `+PT1H` | time passes, due timers fire |
//! | `:clock` | time jumps to the next due timer, nothing fires |
//! | `fire:N` | the armed event `N` fires |
//! | `step:N`, `arrive:f`, `arrive:f#2` | one step at `N`; one arrival on flow `f` |
//! | `:settle`, `:cancel` | settles; cancels the instance |
//! | `[…]` | an expectation ([`super::expect`]) |

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use trackside_engine::expr::Data;
use trackside_engine::instance::{Activation, ComplexReset, Conditions, Grain, Mark, Options, OrJoin, Outcome};
use trackside_engine::template::Compiled;
use trackside_engine::time;
use trackside_engine::world::{Answer, Class, Delivery, Part};

use crate::expect;
use crate::run::Run;

/// What stands before the `|`.
#[derive(Clone, Default)]
pub(crate) struct Setup {
    pub(crate) options: Options,
    pub(crate) settings: Compiled,
    pub(crate) grains: Vec<Grain>,
    pub(crate) data: BTreeMap<String, Value>,
    start: Option<String>,
    marking: Vec<String>,
    unborn: bool,
    pub(crate) hold: bool,
}

/// Splits at white space outside of brackets.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let (mut words, mut depth, mut from) = (Vec::new(), 0u32, None);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1).expect("brackets match"),
            _ => {}
        }
        if c.is_whitespace() && depth == 0 {
            words.extend(from.take().map(|from| &text[from..at]));
        } else {
            from.get_or_insert(at);
        }
    }
    assert_eq!(depth, 0, "brackets match in `{text}`");
    words.extend(from.map(|from| &text[from..]));
    words
}

/// Setup and entries.
pub(crate) fn parse(script: &str) -> (Setup, Vec<&str>) {
    let (setup, entries) = script.split_once('|').unwrap_or(("", script));
    let mut parsed = Setup {
        grains: vec![Grain::Protocol, Grain::Atomic],
        ..Setup::default()
    };
    for word in words(setup) {
        parsed.read(word);
    }
    (parsed, words(entries))
}

impl Setup {
    fn read(&mut self, word: &str) {
        let options = &mut self.options;
        match word.split_once(':').unwrap_or((word, "")) {
            ("@conservative", _) => options.or_join = OrJoin::Conservative,
            ("@standard-reset", _) => options.complex_reset = ComplexReset::Standard,
            ("@symbolic", _) => options.conditions = Conditions::Symbolic,
            ("@untimed", _) => options.timed = false,
            ("@late", _) => options.environment.late = true,
            ("@failures", _) => options.environment.failures = true,
            ("@cancel", _) => options.environment.cancel = true,
            ("@redact", _) => options.redact = true,
            ("@refires", n) => options.refires = Some(n.parse().expect("a number")),
            ("@protocol", _) => self.grains = vec![Grain::Protocol],
            ("@atomic", _) => self.grains = vec![Grain::Atomic],
            ("@hold", _) => (self.hold, self.grains) = (true, vec![Grain::Protocol]),
            ("@unborn", _) => self.unborn = true,
            ("start", node) => self.start = Some(node.to_owned()),
            ("at" | "on", _) => self.marking.push(word.to_owned()),
            ("external", node) => drop(self.settings.external.insert(node.to_owned())),
            ("timer", timer) => {
                let (node, value) = timer.split_once('=').expect("timer:N=V");
                self.settings.timers.insert(node.to_owned(), value.to_owned());
            }
            _ => {
                let (name, value) = assignment(word).unwrap_or_else(|| panic!("`{word}` is no setup"));
                self.data.insert(name, value);
            }
        }
    }

    /// Brings the instance into being.
    pub(crate) fn begin(&self, run: &mut Run) {
        run.hold = self.hold;
        let data = Arc::new(self.data.clone());
        if self.unborn {
            return;
        }
        if !self.marking.is_empty() {
            return self.mark(run, data);
        }
        let birth = self.start.as_ref().map_or(0, |start| birth(run, start));
        run.start(birth, data);
        if !self.hold {
            run.settle();
        }
    }

    fn mark(&self, run: &mut Run, data: Data) {
        let shared = run.shared();
        let flow = |id: &str| shared.flow_ids().find(|&flow| shared.flow(flow).id == id);
        let mark = |word: &String| match word.split_once(':') {
            Some(("at", node)) => Mark::At(shared.find(node).expect("a node")),
            Some((_, id)) => Mark::On(flow(id).unwrap_or_else(|| panic!("no flow `{id}`"))),
            None => unreachable!("marks have a colon"),
        };
        let marking: Vec<Mark> = self.marking.iter().map(mark).collect();
        run.id = Some(run.world.start_marked(0, &marking, data));
        run.observe();
    }
}

fn birth(run: &Run, start: &str) -> usize {
    let template = run.shared();
    let node = template.find(start).expect("a node");
    let births = template.births();
    births.iter().position(|birth| birth.arm == node).expect("a birth")
}

/// `x=1`; the value is JSON, else a text.
pub(crate) fn assignment(word: &str) -> Option<(String, Value)> {
    let (name, value) = word.split_once('=')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let json = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
    is_name.then(|| (name.to_owned(), json))
}

fn data(text: &str) -> Data {
    let pairs = words(text).into_iter();
    Arc::new(pairs.map(|word| assignment(word).expect("name=value")).collect())
}

/// `word#n(argument)` in its parts.
fn parts(entry: &str) -> (&str, usize, Option<&str>) {
    let (head, argument) = match entry.split_once('(') {
        Some((head, rest)) => (head, Some(rest.strip_suffix(')').expect("`)` at the end"))),
        None => (entry, None),
    };
    let (word, rank) = head
        .split_once('#')
        .map_or((head, 1), |(word, n)| (word, n.parse().expect("a number")));
    (word, rank, argument)
}

/// Performs one entry and lets the instance settle.
pub(crate) fn perform(run: &mut Run, entry: &str) {
    if let Some(expected) = entry.strip_prefix('[') {
        return expect::must_hold(run, expected.strip_suffix(']').expect("`]` at the end"), entry);
    }
    perform_one(run, entry);
    run.observe_birth();
    if !run.hold {
        run.settle();
    }
}

fn perform_one(run: &mut Run, entry: &str) {
    let (word, rank, argument) = parts(entry);
    match word.split_once(':') {
        Some(("", "settle")) => run.settle(),
        Some(("", "cancel")) => {
            run.world.cancel(run.id.expect("the instance is born"));
            run.observe();
        }
        Some(("", "clock")) => {
            let due = run.world.next_due().expect("a timer is armed");
            run.world.pass_time(due);
            run.observe();
        }
        Some(("late", node)) => answer_late(run, node),
        Some(("sig", name)) => {
            run.world.signal(name, &argument.map_or_else(Data::default, data));
            run.observe();
        }
        Some(("fire", node)) => run.act(Class::Firing, node, rank),
        Some(("step", node)) => run.act(Class::Step, node, rank),
        Some(("arrive", flow)) => run.arrive(flow, rank),
        Some(_) => panic!("`{entry}` is no entry"),
        None => perform_plain(run, entry, (word, rank, argument)),
    }
}

fn perform_plain(run: &mut Run, entry: &str, (word, rank, argument): (&str, usize, Option<&str>)) {
    if let Some(duration) = word.strip_prefix('+') {
        let interval = time::duration(duration).expect("a duration");
        let now = run.world.now();
        run.advance(interval.after(now).expect("in range") - now);
    } else if let Some(message) = word.strip_suffix('!') {
        run.message(message, &argument.map_or_else(Data::default, data), rank);
    } else if let Some((name, value)) = assignment(entry) {
        let id = run.id.expect("the instance is born");
        run.world.set(id, &Arc::new(BTreeMap::from([(name, value)])));
        run.observe();
    } else {
        complete(run, word, rank, argument);
    }
}

fn complete(run: &mut Run, name: &str, rank: usize, argument: Option<&str>) {
    let node = run.node(name);
    let work = *run
        .activations(node)
        .get(rank - 1)
        .unwrap_or_else(|| panic!("work is running at `{name}`"));
    let (outcome, data) = match argument {
        None => (Outcome::Ok, Data::default()),
        Some(text) if text.contains('=') => (Outcome::Ok, data(text)),
        Some(text) => match text.strip_prefix('!') {
            Some(text) => (Outcome::Failure(text.to_owned()), Data::default()),
            None => (Outcome::Error(text.to_owned()), Data::default()),
        },
    };
    let id = run.id.expect("the instance is born");
    let answer = run.world.complete(id, work, &outcome, &data, 0);
    assert_eq!(answer, Answer::Taken);
    run.observe();
}

fn answer_late(run: &mut Run, name: &str) {
    let node = run.node(name);
    let running = run.working(node);
    let mut workers = run.workers(node).into_iter();
    let track = workers
        .rfind(|track| !running.contains(track))
        .expect("work has stopped");
    let id = run.id.expect("the instance is born");
    let data = data("late=true");
    let work = Activation { track, node, began: 0 };
    let answer = run.world.complete(id, work, &Outcome::Ok, &data, 0);
    assert_eq!(answer, Answer::Discarded, "the answer of `{name}` is late");
    run.observe();
}

impl Run {
    pub(crate) fn message(&mut self, name: &str, payload: &Data, rank: usize) -> Delivery {
        let delivery = self.world.message(name, payload, rank as u32 - 1);
        self.observe();
        delivery
    }

    /// The instance that an event has brought into being is the one under test.
    fn observe_birth(&mut self) {
        if self.id.is_none() {
            self.id = self.world.instances().next().map(|(id, _)| id);
        }
    }

    fn act(&mut self, class: Class, name: &str, rank: usize) {
        let node = self.node(name);
        let enabled = self.world.enabled(Part::All).into_iter();
        let mut found =
            enabled.filter(|&action| action.class() == class && self.world.label(action).node == Some(node));
        let action = found.nth(rank - 1);
        let action = action.unwrap_or_else(|| panic!("{class:?} of `{name}` is enabled"));
        self.apply(action);
    }

    fn arrive(&mut self, flow: &str, rank: usize) {
        let on_flow = |track: &trackside_engine::TrackId| {
            let tracks = self.tracks();
            let view = tracks.iter().find(|view| view.id == *track);
            view.and_then(|view| view.flow)
                .is_some_and(|on| self.template().flow(on).id == flow)
        };
        let enabled = self.world.enabled(Part::Inside).into_iter();
        let mut found = enabled.filter(|&action| {
            action.class() == Class::Arrival && self.world.label(action).track.is_some_and(|track| on_flow(&track))
        });
        let action = found
            .nth(rank - 1)
            .unwrap_or_else(|| panic!("a token is in transit on `{flow}`"));
        self.apply(action);
    }
}
