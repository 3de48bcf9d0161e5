//! The recorded git state, found anywhere in an entry.

use crate::source::Source;
use crate::{Handoff, Text};
use std::ops::Range;

/// Collects what the entry says about its repository.
pub(crate) fn collect(_source: &Source<'_>, _range: Range<usize>, _handoff: &mut Handoff) {}

/// Whether a normalised label names a git fact.
pub(crate) fn is_label(_key: &str) -> bool {
    false
}

/// Takes a front-matter value that is a git fact.
pub(crate) fn front_matter_value(_key: &str, _value: &Text, _handoff: &mut Handoff) -> bool {
    false
}
