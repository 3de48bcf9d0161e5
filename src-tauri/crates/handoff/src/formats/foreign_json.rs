//! JSON of other tools, read by its keys.

use super::Reader;
use crate::source::Source;
use crate::{Format, Limits, Reading};

/// The reader of JSON by keys.
pub(crate) struct ForeignJson;

impl Reader for ForeignJson {
    fn format(&self) -> Format {
        Format::ForeignJson
    }

    fn recognises(&self, _source: &Source<'_>) -> bool {
        false
    }

    fn read(&self, source: &Source<'_>, limits: &Limits) -> Reading {
        super::markdown::Markdown.read(source, limits)
    }
}
