use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::model::{Expression, Position};

const SECOND: i64 = 1_000;
const HOUR: i64 = 3_600 * SECOND;
const DAY: i64 = 24 * HOUR;
/// 2026-01-01T00:00:00Z, from the days between: 56 years with 14 leap days.
const NEW_YEAR_2026: i64 = (56 * 365 + 14) * DAY;

#[test]
fn durations_are_iso_8601() {
    let check = |text: &str, months: u32, ms: i64| {
        let expected = Interval {
            months,
            ms: u64::try_from(ms).expect("positive"),
        };
        assert_eq!(duration(text), Ok(expected), "{text}");
    };
    check("PT10S", 0, 10 * SECOND);
    check("PT0S", 0, 0);
    check("PT0.5S", 0, 500);
    check("PT1,5S", 0, 1_500);
    check("PT1H30M", 0, HOUR + HOUR / 2);
    check("PT0.5H", 0, HOUR / 2);
    check("P1D", 0, DAY);
    check("P1DT2H", 0, DAY + 2 * HOUR);
    check("P2W", 0, 14 * DAY);
    check("P1M", 1, 0);
    check("P1Y2M3DT4S", 14, 3 * DAY + 4 * SECOND);
    check("PT36H", 0, 36 * HOUR);
    check(" PT10S\n", 0, 10 * SECOND);
    check("+PT1S", 0, SECOND);
    check("PT0.0009S", 0, 0);
}

#[test]
fn what_is_no_duration_names_the_accepted_forms() {
    for text in [
        "",
        "P",
        "PT",
        "1h",
        "1h 30m",
        "10",
        "1 hour",
        "0 0 9 * * ?",
        "R3/PT1H",
        "PT1X",
        "P1DT",
        "P0.5D",
        "PT1H1H",
    ] {
        let error = duration(text).expect_err(text);
        assert!(matches!(error, TimeError::Form { .. }), "{text}: {error:?}");
        assert!(error.to_string().contains("PT10S"), "{error}");
    }
    for text in ["-PT1S", "-P1M"] {
        assert_eq!(duration(text), Err(TimeError::Negative(text.to_owned())));
    }
    assert!(duration("P99999999999Y").is_err());
    assert!(duration("PT99999999999999999999S").is_err());
}

#[test]
fn dates_without_an_offset_are_utc() {
    let check = |text: &str, expected: i64| assert_eq!(date(text), Ok(expected), "{text}");
    check("1970-01-01", 0);
    check("1969-12-31T23:59:59Z", -SECOND);
    check("2026-01-01", NEW_YEAR_2026);
    check("2026-01-01T00:00:00", NEW_YEAR_2026);
    check("2026-01-01T00:00", NEW_YEAR_2026);
    check("2026-01-01T00:00:00Z", NEW_YEAR_2026);
    check("2026-01-01T02:00:00+02:00", NEW_YEAR_2026);
    check("2025-12-31T19:00:00-05:00", NEW_YEAR_2026);
    check("20260101T000000Z", NEW_YEAR_2026);
    check("2026-01-01T00:00:00.250Z", NEW_YEAR_2026 + 250);
    for text in [
        "",
        "tomorrow",
        "2026-13-01",
        "2026-02-30",
        "PT1H",
        "2026-01-01T00:00[Europe/Berlin]",
        "1767225600",
    ] {
        assert!(
            matches!(date(text), Err(TimeError::Form { .. })),
            "{text}: {:?}",
            date(text)
        );
    }
    assert!(matches!(date("9999-12-31T23:59:59-20:00"), Err(TimeError::Range(_))));
}

#[test]
fn the_calendar_decides_how_long_a_month_is() {
    let check = |interval: &str, from: &str, to: &str| {
        let due = duration(interval).expect(interval).after(date(from).expect(from));
        assert_eq!(due, Some(date(to).expect(to)), "{from} + {interval}");
    };
    check("P1M", "2026-01-31", "2026-02-28");
    check("P1M", "2028-01-31", "2028-02-29");
    check("P1Y", "2028-02-29", "2029-02-28");
    check("P1M1D", "2026-01-31", "2026-03-01");
    check("P1M", "2026-03-15T10:30:00.125Z", "2026-04-15T10:30:00.125Z");
    check("P1D", "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z");
    check("P1M", "1969-12-31T12:00:00.5Z", "1970-01-31T12:00:00.5Z");
}

/// All firings of a cycle that is armed at `now`, at most ten.
fn firings(schedule: Schedule, now: i64) -> Vec<i64> {
    let mut due = schedule.first(now);
    let mut all = Vec::new();
    while let Some(at) = due.filter(|_| all.len() < 10) {
        all.push(at);
        due = schedule.next(at, u32::try_from(all.len()).expect("few"));
    }
    all
}

fn check_cycle(text: &str, now: i64, expected: &[i64]) {
    assert_eq!(
        firings(cycle(text).expect(text), now),
        expected,
        "{text} armed at {now}"
    );
}

#[test]
fn a_repetition_of_n_is_n_firings() {
    check_cycle("R3/PT10S", 0, &[10_000, 20_000, 30_000]);
    check_cycle("R2/PT10S", 5_000, &[15_000, 25_000]);
    check_cycle("R1/PT10S", 0, &[10_000]);
    check_cycle("R0/PT10S", 0, &[]);
    let for_ever: Vec<i64> = (1..=10).map(|n| n * HOUR).collect();
    check_cycle("R/PT1H", 0, &for_ever);
    check_cycle("R3/P1M", 0, &[31 * DAY, 59 * DAY, 90 * DAY]);
}

#[test]
fn a_start_is_the_first_firing_and_keeps_the_rhythm() {
    check_cycle("R3/1970-01-01T01:00:00Z/PT1H", 0, &[HOUR, 2 * HOUR, 3 * HOUR]);
    check_cycle("R3/1970-01-01T00:00:00Z/PT1H", 0, &[0, HOUR, 2 * HOUR]);
    // Armed late: what has passed counts.
    check_cycle("R3/1970-01-01T00:00:00Z/PT1H", HOUR / 2, &[HOUR, 2 * HOUR]);
    check_cycle("R3/1970-01-01T00:00:00Z/PT1H", 5 * HOUR, &[]);
    check_cycle("R3/1970-01-01/P1M", 40 * DAY, &[59 * DAY]);
    let schedule = cycle("R/1970-01-01/P1D").expect("a cycle");
    assert_eq!(schedule.first(NEW_YEAR_2026 + 1), Some(NEW_YEAR_2026 + DAY));
    check_cycle("R2/1970-01-01T01:00:00Z/1970-01-01T03:00:00Z", 0, &[HOUR, 3 * HOUR]);
}

#[test]
fn an_end_is_the_last_moment_that_counts() {
    check_cycle("R3/PT1H/1970-01-01T02:00:00Z", 0, &[HOUR, 2 * HOUR]);
    check_cycle("R/PT1H/1970-01-01T02:30:00Z", 0, &[HOUR, 2 * HOUR]);
    check_cycle("R1/PT1H/2026-01-01", 0, &[HOUR]);
}

#[test]
fn a_cycle_in_no_accepted_form_is_an_error() {
    for text in [
        "",
        "R",
        "R3",
        "R/",
        "R3/",
        "PT10S",
        "R-1/PT10S",
        "Rx/PT10S",
        "R3/10s",
        "0 0/5 * * * ?",
        "@hourly",
        "R3/PT10S/x",
        "R3/PT1H/PT1H",
        "R 3x/PT1H",
        "1h",
    ] {
        assert!(
            matches!(cycle(text), Err(TimeError::Form { .. })),
            "{text}: {:?}",
            cycle(text)
        );
    }
    for text in ["R/PT0S", "R3/PT0S", "R/PT0.0001S", "R3/1970-01-01/1970-01-01"] {
        assert!(matches!(cycle(text), Err(TimeError::EmptyInterval(_))), "{text}");
    }
    assert!(matches!(cycle("R3/-PT1S"), Err(TimeError::Negative(_))));
    assert!(matches!(cycle("R3/1970-01-02/1970-01-01"), Err(TimeError::Negative(_))));
    assert!(matches!(cycle("R99999999999/PT1S"), Err(TimeError::Range(_))));
}

#[test]
fn a_schedule_that_no_text_gives_ends_nevertheless() {
    let stuck = Schedule::Every {
        repetitions: None,
        start: Some(0),
        interval: Interval::default(),
        end: None,
    };
    assert_eq!((stuck.first(5), stuck.next(0, 1)), (None, None));
}

#[test]
fn one_firing_is_one_firing() {
    let after = Schedule::After(duration("PT1H").expect("a duration"));
    assert_eq!((after.first(7), after.next(HOUR + 7, 1)), (Some(HOUR + 7), None));
    assert_eq!(Schedule::At(50).first(20), Some(50));
    assert_eq!(
        Schedule::At(50).first(70),
        Some(70),
        "a date that has passed is due at once"
    );
}

#[test]
fn a_value_becomes_a_schedule_by_the_kind_of_its_timer() {
    let expression = || Expression {
        text: String::new(),
        language: None,
        at: Position::default(),
    };
    let kinds = [
        Timer::Duration(expression()),
        Timer::Date(expression()),
        Timer::Cycle(expression()),
    ];
    let texts = ["PT1S", "1970-01-01", "R/PT1S"];
    for (i, kind) in kinds.iter().enumerate() {
        for (j, text) in texts.iter().enumerate() {
            assert_eq!(timer(kind, &json!(text)).is_ok(), i == j, "{kind:?} of {text}");
        }
        for value in [json!(null), json!(true), json!(3600), json!(1.5), json!([]), json!({})] {
            assert!(matches!(timer(kind, &value), Err(TimeError::NotText { .. })), "{value}");
        }
    }
}

#[test]
fn moments_are_short_to_read() {
    for (ms, expected) in [
        (0, "+PT0S"),
        (1, "+PT0.001S"),
        (90_500, "+PT1M30.5S"),
        (5_400_000, "+PT1H30M"),
        (DAY + 2 * HOUR, "+P1DT2H"),
        (-SECOND, "-PT1S"),
        (NEW_YEAR_2026, "2026-01-01T00:00:00Z"),
    ] {
        assert_eq!(display(ms), expected);
    }
    assert!(!display(i64::MAX).is_empty() && !display(i64::MIN).is_empty());
}

fn time_like() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{0,24}", "R?[0-9]{0,3}/?[-+]?P?[0-9YMWDTHS.:/Z+-]{0,24}"]
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn no_text_and_no_moment_panics(text in time_like(), now in any::<i64>(), fired in any::<u32>()) {
        let schedules = [duration(&text).map(Schedule::After), date(&text).map(Schedule::At), cycle(&text)];
        for schedule in schedules.into_iter().flatten() {
            if let Some(first) = schedule.first(now) {
                prop_assert!(first >= now);
            }
            if let Some(next) = schedule.next(now, fired) {
                prop_assert!(next > now);
            }
        }
        prop_assert!(!display(now).is_empty());
    }

    #[test]
    fn a_printed_interval_reads_back(months in 0..120_000_u32, ms in 0..1_000_000_000_000_u64) {
        let interval = Interval { months, ms };
        prop_assert_eq!(duration(&interval.to_string()), Ok(interval));
    }
}
