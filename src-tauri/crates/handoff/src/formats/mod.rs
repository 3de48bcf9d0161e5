//! The readers, one a format. The first that recognises a document reads it.

pub(crate) mod canonical;
pub(crate) mod foreign_json;
pub(crate) mod front_matter;
pub(crate) mod json;
pub(crate) mod json_spans;
pub(crate) mod keyed;
pub(crate) mod markdown;
pub(crate) mod session;
pub(crate) mod yaml;

use crate::source::Source;
use crate::{Format, Limits, Reading};

/// A reader of one format.
pub(crate) trait Reader {
    /// The format that it reads.
    fn format(&self) -> Format;
    /// Whether the document is of this format, judged by its content and then by its name.
    fn recognises(&self, source: &Source<'_>) -> bool;
    /// Reads it. Never fails on content.
    fn read(&self, source: &Source<'_>, limits: &Limits) -> Reading;
}

/// Every reader, the most certain first; the last one takes anything.
pub(crate) fn readers() -> [&'static dyn Reader; 6] {
    [
        &session::PiSession,
        &json::HandoffJson,
        &canonical::Canonical,
        &foreign_json::ForeignJson,
        &yaml::Yaml,
        &markdown::Markdown,
    ]
}

pub(crate) fn extension(name: &str) -> String {
    name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}
