//! JSON with the place of every value.
