//! A small file system on a loop device, which can be cut off.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A file system whose shutdown call drops what is not durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    Ext4,
    Xfs,
}

impl System {
    pub fn name(self) -> &'static str {
        match self {
            Self::Ext4 => "ext4",
            Self::Xfs => "xfs",
        }
    }

    /// xfs is not made smaller than this.
    fn bytes(self) -> u64 {
        match self {
            Self::Ext4 => 64 << 20,
            Self::Xfs => 320 << 20,
        }
    }

    fn make(self) -> &'static [&'static str] {
        match self {
            Self::Ext4 => &["mkfs.ext4", "-q", "-F"],
            Self::Xfs => &["mkfs.xfs", "-q", "-f"],
        }
    }

    /// ext4 writes a file out by itself when it is renamed over another. Without that a missing flush is seen.
    fn options(self) -> &'static str {
        match self {
            Self::Ext4 => "loop,noauto_da_alloc",
            Self::Xfs => "loop",
        }
    }
}

/// A mounted disk. Unmounted when dropped.
pub struct Disk {
    system: System,
    folder: TempDir,
    mounted: bool,
}

impl Disk {
    /// Makes and mounts one; or says what this machine refused.
    pub fn new(system: System) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut disk = Self { system, folder, mounted: false };
        let image = File::create(disk.image()).map_err(|error| error.to_string())?;
        image.set_len(system.bytes()).map_err(|error| error.to_string())?;
        let [program, arguments @ ..] = system.make() else { return Err("no program".to_owned()) };
        said(Command::new(program).args(arguments).arg(disk.image()))?;
        fs::create_dir(disk.folder()).map_err(|error| error.to_string())?;
        disk.mount()?;
        Ok(disk)
    }

    fn image(&self) -> PathBuf {
        self.folder.path().join("image")
    }

    /// Where it is mounted.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    fn mount(&mut self) -> Result<(), String> {
        said(Command::new("mount").args(["-o", self.system.options()]).arg(self.image()).arg(self.folder()))?;
        self.mounted = true;
        Ok(())
    }

    /// Cuts it off.
    pub fn shut_down(&self, flag: u32) -> Result<(), String> {
        let folder = File::open(self.folder()).map_err(|error| error.to_string())?;
        shut_down(&folder, flag).map_err(|errno| format!("the shutdown call on {}: {errno}", self.system.name()))
    }

    /// Unmounts what was cut off and mounts it again, which replays its log.
    pub fn mount_again(&mut self) -> Result<(), String> {
        self.unmount()?;
        self.mount()
    }

    fn unmount(&mut self) -> Result<(), String> {
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            match said(Command::new("umount").arg(self.folder())) {
                Ok(()) => break,
                // The last file of a killed program is closed a moment after it ended.
                Err(_) if Instant::now() < until => std::thread::sleep(Duration::from_millis(20)),
                Err(why) => return Err(why),
            }
        }
        self.mounted = false;
        Ok(())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.mounted {
            let _ = self.unmount();
        }
    }
}

/// `EXT4_IOC_SHUTDOWN`, which is also `XFS_IOC_GOINGDOWN`.
fn shut_down(folder: &File, flag: u32) -> rustix::io::Result<()> {
    const SHUT_DOWN: rustix::ioctl::Opcode = rustix::ioctl::opcode::read::<u32>(b'X', 125);
    // SAFETY: the call reads one u32 and keeps no pointer.
    #[allow(unsafe_code)]
    unsafe {
        rustix::ioctl::ioctl(folder, rustix::ioctl::Setter::<SHUT_DOWN, u32>::new(flag))
    }
}

fn said(command: &mut Command) -> Result<(), String> {
    let program = Path::new(command.get_program()).display().to_string();
    let output = crate::limit::output_of(command).map_err(|error| format!("{program} does not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr).trim()))
}
