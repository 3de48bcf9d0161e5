//! What the icon in the tray says: how many handoffs need a person.

use crate::arrivals::Language;
use crate::inbox::needs_a_person;
use crate::{Desk, Error};

/// The words of the icon and its menu.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrayWords {
    /// How many need a person.
    pub waiting: u32,
    /// The icon's name.
    pub title: String,
    /// The number in words.
    pub count: String,
    /// Opens the window.
    pub open: String,
    /// Ends the program.
    pub quit: String,
}

impl TrayWords {
    /// In the language.
    pub fn new(waiting: u32, language: Language) -> Self {
        let (count, open, quit) = match language {
            Language::English if waiting == 0 => ("Nothing waits for you".to_owned(), "Open Fuda", "Quit"),
            Language::English if waiting == 1 => ("1 waits for review".to_owned(), "Open Fuda", "Quit"),
            Language::English => (format!("{waiting} wait for review"), "Open Fuda", "Quit"),
            Language::Japanese if waiting == 0 => ("待っているものはありません".to_owned(), "Fuda を開く", "終了する"),
            Language::Japanese => (format!("{waiting} 件が確認待ちです"), "Fuda を開く", "終了する"),
        };
        let title = format!("Fuda: {count}");
        Self { waiting, title, count, open: open.to_owned(), quit: quit.to_owned() }
    }

    /// The number beside the icon; nothing when nothing waits.
    pub fn label(&self) -> String {
        if self.waiting == 0 { String::new() } else { self.waiting.to_string() }
    }
}

impl Desk {
    /// What the icon says now; none where a person turned it off. `locale` is the environment's, for a language that
    /// nobody chose.
    ///
    /// # Errors
    /// When index, ledger or configuration cannot be read.
    pub fn tray(&self, locale: &str) -> Result<Option<TrayWords>, Error> {
        let settings = self.config()?.settings;
        if !settings.tray {
            return Ok(None);
        }
        let waiting = self.listed()?.iter().filter(|listed| needs_a_person(&listed.row)).count();
        let language = Language::chosen(&settings.language, locale);
        Ok(Some(TrayWords::new(u32::try_from(waiting).unwrap_or(u32::MAX), language)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_said_in_the_persons_language() {
        assert_eq!(TrayWords::new(1, Language::English).title, "Fuda: 1 waits for review");
        assert_eq!(TrayWords::new(3, Language::Japanese).count, "3 件が確認待ちです");
        assert_eq!(TrayWords::new(0, Language::English).label(), "");
        assert_eq!(TrayWords::new(12, Language::English).label(), "12");
    }
}
