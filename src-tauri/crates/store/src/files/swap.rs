//! Editing a file that others write too: the new bytes change places with the old ones, and what comes out is looked
//! at before it goes.

use super::recover::Note;
use super::{Stamp, keep, read, sync_folder, whole, writers};
use crate::{Error, Home, stands};
use rustix::fs::{CWD, RenameFlags};
use rustix::io::Errno;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// What a swap met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swapped {
    /// The file now holds the new bytes; what was there were the base's.
    Done,
    /// Somebody else's bytes were there. Both versions are kept and the file holds theirs.
    Conflict {
        /// Where the new bytes are kept.
        kept_at: PathBuf,
        /// The revision that is on disk.
        theirs: String,
    },
}

/// How the temporary files of an edit begin.
const PREFIX: &str = ".fuda-";
/// A temporary file that is younger may belong to an edit under way.
const LEFTOVER_MS: i64 = 24 * 3_600_000;

/// Whether a name is that of an edit's temporary file.
pub(crate) fn is_temporary(name: &str) -> bool {
    name.starts_with(PREFIX) && (name.ends_with(".tmp") || name.ends_with(".old"))
}

/// Moves a temporary file that an edit left behind to `conflicts/`: after a crash it may hold somebody's only copy.
/// One that may still be in use stays, and one that was never whole goes. Tells where the bytes are now.
pub(crate) fn put_away(leftover: &Path, home: &Home, now_ms: i64) -> Result<Option<PathBuf>, Error> {
    let found = fs::symlink_metadata(leftover).map_err(|source| Error::io("read", leftover, source))?;
    if now_ms - Stamp::of(&found).ctime_ns.div_euclid(1_000_000) < LEFTOVER_MS {
        return Ok(None);
    }
    let kept_at = if is_unfinished(&found) {
        None
    } else {
        let (bytes, _) = read(leftover, u64::MAX - 1)?;
        Some(keep(home, &bytes)?)
    };
    fs::remove_file(leftover).map_err(|source| Error::io("remove", leftover, source))?;
    Ok(kept_at)
}

/// Replaces a file's bytes when it still holds those of `base` (a revision). The exchange is atomic and what it
/// displaced is looked at, so that a foreign save in between loses nothing: the file then holds the foreign bytes
/// again. Symbolic links are followed, modes kept.
///
/// # Errors
/// The disk's; the file then holds its old bytes.
pub fn swap(path: &Path, base: &str, bytes: &[u8], home: &Home) -> Result<Swapped, Error> {
    swap_when(path, base, bytes, home, &|| {})
}

/// [`swap`], with something that happens between the look and the exchange.
fn swap_when(path: &Path, base: &str, bytes: &[u8], home: &Home, between: &dyn Fn()) -> Result<Swapped, Error> {
    let failed = |source: std::io::Error| Error::io("write", path, source);
    let target = fs::canonicalize(path).map_err(failed)?;
    let folder = target.parent().unwrap_or(Path::new("/"));
    let current = whole(&target)?;
    if handoff::is_session(&current) {
        return Err(Error::NotRegular { path: target, found: "an agent's session" });
    }
    if handoff::revision(&current) != base {
        return Ok(Swapped::Conflict { kept_at: keep(home, bytes)?, theirs: handoff::revision(&current) });
    }
    let mode = fs::metadata(&target).map_err(failed)?.permissions().mode();
    let temporary = folder.join(format!("{PREFIX}{}.tmp", Uuid::now_v7().simple()));
    // The note comes first: wherever this process ends, the temporary file is found.
    let note = Note::write(home, &temporary)?;
    let written = write_new(&temporary, bytes, mode & 0o7777).map_err(failed).map(|()| {
        between();
        exchange(&temporary, &target)
    });
    // Until the exchange the temporary file is ours alone; after it, it holds somebody's bytes, and stays on an error.
    let outcome = match written {
        Ok(Ok(())) => settle(&target, &temporary, base, bytes, home)?,
        Ok(Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP)) => {
            replace_linked(&target, base, bytes, home, &temporary)?
        }
        Ok(Err(errno)) => return give_up(&temporary, note, failed(errno.into())),
        Err(error) => return give_up(&temporary, note, error),
    };
    if stands!(EditFolderFlush) {
        sync_folder(folder)?;
    }
    note.done();
    Ok(outcome)
}

fn give_up(temporary: &Path, note: Note, error: Error) -> Result<Swapped, Error> {
    if fs::remove_file(temporary).is_ok() {
        note.done();
    }
    Err(error)
}

/// The mode of a temporary file that is still being written. No file that was displaced has it, since the owner could
/// not read that; so one that has it was never exchanged, and holds nothing that is not kept elsewhere.
const UNFINISHED: u32 = 0o200;

pub(super) fn is_unfinished(found: &fs::Metadata) -> bool {
    found.permissions().mode() & 0o7777 == UNFINISHED
}

/// Writes a file that must not be there yet, durably.
fn write_new(path: &Path, bytes: &[u8], mode: u32) -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(UNFINISHED).open(path)?;
    file.write_all(bytes)?;
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    if stands!(EditFlush) { file.sync_all() } else { Ok(()) }
}

fn exchange(one: &Path, other: &Path) -> rustix::io::Result<()> {
    if !stands!(EditExchange) {
        // As others do it; what stood there is gone.
        rustix::fs::rename(one, other)?;
        return fs::copy(other, one).map(drop).map_err(|_| Errno::IO);
    }
    rustix::fs::renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)
}

/// Looks at what the exchange displaced. A foreign save goes back to its place, and every version is kept before its
/// name is removed.
fn settle(target: &Path, aside: &Path, base: &str, bytes: &[u8], home: &Home) -> Result<Swapped, Error> {
    let failed = |source: std::io::Error| Error::io("write", target, source);
    let (displaced, at_rest) = at_rest(aside)?;
    let theirs = handoff::revision(&displaced);
    if theirs == base && at_rest || !stands!(EditLook) {
        fs::remove_file(aside).map_err(failed)?;
        return Ok(Swapped::Done);
    }
    keep(home, &displaced)?;
    exchange(aside, target).map_err(|errno| failed(errno.into()))?;
    // What comes back is ours, or a third save. One that goes on being written to keeps its name.
    let (back, at_rest) = self::at_rest(aside)?;
    keep(home, &back)?;
    let kept_at = keep(home, bytes)?;
    if at_rest {
        fs::remove_file(aside).map_err(failed)?;
    }
    Ok(Swapped::Conflict { kept_at, theirs })
}

/// The bytes of a file that no name leads writers to any more, once the last of them has closed it; and whether that
/// came to be.
fn at_rest(aside: &Path) -> Result<(Vec<u8>, bool), Error> {
    let failed = |source| Error::io("read", aside, source);
    let at_rest =
        !stands!(EditWriters) || writers::wait_for_the_last(&fs::File::open(aside).map_err(failed)?).map_err(failed)?;
    Ok((whole(aside)?, at_rest))
}

/// For a file system without exchange: the old file keeps a second name until it is known to be the base's.
fn replace_linked(target: &Path, base: &str, bytes: &[u8], home: &Home, temporary: &Path) -> Result<Swapped, Error> {
    let failed = |source: std::io::Error| Error::io("write", target, source);
    let aside = temporary.with_extension("old");
    fs::hard_link(target, &aside).map_err(failed)?;
    fs::rename(temporary, target).map_err(failed)?;
    let (displaced, at_rest) = at_rest(&aside)?;
    let theirs = handoff::revision(&displaced);
    if theirs == base && at_rest {
        fs::remove_file(&aside).map_err(failed)?;
        return Ok(Swapped::Done);
    }
    let kept_at = keep(home, bytes)?;
    fs::rename(&aside, target).map_err(failed)?;
    Ok(Swapped::Conflict { kept_at, theirs })
}

#[cfg(test)]
mod tests {
    use super::super::recover::{Recovered, recover};
    use super::*;
    use std::cell::Cell;

    /// A home and a file that holds `base`.
    fn desk() -> (tempfile::TempDir, Home, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let home = Home::open(&folder.path().join("home")).expect("a home");
        let file = folder.path().join("HANDOFF.md");
        fs::write(&file, "base").expect("written");
        (folder, home, file)
    }

    fn kept(home: &Home) -> Vec<Vec<u8>> {
        let entries = fs::read_dir(home.conflicts()).expect("listed").flatten();
        entries.map(|entry| fs::read(entry.path()).expect("read")).collect()
    }

    #[test]
    fn a_save_between_the_look_and_the_exchange_wins_and_ours_is_kept() {
        let (folder, home, file) = desk();
        let save = || fs::write(&file, "theirs").expect("saved");
        let outcome = swap_when(&file, &handoff::revision(b"base"), b"ours", &home, &save).expect("swapped");
        assert!(matches!(outcome, Swapped::Conflict { ref theirs, .. } if *theirs == handoff::revision(b"theirs")));
        assert_eq!(fs::read(&file).expect("read"), b"theirs");
        assert!(kept(&home).contains(&b"ours".to_vec()));
        let names: Vec<_> =
            fs::read_dir(folder.path()).expect("listed").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(names.len(), 2, "no temporary file is left: {names:?}");
    }

    #[test]
    fn a_file_renamed_over_the_target_in_between_is_not_lost() {
        let (folder, home, file) = desk();
        let other = folder.path().join("other");
        let once = Cell::new(true);
        let save = || {
            if once.replace(false) {
                fs::write(&other, "atomic").expect("written");
                fs::rename(&other, &file).expect("renamed");
            }
        };
        swap_when(&file, &handoff::revision(b"base"), b"ours", &home, &save).expect("swapped");
        assert_eq!(fs::read(&file).expect("read"), b"atomic");
        assert!(kept(&home).contains(&b"ours".to_vec()));
    }

    #[test]
    fn a_save_into_the_file_that_the_exchange_displaced_is_not_lost() {
        let (_folder, home, file) = desk();
        let (opened, written) = (std::sync::mpsc::channel(), std::sync::mpsc::channel());
        let path = file.clone();
        let editor = std::thread::spawn(move || {
            let mut save = fs::OpenOptions::new().write(true).open(path).expect("opened");
            opened.0.send(()).expect("told");
            written.1.recv().expect("told");
            std::thread::sleep(std::time::Duration::from_millis(30));
            save.write_all(b"late").expect("saved");
        });
        let between = || {
            opened.1.recv().expect("the editor has it open");
            written.0.send(()).expect("it goes on");
        };
        let outcome = swap_when(&file, &handoff::revision(b"base"), b"ours", &home, &between).expect("swapped");
        editor.join().expect("saved");
        assert!(matches!(outcome, Swapped::Conflict { ref theirs, .. } if *theirs == handoff::revision(b"late")));
        assert_eq!(fs::read(&file).expect("read"), b"late");
        assert!(kept(&home).contains(&b"ours".to_vec()));
    }

    #[test]
    fn without_exchange_a_foreign_save_is_kept_too() {
        let (folder, home, file) = desk();
        let temporary = folder.path().join(".fuda-x.tmp");
        write_new(&temporary, b"ours", 0o600).expect("written");
        fs::write(&file, "theirs").expect("saved");
        let outcome = replace_linked(&file, &handoff::revision(b"base"), b"ours", &home, &temporary).expect("replaced");
        assert!(matches!(outcome, Swapped::Conflict { .. }));
        assert_eq!(fs::read(&file).expect("read"), b"theirs");
        assert!(kept(&home).contains(&b"ours".to_vec()));
    }
    #[test]
    fn what_a_crash_left_behind_is_put_away_once_it_is_old() {
        let (folder, home, _) = desk();
        let leftover = folder.path().join(".fuda-aB3.tmp");
        fs::write(&leftover, "the only copy").expect("written");
        let now = Stamp::of(&fs::metadata(&leftover).expect("there")).ctime_ns / 1_000_000;
        assert_eq!(put_away(&leftover, &home, now + LEFTOVER_MS - 1).expect("looked"), None);
        let kept_at = put_away(&leftover, &home, now + LEFTOVER_MS).expect("looked").expect("put away");
        assert_eq!(fs::read(kept_at).expect("read"), b"the only copy");
        assert!(!leftover.exists() && is_temporary(".fuda-aB3.tmp") && !is_temporary("fuda.tmp"));
    }

    /// A swap that ended right after its exchange, as a killed process leaves it.
    fn half_done(home: &Home, file: &std::path::Path, ours: &[u8]) -> PathBuf {
        let aside = file.with_file_name(".fuda-x.tmp");
        fs::write(&aside, ours).expect("written");
        drop(Note::write(home, &aside).expect("noted"));
        exchange(&aside, file).expect("exchanged");
        aside
    }

    #[test]
    fn a_swap_that_ended_half_way_keeps_the_bytes_that_nobody_knows() {
        let (_folder, home, file) = desk();
        fs::write(&file, "foreign").expect("saved");
        let aside = half_done(&home, &file, b"ours");
        let blobs = crate::ledger::Blobs::new(&home.blobs());
        let recovered = recover(&home, &blobs).expect("recovered");
        let kept_at = recovered[0].kept_at.clone().expect("kept");
        assert_eq!(fs::read(kept_at).expect("read"), b"foreign");
        assert!(!aside.exists());
        assert!(recover(&home, &blobs).expect("nothing left").is_empty());
    }

    #[test]
    fn a_swap_that_ended_while_it_wrote_leaves_nothing_and_keeps_no_piece() {
        let (_folder, home, file) = desk();
        let aside = file.with_file_name(".fuda-x.tmp");
        let blobs = crate::ledger::Blobs::new(&home.blobs());
        for piece in ["", "ou"] {
            fs::write(&aside, piece).expect("written");
            fs::set_permissions(&aside, fs::Permissions::from_mode(UNFINISHED)).expect("as it is written");
            drop(Note::write(&home, &aside).expect("noted"));
            let found = recover(&home, &blobs).expect("recovered");
            assert_eq!(found, [Recovered { temporary: aside.clone(), kept_at: None }]);
            assert!(!aside.exists() && kept(&home).is_empty());
        }
        assert_eq!(fs::read(&file).expect("read"), b"base");
    }

    #[test]
    fn a_swap_that_ended_half_way_drops_what_the_ledger_keeps() {
        let (_folder, home, file) = desk();
        let blobs = crate::ledger::Blobs::new(&home.blobs());
        blobs.put(b"base").expect("kept");
        let aside = half_done(&home, &file, b"ours");
        assert_eq!(recover(&home, &blobs).expect("recovered"), [Recovered { temporary: aside.clone(), kept_at: None }]);
        assert!(!aside.exists());
        assert_eq!(fs::read(&file).expect("read"), b"ours");
    }

    #[test]
    fn a_note_that_a_power_cut_left_as_zeros_does_not_stop_the_others() {
        let (_folder, home, file) = desk();
        fs::write(home.swaps().join("0"), [0; 80]).expect("written");
        fs::write(&file, "foreign").expect("saved");
        let aside = half_done(&home, &file, b"ours");
        let blobs = crate::ledger::Blobs::new(&home.blobs());
        assert_eq!(recover(&home, &blobs).expect("recovered")[0].temporary, aside);
        assert_eq!(fs::read_dir(home.swaps()).expect("listed").count(), 0, "no note is left");
    }

    #[test]
    fn a_swap_under_way_is_left_alone() {
        let (folder, home, file) = desk();
        let aside = folder.path().join(".fuda-x.tmp");
        fs::write(&aside, "ours").expect("written");
        let note = Note::write(&home, &aside).expect("noted");
        let blobs = crate::ledger::Blobs::new(&home.blobs());
        assert!(recover(&home, &blobs).expect("looked").is_empty());
        assert!(aside.exists());
        note.done();
        assert_eq!(swap(&file, &handoff::revision(b"base"), b"ours", &home).expect("swapped"), Swapped::Done);
        assert_eq!(fs::read_dir(home.swaps()).expect("listed").count(), 0, "no note is left");
    }
}
