//! The handoff document: one model however it was written down, a reader for each format, edits by byte
//! range, writing, rendering for a model, linting. Pure: no files, no clock, no git.
#![deny(missing_docs)]

mod constant;
mod contradiction;
mod dates;
mod edit;
mod error;
mod file_name;
mod formats;
pub mod headings;
mod hidden;
mod limits;
mod lint;
mod mention;
mod model;
mod outside;
mod pointer;
mod prose;
mod read;
mod render;
mod rules;
mod secret;
mod since;
mod source;
mod survived;
mod trees;
mod write;

pub use contradiction::{HandoffContradiction, contradictions};
pub use dates::{DateBy, ordering_date};
pub use edit::{Edit, Edited, apply, widens};
pub use error::Error;
pub use file_name::{is_document_extension, is_handoff_name, is_prose_extension};
pub use hidden::{Segment, hidden, visible, visible_text};
pub use limits::over_limits;
pub use lint::lint;
pub use mention::{Mention, MentionKind, mentions};
pub use model::*;
pub use read::{document, is_session, matters_in_session, read, revision};
pub use render::{Cut, RENDERER_VERSION, RenderOptions, Rendered, block_hash, render};
pub use rules::{Rule, rules};
pub use secret::{Secret, mask, secrets};
pub use since::{RuleChange, RuleFate, rules_since};
pub use survived::{FieldReport, fields, survived};
pub use write::{write_canonical, write_json1, write_json2};
