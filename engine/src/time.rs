//! Time as the engine knows it: virtual, in milliseconds, written in ISO 8601 (EVT-3).
//!
//! A moment is an `i64` of milliseconds since the Unix epoch. It is part of an instance's state and nobody's clock; this
//! module reads the texts of timers into a [`Schedule`] that says when each firing is due. Calendar units go through the
//! proleptic Gregorian calendar in UTC, in which every day has 24 hours. Nothing here overflows: what leaves the years
//! -9999 to 9999 is an error when it is read, or no further firing when it comes due.
//!
//! # Forms
//!
//! | kind | forms |
//! |---|---|
//! | duration | `PT10S`, `PT0.5S`, `P1DT2H`, `P2W`, `P1M`, `P1Y`, `PT0S` |
//! | date | `2026-01-01`, `2026-01-01T08:00:00`, `2026-01-01T08:00:00Z`, `2026-01-01T08:00:00+02:00` |
//! | cycle | `R3/PT10S`, `R/PT10S`, `R3/2026-01-01T00:00:00Z/PT1H`, `R3/PT1H/2026-01-01`, `R3/2026-01-01/2026-01-02` |
//!
//! - A date without an offset is in UTC, one without a time is midnight. Names of time zones are refused.
//! - What is shorter than a millisecond is dropped. A negative duration is an error.
//! - `R3` is three firings, `R` goes on for ever, and `R0` is none at all. A cycle's interval is at least a millisecond.

mod interval;

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use jiff::civil::Time;
use jiff::fmt::temporal::{DateTimeParser, SpanParser};
use jiff::tz::Offset;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::Timer;
pub use interval::Interval;
use interval::MS_PER_DAY;

/// Beyond this distance from 0 a moment is shown as a date.
const MS_PER_YEAR: u64 = 365 * MS_PER_DAY;
/// The most months between two moments of the calendar, and so the most intervals with months between them.
const MONTHS_MAX: u32 = 12 * 20_000;

/// The accepted forms, as an error names them.
const DURATION_FORMS: &str = "an ISO 8601 duration such as PT10S, PT1H30M or P1D";
const DATE_FORMS: &str = "an ISO 8601 date such as 2026-01-01T08:00:00Z";
const CYCLE_FORMS: &str =
    "an ISO 8601 repetition such as R3/PT10S (three times), R/PT1H (for ever) or R3/2026-01-01T00:00:00Z/PT1H";

/// Why a text or a value is no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    /// The text is in no accepted form; cron, `1h` and names of time zones are such texts.
    #[error("`{text}` is not {expected}")]
    Form {
        /// The text.
        text: String,
        /// The accepted forms.
        expected: &'static str,
    },
    /// The value is no text.
    #[error("a timer takes {expected} as a text, not {found}")]
    NotText {
        /// The type of the value.
        found: &'static str,
        /// The accepted forms.
        expected: &'static str,
    },
    /// A duration that goes back in time.
    #[error("`{0}` is negative")]
    Negative(String),
    /// A cycle whose interval is shorter than a millisecond would fire without end at one moment.
    #[error("`{0}` repeats without time passing: the interval of a cycle must be positive")]
    EmptyInterval(String),
    /// The moment is outside of the years -9999 to 9999.
    #[error("`{0}` is out of the range of time")]
    Range(String),
}

/// When a timer fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Schedule {
    /// Once, so long after it was armed.
    After(Interval),
    /// Once, at this moment (milliseconds since the epoch); at once where it has passed.
    At(i64),
    /// Again and again.
    ///
    /// Without a start, the first firing is one interval after arming. With a start, it is the start itself, and the
    /// rhythm is kept: firings that lie before the arming have passed and count, so that a cycle that lies in the past
    /// as a whole never fires. Each interval begins where the one before ended.
    Every {
        /// How many firings in all; `None` is for ever.
        repetitions: Option<u32>,
        /// The first firing, in milliseconds since the epoch.
        start: Option<i64>,
        /// Between two firings; never empty.
        interval: Interval,
        /// No firing later than this, in milliseconds since the epoch.
        end: Option<i64>,
    },
}

impl Schedule {
    /// When the first firing is due for a timer armed at `now_ms`; never before `now_ms`. `None`: it never fires.
    ///
    /// ```
    /// use trackside_engine::time::cycle;
    ///
    /// let schedule = cycle("R2/PT10S")?;
    /// assert_eq!(schedule.first(0), Some(10_000));
    /// assert_eq!(schedule.next(10_000, 1), Some(20_000));
    /// assert_eq!(schedule.next(20_000, 2), None);
    /// # Ok::<(), trackside_engine::time::TimeError>(())
    /// ```
    pub fn first(&self, now_ms: i64) -> Option<i64> {
        match *self {
            _ if self.is_stuck() => None,
            Schedule::After(interval) => interval.after(now_ms),
            Schedule::At(at_ms) => Some(at_ms.max(now_ms)),
            Schedule::Every {
                repetitions: Some(0), ..
            } => None,
            Schedule::Every {
                start: None,
                interval,
                end,
                ..
            } => interval.after(now_ms).filter(|&due| in_time(due, end)),
            Schedule::Every {
                repetitions,
                start: Some(start),
                interval,
                end,
            } => {
                let (passed, due) = firing_from(start, interval, now_ms)?;
                let left = repetitions.is_none_or(|repetitions| passed < u64::from(repetitions));
                (left && in_time(due, end)).then_some(due)
            }
        }
    }

    /// Whether its firings depend on nothing but when it was armed: not on a date, and not on how long a month is.
    pub(crate) fn is_relative(&self) -> bool {
        match *self {
            Schedule::After(interval) => interval.months == 0,
            Schedule::At(_) => false,
            Schedule::Every {
                start, interval, end, ..
            } => start.is_none() && end.is_none() && interval.months == 0,
        }
    }

    /// Whether it fires again and again, but not for ever.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(
            self,
            Schedule::Every {
                repetitions: Some(_),
                ..
            }
        )
    }

    /// Whether it would fire for ever at one moment. No text gives such a schedule; a program might.
    fn is_stuck(&self) -> bool {
        matches!(self, Schedule::Every { interval, .. } if interval.is_zero())
    }

    /// When the next firing is due, after `fired` firings of which the last was due at `previous_due_ms`. `None`: that
    /// was the last one.
    pub fn next(&self, previous_due_ms: i64, fired: u32) -> Option<i64> {
        let Schedule::Every {
            repetitions,
            start,
            interval,
            end,
        } = *self
        else {
            return None;
        };
        if self.is_stuck() {
            return None;
        }
        if let Some(repetitions) = repetitions {
            // A start says which firing of all the previous one was, those before the arming included.
            let before = start.and_then(|start| firing_from(start, interval, previous_due_ms));
            let done = before.map_or(u64::from(fired), |(passed, _)| (passed + 1).max(u64::from(fired)));
            if done >= u64::from(repetitions) {
                return None;
            }
        }
        interval.after(previous_due_ms).filter(|&due| in_time(due, end))
    }
}

fn in_time(due_ms: i64, end_ms: Option<i64>) -> bool {
    end_ms.is_none_or(|end_ms| due_ms <= end_ms)
}

/// The first firing of the rhythm that is not before `now_ms`, and how many are.
fn firing_from(start_ms: i64, interval: Interval, now_ms: i64) -> Option<(u64, i64)> {
    if start_ms >= now_ms {
        return Some((0, start_ms));
    }
    if interval.months == 0 {
        let passed = now_ms.abs_diff(start_ms).div_ceil(interval.ms);
        let due_ms = start_ms.checked_add_unsigned(passed.checked_mul(interval.ms)?)?;
        return Some((passed, due_ms));
    }
    let mut due_ms = start_ms;
    for passed in 1..=MONTHS_MAX {
        due_ms = interval.after(due_ms)?;
        if due_ms >= now_ms {
            return Some((u64::from(passed), due_ms));
        }
    }
    None
}

/// Reads a duration.
///
/// ```
/// use trackside_engine::time::duration;
///
/// assert_eq!(duration("PT1H30M")?.ms, 5_400_000);
/// assert!(duration("1h").is_err());
/// # Ok::<(), trackside_engine::time::TimeError>(())
/// ```
///
/// # Errors
///
/// [`TimeError::Form`], [`TimeError::Negative`] or [`TimeError::Range`].
pub fn duration(text: &str) -> Result<Interval, TimeError> {
    let text = text.trim();
    let form = || TimeError::Form {
        text: text.to_owned(),
        expected: DURATION_FORMS,
    };
    let span = SpanParser::new().parse_span(text).map_err(|_| form())?;
    if span.is_negative() {
        return Err(TimeError::Negative(text.to_owned()));
    }
    Interval::of_span(&span).ok_or_else(|| TimeError::Range(text.to_owned()))
}

/// Reads a date, with or without a time and an offset, into milliseconds since the epoch.
///
/// ```
/// use trackside_engine::time::date;
///
/// assert_eq!(date("1970-01-02")?, 86_400_000);
/// assert_eq!(date("1970-01-01T02:00:00+01:00")?, 3_600_000);
/// # Ok::<(), trackside_engine::time::TimeError>(())
/// ```
///
/// # Errors
///
/// [`TimeError::Form`] or [`TimeError::Range`].
pub fn date(text: &str) -> Result<i64, TimeError> {
    let text = text.trim();
    let form = || TimeError::Form {
        text: text.to_owned(),
        expected: DATE_FORMS,
    };
    // An annotation such as `[Europe/Berlin]` would be read past, and the date would mean another moment.
    if text.contains('[') {
        return Err(form());
    }
    let pieces = DateTimeParser::new().parse_pieces(text).map_err(|_| form())?;
    let civil = pieces.date().to_datetime(pieces.time().unwrap_or(Time::midnight()));
    let offset = pieces.to_numeric_offset().unwrap_or(Offset::UTC);
    let timestamp = offset
        .to_timestamp(civil)
        .map_err(|_| TimeError::Range(text.to_owned()))?;
    Ok(timestamp.as_millisecond())
}

/// Reads a cycle: `R[n]/interval`, `R[n]/start/interval`, `R[n]/interval/end` or `R[n]/start/end`.
///
/// # Errors
///
/// Any [`TimeError`] but [`TimeError::NotText`].
pub fn cycle(text: &str) -> Result<Schedule, TimeError> {
    let text = text.trim();
    let form = || TimeError::Form {
        text: text.to_owned(),
        expected: CYCLE_FORMS,
    };
    let (repeat, rest) = text.split_once('/').ok_or_else(form)?;
    let count = repeat.strip_prefix(['R', 'r']).ok_or_else(form)?.trim();
    let repetitions = match count {
        "" => None,
        _ if count.bytes().all(|b| b.is_ascii_digit()) => {
            Some(count.parse().map_err(|_| TimeError::Range(text.to_owned()))?)
        }
        _ => return Err(form()),
    };
    let is_duration = |part: &str| part.trim_start().trim_start_matches(['+', '-']).starts_with(['P', 'p']);
    let (start, interval, end) = match rest.split_once('/') {
        None if is_duration(rest) => (None, duration(rest)?, None),
        None => return Err(form()),
        Some((first, second)) if is_duration(first) => (None, duration(first)?, Some(date(second)?)),
        Some((first, second)) if is_duration(second) => (Some(date(first)?), duration(second)?, None),
        Some((first, second)) => {
            let start = date(first)?;
            (Some(start), between(start, date(second)?, text)?, None)
        }
    };
    if interval.is_zero() {
        return Err(TimeError::EmptyInterval(text.to_owned()));
    }
    Ok(Schedule::Every {
        repetitions,
        start,
        interval,
        end,
    })
}

fn between(start_ms: i64, end_ms: i64, text: &str) -> Result<Interval, TimeError> {
    let ms = end_ms.checked_sub(start_ms).and_then(|ms| u64::try_from(ms).ok());
    let ms = ms.ok_or_else(|| TimeError::Negative(text.to_owned()))?;
    Ok(Interval { months: 0, ms })
}

/// The schedule that an evaluated value gives to a timer of the kind of `timer` (EVT-7).
///
/// # Errors
///
/// [`TimeError::NotText`] for a value that is no text, else what [`duration`], [`date`] or [`cycle`] say.
pub fn timer(timer: &Timer, value: &Value) -> Result<Schedule, TimeError> {
    let expected = match timer {
        Timer::Duration(_) => DURATION_FORMS,
        Timer::Date(_) => DATE_FORMS,
        Timer::Cycle(_) => CYCLE_FORMS,
    };
    let text = value.as_str().ok_or_else(|| TimeError::NotText {
        found: type_name(value),
        expected,
    })?;
    match timer {
        Timer::Duration(_) => duration(text).map(Schedule::After),
        Timer::Date(_) => date(text).map(Schedule::At),
        Timer::Cycle(_) => cycle(text),
    }
}

pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a Boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A virtual moment in short: how far from 0 as a duration, or the date when that is more than a year.
///
/// ```
/// use trackside_engine::time::{date, display};
///
/// assert_eq!(display(5_400_000), "+PT1H30M");
/// assert_eq!(display(date("2026-01-01")?), "2026-01-01T00:00:00Z");
/// # Ok::<(), trackside_engine::time::TimeError>(())
/// ```
pub fn display(ms: i64) -> String {
    let distance = ms.unsigned_abs();
    if let Ok(timestamp) = Timestamp::from_millisecond(ms)
        && distance > MS_PER_YEAR
    {
        return timestamp.to_string();
    }
    let sign = if ms < 0 { '-' } else { '+' };
    format!(
        "{sign}{}",
        Interval {
            months: 0,
            ms: distance
        }
    )
}
