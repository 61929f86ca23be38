//! Random models of any shape: gateways of all kinds in any order, loops, surplus tokens, nested scopes with boundary
//! events and handlers. Most of them are unsound, which is what joins have to be judged in.

use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// What a node is.
#[derive(Clone, Debug)]
enum Kind {
    /// A keyword of the notation, with its parentheses.
    Plain(&'static str),
    /// A complex gateway that wants so many of its flows, as far as it has them.
    Complex(usize),
    /// An event-based gateway with two arms, which are the nodes that lead on.
    Gate(&'static str, &'static str),
    /// A node without a way out.
    End(&'static str),
    /// An activity with boundary events: whether each interrupts, its trigger, and where it leads.
    Host(&'static str, Vec<(bool, &'static str, Index)>),
    /// A sub-process, with boundary events and perhaps a handler.
    Scope(Box<Graph>, Vec<(bool, &'static str, Index)>, Option<Handler>),
}

type Handler = (bool, &'static str, Box<Graph>);

/// A scope: nodes, each with where a flow to it comes from and the condition on that, and further flows.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    nodes: Vec<(Kind, Index, u8)>,
    further: Vec<(Index, Index, u8)>,
}

/// A signal that something caught again and again sends in turn would go on for ever within one transition; and what a true
/// condition fires again and again, in the atomic grain, too: chains are cut, but not trees of them.
const AGAIN: &[&str] = &[
    "message m",
    "message k",
    "signal g",
    "timer PT1H",
    "timer R2/PT1H",
    "escalation x",
    "escalation",
];
const ONCE: &[&str] = &[
    "message m",
    "signal g",
    "signal h",
    "timer PT1H",
    "(if done)",
    "error f",
    "error",
    "escalation x",
];

fn trigger() -> impl Strategy<Value = (bool, &'static str)> {
    prop_oneof![
        select(AGAIN).prop_map(|trigger| (false, trigger)),
        select(ONCE).prop_map(|trigger| (true, trigger))
    ]
}

fn boundaries() -> impl Strategy<Value = Vec<(bool, &'static str, Index)>> {
    prop::collection::vec(
        (trigger(), any::<Index>()).prop_map(|((mode, trigger), to)| (mode, trigger, to)),
        0..3,
    )
    .prop_map(|mut all| {
        // BND-7: one interrupting event per declaration.
        let mut seen = std::collections::BTreeSet::new();
        all.retain(|&(mode, trigger, _)| !mode || seen.insert(trigger));
        all
    })
}

fn leaf() -> impl Strategy<Value = Kind> {
    let gateway = select(vec!["and", "or", "xor", "and", "or"]);
    let task = select(vec![
        "auto",
        "user",
        "service",
        "send(k)",
        "receive(m)",
        "manual",
        "rule",
    ]);
    let event = select(vec![
        "catch(message m)",
        "catch(message k)",
        "catch(signal g)",
        "catch(signal h)",
        "catch(timer PT1H)",
        "throw(signal g)",
        "throw(signal h)",
        "throw(message k)",
        "throw(escalation x)",
        "throw",
    ]);
    let end = select(vec![
        "end",
        "end",
        "end(signal h)",
        "end(message k)",
        "end(error f)",
        "end(escalation x)",
        "terminate",
    ]);
    let arm = || select(vec!["message m", "signal g", "timer PT1H", "message k"]);
    prop_oneof![
        6 => gateway.prop_map(Kind::Plain),
        3 => task.prop_map(Kind::Plain),
        2 => event.prop_map(Kind::Plain),
        1 => (1..4usize).prop_map(Kind::Complex),
        1 => (arm(), arm()).prop_map(|(a, b)| Kind::Gate(a, b)),
        1 => end.prop_map(Kind::End),
        1 => (select(vec!["user", "service", "auto", "send(m)"]), boundaries()).prop_map(|(task, all)| Kind::Host(task, all)),
    ]
}

fn scope(kind: impl Strategy<Value = Kind>, nodes: usize) -> impl Strategy<Value = Graph> {
    let nodes = prop::collection::vec((kind, any::<Index>(), any::<u8>()), 2..nodes);
    let further = prop::collection::vec((any::<Index>(), any::<Index>(), any::<u8>()), 0..6);
    (nodes, further).prop_map(|(nodes, further)| Graph { nodes, further })
}

/// A process.
pub(crate) fn graph() -> impl Strategy<Value = Graph> {
    let inner = prop_oneof![12 => leaf().boxed(), 1 => sub(leaf().boxed()).boxed()];
    let outer = prop_oneof![8 => leaf().boxed(), 1 => sub(inner.boxed()).boxed()];
    scope(outer, 12)
}

fn sub(kind: BoxedStrategy<Kind>) -> impl Strategy<Value = Kind> {
    let body = scope(kind, 6).prop_map(Box::new);
    let handler =
        (trigger(), scope(leaf(), 4).prop_map(Box::new)).prop_map(|((mode, trigger), body)| (mode, trigger, body));
    (body, boundaries(), prop::option::of(handler)).prop_map(|(body, all, handler)| Kind::Scope(body, all, handler))
}

impl Graph {
    /// In the notation.
    pub(crate) fn text(&self) -> String {
        let mut writer = Writer::default();
        writer.scope(self, "start");
        writer.text
    }
}

#[derive(Default)]
struct Writer {
    names: u32,
    text: String,
}

impl Writer {
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn name(&mut self, word: &str) -> String {
        self.names += 1;
        format!("{word}_{}", self.names)
    }

    fn declared(&mut self, kind: &str) -> String {
        let (keyword, arguments) = kind.split_at(kind.find('(').unwrap_or(kind.len()));
        let name = self.name(keyword);
        writeln!(self.text, "{keyword} {name}{arguments}").expect("a text takes everything");
        name
    }

    fn scope(&mut self, graph: &Graph, start: &str) {
        let start = self.declared(start);
        // Where flows to a node lead, and the nodes that lead on.
        let names: Vec<(String, Vec<String>)> = graph.nodes.iter().map(|(kind, ..)| self.node(kind)).collect();
        let mut flows: Vec<(String, String, u8)> = Vec::new();
        for (at, (_, from, condition)) in graph.nodes.iter().enumerate() {
            let before: Vec<&String> = names[..at].iter().flat_map(|(_, ways)| ways).collect();
            let from = if before.is_empty() {
                &start
            } else {
                before[from.index(before.len())]
            };
            flows.push((from.clone(), names[at].0.clone(), *condition));
        }
        let ways: Vec<&String> = names.iter().flat_map(|(_, ways)| ways).collect();
        for (from, to, condition) in &graph.further {
            if !ways.is_empty() {
                flows.push((
                    ways[from.index(ways.len())].clone(),
                    names[to.index(names.len())].0.clone(),
                    *condition,
                ));
            }
        }
        for ((kind, ..), (name, _)) in graph.nodes.iter().zip(&names) {
            if let Kind::Host(_, boundaries) | Kind::Scope(_, boundaries, _) = kind {
                for (at, (_, _, to)) in boundaries.iter().enumerate() {
                    flows.push((format!("{name}_b{at}"), names[to.index(names.len())].0.clone(), 0));
                }
            }
        }
        self.counts(graph, &names, &flows);
        self.flows(&flows);
    }

    fn node(&mut self, kind: &Kind) -> (String, Vec<String>) {
        match kind {
            Kind::Plain(kind) => {
                let name = self.declared(kind);
                (name.clone(), vec![name])
            }
            Kind::Complex(_) => {
                let name = self.name("complex");
                (name.clone(), vec![name])
            }
            Kind::End(kind) => (self.declared(kind), Vec::new()),
            Kind::Gate(first, second) => {
                let gate = self.declared("gate");
                let arms = [first, second].map(|event| self.declared(&format!("catch({event})")));
                for arm in &arms {
                    self.put(&format!("{gate} > {arm}\n"));
                }
                (gate, arms.to_vec())
            }
            Kind::Host(task, boundaries) => {
                let name = self.declared(task);
                self.put(&name);
                self.boundaries(&name, boundaries);
                (name.clone(), vec![name])
            }
            Kind::Scope(body, boundaries, handler) => {
                let name = self.name("sub");
                self.put(&format!("sub {name}{{\n"));
                self.scope(body, "start");
                if let Some((interrupting, trigger, body)) = handler {
                    let (mode, own) = (if *interrupting { '!' } else { '~' }, self.name("h"));
                    self.put(&format!("ESP{mode}{own}{{\n"));
                    self.scope(body, &format!("start({})", trigger.trim_matches(['(', ')'])));
                    self.put("}\n");
                }
                self.put("}");
                self.boundaries(&name, boundaries);
                (name.clone(), vec![name])
            }
        }
    }

    fn boundaries(&mut self, name: &str, boundaries: &[(bool, &'static str, Index)]) {
        for (at, (interrupting, trigger, _)) in boundaries.iter().enumerate() {
            let mode = if *interrupting { '!' } else { '~' };
            self.put(&format!("{{{mode}{trigger} as {name}_b{at}}}"));
        }
        self.put("\n");
    }

    /// A complex gateway wants as many flows as it has at most.
    fn counts(&mut self, graph: &Graph, names: &[(String, Vec<String>)], flows: &[(String, String, u8)]) {
        for ((kind, ..), (name, _)) in graph.nodes.iter().zip(names) {
            if let Kind::Complex(count) = kind {
                let incoming = flows.iter().filter(|(_, to, _)| to == name).count();
                self.put(&match incoming {
                    0 | 1 => format!("complex {name}\n"),
                    more => format!(
                        "complex {name}({} if c; {})\n",
                        (*count).min(more),
                        (*count + 1).min(more)
                    ),
                });
            }
        }
    }

    /// Conditions and defaults where a node chooses.
    fn flows(&mut self, flows: &[(String, String, u8)]) {
        let mut defaulted: Vec<&str> = Vec::new();
        for (from, to, condition) in flows {
            let chooses = ["xor", "or_", "comp", "auto", "user", "serv", "sub_", "catch"]
                .iter()
                .any(|word| from.starts_with(word));
            let arrow = match condition % 8 {
                0 | 1 if chooses && !from.contains("_b") => "-[c]>",
                2 if chooses && !from.contains("_b") => "-[done]>",
                3 if chooses && !from.contains("_b") && !defaulted.contains(&from.as_str()) => {
                    defaulted.push(from);
                    "-[default]>"
                }
                _ => ">",
            };
            self.put(&format!("{from} {arrow} {to}\n"));
        }
    }
}
