//! Families of directed graphs with joins, by size in flows: what the join benches ask their questions about.
//!
//! Each is made by rules and a small generator with a fixed seed, so that every run sees the same graphs.

use trackside_engine::reach::{Edge, Graph};

/// The sizes of the curves, in flows.
pub const SIZES: [usize; 5] = [64, 512, 4096, 32_768, 100_000];

/// A family: its name, what it is made of, and how to make one of about that many flows.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its name, as reports show it.
    pub name: &'static str,
    /// What it is made of, as reports say it.
    pub about: &'static str,
    /// Makes one of about this many flows.
    pub make: fn(usize) -> Case,
}

/// All families.
pub const SHAPES: [Shape; 6] = [
    Shape {
        name: "ladder",
        about: "OR blocks of four branches with three or four tasks, one after the other",
        make: ladder,
    },
    Shape {
        name: "random",
        about: "a random acyclic graph, three flows for two nodes, each flow at most 64 nodes long; at most one join for 20 \
                flows",
        make: random,
    },
    Shape {
        name: "deep",
        about: "four OR blocks of three branches that share all tasks",
        make: deep,
    },
    Shape {
        name: "wide",
        about: "one OR block, a branch of one task for every two flows",
        make: wide,
    },
    Shape {
        name: "nested",
        about: "OR blocks of two branches inside each other, a few tasks in the innermost",
        make: nested,
    },
    Shape {
        name: "cyclic",
        about: "the ladder with a way back around each block, and around each eight",
        make: cyclic,
    },
];

/// One graph and the joins in it.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// How many nodes there are.
    pub nodes: usize,
    /// Its flows.
    pub edges: Vec<Edge>,
    /// Nodes that wait for tokens.
    pub joins: Vec<u32>,
}

impl Case {
    /// The same for the index.
    pub fn graph(&self) -> Graph {
        Graph::new(self.nodes, self.edges.clone())
    }

    fn node(&mut self) -> u32 {
        self.nodes += 1;
        (self.nodes - 1) as u32
    }

    fn edge(&mut self, source: u32, target: u32) {
        self.edges.push(Edge {
            source,
            target,
            jump: false,
        });
    }

    /// `tasks` tasks after `from`; gives the last of them.
    fn chain(&mut self, from: u32, tasks: usize) -> u32 {
        (0..tasks).fold(from, |at, _| {
            let task = self.node();
            self.edge(at, task);
            task
        })
    }

    /// An OR block at `split` with branches of so many tasks; gives its join.
    fn block(&mut self, split: u32, branches: &[usize]) -> u32 {
        let ends: Vec<u32> = branches.iter().map(|&tasks| self.chain(split, tasks)).collect();
        let join = self.node();
        for end in ends {
            self.edge(end, join);
        }
        self.joins.push(join);
        join
    }
}

/// OR blocks of 20 flows each, one after the other: 100,000 flows have 5,000 joins.
pub fn ladder(flows: usize) -> Case {
    let mut case = Case::default();
    let mut at = case.node();
    while case.edges.len() + 19 <= flows {
        let join = case.block(at, &[4, 4, 4, 3]);
        at = case.chain(join, 1);
    }
    let rest = flows.saturating_sub(case.edges.len());
    case.chain(at, rest);
    case
}

/// The ladder with a way back around each block and around each eight blocks.
pub fn cyclic(flows: usize) -> Case {
    let mut case = Case::default();
    let mut at = case.node();
    let mut outer = at;
    for block in 1.. {
        if case.edges.len() + 23 > flows {
            break;
        }
        let split = case.chain(at, 1);
        let join = case.block(split, &[4, 4, 4, 3]);
        let after = case.chain(join, 1);
        case.edge(after, at);
        at = case.chain(after, 1);
        if block % 8 == 0 {
            case.edge(at, outer);
            at = case.chain(at, 1);
            outer = at;
        }
    }
    let rest = flows.saturating_sub(case.edges.len());
    case.chain(at, rest);
    case
}

/// Every node follows an earlier one; every second one follows one more, all within 64 nodes.
pub fn random(flows: usize) -> Case {
    let mut case = Case::default();
    let mut dice = Dice(flows as u64);
    case.node();
    while case.edges.len() < flows {
        let node = case.node();
        let back = |dice: &mut Dice| node - 1 - dice.below(node.min(64));
        let first = back(&mut dice);
        case.edge(first, node);
        let second = back(&mut dice);
        if node.is_multiple_of(2) && second != first {
            case.edge(second, node);
            if case.joins.len() * 20 < case.edges.len() {
                case.joins.push(node);
            }
        }
    }
    case
}

/// Four OR blocks of three long branches.
pub fn deep(flows: usize) -> Case {
    let mut case = Case::default();
    let mut at = case.node();
    let tasks = (flows / 4 - 4) / 3;
    for _ in 0..4 {
        let join = case.block(at, &[tasks; 3]);
        at = case.chain(join, 1);
    }
    case
}

/// One OR block of many branches.
pub fn wide(flows: usize) -> Case {
    let mut case = Case::default();
    let split = case.node();
    let join = case.block(split, &vec![1; flows / 2]);
    case.chain(join, 1);
    case
}

/// OR blocks of two branches inside each other.
pub fn nested(flows: usize) -> Case {
    let mut case = Case::default();
    let start = case.node();
    nest(&mut case, start, flows);
    case
}

fn nest(case: &mut Case, split: u32, flows: usize) -> u32 {
    if flows < 12 {
        return case.block(split, &[flows / 2 - 1, (flows - 1) / 2]);
    }
    let ends = [(); 2].map(|()| {
        let inner = case.chain(split, 1);
        nest(case, inner, (flows - 4) / 2)
    });
    let join = case.node();
    for end in ends {
        case.edge(end, join);
    }
    case.joins.push(join);
    join
}

/// OR blocks inside each other along one branch only: a token in the innermost is decisive for every join.
pub fn onion(flows: usize) -> Case {
    let mut case = Case::default();
    let start = case.node();
    let depth = flows / 4;
    let mut splits = vec![start];
    for _ in 1..depth {
        let inner = case.chain(splits[splits.len() - 1], 1);
        splits.push(inner);
    }
    let mut inner = case.chain(splits[depth - 1], 1);
    for split in splits.into_iter().rev() {
        let other = case.chain(split, 1);
        let join = case.node();
        case.edge(inner, join);
        case.edge(other, join);
        case.joins.push(join);
        inner = join;
    }
    case
}

/// A small generator of numbers (`splitmix64`): the same for the same seed, everywhere.
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        (self.roll() % u64::from(bound)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_has_about_the_flows_asked_for() {
        for shape in SHAPES {
            for flows in SIZES {
                let made = (shape.make)(flows).edges.len();
                assert!(
                    made * 10 >= flows * 7 && made <= flows + 2,
                    "{} of {flows} has {made}",
                    shape.name
                );
            }
        }
        assert_eq!(ladder(100_000).edges.len(), 100_000);
        assert_eq!(ladder(100_000).joins.len(), 5000);
    }
}
