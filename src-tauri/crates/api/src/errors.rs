//! Errors as they cross: a code exists only where a caller branches on it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ts_rs::TS;

/// An error as every host gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ApiError {
    /// Stable.
    pub code: String,
    /// For people.
    pub message: String,
    /// What to do next.
    pub hints: Vec<String>,
    /// What the code needs.
    #[ts(type = "unknown")]
    pub details: Value,
    /// What the system said, for the log; not for the page.
    #[serde(skip)]
    #[ts(skip)]
    pub cause: Option<Box<str>>,
}

impl ApiError {
    /// A parameter that makes no sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { code: "usage".to_owned(), message: message.into(), hints: Vec::new(), details: Value::Null, cause: None }
    }
}

impl From<desk::Error> for ApiError {
    fn from(error: desk::Error) -> Self {
        let details = match &error {
            desk::Error::Acknowledge { missing, .. } => {
                json!({ "missing": missing, "codes": missing.iter().map(|one| &one.code).collect::<Vec<_>>() })
            }
            desk::Error::Changed { differences, conflict, .. } => {
                json!({ "differences": differences, "conflict": conflict })
            }
            desk::Error::Held { holder, claim, since, .. } => {
                json!({ "holder": holder, "claim": claim, "since": since })
            }
            desk::Error::NotFound { candidates, .. } => json!({ "candidates": candidates }),
            _ => Value::Null,
        };
        let cause = error.cause().map(String::into_boxed_str);
        Self { code: error.code().to_owned(), message: error.to_string(), hints: error.hints(), details, cause }
    }
}

/// The exit status of a code.
pub fn exit_code(code: &str) -> u8 {
    match code {
        "usage" => 2,
        "not_found" => 3,
        "refused" | "incomplete" | "not_a_handoff" => 4,
        "state" | "acknowledge" | "held" => 5,
        "changed" => 6,
        "launch" => 7,
        _ => 1,
    }
}
