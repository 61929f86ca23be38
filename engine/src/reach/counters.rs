//! The state beside an [`Index`]: how many tokens are where, and whom they block.

use super::{Facts, Index, LIST, NONE, PAIR, Touch};

/// Counts for one set of tokens. Everything in it follows from where the tokens are and which inputs are marked.
///
/// # Panics
///
/// All methods do for a node, an edge or a join that the index does not have, and may for another index than the one that
/// the counts were made for, or for a token that was never there.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    cells: Vec<Cell>,
    /// Joins that may fire since [`Self::freed`] was last asked; a hint, to be decided again.
    freed: Vec<u32>,
}

/// The counts of a join or of one of its classes. A join stands right before its classes, so that what a touch needs lies
/// side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub(super) struct Cell {
    /// Of a class: the tokens in it. Of a join: the tokens that block it, which are those in its classes with too few hits.
    pub(super) tokens: u32,
    /// Marked inputs: those in the set of a class, or all of a join's.
    pub(super) hits: u32,
    /// Of a class: the cell of its join. Of a join: its place among the joins.
    pub(super) join: u32,
    /// How many marked inputs a class needs so that its tokens do not block.
    pub(super) need: u32,
}

/// When a token blocks a join, by the set L of inputs that it can reach and the set M of those that are marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// L is not empty and holds no marked input (ORJ-1).
    #[default]
    Standard,
    /// L holds an input that is not marked (ORJ-2). Tokens that reach every input are not counted: whoever has the tokens
    /// asks [`Index::reaches_all`] for them, unless every input is marked.
    Conservative,
}

impl Counters {
    /// Counts of no tokens.
    pub fn new(index: &Index, rule: Rule) -> Self {
        let mut counters = Self::default();
        counters.reset(index, rule);
        counters
    }

    /// Forgets all tokens and marks.
    pub fn reset(&mut self, index: &Index, rule: Rule) {
        if index.is_empty() && self.cells.is_empty() {
            return;
        }
        self.cells.clone_from(&index.cells);
        if rule == Rule::Standard {
            for cell in &mut self.cells {
                cell.need = 1;
            }
        }
        self.freed.clear();
    }

    /// Whether two states count the same.
    pub fn agrees(&self, other: &Self) -> bool {
        self.cells == other.cells
    }

    /// The decision: an input is marked, and no token that is counted blocks ([`Rule`]).
    #[inline]
    pub fn may_fire(&self, join: u32) -> bool {
        let Cell { tokens, hits, .. } = self.cells[join as usize];
        hits != 0 && tokens == 0
    }

    /// How many inputs of a join are marked.
    #[inline]
    pub fn marked(&self, join: u32) -> u32 {
        self.cells[join as usize].hits
    }

    /// Whether a token that reaches some inputs, but not all, reaches this one: the edge is an input of a join that the
    /// index knows.
    pub fn some_reach(&self, index: &Index, edge: u32) -> bool {
        let Facts { own, containing, .. } = index.edges[edge as usize];
        let occupied = |class: u32| self.cells[class as usize].tokens > 0;
        own != NONE
            && (occupied(own)
                || (containing != NONE && index.containing.get(containing).iter().any(|&class| occupied(class))))
    }

    /// Joins that have become free to fire by what happened since it was last asked.
    #[inline]
    pub fn freed(&mut self) -> Option<u32> {
        self.freed.pop()
    }

    /// A token appears at `node`.
    #[inline]
    pub fn enter(&mut self, index: &Index, node: u32) {
        self.enter_zone(index, index.node_zone[node as usize]);
    }

    /// A token at `node` disappears.
    #[inline]
    pub fn leave(&mut self, index: &Index, node: u32) {
        self.leave_zone(index, index.node_zone[node as usize]);
    }

    /// A token in transit on `edge` disappears.
    #[inline]
    pub fn leave_edge(&mut self, index: &Index, edge: u32) {
        self.leave_zone(index, index.edges[edge as usize].zone);
    }

    /// A token leaves the source of `edge` and is in transit on it.
    #[inline]
    pub fn depart(&mut self, index: &Index, edge: u32) {
        let change = index.edges[edge as usize].change;
        if change != NONE {
            self.change(index, change);
        }
    }

    /// A token in transit on `edge` is at its target.
    #[inline]
    pub fn arrive(&mut self, index: &Index, edge: u32) {
        let own = index.edges[edge as usize].own;
        if own != NONE {
            self.remove(own);
        }
    }

    /// The first token is registered on `edge`, an input of a join.
    #[inline]
    pub fn mark(&mut self, index: &Index, edge: u32) {
        let Facts { own, containing, .. } = index.edges[edge as usize];
        if own == NONE {
            return;
        }
        let join = self.hit(own);
        if containing != NONE {
            for &class in index.containing.get(containing) {
                self.hit(class);
            }
        }
        self.cells[join as usize].hits += 1;
        self.note(join);
    }

    /// The last token on `edge`, an input of a join, is consumed.
    #[inline]
    pub fn unmark(&mut self, index: &Index, edge: u32) {
        let Facts { own, containing, .. } = index.edges[edge as usize];
        if own == NONE {
            return;
        }
        let join = self.miss(own);
        if containing != NONE {
            for &class in index.containing.get(containing) {
                self.miss(class);
            }
        }
        self.cells[join as usize].hits -= 1;
    }

    /// One more input of a class is marked; gives its join.
    #[inline]
    fn hit(&mut self, class: u32) -> u32 {
        let class = &mut self.cells[class as usize];
        class.hits += 1;
        let Cell {
            tokens,
            hits,
            join,
            need,
        } = *class;
        if hits == need {
            self.cells[join as usize].tokens -= tokens;
        }
        join
    }

    #[inline]
    fn miss(&mut self, class: u32) -> u32 {
        let class = &mut self.cells[class as usize];
        let Cell {
            tokens,
            hits,
            join,
            need,
        } = *class;
        class.hits -= 1;
        if hits == need {
            self.cells[join as usize].tokens += tokens;
        }
        join
    }

    #[inline]
    pub(crate) fn enter_zone(&mut self, index: &Index, zone: u32) {
        for &class in index.zones.get(zone) {
            self.add(class);
        }
    }

    #[inline]
    pub(crate) fn leave_zone(&mut self, index: &Index, zone: u32) {
        for &class in index.zones.get(zone) {
            self.remove(class);
        }
    }

    #[inline]
    pub(crate) fn change(&mut self, index: &Index, change: u32) {
        // The first two are by far the most frequent, and worth a path of their own.
        if change & LIST == 0 {
            self.touch(Touch(change));
        } else if change & PAIR != PAIR {
            for &touch in index.changes.get(change & !LIST) {
                self.touch(Touch(touch));
            }
        } else {
            index.touches(change, |touch| self.touch(touch));
        }
    }

    #[inline]
    fn touch(&mut self, touch: Touch) {
        if touch.enters() {
            self.add(touch.class());
        } else {
            self.remove(touch.class());
        }
    }

    #[inline]
    fn add(&mut self, class: u32) {
        let class = &mut self.cells[class as usize];
        class.tokens += 1;
        let Cell { hits, join, need, .. } = *class;
        if hits < need {
            self.cells[join as usize].tokens += 1;
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, class: u32) {
        let class = &mut self.cells[class as usize];
        class.tokens -= 1;
        let Cell { hits, join, need, .. } = *class;
        if hits < need {
            self.cells[join as usize].tokens -= 1;
            self.note(join);
        }
    }

    #[inline]
    fn note(&mut self, join: u32) {
        if self.may_fire(join) {
            self.freed.push(join);
        }
    }
}
