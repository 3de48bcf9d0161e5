//! Regular expressions that are part of the program: one place that makes them, and one promise.

use regex::Regex;

/// Makes a pattern that is written in the source.
pub(crate) fn pattern(text: &str) -> Regex {
    // OK because every pattern is a constant and the tests make each of them at least once.
    Regex::new(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}
