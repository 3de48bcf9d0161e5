//! Handoff JSON, version 1 and 2.

use super::Reader;
use crate::source::Source;
use crate::{Format, Limits, Reading};

/// The reader of handoff JSON.
pub(crate) struct HandoffJson;

impl Reader for HandoffJson {
    fn format(&self) -> Format {
        Format::HandoffJson
    }

    fn recognises(&self, _source: &Source<'_>) -> bool {
        false
    }

    fn read(&self, source: &Source<'_>, limits: &Limits) -> Reading {
        super::markdown::Markdown.read(source, limits)
    }
}
