//! Dates as handoffs write them: with a zone, without one, a plain day, a day in a file name.

use crate::Reading;
use crate::constant::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// Where a date was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateBy {
    /// In the document.
    Document,
    /// In its file name.
    Name,
}

static DATE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"([0-9]{4})(?:[-/.]|[年년] ?)([0-9]{1,2})(?:[-/.]|[月월] ?)([0-9]{1,2})[日일]?(?:[T ,_]+([0-9]{1,2})[:\-]([0-9]{2})(?:[:\-]([0-9]{2})(\.[0-9]{1,9})?)?)?\s*[(（]?(Z\b|UTC|GMT|JST|KST|CEST|CET|EST|EDT|PST|PDT|北京时间|北京時間|[+-][0-9]{2}:?[0-9]{2})?",
    )
});
/// Day and month in either order, the year behind.
static SHORT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:^|[^\w./-])(\d{1,2})([/.-])(\d{1,2})([/.-])(\d{4}|\d{2})(?:$|[^\w./-]|[.](?:\s|$))"));
/// `March 3, 2026` and `3. März 2026`.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:(\d{1,2})(?:st|nd|rd|th|er|\.)?\s+(?:de\s+)?)?(\p{L}{3,12})\.?\s+(?:de\s+)?(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})\b",
    )
});

/// How the names of the months begin, in the languages of handoffs.
const MONTHS: &[(u32, &[&str])] = &[
    (1, &["jan", "gennaio", "enero", "янв"]),
    (2, &["feb", "fév", "fev", "фев"]),
    (3, &["march", "mar", "märz", "мар"]),
    (4, &["apr", "avril", "abril", "апр"]),
    (5, &["may", "mai", "maggio", "мая"]),
    (6, &["jun", "juin", "giugno", "июн"]),
    (7, &["jul", "juil", "luglio", "июл"]),
    (8, &["aug", "août", "ago", "авг"]),
    (9, &["sep", "settembre", "setembro", "сен"]),
    (10, &["oct", "okt", "ottobre", "outubro", "окт"]),
    (11, &["nov", "ноя"]),
    (12, &["dec", "dez", "déc", "dic", "дек"]),
];

/// The first date in a text, as RFC 3339 when it has a zone, `YYYY-MM-DDTHH:MM:SS` when it has a time of day,
/// else `YYYY-MM-DD`.
pub fn find(text: &str) -> Option<String> {
    // Most lines name no day at all, and every form has a year or a day in digits.
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let Some(found) = DATE.captures_iter(text).find(|found| valid(found)) else {
        return named(text).or_else(|| match short(text) {
            Some(Short::Day(day)) => Some(day),
            _ => None,
        });
    };
    let number = |index: usize| found.get(index).and_then(|part| part.as_str().parse::<u32>().ok());
    let (year, month, day) = (number(1)?, number(2)?, number(3)?);
    let mut date = format!("{year:04}-{month:02}-{day:02}");
    if let (Some(hour), Some(minute)) = (number(4), number(5)) {
        date.push_str(&format!("T{hour:02}:{minute:02}:{:02}", number(6).unwrap_or(0)));
        if let Some(fraction) =
            found.get(7).map(|part| part.as_str()).filter(|part| !part.trim_matches(['.', '0']).is_empty())
        {
            date.push_str(fraction);
        }
        match found.get(8).map(|zone| zone.as_str()) {
            Some("Z" | "UTC" | "GMT") => date.push('Z'),
            Some("JST" | "KST") => date.push_str("+09:00"),
            Some("北京时间" | "北京時間") => date.push_str("+08:00"),
            Some("CEST") => date.push_str("+02:00"),
            Some("CET") => date.push_str("+01:00"),
            Some("EDT") => date.push_str("-04:00"),
            Some("EST") => date.push_str("-05:00"),
            Some("PDT") => date.push_str("-07:00"),
            Some("PST") => date.push_str("-08:00"),
            Some(zone) if zone.contains(':') => date.push_str(zone),
            Some(zone) => date.push_str(&format!("{}:{}", &zone[..3], &zone[3..])),
            None => {}
        }
    }
    Some(date)
}

/// A date for a field: as [`find`] gives it, or as it stands when day and month cannot be told apart.
pub(crate) fn as_written(text: &str) -> Option<String> {
    find(text).or_else(|| match short(text) {
        Some(Short::EitherDay(words)) => Some(words),
        _ => None,
    })
}

/// A day written in short.
enum Short {
    /// The one day that it can be.
    Day(String),
    /// The words as they stand: day and month cannot be told apart.
    EitherDay(String),
}

/// `3/23/26` and `23.3.2026`.
fn short(text: &str) -> Option<Short> {
    let found = SHORT.captures(text)?;
    let number = |index: usize| found.get(index).and_then(|part| part.as_str().parse::<u32>().ok());
    let (first, second, year) = (number(1)?, number(3)?, number(5)?);
    let (mark, other) = (found.get(2)?.as_str(), found.get(4)?.as_str());
    let digits = found.get(5)?.as_str().len();
    // `1.2.26` is a version as likely as a day.
    if mark != other || (mark == "." && digits == 2) || (digits == 2 && !(20..=49).contains(&year)) {
        return None;
    }
    let year = if digits == 2 { year + 2000 } else { year };
    let (day, month) = match (first, second) {
        (day, month) if mark == "." || day > 12 => (day, month),
        (month, day) if day > 12 => (day, month),
        (day, month) if day == month => (day, month),
        _ => {
            let words = text[found.get(1)?.start()..found.get(5)?.end()].to_owned();
            return Some(Short::EitherDay(words));
        }
    };
    let plausible = (1..=12).contains(&month) && (1..=31).contains(&day) && (1970..=2199).contains(&year);
    plausible.then(|| Short::Day(format!("{year:04}-{month:02}-{day:02}")))
}

/// The days that `9/1/2026` can be.
pub(crate) struct EitherDay {
    /// With the day in front.
    pub day_first: Option<String>,
    /// With the month in front.
    pub month_first: Option<String>,
}

/// A day written with slashes or hyphens and the year behind, read both ways.
pub(crate) fn either_day(text: &str) -> Option<EitherDay> {
    let found = SHORT.captures(text)?;
    let part = |index: usize| found.get(index).map_or("", |part| part.as_str());
    let number = |index: usize| part(index).parse::<u32>().ok();
    let (first, second, year) = (number(1)?, number(3)?, number(5)?);
    let short_year = part(5).len() == 2;
    if part(2) != part(4) || part(2) == "." || short_year && !(20..=49).contains(&year) {
        return None;
    }
    let year = if short_year { year + 2000 } else { year };
    let day = |month: u32, day: u32| {
        let plausible = (1..=12).contains(&month) && (1..=31).contains(&day) && (1970..=2199).contains(&year);
        plausible.then(|| format!("{year:04}-{month:02}-{day:02}"))
    };
    let either = EitherDay { day_first: day(second, first), month_first: day(first, second) };
    (either.day_first.is_some() || either.month_first.is_some()).then_some(either)
}

fn named(text: &str) -> Option<String> {
    NAMED.captures_iter(text).find_map(|found| {
        let name = found.get(2)?;
        if text[..name.start()].ends_with(|before: char| before.is_alphanumeric() || before == '_') {
            return None;
        }
        let name = name.as_str().to_lowercase();
        let (month, _) = MONTHS.iter().find(|(_, names)| names.iter().any(|begin| name.starts_with(begin)))?;
        let day: u32 = found.get(1).or(found.get(3))?.as_str().parse().ok()?;
        let year: u32 = found.get(4)?.as_str().parse().ok()?;
        let plausible = (1..=31).contains(&day) && (1970..=2199).contains(&year);
        plausible.then(|| format!("{year:04}-{month:02}-{day:02}"))
    })
}

fn valid(found: &regex::Captures<'_>) -> bool {
    let number = |index: usize| found.get(index).and_then(|part| part.as_str().parse::<u32>().ok()).unwrap_or(0);
    (1..=12).contains(&number(2)) && (1..=31).contains(&number(3)) && (1970..=2199).contains(&number(1))
}

/// The date by which a document is ordered: the one inside, else the one in its name.
pub fn ordering_date(reading: &Reading, name: &str) -> Option<(String, DateBy)> {
    let entry = reading.entries.get(reading.shown);
    let inside = entry.and_then(|entry| {
        let provenance = &entry.handoff.provenance;
        provenance
            .written_at
            .as_deref()
            .or(provenance.created_at.as_deref())
            .and_then(find)
            .or_else(|| entry.at.clone())
    });
    if let Some(date) = inside {
        return Some((date, DateBy::Document));
    }
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    find(file).or_else(|| compact(file)).map(|date| (date, DateBy::Name))
}

fn compact(name: &str) -> Option<String> {
    let digits: String =
        name.chars().skip_while(|character| !character.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    (digits.len() == 8)
        .then(|| format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..]))
        .and_then(|date| find(&date))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_keep_the_precision_they_were_written_with() {
        for (text, date) in [
            ("2026-05-04T16:20:11+0200", "2026-05-04T16:20:11+02:00"),
            ("2026-06-11 09:42", "2026-06-11T09:42:00"),
            ("Latest: 2026-09-03 18:10, overrides", "2026-09-03T18:10:00"),
            ("2026-02-12（北京时间）", "2026-02-12"),
            ("2026-07-02T07:15:09.120Z", "2026-07-02T07:15:09.120Z"),
            ("2026-07-09T20:00:00.000Z", "2026-07-09T20:00:00Z"),
            ("2026年6月5日", "2026-06-05"),
            ("3/23/26", "2026-03-23"),
            ("3-23-26 evening", "2026-03-23"),
            ("Stand: 09.01.2026.", "2026-01-09"),
            ("March 3, 2026", "2026-03-03"),
            ("am 3. März 2026", "2026-03-03"),
            ("12 de abril de 2026", "2026-04-12"),
            ("2026-03-18 14:00 KST", "2026-03-18T14:00:00+09:00"),
            ("2026-02-12 09:30（北京时间）", "2026-02-12T09:30:00+08:00"),
            // Full-width digits are no zone.
            ("2026-02-12 09:30 +０２００", "2026-02-12T09:30:00"),
            ("2026-02-12T09:30:00Zに", "2026-02-12T09:30:00Z"),
            ("в мае: 3 мая 2026", "2026-05-03"),
        ] {
            assert_eq!(find(text).as_deref(), Some(date), "{text}");
        }
        for text in
            ["x_march 3, 2026", "version 10.20.30", "1.2.26", "192.168.10.2024", "12/03/2026", "port 3, 2026 times"]
        {
            assert_eq!(find(text), None, "{text}");
        }
        assert_eq!(as_written("le 12/03/2026").as_deref(), Some("12/03/2026"));
    }
}
