//! A length of time: calendar months and milliseconds, written in ISO 8601.
//!
//! Years and months have no fixed length and weeks, days and the rest do (in UTC), so that two numbers hold every
//! duration exactly.

use std::fmt;

use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{Span, Timestamp};
use serde::{Deserialize, Serialize};

const MS_PER_SECOND: u64 = 1_000;
const MS_PER_MINUTE: u64 = 60 * MS_PER_SECOND;
const MS_PER_HOUR: u64 = 60 * MS_PER_MINUTE;
pub(super) const MS_PER_DAY: u64 = 24 * MS_PER_HOUR;

/// A length of time: whole months of the calendar, then milliseconds. Never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Interval {
    /// Months of the calendar; a year is twelve.
    pub months: u32,
    /// Milliseconds beside the months; a day is 24 hours.
    pub ms: u64,
}

impl Interval {
    /// The moment this long after `from_ms`, in milliseconds since the epoch; `None` outside of the years -9999 to 9999.
    ///
    /// Months keep the day where the target month has it, and otherwise end on its last day.
    ///
    /// ```
    /// use trackside_engine::time::{date, duration};
    ///
    /// let month = duration("P1M")?;
    /// assert_eq!(month.after(date("2026-01-31")?), Some(date("2026-02-28")?));
    /// # Ok::<(), trackside_engine::time::TimeError>(())
    /// ```
    pub fn after(self, from_ms: i64) -> Option<i64> {
        let mut at_ms = Timestamp::from_millisecond(from_ms).ok()?.as_millisecond();
        if self.months > 0 {
            let civil = Offset::UTC.to_datetime(Timestamp::from_millisecond(at_ms).ok()?);
            let months = Span::new().try_months(i64::from(self.months)).ok()?;
            at_ms = to_ms(civil.checked_add(months).ok()?)?;
        }
        let at_ms = at_ms.checked_add_unsigned(self.ms)?;
        Some(Timestamp::from_millisecond(at_ms).ok()?.as_millisecond())
    }

    /// The interval of a span that is not negative.
    pub(super) fn of_span(span: &Span) -> Option<Self> {
        let unsigned = |amount: i64| u64::try_from(amount).ok();
        let months = i32::from(span.get_years())
            .checked_mul(12)?
            .checked_add(span.get_months())?;
        let parts = [
            (unsigned(span.get_weeks().into())?, 7 * MS_PER_DAY),
            (unsigned(span.get_days().into())?, MS_PER_DAY),
            (unsigned(span.get_hours().into())?, MS_PER_HOUR),
            (unsigned(span.get_minutes())?, MS_PER_MINUTE),
            (unsigned(span.get_seconds())?, MS_PER_SECOND),
            (unsigned(span.get_milliseconds())?, 1),
        ];
        let below_ms = unsigned(span.get_microseconds())? / 1_000 + unsigned(span.get_nanoseconds())? / 1_000_000;
        let ms = parts
            .iter()
            .try_fold(below_ms, |sum, (amount, ms)| sum.checked_add(amount.checked_mul(*ms)?))?;
        i64::try_from(ms).ok()?;
        Some(Self {
            months: u32::try_from(months).ok()?,
            ms,
        })
    }

    /// Whether no time passes in it.
    pub fn is_zero(self) -> bool {
        self == Self::default()
    }
}

impl fmt::Display for Interval {
    /// In ISO 8601, such as `P1MT1H30M`; [`duration`](super::duration) reads it back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (months, days, rest) = (self.months, self.ms / MS_PER_DAY, self.ms % MS_PER_DAY);
        if self.is_zero() {
            return f.write_str("PT0S");
        }
        f.write_str("P")?;
        for (amount, unit) in [
            (u64::from(months / 12), 'Y'),
            (u64::from(months % 12), 'M'),
            (days, 'D'),
        ] {
            if amount > 0 {
                write!(f, "{amount}{unit}")?;
            }
        }
        if rest > 0 {
            f.write_str("T")?;
        }
        for (amount, unit) in [(rest / MS_PER_HOUR, 'H'), (rest % MS_PER_HOUR / MS_PER_MINUTE, 'M')] {
            if amount > 0 {
                write!(f, "{amount}{unit}")?;
            }
        }
        let (seconds, ms) = (rest % MS_PER_MINUTE / MS_PER_SECOND, rest % MS_PER_SECOND);
        match (seconds, ms) {
            (0, 0) => Ok(()),
            (_, 0) => write!(f, "{seconds}S"),
            _ => write!(f, "{}S", format!("{seconds}.{ms:03}").trim_end_matches('0')),
        }
    }
}

fn to_ms(civil: DateTime) -> Option<i64> {
    Offset::UTC.to_timestamp(civil).ok().map(Timestamp::as_millisecond)
}
