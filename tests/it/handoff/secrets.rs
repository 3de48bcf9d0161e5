//! No secret leaves through a list, an index, an export or a log; and what is none stays readable.

mod support;

use handoff::{mask, secrets};
use support::assert_grows_with_size;

/// A secret is put together here so that no scanner of the repository takes it for a real one.
fn token(parts: &[&str]) -> String {
    parts.concat()
}

#[test]
fn secrets_with_a_known_shape_are_masked_and_named() {
    let random = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    let hex = "0123456789abcdef0123456789abcdef";
    for (secret, kind) in [
        (token(&["AK", "IA", "Q3EGRZ5KPL0MX9TB"]), "AWS access key"),
        (token(&["gh", "p_", random]), "GitHub token"),
        (token(&["gh", "s_", random]), "GitHub token"),
        (token(&["github", "_pat_", random, "_", random]), "GitHub token"),
        (token(&["gl", "pat-", &random[..20]]), "GitLab token"),
        (token(&["xo", "xb-1234567890-", &random[..24]]), "Slack token"),
        (token(&["https://hooks.", "slack.com/services/T00000000/B00000000/", &random[..24]]), "Slack webhook"),
        (token(&["https://", "discord.com/api/webhooks/123456789012345678/", random]), "Discord webhook"),
        (token(&["sk-", "ant-api03-", random]), "Anthropic key"),
        (token(&["sk-", "proj-", random]), "OpenAI key"),
        (token(&["sk-", random]), "OpenAI key"),
        (token(&["AI", "za", &random[..35]]), "Google key"),
        (token(&["sk_", "live_", &random[..24]]), "Stripe key"),
        (token(&["npm", "_", random]), "npm token"),
        (token(&["pypi", "-AgEIcHlwaS5vcmcC", random]), "PyPI token"),
        (token(&["S", "G.", &random[..22], ".", random, "abcdefg"]), "SendGrid key"),
        (token(&["S", "K", hex]), "Twilio key"),
        (token(&["123456789", ":AA", &random[..33]]), "Telegram bot token"),
        (token(&["h", "f_", &random[..34]]), "Hugging Face token"),
        (token(&["ey", "JhbGciOiJIUzI1NiJ9.", "ey", "JzdWIiOiIxMjM0In0.", random]), "JSON web token"),
    ] {
        for text in [format!("use {secret} now"), format!("`{secret}`"), format!("（{secret}）")] {
            assert_eq!(mask(&text), text.replace(&secret, &format!("[{kind}]")), "{secret}");
        }
    }
}

#[test]
fn values_of_keys_that_name_a_secret_are_masked() {
    for (text, value) in [
        ("api_key = 'q8Zr71LmPw02xVb9'", "q8Zr71LmPw02xVb9"),
        ("\"password\": \"Tr0ub4dor&3\"", "Tr0ub4dor&3"),
        ("DB_PASSWORD=hunter42x", "hunter42x"),
        ("client_secret: q8Zr71LmPw02xVb9.", "q8Zr71LmPw02xVb9"),
        ("mysql --password=Zr71Lm-Pw02 -u root", "Zr71Lm-Pw02"),
        ("**Token:** q8Zr71LmPw02xVb9", "q8Zr71LmPw02xVb9"),
        (
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        ),
        ("Authorization: Bearer q8Zr71LmPw02xVb9q8Zr", "q8Zr71LmPw02xVb9q8Zr"),
        ("postgres://app:hunter2@db.local/x", "hunter2"),
        ("redis://:p4ssw0rd@cache:6379", "p4ssw0rd"),
    ] {
        let masked = mask(text);
        assert!(!masked.contains(value), "{text}: {masked}");
        assert_eq!(
            masked.replace(masked.split(['[', ']']).nth(1).unwrap_or_default(), ""),
            text.replace(value, "[]"),
            "{text}"
        );
    }
}

#[test]
fn a_private_key_is_masked_as_a_whole() {
    let body = "MIIEpAIBAAKCAQEAq83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ\n".repeat(12);
    let text = format!(
        "before\n-----BEGIN OPENSSH {}\n{body}-----END OPENSSH {}\nafter\n",
        "PRIVATE KEY-----", "PRIVATE KEY-----"
    );
    assert_eq!(mask(&text), "before\n[private key]\nafter\n");
    let line = format!("\"key\": \"-----BEGIN {}\\nMIIE\\n-----END {}\\n\"", "PRIVATE KEY-----", "PRIVATE KEY-----");
    assert_eq!(mask(&line), "\"key\": \"[private key]\\n\"");
}

#[test]
fn digests_ids_names_and_sentences_stay() {
    for text in [
        "token: $UPPER_CASE",
        "token: ${UPPER_CASE_2}",
        "export API_KEY=$API_KEY_2026",
        "secret: a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
        "secret = 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "token = 550e8400-e29b-41d4-a716-446655440000",
        "password: ask the operator",
        "password: stored in vault2 under /ops/db",
        "token: process.env.API_TOKEN1",
        "token = config.auth.token2",
        "secret: src/auth/secret2.rs",
        "the token: expires 2026-08-01T14:12:00Z",
        "token: 2026-08-01T14:12:00Z",
        "token = 128000",
        "tokens: 48213 in, 9120 out",
        "API_KEY=YOUR_API_KEY_HERE1",
        "password = <your-password-1>",
        "password: changeme123",
        "HEAD 4c1f0aa9d2e6b7c8f9a0b1c2d3e4f5061728394a",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "integrity sha512-q8Zr71LmPw02xVb9q8Zr71LmPw02xVb9",
        "sk-learn-pipeline-for-the-new-classifier",
        "npm_config_registry and npm_package_version",
        "https://user@example.org:8080/path",
        "session 01JZ7Q8XK3M4N5P6R7S8T9V0W1",
        "branch feat/token-refresh-2, commit 1f3d9aa",
        "秘密のトークンは環境変数 API_TOKEN に入っている。",
    ] {
        assert_eq!(mask(text), text);
    }
}

#[test]
fn nothing_in_the_case_files_is_masked() {
    let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/cases/handoffs");
    for entry in std::fs::read_dir(folder).expect("the cases") {
        let path = entry.expect("an entry").path();
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned();
        let found: Vec<&str> = secrets(&text).iter().map(|secret| &text[secret.span.range()]).collect();
        assert!(found.is_empty(), "{path:?}: {found:?}");
    }
}

#[test]
fn the_time_grows_with_the_length() {
    for piece in [
        "-----BEGIN PRIVATE KEY-----\n",
        "token = ",
        "eyJaaaaaaaaaa.",
        "https://a:",
        "a1B2c3D4",
        "key: \"",
        "-----BEGIN PRIVATE KEY-----A",
    ] {
        let find = |text: &str| drop(secrets(text));
        assert_grows_with_size(&format!("{piece:?}"), |count| piece.repeat(count), 2_000, find);
    }
}
