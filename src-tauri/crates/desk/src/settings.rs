//! Settings: as they are, and changed one by one.

use crate::view::SettingsView;
use crate::{Desk, Error};
use store::config::{Config, Setting, Settings};

impl Desk {
    /// The settings as configured.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    pub fn settings(&self) -> Result<SettingsView, Error> {
        Ok(self.settings_view(self.config()?.settings))
    }

    /// Changes settings; the rest of the configuration stays as written.
    ///
    /// # Errors
    /// When a value is not allowed or the file cannot be written.
    pub fn settings_set(&self, changes: &[(&str, Setting)]) -> Result<SettingsView, Error> {
        Ok(self.settings_view(Config::set_settings(&self.home, changes)?.settings))
    }

    fn settings_view(&self, settings: Settings) -> SettingsView {
        SettingsView {
            theme: settings.theme,
            language: settings.language,
            single_keys: settings.single_keys,
            notifications: settings.notifications,
            run_notifications: settings.run_notifications,
            tray: settings.tray,
            archive_after_days: settings.archive_after_days,
            approval_hours: settings.approval_hours,
            path: self.home.config().display().to_string(),
        }
    }
}
