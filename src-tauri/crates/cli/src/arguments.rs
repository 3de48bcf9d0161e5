//! The command line as it is typed. ID is an id, a handle, a unique prefix of either, or a file.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// The desk between coding agents: find what one left, hold it against git, decide, hand over.
#[derive(Parser, Debug)]
#[command(name = "fuda", version, max_term_width = 100)]
pub struct Arguments {
    /// Print JSON: one value, or a line each for lists
    #[arg(long, global = true)]
    pub json: bool,
    /// The folder that holds everything Fuda keeps [default: FUDA_HOME, else the platform's data folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub home: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Open the window
    Open {
        /// The handoff to show
        id: Option<String>,
    },
    /// List profiles, or detect, add and remove them
    Profiles {
        #[command(subcommand)]
        what: Option<Profiles>,
    },
    /// Scan every profile now
    Index,
    /// List handoffs, newest first
    #[command(
        after_help = "QUERY is words to find and terms; a minus before a term excludes:\n  state:pending,returned  repo:NAME  branch:NAME  profile:NAME  agent:NAME\n  is:waiting  is:moving  is:settled  is:starting  is:archived  is:finished  is:empty  is:pointer  is:draft  is:volatile  is:conflict"
    )]
    List(List),
    /// List saved searches, save and remove them
    Searches {
        #[command(subcommand)]
        what: Option<Searches>,
    },
    /// Do the same with many handoffs at once; fuda undo takes it back
    Triage(Triage),
    /// Take back what fuda triage did
    Undo { token: String },
    /// Show a handoff as understood, with places and findings
    Show { id: String },
    /// Compare what a handoff recorded with what git says now
    Drift {
        id: String,
        /// Look at this folder instead
        #[arg(long, value_name = "DIR")]
        repo: Option<PathBuf>,
    },
    /// List what was seen under this identity
    Revisions { id: String },
    /// Try the cold start: what would a reader who knows nothing stumble over?
    Lint { id: String },
    /// Print the block that a model would be given
    Render { id: String },
    /// Write the document in another format
    Convert {
        id: String,
        #[arg(long)]
        to: Format,
    },
    /// Print the next handoff, drafted from one that came back: what it said, what is known now, the tree as it is
    #[command(after_help = "Edit it, then: fuda publish < FILE. The new handoff replaces the one it goes on from.")]
    Draft { id: String },
    /// Tell which fields survive, or which decayed from one handoff to the next
    Roundtrip {
        id: String,
        #[arg(long, value_name = "ID")]
        against: Option<String>,
    },
    /// Change items in the file itself
    #[command(
        after_help = "Edits: objective=TEXT  next+=TEXT  next/0=TEXT  facts/2-=  decisions/0.why=TEXT  facts/0.evidence=TEXT  next/1.state=done\nLists: constraints facts unverified hazards decisions rejected done next open artifacts safety.may safety.ask safety.never\nAn edit that names an index needs --base, the revision in which it was counted."
    )]
    Edit(Edit),
    /// Approve a revision for one resume
    #[command(after_help = "fuda show prints the revision. What must be acknowledged is named when it is missing.")]
    Approve(Approve),
    /// Send a handoff back with a note
    Return(Noted),
    /// Pass over a handoff
    Skip(Noted),
    /// Take an approval back
    Stop(Noted),
    /// Say that a handoff is too old to act on
    Expire(Noted),
    /// Put a handoff back to review
    Reopen(Noted),
    /// Say what happened elsewhere
    Mark { id: String, mark: Mark },
    /// Say that you looked at a fact again
    Recheck {
        id: String,
        /// Such as facts/0
        item: String,
    },
    /// Bind a handoff to another repository
    Bind {
        id: String,
        /// The folder; without it the binding goes
        repo: Option<PathBuf>,
    },
    /// Publish a handoff into the shared store: canonical Markdown or Handoff JSON on standard input
    #[command(
        after_help = "Id, time, paths, branch, commit, status and diff are filled in from what is there. What the document says otherwise stays beside it as a claim."
    )]
    Publish {
        /// The repository that it is about [default: the current folder]
        #[arg(long, value_name = "DIR")]
        repo: Option<PathBuf>,
    },
    /// Claim an approved handoff for one executor
    Claim(Claim),
    /// Say that the holder still works
    Heartbeat(Token),
    /// Say that the holder began
    Running(Token),
    /// Claim an approved handoff, start an agent from it inside the boundary, and record how it ended
    #[command(
        after_help = "What will be started is shown first. No shell takes part; the block goes to standard input as a sealed file. A command that gives the agent more than it has is refused."
    )]
    Resume(Resume),
    /// Take back a start that waits for its time
    Cancel { id: String },
    /// List what running agents ask and nobody answered yet
    Questions,
    /// Answer a running agent's question
    Answer {
        /// The number of the question
        question: u64,
        word: Word,
        /// A word to the agent; - reads standard input
        #[arg(long, allow_hyphen_values = true)]
        note: Option<String>,
    },
    /// Ask a person; started by an agent under fuda resume
    #[command(hide = true)]
    Ask {
        /// As a permission prompt tool, on standard input and output
        #[arg(long)]
        mcp: bool,
    },
    /// Hand the block to an agent that speaks the Agent Client Protocol; started by fuda resume
    #[command(hide = true)]
    Acp {
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// For an agent's own hooks (docs/hooks.md): offers what is approved, leaves a handoff at a limit
    Hook {
        /// claude-code, codex or pi
        agent: String,
        /// Given once and twice to the processes that do the work
        #[arg(long, hide = true, action = clap::ArgAction::Count)]
        apart: u8,
    },
    /// End a claim whose holder is gone
    Release {
        id: String,
        /// The number of the claim
        #[arg(long, value_name = "N")]
        claim: i64,
        /// Why
        #[arg(long, allow_hyphen_values = true)]
        note: String,
    },
    /// Report how the work ended
    Finish(Finish),
    /// List what was decided and who handed what to whom, or verify the ledger
    Audit {
        /// Recompute the whole chain
        #[arg(long)]
        verify: bool,
        /// From this day on, YYYY-MM-DD, or from a time
        #[arg(long, value_name = "DATE")]
        since: Option<String>,
    },
    /// Remove the kept bytes of a revision
    Purge { hash: String },
    /// Tell what is wrong with this installation, and what to do
    Doctor {
        /// Make a damaged ledger again from its mirror; the old one is kept beside it
        #[arg(long)]
        rebuild_ledger: bool,
    },
    /// Answer operations as JSON lines on standard input and output
    Rpc,
    /// Serve agents: the Model Context Protocol on standard input and output
    #[command(
        after_help = "claude mcp add fuda -- fuda mcp\ncodex mcp add fuda -- fuda mcp\nTools: publish, list, read, claim, heartbeat, finish, return. None approves."
    )]
    Mcp,
    /// Print completions for a shell
    Completions { shell: clap_complete::Shell },
    /// Answer questions about repositories; started by Fuda itself
    #[command(hide = true)]
    Worker,
}

#[derive(Subcommand, Debug)]
pub enum Profiles {
    /// Propose what is on this machine
    Detect,
    /// Add a profile
    Add {
        name: String,
        #[arg(long)]
        agent: String,
        /// A folder; may be given several times
        #[arg(long, required = true, value_name = "DIR")]
        root: Vec<String>,
        #[arg(long, value_name = "GLOB")]
        include: Vec<String>,
        #[arg(long, value_name = "GLOB")]
        exclude: Vec<String>,
    },
    /// Remove a profile; its handoffs stay where they are
    Remove { name: String },
}

#[derive(Subcommand, Debug)]
pub enum Searches {
    /// Save a search under a name; one of that name is replaced
    Save {
        name: String,
        #[arg(required = true, allow_hyphen_values = true)]
        query: Vec<String>,
    },
    /// Remove a saved search
    Remove { name: String },
}

#[derive(Args, Debug)]
pub struct Triage {
    pub act: Act,
    /// Handoffs
    pub id: Vec<String>,
    /// Those that a query finds among what is not in the archive
    #[arg(long, value_name = "QUERY", conflicts_with = "id", allow_hyphen_values = true)]
    pub query: Option<String>,
    /// A note; - reads standard input
    #[arg(long, allow_hyphen_values = true)]
    pub note: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Act {
    Skip,
    Supersede,
    Expire,
    Archive,
    Unarchive,
}

#[derive(Args, Debug)]
pub struct List {
    /// Words to find, and terms such as state:pending
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub query: Vec<String>,
    /// A saved search
    #[arg(long, value_name = "NAME")]
    pub saved: Option<String>,
    /// Only this state
    #[arg(long)]
    pub state: Option<String>,
    /// Only this profile
    #[arg(long)]
    pub profile: Option<String>,
    /// Only this repository
    #[arg(long, value_name = "DIR")]
    pub repo: Option<PathBuf>,
    /// The archive instead
    #[arg(long)]
    pub archive: bool,
}

#[derive(Args, Debug)]
pub struct Edit {
    pub id: String,
    /// An edit; may be given several times
    #[arg(long = "set", value_name = "EDIT", conflicts_with = "file")]
    pub set: Vec<String>,
    /// Replace the whole text by this file's; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The revision that the edit was made on
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
}

#[derive(Args, Debug)]
pub struct Approve {
    pub id: String,
    /// The revision that you looked at
    #[arg(long)]
    pub rev: String,
    /// Codes that you acknowledge
    #[arg(long, num_args = 1.., value_name = "CODE", value_delimiter = ',')]
    pub ack: Vec<String>,
    /// A note to the next model and the audit; - reads standard input
    #[arg(long, allow_hyphen_values = true)]
    pub note: Option<String>,
}

#[derive(Args, Debug)]
pub struct Noted {
    pub id: String,
    /// A note; - reads standard input
    #[arg(long, allow_hyphen_values = true)]
    pub note: Option<String>,
}

#[derive(Args, Debug)]
pub struct Claim {
    pub id: String,
    /// The executor's name
    #[arg(long, value_name = "NAME")]
    pub by: String,
    /// Seconds for which the claim lasts without a heartbeat [default: settings.lease_seconds]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub lease: Option<u32>,
    /// Codes that a person acknowledges: recipient, other_live_claim
    #[arg(long, num_args = 1.., value_name = "CODE", value_delimiter = ',')]
    pub ack: Vec<String>,
}

#[derive(Args, Debug)]
pub struct Resume {
    pub id: String,
    /// The profile under which the agent runs
    #[arg(long)]
    pub profile: String,
    /// Start when the limit resets, after one more look; written down, so that any program of Fuda's begins it
    #[arg(long, value_name = "WHEN")]
    pub at: Option<At>,
    /// Codes that a person acknowledges: recipient, other_live_claim
    #[arg(long, num_args = 1.., value_name = "CODE", value_delimiter = ',')]
    pub ack: Vec<String>,
    /// The check that says afterwards whether the work is right, split at spaces [default: the profile's verify]
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    pub verify: Option<String>,
    /// Only show what would be started
    #[arg(long)]
    pub plan: bool,
    /// The command instead of the profile's
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum At {
    Reset,
}

#[derive(Args, Debug)]
pub struct Token {
    /// The handoff [default: FUDA_HANDOFF, which fuda resume sets]
    pub id: Option<String>,
    /// What fuda claim gave [default: what stands in FUDA_TOKEN_FILE, which fuda resume sets]
    #[arg(long)]
    pub token: Option<String>,
}

#[derive(Args, Debug)]
pub struct Finish {
    #[command(flatten)]
    pub held: Token,
    #[arg(long)]
    pub outcome: Outcome,
    /// What the next one should know; - reads standard input
    #[arg(long, allow_hyphen_values = true)]
    pub note: Option<String>,
    /// A file whose end is kept as the log
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Outcome {
    Verified,
    Done,
    Failed,
    Returned,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Word {
    Allow,
    Deny,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Format {
    Markdown,
    Json,
    Json1,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Mark {
    Done,
    Failed,
    Resumed,
    Superseded,
}
