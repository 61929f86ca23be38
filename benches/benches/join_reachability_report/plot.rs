//! Curves on two logarithmic axes.

use std::path::Path;

use plotters::prelude::*;

use crate::spread::number;

const SIZE: (u32, u32) = (820, 520);
const COLORS: [RGBColor; 8] = [
    RGBColor(200, 30, 30),
    RGBColor(30, 90, 200),
    RGBColor(20, 140, 60),
    RGBColor(150, 70, 180),
    RGBColor(220, 130, 0),
    RGBColor(0, 150, 160),
    RGBColor(110, 80, 50),
    RGBColor(90, 90, 90),
];

/// Some curves.
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x: &'static str,
    pub(crate) y: &'static str,
    pub(crate) curves: Vec<(String, Vec<(f64, f64)>)>,
}

impl Plot {
    /// Draws it into a file.
    ///
    /// # Panics
    ///
    /// If the file can't be written.
    pub(crate) fn draw(&self, path: &Path) {
        let all = || self.curves.iter().flat_map(|(_, points)| points);
        let range = |of: fn(&(f64, f64)) -> f64| {
            let least = all().map(of).fold(f64::INFINITY, f64::min);
            least..all().map(of).fold(0.0, f64::max)
        };
        let (x, y) = (range(|point| point.0), range(|point| point.1));
        let root = SVGBackend::new(path, SIZE).into_drawing_area();
        root.fill(&WHITE).expect("a plot can be drawn");
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.title, ("sans-serif", 17))
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(76)
            .right_y_label_area_size(140)
            .build_cartesian_2d(
                (x.start * 0.8..x.end * 1.25).log_scale(),
                (y.start * 0.5..y.end * 2.0).log_scale(),
            )
            .expect("a plot can be drawn");
        chart
            .configure_mesh()
            .x_desc(self.x)
            .y_desc(self.y)
            .x_label_formatter(&|value| number(*value).trim_end_matches(".00").to_owned())
            .y_label_formatter(&|value| number(*value).trim_end_matches(".00").to_owned())
            .light_line_style(WHITE)
            .draw()
            .expect("a plot can be drawn");
        // Names stand where curves end, moved apart where they would overlap.
        let mut ends: Vec<(usize, (i32, i32))> = Vec::new();
        for (number, (_, points)) in self.curves.iter().enumerate() {
            let color = COLORS[number % COLORS.len()];
            chart
                .draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)).point_size(3))
                .expect("a plot can be drawn");
            if let Some(&end) = points.last() {
                ends.push((number, chart.backend_coord(&end)));
            }
        }
        ends.sort_by_key(|&(_, (_, y))| y);
        let mut free = 0;
        for (number, (x, y)) in ends {
            let y = (y - 7).max(free);
            free = y + 15;
            let style = ("sans-serif", 13).into_font().color(&COLORS[number % COLORS.len()]);
            root.draw_text(&self.curves[number].0, &style, (x + 8, y))
                .expect("a plot can be drawn");
        }
        root.present().expect("a plot can be written");
    }
}
