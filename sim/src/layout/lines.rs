//! The points of a flow's line.

use super::Point;

/// The points of a line, from the border of its source to that of its target.
pub(super) type Line = Vec<Point>;

/// How far from a layer lines go up and down.
const BEND: f64 = 20.0;
/// How far above a node, or below a boundary event, a line runs along it.
const ALONG: f64 = 12.0;

/// Corner and size of what is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Box {
    pub(super) corner: Point,
    pub(super) size: Point,
}

impl Box {
    pub(super) const fn new(corner: Point, size: Point) -> Self {
        Self { corner, size }
    }

    pub(super) fn sides(self) -> [f64; 2] {
        [self.corner[0], self.corner[0] + self.size[0]]
    }

    pub(super) fn bottom(self) -> f64 {
        self.corner[1] + self.size[1]
    }

    pub(super) fn centre(self) -> Point {
        [self.corner[0] + self.size[0] / 2.0, self.corner[1] + self.size[1] / 2.0]
    }
}

/// What decides a line.
pub(super) struct Course<'p> {
    /// The boundary event that it leaves from, on its host.
    pub(super) watcher: Option<Box>,
    /// Source, or its host, and target.
    pub(super) ends: [Box; 2],
    /// The borders of their layers.
    pub(super) columns: [[f64; 2]; 2],
    /// Where it passes layers, from left to right.
    pub(super) lanes: &'p [[f64; 3]],
}

pub(super) fn line(course: &Course<'_>) -> Line {
    let [source, target] = course.ends;
    let [from, to] = course.columns;
    let mut line = Vec::with_capacity(8);
    if source == target {
        around(&mut line, course);
    } else if from[1] <= to[0] {
        leave(&mut line, course, [source.sides()[1], source.centre()[1]]);
        for &[left, right, height] in course.lanes {
            step(&mut line, left - BEND, height);
            line.push([right, height]);
        }
        let height = target.centre()[1];
        step(&mut line, to[0] - BEND, height);
        line.push([to[0].max(target.corner[0]), height]);
    } else {
        let [middle, top] = [source.centre()[0], source.corner[1]];
        leave(&mut line, course, [middle, top]);
        if course.watcher.is_none() {
            line.push([middle, top - ALONG]);
        }
        for &[left, right, height] in course.lanes.iter().rev() {
            step(&mut line, right + BEND, height);
            line.push([left, height]);
        }
        let [middle, top] = [target.centre()[0], target.corner[1]];
        step(&mut line, to[1] + BEND, top - ALONG);
        line.extend([[middle, top - ALONG], [middle, top]]);
    }
    straightened(line)
}

/// Begins at `point`, or below the boundary event.
fn leave(line: &mut Line, course: &Course<'_>, point: Point) {
    match course.watcher {
        Some(watcher) => {
            let [middle, bottom] = [watcher.centre()[0], watcher.bottom()];
            line.extend([[middle, bottom], [middle, bottom + ALONG]]);
        }
        None => line.push(point),
    }
}

/// Goes on at the same height to `across`, and there to `height`.
fn step(line: &mut Line, across: f64, height: f64) {
    if let Some(&[_, before]) = line.last()
        && (before - height).abs() > f64::EPSILON
    {
        line.extend([[across, before], [across, height]]);
    }
}

/// From a node, or a boundary event on it, back to it.
fn around(line: &mut Line, course: &Course<'_>) {
    let node = course.ends[0];
    let ([left, right], [middle, height]) = (node.sides(), node.centre());
    leave(line, course, [right, height]);
    if course.watcher.is_some() {
        step(line, left - ALONG, height);
        line.push([left, height]);
    } else {
        step(line, right + ALONG, node.corner[1] - ALONG);
        line.extend([[middle, node.corner[1] - ALONG], [middle, node.corner[1]]]);
    }
}

/// Without points that lie on the way between those beside them.
fn straightened(line: Line) -> Line {
    let mut kept: Line = Vec::with_capacity(line.len());
    for point in line {
        let same = |one: f64, other: f64| (one - other).abs() < f64::EPSILON;
        if let [.., one, other] = kept[..]
            && (0..2).any(|axis| same(one[axis], other[axis]) && same(other[axis], point[axis]))
        {
            kept.pop();
        }
        kept.push(point);
    }
    kept
}
