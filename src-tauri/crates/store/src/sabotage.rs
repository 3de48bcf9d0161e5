//! Taking safeguards away, one at a time, to see which test notices. Compiled only for the sabotage run.

use std::sync::LazyLock;

macro_rules! safeguards {
    ($($name:ident: $what:literal,)*) => {
        /// A safeguard that can be taken away.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Safeguard {
            $(#[doc = $what] $name,)*
        }

        /// Every one, with what it is.
        pub const ALL: &[(Safeguard, &str, &str)] = &[$((Safeguard::$name, stringify!($name), $what),)*];
    };
}

safeguards! {
    PublishFlush: "a published file is flushed before it has a name",
    PublishFolderFlush: "its folder is flushed before it counts as published",
    PublishUnnamed: "a file has no name until it is whole",
    EditExchange: "an edit exchanges, so that what it displaces can be looked at",
    EditLook: "what an edit displaced is looked at",
    EditWriters: "what an edit displaced is not let go while somebody writes to it",
    EditFlush: "the new bytes are flushed before the exchange",
    EditFolderFlush: "the folder is flushed after the exchange",
    EditNote: "a note names the temporary file before the exchange",
    EditRecover: "an edit that was killed half-way is finished by the next start",
    BlobFlush: "a kept revision is flushed before it has its name",
    BlobFolderFlush: "its folder is flushed",
    LedgerFull: "the ledger is flushed at every commit",
    LedgerLock: "one program appends at a time",
    LedgerGuard: "the guard of an event is asked inside the transaction",
    LedgerMirror: "every event stands in the mirror too",
    LedgerTopUp: "a mirror that is one event short is made up at the next start",
    ClaimDifferences: "bytes, block and tree are compared with the approval before a claim",
    ClaimToken: "the secret half of a token is compared",
    ClaimInterrupted: "a holder that is gone leaves interrupted, not free",
    ApprovalRevision: "an approval ends when the bytes change",
    ApprovalTime: "an approval ends when its time is over",
}

static REMOVED: LazyLock<String> = LazyLock::new(|| std::env::var("FUDA_SABOTAGE").unwrap_or_default());

/// Whether it stands: all do but the one that `FUDA_SABOTAGE` names.
pub fn stands(safeguard: Safeguard) -> bool {
    *REMOVED != format!("{safeguard:?}")
}
