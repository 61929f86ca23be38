//! The state beside an [`Index`]: how many tokens are where, and whom they block.

use super::{Index, NONE};

/// Counts for one set of tokens. Everything in it follows from where the tokens are and which inputs are marked.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Tokens in a class.
    tokens: Vec<u32>,
    /// Marked inputs in the set of a class.
    hits: Vec<u32>,
    /// Marked inputs of a join.
    marked: Vec<u32>,
    /// Tokens that block a join: those in its classes without a marked input.
    blocked: Vec<u32>,
    /// Joins that may fire since [`Self::freed`] was last asked; a hint, to be decided again.
    freed: Vec<u32>,
}

impl Counters {
    /// Counts of no tokens.
    pub fn new(index: &Index) -> Self {
        let mut counters = Self::default();
        counters.reset(index);
        counters
    }

    /// Forgets all tokens and marks.
    pub fn reset(&mut self, index: &Index) {
        if index.is_empty() && self.tokens.is_empty() && self.marked.is_empty() {
            return;
        }
        for (table, len) in [
            (&mut self.tokens, index.class_join.len()),
            (&mut self.hits, index.class_join.len()),
            (&mut self.marked, index.joins.len()),
            (&mut self.blocked, index.joins.len()),
        ] {
            table.clear();
            table.resize(len, 0);
        }
        self.freed.clear();
    }

    /// Whether two states count the same.
    pub fn agrees(&self, other: &Self) -> bool {
        self.tokens == other.tokens
            && self.hits == other.hits
            && self.marked == other.marked
            && self.blocked == other.blocked
    }

    /// The decision.
    #[inline]
    pub fn may_fire(&self, join: u32) -> bool {
        self.marked[join as usize] != 0 && self.blocked[join as usize] == 0
    }

    /// Joins that have become free to fire by what happened since it was last asked.
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
        self.leave_zone(index, index.edge_zone[edge as usize]);
    }

    /// A token leaves the source of `edge` and is in transit on it.
    #[inline]
    pub fn depart(&mut self, index: &Index, edge: u32) {
        let change = index.edge_change[edge as usize];
        if change != NONE {
            self.change(index, change);
        }
    }

    /// A token in transit on `edge` is at its target.
    #[inline]
    pub fn arrive(&mut self, index: &Index, edge: u32) {
        let own = index.edge_own[edge as usize];
        if own != NONE {
            self.remove(index, own);
        }
    }

    /// The first token is registered on `edge`, an input of a join.
    pub fn mark(&mut self, index: &Index, edge: u32) {
        let own = index.edge_own[edge as usize];
        if own == NONE {
            return;
        }
        let join = index.class_join[own as usize] as usize;
        self.marked[join] += 1;
        for &class in index.containing.get(edge) {
            let hits = &mut self.hits[class as usize];
            *hits += 1;
            if *hits == 1 {
                self.blocked[join] -= self.tokens[class as usize];
            }
        }
        self.note(join as u32);
    }

    /// The last token on `edge`, an input of a join, is consumed.
    pub fn unmark(&mut self, index: &Index, edge: u32) {
        let own = index.edge_own[edge as usize];
        if own == NONE {
            return;
        }
        let join = index.class_join[own as usize] as usize;
        self.marked[join] -= 1;
        for &class in index.containing.get(edge) {
            let hits = &mut self.hits[class as usize];
            *hits -= 1;
            if *hits == 0 {
                self.blocked[join] += self.tokens[class as usize];
            }
        }
    }

    #[inline]
    pub(crate) fn enter_zone(&mut self, index: &Index, zone: u32) {
        for &class in index.zones.get(zone) {
            self.add(index, class);
        }
    }

    #[inline]
    pub(crate) fn leave_zone(&mut self, index: &Index, zone: u32) {
        for &class in index.zones.get(zone) {
            self.remove(index, class);
        }
    }

    /// Entering before leaving: a join whose class merely changes is not freed in between.
    #[inline]
    pub(crate) fn change(&mut self, index: &Index, change: u32) {
        for &class in index.entered.get(change) {
            self.add(index, class);
        }
        for &class in index.left.get(change) {
            self.remove(index, class);
        }
    }

    #[inline]
    fn add(&mut self, index: &Index, class: u32) {
        self.tokens[class as usize] += 1;
        let join = index.class_join[class as usize];
        self.blocked[join as usize] += u32::from(self.hits[class as usize] == 0);
    }

    #[inline]
    pub(crate) fn remove(&mut self, index: &Index, class: u32) {
        self.tokens[class as usize] -= 1;
        if self.hits[class as usize] == 0 {
            let join = index.class_join[class as usize];
            self.blocked[join as usize] -= 1;
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
