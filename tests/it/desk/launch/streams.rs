//! What the agents' structured output tells, on output that real programs printed.

use crate::support::{Person, stream};
use desk::launch::{Session, Signal, Stream, StreamKind, verify_started};

/// 2026-12-01T05:44:00Z.
const NOW: i64 = 1_796_103_840_000;

fn signals(kind: StreamKind, name: &str) -> Vec<Signal> {
    let bytes = std::fs::read(stream(name)).expect("a fixture");
    read(kind, &bytes)
}

fn read(kind: StreamKind, bytes: &[u8]) -> Vec<Signal> {
    let mut stream = Stream::new(kind, NOW);
    // Pieces of odd sizes: nothing says that output comes line by line.
    let mut signals: Vec<Signal> = bytes.chunks(7).flat_map(|piece| stream.feed(piece)).collect();
    signals.extend(stream.finish());
    signals
}

fn ended(signals: &[Signal]) -> (bool, &str) {
    match signals.last() {
        Some(Signal::Ended { ok, message }) => (*ok, message),
        other => panic!("the last signal is {other:?}"),
    }
}

fn limit(signals: &[Signal]) -> Option<Option<&str>> {
    signals.iter().find_map(|signal| match signal {
        Signal::Limit { resets_at, .. } => Some(resets_at.as_deref()),
        _ => None,
    })
}

fn session(signals: &[Signal]) -> Session {
    let found = signals.iter().find_map(|signal| match signal {
        Signal::Session { session } => Some(session.clone()),
        _ => None,
    });
    found.expect("a session")
}

#[test]
fn an_ordinary_end_is_told_as_one() {
    for (kind, name, id) in [
        (StreamKind::Codex, "codex.jsonl", "01a23021-c20d-7932-9ada-c16437c9207c"),
        (StreamKind::Pi, "pi.jsonl", "01a23021-bf72-7748-97d9-9b604ebd7f1e"),
    ] {
        let signals = signals(kind, name);
        assert_eq!(signals.first(), Some(&Signal::Life), "{name}");
        assert_eq!(session(&signals).id.as_deref(), Some(id), "{name}");
        assert!(ended(&signals).0, "{name}: {signals:?}");
        assert_eq!(limit(&signals), None, "{name}");
    }
}

#[test]
fn a_usage_limit_is_told_with_its_end_whatever_the_exit_status_will_be() {
    for (kind, name) in [
        (StreamKind::Codex, "codex-limit.jsonl"),
        (StreamKind::Pi, "pi-limit.jsonl"),
        (StreamKind::Pi, "omp-limit.jsonl"),
        (StreamKind::Gemini, "gemini-limit.jsonl"),
        (StreamKind::Claude, "claude-limit.jsonl"),
    ] {
        let signals = signals(kind, name);
        assert!(limit(&signals).is_some(), "{name}: {signals:?}");
        assert!(!ended(&signals).0, "{name}");
    }
    assert_eq!(limit(&signals(StreamKind::Pi, "pi-limit.jsonl")), Some(Some("2026-12-01T06:44:00Z")));
    assert_eq!(limit(&signals(StreamKind::Claude, "claude-limit.jsonl")), Some(Some("2026-02-10T21:30:00Z")));
    assert_eq!(limit(&signals(StreamKind::Gemini, "gemini-limit.jsonl")), Some(None), "it does not say when");
}

#[test]
fn an_answer_that_is_none_is_no_success() {
    // Qwen calls an error a success; on a limit it prints its start and nothing more; opencode prints nothing at all.
    assert!(!ended(&signals(StreamKind::Qwen, "qwen-empty.jsonl")).0);
    assert_eq!(ended(&signals(StreamKind::Qwen, "qwen-limit.jsonl")), (false, "it ended without saying how"));
    assert_eq!(ended(&read(StreamKind::Opencode, b"")), (false, "it ended without a word"));
    assert_eq!(
        ended(&signals(StreamKind::Opencode, "opencode.jsonl")),
        (false, "the answer was cut at the model's limit")
    );
    let empty = br#"{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"stop"}}"#;
    assert_eq!(ended(&read(StreamKind::Pi, empty)), (false, "the model answered nothing"));
}

#[test]
fn tools_questions_and_refusals_are_told() {
    let claude = br#"{"type":"system","subtype":"init","session_id":"s","permissionMode":"default","tools":["Read","Bash"],"claude_code_version":"2.1.280"}
{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{}}]}}
{"type":"system","subtype":"permission_denied","tool_name":"Bash","message":"no rule allows it"}
{"type":"system","subtype":"api_retry","error":"overloaded"}
{"type":"assistant","message":{"content":[{"type":"tool_use","name":"AskUserQuestion","input":{"questions":[{"question":"May I?"}]}}]}}
{"type":"a_type_of_tomorrow"}
not json
{"type":"result","subtype":"success","is_error":false,"result":"Done.","permission_denials":[{"tool_name":"Bash"}]}
"#;
    let told = read(StreamKind::Claude, claude);
    assert!(told.contains(&Signal::Tool { name: "Bash".into() }));
    assert!(told.contains(&Signal::Denied { what: "Bash: no rule allows it".into() }));
    assert!(told.contains(&Signal::Retry { message: "overloaded".into() }));
    assert!(told.contains(&Signal::Question { text: "May I?".into() }));
    assert_eq!(ended(&told), (true, "Done."));

    let codex = br#"{"type":"thread.started","thread_id":"t"}
{"type":"item.started","item":{"type":"command_execution","command":"ls"}}
{"type":"item.completed","item":{"type":"command_execution","status":"declined"}}
{"type":"turn.completed","usage":{}}
"#;
    let told = read(StreamKind::Codex, codex);
    assert!(told.contains(&Signal::Tool { name: "command execution".into() }));
    assert!(told.contains(&Signal::Denied { what: "command execution".into() }));

    let goose = br#"{"type":"message","message":{"role":"assistant","content":[{"type":"toolRequest","toolCall":{"value":{"name":"developer__shell"}}},{"type":"text","text":"hi"}]}}
{"type":"complete","total_tokens":3}"#;
    let told = read(StreamKind::Goose, goose);
    assert!(told.contains(&Signal::Tool { name: "developer__shell".into() }));
    assert!(ended(&told).0, "a last line without its end is read");
}

#[test]
fn a_line_longer_than_any_answer_is_skipped_and_the_next_one_read() {
    let mut bytes = vec![b'{'; 9 << 20];
    bytes.extend_from_slice(b"\n{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n");
    let mut stream = Stream::new(StreamKind::Codex, NOW);
    let signals: Vec<Signal> = bytes.chunks(1 << 16).flat_map(|piece| stream.feed(piece)).collect();
    assert_eq!(session(&signals).id.as_deref(), Some("t"));
}

#[test]
fn text_is_a_sign_of_life_and_nothing_more() {
    assert_eq!(read(StreamKind::Plain, b"{\"type\":\"result\"}\nDone."), vec![Signal::Life]);
}

#[test]
fn a_start_that_was_not_approved_is_named() {
    let plan =
        Person::new().never(&["Do not edit any files", "No network access"]).plan("claude-code", &[]).expect("a plan");
    let start = |mode: &str, tools: &[&str]| Session {
        mode: Some(mode.into()),
        tools: Some(tools.iter().map(|tool| (*tool).into()).collect()),
        version: Some("2.1.300".into()),
        ..Session::default()
    };
    assert_eq!(verify_started(&plan, &start("default", &["Read", "Grep"])), None);
    let found = verify_started(&plan, &start("bypassPermissions", &["Read"])).expect("a difference");
    assert!(found.contains("bypassPermissions"), "{found}");
    let found = verify_started(&plan, &start("default", &["Read", "Bash", "mcp__x__y"])).expect("a difference");
    assert!(found.contains("Bash, mcp__x__y"), "{found}");
}
