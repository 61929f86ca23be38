//! Which nodes can be reached from which: intervals over a spanning tree (Agrawal, Borgida, Jagadish 1989).
//!
//! Strongly connected components are numbered in postorder of a spanning forest, so that what is below a component in its
//! tree is an interval of numbers, and everything that it can reach is a few of them. On block-structured graphs that is
//! about two per component. Where it would be many, there are none, and the answer has to be searched for.

use super::Graph;

/// How many intervals there may be, per node and edge of the graph.
const INTERVALS_PER_ELEMENT_MAX: usize = 4;
/// How many may be put together to make them, likewise.
const UNITED_PER_ELEMENT_MAX: usize = 64;

/// The answers for one graph.
#[derive(Clone, Debug)]
pub(super) struct Ancestry {
    places: Vec<Place>,
    /// The intervals of list `l` are those from `starts[l]` to `starts[l + 1]`, in order.
    starts: Vec<u32>,
    intervals: Vec<Interval>,
}

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The numbers of its component and of those below it in the tree; its own is the last.
    below: Interval,
    /// The list of what else it reaches. Neighbours in a row share one.
    list: u32,
}

/// Numbers from the first to the last, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Interval {
    first: u32,
    last: u32,
}

impl Interval {
    const fn holds(self, number: u32) -> bool {
        self.first <= number && number <= self.last
    }
}

impl Ancestry {
    /// Makes them; `ranks` is the place of each node's component in reverse topological order. `None` where they would be
    /// too many.
    pub(super) fn new(graph: &Graph, ranks: &[u32]) -> Option<Self> {
        let components = ranks.iter().max().map_or(0, |&last| last as usize + 1);
        let tree = Tree::new(graph, ranks, components);
        let elements = graph.nodes + graph.edges.len();
        let intervals_max = INTERVALS_PER_ELEMENT_MAX * elements + 64;
        let mut budget = UNITED_PER_ELEMENT_MAX * elements + 64;
        let mut leaving = vec![Vec::new(); components];
        for edge in &graph.edges {
            let (from, to) = (ranks[edge.source as usize], ranks[edge.target as usize]);
            if from != to {
                leaving[from as usize].push(to);
            }
        }
        let mut answers = Self {
            places: Vec::new(),
            starts: vec![0],
            intervals: Vec::new(),
        };
        let mut places: Vec<Place> = Vec::with_capacity(components);
        // Reverse topological order: what a component leads to comes before it.
        for (component, targets) in leaving.iter().enumerate() {
            let below = tree.below(component);
            let list = match targets[..] {
                [only] if below.holds(places[only as usize].below.last) => places[only as usize].list,
                _ => {
                    let targets = targets.iter().map(|&target| places[target as usize]);
                    answers.list(below, targets.collect(), &mut budget)?
                }
            };
            if answers.intervals.len() > intervals_max {
                return None;
            }
            places.push(Place { below, list });
        }
        answers.places = ranks.iter().map(|&component| places[component as usize]).collect();
        Some(answers)
    }

    /// A list of what these places reach beyond `below`; `None` where the budget does not suffice.
    fn list(&mut self, below: Interval, mut targets: Vec<Place>, budget: &mut usize) -> Option<u32> {
        targets.sort_unstable_by_key(|target| target.list);
        let mut union = Vec::new();
        let mut last = None;
        for target in targets {
            union.push(target.below);
            if last.replace(target.list) != Some(target.list) {
                let beyond = self.beyond(target);
                *budget = budget.checked_sub(beyond.len())?;
                union.extend_from_slice(beyond);
            }
        }
        union.retain(|interval| !(below.holds(interval.first) && below.holds(interval.last)));
        union.sort_unstable();
        push_merged(&union, &mut self.intervals);
        self.starts.push(self.intervals.len() as u32);
        Some((self.starts.len() - 2) as u32)
    }

    fn beyond(&self, place: Place) -> &[Interval] {
        let list = place.list as usize;
        &self.intervals[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    /// Whether a way leads from `from` to `to`, of any length, none included.
    #[inline]
    pub(super) fn reaches(&self, from: u32, to: u32) -> bool {
        let from = self.places[from as usize];
        let number = self.places[to as usize].below.last;
        if from.below.holds(number) {
            return true;
        }
        let beyond = self.beyond(from);
        let at = beyond.partition_point(|interval| interval.last < number);
        beyond.get(at).is_some_and(|interval| interval.first <= number)
    }

    pub(super) fn bytes(&self) -> usize {
        self.places.len() * size_of::<Place>()
            + self.starts.len() * size_of::<u32>()
            + self.intervals.len() * size_of::<Interval>()
    }
}

/// Adds sorted intervals to `out`, those that touch as one.
fn push_merged(sorted: &[Interval], out: &mut Vec<Interval>) {
    let from = out.len();
    for &next in sorted {
        match out[from..].last_mut() {
            Some(open) if next.first <= open.last.saturating_add(1) => open.last = open.last.max(next.last),
            _ => out.push(next),
        }
    }
}

/// A spanning forest of the components.
struct Tree {
    /// In postorder.
    number: Vec<u32>,
    /// The lowest number below a component.
    first: Vec<u32>,
}

impl Tree {
    /// Each component hangs below the nearest one that leads to it.
    fn new(graph: &Graph, ranks: &[u32], components: usize) -> Self {
        let mut parent = vec![u32::MAX; components];
        for edge in &graph.edges {
            let (from, to) = (ranks[edge.source as usize], ranks[edge.target as usize]);
            if from != to {
                let parent = &mut parent[to as usize];
                *parent = (*parent).min(from);
            }
        }
        let mut children = vec![Vec::new(); components];
        for (component, &parent) in (0u32..).zip(&parent) {
            if parent != u32::MAX {
                children[parent as usize].push(component);
            }
        }
        let mut tree = Self {
            number: vec![0; components],
            first: vec![0; components],
        };
        let mut next = 0;
        for root in (0..components as u32).filter(|&root| parent[root as usize] == u32::MAX) {
            tree.walk(root, &children, &mut next);
        }
        tree
    }

    fn walk(&mut self, root: u32, children: &[Vec<u32>], next: &mut u32) {
        self.first[root as usize] = *next;
        let mut stack = vec![(root, 0)];
        while let Some((component, done)) = stack.pop() {
            if let Some(&child) = children[component as usize].get(done) {
                stack.push((component, done + 1));
                self.first[child as usize] = *next;
                stack.push((child, 0));
            } else {
                self.number[component as usize] = *next;
                *next += 1;
            }
        }
    }

    fn below(&self, component: usize) -> Interval {
        Interval {
            first: self.first[component],
            last: self.number[component],
        }
    }
}
