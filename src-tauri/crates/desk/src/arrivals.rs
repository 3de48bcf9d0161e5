//! What came to be reviewed since the last time somebody looked, and the few words that tell a person of it. How they
//! are told is left to the host.

use crate::view::{Row, State};
use crate::{Desk, Error};
use jiff::{Timestamp, tz::TimeZone};
use std::collections::HashSet;

/// So many arrivals at once are told one by one; more are told as a number.
const ONE_BY_ONE: usize = 3;
/// Characters of a title, and of a reason.
pub(crate) const TITLE: usize = 80;
pub(crate) const REASON: usize = 40;

/// Remembers what waited the last time.
#[derive(Debug, Default)]
pub struct Arrivals {
    waiting: HashSet<String>,
}

/// What is different since then.
#[derive(Debug, Default)]
pub struct News {
    /// Waits now and did not before, newest first.
    pub arrived: Vec<Row>,
    /// Handles of those that no longer wait.
    pub gone: Vec<String>,
}

/// What a person is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// One line of our own words.
    pub title: String,
    /// The handoff's title, and where and why it waits. Plain text.
    pub text: String,
    /// The handoff to open; none when it is about several.
    pub handle: Option<String>,
}

/// The language of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Japanese.
    Japanese,
}

impl Language {
    /// The chosen one (`en`, `ja`); otherwise as the environment's locale says.
    pub fn chosen(setting: &str, locale: &str) -> Self {
        let word = if setting == "auto" { locale } else { setting };
        if word.starts_with("ja") { Self::Japanese } else { Self::English }
    }
}

impl Arrivals {
    /// Takes what waits now and tells what is different. One that goes on waiting is no news, whatever is written to it.
    pub fn since(&mut self, waiting: Vec<Row>) -> News {
        let now: HashSet<String> = waiting.iter().map(|row| row.handle.clone()).collect();
        let before = std::mem::replace(&mut self.waiting, now);
        let gone = before.iter().filter(|handle| !self.waiting.contains(*handle)).cloned().collect();
        News { arrived: waiting.into_iter().filter(|row| !before.contains(&row.handle)).collect(), gone }
    }
}

impl Desk {
    /// What waits for a review now, newest first. What is not offered, and what a person sent back, does not.
    ///
    /// # Errors
    /// When index or ledger cannot be read.
    pub fn waiting(&self) -> Result<Vec<Row>, Error> {
        let listed = self.listed()?;
        let waits = |row: &&Row| row.state == State::Pending && !row.archived;
        Ok(listed.iter().map(|listed| &listed.row).filter(waits).cloned().collect())
    }

    /// Whether a scan has ever been done. What the first one finds is no arrival.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn is_scanned(&self) -> Result<bool, Error> {
        Ok(self.index.scanned()?)
    }
}

impl Desk {
    /// What a person is told of those that came since the last time; nothing where notifications are turned off.
    /// `locale` is the environment's, for a language that nobody chose.
    ///
    /// # Errors
    /// When index, ledger or configuration cannot be read.
    pub fn arrived(&self, arrivals: &mut Arrivals, locale: &str) -> Result<Vec<Notice>, Error> {
        let news = arrivals.since(self.waiting()?);
        let settings = self.config()?.settings;
        if !settings.notifications {
            return Ok(Vec::new());
        }
        let language = Language::chosen(&settings.language, locale);
        Ok(notices(&news.arrived, language, (self.now)(), &TimeZone::system()))
    }
}

/// The words for what arrived.
pub fn notices(arrived: &[Row], language: Language, now_ms: i64, zone: &TimeZone) -> Vec<Notice> {
    if arrived.len() <= ONE_BY_ONE {
        return arrived.iter().map(|row| notice(row, language, now_ms, zone)).collect();
    }
    let mut names: Vec<&str> = Vec::new();
    for name in arrived.iter().filter_map(|row| row.repo_name.as_deref()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let text = names.iter().take(ONE_BY_ONE).map(|name| plain(name, REASON)).collect::<Vec<_>>().join(", ");
    let title = match language {
        Language::English => format!("{} handoffs for review", arrived.len()),
        Language::Japanese => format!("{} 件の引き継ぎが確認待ちです", arrived.len()),
    };
    vec![Notice { title, text, handle: None }]
}

fn notice(row: &Row, language: Language, now_ms: i64, zone: &TimeZone) -> Notice {
    let name = plain(&row.name, TITLE);
    let resets = row.resets_at.as_deref().and_then(|at| clock(at, now_ms, zone)).map(|at| match language {
        Language::English => format!("resets {at}"),
        Language::Japanese => format!("{at} に解除"),
    });
    let parts = [row.repo_name.clone(), row.reason.clone(), resets];
    let parts: Vec<String> = parts.into_iter().flatten().map(|part| plain(&part, REASON)).collect();
    let title = match language {
        Language::English => "Handoff for review",
        Language::Japanese => "引き継ぎが確認待ちです",
    };
    Notice {
        title: title.to_owned(),
        text: format!("{name}\n{}", parts.join(" · ")).trim_end().to_owned(),
        handle: Some(row.handle.clone()),
    }
}

/// The start of the first line without anything that cannot be seen. Rows are masked of secrets already.
pub(crate) fn plain(text: &str, most: usize) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let seen = handoff::visible(line).into_iter().filter(|segment| !segment.hidden).map(|segment| segment.text);
    let seen = seen.collect::<String>();
    let seen = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    if seen.chars().count() <= most { seen } else { seen.chars().take(most - 1).chain(['…']).collect() }
}

/// The local time of a reset that is still to come; with its day when that is another.
fn clock(at: &str, now_ms: i64, zone: &TimeZone) -> Option<String> {
    let at = at.parse::<Timestamp>().ok().filter(|at| at.as_millisecond() > now_ms)?;
    let today = zone.to_datetime(Timestamp::from_millisecond(now_ms).ok()?).date();
    let local = zone.to_datetime(at);
    Some(local.strftime(if local.date() == today { "%H:%M" } else { "%Y-%m-%d %H:%M" }).to_string())
}
