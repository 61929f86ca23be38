//! Medians with their quartiles, and how they are written.

use std::time::Duration;

/// A median and its quartiles, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    pub(crate) low: f64,
    pub(crate) median: f64,
    pub(crate) high: f64,
}

impl Spread {
    /// Of the times of `parts` equal things each.
    pub(crate) fn of(times: &[Duration], parts: usize) -> Self {
        let nanos = times.iter().map(|time| time.as_secs_f64() * 1e9 / parts as f64);
        Self::of_numbers(nanos.collect())
    }

    pub(crate) fn of_numbers(mut numbers: Vec<f64>) -> Self {
        numbers.sort_by(f64::total_cmp);
        let at = |quarter: usize| numbers[(numbers.len() - 1) * quarter / 4];
        Self {
            low: at(1),
            median: at(2),
            high: at(3),
        }
    }

    /// How many times longer these took than those, round by round.
    pub(crate) fn of_ratio(long: &[Duration], long_parts: usize, short: &[Duration], short_parts: usize) -> Self {
        let parts = short_parts as f64 / long_parts as f64;
        let ratio = |(long, short): (&Duration, &Duration)| long.as_secs_f64() / short.as_secs_f64() * parts;
        Self::of_numbers(long.iter().zip(short).map(ratio).collect())
    }

    /// `1.2 (1.1–1.3)`.
    pub(crate) fn cell(self) -> String {
        format!("{} ({}–{})", number(self.median), number(self.low), number(self.high))
    }
}

/// Three digits that count, thousands set apart.
pub(crate) fn number(value: f64) -> String {
    if value < 9.995 {
        return format!("{value:.2}");
    }
    if value < 99.95 {
        return format!("{value:.1}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
