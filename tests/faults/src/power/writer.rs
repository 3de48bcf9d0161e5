//! Programs that write and acknowledge until the power is cut: ours, and some that leave a flush out.

use crate::appends;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use store::files::{Swapped, publish, recover, swap};
use store::ledger::NewEvent;
use store::{Error, Home};

/// A program that writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    Publish,
    Edit,
    Ledger,
    /// Keeps revisions, as decisions and scans do.
    Keep,
    /// Writes and renames, and flushes nothing.
    NoFlush,
    /// Flushes the file and not the folder.
    NoFolderFlush,
    /// Renames over the old file without flushing the new one.
    EditNoFlush,
    /// A WAL database with `synchronous=NORMAL`.
    LedgerNormal,
}

/// What was there after the cut.
pub struct Found {
    pub lost: Vec<String>,
    pub torn: Vec<String>,
}

impl Writer {
    pub const OURS: &[Self] = &[Self::Publish, Self::Edit, Self::Ledger, Self::Keep];
    pub const CONTROLS: &[Self] = &[Self::NoFlush, Self::NoFolderFlush, Self::EditNoFlush, Self::LedgerNormal];

    pub fn is_control(self) -> bool {
        Self::CONTROLS.contains(&self)
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Edit => "edit",
            Self::Ledger => "ledger",
            Self::Keep => "kept revisions",
            Self::NoFlush => "control: publish without a flush",
            Self::NoFolderFlush => "control: publish without a flush of the folder",
            Self::EditNoFlush => "control: edit without a flush",
            Self::LedgerNormal => "control: ledger with synchronous=NORMAL",
        }
    }

    /// For the child's command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Edit => "edit",
            Self::Ledger => "ledger",
            Self::Keep => "keep",
            Self::NoFlush => "no-flush",
            Self::NoFolderFlush => "no-folder-flush",
            Self::EditNoFlush => "edit-no-flush",
            Self::LedgerNormal => "ledger-normal",
        }
    }

    /// What of the acknowledged is not there.
    pub fn look(self, root: &Path, acknowledged: &[String]) -> Found {
        match self {
            Self::Publish | Self::NoFlush | Self::NoFolderFlush => look_published(root, acknowledged),
            Self::Edit | Self::EditNoFlush => look_edited(self, root, acknowledged),
            Self::Ledger => look_ledger(root, acknowledged),
            Self::Keep => look_kept(root, acknowledged),
            Self::LedgerNormal => look_normal(root, acknowledged),
        }
    }
}

/// The child: writes for ever and says each thing once it is done.
pub(crate) fn child(word: &str, root: &Path) {
    let all = Writer::OURS.iter().chain(Writer::CONTROLS);
    let writer = all.copied().find(|writer| writer.word() == word).expect("a writer of that name");
    match writer {
        Writer::Publish => published(root),
        Writer::Edit => edited(root),
        Writer::Ledger => appended(root),
        Writer::Keep => kept(root),
        Writer::NoFlush => named(root, false),
        Writer::NoFolderFlush => named(root, true),
        Writer::EditNoFlush => renamed_over(root),
        Writer::LedgerNormal => appended_normal(root),
    }
}

/// What stands under a number: whole when its last line says so.
fn text(number: u64) -> String {
    let filler = "body ".repeat(200 + (number as usize * 97) % 1_500);
    format!("{number}\n{filler}\nend {number}\n")
}

fn number_of(text: &str) -> Option<u64> {
    let number = text.lines().next()?.parse().ok()?;
    (text == self::text(number)).then_some(number)
}

fn published(root: &Path) {
    let home = Home::open(&root.join("home")).expect("a home");
    for number in 0.. {
        let folder = home.handoffs().join(format!("group-{}", number % 7));
        publish(&folder, &format!("{number}.md"), text(number).as_bytes()).expect("published");
        println!("{number}");
    }
}

fn named(root: &Path, flush: bool) {
    for number in 0_u64.. {
        let folder = root.join("home/handoffs").join(format!("group-{}", number % 7));
        fs::create_dir_all(&folder).expect("made");
        let temporary = folder.join(".temporary");
        let mut file = File::create(&temporary).expect("made");
        file.write_all(text(number).as_bytes()).expect("written");
        if flush {
            file.sync_all().expect("flushed");
        }
        fs::rename(&temporary, folder.join(format!("{number}.md"))).expect("renamed");
        println!("{number}");
    }
}

fn look_published(root: &Path, acknowledged: &[String]) -> Found {
    let mut found = Found { lost: Vec::new(), torn: Vec::new() };
    for line in acknowledged {
        let number: u64 = line.parse().expect("a number");
        let path = root.join(format!("home/handoffs/group-{}/{number}.md", number % 7));
        match fs::read_to_string(&path) {
            Ok(read) if read == text(number) => {}
            Ok(read) => found.torn.push(format!("{number} has {} bytes", read.len())),
            Err(error) => found.lost.push(format!("{number}: {error}")),
        }
    }
    // One that was not acknowledged may be there; then it is whole.
    for group in fs::read_dir(root.join("home/handoffs")).into_iter().flatten().flatten() {
        for entry in fs::read_dir(group.path()).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let whole = fs::read_to_string(entry.path()).ok().and_then(|read| number_of(&read)).is_some();
            if !whole && !name.starts_with('.') && !acknowledged.contains(&name.replace(".md", "")) {
                found.torn.push(format!("{name}, which nobody acknowledged"));
            }
        }
    }
    found
}

fn edited(root: &Path) {
    let (home, ledger) = appends::open(root);
    let file = root.join("HANDOFF.md");
    publish(root, "HANDOFF.md", text(0).as_bytes()).expect("published");
    for number in 1.. {
        let base = ledger.blobs().put(&fs::read(&file).expect("read")).expect("kept");
        ledger.blobs().put(text(number).as_bytes()).expect("kept");
        let swapped = swap(&file, &base, text(number).as_bytes(), &home).expect("swapped");
        assert_eq!(swapped, Swapped::Done);
        println!("{number}");
    }
}

fn renamed_over(root: &Path) {
    let file = root.join("HANDOFF.md");
    publish(root, "HANDOFF.md", text(0).as_bytes()).expect("published");
    for number in 1.. {
        let temporary = root.join("temporary");
        fs::write(&temporary, text(number)).expect("written");
        fs::rename(&temporary, &file).expect("renamed");
        File::open(root).and_then(|folder| folder.sync_all()).expect("flushed");
        println!("{number}");
    }
}

fn look_edited(writer: Writer, root: &Path, acknowledged: &[String]) -> Found {
    let mut found = Found { lost: Vec::new(), torn: Vec::new() };
    let last: u64 = acknowledged.last().and_then(|line| line.parse().ok()).expect("a number");
    match fs::read(root.join("HANDOFF.md")) {
        Err(error) => found.lost.push(format!("the file: {error}")),
        Ok(bytes) => match number_of(&String::from_utf8_lossy(&bytes)) {
            None => found.torn.push(format!("{} bytes that are no version", bytes.len())),
            Some(number) if number < last => found.lost.push(format!("edit {last}: the file holds {number}")),
            Some(_) => {}
        },
    }
    if writer == Writer::EditNoFlush {
        return found;
    }
    let (home, ledger) = appends::open(root);
    for number in 1..=last {
        let rev = handoff::revision(text(number).as_bytes());
        if !matches!(ledger.blobs().get(&rev), Ok(Some(_))) {
            found.lost.push(format!("the kept revision {number}"));
        }
    }
    // Bytes that it keeps are a temporary file that was never whole: every whole version is a kept revision.
    if let Err(error) = recover(&home, ledger.blobs()) {
        found.torn.push(format!("recovery: {error}"));
    }
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(".fuda-") {
            found.torn.push(format!("{name} is left"));
        }
    }
    found
}

fn appended(root: &Path) {
    let (_home, ledger) = appends::open(root);
    for number in 0_u64.. {
        let event = NewEvent::new("skipped", 1).about(&format!("h{}", number % 5), &number.to_string());
        let event = ledger.append::<Error>(event, |_| Ok(())).expect("appended");
        println!("{}", event.id);
    }
}

fn look_ledger(root: &Path, acknowledged: &[String]) -> Found {
    let mut found = Found { lost: Vec::new(), torn: Vec::new() };
    let (_home, ledger) = appends::open(root);
    let events = ledger.events().unwrap_or_default();
    for id in acknowledged {
        if !events.iter().any(|event| event.id == *id) {
            found.lost.push(format!("event {id}"));
        }
    }
    match ledger.verify() {
        Ok(verification) => found.torn.extend(verification.problems),
        Err(error) => found.torn.push(error.to_string()),
    }
    found
}

fn kept(root: &Path) {
    let (_home, ledger) = appends::open(root);
    for number in 0_u64.. {
        ledger.blobs().put(text(number).as_bytes()).expect("kept");
        println!("{number}");
    }
}

fn look_kept(root: &Path, acknowledged: &[String]) -> Found {
    let mut found = Found { lost: Vec::new(), torn: Vec::new() };
    let (_home, ledger) = appends::open(root);
    for line in acknowledged {
        let rev = handoff::revision(text(line.parse().expect("a number")).as_bytes());
        match ledger.blobs().get(&rev) {
            Ok(Some(_)) => {}
            Ok(None) => found.lost.push(format!("the kept revision {line}")),
            Err(error) => found.torn.push(error.to_string()),
        }
    }
    found
}

fn normal(root: &Path) -> rusqlite::Connection {
    let database = rusqlite::Connection::open(root.join("normal.db")).expect("a database");
    database.pragma_update(None, "journal_mode", "WAL").expect("WAL");
    database.pragma_update(None, "synchronous", "NORMAL").expect("NORMAL");
    database
}

fn appended_normal(root: &Path) {
    let database = normal(root);
    database.execute_batch("CREATE TABLE events (id INTEGER PRIMARY KEY)").expect("made");
    for number in 0_u64.. {
        database.execute("INSERT INTO events VALUES (?1)", [number as i64]).expect("inserted");
        println!("{number}");
    }
}

fn look_normal(root: &Path, acknowledged: &[String]) -> Found {
    let mut found = Found { lost: Vec::new(), torn: Vec::new() };
    let database = normal(root);
    for number in acknowledged {
        let there =
            database.query_row("SELECT count(*) FROM events WHERE id = ?1", [number], |row| row.get::<_, i64>(0));
        if there.unwrap_or(0) != 1 {
            found.lost.push(format!("row {number}"));
        }
    }
    found
}
