//! The operations that write, each from a bench that is ready for it, and what must be so after a kill in it.

use super::{Seen, points_of, say};
use crate::bench::{Bench, approve, rev, state};
use crate::rpc::Rpc;
use crate::strace;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An operation that writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    Publish,
    Edit,
    Approve,
    Claim,
    Finish,
    Release,
    /// Looking at a swap that was itself killed half-way.
    Recover,
    RebuildLedger,
    RebuildIndex,
}

/// An operation that is ready to begin.
pub struct Case {
    operation: Operation,
    pub arguments: Vec<String>,
    input: Option<Vec<u8>>,
    handle: String,
    /// The document before.
    before: Vec<u8>,
    token: String,
    claim: Value,
    events: u64,
}

const PUBLISHED: &str = "---\nfuda: 2\ntitle: Queue\n---\n# Handoff\n## Objective\nMove ingest to the queue.\n## Constraints\n- Keep the API\n## Remaining work\n- [ ] Drain it\n## Safety boundary\n### Never\n- Push\n";

impl Operation {
    pub const ALL: &[Self] = &[
        Self::Publish,
        Self::Edit,
        Self::Approve,
        Self::Claim,
        Self::Finish,
        Self::Release,
        Self::Recover,
        Self::RebuildLedger,
        Self::RebuildIndex,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Edit => "edit",
            Self::Approve => "approve",
            Self::Claim => "claim",
            Self::Finish => "finish",
            Self::Release => "release",
            Self::Recover => "recovery from a killed edit",
            Self::RebuildLedger => "rebuild of the ledger",
            Self::RebuildIndex => "rebuild of the index",
        }
    }

    /// Makes the bench ready.
    pub fn prepare(self, bench: &Bench) -> Case {
        let mut rpc = bench.rpc();
        let (handle, rev) = match self {
            Self::Claim | Self::Finish | Self::Release | Self::RebuildLedger => bench.approved(&mut rpc),
            _ => bench.pending(&mut rpc),
        };
        let claimed = match self {
            Self::Finish | Self::Release => rpc.ok("claim", json!({ "id": handle, "by": "worker" })),
            _ => Value::Null,
        };
        let token = claimed["token"].as_str().unwrap_or_default().to_owned();
        let events = rpc.ok("audit_verify", json!({}))["events"].as_u64().unwrap_or_default();
        drop(rpc);
        let asked = match self {
            Self::Approve => crate::bench::asked(&mut bench.rpc(), &handle),
            _ => Vec::new(),
        };
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let repo = bench.repo().display().to_string();
        let number = claimed["claim"].to_string();
        let arguments = match self {
            Self::Publish => words(&["publish", "--repo", &repo]),
            Self::Edit | Self::Recover => words(&["edit", &handle, "--base", &rev, "--set", "safety.ask+=Deploying"]),
            Self::Approve => words(&["approve", &handle, "--rev", &rev]),
            Self::Claim => words(&["claim", &handle, "--by", "worker"]),
            Self::Finish => words(&["finish", &handle, "--token", &token, "--outcome", "done"]),
            Self::Release => words(&["release", &handle, "--claim", &number, "--note", "looked"]),
            Self::RebuildLedger => words(&["doctor", "--rebuild-ledger"]),
            Self::RebuildIndex => words(&["index"]),
        };
        let acknowledged = asked.iter().flat_map(|code| ["--ack".to_owned(), code.clone()]);
        let arguments = arguments.into_iter().chain(acknowledged).collect();
        let mut case = Case {
            operation: self,
            arguments,
            input: (self == Self::Publish).then(|| PUBLISHED.as_bytes().to_vec()),
            handle,
            before: fs::read(bench.document()).expect("read"),
            token,
            claim: claimed["claim"].clone(),
            events,
        };
        match self {
            Self::Recover => case.half_done(bench),
            Self::RebuildLedger => {
                let mut bytes = fs::read(bench.home().join("ledger.db")).expect("read");
                bytes[..4096].fill(0xff);
                fs::write(bench.home().join("ledger.db"), bytes).expect("damaged");
            }
            Self::RebuildIndex => {
                for end in ["", "-wal", "-shm"] {
                    let _ = fs::remove_file(bench.home().join(format!("index.db{end}")));
                }
            }
            _ => {}
        }
        case
    }
}

impl Case {
    pub fn command(&self, bench: &Bench) -> Command {
        let mut arguments = vec!["--json"];
        arguments.extend(self.arguments.iter().map(String::as_str));
        bench.command(&arguments)
    }

    pub fn input(&self, bench: &Bench) -> Stdio {
        let Some(input) = &self.input else { return Stdio::null() };
        let path = bench.root().join("input");
        fs::write(&path, input).expect("written");
        fs::File::open(path).expect("opened").into()
    }

    /// Kills an edit between its exchange and the removal of what it displaced.
    fn half_done(&mut self, bench: &Bench) {
        let kept = [crate::kept::Kept::of(&bench.home()), crate::kept::Kept::of(&bench.repo())];
        let points = points_of(bench, self);
        kept.iter().for_each(crate::kept::Kept::restore);
        let point = points
            .iter()
            .find(|point| point.call.starts_with("unlink") && point.line.contains(".fuda-"))
            .expect("an edit removes what it displaced");
        let mut command = strace::injected(&self.command(bench), point, "signal=KILL", Path::new("/dev/null"));
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let _ = crate::limit::status_of(quiet).expect("a tracer");
        assert_ne!(fs::read(bench.document()).expect("read"), self.before, "the exchange happened");
        self.arguments = vec!["index".to_owned()];
    }

    /// What must be so after a kill; `answer` is what the program had said by then.
    pub fn look(&self, bench: &Bench, rpc: &mut Rpc, answer: Option<&Value>, at: &str, seen: &mut Seen) {
        match self.operation {
            Operation::Publish => self.published(bench, rpc, answer, at, seen),
            Operation::Edit | Operation::Recover => self.edited(bench, rpc, answer, at, seen),
            Operation::Approve => self.approved(rpc, answer, at, seen),
            Operation::Claim => self.claimed(rpc, answer, at, seen),
            Operation::Finish => self.ended(rpc, answer, at, seen, "done"),
            Operation::Release => self.ended(rpc, answer, at, seen, "pending"),
            Operation::RebuildLedger => self.rebuilt(bench, at, seen),
            Operation::RebuildIndex => {
                if state(rpc, &self.handle) != "pending" {
                    seen.lost.push(format!("{at}: the handoff is not found again"));
                }
            }
        }
    }

    fn published(&self, bench: &Bench, rpc: &mut Rpc, answer: Option<&Value>, at: &str, seen: &mut Seen) {
        let files: Vec<PathBuf> = super::files_below(&bench.home().join("handoffs"));
        let history = rpc.ok("history", json!({}));
        let events = history.as_array().into_iter().flatten().filter(|event| event["kind"] == "published").count();
        if let Some(answer) = answer {
            let path = PathBuf::from(answer["path"].as_str().unwrap_or_default());
            let rev = fs::read(&path).map(|bytes| handoff::revision(&bytes)).unwrap_or_default();
            if answer["rev"] != rev.as_str() || events != 1 {
                seen.lost.push(format!("{at}: {} with {events} events", path.display()));
            }
        }
        if files.len() > 1 || events > files.len() {
            seen.lost.push(format!("{at}: {} files and {events} events", files.len()));
        }
        for file in &files {
            if let Err(error) = rpc.call("handoff_detail", json!({ "id": file })) {
                seen.lost.push(format!("{at}: a published file is not found: {error}"));
            }
        }
        let again = rpc.call("publish", json!({ "document": PUBLISHED, "folder": bench.repo() }));
        if let Err(error) = again {
            seen.unclean.push(format!("{at}: publishing again says {error}"));
        }
    }

    fn edited(&self, bench: &Bench, rpc: &mut Rpc, answer: Option<&Value>, at: &str, seen: &mut Seen) {
        let now = fs::read(bench.document()).expect("read");
        let text = String::from_utf8_lossy(&now).into_owned();
        let old = now == self.before;
        let new = text.contains("Deploying") && text.contains("Pushing") && text.ends_with('\n');
        if !old && !new {
            seen.torn.push(format!("{at}: the file is neither what it was nor what it should be"));
        }
        if (answer.is_some() || self.operation == Operation::Recover) && !new {
            seen.lost.push(format!("{at}: the edit"));
        }
        let before = handoff::revision(&self.before);
        let blob = bench.home().join("blobs").join(&before[..2]).join(&before);
        if !old && fs::read(blob).ok().as_deref() != Some(&self.before[..]) {
            seen.lost.push(format!("{at}: what was there before"));
        }
        let base = rev(rpc, &self.handle);
        let again = rpc.call("edit", json!({ "id": self.handle, "base": base, "edits": ["safety.ask+=Once more"] }));
        if let Err(error) = again {
            seen.unclean.push(format!("{at}: editing again says {error}"));
        }
    }

    fn approved(&self, rpc: &mut Rpc, answer: Option<&Value>, at: &str, seen: &mut Seen) {
        let now = state(rpc, &self.handle);
        match now.as_str() {
            "approved" => {}
            "pending" if answer.is_none() => approve(rpc, &self.handle),
            _ => seen.lost.push(format!("{at}: it is {now}")),
        }
        if let Err(error) = rpc.call("claim", json!({ "id": self.handle, "by": "next" })) {
            seen.unclean.push(format!("{at}: claiming says {error}"));
        }
    }

    fn claimed(&self, rpc: &mut Rpc, answer: Option<&Value>, at: &str, seen: &mut Seen) {
        let now = state(rpc, &self.handle);
        let other = rpc.call("claim", json!({ "id": self.handle, "by": "other" }));
        let held = other.as_ref().is_err_and(|error| error["code"] == "held");
        match (now.as_str(), answer) {
            ("claimed", Some(answer)) => {
                let beat = rpc.call("heartbeat", json!({ "id": self.handle, "token": answer["token"] }));
                if beat.is_err() {
                    seen.lost.push(format!("{at}: its token is refused"));
                }
                if !held {
                    seen.double.push(format!("{at}: another one was let in"));
                }
            }
            ("claimed", None) if !held => seen.double.push(format!("{at}: another one was let in")),
            ("claimed", None) => {
                let detail = rpc.ok("handoff_detail", json!({ "id": self.handle }));
                let note = json!({ "id": self.handle, "claim": detail["claim"]["claim"], "note": "it was killed" });
                if let Err(error) = rpc.call("release", note) {
                    seen.unclean.push(format!("{at}: releasing says {error}"));
                }
            }
            ("approved", None) => {
                if let Err(error) = other {
                    seen.unclean.push(format!("{at}: claiming says {error}"));
                }
            }
            _ => seen.lost.push(format!("{at}: it is {now}")),
        }
    }

    /// A claim that ends: it has ended, or it ends when asked again.
    fn ended(&self, rpc: &mut Rpc, answer: Option<&Value>, at: &str, seen: &mut Seen, end: &str) {
        let now = state(rpc, &self.handle);
        let again = if end == "done" {
            rpc.call("finish", json!({ "id": self.handle, "token": self.token, "outcome": "done" }))
        } else {
            rpc.call("release", json!({ "id": self.handle, "claim": self.claim, "note": "looked" }))
        };
        match (now.as_str(), answer) {
            ("claimed", None) => {
                if let Err(error) = again {
                    seen.unclean.push(format!("{at}: ending it again says {error}"));
                }
            }
            (now, _) if now == end => {
                if again.is_ok() {
                    seen.double.push(format!("{at}: it ended twice"));
                }
            }
            _ => seen.lost.push(format!("{at}: it is {now}")),
        }
    }

    fn rebuilt(&self, bench: &Bench, at: &str, seen: &mut Seen) {
        let (code, said) = say(self.command(bench));
        // Exit 5: it is sound already.
        if !matches!(code, Some(0 | 5)) {
            seen.unclean.push(format!("{at}: making it again ends with {code:?}: {said}"));
        }
        let mut rpc = bench.rpc();
        super::verified(&mut rpc, at, seen);
        let events = rpc.ok("audit_verify", json!({}))["events"].as_u64().unwrap_or_default();
        if events != self.events {
            seen.lost.push(format!("{at}: {events} events, and {} were written", self.events));
        }
        if state(&mut rpc, &self.handle) != "approved" {
            seen.lost.push(format!("{at}: the approval"));
        }
    }
}
