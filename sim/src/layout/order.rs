//! In which order the vertices of a layer stand: near what they are connected to, so that few edges cross.

use super::layers::Layered;

/// How often the layers are gone through, on and back.
const SWEEPS: usize = 8;

/// The vertices of each layer, from top to bottom.
pub(super) fn ordered(layered: &Layered) -> Vec<Vec<usize>> {
    let mut layers = vec![Vec::new(); layered.layers];
    for vertex in visited(layered) {
        layers[layered.layer[vertex]].push(vertex);
    }
    let mut place = vec![0.0; layered.layer.len()];
    let keep = |layer: &[usize], place: &mut [f64]| {
        for (at, &vertex) in (0_u32..).zip(layer) {
            place[vertex] = f64::from(at);
        }
    };
    for layer in &layers {
        keep(layer, &mut place);
    }
    for sweep in 0..SWEEPS {
        let on = sweep % 2 == 0;
        let neighbours = if on { &layered.previous } else { &layered.next };
        for step in 0..layers.len() {
            let layer = &mut layers[if on { step } else { layered.layers - 1 - step }];
            sort(layer, neighbours, &place);
            keep(layer, &mut place);
        }
    }
    layers
}

/// Sorts by the mean place of the neighbours; what has none keeps its own.
fn sort(layer: &mut [usize], neighbours: &[Vec<usize>], place: &[f64]) {
    let mut keys: Vec<(f64, usize)> = layer
        .iter()
        .map(|&vertex| (mean(&neighbours[vertex], place).unwrap_or(place[vertex]), vertex))
        .collect();
    keys.sort_by(|one, other| one.0.total_cmp(&other.0));
    for (vertex, (_, sorted)) in layer.iter_mut().zip(keys) {
        *vertex = sorted;
    }
}

/// The mean of some values, in the order in which they are listed, so that it is always the same one.
pub(super) fn mean(of: &[usize], values: &[f64]) -> Option<f64> {
    let sum: f64 = of.iter().map(|&index| values[index]).sum();
    (!of.is_empty()).then(|| sum / super::number(of.len()))
}

/// All vertices, those that belong together one after another: what a vertex leads to comes before its siblings.
fn visited(layered: &Layered) -> Vec<usize> {
    let count = layered.layer.len();
    let mut seen = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let starts = (0..count).filter(|&vertex| layered.previous[vertex].is_empty());
    for start in starts {
        let mut stack = vec![start];
        while let Some(vertex) = stack.pop() {
            if !std::mem::replace(&mut seen[vertex], true) {
                order.push(vertex);
                stack.extend(layered.next[vertex].iter().rev());
            }
        }
    }
    debug_assert_eq!(order.len(), count, "every vertex is behind a first one");
    order
}
