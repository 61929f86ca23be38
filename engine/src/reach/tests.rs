//! The index against a literal path search, on random graphs, markings and moves.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Counters, Edge, Graph, Index, Rule};

/// Where a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Node(u32),
    Edge(u32),
    /// Registered on this input.
    Parked(u32),
}

/// Tokens on a graph, judged by definition.
struct Literal<'g> {
    graph: &'g Graph,
    tokens: Vec<Place>,
}

impl Literal<'_> {
    /// L(p) of ORJ, by walking every path.
    fn reaches(&self, join: u32, place: Place) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut stack = match place {
            Place::Node(node) => vec![node],
            Place::Edge(edge) if self.graph.edges[edge as usize].target == join => return BTreeSet::from([edge]),
            Place::Edge(edge) | Place::Parked(edge) => vec![self.graph.edges[edge as usize].target],
        };
        if stack == [join] {
            return found;
        }
        while let Some(node) = stack.pop() {
            if !seen.insert(node) {
                continue;
            }
            for (number, edge) in self.graph.leaving(node) {
                if edge.target != join {
                    stack.push(edge.target);
                } else if !edge.jump {
                    found.insert(number);
                }
            }
        }
        found
    }

    fn marked(&self, join: u32) -> BTreeSet<u32> {
        let on = |place: &Place| match *place {
            Place::Parked(edge) if self.graph.edges[edge as usize].target == join => Some(edge),
            _ => None,
        };
        self.tokens.iter().filter_map(on).collect()
    }

    /// What each token reaches that is not registered at the join.
    fn others(&self, join: u32) -> impl Iterator<Item = BTreeSet<u32>> + '_ {
        let others = self.tokens.iter().filter(move |place| match place {
            Place::Parked(edge) => self.graph.edges[*edge as usize].target != join,
            _ => true,
        });
        others.map(move |&place| self.reaches(join, place))
    }

    fn may_fire(&self, join: u32, rule: Rule) -> bool {
        let marked = self.marked(join);
        !marked.is_empty()
            && self.others(join).all(|set| match rule {
                Rule::Standard => set.is_empty() || !set.is_disjoint(&marked),
                Rule::Conservative => set.is_subset(&marked),
            })
    }

    /// The node that a token stands for where it is at none of the join's inputs and not at the join.
    fn node(&self, join: u32, place: Place) -> Option<u32> {
        let node = match place {
            Place::Node(node) => node,
            Place::Edge(edge) | Place::Parked(edge) => self.graph.edges[edge as usize].target,
        };
        (node != join).then_some(node)
    }
}

/// One move of a token, chosen by two numbers, counted by every rule. Gives false where it has none.
fn advance(literal: &mut Literal<'_>, counts: &mut [Counters; 2], index: &Index, who: usize, how: usize) -> bool {
    let before = literal.tokens.clone();
    for counters in counts {
        literal.tokens.clone_from(&before);
        if !advance_one(literal, counters, index, who, how) {
            return false;
        }
    }
    true
}

fn advance_one(literal: &mut Literal<'_>, counters: &mut Counters, index: &Index, who: usize, how: usize) -> bool {
    if literal.tokens.is_empty() {
        return false;
    }
    let who = who % literal.tokens.len();
    let graph = literal.graph;
    match literal.tokens[who] {
        Place::Node(node) => {
            let ways: Vec<(u32, Edge)> = graph.leaving(node).collect();
            if ways.is_empty() || how % 7 == 6 {
                counters.leave(index, node);
                literal.tokens.swap_remove(who);
                return true;
            }
            let (number, edge) = ways[how % ways.len()];
            if edge.jump {
                counters.leave(index, node);
                counters.enter(index, edge.target);
                literal.tokens[who] = Place::Node(edge.target);
            } else {
                counters.depart(index, number);
                literal.tokens[who] = Place::Edge(number);
            }
        }
        Place::Edge(edge) => {
            let target = graph.edges[edge as usize].target;
            counters.arrive(index, edge);
            if index.join_at(target).is_some() {
                if !literal.tokens.contains(&Place::Parked(edge)) {
                    counters.mark(index, edge);
                }
                literal.tokens[who] = Place::Parked(edge);
            } else {
                literal.tokens[who] = Place::Node(target);
            }
        }
        // A parked token is withdrawn, or goes on as a survivor would.
        Place::Parked(edge) => {
            let join = graph.edges[edge as usize].target;
            literal.tokens.swap_remove(who);
            if !literal.tokens.contains(&Place::Parked(edge)) {
                counters.unmark(index, edge);
            }
            if how.is_multiple_of(2) {
                counters.leave(index, join);
            } else {
                literal.tokens.push(Place::Node(join));
            }
        }
    }
    true
}

fn graphs() -> impl Strategy<Value = (usize, Vec<Edge>, Vec<u32>)> {
    (2usize..9).prop_flat_map(|nodes| {
        let node = 0..nodes as u32;
        let edge = (node.clone(), node.clone(), prop::bool::weighted(0.1)).prop_map(|(source, target, jump)| Edge {
            source,
            target,
            jump,
        });
        (
            Just(nodes),
            prop::collection::vec(edge, 1..16),
            prop::collection::vec(node, 1..4),
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn counting_decides_as_searching_does(
        (nodes, mut edges, joins) in graphs(),
        starts in prop::collection::vec(any::<u8>(), 1..5),
        moves in prop::collection::vec((any::<u8>(), any::<u8>()), 0..12),
    ) {
        // No jump leads to a join: boundary events and link catches are none.
        for edge in &mut edges {
            edge.jump &= !joins.contains(&edge.target);
        }
        let graph = Graph::new(nodes, edges);
        let index = Index::new(&graph, &joins);
        let mut counts = [Rule::Standard, Rule::Conservative].map(|rule| Counters::new(&index, rule));
        let mut literal = Literal { graph: &graph, tokens: Vec::new() };
        for start in starts {
            let node = u32::from(start) % nodes as u32;
            for counters in &mut counts {
                counters.enter(&index, node);
            }
            literal.tokens.push(Place::Node(node));
        }
        for (who, how) in moves {
            if !advance(&mut literal, &mut counts, &index, who as usize, how as usize) {
                break;
            }
            for join in joins.iter().copied() {
                let Some(number) = index.join_at(join) else { continue };
                // A survivor still at the join is decided about once it has left (ORJ-8).
                if literal.tokens.contains(&Place::Node(join)) {
                    continue;
                }
                let [standard, conservative] = &counts;
                prop_assert_eq!(
                    standard.may_fire(number),
                    literal.may_fire(join, Rule::Standard),
                    "join {} in {:?}", join, &literal.tokens
                );
                let inputs: BTreeSet<u32> =
                    graph.entering(join).filter(|(_, edge)| !edge.jump).map(|(edge, _)| edge).collect();
                let nodes: Vec<u32> = literal.tokens.iter().filter_map(|&place| literal.node(join, place)).collect();
                let everything = nodes.iter().any(|&node| index.reaches_all(number, node).expect("it is small"));
                prop_assert_eq!(
                    conservative.may_fire(number)
                        && (conservative.marked(number) as usize == inputs.len() || !everything),
                    literal.may_fire(join, Rule::Conservative),
                    "join {}, conservatively, in {:?}", join, &literal.tokens
                );
                let reached: BTreeSet<u32> = literal.others(join).flatten().collect();
                let counted: BTreeSet<u32> = inputs
                    .iter()
                    .copied()
                    .filter(|&input| everything || standard.some_reach(&index, input))
                    .collect();
                prop_assert_eq!(counted, reached, "inputs of {} from {:?}", join, &literal.tokens);
                for node in nodes {
                    let set = literal.reaches(join, Place::Node(node));
                    prop_assert_eq!(index.reaches_all(number, node), Some(set == inputs), "{} from {}", join, node);
                    for &input in &inputs {
                        let some = set != inputs && set.contains(&input);
                        prop_assert_eq!(index.reaches_some(node, input), some, "{} from {}", input, node);
                    }
                }
            }
        }
    }
}

/// A ladder of `blocks` OR diamonds with `width` branches of `tasks` tasks, one after the other.
fn ladder(blocks: u32, width: u32, tasks: u32) -> (Graph, Vec<u32>) {
    let mut edges = Vec::new();
    let mut joins = Vec::new();
    let mut next = 1;
    let mut before = 0;
    for _ in 0..blocks {
        let (split, join) = (before, next + width * tasks);
        for branch in 0..width {
            let mut at = split;
            for task in 0..tasks {
                let node = next + branch * tasks + task;
                edges.push(Edge {
                    source: at,
                    target: node,
                    jump: false,
                });
                at = node;
            }
            edges.push(Edge {
                source: at,
                target: join,
                jump: false,
            });
        }
        joins.push(join);
        edges.push(Edge {
            source: join,
            target: join + 1,
            jump: false,
        });
        before = join + 1;
        next = join + 2;
    }
    (Graph::new(next as usize, edges), joins)
}

#[test]
fn memory_grows_with_the_graph() {
    let (graph, joins) = ladder(500, 4, 2);
    let index = Index::new(&graph, &joins);
    assert_eq!(index.searched().count(), 0);
    assert!(
        index.bytes() <= 100 * graph.edges.len(),
        "{} bytes for {} flows",
        index.bytes(),
        graph.edges.len()
    );
}

#[test]
fn a_join_that_would_take_too_much_is_left_to_search() {
    // A cascade: from each of many positions, all later inputs can be reached.
    let inputs = 600;
    let mut edges = Vec::new();
    for at in 0..inputs {
        edges.push(Edge {
            source: at,
            target: inputs,
            jump: false,
        });
        if at + 1 < inputs {
            edges.push(Edge {
                source: at,
                target: at + 1,
                jump: false,
            });
        }
    }
    let graph = Graph::new(inputs as usize + 1, edges);
    let index = Index::new(&graph, &[inputs]);
    assert_eq!(index.searched().collect::<Vec<_>>(), [inputs]);
    assert_eq!(index.join_at(inputs), None);
}

/// Two splits with an edge into every one of many joins: a move along one edge concerns all joins, and there are as many
/// such moves as joins.
fn two_splits(joins: u32) -> (Graph, Vec<u32>) {
    let edge = |source, target| Edge {
        source,
        target,
        jump: false,
    };
    let into = (2..joins + 2).flat_map(|join| [edge(0, join), edge(1, join)]);
    (Graph::new(joins as usize + 2, into.collect()), (2..joins + 2).collect())
}

#[test]
fn changes_that_would_take_too_much_are_made_when_they_are_needed() {
    let (graph, joins) = two_splits(300);
    let index = Index::new(&graph, &joins);
    assert!(!index.pairs.is_empty());
    assert!(index.bytes() <= 400 * graph.edges.len(), "{} bytes", index.bytes());
    let mut counts = [Rule::Standard, Rule::Conservative].map(|rule| Counters::new(&index, rule));
    let mut literal = Literal {
        graph: &graph,
        tokens: vec![Place::Node(0), Place::Node(1), Place::Node(1)],
    };
    for counters in &mut counts {
        for node in [0, 1, 1] {
            counters.enter(&index, node);
        }
    }
    // Each token leaves by one of the last edges, and arrives.
    for (who, how) in [(1, 299), (1, 0), (0, 299), (2, 5), (0, 0)] {
        assert!(advance(&mut literal, &mut counts, &index, who, how));
        for &join in &joins {
            let number = index.join_at(join).expect("it is indexed");
            assert_eq!(
                counts[0].may_fire(number),
                literal.may_fire(join, Rule::Standard),
                "{join} in {:?}",
                literal.tokens
            );
        }
    }
}

#[test]
fn intervals_that_would_be_too_many_are_given_up() {
    // Layers in which everything leads to many places further on, in no order that a tree could follow.
    let (layers, width) = (4, 500);
    let mut edges = Vec::new();
    for (layer, node, way) in (0..layers - 1).flat_map(|l| (0..width).flat_map(move |n| (0..8).map(move |w| (l, n, w))))
    {
        edges.push(Edge {
            source: layer * width + node,
            target: (layer + 1) * width + (node * 7 + way * 61 + layer * 13) % width,
            jump: false,
        });
    }
    let join = (layers - 1) * width;
    let index = Index::new(&Graph::new((layers * width) as usize, edges), &[join]);
    let number = index.join_at(join).expect("it has inputs");
    assert_eq!(index.reaches_all(number, 2), None);
}
