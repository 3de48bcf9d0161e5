//! `fuda mcp` with a real client: Claude Code, to which a person added the server, calls its tools.

use crate::bench::{Real, Run};
use crate::model::Behaviour;
use serde_json::json;
use std::path::Path;

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn claude_code_lists_reads_and_claims_through_the_server() {
    let bench = crate::support::Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let calls = vec![
        ("mcp__fuda__list", json!({})),
        ("mcp__fuda__read", json!({ "id": handle })),
        ("mcp__fuda__claim", json!({ "id": handle, "by": "claude-code" })),
    ];
    let run = Run::on(bench, Real::Claude, Behaviour::Calls(calls));
    run.write(".claude/settings.json", &json!({ "permissions": { "allow": ["mcp__fuda"] } }).to_string());
    let fuda = Path::new(assert_cmd::cargo::cargo_bin!("fuda")).display().to_string();
    let added = crate::hooks::session(&run, &["mcp", "add", "fuda", "--", &fuda, "mcp"], "");
    assert!(added.status.success(), "{added:?}");
    let output = crate::hooks::session(&run, &["-p", "Take what waits."], "");
    assert!(output.status.success(), "{output:?}");
    let results = run.model.results();
    assert_eq!(results.len(), 3, "{results:?}");
    assert!(results[0].contains(&handle) && results[1].contains("Move ingest to the queue."), "{results:?}");
    assert!(results[2].contains("token") && results[2].contains("block_path"), "{results:?}");
    let row = run.bench.json(&["show", &handle]);
    assert_eq!(row["held_by"].as_str().or(row["claim"]["by"].as_str()), Some("claude-code"), "{row}");
}
