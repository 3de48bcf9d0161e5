//! Documents that only send the reader elsewhere.

use crate::source::Source;
use crate::{Finding, Handoff};
use std::ops::Range;

/// Fills `points_to` when the entry is a pointer.
pub(crate) fn collect(
    _source: &Source<'_>,
    _range: Range<usize>,
    _handoff: &mut Handoff,
    _findings: &mut Vec<Finding>,
) {
}
