//! Coordinates: layers beside each other, and in a layer each vertex as near to its neighbours as the others let it.

use super::Point;
use super::layers::{Graph, Layered};
use super::order::{mean, ordered};

/// Between two layers, where edges bend.
pub(super) const GAP: f64 = 50.0;
/// Between two nodes of a layer.
const SPACE: f64 = 30.0;
/// Between an edge that passes and what is beside it.
const LANE: f64 = 14.0;
/// How often the layers are gone through, on and back.
const SWEEPS: usize = 6;

/// A graph that has been placed.
#[derive(Debug, Default)]
pub(super) struct Placed {
    /// The upper left corners of the vertices.
    pub(super) corners: Vec<Point>,
    /// For each edge, where it passes layers, from left to right: the layer's left and right border, and the height.
    pub(super) lanes: Vec<Vec<[f64; 3]>>,
    /// Width and height.
    pub(super) size: Point,
    /// The layer of each vertex, and the left and right border of each layer.
    layer: Vec<usize>,
    columns: Vec<[f64; 2]>,
}

impl Placed {
    pub(super) fn of(graph: &Graph) -> Self {
        let layered = Layered::of(graph);
        let layers = ordered(&layered);
        let height = |vertex: usize| graph.sizes.get(vertex).map_or(0.0, |size| size[1]);
        let centres = centres(&layered, &layers, &height);
        let tops = (0..centres.len()).map(|vertex| centres[vertex] - height(vertex) / 2.0);
        let top = tops.fold(f64::INFINITY, f64::min);
        let columns = columns(graph, &layers);
        let corner = |vertex: usize, size: &Point| {
            let [left, right] = columns[layered.layer[vertex]];
            [
                f64::midpoint(left, right) - size[0] / 2.0,
                centres[vertex] - size[1] / 2.0 - top,
            ]
            .map(f64::round)
        };
        let corners: Vec<Point> = graph
            .sizes
            .iter()
            .enumerate()
            .map(|(vertex, size)| corner(vertex, size))
            .collect();
        let lane = |&dummy: &usize| {
            let [left, right] = columns[layered.layer[dummy]];
            [left, right, (centres[dummy] - top).round()]
        };
        let bottoms = corners
            .iter()
            .zip(&graph.sizes)
            .map(|(corner, size)| corner[1] + size[1]);
        let lanes: Vec<Vec<_>> = layered
            .dummies
            .iter()
            .map(|dummies| dummies.iter().map(lane).collect())
            .collect();
        let lowest = lanes
            .iter()
            .flatten()
            .map(|lane| lane[2])
            .chain(bottoms)
            .fold(0.0, f64::max);
        Self {
            corners,
            size: [columns.last().map_or(0.0, |column| column[1]), lowest],
            lanes,
            layer: layered.layer,
            columns,
        }
    }

    /// The left and right border of a vertex's layer.
    pub(super) fn column(&self, vertex: usize) -> [f64; 2] {
        self.columns[self.layer[vertex]]
    }
}

/// The left and right borders of the layers.
fn columns(graph: &Graph, layers: &[Vec<usize>]) -> Vec<[f64; 2]> {
    let mut left = 0.0;
    let width = |layer: &Vec<usize>| {
        let widths = layer
            .iter()
            .filter_map(|&vertex| graph.sizes.get(vertex))
            .map(|size| size[0]);
        widths.fold(0.0, f64::max)
    };
    let column = |layer| {
        let column = [left, left + width(layer)];
        left = column[1] + GAP;
        column
    };
    layers.iter().map(column).collect()
}

/// The heights of the centres of all vertices.
fn centres(layered: &Layered, layers: &[Vec<usize>], height: &dyn Fn(usize) -> f64) -> Vec<f64> {
    let mut centres = vec![0.0; layered.layer.len()];
    for layer in layers {
        settle(layer, &mut centres, height, &|_| None);
    }
    for sweep in 0..SWEEPS {
        let on = sweep % 2 == 0;
        let neighbours = if on { &layered.previous } else { &layered.next };
        for step in 0..layers.len() {
            let layer = &layers[if on { step } else { layers.len() - 1 - step }];
            let wishes: Vec<_> = layer
                .iter()
                .map(|&vertex| mean(&neighbours[vertex], &centres))
                .collect();
            settle(layer, &mut centres, height, &|at| wishes[at]);
        }
    }
    centres
}

/// Puts the vertices of a layer as near as possible to where they wish to be, in their order and without overlap.
///
/// With the room that each needs taken off, the order is the only condition left. Then the best places are found by
/// pooling: neighbours in the wrong order share the mean of their wishes (least squares).
fn settle(layer: &[usize], centres: &mut [f64], height: &dyn Fn(usize) -> f64, wish: &dyn Fn(usize) -> Option<f64>) {
    let mut room = 0.0;
    let mut rooms = Vec::with_capacity(layer.len());
    // Sums of wishes, and of how many.
    let mut pools: Vec<(f64, u32)> = Vec::new();
    for (at, &vertex) in layer.iter().enumerate() {
        if let Some(above) = at.checked_sub(1).map(|above| layer[above]) {
            let (above, own) = (height(above), height(vertex));
            let space = if above > 0.0 && own > 0.0 { SPACE } else { LANE };
            room += f64::midpoint(above, own) + space;
        }
        rooms.push(room);
        pools.push((wish(at).unwrap_or(centres[vertex]) - room, 1));
        while let [.., (one, of_one), (other, of_other)] = pools[..]
            && one / f64::from(of_one) >= other / f64::from(of_other)
        {
            pools.truncate(pools.len() - 2);
            pools.push((one + other, of_one + of_other));
        }
    }
    let places = pools
        .iter()
        .flat_map(|&(sum, of)| (0..of).map(move |_| sum / f64::from(of)));
    for ((&vertex, place), room) in layer.iter().zip(places).zip(rooms) {
        centres[vertex] = place + room;
    }
}
