//! Fuda's own canonical Markdown file.

use super::Reader;
use crate::source::Source;
use crate::{Format, Limits, Reading};

/// The reader of the canonical file.
pub(crate) struct Canonical;

impl Reader for Canonical {
    fn format(&self) -> Format {
        Format::Canonical
    }

    fn recognises(&self, _source: &Source<'_>) -> bool {
        false
    }

    fn read(&self, source: &Source<'_>, limits: &Limits) -> Reading {
        super::markdown::Markdown.read(source, limits)
    }
}
