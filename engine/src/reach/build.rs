//! Building an index: for each join a walk backwards, in reverse topological order of the strongly connected components,
//! that stops where every input can be reached.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::ancestry::Ancestry;
use super::counters::Cell;
use super::{Facts, Graph, Index, Join, LIST, Lists, NONE, PAIR, difference};

/// How many entries one join may take, per input and position in its neighbourhood, before it is left to search.
const ENTRIES_PER_POSITION_MAX: usize = 64;
/// How many entries all joins together may take, per node and edge of the graph.
const ENTRIES_PER_ELEMENT_MAX: usize = 16;
/// How many touches the lists of all changes of zone together may hold, per node and edge of the graph.
const TOUCHES_PER_ELEMENT_MAX: usize = 16;

/// The sets of inputs of one join that have come up, by number; set 0 is all of them.
const ALL: u32 = 0;

impl Index {
    /// The index of `graph` for these joins; a join's inputs are the edges that enter it, jumps aside. A join with fewer
    /// than two inputs needs no decision and gets none.
    ///
    /// # Panics
    ///
    /// If a join is no node of the graph.
    pub fn new(graph: &Graph, joins: &[u32]) -> Self {
        let mut builder = Builder::new(graph);
        for &node in joins {
            builder.join(node);
        }
        builder.finish()
    }
}

struct Builder<'g> {
    graph: &'g Graph,
    ranks: Vec<u32>,
    index: Index,
    /// Node and class, for all partial positions.
    members: Vec<(u32, u32)>,
    containing: Vec<(u32, u32)>,
    budget: usize,
    /// The joins that have been looked at, by node.
    known: Vec<bool>,
    // Scratch of one join's walk, by node: the number of its set, and whether it is queued.
    set_of: Vec<u32>,
    queued: Vec<Queued>,
    /// The same by edge: its place among the inputs.
    input_of: Vec<u32>,
}

/// Whether a node is queued, and whether what queued it was partial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Queued {
    No,
    All,
    Partial,
}

/// Nodes to be judged, lowest rank first.
struct Queue {
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    /// How many of them were queued by a partial successor.
    partial: usize,
}

/// One join's walk.
struct Walk {
    node: u32,
    inputs: Vec<u32>,
    sets: Vec<Vec<u32>>,
    numbers: BTreeMap<Vec<u32>, u32>,
    visited: Vec<u32>,
    entries: usize,
}

impl<'g> Builder<'g> {
    fn new(graph: &'g Graph) -> Self {
        let index = Index {
            cell_of_node: vec![NONE; graph.nodes],
            edges: vec![
                Facts {
                    zone: 0,
                    change: NONE,
                    own: NONE,
                    containing: NONE,
                };
                graph.edges.len()
            ],
            ..Index::default()
        };
        Self {
            graph,
            ranks: graph.ranks(),
            index,
            members: Vec::new(),
            containing: Vec::new(),
            known: vec![false; graph.nodes],
            budget: ENTRIES_PER_ELEMENT_MAX * (graph.nodes + graph.edges.len()) + 1024,
            set_of: vec![NONE; graph.nodes],
            queued: vec![Queued::No; graph.nodes],
            input_of: vec![NONE; graph.edges.len()],
        }
    }

    fn join(&mut self, node: u32) {
        let inputs: Vec<u32> = self
            .graph
            .entering(node)
            .filter(|(_, e)| !e.jump)
            .map(|(edge, _)| edge)
            .collect();
        if inputs.len() < 2 || std::mem::replace(&mut self.known[node as usize], true) {
            return;
        }
        for (rank, &input) in (0..).zip(&inputs) {
            self.input_of[input as usize] = rank;
        }
        let all: Vec<u32> = (0..inputs.len() as u32).collect();
        let mut walk = Walk {
            node,
            inputs,
            numbers: BTreeMap::from([(all.clone(), ALL)]),
            sets: vec![all],
            visited: Vec::new(),
            entries: 0,
        };
        let indexed = self.budget > 0 && self.walk(&mut walk);
        if indexed {
            self.classes(&walk);
        }
        for &visited in &walk.visited {
            self.set_of[visited as usize] = NONE;
        }
        self.index.joins.push(Join { node, indexed });
    }

    /// Finds the set of every position around the join; false if that would take too much.
    ///
    /// Positions come in order of rank, so that in an acyclic part each is judged once, after all it leads to. Whatever
    /// leads to a place that reaches everything reaches everything too. Such news travels on only as long as it can still
    /// meet a position that has been, or is about to be, judged partial: one further up, or one of the same component.
    fn walk(&mut self, walk: &mut Walk) -> bool {
        let mut queue = Queue {
            heap: BinaryHeap::new(),
            partial: 0,
        };
        let mut partial_rank_max = None;
        for &input in &walk.inputs {
            self.enqueue(&mut queue, walk.node, self.graph.edges[input as usize].source, true);
        }
        let mut affordable = true;
        while let Some(Reverse((rank, node))) = queue.heap.pop() {
            let hopeful = self.queued[node as usize] == Queued::Partial;
            queue.partial -= usize::from(hopeful);
            self.queued[node as usize] = Queued::No;
            if !affordable || (queue.partial == 0 && !hopeful && partial_rank_max < Some(rank)) {
                continue;
            }
            let set = self.reached_from(walk, node);
            let old = std::mem::replace(&mut self.set_of[node as usize], set);
            if old == NONE {
                walk.visited.push(node);
            }
            if old == set {
                continue;
            }
            if set != ALL {
                partial_rank_max = partial_rank_max.max(Some(rank));
            }
            for (_, edge) in self.graph.entering(node) {
                self.enqueue(&mut queue, walk.node, edge.source, set != ALL);
            }
            let entries_max = ENTRIES_PER_POSITION_MAX * (walk.inputs.len() + walk.visited.len());
            affordable = walk.entries <= entries_max && walk.entries + walk.visited.len() < self.budget;
        }
        self.budget = self.budget.saturating_sub(walk.entries + walk.visited.len());
        affordable && self.budget > 0
    }

    fn enqueue(&mut self, queue: &mut Queue, join: u32, node: u32, partial: bool) {
        if node == join {
            return;
        }
        let place = &mut self.queued[node as usize];
        if *place == Queued::No {
            queue.heap.push(Reverse((self.ranks[node as usize], node)));
            *place = Queued::All;
        }
        if partial && *place == Queued::All {
            *place = Queued::Partial;
            queue.partial += 1;
        }
    }

    /// The union of what the successors reach.
    fn reached_from(&self, walk: &mut Walk, node: u32) -> u32 {
        let mut only = NONE;
        let mut union: Vec<u32> = Vec::new();
        for (number, edge) in self.graph.leaving(node) {
            if edge.target == walk.node {
                let input = self.input_of[number as usize];
                union.extend((input != NONE).then_some(input));
                continue;
            }
            match self.set_of[edge.target as usize] {
                NONE => {}
                ALL => return ALL,
                set if set == only => {}
                set => {
                    union.extend_from_slice(&walk.sets[set as usize]);
                    only = set;
                }
            }
        }
        union.sort_unstable();
        union.dedup();
        if let Some(&known) = walk.numbers.get(&union) {
            return known;
        }
        let number = walk.sets.len() as u32;
        walk.entries += union.len();
        walk.numbers.insert(union.clone(), number);
        walk.sets.push(union);
        number
    }

    /// Gives the partial sets class numbers and notes who is in them. Every single input has a class, its own: that of a
    /// token in transit on it.
    fn classes(&mut self, walk: &Walk) {
        let join = self.index.cells.len() as u32;
        self.index.cell_of_node[walk.node as usize] = join;
        let mut cell = Cell {
            tokens: 0,
            hits: 0,
            join: self.index.joins.len() as u32,
            need: 1,
        };
        self.index.cells.push(cell);
        cell.join = join;
        let mut class_of = vec![NONE; walk.sets.len()];
        let new_class = |builder: &mut Self, inputs: &[u32]| {
            let class = builder.index.cells.len() as u32;
            let need = inputs.len().max(1) as u32;
            builder.index.cells.push(Cell { need, ..cell });
            builder
                .containing
                .extend(inputs.iter().map(|&input| (walk.inputs[input as usize], class)));
            class
        };
        for (rank, &input) in (0..).zip(&walk.inputs) {
            let class = new_class(self, &[]);
            self.index.edges[input as usize].own = class;
            if let Some(&set) = walk.numbers.get(&vec![rank]) {
                class_of[set as usize] = class;
            }
        }
        for &node in &walk.visited {
            let set = self.set_of[node as usize];
            if set == ALL || walk.sets[set as usize].is_empty() {
                continue;
            }
            if class_of[set as usize] == NONE {
                class_of[set as usize] = new_class(self, &walk.sets[set as usize]);
            }
            self.members.push((node, class_of[set as usize]));
        }
    }

    /// Zones, changes of zone, and the inverted lists.
    fn finish(mut self) -> Index {
        self.members.sort_unstable();
        let mut zones = Zones {
            known: BTreeMap::from([(Vec::new(), 0)]),
            lists: Lists::default(),
        };
        zones.lists.push(&[]);
        let mut members = self.members.iter().peekable();
        for node in 0..self.graph.nodes as u32 {
            let mut classes = Vec::new();
            while let Some((_, class)) = members.next_if(|(of, _)| *of == node) {
                classes.push(*class);
            }
            self.index.node_zone.push(zones.number(classes));
        }
        for (number, edge) in self.graph.edges.iter().enumerate() {
            let zone = self.index.node_zone[edge.target as usize];
            let own = self.index.edges[number].own;
            let zone = if own == NONE {
                zone
            } else {
                let mut classes = zones.lists.get(zone).to_vec();
                classes.push(own);
                classes.sort_unstable();
                zones.number(classes)
            };
            self.index.edges[number].zone = zone;
        }
        self.changes(&zones);
        self.containing.sort_unstable();
        let mut containing = self.containing.iter().peekable();
        for edge in 0..self.graph.edges.len() as u32 {
            let mut classes = Vec::new();
            while let Some((_, class)) = containing.next_if(|(of, _)| *of == edge) {
                classes.push(*class);
            }
            if !classes.is_empty() {
                self.index.edges[edge as usize].containing = self.index.containing.push(&classes);
            }
        }
        self.index.zones = zones.lists;
        self.index.ancestry = Ancestry::new(self.graph, &self.ranks);
        self.index
    }

    fn changes(&mut self, zones: &Zones) {
        let touches_max = TOUCHES_PER_ELEMENT_MAX * (self.graph.nodes + self.graph.edges.len()) + 1024;
        let mut touches = Vec::new();
        for (number, edge) in self.graph.edges.iter().enumerate() {
            let from = self.index.node_zone[edge.source as usize];
            let to = self.index.edges[number].zone;
            if edge.jump || from == to {
                continue;
            }
            let (before, after) = (zones.lists.get(from), zones.lists.get(to));
            touches.clear();
            // No more than all of both; what might not fit is not even made.
            let fits = self.index.changes.items.len() + before.len() + after.len() <= touches_max;
            if fits {
                difference(before, after, |touch| touches.push(touch.0));
            }
            self.index.edges[number].change = match touches[..] {
                [only] => only,
                _ if fits => self.index.changes.push(&touches) | LIST,
                _ => {
                    self.index.pairs.push([from, to]);
                    (self.index.pairs.len() - 1) as u32 | PAIR
                }
            };
        }
    }
}

struct Zones {
    known: BTreeMap<Vec<u32>, u32>,
    lists: Lists,
}

impl Zones {
    /// The zone that is in just these classes.
    fn number(&mut self, classes: Vec<u32>) -> u32 {
        if let Some(&zone) = self.known.get(&classes) {
            return zone;
        }
        let zone = self.lists.push(&classes);
        self.known.insert(classes, zone);
        zone
    }
}
