//! The index against a literal path search, on random graphs, markings and moves.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Counters, Edge, Graph, Index};

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

    fn may_fire(&self, join: u32) -> bool {
        let marked = self.marked(join);
        let others = self.tokens.iter().filter(|place| match place {
            Place::Parked(edge) => self.graph.edges[*edge as usize].target != join,
            _ => true,
        });
        let mut sets = others.map(|&place| self.reaches(join, place));
        !marked.is_empty() && sets.all(|set| set.is_empty() || !set.is_disjoint(&marked))
    }
}

/// One move of a token, chosen by two numbers. Gives false where it has none.
fn advance(literal: &mut Literal<'_>, counters: &mut Counters, index: &Index, who: usize, how: usize) -> bool {
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
    #![proptest_config(ProptestConfig { cases: 100_000, ..ProptestConfig::default() })]

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
        let mut counters = Counters::new(&index);
        let mut literal = Literal { graph: &graph, tokens: Vec::new() };
        for start in starts {
            let node = u32::from(start) % nodes as u32;
            counters.enter(&index, node);
            literal.tokens.push(Place::Node(node));
        }
        for (who, how) in moves {
            if !advance(&mut literal, &mut counters, &index, who as usize, how as usize) {
                break;
            }
            for join in joins.iter().copied() {
                let Some(number) = index.join_at(join) else { continue };
                // A survivor still at the join is decided about once it has left (ORJ-8).
                if literal.tokens.contains(&Place::Node(join)) {
                    continue;
                }
                prop_assert_eq!(counters.may_fire(number), literal.may_fire(join), "join {} in {:?}", join, &literal.tokens);
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
