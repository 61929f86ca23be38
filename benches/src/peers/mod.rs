//! Other ways to answer *may this join fire?*, each written as well as its idea allows.
//!
//! All answer rule ORJ-1 on the same [`Marking`]: a join may fire iff some input holds a token and every other token
//! reaches none of its inputs or one that holds a token. What a peer can prepare from the graph alone it prepares when it
//! is made; scratch memory is kept between questions.

mod closure;
mod csr;
mod forward;
mod paths;
mod strings;

pub use closure::Closure;
pub use csr::Csr;
pub use forward::Forward;
pub use paths::Paths;
pub use strings::Strings;

use crate::graphs::Case;
use crate::marking::Marking;

/// One way to decide.
pub trait Peer {
    /// Whether `join` may fire.
    fn may_fire(&mut self, marking: &Marking, join: u32) -> bool;
}

/// A peer by name: what it is, how it is made, and how often it looks at something at most in one decision.
#[derive(Clone, Copy)]
pub struct Way {
    /// Its name, as reports show it.
    pub name: &'static str,
    /// What it is, as reports say it.
    pub about: &'static str,
    /// Makes it for the joins that will be asked about.
    pub make: fn(&Case, &[u32]) -> Box<dyn Peer>,
    /// Whether it can be asked about such a graph at all, and such a marking: no, where one answer could take seconds or
    /// its tables more than `closure::BYTES_MAX`.
    pub affordable: fn(&Case, tokens: usize) -> bool,
}

/// How many steps of a search one answer may take in the worst case.
const STEPS_MAX: usize = 50_000_000;

/// All peers.
pub const WAYS: [Way; 6] = [
    Way {
        name: "CSR search",
        about: "backward search from the inputs over arrays, marked inputs first; stops at the first token that blocks",
        make: |case, _| Box::new(Csr::new(case)),
        affordable: |_, _| true,
    },
    Way {
        name: "string search",
        about: "the same search over maps and sets keyed by the ids of nodes and flows, as `gobpm` keeps them",
        make: |case, _| Box::new(Strings::new(case)),
        affordable: |_, _| true,
    },
    Way {
        name: "forward search",
        about: "forward search from each token over arrays, as Camunda 7 goes about it; stops where a marked input is found",
        make: |case, _| Box::new(Forward::new(case)),
        affordable: |case, tokens| case.edges.len() * tokens <= STEPS_MAX,
    },
    Way {
        name: "petgraph paths",
        about: "`petgraph::algo::has_path_connecting` from each token to each input, marked ones first, around the join",
        make: |case, _| Box::new(Paths::new(case)),
        affordable: |case, tokens| {
            // Every pair takes the clearing of a visited set, 32 nodes in a word; few find their way to be long.
            let inputs = inputs_max(case);
            case.edges.len() * tokens * (inputs.min(4) + inputs / 32) <= STEPS_MAX
        },
    },
    Way {
        name: "bitset words",
        about: "per input the set of nodes that reach it, made in advance; unions and differences word by word",
        make: |case, asked| Box::new(Closure::new(case, asked, closure::Scan::Words)),
        affordable: |case, _| Closure::bytes(case) <= closure::BYTES_MAX,
    },
    Way {
        name: "bitset tokens",
        about: "the same sets, looked up for each token and input",
        make: |case, asked| Box::new(Closure::new(case, asked, closure::Scan::Tokens)),
        affordable: |case, _| Closure::bytes(case) <= closure::BYTES_MAX,
    },
];

/// The most bytes that bitset closures may take.
pub const CLOSURE_BYTES_MAX: usize = closure::BYTES_MAX;

/// Adjacency in one direction, in arrays: flows by node.
#[derive(Clone, Debug)]
struct Adjacency {
    starts: Vec<u32>,
    flows: Vec<u32>,
}

impl Adjacency {
    fn entering(case: &Case) -> Self {
        Self::by(case, |flow| case.edges[flow as usize].target)
    }

    fn leaving(case: &Case) -> Self {
        Self::by(case, |flow| case.edges[flow as usize].source)
    }

    fn by(case: &Case, node_of: impl Fn(u32) -> u32) -> Self {
        let mut flows: Vec<u32> = (0..case.edges.len() as u32).collect();
        flows.sort_by_key(|&flow| node_of(flow));
        let starts = (0..=case.nodes as u32).map(|node| flows.partition_point(|&flow| node_of(flow) < node) as u32);
        Self {
            starts: starts.collect(),
            flows,
        }
    }

    fn of(&self, node: u32) -> &[u32] {
        &self.flows[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

fn inputs_max(case: &Case) -> usize {
    let entering = Adjacency::entering(case);
    let counts = case.joins.iter().map(|&join| entering.of(join).len());
    counts.max().unwrap_or(0)
}

/// A set of nodes that is emptied in constant time.
#[derive(Clone, Debug)]
struct Seen {
    stamps: Vec<u32>,
    now: u32,
}

impl Seen {
    fn new(nodes: usize) -> Self {
        Self {
            stamps: vec![0; nodes],
            now: 0,
        }
    }

    fn clear(&mut self) {
        self.now += 1;
    }

    /// Whether it was not in it before.
    fn insert(&mut self, node: u32) -> bool {
        std::mem::replace(&mut self.stamps[node as usize], self.now) != self.now
    }
}

#[cfg(test)]
mod tests {
    use trackside_engine::reach::Index;

    use super::WAYS;
    use crate::graphs::{Case, Dice, SHAPES, onion};
    use crate::marking::{Answers, State};

    /// Everyone gives the answer of the index, on all families.
    #[test]
    fn peers_agree_with_the_index() {
        let mut answers = [0; 2];
        let cases = SHAPES
            .iter()
            .map(|shape| shape.make)
            .chain([onion as fn(usize) -> Case]);
        for make in cases {
            let case = make(200);
            let index = Index::new(&case.graph(), &case.joins);
            for (live, wanted) in [
                (1, Answers::Any),
                (5, Answers::Fire),
                (7, Answers::Any),
                (100, Answers::Fire),
            ] {
                let state = State::new(&case, &index, live, wanted);
                let counters = state
                    .marking
                    .count(&case, &index, trackside_engine::reach::Rule::Standard);
                for way in WAYS {
                    let mut peer = (way.make)(&case, &state.asked);
                    for &join in &state.asked {
                        let expected = counters.may_fire(index.join_at(join).unwrap());
                        assert_eq!(peer.may_fire(&state.marking, join), expected, "{} of {join}", way.name);
                        answers[usize::from(expected)] += 1;
                    }
                }
            }
        }
        assert!(answers.iter().all(|&count| count > 50), "{answers:?}");
        assert_ne!(Dice(1).roll(), Dice(2).roll());
    }
}
