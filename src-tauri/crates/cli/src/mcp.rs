//! `fuda mcp`: the desk for agents, as a Model Context Protocol server on standard input and output. Publishing,
//! reading what a person approved, claiming, reporting. No tool approves, acknowledges or releases: those are for a
//! person. A claim made here has a lease and nothing else: it ends when its heartbeats do.
//!
//! An error is an answer for the model: the command line's code, message and hints.

use api::{ApiError, Call, Desk};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::schemars::{self, JsonSchema};
use rmcp::{ErrorData, ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Handoffs that a list names unless asked for more.
const LISTED: u32 = 30;

/// What an agent learns of a handoff in a list.
const SHOWN: &[&str] = &[
    "handle",
    "state",
    "state_reason",
    "title",
    "objective",
    "repo",
    "branch",
    "from",
    "to",
    "reason",
    "resets_at",
    "written_at",
    "held_by",
    "path",
];

#[derive(Clone)]
struct Server {
    desk: Arc<Desk>,
}

#[derive(Deserialize, JsonSchema)]
struct Publish {
    /// The whole handoff: canonical Markdown (front matter with `fuda: 2`), or Handoff JSON 1 or 2.
    document: String,
    /// The folder of the repository that it is about. Default: the folder in which this server was started.
    repo: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct List {
    /// Words to find, and terms such as `state:approved`, `repo:NAME`, `branch:NAME`. Default: everything not archived.
    query: Option<String>,
    /// How many at most. Default: 30.
    limit: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
struct Id {
    /// Id, handle, or a unique prefix of either.
    id: String,
}

#[derive(Deserialize, JsonSchema)]
struct Claim {
    /// Id, handle, or a unique prefix of either.
    id: String,
    /// Who you are: the profile's name where you know it, else the agent's.
    by: String,
    /// Seconds for which the claim lasts without a heartbeat.
    lease_seconds: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
struct Token {
    /// Id, handle, or a unique prefix of either. Default: the one that `fuda resume` started you for.
    id: Option<String>,
    /// What claim gave. Default: the token that `fuda resume` left for you.
    token: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Finish {
    /// Id, handle, or a unique prefix of either. Default: the one that `fuda resume` started you for.
    id: Option<String>,
    /// What claim gave. Default: the token that `fuda resume` left for you.
    token: Option<String>,
    /// `verified` (a check passed and you ran it), `done`, or `failed`.
    outcome: String,
    /// What the next one should know.
    note: Option<String>,
    /// A file whose end is kept as the log, such as the check's output.
    log: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Return {
    /// Id, handle, or a unique prefix of either. Default: the one that `fuda resume` started you for.
    id: Option<String>,
    /// What claim gave. Default: the token that `fuda resume` left for you.
    token: Option<String>,
    /// What is known now and why it goes back.
    note: String,
}

type Answer = Result<CallToolResult, ErrorData>;

#[tool_router]
impl Server {
    #[tool(
        description = "Publish a handoff for whoever goes on: objective, constraints, verified facts, decisions, rejected options, next steps, safety boundary. Id, time, paths, branch, commit and status are filled in from what is there. A person reviews it before anybody may act on it.",
        annotations(
            title = "Publish a handoff",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn publish(&self, Parameters(publish): Parameters<Publish>) -> Answer {
        let here = || std::env::current_dir().map(|here| here.display().to_string()).unwrap_or_default();
        let folder = publish.repo.unwrap_or_else(here);
        self.call("publish", json!({ "document": publish.document, "folder": folder })).await
    }

    #[tool(
        description = "List handoffs, newest first, with their state. Only those in state `approved` can be read and claimed.",
        annotations(title = "List handoffs", read_only_hint = true, open_world_hint = false)
    )]
    async fn list(&self, Parameters(list): Parameters<List>) -> Answer {
        let params = json!({ "list": "all", "query": list.query, "limit": list.limit.unwrap_or(LISTED) });
        let page = match self.ask("handoffs", params).await? {
            Ok(page) => page,
            Err(error) => return Ok(refused(&error)),
        };
        let rows: Vec<Value> = page["rows"].as_array().into_iter().flatten().map(shown).collect();
        Ok(CallToolResult::structured(json!({ "handoffs": rows, "total": page["total"] })))
    }

    #[tool(
        description = "Read the block of an approved handoff, as it would be handed over. Reading claims nothing: call claim before you act on it.",
        annotations(title = "Read an approved handoff", read_only_hint = true, open_world_hint = false)
    )]
    async fn read(&self, Parameters(read): Parameters<Id>) -> Answer {
        Ok(match self.ask("approved_block", json!({ "id": read.id })).await? {
            Ok(block) => {
                let text = block["text"].as_str().unwrap_or_default().to_owned();
                CallToolResult::success(vec![ContentBlock::text(text)])
            }
            Err(error) => refused(&error),
        })
    }

    #[tool(
        description = "Claim an approved handoff. Exactly one executor gets it, from exactly what was approved. The answer holds the token for heartbeat, finish and return, and the block to work from.",
        annotations(
            title = "Claim a handoff",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn claim(&self, Parameters(claim): Parameters<Claim>) -> Answer {
        let params = json!({ "id": claim.id, "by": claim.by, "lease_seconds": claim.lease_seconds, "ack": [] });
        Ok(match self.ask("claim", params).await? {
            Ok(claimed) => {
                let block = std::fs::read_to_string(claimed["block_path"].as_str().unwrap_or_default());
                let mut answer = CallToolResult::structured(claimed);
                answer.content.extend(block.ok().map(ContentBlock::text));
                answer
            }
            Err(error) => refused(&error),
        })
    }

    #[tool(
        description = "Say that you still work on a claimed handoff. Call it well within the lease: a lease that ends leaves the handoff interrupted, and it is not yours any more.",
        annotations(
            title = "Keep a claim",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn heartbeat(&self, Parameters(token): Parameters<Token>) -> Answer {
        self.report("heartbeat", token.id, token.token, json!({})).await
    }

    #[tool(
        description = "Report how the work on a claimed handoff ended.",
        annotations(
            title = "Report an outcome",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn finish(&self, Parameters(finish): Parameters<Finish>) -> Answer {
        let Finish { id, token, outcome, note, log } = finish;
        self.report("finish", id, token, json!({ "outcome": outcome, "note": note, "log": log })).await
    }

    #[tool(
        name = "return",
        description = "Give a claimed handoff back to a person with a note of what is known now: the tree contradicts it, something needs a decision, or it cannot be done as written.",
        annotations(
            title = "Return a handoff",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn give_back(&self, Parameters(give): Parameters<Return>) -> Answer {
        self.report("finish", give.id, give.token, json!({ "outcome": "returned", "note": give.note })).await
    }
}

#[tool_handler(
    name = "fuda",
    instructions = "Fuda is the desk where a person reviews handoffs between coding agents. List and read what was approved, claim before acting, send heartbeats, report the outcome. A handoff is a claim: where it differs from the working tree, the tree wins; then return it. Nothing here approves."
)]
impl ServerHandler for Server {}

impl Server {
    async fn call(&self, name: &'static str, params: Value) -> Answer {
        Ok(match self.ask(name, params).await? {
            Ok(answer) => CallToolResult::structured(answer),
            Err(error) => refused(&error),
        })
    }

    /// Calls what only the holder may.
    async fn report(&self, name: &'static str, id: Option<String>, token: Option<String>, mut params: Value) -> Answer {
        match crate::held::of(id, token) {
            Ok(held) => {
                params["id"] = json!(held.id);
                params["token"] = json!(held.token);
                self.call(name, params).await
            }
            Err(error) => Ok(refused(&error)),
        }
    }

    /// Calls the operation where blocking is allowed: it reads files and waits for locks.
    async fn ask(&self, name: &'static str, params: Value) -> Result<Result<Value, ApiError>, ErrorData> {
        let desk = self.desk.clone();
        let asked = move || api::call(&Call { desk: &desk, progress: &|_| {}, cancel: &|| false }, name, params);
        tokio::task::spawn_blocking(asked)
            .await
            .map_err(|error| ErrorData::internal_error(format!("{name} did not end: {error}"), None))
    }
}

fn refused(error: &ApiError) -> CallToolResult {
    CallToolResult::structured_error(json!({ "error": error }))
}

/// A row as an agent needs it: what is not known is left out.
fn shown(row: &Value) -> Value {
    let mut kept = Map::new();
    for key in SHOWN {
        if let Some(value) = row.get(*key).filter(|value| !value.is_null()) {
            let text = value.as_str().map(api::visible_text);
            kept.insert((*key).to_owned(), text.map_or_else(|| value.clone(), |text| json!(text)));
        }
    }
    Value::Object(kept)
}

/// Serves until the client closes its end.
pub fn serve(desk: Desk) -> Result<u8, ApiError> {
    serve_with(Server { desk: Arc::new(desk) })
}

/// Serves any server on standard input and output.
pub fn serve_with(server: impl ServerHandler) -> Result<u8, ApiError> {
    let failed = |what: &str, error: &dyn std::fmt::Display| ApiError {
        code: "io".to_owned(),
        message: format!("{what}: {error}"),
        hints: vec!["fuda mcp is started by an agent; fuda help mcp says how to register it.".to_owned()],
        details: Value::Null,
        cause: None,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| failed("the runtime could not be started", &error))?;
    runtime.block_on(async {
        let serving = server
            .serve(rmcp::transport::stdio())
            .await
            .map_err(|error| failed("no client introduced itself", &error))?;
        serving.waiting().await.map_err(|error| failed("serving ended", &error))?;
        Ok(0)
    })
}
