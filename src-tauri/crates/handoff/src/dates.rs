//! Dates as handoffs write them: with a zone, without one, a plain day, a day in a file name.

use crate::Reading;
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

// OK because the pattern is a constant that the tests compile.
static DATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\d{4})[-/年.](\d{1,2})[-/月.](\d{1,2})日?(?:[T ,_]+(\d{1,2})[:\-](\d{2})(?:[:\-](\d{2})(\.\d{1,9})?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?")
        .unwrap_or_else(|error| panic!("{error}"))
});

/// The first date in a text, as RFC 3339 when it has a zone, `YYYY-MM-DDTHH:MM:SS` when it has a time of day,
/// else `YYYY-MM-DD`.
pub fn find(text: &str) -> Option<String> {
    let found = DATE.captures_iter(text).find(|found| valid(found))?;
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
            Some("Z" | "UTC") => date.push('Z'),
            Some(zone) if zone.contains(':') => date.push_str(zone),
            Some(zone) => date.push_str(&format!("{}:{}", &zone[..3], &zone[3..])),
            None => {}
        }
    }
    Some(date)
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
        ] {
            assert_eq!(find(text).as_deref(), Some(date), "{text}");
        }
        assert_eq!(find("version 10.20.30"), None);
    }
}
