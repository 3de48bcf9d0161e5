//! What happened to runs since somebody last looked, and the few words that tell a person of it: a run ended, its holder
//! is gone, it asks, a start that waited was not begun. How they are told is left to the host.

use crate::arrivals::{Language, Notice, REASON, TITLE, plain};
use crate::name::name_of;
use crate::state::of_outcome;
use crate::view::State;
use crate::{Desk, Error};
use serde_json::Value;
use store::ledger::Event;

/// Between two looks for holders that are gone, while somebody holds something: so many looks.
const LOOKS: u32 = 5;

/// Remembers how far the ledger was told.
#[derive(Debug, Default)]
pub struct RunNews {
    told: Option<i64>,
    looks: u32,
}

impl Desk {
    /// What a person is told of runs since the last look; nothing of what was before the first one, and nothing where
    /// it is turned off. `locale` is the environment's, for a language that nobody chose.
    ///
    /// # Errors
    /// When index, ledger or configuration cannot be read.
    pub fn run_news(&self, news: &mut RunNews, locale: &str) -> Result<Vec<Notice>, Error> {
        news.looks += 1;
        if news.told.is_none() || news.looks >= LOOKS {
            news.looks = 0;
            self.settle_claims()?;
        }
        let head = self.ledger.head()?;
        let told = *news.told.get_or_insert(head);
        if head == told {
            return Ok(Vec::new());
        }
        let settings = self.config()?.settings;
        let language = Language::chosen(&settings.language, locale);
        let events = self.ledger.events_since(told)?;
        let mut notices = Vec::new();
        for event in events.iter().filter(|_| settings.run_notifications) {
            notices.extend(self.run_notice(event, language)?);
        }
        news.told = events.last().map(|event| event.seq);
        Ok(notices)
    }

    fn run_notice(&self, event: &Event, language: Language) -> Result<Option<Notice>, Error> {
        let text = |key: &str| event.body.get(key).and_then(Value::as_str).unwrap_or_default();
        let (title, why) = match event.kind.as_str() {
            "finished" => (ended(text("outcome"), language), said(text("because"), text("note"))),
            "interrupted" => (ended("interrupted", language), text("because").to_owned()),
            "asked" => (asks(language), format!("{}: {}", text("tool"), text("what"))),
            "start_refused" => (not_started(language), text("because").to_owned()),
            _ => return Ok(None),
        };
        // None: its file is gone, so there is nothing to open.
        let row = event.handoff.as_deref().map(|identity| self.index.get(identity)).transpose()?.flatten();
        let Some(row) = row else { return Ok(None) };
        let place = row.repo.as_ref().and_then(|repo| repo.file_name()).map(|name| name.to_string_lossy());
        let parts = [place.map(|place| plain(&place, REASON)), Some(plain(&handoff::mask(&why), TITLE))];
        let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        Ok(Some(Notice {
            title: title.to_owned(),
            text: format!("{}\n{}", plain(&name_of(&row), TITLE), parts.join(" · ")).trim_end().to_owned(),
            handle: Some(row.handle),
        }))
    }
}

fn said(because: &str, note: &str) -> String {
    if because.is_empty() { note.to_owned() } else { because.to_owned() }
}

fn asks(language: Language) -> &'static str {
    match language {
        Language::English => "The agent asks you",
        Language::Japanese => "エージェントが尋ねています",
    }
}

fn not_started(language: Language) -> &'static str {
    match language {
        Language::English => "A start that waited was not begun",
        Language::Japanese => "待っていた開始は行われませんでした",
    }
}

fn ended(outcome: &str, language: Language) -> &'static str {
    match (language, of_outcome(outcome)) {
        (Language::English, State::Verified) => "Run ended: verified",
        (Language::English, State::Done) => "Run ended: done",
        (Language::English, State::Returned) => "Run ended: returned",
        (Language::English, State::Stopped) => "Run ended: stopped",
        (Language::English, State::Interrupted) => "Run interrupted",
        (Language::English, _) => "Run ended: failed",
        (Language::Japanese, State::Verified) => "実行が終わりました：検証済み",
        (Language::Japanese, State::Done) => "実行が終わりました：完了",
        (Language::Japanese, State::Returned) => "実行が終わりました：差し戻し",
        (Language::Japanese, State::Stopped) => "実行が終わりました：停止",
        (Language::Japanese, State::Interrupted) => "実行が中断しました",
        (Language::Japanese, _) => "実行が終わりました：失敗",
    }
}
