//! Usage limits in the words of agents: whether a message speaks of one, and when it ends. A time of day is the next
//! one in the zone that the message names, else in the machine's.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ZonedDateTime};

const LIMITS: &[&str] = &[
    "usage limit",
    "rate limit",
    "rate_limit",
    "session limit",
    "weekly limit",
    "hourly limit",
    "quota",
    "too many requests",
    "limit reached",
    "resource_exhausted",
    "resource exhausted",
    "out of credits",
    "insufficient credits",
];

/// Whether a message speaks of a limit.
pub(crate) fn speaks_of_a_limit(message: &str) -> bool {
    let message = message.to_lowercase();
    LIMITS.iter().any(|word| message.contains(word))
        || message.starts_with("429")
        || message.contains(" 429 ")
        || message.contains("status 429")
}

/// Seconds since 1970 as RFC 3339.
pub(crate) fn from_seconds(seconds: i64) -> Option<String> {
    Timestamp::from_second(seconds).ok().map(|at| at.to_string())
}

/// When the limit ends.
pub(crate) fn resets_at(message: &str, now_ms: i64) -> Option<String> {
    let now = Timestamp::from_millisecond(now_ms).ok()?;
    let lower = message.to_lowercase();
    let after = |word: &str| lower.find(word).map(|at| &lower[at + word.len()..]);
    if let Some(rest) = after("retry-after-ms=") {
        let wait: i64 = number(rest)?.0;
        return Some(now.checked_add(SignedDuration::from_millis(wait)).ok()?.to_string());
    }
    for word in ["reset in ", "resets in ", "again in ", "retry in ", "retry after "] {
        if let Some(wait) = after(word).and_then(duration) {
            return Some(now.checked_add(wait).ok()?.to_string());
        }
    }
    for word in ["again at ", "resets at ", "reset at ", "resets "] {
        if let Some(at) = after(word).and_then(|rest| day_and_time(rest).or_else(|| time_of_day(rest, now))) {
            return Some(at.timestamp().to_string());
        }
    }
    None
}

fn number(text: &str) -> Option<(i64, &str)> {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// "60 minutes", "1h 5m", "2 hours 10 minutes".
fn duration(text: &str) -> Option<SignedDuration> {
    let mut total = SignedDuration::ZERO;
    let mut rest = text.trim_start();
    while let Some((count, unit)) = number(rest) {
        let unit = unit.trim_start();
        let seconds = match unit.chars().next()? {
            'd' => 86_400,
            'h' => 3_600,
            'm' if unit.starts_with("ms") => return None,
            'm' => 60,
            's' => 1,
            _ => return None,
        };
        total = total.checked_add(SignedDuration::from_secs(count.checked_mul(seconds)?))?;
        rest =
            unit.trim_start_matches(|character: char| character.is_ascii_alphabetic()).trim_start_matches([' ', ',']);
    }
    (total > SignedDuration::ZERO).then_some(total)
}

/// "dec 3rd, 2026 12:43 am", as Codex says it of another day; in the machine's zone.
fn day_and_time(text: &str) -> Option<ZonedDateTime> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let (month, rest) = text.trim_start().split_once(' ')?;
    let month = MONTHS.iter().position(|name| month.starts_with(name))? + 1;
    let (day, rest) = number(rest)?;
    let rest = ["st", "nd", "rd", "th"].iter().find_map(|end| rest.strip_prefix(end)).unwrap_or(rest);
    let (year, rest) = number(rest.strip_prefix(',').unwrap_or(rest).trim_start())?;
    let (time, _) = clock(rest)?;
    let date = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    date.to_datetime(time).to_zoned_datetime(TimeZone::system()).ok()
}

/// "6:44 am", "9:30pm (europe/lisbon)", "3pm".
fn time_of_day(text: &str, now: Timestamp) -> Option<ZonedDateTime> {
    let (time, rest) = clock(text)?;
    let zone = rest
        .find('(')
        .and_then(|open| rest[open + 1..].split(')').next())
        .and_then(|name| TimeZone::get(name.trim()).ok())
        .unwrap_or_else(TimeZone::system);
    let here = now.to_zoned_datetime(zone.clone());
    let today = here.date().to_datetime(time).to_zoned_datetime(zone.clone()).ok()?;
    if today > here { Some(today) } else { here.date().tomorrow().ok()?.to_datetime(time).to_zoned_datetime(zone).ok() }
}

/// A time of day and what stands behind it.
fn clock(text: &str) -> Option<(Time, &str)> {
    let (hour, rest) = number(text.trim_start())?;
    let (minute, rest) = match rest.strip_prefix(':') {
        Some(rest) => number(rest)?,
        None => (0, rest),
    };
    let rest = rest.trim_start();
    let hour = match (hour, rest.get(..2)) {
        (12, Some("am")) => 0,
        (1..=11, Some("pm")) => hour + 12,
        _ => hour,
    };
    Some((Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: i64 = 1_796_126_400_000; // 2026-12-01T12:00:00Z

    #[test]
    fn the_end_of_a_limit_is_read_from_an_agents_words() {
        for (message, at) in [
            ("usage limit reached, your limit will reset in 60 minutes.", "2026-12-01T13:00:00Z"),
            ("limit; retry-after-ms=3600000", "2026-12-01T13:00:00Z"),
            ("You've hit your session limit · resets 9:30pm (Europe/Lisbon)", "2026-12-01T21:30:00Z"),
            ("limit, resets 3am (Asia/Tokyo)", "2026-12-01T18:00:00Z"),
            ("try again in 1h 5m", "2026-12-01T13:05:00Z"),
        ] {
            assert_eq!(resets_at(message, NOON).as_deref(), Some(at), "{message}");
        }
        assert_eq!(resets_at("quota exceeded", NOON), None);
        assert_eq!(resets_at("Try again at Foo 3rd, 2026 12:43 AM.", NOON), None);
    }

    #[test]
    fn a_limit_that_ends_on_another_day_is_read_with_its_day() {
        let message = "You’ve hit your usage limit. Try again at Dec 3rd, 2026 12:43 AM.";
        let at: Timestamp = resets_at(message, NOON).expect("a time").parse().expect("RFC 3339");
        let local = at.to_zoned_datetime(TimeZone::system()).strftime("%F %R").to_string();
        assert_eq!(local, "2026-12-03 00:43");
    }
}
