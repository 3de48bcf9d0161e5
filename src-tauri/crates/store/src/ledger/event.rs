//! One event of the ledger and the hash that ties it to the one before.

use rusqlite::Row;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// An event as it stands in the ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its number, from 1, without gaps.
    pub seq: i64,
    /// A unique id; the same id is never written twice.
    pub id: String,
    /// When, UTC milliseconds. For people: order is by `seq`.
    pub at_ms: i64,
    /// What happened, such as `approved`.
    pub kind: String,
    /// The identity of the handoff it is about.
    pub handoff: Option<String>,
    /// The revision it is about.
    pub rev: Option<String>,
    /// Who did it: `person`, `agent`, `fuda`, or a name.
    pub actor: String,
    /// Everything else.
    pub body: Value,
    /// The hash of the event before; empty for the first.
    pub prev: String,
    /// SHA-256 over all of the above, lowercase hex.
    pub hash: String,
}

/// An event that is to be appended.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// See [`Event::id`].
    pub id: String,
    /// See [`Event::at_ms`].
    pub at_ms: i64,
    /// See [`Event::kind`].
    pub kind: String,
    /// See [`Event::handoff`].
    pub handoff: Option<String>,
    /// See [`Event::rev`].
    pub rev: Option<String>,
    /// See [`Event::actor`].
    pub actor: String,
    /// See [`Event::body`].
    pub body: Value,
}

impl NewEvent {
    /// An event of this kind with a fresh id, by a person, about nothing yet.
    pub fn new(kind: &str, at_ms: i64) -> Self {
        Self {
            id: Uuid::now_v7().to_string(),
            at_ms,
            kind: kind.to_owned(),
            handoff: None,
            rev: None,
            actor: "person".to_owned(),
            body: Value::Object(serde_json::Map::new()),
        }
    }

    /// The same event about a handoff at a revision.
    #[must_use]
    pub fn about(mut self, handoff: &str, rev: &str) -> Self {
        self.handoff = Some(handoff.to_owned());
        self.rev = Some(rev.to_owned());
        self
    }

    /// The same event with a body.
    #[must_use]
    pub fn with(mut self, body: Value) -> Self {
        self.body = body;
        self
    }

    /// The same event by somebody else.
    #[must_use]
    pub fn by(mut self, actor: &str) -> Self {
        self.actor = actor.to_owned();
        self
    }

    pub(super) fn after(self, last: i64, prev: String) -> Event {
        let mut event = Event {
            seq: last + 1,
            id: self.id,
            at_ms: self.at_ms,
            kind: self.kind,
            handoff: self.handoff,
            rev: self.rev,
            actor: self.actor,
            body: self.body,
            prev,
            hash: String::new(),
        };
        event.hash = event.computed_hash();
        event
    }
}

impl Event {
    /// The hash that this event should have. The parts go in as one JSON array, so that no two events can have
    /// the same bytes.
    pub fn computed_hash(&self) -> String {
        let parts = serde_json::json!([
            self.seq,
            self.id,
            self.at_ms,
            self.kind,
            self.handoff,
            self.rev,
            self.actor,
            self.body,
            self.prev
        ]);
        crate::hex(&Sha256::digest(parts.to_string().as_bytes()))
    }

    pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let body: String = row.get(7)?;
        Ok(Self {
            seq: row.get(0)?,
            id: row.get(1)?,
            at_ms: row.get(2)?,
            kind: row.get(3)?,
            handoff: row.get(4)?,
            rev: row.get(5)?,
            actor: row.get(6)?,
            // A body that is no JSON any more keeps its text, so that verification can name the event.
            body: serde_json::from_str(&body).unwrap_or(Value::String(body)),
            prev: row.get(8)?,
            hash: row.get(9)?,
        })
    }
}
