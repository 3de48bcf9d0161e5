//! Each command: its operation, its parameters, how its answer is printed.

use crate::arguments::{
    Act, Approve, Arguments, Command, Edit, Finish, Format, List, Mark, Noted, Outcome, Profiles, Searches, Triage,
};
use crate::beside::{self, beside};
use crate::{held, print, rpc};
use api::{ApiError, Call, Desk, PublishRequest};
use clap::CommandFactory;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::path::PathBuf;

/// Bytes of standard input that are taken for a document; the limit proper is the reader's.
const MOST_PUBLISHED: u64 = 64 * 1024 * 1024;

/// Handoffs beyond this are listed without a verdict.
const VERDICTS: usize = 200;

type Done = Result<u8, ApiError>;

pub fn run(desk: &Desk, arguments: Arguments) -> Done {
    let json = arguments.json;
    let call =
        |name: &str, params: Value| api::call(&Call { desk, progress: &|_| {}, cancel: &|| false }, name, params);
    if is_about_handoffs(&arguments.command) {
        // Where this fails, the command itself says why.
        let _ = api::noted(desk, "index", || Ok(desk.index_first()?));
    }
    match arguments.command {
        Command::Open { id } => open(desk, id),
        Command::Profiles { what } => profiles(&call, what, json),
        Command::Index => one(call("index", json!({}))?, json, print::indexed),
        Command::List(list) => handoffs(&call, list, json),
        Command::Searches { what } => searches(&call, what, json),
        Command::Triage(triage) => self::triage(&call, triage, json),
        Command::Undo { token } => one(call("undo", json!({ "token": token }))?, json, print::triaged),
        Command::Show { id } => show(&call, &id, json),
        Command::Drift { id, repo } => {
            let mut drift = call("drift", json!({ "id": id, "repo": repo, "depth": "look" }))?;
            if json {
                beside(&mut drift, &["rules"], &id, &call);
            }
            one(drift, json, print::drift)
        }
        Command::Revisions { id } => many(call("revisions", json!({ "id": id }))?, json, print::revision),
        Command::Lint { id } => {
            let (findings, readable) = desk.lint(&id)?;
            let status = status_of(&json!(readable));
            one(json!({ "findings": findings, "readable": readable }), json, print::findings)?;
            Ok(status)
        }
        Command::Render { id } => one(call("rendered", json!({ "id": id }))?, json, |value| {
            print::plain(value["text"].as_str().unwrap_or_default())
        }),
        Command::Convert { id, to } => {
            let name = match to {
                Format::Markdown => "markdown",
                Format::Json => "json",
                Format::Json1 => "json1",
            };
            let document = desk.convert(&id, name)?;
            if json && name == "markdown" {
                return one(json!({ "format": name, "document": document }), json, |_| {});
            }
            print::document(&document);
            Ok(0)
        }
        Command::Draft { id } => one(call("draft", json!({ "id": id }))?, json, |value| {
            print::document(value["document"].as_str().unwrap_or_default())
        }),
        Command::Roundtrip { id, against } => {
            one(json!({ "fields": desk.roundtrip(&id, against.as_deref())? }), json, print::fields)
        }
        Command::Edit(edit) => self::edit(desk, &call, edit, json),
        Command::Approve(approve) => self::approve(&call, approve, json),
        Command::Return(noted) => noted_decision(&call, "return", noted, json),
        Command::Skip(noted) => noted_decision(&call, "skip", noted, json),
        Command::Stop(noted) => noted_decision(&call, "stop", noted, json),
        Command::Expire(noted) => noted_decision(&call, "expire", noted, json),
        Command::Reopen(noted) => noted_decision(&call, "reopen", noted, json),
        Command::Mark { id, mark } => {
            let name = match mark {
                Mark::Done => "done",
                Mark::Failed => "failed",
                Mark::Resumed => "resumed",
                Mark::Superseded => "superseded",
            };
            one(call("mark", json!({ "id": id, "as": name }))?, json, print::decided)
        }
        Command::Recheck { id, item } => one(call("recheck", json!({ "id": id, "item": item }))?, json, print::decided),
        Command::Bind { id, repo } => one(call("bind", json!({ "id": id, "repo": repo }))?, json, print::decided),
        Command::Publish { repo } => api::noted(desk, "publish", || publish(desk, repo, json)),
        Command::Claim(claim) => one(
            call("claim", json!({ "id": claim.id, "by": claim.by, "lease_seconds": claim.lease, "ack": claim.ack }))?,
            json,
            print::claimed,
        ),
        Command::Heartbeat(token) => {
            let held = held::of(token.id, token.token)?;
            one(call("heartbeat", json!({ "id": held.id, "token": held.token }))?, json, print::decided)
        }
        Command::Running(token) => {
            let held = held::of(token.id, token.token)?;
            one(call("running", json!({ "id": held.id, "token": held.token }))?, json, print::decided)
        }
        Command::Resume(resume) => {
            refuse_unknown_profile(&call, &resume.profile)?;
            api::noted(desk, "resume", || crate::resume::resume(desk, resume, json))
        }
        Command::Cancel { id } => one(call("start_cancel", json!({ "id": id }))?, json, print::cancelled),
        Command::Questions => many(call("questions", json!({}))?, json, print::question),
        Command::Answer { question, word, note } => {
            let allow = matches!(word, crate::arguments::Word::Allow);
            let note = self::note(note)?;
            let params = json!({ "question": question, "allow": allow, "note": note });
            one(call("answer", params)?, json, print::decided)
        }
        Command::Hook { agent, .. } => Ok(crate::hook::run(desk, &agent)),
        Command::Ask { .. } => crate::ask::once(desk),
        Command::Release { id, claim, note } => {
            one(call("release", json!({ "id": id, "claim": claim, "note": note }))?, json, print::decided)
        }
        Command::Finish(finish) => self::finish(&call, finish, json),
        Command::Audit { verify, since } => audit(desk, &call, verify, since.as_deref(), json),
        Command::Purge { hash } => {
            purge(desk, &hash)?;
            one(json!({ "purged": true }), json, |_| print::line("Removed."))
        }
        Command::Doctor { rebuild_ledger: true } => {
            let rebuilt = api::noted(desk, "rebuild_ledger", || Ok(desk.rebuild_ledger()?))?;
            let value = json!({ "events": rebuilt.events, "left_out": rebuilt.left_out, "kept_at": rebuilt.kept_at });
            one(value, json, print::rebuilt)
        }
        Command::Doctor { rebuild_ledger: false } => doctor(&call, json),
        Command::Rpc => rpc::serve(desk),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "fuda", &mut script);
            print::document(&String::from_utf8_lossy(&script));
            Ok(0)
        }
        // Started before a command is.
        Command::Worker | Command::Mcp | Command::Acp { .. } => Ok(0),
    }
}

/// Whether a command asks what handoffs there are. An index that somebody deleted is made again for it.
fn is_about_handoffs(command: &Command) -> bool {
    !matches!(
        command,
        Command::Open { .. }
            | Command::Profiles { .. }
            | Command::Index
            | Command::Searches { .. }
            | Command::Hook { .. }
            | Command::Ask { .. }
            | Command::Purge { .. }
            | Command::Doctor { .. }
            | Command::Rpc
            | Command::Completions { .. }
            | Command::Worker
            | Command::Mcp
            | Command::Acp { .. }
    )
}

fn one(value: Value, json: bool, human: impl Fn(&Value)) -> Done {
    if json {
        print::json(&value)
    } else {
        human(&value)
    }
    Ok(0)
}

fn many(value: Value, json: bool, human: impl Fn(&Value)) -> Done {
    for entry in value.as_array().into_iter().flatten() {
        if json { print::json_line(entry) } else { human(entry) }
    }
    Ok(0)
}

fn open(desk: &Desk, id: Option<String>) -> Done {
    let beside = std::env::current_exe()
        .ok()
        .map(|program| program.with_file_name("fuda-app"))
        .filter(|program| program.exists());
    let program = beside.unwrap_or_else(|| "fuda-app".into());
    let mut command = std::process::Command::new(&program);
    command.env("FUDA_HOME", desk.root());
    if let Some(id) = id {
        command.arg(id);
    }
    match command.status() {
        Ok(status) if status.success() => Ok(0),
        Ok(status) => Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => Err(ApiError {
            code: "io".to_owned(),
            message: format!("the window could not be started ({}: {error})", program.display()),
            hints: vec![
                "Put fuda-app beside fuda, or stay on the command line: fuda list, fuda show, fuda drift.".to_owned(),
            ],
            details: Value::Null,
            cause: None,
        }),
    }
}

fn profiles(call: &impl Fn(&str, Value) -> Result<Value, ApiError>, what: Option<Profiles>, json: bool) -> Done {
    let answer = match what {
        None => call("profiles", json!({}))?,
        Some(Profiles::Detect) => call("profiles_detected", json!({}))?,
        Some(Profiles::Add { name, agent, root, include, exclude }) => {
            let roots: Vec<String> = root.into_iter().map(from_anywhere).collect();
            call(
                "profile_add",
                json!({ "name": name, "agent": agent, "roots": roots, "include": include, "exclude": exclude }),
            )?
        }
        Some(Profiles::Remove { name }) => call("profile_remove", json!({ "name": name })).map_err(|mut error| {
            if error.message.contains("no profile named") {
                error.code = "not_found".to_owned();
            }
            error
        })?,
    };
    many(answer, json, print::profile)
}

/// The root as the configuration keeps it: it is read again from other folders.
fn from_anywhere(root: String) -> String {
    if root.starts_with('~') {
        return root;
    }
    std::path::absolute(&root).map_or(root, |path| path.display().to_string())
}

fn handoffs(call: &impl Fn(&str, Value) -> Result<Value, ApiError>, list: List, json: bool) -> Done {
    let name = if list.archive { "archive" } else { "all" };
    let state = match list.state.as_deref() {
        None => Value::Null,
        Some(state) => json!(state),
    };
    // A term may begin with a minus; two are a flag that there is none of.
    if let Some(flag) = list.query.iter().find(|word| word.starts_with("--")) {
        return Err(ApiError::usage(format!("unexpected argument {flag:?}; fuda help list says what it takes")));
    }
    let mut query = list.query.join(" ");
    if let Some(name) = list.saved {
        let saved = call("searches", json!({}))?;
        let found = saved.as_array().into_iter().flatten().find(|search| search["name"] == json!(name));
        let Some(found) = found else {
            return Err(not_found(
                format!("no search is saved as {name:?}"),
                "fuda searches lists those that are saved.",
            ));
        };
        query = format!("{} {query}", found["query"].as_str().unwrap_or_default());
    }
    if let Some(name) = &list.profile {
        refuse_unknown_profile(call, name)?;
    }
    let params = json!({ "list": name, "query": query, "repo": list.repo, "profile": list.profile, "state": state });
    let mut page = call("handoffs", params)?;
    let mut rows = page["rows"].take();
    if let Some(rows) = rows.as_array_mut() {
        if !list.archive && list.state.is_none() && query.trim().is_empty() {
            rows.retain(|row| row["archived"] != json!(true));
        }
        let handles: Vec<Value> = rows.iter().take(VERDICTS).map(|row| row["handle"].clone()).collect();
        let verdicts = call("verdicts", json!({ "handles": handles }))?;
        for row in rows.iter_mut() {
            if let Some(found) =
                verdicts.as_array().into_iter().flatten().find(|found| found["handle"] == row["handle"])
            {
                row["verdict"] = found["verdict"].clone();
                row["ahead"] = found["ahead"].clone();
            }
        }
    }
    many(rows, json, print::row)
}

fn searches(call: &impl Fn(&str, Value) -> Result<Value, ApiError>, what: Option<Searches>, json: bool) -> Done {
    let answer = match what {
        None => call("searches", json!({}))?,
        Some(Searches::Save { name, query }) => call("search_save", json!({ "name": name, "query": query.join(" ") }))?,
        Some(Searches::Remove { name }) => call("search_remove", json!({ "name": name }))?,
    };
    many(answer, json, print::search)
}

fn triage(call: &impl Fn(&str, Value) -> Result<Value, ApiError>, triage: Triage, json: bool) -> Done {
    let note = note(triage.note)?;
    let (act, list) = match triage.act {
        Act::Skip => ("skip", "inbox"),
        Act::Supersede => ("supersede", "inbox"),
        Act::Expire => ("expire", "inbox"),
        Act::Archive => ("archive", "all"),
        Act::Unarchive => ("unarchive", "archive"),
    };
    // What lies in the archive already is not named one by one.
    let query = triage.query.map(|query| if act == "archive" { format!("{query} -is:archived") } else { query });
    let params = json!({ "as": act, "ids": triage.id, "query": query, "list": list, "note": note });
    one(call("triage", params)?, json, print::triaged)
}

/// Prints what could be read, and says by its status when that is not a handoff to act on.
fn show(call: &impl Fn(&str, Value) -> Result<Value, ApiError>, id: &str, json: bool) -> Done {
    let mut detail = call("handoff_detail", json!({ "id": id }))?;
    beside(&mut detail, &["since", "rules"], id, call);
    let readable = detail["readable"].as_str().unwrap_or_default().to_owned();
    one(detail, json, |detail| {
        print::detail(detail);
        beside::print(detail);
    })?;
    Ok(status_of(&json!(readable)))
}

/// The exit status of an answer about a document that was read so far.
fn status_of(readable: &Value) -> u8 {
    if matches!(readable.as_str(), Some("refused" | "incomplete" | "not_a_handoff")) { 4 } else { 0 }
}

/// Removes what is kept under a whole hash: whoever purges wants to know that it is gone.
fn purge(desk: &Desk, hash: &str) -> Result<(), ApiError> {
    if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let message = format!("{hash:?} is no revision; one has 64 hexadecimal digits, as fuda revisions ID prints it");
        return Err(ApiError::usage(message));
    }
    if desk.purge(&hash.to_ascii_lowercase())? {
        return Ok(());
    }
    Err(not_found(format!("nothing is kept under {hash}"), "fuda revisions ID prints the revisions of a handoff."))
}

fn refuse_unknown_profile(call: &impl Fn(&str, Value) -> Result<Value, ApiError>, name: &str) -> Result<(), ApiError> {
    let profiles = call("profiles", json!({}))?;
    if profiles.as_array().into_iter().flatten().any(|profile| profile["name"] == json!(name)) {
        return Ok(());
    }
    Err(not_found(format!("there is no profile {name:?}"), "fuda profiles lists those that there are."))
}

fn not_found(message: String, hint: &str) -> ApiError {
    ApiError { code: "not_found".to_owned(), hints: vec![hint.to_owned()], ..ApiError::usage(message) }
}

fn edit(desk: &Desk, call: &impl Fn(&str, Value) -> Result<Value, ApiError>, edit: Edit, json: bool) -> Done {
    let edited = |base: Option<&str>, request: api::EditRequest| {
        let answer = api::noted(desk, "edit", || Ok(desk.edit(&edit.id, base, &request)?))?;
        Ok::<_, ApiError>(serde_json::to_value(answer).unwrap_or_default())
    };
    let answer = match (edit.file, edit.base) {
        (Some(file), base) => {
            let bytes = whole_text(&file)?;
            edited(base.as_deref(), api::EditRequest::Whole(bytes))?
        }
        (None, _) if edit.set.is_empty() => return Err(ApiError::usage("an edit needs --set or --file")),
        (None, Some(base)) => call("edit", json!({ "id": edit.id, "base": base, "edits": edit.set }))?,
        (None, None) => edited(None, api::EditRequest::Items(edit.set))?,
    };
    one(answer, json, print::edited)
}

/// The text of a file; of standard input, where the file is called `-`.
fn whole_text(file: &std::path::Path) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    let read = if file.as_os_str() == "-" {
        std::io::stdin().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(file).map(|read| bytes = read)
    };
    read.map(|()| bytes).map_err(|error| {
        not_found(format!("{}: {error}", file.display()), "Name a file that can be read, or - for standard input.")
    })
}

fn approve(call: &impl Fn(&str, Value) -> Result<Value, ApiError>, approve: Approve, json: bool) -> Done {
    let note = note(approve.note)?;
    one(
        call("approve", json!({ "id": approve.id, "rev": approve.rev, "ack": approve.ack, "note": note }))?,
        json,
        print::decided,
    )
}

fn noted_decision(
    call: &impl Fn(&str, Value) -> Result<Value, ApiError>,
    name: &str,
    noted: Noted,
    json: bool,
) -> Done {
    let note = note(noted.note)?;
    one(call(name, json!({ "id": noted.id, "note": note }))?, json, print::decided)
}

fn note(note: Option<String>) -> Result<Option<String>, ApiError> {
    if note.as_deref() != Some("-") {
        return Ok(note);
    }
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| ApiError::usage(format!("the note on standard input: {error}")))?;
    Ok(Some(text.trim_end().to_owned()))
}

/// Reads the document from standard input, as bytes: what is no UTF-8 is for the reader to say.
fn publish(desk: &Desk, repo: Option<PathBuf>, json: bool) -> Done {
    let mut document = Vec::new();
    std::io::stdin()
        .take(MOST_PUBLISHED)
        .read_to_end(&mut document)
        .map_err(|error| ApiError::usage(format!("the document on standard input: {error}")))?;
    let here = || std::env::current_dir().map_err(|error| ApiError::usage(format!("the current folder: {error}")));
    let folder = match repo {
        Some(repo) => std::fs::canonicalize(&repo)
            .map_err(|error| ApiError::usage(format!("--repo {}: {error}", repo.display())))?,
        None => here()?,
    };
    let environment = |name: &str| std::env::var(name).ok();
    let published = desk.publish(&PublishRequest { document, folder, environment: &environment })?;
    one(serde_json::to_value(published).unwrap_or_default(), json, print::published)
}

fn finish(call: &impl Fn(&str, Value) -> Result<Value, ApiError>, finish: Finish, json: bool) -> Done {
    let outcome = match finish.outcome {
        Outcome::Verified => "verified",
        Outcome::Done => "done",
        Outcome::Failed => "failed",
        Outcome::Returned => "returned",
    };
    let note = note(finish.note)?;
    let held = held::of(finish.held.id, finish.held.token)?;
    let params = json!({ "id": held.id, "token": held.token, "outcome": outcome, "note": note, "log": finish.log });
    one(call("finish", params)?, json, print::decided)
}

fn audit(
    desk: &Desk,
    call: &impl Fn(&str, Value) -> Result<Value, ApiError>,
    verify: bool,
    since: Option<&str>,
    json: bool,
) -> Done {
    if verify {
        let verified = call("audit_verify", json!({}))?;
        let ok = verified["ok"] == json!(true);
        one(verified, json, print::verified)?;
        return Ok(u8::from(!ok));
    }
    let since = since.map(api::beginning).transpose()?;
    let mut lines = match call("history", json!({ "limit": u32::MAX }))? {
        Value::Array(events) => events,
        _ => Vec::new(),
    };
    lines.extend(desk.switches()?.iter().map(|switch| json!(switch)));
    if let Some(since) = since {
        lines.retain(|line| line["at"].as_str().is_some_and(|at| at >= since.as_str()));
    }
    // Newest first; a switch stands behind the event by which it happened.
    lines.sort_by_key(|line| std::cmp::Reverse(line["seq"].as_u64()));
    many(Value::Array(lines), json, print::audited)
}

fn doctor(call: &impl Fn(&str, Value) -> Result<Value, ApiError>, json: bool) -> Done {
    let report = call("doctor", json!({}))?;
    let failed = report["checks"].as_array().into_iter().flatten().any(|check| check["state"] == json!("error"));
    one(report, json, print::doctor)?;
    let _ = std::io::stdout().flush();
    Ok(u8::from(failed))
}
