//! Secrets in text: named, masked, never indexed. Exact prefixes first; behind them a rule for `key = value` that
//! asks for entropy. Digests, ids and names of environment variables are left alone: a text full of false masks is
//! of no use to the next model.

use crate::Span;
use crate::constant::pattern;
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::Regex;
use std::sync::{LazyLock, OnceLock};

/// A secret and where it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its bytes in the text.
    pub span: Span,
    /// What it looks like, for people.
    pub kind: &'static str,
}

/// Kind, triggers and pattern. A pattern finds nothing in a text that holds none of its triggers, which are in lowercase
/// and compared without case.
type Rule = (&'static str, &'static [&'static str], &'static str);

/// The first group is the secret. The lengths are lower bounds: a shortened token is still one.
const EXACT: &[Rule] = &[
    ("AWS access key", &["akia", "asia", "abia", "acca"], r"\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})\b"),
    ("GitHub token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"\b(gh[pousr]_[A-Za-z0-9]{20,255})\b"),
    ("GitHub token", &["github_pat_"], r"\b(github_pat_[A-Za-z0-9_]{30,255})\b"),
    (
        "GitLab token",
        &["glpat-", "gldt-", "glrt-", "glft-", "glsoat-", "glcbt-", "glptt-", "glimt-", "glagent-"],
        r"\b(gl(?:pat|dt|rt|ft|soat|cbt|ptt|imt|agent)-[A-Za-z0-9_-]{16,})",
    ),
    ("Slack token", &["xox"], r"\b(xox[abeoprs]-[A-Za-z0-9-]{10,250})"),
    ("Slack token", &["xapp-"], r"\b(xapp-\d-[A-Za-z0-9-]{10,250})"),
    (
        "Slack webhook",
        &["hooks.slack.com"],
        r"(https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{16,})",
    ),
    (
        "Discord webhook",
        &["/api/webhooks/"],
        r"(https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d+/[A-Za-z0-9_-]{16,})",
    ),
    ("Teams webhook", &[".webhook.office.com"], r"(https://[a-z0-9-]+\.webhook\.office\.com/[A-Za-z0-9/@-]{30,})"),
    ("Anthropic key", &["sk-ant-"], r"\b(sk-ant-[A-Za-z0-9_-]{16,})"),
    ("OpenAI key", &["sk-proj-", "sk-svcacct-", "sk-admin-"], r"\b(sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{16,})"),
    ("Google key", &["aiza"], r"\b(AIza[A-Za-z0-9_-]{30,})"),
    ("Google OAuth secret", &["gocspx-"], r"\b(GOCSPX-[A-Za-z0-9_-]{20,})"),
    ("Google OAuth token", &["ya29."], r"\b(ya29\.[A-Za-z0-9_-]{20,})"),
    ("Stripe key", &["k_live_", "k_test_"], r"\b((?:sk|rk)_(?:live|test)_[A-Za-z0-9]{12,})"),
    ("Stripe webhook secret", &["whsec_"], r"\b(whsec_[A-Za-z0-9]{16,})"),
    ("npm token", &["npm_"], r"\b(npm_[A-Za-z0-9]{30,})\b"),
    ("PyPI token", &["pypi-"], r"\b(pypi-[A-Za-z0-9_-]{40,})"),
    ("crates.io token", &["cio"], r"\b(cio[A-Za-z0-9]{32})\b"),
    ("SendGrid key", &["sg."], r"\b(SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{20,})"),
    ("Twilio key", &["sk"], r"\b(SK[0-9a-f]{32})\b"),
    ("Mailgun key", &["key-"], r"\b(key-[0-9a-f]{32})\b"),
    ("Telegram bot token", &[":aa"], r"\b(\d{8,10}:AA[A-Za-z0-9_-]{30,})"),
    ("Hugging Face token", &["hf_"], r"\b(hf_[A-Za-z0-9]{30,})\b"),
    ("DigitalOcean token", &["doo_v1_", "dop_v1_", "dor_v1_"], r"\b(do[opr]_v1_[0-9a-f]{64})\b"),
    ("Shopify token", &["shpat_", "shpca_", "shppa_", "shpss_"], r"\b(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})\b"),
    ("Linear key", &["lin_api_"], r"\b(lin_api_[A-Za-z0-9]{30,})\b"),
    ("Notion token", &["ntn_", "secret_"], r"\b((?:ntn|secret)_[A-Za-z0-9]{40,50})\b"),
    ("Databricks token", &["dapi"], r"\b(dapi[0-9a-f]{32})\b"),
    ("HashiCorp Vault token", &["hvs.", "hvb."], r"\b(hv[sb]\.[A-Za-z0-9_-]{24,})"),
    ("age key", &["age-secret-key-1"], r"\b(AGE-SECRET-KEY-1[A-Z0-9]{58})\b"),
    ("JSON web token", &["eyj"], r"\b(eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})"),
    ("password in an address", &["://"], r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{0,80}:([^\s/@$<{]{3,120})@"),
];

/// Patterns whose finds are secrets only when they look random.
const RANDOM: &[Rule] = &[
    ("OpenAI key", &["sk-"], r"\b(sk-[A-Za-z0-9_-]{20,})"),
    ("bearer token", &["bearer"], r"(?i)\bbearer\s{1,4}([A-Za-z0-9._~+/-]{16,}=*)"),
    ("basic credentials", &["authorization"], r"(?i)\bauthorization\W{1,6}basic\s{1,4}([A-Za-z0-9+/]{12,}=*)"),
    (
        "secret value",
        &["passw", "passphrase", "pwd"],
        r#"(?i)(?:passw(?:or)?d|passphrase|pwd)["'`*]{0,3}\s{0,4}(?:=>|:=|=|:)[*\s]{0,6}(?:"([^"\n]{6,200})"|'([^'\n]{6,200})'|`([^`\n]{6,200})`|([^\s"'`,;<>(){}]{6,200}))"#,
    ),
    (
        "secret value",
        &["key", "token", "secret", "credential"],
        r#"(?i)(?:api[_-]?key|api[_-]?token|secret|token|credentials?|access[_-]?key|auth[_-]?key|account[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key)["'`*]{0,3}\s{0,4}(?:=>|:=|=|:)[*\s]{0,6}(?:"([^"\n]{8,200})"|'([^'\n]{8,200})'|`([^`\n]{8,200})`|([^\s"'`,;<>(){}]{8,200}))"#,
    ),
    (
        "secret value",
        &["--password", "--passwd", "--token", "--api-key", "--secret", "--auth-token"],
        r#"(?i)--(?:password|passwd|token|api-key|secret|auth-token)[ =]["']?([^\s"'`<>(){}]{6,200})"#,
    ),
];

/// Words that stand for a secret and are none.
const PLACEHOLDERS: &[&str] = &[
    "example",
    "changeme",
    "change-me",
    "your",
    "placeholder",
    "xxxx",
    "dummy",
    "redacted",
    "sample",
    "secret",
    "password",
    "token",
    "test",
    "...",
    "****",
    "todo",
    "none",
    "null",
    "unset",
    "env.",
    "environ",
];

const KEY_BEGIN: &str = "-----BEGIN ";
const KEY_END: &str = "-----END ";

const RULES: usize = EXACT.len() + RANDOM.len();

/// Every rule's pattern, made when a text first holds one of its triggers; the exact ones first.
static PATTERNS: [OnceLock<Regex>; RULES] = [const { OnceLock::new() }; RULES];

/// All triggers in one automaton, and the rule that each belongs to: most texts hold hardly any.
static TRIGGERS: LazyLock<(AhoCorasick, Vec<usize>)> = LazyLock::new(|| {
    let triggers = || {
        let rules = EXACT.iter().chain(RANDOM).enumerate();
        rules.flat_map(|(rule, (_, words, _))| words.iter().map(move |word| (rule, word)))
    };
    let words = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::DFA))
        .build(triggers().map(|(_, word)| word))
        // OK because the words are constants, few and short.
        .unwrap_or_else(|error| panic!("triggers: {error}"));
    (words, triggers().map(|(rule, _)| rule).collect())
});

/// The rules that may find something in a text, in their order.
fn triggered(text: &str) -> Vec<usize> {
    let (words, rules) = &*TRIGGERS;
    let mut found: Vec<usize> = Vec::new();
    for hit in words.find_overlapping_iter(text) {
        let rule = rules[hit.pattern().as_usize()];
        if !found.contains(&rule) {
            found.push(rule);
        }
    }
    found.sort_unstable();
    found
}

/// Finds secrets, in the order in which they stand. Linear in the length of the text.
pub fn secrets(text: &str) -> Vec<Secret> {
    let mut found = private_keys(text);
    for rule in triggered(text) {
        let exact = rule < EXACT.len();
        let (kind, _, words) = if exact { EXACT[rule] } else { RANDOM[rule - EXACT.len()] };
        for (from, to) in parts(PATTERNS[rule].get_or_init(|| pattern(words)), text) {
            if exact {
                found.push(Secret { span: Span::new(from, to), kind });
                continue;
            }
            let value = text[from..to].trim_end_matches(['.', ':', ')', ']', ',', ';', '*', '|', '\\', '"', '\'']);
            if looks_random(value) {
                found.push(Secret { span: Span::new(from, from + value.len()), kind });
            }
        }
    }
    // The sort is stable: of two finds in one place the more exact one, which was found first, names it.
    found.sort_by_key(|secret| secret.span.from);
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

fn parts<'a>(pattern: &'a Regex, text: &'a str) -> impl Iterator<Item = (usize, usize)> + 'a {
    pattern
        .captures_iter(text)
        .filter_map(|captures| captures.iter().skip(1).flatten().next().map(|part| (part.start(), part.end())))
}

/// Private key blocks, also on one line with `\n` written out, also without their end.
fn private_keys(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = text[at..].find(KEY_BEGIN).map(|offset| at + offset) {
        let after = begin + KEY_BEGIN.len();
        let Some(label) = key_label(&text[after..]) else {
            at = after;
            continue;
        };
        let body = after + label + 5;
        let next = text[body..].find(KEY_BEGIN).map_or(text.len(), |offset| body + offset);
        let end = match text[body..next].find(KEY_END).map(|offset| body + offset) {
            Some(end) => text[end + KEY_END.len()..]
                .find("-----")
                .map_or(next, |offset| (end + KEY_END.len() + offset + 5).min(next)),
            None => unfinished(text, body, next),
        };
        found.push(Secret { span: Span::new(begin, end), kind: "private key" });
        at = end.max(after);
    }
    found
}

/// The length of the label behind `-----BEGIN `, when it is a private key's. A label is short: a window keeps a line of
/// a thousand beginnings from being looked through a thousand times.
fn key_label(text: &str) -> Option<usize> {
    const LONGEST: usize = 80;
    let window = &text.as_bytes()[..text.len().min(LONGEST + 5)];
    let length = window.windows(5).position(|marks| marks == b"-----")?;
    // OK because what stands before an ASCII mark ends on a character boundary.
    let label = &text[..length];
    (!label.contains('\n') && label.contains("PRIVATE KEY")).then_some(length)
}

/// The end of a key block whose last line is missing: the lines that can only be key material.
fn unfinished(text: &str, body: usize, next: usize) -> usize {
    let mut end = body;
    for line in text[body..next].split_inclusive('\n') {
        let content = line.trim();
        if !content.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=\\".contains(&byte)) {
            break;
        }
        if !content.is_empty() {
            end = body + (content.as_ptr() as usize - text[body..].as_ptr() as usize) + content.len();
        }
    }
    end
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

/// Whether a value could be a secret: neither a digest nor an id, a name, a path, a date or a placeholder.
fn looks_random(value: &str) -> bool {
    let any = |test: fn(&char) -> bool| value.chars().any(|character| test(&character));
    let (digit, upper, lower) =
        (any(char::is_ascii_digit), any(char::is_ascii_uppercase), any(char::is_ascii_lowercase));
    if value.len() < 6
        || is_digest_or_id(value)
        || is_name(value)
        || value.chars().all(|character| character.is_ascii_digit())
    {
        return false;
    }
    let entropy = entropy(value);
    if value.len() >= 32 && digit && upper && lower && entropy >= 4.0 && !value.contains(' ') {
        return true;
    }
    let folded = value.to_ascii_lowercase();
    let placeholder = PLACEHOLDERS.iter().any(|word| folded.contains(word));
    // Words in a row are a sentence about the secret; letters alone have to be many and mixed.
    let mixed = digit
        || (upper && lower && value.len() >= 20 && entropy >= 4.0)
        || (value.len() >= 8 && value.contains(['!', '@', '#', '%', '^', '&', '?', '$']));
    !placeholder && mixed && !value.contains(' ') && entropy >= 2.5
}

fn is_digest_or_id(value: &str) -> bool {
    let hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let digest = hex && matches!(value.len(), 6..=12 | 40 | 64 | 96 | 128);
    let uuid = value.len() == 36 && value.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    let date = value.len() >= 10
        && value.is_char_boundary(4)
        && value[..4].bytes().all(|byte| byte.is_ascii_digit())
        && value[4..].starts_with('-');
    let labelled = ["sha256:", "sha1:", "sha512-", "sha256-", "sha384-"].iter().any(|label| value.starts_with(label));
    digest || uuid || date || labelled
}

/// Environment variables, paths, addresses, code: names of a secret's place.
fn is_name(value: &str) -> bool {
    let variable = value.starts_with(['$', '%', '{', '<', '*', '/', '~', '[', '.', '&', '@', '#'])
        || value
            .chars()
            .all(|character| character.is_ascii_uppercase() || character == '_' || character.is_ascii_digit())
            && value.contains('_');
    let word = |part: &str| {
        part.len() <= 24
            && part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let code = value.contains("::") || value.contains("://") || (value.contains('.') && value.split('.').all(word));
    let lower = value
        .chars()
        .all(|character| character.is_ascii_lowercase() || matches!(character, '-' | '_' | '.' | '/' | ':'));
    let file = value.contains('/')
        && value.rsplit('.').next().is_some_and(|end| {
            end.len() <= 5 && end.len() < value.len() && end.chars().all(|c| c.is_ascii_lowercase())
        });
    let words = !value.is_ascii();
    variable || code || lower || file || words
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
    fn a_find_is_named_by_the_more_exact_rule() {
        let token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
        assert_eq!(mask(&format!("token = {token}")), "token = [GitHub token]");
    }

    #[test]
    fn a_key_without_its_end_is_masked_to_its_last_line() {
        let text = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nq83vEjRWeJCrze8\n\nThe next words stay.\n";
        assert_eq!(mask(text), "[private key]\n\nThe next words stay.\n");
        assert_eq!(mask("-----BEGIN PUBLIC KEY-----\nMIIB"), "-----BEGIN PUBLIC KEY-----\nMIIB");
    }
}
