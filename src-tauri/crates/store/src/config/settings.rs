//! The `[settings]` table: what a person may choose, its defaults, and how one value is changed so that the rest of
//! the file stays as written.

use super::{Config, document, hold, save};
use crate::{Error, Home};
use serde::{Deserialize, Serialize};
use toml_edit::{Item, Table, Value};

/// Settings with their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Days after which a handoff starts in the archive.
    pub archive_after_days: u32,
    /// Hours for which an approval is good.
    pub approval_hours: u32,
    /// Seconds after which a silent executor counts as interrupted.
    pub lease_seconds: u32,
    /// Seconds for which an agent's question waits for a person.
    pub answer_seconds: u32,
    /// Whether to notify of what arrives.
    pub notifications: bool,
    /// Whether to notify when a run ends or asks.
    pub run_notifications: bool,
    /// Whether the window keeps an icon in the tray.
    pub tray: bool,
    /// `auto`, `en` or `ja`.
    pub language: String,
    /// `system`, `light` or `dark`.
    pub theme: String,
    /// Whether single letters act in the window.
    pub single_keys: bool,
    /// Bytes that are kept of revisions that nobody decided on.
    pub blob_bytes: u64,
    /// Sizes.
    pub limits: handoff::Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            archive_after_days: 14,
            approval_hours: 24,
            lease_seconds: 900,
            answer_seconds: 900,
            notifications: true,
            run_notifications: true,
            tray: true,
            language: "auto".to_owned(),
            theme: "system".to_owned(),
            single_keys: true,
            blob_bytes: crate::keep::QUOTA_BYTES,
            limits: handoff::Limits::default(),
        }
    }
}

/// The keys of `[settings]`.
pub(super) const KEYS: &[&str] = &[
    "archive_after_days",
    "approval_hours",
    "lease_seconds",
    "answer_seconds",
    "notifications",
    "run_notifications",
    "tray",
    "language",
    "theme",
    "single_keys",
    "blob_bytes",
    "limits",
];

/// A value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// On or off.
    Switch(bool),
    /// A number from 1.
    Number(u32),
    /// One of a few words.
    Word(String),
}

impl Config {
    /// Changes settings in the file; comments and everything else stay.
    ///
    /// # Errors
    /// When a value is not allowed or the file cannot be written; nothing is written then.
    pub fn set_settings(home: &Home, changes: &[(&str, Setting)]) -> Result<Self, Error> {
        for (key, setting) in changes {
            check(key, setting)?;
        }
        let _held = hold(home)?;
        Self::load(home)?;
        let mut document = document(home)?;
        let settings = document.entry("settings").or_insert_with(|| Item::Table(Table::new()));
        let Some(settings) = settings.as_table_like_mut() else {
            return Err(Error::Config { path: home.config(), message: "`settings` is no table".to_owned() });
        };
        for (key, setting) in changes {
            let value = match setting {
                Setting::Switch(on) => Value::from(*on),
                Setting::Number(number) => Value::from(i64::from(*number)),
                Setting::Word(word) => Value::from(word.as_str()),
            };
            match settings.get_mut(key).and_then(Item::as_value_mut) {
                // A comment behind the value stays.
                Some(old) => {
                    let decor = old.decor().clone();
                    *old = value;
                    *old.decor_mut() = decor;
                }
                None => {
                    settings.insert(key, Item::Value(value));
                }
            }
        }
        save(home, &document)?;
        Self::load(home)
    }
}

fn check(key: &str, setting: &Setting) -> Result<(), Error> {
    let allowed: &[&str] = match key {
        "language" => &["auto", "en", "ja"],
        "theme" => &["system", "light", "dark"],
        _ => &[],
    };
    let fits = match setting {
        Setting::Word(word) => allowed.contains(&word.as_str()),
        Setting::Number(number) => {
            matches!(key, "archive_after_days" | "approval_hours") && (1..=3650).contains(number)
        }
        Setting::Switch(_) => matches!(key, "notifications" | "run_notifications" | "tray" | "single_keys"),
    };
    let expected = if allowed.is_empty() { "a number from 1 to 3650".to_owned() } else { allowed.join(", ") };
    if fits { Ok(()) } else { Err(Error::Setting { key: key.to_owned(), found: format!("{setting:?}"), expected }) }
}
