//! Which layer each vertex stands in: behind all that leads to it, flows that lead back aside.

use super::Point;

/// What is to be placed: vertices with their sizes, and edges between them.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) sizes: Vec<Point>,
    pub(super) edges: Vec<[usize; 2]>,
}

/// The graph in layers. Vertices from the original ones on are dummies: places where an edge passes a layer.
pub(super) struct Layered {
    /// The layer of each vertex.
    pub(super) layer: Vec<usize>,
    /// How many layers there are.
    pub(super) layers: usize,
    /// Edges from each vertex to the next layer, and back.
    pub(super) next: Vec<Vec<usize>>,
    pub(super) previous: Vec<Vec<usize>>,
    /// For each edge, the dummies from its lower to its higher layer.
    pub(super) dummies: Vec<Vec<usize>>,
}

/// Where edges pass more layers than this in all, the longest ones get no lanes.
const DUMMIES_MAX: usize = 50_000;

impl Layered {
    pub(super) fn of(graph: &Graph) -> Self {
        let count = graph.sizes.len();
        let forward = forward(graph);
        let layer = longest_paths(count, &forward);
        let layers = layer.iter().max().map_or(0, |last| last + 1);
        let mut layered = Self {
            layer,
            layers,
            next: vec![Vec::new(); count],
            previous: vec![Vec::new(); count],
            dummies: vec![Vec::new(); graph.edges.len()],
        };
        layered.lanes(&forward);
        layered
    }

    /// Threads every edge through the layers it passes, short edges first.
    fn lanes(&mut self, forward: &[Option<[usize; 2]>]) {
        let length = |&[from, to]: &[usize; 2]| self.layer[to] - self.layer[from];
        let edges = forward.iter().enumerate();
        let mut edges: Vec<(usize, usize, [usize; 2])> = edges
            .filter_map(|(index, edge)| edge.map(|edge| (length(&edge), index, edge)))
            .collect();
        edges.sort_unstable();
        let mut left = DUMMIES_MAX;
        for (length, index, [from, to]) in edges {
            let Some(rest) = left.checked_sub(length - 1) else {
                break;
            };
            left = rest;
            let mut last = from;
            for layer in self.layer[from] + 1..self.layer[to] {
                let dummy = self.layer.len();
                self.layer.push(layer);
                self.next.push(Vec::new());
                self.previous.push(Vec::new());
                self.dummies[index].push(dummy);
                self.join(last, dummy);
                last = dummy;
            }
            self.join(last, to);
        }
    }

    fn join(&mut self, from: usize, to: usize) {
        self.next[from].push(to);
        self.previous[to].push(from);
    }
}

/// The edges, turned round where they lead back; none for an edge from a vertex to itself.
///
/// An edge leads back if it closes a circle of those that a walk in depth has followed. The walk has a stack of its own.
fn forward(graph: &Graph) -> Vec<Option<[usize; 2]>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        Open,
        Done,
    }
    let count = graph.sizes.len();
    let mut out = vec![Vec::new(); count];
    let mut entered = vec![false; count];
    for (index, &[from, to]) in graph.edges.iter().enumerate() {
        if from != to {
            out[from].push(index);
            entered[to] = true;
        }
    }
    let mut forward: Vec<_> = graph
        .edges
        .iter()
        .map(|&[from, to]| (from != to).then_some([from, to]))
        .collect();
    let mut seen = vec![Seen::Not; count];
    let starts = (0..count).filter(|&vertex| !entered[vertex]).chain(0..count);
    for start in starts {
        let mut stack = Vec::new();
        if seen[start] == Seen::Not {
            seen[start] = Seen::Open;
            stack.push((start, 0));
        }
        while let Some((vertex, at)) = stack.last_mut() {
            let (from, Some(&edge)) = (*vertex, out[*vertex].get(*at)) else {
                seen[*vertex] = Seen::Done;
                stack.pop();
                continue;
            };
            *at += 1;
            let to = graph.edges[edge][1];
            match seen[to] {
                Seen::Not => {
                    seen[to] = Seen::Open;
                    stack.push((to, 0));
                }
                Seen::Open => forward[edge] = Some([to, from]),
                Seen::Done => {}
            }
        }
    }
    forward
}

/// How many edges the longest way to each vertex has. The edges have no circles.
fn longest_paths(count: usize, edges: &[Option<[usize; 2]>]) -> Vec<usize> {
    let mut out = vec![Vec::new(); count];
    let mut missing = vec![0_usize; count];
    for &[from, to] in edges.iter().flatten() {
        out[from].push(to);
        missing[to] += 1;
    }
    let mut layer = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|&vertex| missing[vertex] == 0).collect();
    while let Some(vertex) = ready.pop() {
        for &to in &out[vertex] {
            layer[to] = layer[to].max(layer[vertex] + 1);
            missing[to] -= 1;
            if missing[to] == 0 {
                ready.push(to);
            }
        }
    }
    debug_assert!(missing.iter().all(|&missing| missing == 0), "the edges have no circles");
    layer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layered(count: usize, edges: &[[usize; 2]]) -> Layered {
        Layered::of(&Graph {
            sizes: vec![[10.0, 10.0]; count],
            edges: edges.to_vec(),
        })
    }

    #[test]
    fn edges_lead_on_but_for_those_that_lead_back() {
        let found = layered(4, &[[0, 1], [1, 2], [2, 1], [0, 2], [2, 3], [3, 0], [3, 3]]);
        assert_eq!(found.layer[..4], [0, 1, 2, 3]);
        // From 0 to 2 past layer 1; back from 3 to 0 past layers 1 and 2.
        assert_eq!(
            found.dummies.iter().map(Vec::len).collect::<Vec<_>>(),
            [0, 0, 0, 1, 0, 2, 0]
        );
        assert_eq!(found.layer[4..], [1, 1, 2]);
    }

    #[test]
    fn a_long_chain_is_no_deep_call() {
        let edges: Vec<_> = (1..200_000).map(|n| [n - 1, n]).collect();
        assert_eq!(layered(200_000, &edges).layers, 200_000);
    }

    #[test]
    fn lanes_have_a_bound() {
        let mut edges: Vec<_> = (1..2_000).map(|n| [n - 1, n]).collect();
        edges.extend((0..100).map(|n| [n, 1_999]));
        let found = layered(2_000, &edges);
        assert!(found.layer.len() <= 2_000 + DUMMIES_MAX);
        assert!(found.dummies.iter().any(|dummies| dummies.len() > 1_000));
    }
}
