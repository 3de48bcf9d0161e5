//! The one table of operations. The window, the command line and JSON lines call the same ones by name.

use crate::supervise::Attendant;
use crate::wire::*;
use crate::{ApiError, Approve, Decision, Depth, Desk, EditRequest, Filter, Mark, Triage};
use desk::launch::Keeper;
use desk::view::{
    ApprovalPreview, Claimed, Decided, Detail, Diff, Draft, EditPreview, Edited, Hit, Indexed, LedgerEvent, Overview,
    Page, ProfileView, Progress, Published, QuestionView, Raw, ResumePreview, RevisionView, SavedSearch, SettingsView,
    Triaged,
};
use desk::{
    ClaimRequest, Doctor, Finish, PublishRequest, ReaderMatrix, RepositoryRules, ResumeRequest, RunChanges, RunView,
    Since, SinceLook, StartOrder,
};
use repo::Drift;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::config::Profile;
use ts_rs::TS;

/// What a call is given besides its parameters.
pub struct Call<'a> {
    /// The desk.
    pub desk: &'a Desk,
    /// Told how long work goes.
    pub progress: &'a dyn Fn(Progress),
    /// Asked whether to go on.
    pub cancel: &'a dyn Fn() -> bool,
}

/// What takes longer is noted in the log.
const SLOW: Duration = Duration::from_secs(1);

/// A row of the table.
pub struct Operation {
    /// Its name.
    pub name: &'static str,
    /// The TypeScript names of parameters and answer.
    pub types: fn() -> (String, String),
    /// Every TypeScript type that it needs.
    pub export: fn(&Path) -> Result<(), ts_rs::ExportError>,
    run: fn(&Call<'_>, Value) -> Result<Value, ApiError>,
}

macro_rules! operations {
    ($($name:literal, $params:ty => $answer:ty, |$call:ident, $input:ident| $body:expr;)*) => {
        /// Every operation, by name.
        pub const OPERATIONS: &[Operation] = &[$(
            Operation {
                name: $name,
                types: || {
                    let config = ts_rs::Config::default();
                    (<$params as TS>::name(&config), <$answer as TS>::name(&config))
                },
                export: |folder| {
                    let config = ts_rs::Config::default().with_out_dir(folder);
                    <$params as TS>::export_all(&config).or_else(no_declaration)?;
                    <$answer as TS>::export_all(&config).or_else(no_declaration)
                },
                run: |$call, value| {
                    let $input: $params = input($name, value)?;
                    let answer: Result<$answer, ApiError> = $body;
                    output(answer?)
                },
            },
        )*];
    };
}

/// Lists and plain strings have no declaration of their own; what is in them is exported through others.
fn no_declaration(error: ts_rs::ExportError) -> Result<(), ts_rs::ExportError> {
    if matches!(error, ts_rs::ExportError::CannotBeExported(_)) { Ok(()) } else { Err(error) }
}

fn input<T: DeserializeOwned>(name: &str, value: Value) -> Result<T, ApiError> {
    let value = if value.is_null() { Value::Object(serde_json::Map::new()) } else { value };
    serde_json::from_value(value).map_err(|error| ApiError::usage(format!("{name}: {error}")))
}

fn output<T: Serialize>(answer: T) -> Result<Value, ApiError> {
    serde_json::to_value(answer).map_err(|error| ApiError::usage(format!("the answer cannot be written: {error}")))
}

/// Calls an operation by name.
///
/// # Errors
/// The operation's own, or `usage` for an unknown name or parameters that do not fit.
pub fn call(call: &Call<'_>, name: &str, params: Value) -> Result<Value, ApiError> {
    let operation = OPERATIONS
        .iter()
        .find(|operation| operation.name == name)
        .ok_or_else(|| ApiError::usage(format!("{name:?} is no operation")))?;
    noted(call.desk, name, || (operation.run)(call, params))
}

/// Does something in the name of an operation and leaves a line in the log when it failed or took long.
///
/// # Errors
/// What was done gave.
pub fn noted<T>(desk: &Desk, name: &str, run: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
    let started = Instant::now();
    let answer = run();
    let took = started.elapsed();
    match &answer {
        Err(error) => desk.note(name, took, &error.code, error.cause.as_deref()),
        Ok(_) if took >= SLOW => desk.note(name, took, "ok", None),
        Ok(_) => {}
    }
    answer
}

fn decide(call: &Call<'_>, input: &NoteParams, decision: Decision) -> Result<Decided, ApiError> {
    Ok(call.desk.decide(&input.id, decision, input.note.as_deref())?)
}

operations! {
    "overview", Nothing => Overview, |call, _input| Ok(call.desk.overview()?);
    "handoffs", ListParams => Page, |call, input| Ok(call.desk.handoffs(&filter(input))?);
    "search", SearchParams => Vec<Hit>, |call, input| Ok(call.desk.search(&input.text, input.limit.unwrap_or(50) as usize)?);
    "handoff_detail", Id => Detail, |call, input| Ok(call.desk.detail(&input.id)?);
    "drift", DriftParams => Drift, |call, input| {
        let depth = if input.depth == "glance" { Depth::Glance } else { Depth::Look };
        Ok(call.desk.drift(&input.id, input.repo.as_deref().map(Path::new), depth)?)
    };
    "verdicts", Handles => Vec<HandleVerdict>, |call, input| Ok(
        call.desk.verdicts(&input.handles)?.into_iter().map(|(handle, verdict, ahead)| HandleVerdict { handle, verdict, ahead }).collect()
    );
    "revisions", Id => Vec<RevisionView>, |call, input| Ok(call.desk.revisions(&input.id)?);
    "revision_diff", DiffParams => Diff, |call, input| Ok(call.desk.revision_diff(&input.id, &input.from, &input.to)?);
    "since", Id => Since, |call, input| Ok(call.desk.since(&input.id)?);
    "rules", Id => Vec<RepositoryRules>, |call, input| Ok(call.desk.rules(&input.id)?);
    "looked", Id => SinceLook, |call, input| Ok(call.desk.looked(&input.id)?);
    "raw", Id => Raw, |call, input| Ok(call.desk.raw(&input.id)?);
    "rendered", Id => Block, |call, input| Ok(block(call.desk.rendered(&input.id)?));
    "approved_block", Id => Block, |call, input| Ok(block(call.desk.approved_block(&input.id)?));
    "questions", Nothing => Vec<QuestionView>, |call, _input| Ok(call.desk.questions()?);
    "answer", AnswerParams => Decided, |call, input| Ok(call.desk.answer(input.question, input.allow, input.note.as_deref())?);
    "draft", Id => Draft, |call, input| Ok(call.desk.draft(&input.id)?);
    "approval_preview", Id => ApprovalPreview, |call, input| Ok(call.desk.approval_preview(&input.id)?);
    "check_approval", Id => Holds, |call, input| Ok(Holds { differences: call.desk.check_approval(&input.id)? });
    "edit_preview", EditParams => EditPreview, |call, input| Ok(call.desk.edit_preview(&input.id, &input.base, &input.edits)?);
    "settings", Nothing => SettingsView, |call, _input| Ok(call.desk.settings()?);
    "settings_set", SettingsParams => SettingsView, |call, input| Ok(call.desk.settings_set(&input.changes())?);
    "profiles", Nothing => Vec<ProfileView>, |call, _input| Ok(call.desk.profiles()?);
    "profiles_detected", Nothing => Vec<ProfileView>, |call, _input| Ok(call.desk.profiles_detected(&|name| std::env::var(name).ok())?);
    "history", HistoryParams => Vec<LedgerEvent>, |call, input| Ok(call.desk.history(input.id.as_deref(), input.limit.unwrap_or(200) as usize)?);
    "audit_verify", Nothing => Verified, |call, _input| {
        let found = call.desk.verify()?;
        Ok(Verified { ok: found.ok, problems: found.problems, head: found.head, events: u32::try_from(found.events).unwrap_or(u32::MAX) })
    };
    "readers", Nothing => ReaderMatrix, |call, _input| Ok(call.desk.readers()?);
    "doctor", Nothing => Doctor, |call, _input| {
        let mut doctor = call.desk.doctor()?;
        doctor.checks.extend(crate::host::window_checks());
        Ok(doctor)
    };
    "edit", EditParams => Edited, |call, input| Ok(call.desk.edit(&input.id, Some(&input.base), &EditRequest::Items(input.edits))?);
    "edit_file", EditFileParams => Edited, |call, input| Ok(call.desk.edit(&input.id, Some(&input.base), &EditRequest::Whole(input.text.into_bytes()))?);
    "approve", ApproveParams => Decided, |call, input| Ok(
        call.desk.approve(&input.id, &Approve { rev: input.rev, ack: input.ack, note: input.note, fingerprint: input.fingerprint })?
    );
    "return", NoteParams => Decided, |call, input| decide(call, &input, Decision::Return);
    "skip", NoteParams => Decided, |call, input| decide(call, &input, Decision::Skip);
    "stop", NoteParams => Decided, |call, input| decide(call, &input, Decision::Stop);
    "expire", NoteParams => Decided, |call, input| decide(call, &input, Decision::Expire);
    "reopen", NoteParams => Decided, |call, input| decide(call, &input, Decision::Reopen);
    "mark", MarkParams => Decided, |call, input| Ok(call.desk.mark(&input.id, mark(&input.mark)?, None)?);
    "recheck", ItemParams => Decided, |call, input| Ok(call.desk.recheck(&input.id, &input.item)?);
    "bind", BindParams => Decided, |call, input| Ok(call.desk.bind(&input.id, input.repo.as_deref().map(Path::new))?);
    "archive", ArchiveParams => Decided, |call, input| Ok(call.desk.archive(&input.id, input.archived)?);
    "triage", TriageParams => Triaged, |call, input| {
        let what = triage(&input.what)?;
        match &input.query {
            None if input.ids.is_empty() => Err(ApiError::usage("name handoffs, or a query that finds them")),
            Some(_) if !input.ids.is_empty() => Err(ApiError::usage("name handoffs or a query, not both")),
            None => Ok(call.desk.triage(&input.ids, what, input.note.as_deref())?),
            Some(_) => {
                let filter = Filter { list: input.list.unwrap_or_default(), query: input.query, ..Filter::default() };
                Ok(call.desk.triage_found(&filter, what, input.note.as_deref())?)
            }
        }
    };
    "undo", UndoParams => Triaged, |call, input| Ok(call.desk.undo(&input.token)?);
    "searches", Nothing => Vec<SavedSearch>, |call, _input| Ok(call.desk.searches()?);
    "search_save", SearchSaveParams => Vec<SavedSearch>, |call, input| Ok(call.desk.search_save(&input.name, &input.query)?);
    "search_remove", NameParams => Vec<SavedSearch>, |call, input| Ok(call.desk.search_remove(&input.name)?);
    "handed_over", HandedOverParams => HandedOver, |call, input| Ok(HandedOver { text: call.desk.handed_over(&input.id, input.how != "path")? });
    "publish", PublishParams => Published, |call, input| Ok(call.desk.publish(&PublishRequest {
        document: input.document.into_bytes(), folder: input.folder.into(), environment: &|name| std::env::var(name).ok(),
    })?);
    "claim", ClaimParams => Claimed, |call, input| Ok(
        call.desk.claim(&input.id, &ClaimRequest { by: input.by, profile: None, lease_seconds: input.lease_seconds, ack: input.ack, start: None })?
    );
    "heartbeat", TokenParams => Decided, |call, input| Ok(call.desk.heartbeat(&input.id, &input.token)?);
    "running", TokenParams => Decided, |call, input| Ok(call.desk.running(&input.id, &input.token)?);
    "resume_preview", ResumeParams => ResumePreview, |call, input| {
        let id = input.id.clone();
        Ok(call.desk.resume_preview(&id, &resume_request(input))?)
    };
    "resume", ResumeParams => Decided, |call, input| {
        let id = input.id.clone();
        let mut done = 0;
        (call.progress)(Progress::Started { what: format!("Resuming {id}") });
        let decided = call.desk.resume(&id, &resume_request(input), &Keeper::of_this_program()?, &mut |event| {
            done += 1;
            (call.progress)(Progress::Step { done, total: None, at: Some(event.line()) });
        }, call.cancel)?;
        (call.progress)(Progress::Finished { message: decided.state_reason.clone().unwrap_or_default() });
        Ok(decided)
    };
    "start", StartParams => RunView, |call, input| {
        let id = input.id.clone();
        let order = StartOrder { id: input.id, profile: input.profile, command: input.command, ack: input.ack, verify: input.verify, run: input.run };
        if input.at_reset {
            call.desk.wish_start(&order, &|name| std::env::var(name).ok())?;
            // It is written down: one that is not attended yet is by the next program that looks.
            Attendant::default().look(call.desk);
        } else {
            crate::supervise::start(call.desk, order)?;
        }
        Ok(call.desk.run(&id)?)
    };
    "start_cancel", Id => RunView, |call, input| {
        call.desk.start_cancel(&input.id)?;
        Ok(call.desk.run(&input.id)?)
    };
    "run", Id => RunView, |call, input| Ok(call.desk.run(&input.id)?);
    "run_changes", Id => RunChanges, |call, input| Ok(call.desk.run_changes(&input.id)?);
    "given", Id => Raw, |call, input| Ok(call.desk.given(&input.id)?);
    "release", ReleaseParams => Decided, |call, input| Ok(call.desk.release(&input.id, input.claim, &input.note)?);
    "finish", FinishParams => Decided, |call, input| Ok(
        call.desk.finish(&input.id, &input.token, &Finish { outcome: input.outcome, note: input.note, log: input.log.map(Into::into) })?
    );
    "profile_add", ProfileParams => Vec<ProfileView>, |call, input| {
        let profile = Profile {
            name: input.name, agent: input.agent, roots: input.roots, include: input.include.unwrap_or_default(), exclude: input.exclude.unwrap_or_default(),
            ..Profile::default()
        };
        Ok(call.desk.profile_add(&profile)?)
    };
    "profile_remove", NameParams => Vec<ProfileView>, |call, input| Ok(call.desk.profile_remove(&input.name)?);
    "index", IndexParams => Indexed, |call, input| {
        let whole: Vec<PathBuf> = input.whole.unwrap_or_default().into_iter().map(PathBuf::from).collect();
        Ok(call.desk.index_after(&whole, call.progress, call.cancel)?)
    };
}

fn block(rendered: handoff::Rendered) -> Block {
    let cut = rendered.cut.iter().map(|cut| format!("{}: {} of {}", cut.field, cut.kept, cut.total)).collect();
    Block { text: rendered.text, cut, renderer: handoff::RENDERER_VERSION }
}

fn resume_request(input: ResumeParams) -> ResumeRequest<'static> {
    ResumeRequest {
        profile: input.profile,
        command: input.command,
        ack: input.ack,
        verify: input.verify,
        start: None,
        run: input.run,
        environment: &|name| std::env::var(name).ok(),
    }
}

fn filter(input: ListParams) -> Filter {
    Filter {
        list: input.list,
        query: input.query,
        repo: input.repo.map(Into::into),
        profile: input.profile,
        state: input.state,
        offset: input.offset.unwrap_or(0) as usize,
        limit: input.limit.unwrap_or(0) as usize,
        grouped: input.grouped.unwrap_or(false),
    }
}

fn triage(name: &str) -> Result<Triage, ApiError> {
    Ok(match name {
        "skip" => Triage::Skip,
        "supersede" => Triage::Supersede,
        "expire" => Triage::Expire,
        "archive" => Triage::Archive,
        "unarchive" => Triage::Unarchive,
        other => {
            return Err(ApiError::usage(format!(
                "{other:?} is no such act; the acts are skip, supersede, expire, archive, unarchive"
            )));
        }
    })
}

fn mark(name: &str) -> Result<Mark, ApiError> {
    Ok(match name {
        "done" => Mark::Done,
        "failed" => Mark::Failed,
        "resumed" => Mark::Resumed,
        "superseded" => Mark::Superseded,
        other => {
            return Err(ApiError::usage(format!(
                "{other:?} is no mark; the marks are done, failed, resumed, superseded"
            )));
        }
    })
}
