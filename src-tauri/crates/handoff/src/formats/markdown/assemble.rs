//! Sections into fields.

use super::sections::Section;
use crate::Handoff;
use crate::source::Source;

/// Puts every section where it belongs.
pub(crate) fn assemble(_source: &Source<'_>, _sections: &[Section], _handoff: &mut Handoff) {}
