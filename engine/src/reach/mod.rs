//! *May this join fire?* in constant time, for inclusive joins in any directed graph.
//!
//! For a join J and a position p, let L(p) be the set of J's inputs that p can reach without passing J, and M the set of
//! inputs that hold a token. J may fire iff M is not empty and every other token has L = ∅ or L ∩ M ≠ ∅ (rule ORJ-1 of
//! `docs/semantics.md`). A search answers that in time proportional to the graph. The index answers it by counting:
//!
//! - Positions with the same L form a *class* of J. Only *partial* classes are kept, those with ∅ ≠ L ≠ all inputs: a
//!   token with L = ∅ never blocks J, and neither does one that reaches every input, since M is not empty. L grows
//!   backwards along the flow, so the partial positions are a neighbourhood of J, bounded by the places from which
//!   everything can be reached; nothing beyond is looked at or stored.
//! - Positions that are in the same classes of all joins form a *zone*. A move within a zone costs nothing; a move
//!   between zones touches the joins whose class changes.
//! - A state ([`Counters`]) holds, per class, how many tokens are in it and how many of its inputs are marked, and, per
//!   join, how many tokens block it. The decision is one comparison.
//!
//! ```
//! use petgraph::graph::DiGraph;
//! use trackside_engine::reach::{Counters, Index, Rule};
//!
//! // An OR diamond: split, two branches, join.
//! let mut graph = DiGraph::<(), ()>::new();
//! let [split, a, b, join] = [(); 4].map(|()| graph.add_node(()));
//! let into_a = graph.add_edge(split, a, ());
//! let into_b = graph.add_edge(split, b, ());
//! let one = graph.add_edge(a, join, ());
//! graph.add_edge(b, join, ());
//!
//! let index = Index::from_petgraph(&graph, &[join]);
//! let j = index.join_at(join.index() as u32).unwrap();
//! let mut state = Counters::new(&index, Rule::Standard);
//! // The split sends one token into each branch; the first of them arrives.
//! for edge in [into_a, into_b] {
//!     state.enter(&index, split.index() as u32);
//!     state.depart(&index, edge.index() as u32);
//! }
//! state.depart(&index, one.index() as u32);
//! state.arrive(&index, one.index() as u32);
//! state.mark(&index, one.index() as u32);
//! assert!(!state.may_fire(j), "the other branch can still deliver");
//! state.leave(&index, b.index() as u32);
//! assert!(state.may_fire(j), "its token is gone");
//! ```

mod ancestry;
mod build;
mod counters;
mod graph;

#[cfg(test)]
mod tests;

use ancestry::Ancestry;

pub use counters::{Counters, Rule};
pub use graph::{Edge, Graph};

/// No class, zone change or join.
pub(crate) const NONE: u32 = u32::MAX;

/// The index of one graph: made once, shared by all states.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// Joins, in the order in which they were given; searched ones have no classes.
    joins: Vec<Join>,
    /// The cell of the join at a node, where the index decides it.
    cell_of_node: Vec<u32>,
    /// A cell for each join and each class. It needs as many marked inputs as there are in its set.
    cells: Vec<counters::Cell>,
    node_zone: Vec<u32>,
    edges: Vec<Facts>,
    zones: Lists,
    /// Changes of zone that concern several classes: what happens to each, entering first.
    changes: Lists,
    /// Changes of zone that would take too much memory: from which to which.
    pairs: Vec<[u32; 2]>,
    /// Classes that contain an input beside its own, for inputs that have any.
    containing: Lists,
    /// What reaches what at all, where that is known in short.
    ancestry: Option<Ancestry>,
}

/// What the index knows of an edge, side by side.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// The zone of a token in transit here.
    zone: u32,
    /// The change of zone on leaving a node along this edge.
    change: u32,
    /// The class that a token here is in as an imminent arrival at its target.
    own: u32,
    /// The list of other classes that contain this input.
    containing: u32,
}

/// What a change of zone does to one class.
#[derive(Clone, Copy, Debug)]
struct Touch(u32);

impl Touch {
    const fn enter(class: u32) -> Self {
        Self(class << 1 | 1)
    }

    const fn leave(class: u32) -> Self {
        Self(class << 1)
    }

    #[inline]
    const fn class(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    const fn enters(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A change of zone with this bit is a list of touches; without it, it is the only touch.
const LIST: u32 = 1 << 31;
/// With this one too, it is two zones, whose difference is made when it is needed.
const PAIR: u32 = 1 << 30 | LIST;

#[derive(Clone, Debug)]
struct Join {
    node: u32,
    /// Whether the index decides it; otherwise its classes would have taken too much memory.
    indexed: bool,
}

/// Many short lists in one.
#[derive(Clone, Debug)]
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Self {
        Self {
            starts: vec![0],
            items: Vec::new(),
        }
    }
}

impl Lists {
    fn push(&mut self, items: &[u32]) -> u32 {
        self.items.extend_from_slice(items);
        self.starts.push(self.items.len() as u32);
        (self.starts.len() - 2) as u32
    }

    #[inline]
    fn get(&self, list: u32) -> &[u32] {
        &self.items[self.starts[list as usize] as usize..self.starts[list as usize + 1] as usize]
    }

    fn bytes(&self) -> usize {
        4 * (self.starts.len() + self.items.len())
    }
}

/// What becomes of a token that is in the classes `to` instead of `from`; both are in order.
fn difference(from: &[u32], to: &[u32], mut deed: impl FnMut(Touch)) {
    let beside = |all: &[u32], others: &[u32], deed: &mut dyn FnMut(u32)| {
        let mut others = others.iter().peekable();
        for &class in all {
            while others.next_if(|&&other| other < class).is_some() {}
            if others.peek() != Some(&&class) {
                deed(class);
            }
        }
    };
    beside(to, from, &mut |class| deed(Touch::enter(class)));
    beside(from, to, &mut |class| deed(Touch::leave(class)));
}

impl Index {
    /// The number of the join at `node`, where the index decides it.
    pub fn join_at(&self, node: u32) -> Option<u32> {
        let cell = *self.cell_of_node.get(node as usize)?;
        (cell != NONE).then_some(cell)
    }

    /// The node of a join.
    ///
    /// # Panics
    ///
    /// If there is no such join.
    pub fn node_of(&self, join: u32) -> u32 {
        self.joins[self.cells[join as usize].join as usize].node
    }

    /// Joins that the index does not decide, because their classes would have taken too much memory: for these the
    /// answer has to be searched for, by [`Graph::inputs_from`] for each token.
    pub fn searched(&self) -> impl Iterator<Item = u32> + '_ {
        self.joins.iter().filter(|join| !join.indexed).map(|join| join.node)
    }

    /// Whether there is no join to decide.
    pub fn is_empty(&self) -> bool {
        self.joins.is_empty()
    }

    /// How many classes there are over all joins.
    pub fn classes(&self) -> usize {
        self.cells.len() - self.joins.iter().filter(|join| join.indexed).count()
    }

    /// Memory of the tables, in bytes.
    pub fn bytes(&self) -> usize {
        let flat = [&self.cell_of_node, &self.node_zone];
        let flat: usize = flat.iter().map(|table| 4 * table.len()).sum();
        let lists: usize = [&self.zones, &self.changes, &self.containing]
            .iter()
            .map(|l| l.bytes())
            .sum();
        let cells = self.cells.len() * size_of::<counters::Cell>() + self.ancestry.as_ref().map_or(0, Ancestry::bytes);
        let pairs = self.pairs.len() * size_of::<[u32; 2]>();
        flat + cells + lists + pairs + self.joins.len() * size_of::<Join>() + self.edges.len() * size_of::<Facts>()
    }

    /// Whether a token at `node`, or in transit on its way there from anywhere but an input of the join, reaches every input
    /// of a join without passing it. `None` where the index can't tell: then [`Graph::inputs_from`] does.
    ///
    /// # Panics
    ///
    /// If there is no such join or node.
    pub fn reaches_all(&self, join: u32, node: u32) -> Option<bool> {
        let ancestry = self.ancestry.as_ref()?;
        let partial = |&class: &u32| self.cells[class as usize].join == join;
        let zone = self.zones.get(self.node_zone[node as usize]);
        // Where no input is out of reach, and one is in reach, all are.
        Some(node != self.node_of(join) && ancestry.reaches(node, self.node_of(join)) && !zone.iter().any(partial))
    }

    /// Whether a token at `node` reaches an input of a join, where it reaches some of the inputs but not all.
    ///
    /// # Panics
    ///
    /// If there is no such node or input.
    pub fn reaches_some(&self, node: u32, input: u32) -> bool {
        let Facts { own, containing, .. } = self.edges[input as usize];
        let others = if containing == NONE {
            &[][..]
        } else {
            self.containing.get(containing)
        };
        let zone = self.zones.get(self.node_zone[node as usize]);
        zone.iter().any(|class| *class == own || others.contains(class))
    }

    /// How many joins a move along `edge` touches, from its source through to its target; for most edges none.
    ///
    /// # Panics
    ///
    /// If there is no such edge.
    pub fn touched(&self, edge: u32) -> usize {
        let Facts { own, change, .. } = self.edges[edge as usize];
        let mut classes: Vec<u32> = (own != NONE).then_some(own).into_iter().collect();
        if change != NONE {
            self.touches(change, |touch| classes.push(touch.class()));
        }
        let mut joins: Vec<u32> = classes.iter().map(|&class| self.cells[class as usize].join).collect();
        joins.sort_unstable();
        joins.dedup();
        joins.len()
    }

    /// Goes through what a change of zone does. Entering comes before leaving: a join whose class merely changes is not
    /// freed in between.
    #[inline]
    fn touches(&self, change: u32, mut deed: impl FnMut(Touch)) {
        if change & LIST == 0 {
            deed(Touch(change));
        } else if change & PAIR != PAIR {
            for &touch in self.changes.get(change & !LIST) {
                deed(Touch(touch));
            }
        } else {
            let [from, to] = self.pairs[(change & !PAIR) as usize];
            difference(self.zones.get(from), self.zones.get(to), deed);
        }
    }

    /// The zone of a token at `node`; zone 0 is in no class.
    pub(crate) fn zone_at(&self, node: u32) -> u32 {
        self.node_zone[node as usize]
    }

    /// The zone of a token in transit on `edge`.
    pub(crate) fn zone_on(&self, edge: u32) -> u32 {
        self.edges[edge as usize].zone
    }

    /// The change of zone on leaving a node along `edge`; [`NONE`] for none.
    pub(crate) fn change_on(&self, edge: u32) -> u32 {
        self.edges[edge as usize].change
    }

    /// The class that a token in transit on `edge` is in as an imminent arrival; [`NONE`] where no join waits for it.
    pub(crate) fn own_on(&self, edge: u32) -> u32 {
        self.edges[edge as usize].own
    }
}
