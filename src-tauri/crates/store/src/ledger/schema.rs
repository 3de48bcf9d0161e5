//! The tables of `ledger.db`, and how the file is opened.

use super::Event;
use crate::stands;
use rusqlite::{Connection, ErrorCode, TransactionBehavior, params};
use std::path::Path;
use std::time::Duration;

/// The schema this program writes. A ledger with a higher one is opened for reading only.
pub(super) const SCHEMA: i64 = 3;

/// A step from one schema to the next. Steps are added, never edited.
const STEPS: [&str; SCHEMA as usize] = [EVENTS, SEEN, KINDS];

const EVENTS: &str = "
CREATE TABLE events (
    seq     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    at_ms   INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    handoff TEXT,
    rev     TEXT,
    actor   TEXT NOT NULL,
    body    TEXT NOT NULL,
    prev    TEXT NOT NULL,
    hash    TEXT NOT NULL
) STRICT;
CREATE INDEX events_handoff ON events(handoff, seq);
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER events_chain BEFORE INSERT ON events
    WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM events)
      OR NEW.prev <> coalesce((SELECT hash FROM events ORDER BY seq DESC LIMIT 1), '')
    BEGIN SELECT RAISE(ABORT, 'the event does not continue the chain'); END;
";

/// What was seen is no event: thousands of files are seen in one scan, and nobody decided anything.
const SEEN: &str = "
CREATE TABLE seen (
    handoff TEXT NOT NULL,
    rev     TEXT NOT NULL,
    seen_ms INTEGER NOT NULL,
    by      TEXT NOT NULL,
    bytes   INTEGER NOT NULL,
    PRIMARY KEY (handoff, rev)
) STRICT;
CREATE INDEX seen_order ON seen(seen_ms);
CREATE TRIGGER seen_no_update BEFORE UPDATE ON seen BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER seen_no_delete BEFORE DELETE ON seen BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
";

/// Open claims are looked for by kind, over every handoff.
const KINDS: &str = "CREATE INDEX events_kind ON events(kind, seq);";

pub(super) const COLUMNS: &str = "seq, id, at_ms, kind, handoff, rev, actor, body, prev, hash";

/// Opens or makes the database and brings it to this program's schema. Returns the schema it has now; a higher one
/// was left as it is.
pub(super) fn open(path: &Path) -> rusqlite::Result<(Connection, i64)> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > SCHEMA {
        return Ok((connection, found));
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", if stands!(LedgerFull) { "FULL" } else { "NORMAL" })?;
    if found < SCHEMA {
        step_up(&mut connection, found)?;
    }
    Ok((connection, SCHEMA))
}

fn step_up(connection: &mut Connection, found: i64) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", SCHEMA)?;
    transaction.commit()
}

/// A ledger in memory that holds what the mirror holds, also where its chain is broken: something to look at.
pub(super) fn in_memory(events: &[Event]) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    step_up(&mut connection, 0)?;
    connection.execute_batch("DROP TRIGGER events_chain")?;
    let transaction = connection.transaction()?;
    events.iter().try_for_each(|event| insert(&transaction, event, "INSERT OR IGNORE"))?;
    transaction.commit()?;
    Ok(connection)
}

pub(super) fn insert(connection: &Connection, event: &Event, verb: &'static str) -> rusqlite::Result<()> {
    connection
        .prepare_cached(&format!("{verb} INTO events ({COLUMNS}) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)"))?
        .execute(params![
            event.seq,
            event.id,
            event.at_ms,
            event.kind,
            event.handoff,
            event.rev,
            event.actor,
            event.body.to_string(),
            event.prev,
            event.hash
        ])?;
    Ok(())
}

/// Whether SQLite says that the file itself is damaged.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}
