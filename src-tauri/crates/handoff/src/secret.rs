//! Secrets in text: named, masked, never indexed. Exact prefixes first; a generic rule with entropy behind them.
//! Digests, ids and names of environment variables are left alone.

use crate::Span;
use regex::Regex;
use std::sync::LazyLock;

/// A secret and where it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its bytes in the text.
    pub span: Span,
    /// What it looks like, for people.
    pub kind: &'static str,
}

const RULES: &[(&str, &str)] = &[
    ("AWS access key", r"\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b"),
    ("GitHub token", r"\b(gh[pousr]_[A-Za-z0-9]{36,255})\b"),
    ("GitHub token", r"\b(github_pat_[A-Za-z0-9_]{60,255})\b"),
    ("GitLab token", r"\b(gl(?:pat|dt|rt|ft|soat)-[A-Za-z0-9_-]{20,64})"),
    ("Slack token", r"\b(xox[abeoprs]-[A-Za-z0-9-]{10,250})"),
    ("Slack webhook", r"(https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{20,})"),
    ("Discord webhook", r"(https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d+/[A-Za-z0-9_-]{20,})"),
    ("Teams webhook", r"(https://[a-z0-9-]+\.webhook\.office\.com/[A-Za-z0-9/@-]{30,})"),
    ("Anthropic key", r"\b(sk-ant-[A-Za-z0-9_-]{20,200})"),
    ("OpenAI key", r"\b(sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,200})"),
    ("Google key", r"\b(AIza[A-Za-z0-9_-]{35})"),
    ("Google OAuth secret", r"\b(GOCSPX-[A-Za-z0-9_-]{28})"),
    ("Stripe key", r"\b((?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,200})"),
    ("npm token", r"\b(npm_[A-Za-z0-9]{36})\b"),
    ("PyPI token", r"\b(pypi-[A-Za-z0-9_-]{50,})"),
    ("SendGrid key", r"\b(SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{30,})"),
    ("Twilio key", r"\b(SK[0-9a-f]{32})\b"),
    ("Telegram bot token", r"\b(\d{8,10}:AA[A-Za-z0-9_-]{33})"),
    ("Hugging Face token", r"\b(hf_[A-Za-z0-9]{34})\b"),
    ("DigitalOcean token", r"\b(do[op]_v1_[0-9a-f]{64})\b"),
    ("Shopify token", r"\b(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})\b"),
    ("Linear key", r"\b(lin_api_[A-Za-z0-9]{40})\b"),
    ("Notion token", r"\b((?:ntn|secret)_[A-Za-z0-9]{40,50})\b"),
    ("Databricks token", r"\b(dapi[0-9a-f]{32})\b"),
    ("age key", r"\b(AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58})\b"),
    ("JSON web token", r"\b(eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})"),
    (
        "private key",
        r"(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/=\s:,.-]{0,8000}(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?)",
    ),
    ("password in an address", r"\b[a-z][a-z0-9+.-]{2,20}://[^\s:/@]{1,80}:([^\s/@$<{]{3,120})@"),
    ("bearer token", r"(?i)\bbearer\s+([A-Za-z0-9._~+/-]{24,}=*)"),
];

// OK because the patterns are constants that the tests compile.
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

static EXACT: LazyLock<Vec<(&str, Regex)>> =
    LazyLock::new(|| RULES.iter().map(|(kind, pattern)| (*kind, regex(pattern))).collect());
static GENERIC: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?i)\b(?:[a-z0-9]{0,20}[_.-]?)?(?:api[_-]?key|secret(?:[_-]?key)?|token|passw(?:or)?d|passphrase|credentials?|client[_-]?secret|access[_-]?key|auth[_-]?key)["'`]?\s*(?:=|:|=>|:=)\s*["'`]?([^\s"'`,;<>(){}]{8,200})"#,
    )
});

/// Finds secrets, in the order in which they stand. Linear in the length of the text.
pub fn secrets(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    for (kind, pattern) in EXACT.iter() {
        for part in pattern.captures_iter(text).filter_map(|captures| captures.get(1)) {
            found.push(Secret { span: Span::new(part.start(), part.end()), kind });
        }
    }
    for part in
        GENERIC.captures_iter(text).filter_map(|captures| captures.get(1)).filter(|part| looks_secret(part.as_str()))
    {
        found.push(Secret { span: Span::new(part.start(), part.end()), kind: "secret value" });
    }
    found.sort_by_key(|secret| (secret.span.from, std::cmp::Reverse(secret.span.to)));
    let mut end = 0;
    found.retain(|secret| {
        let keep = secret.span.from >= end;
        if keep {
            end = secret.span.to;
        }
        keep
    });
    found
}

/// The text with every secret replaced by its kind in brackets.
pub fn mask(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for secret in secrets(text) {
        out.push_str(&text[at..secret.span.from]);
        out.push_str(&format!("[{}]", secret.kind));
        at = secret.span.to;
    }
    out.push_str(&text[at..]);
    out
}

fn looks_secret(value: &str) -> bool {
    let value = value.trim_end_matches(['.', ':', ')', ']']);
    let hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let digest = hex && matches!(value.len(), 7..=12 | 32 | 40 | 64 | 96 | 128);
    let uuid = value.len() == 36 && value.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    let variable = value.starts_with(['$', '%', '{', '<', '*', '/', '~', '['])
        || value.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit());
    let word = value.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '_' | '.' | '/'))
        || value.contains("::")
        || value.contains("()")
        || value.contains("process.env")
        || value.contains("os.environ");
    let lower = value.to_ascii_lowercase();
    let sample = [
        "example",
        "changeme",
        "your",
        "placeholder",
        "xxxx",
        "dummy",
        "redacted",
        "test",
        "sample",
        "secret",
        "password",
        "...",
        "****",
    ]
    .iter()
    .any(|stop| lower.contains(stop));
    !digest && !uuid && !variable && !word && !sample && entropy(value) >= 3.0
}

/// Bits a character, by Shannon.
fn entropy(value: &str) -> f64 {
    let mut counts = [0_usize; 256];
    value.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let length = value.len() as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| *count as f64 / length)
        .map(|share| -share * share.log2())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_and_named() {
        let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        assert_eq!(mask(&format!("use {token} now")), "use [GitHub token] now");
        assert_eq!(mask("postgres://app:hunter42x@db/x"), "postgres://app:[password in an address]@db/x");
        assert_eq!(mask("api_key = 'q8Zr71LmPw02xVb9'"), "api_key = '[secret value]'");
    }

    #[test]
    fn digests_ids_and_variable_names_stay() {
        for text in [
            "token: $UPPER_CASE",
            "secret: a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
            "token = 550e8400-e29b-41d4-a716-446655440000",
            "password: ask the operator",
            "token: process.env.API_TOKEN1",
            "HEAD 4c1f0aa9d2e6b7c8f9a0b1c2d3e4f5061728394a",
        ] {
            assert_eq!(mask(text), text);
        }
    }
}
