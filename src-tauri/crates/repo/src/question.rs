//! What is asked about a repository. A question crosses to the worker process as one line of JSON, so it owns
//! everything that the answer may depend on but the repository itself.

use handoff::Handoff;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Which handoff is held against which folder.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Question {
    /// The document as read.
    pub handoff: Handoff,
    /// The handoff file. The repository that holds it is looked at when nothing else names one.
    #[serde(with = "wire_path::one")]
    pub file: Option<PathBuf>,
    /// The folder that the caller named (`--repo`).
    #[serde(with = "wire_path::one")]
    pub repo: Option<PathBuf>,
    /// The folder that a person bound this handoff to.
    #[serde(with = "wire_path::one")]
    pub binding: Option<PathBuf>,
    /// What `~` stands for in recorded paths.
    #[serde(with = "wire_path::one")]
    pub home: Option<PathBuf>,
    /// Further handoffs, markers and pointers, absolute or below the worktree. `file` is one without being named.
    #[serde(with = "wire_path::many")]
    pub handoff_paths: Vec<PathBuf>,
    /// How much work an answer may cost.
    pub budget: Budget,
}

/// How much work an answer may cost. What lies beyond is left out and said so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Budget {
    /// Milliseconds after which a look begins nothing new.
    pub look_ms: u64,
    /// Bytes of one file that may be read to see whether it changed.
    pub file_bytes: u64,
    /// Bytes of all files together that may be read for it.
    pub total_bytes: u64,
    /// Untracked paths that are listed.
    pub untracked: usize,
    /// Commits since the recorded one that are examined one by one, and listed.
    pub commits: usize,
    /// The same for a glance: `ahead` and `behind` leave out handoff-only commits among so many.
    pub glanced_commits: usize,
    /// Changed paths that are listed.
    pub changed: usize,
    /// Changed files whose lines are counted; above it none are.
    pub counted_files: usize,
    /// Commits that are searched for the successor of a missing one.
    pub search_commits: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            look_ms: 4_000,
            file_bytes: 32 << 20,
            total_bytes: 256 << 20,
            untracked: 20_000,
            commits: 1_000,
            glanced_commits: 100,
            changed: 5_000,
            counted_files: 2_000,
            search_commits: 5_000,
        }
    }
}

/// Paths as JSON: a string when it is UTF-8, else its bytes, so that none is lost on the way.
pub(crate) mod wire_path {
    use serde::{Deserialize, Serialize};
    use std::path::PathBuf;

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Wire {
        Text(String),
        Bytes(Vec<u8>),
    }

    impl From<&PathBuf> for Wire {
        fn from(path: &PathBuf) -> Self {
            match path.to_str() {
                Some(text) => Self::Text(text.to_owned()),
                None => Self::Bytes(path.as_os_str().as_encoded_bytes().to_vec()),
            }
        }
    }

    impl From<Wire> for PathBuf {
        fn from(wire: Wire) -> Self {
            match wire {
                Wire::Text(text) => text.into(),
                Wire::Bytes(bytes) => crate::text::path_of(&bytes),
            }
        }
    }

    pub(crate) mod one {
        use super::*;
        use serde::{Deserializer, Serializer};

        pub(crate) fn serialize<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
            path.as_ref().map(Wire::from).serialize(to)
        }
        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
            Ok(Option::<Wire>::deserialize(from)?.map(PathBuf::from))
        }
    }

    pub(crate) mod many {
        use super::*;
        use serde::{Deserializer, Serializer};

        pub(crate) fn serialize<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
            paths.iter().map(Wire::from).collect::<Vec<_>>().serialize(to)
        }
        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<PathBuf>, D::Error> {
            Ok(Vec::<Wire>::deserialize(from)?.into_iter().map(PathBuf::from).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_question_keeps_paths_that_are_not_utf_8() {
        let path = crate::text::path_of(b"/tmp/a\xff/HANDOFF.md");
        let question = Question { file: Some(path.clone()), handoff_paths: vec![path.clone()], ..Question::default() };
        let line = serde_json::to_string(&question).expect("a question is plain data");
        let back: Question = serde_json::from_str(&line).expect("what was written reads");
        assert_eq!((back.file, back.handoff_paths), (Some(path.clone()), vec![path]));
    }
}
