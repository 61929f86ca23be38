//! Growth exponents.

/// The slope of the line through the logarithms of these points that least squares give: the exponent of growth.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logs.iter().map(|(_, y)| y).sum::<f64>() / count;
    let both: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let spread: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    both / spread
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_square_grows_with_exponent_two() {
        let points: Vec<(f64, f64)> = [1.0, 3.0, 10.0, 70.0].map(|x| (x, 5.0 * x * x)).to_vec();
        assert!((super::exponent(&points) - 2.0).abs() < 1e-9);
    }
}
