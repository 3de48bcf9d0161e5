//! `fuda mcp` with the protocol's own client: a real server process, a real desk, and no way to approve.

mod support;

use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use support::Bench;

type Client = RunningService<RoleClient, ()>;

async fn client(bench: &Bench) -> Client {
    let mut command = tokio::process::Command::from(bench.command(&["mcp"]));
    command.current_dir(bench.repo());
    ().serve(TokioChildProcess::new(command).expect("started")).await.expect("introduced")
}

async fn ask(client: &Client, tool: &'static str, arguments: Value) -> CallToolResult {
    let arguments = arguments.as_object().cloned().expect("an object");
    client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await.expect("answered")
}

fn answer(result: &CallToolResult) -> Value {
    assert_ne!(result.is_error, Some(true), "{result:?}");
    result.structured_content.clone().expect("structured")
}

fn code(result: &CallToolResult) -> String {
    assert_eq!(result.is_error, Some(true), "{result:?}");
    let error = &result.structured_content.as_ref().expect("structured")["error"];
    assert!(error["message"].is_string() && error["hints"].is_array(), "{error}");
    error["code"].as_str().expect("a code").to_owned()
}

fn text(result: &CallToolResult, at: usize) -> String {
    result.content[at].as_text().expect("text").text.clone()
}

#[tokio::test]
async fn the_tools_are_seven_the_reading_ones_say_so_and_none_approves() {
    let bench = Bench::new();
    let client = client(&bench).await;
    let tools = client.list_all_tools().await.expect("listed");
    let mut names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    names.sort_unstable();
    assert_eq!(names, ["claim", "finish", "heartbeat", "list", "publish", "read", "return"]);
    for tool in &tools {
        let annotations = tool.annotations.as_ref().expect("annotated");
        let reads = ["list", "read"].contains(&tool.name.as_ref());
        assert_eq!(annotations.read_only_hint, Some(reads), "{}", tool.name);
        assert_eq!(annotations.open_world_hint, Some(false), "{}", tool.name);
    }
    client.cancel().await.expect("closed");
}

#[tokio::test]
async fn only_what_a_person_approved_is_read_and_claimed() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.handle();
    let client = client(&bench).await;
    let listed = answer(&ask(&client, "list", json!({})).await);
    assert_eq!(
        (&listed["handoffs"][0]["handle"], &listed["handoffs"][0]["state"]),
        (&json!(handle), &json!("pending"))
    );
    for (tool, arguments) in [("read", json!({ "id": handle })), ("claim", json!({ "id": handle, "by": "worker" }))] {
        let refused = ask(&client, tool, arguments).await;
        assert_eq!(code(&refused), "state", "{tool}");
        assert!(text(&refused, 0).contains("approve it first"), "{tool}");
    }
    assert_eq!(code(&ask(&client, "read", json!({ "id": "nothing-like-it" })).await), "not_found");

    bench.approve(&handle);
    let block = text(&ask(&client, "read", json!({ "id": handle })).await, 0);
    assert!(block.contains("Move ingest to the queue.") && block.contains("Pushing"), "{block}");

    let claimed = ask(&client, "claim", json!({ "id": handle, "by": "worker" })).await;
    let token = answer(&claimed)["token"].as_str().expect("a token").to_owned();
    assert!(text(&claimed, 1).contains("Move ingest to the queue."));
    assert_eq!(code(&ask(&client, "claim", json!({ "id": handle, "by": "second" })).await), "held");
    assert_eq!(code(&ask(&client, "read", json!({ "id": handle })).await), "held");
    assert_eq!(
        code(&ask(&client, "finish", json!({ "id": handle, "token": "7-x", "outcome": "done" })).await),
        "state"
    );

    answer(&ask(&client, "heartbeat", json!({ "id": handle, "token": token })).await);
    let note = json!({ "id": handle, "token": token, "note": "the queue has another owner" });
    assert_eq!(answer(&ask(&client, "return", note).await)["state"], "returned");
    assert_eq!(bench.json(&["show", &handle])["outcome"]["note"], "the queue has another owner");
    client.cancel().await.expect("closed");
}

#[tokio::test]
async fn a_tree_that_changed_refuses_the_claim_and_consumes_nothing() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    std::fs::write(bench.repo().join("queue.go"), "package later\n").expect("written");
    let client = client(&bench).await;
    assert_eq!(code(&ask(&client, "read", json!({ "id": handle })).await), "changed");
    assert_eq!(code(&ask(&client, "claim", json!({ "id": handle, "by": "worker" })).await), "changed");
    assert_eq!(bench.json(&["show", &handle])["state"], "pending");
    client.cancel().await.expect("closed");
}

#[tokio::test]
async fn a_claim_lives_by_its_heartbeats_also_while_the_server_runs() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let client = client(&bench).await;
    let claimed = ask(&client, "claim", json!({ "id": handle, "by": "worker", "lease_seconds": 2 })).await;
    let token = answer(&claimed)["token"].as_str().expect("a token").to_owned();
    let beat = json!({ "id": handle, "token": token });
    let kept_until = Instant::now() + Duration::from_secs(4);
    while Instant::now() < kept_until {
        answer(&ask(&client, "heartbeat", beat.clone()).await);
    }
    let gone_by = Instant::now() + Duration::from_secs(20);
    while bench.json(&["show", &handle])["state"] != "interrupted" {
        assert!(Instant::now() < gone_by, "the lease did not end");
    }
    assert_eq!(code(&ask(&client, "heartbeat", beat).await), "state");
    assert_eq!(code(&ask(&client, "claim", json!({ "id": handle, "by": "worker" })).await), "state");
    client.cancel().await.expect("closed");
}

#[tokio::test]
async fn what_an_agent_publishes_waits_for_a_person() {
    let bench = Bench::new();
    let client = client(&bench).await;
    let document = "---\nfuda: 2\nagent: codex\nreason: usage limit\n---\n# Handoff\n## Objective\nMove ingest to the queue.\n## Remaining work\n- [ ] Drain\n";
    let published = answer(&ask(&client, "publish", json!({ "document": document })).await);
    let handle = published["handle"].as_str().expect("a handle").to_owned();
    let show = bench.json(&["show", &handle]);
    assert_eq!((&show["state"], &show["trees"][0]["branch"]["text"]), (&json!("pending"), &json!("main")), "{show}");
    assert_eq!(code(&ask(&client, "publish", json!({ "document": "hello" })).await), "refused");
    assert_eq!(code(&ask(&client, "claim", json!({ "id": handle, "by": "worker" })).await), "state");
    client.cancel().await.expect("closed");
}
