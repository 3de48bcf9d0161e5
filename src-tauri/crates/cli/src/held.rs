//! What a holder shows: the handoff and its token, as given, else as `fuda resume` left them in the environment.

use api::ApiError;
use serde_json::Value;

/// The handoff that a caller holds, and its token.
pub struct Held {
    pub id: String,
    pub token: String,
}

/// As given; what is missing comes from `FUDA_HANDOFF` and the file in `FUDA_TOKEN_FILE`.
pub fn of(id: Option<String>, token: Option<String>) -> Result<Held, ApiError> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let missing = |what: &str| ApiError {
        code: "usage".to_owned(),
        message: format!("{what}; it is given only to what fuda claim answers and to what fuda resume starts"),
        hints: vec!["fuda claim ID --by NAME answers with a token.".to_owned()],
        details: Value::Null,
        cause: None,
    };
    let id = id.or_else(|| set(api::HANDOFF)).ok_or_else(|| missing("no handoff is named"))?;
    let token = match token {
        Some(token) => token,
        None => {
            let path = set(api::TOKEN_FILE).ok_or_else(|| missing("no token is given"))?;
            std::fs::read_to_string(&path)
                .map_err(|error| missing(&format!("the token in {path} cannot be read ({error})")))?
                .trim()
                .to_owned()
        }
    };
    Ok(Held { id, token })
}
