//! Rules and rejected options that hide in sentences.

use crate::Handoff;
use crate::source::Source;
use std::ops::Range;

/// Adds what sentences of the entry say to `safety` and `rejected`.
pub(crate) fn collect(_source: &Source<'_>, _range: Range<usize>, _handoff: &mut Handoff) {}
