//! The name of a run: random, made when a person is shown what would be started, and given back with the order. The
//! run's folder and the fence of its block follow from it, so that what was shown is what is started.

use crate::Error;
use sha2::{Digest, Sha256};
use std::fmt;
use std::path::{Path, PathBuf};
use store::Home;
use uuid::Uuid;

/// A name that no document can know beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunName(Uuid);

impl RunName {
    /// A fresh one.
    pub fn new() -> Self {
        Self(Uuid::now_v7())
    }

    /// The one that a person was shown.
    ///
    /// # Errors
    /// [`Error::Usage`] when it is none of ours.
    pub fn shown(text: &str) -> Result<Self, Error> {
        let name = Uuid::try_parse(text).ok().map(Self).filter(|name| name.to_string() == text);
        name.ok_or_else(|| {
            Error::Usage(format!("{text:?} is no run that was shown; take the one that resume_preview names"))
        })
    }

    /// Its folder. It is not there before the claim.
    pub fn folder(self, home: &Home) -> PathBuf {
        home.runs().join(self.to_string())
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}", self.0.simple())
    }
}

/// The fence of the block of the run in this folder.
pub(crate) fn fence(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().as_encoded_bytes();
    let digest = Sha256::new().chain_update("fence ").chain_update(name).finalize();
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_of_ours_leads_to_a_folder() {
        let name = RunName::new();
        assert_eq!(RunName::shown(&name.to_string()).ok(), Some(name));
        let spelled = name.0.hyphenated().to_string();
        for text in ["", "../../etc", "one", &spelled, &name.to_string().to_uppercase(), &format!("{name}/..")] {
            assert!(matches!(RunName::shown(text), Err(Error::Usage(_))), "{text:?}");
        }
    }

    #[test]
    fn each_run_has_a_fence_of_its_own() {
        let one = Path::new("/runs/0199c8de22227000800000000000000b");
        assert_eq!(fence(one), fence(Path::new("/elsewhere/0199c8de22227000800000000000000b")));
        assert_ne!(fence(one), fence(Path::new("/runs/0199c8de22227000800000000000000c")));
        assert_eq!(fence(one).len(), 32);
    }
}
