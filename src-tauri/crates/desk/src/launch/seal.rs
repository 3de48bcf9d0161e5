//! The approved block as a file that nobody can change any more: sealed memory on Linux, a private file that can only
//! be read elsewhere. A file, not a pipe: it can be read from its beginning, in any portion, and never blocks.

use crate::Error;
use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;

fn failed(what: &str) -> impl Fn(std::io::Error) -> Error + '_ {
    move |source| Error::Launch { what: what.to_owned(), source }
}

/// Seals bytes in memory; the name says nothing.
///
/// # Errors
/// [`Error::Launch`] when the system gives no such memory, or does not keep its seals.
#[cfg(target_os = "linux")]
pub(crate) fn sealed(bytes: &[u8]) -> Result<File, Error> {
    use rustix::fs::{MemfdFlags, SealFlags};
    let failed = failed("sealing the block");
    let memory = rustix::fs::memfd_create("fuda", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)
        .map_err(|error| failed(error.into()))?;
    let mut file = File::from(memory);
    file.write_all(bytes).map_err(&failed)?;
    file.rewind().map_err(&failed)?;
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals).map_err(|error| failed(error.into()))?;
    Ok(file)
}

/// An unnamed file that was opened for reading only before its name went.
///
/// # Errors
/// [`Error::Launch`] when it cannot be written.
#[cfg(not(target_os = "linux"))]
pub(crate) fn sealed(bytes: &[u8]) -> Result<File, Error> {
    let failed = failed("sealing the block");
    let name = std::env::temp_dir().join(format!("fuda-{}", uuid::Uuid::now_v7()));
    private(&name, bytes, 0o400)?;
    let file = File::open(&name).map_err(&failed)?;
    std::fs::remove_file(&name).map_err(&failed)?;
    Ok(file)
}

/// Writes a new file with the given permissions, for its owner only.
///
/// # Errors
/// [`Error::Launch`] with the path, also when something is there already.
pub(crate) fn private(path: &Path, bytes: &[u8], mode: u32) -> Result<(), Error> {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let what = format!("writing {}", path.display());
    let failed = failed(&what);
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(path).map_err(&failed)?;
    file.write_all(bytes).map_err(&failed)?;
    file.set_permissions(std::fs::Permissions::from_mode(mode)).map_err(&failed)
}
