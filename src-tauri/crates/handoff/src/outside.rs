//! References that leave the repository: named, never followed.

use crate::{Finding, Handoff, Severity};

/// A finding for each artifact that points outside the tree that the document speaks of.
pub(crate) fn findings(handoff: &Handoff) -> Vec<Finding> {
    let tree = handoff.trees.first();
    let home = [
        tree.and_then(|tree| tree.worktree.as_ref()).map(|path| path.text.as_str()),
        tree.and_then(|tree| tree.root.as_ref()).map(|path| path.text.as_str()),
        handoff.provenance.cwd.as_deref(),
    ];
    let inside = |path: &str| home.iter().flatten().any(|root| path.starts_with(root.trim_end_matches(['/', '\\'])));
    let mut findings = Vec::new();
    for artifact in &handoff.artifacts {
        if leaves(&artifact.reference) && !inside(&artifact.reference) {
            let message =
                format!("The reference {} leads out of the repository. It is not opened.", artifact.reference);
            let mut finding = Finding::new(Severity::Warning, "path-outside-repository", message);
            finding.span = artifact.span;
            findings.push(finding);
        }
    }
    findings
}

/// Whether a path is absolute, a `file:` address, or climbs above where it starts.
fn leaves(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    if lower.starts_with("file:") || path.starts_with(['/', '~']) || path.starts_with("\\\\") {
        return true;
    }
    if path.get(1..3).is_some_and(|drive| drive == ":\\" || drive == ":/") {
        return true;
    }
    let mut depth = 0_i64;
    for part in path.split(['/', '\\']) {
        match part {
            ".." => depth -= 1,
            "" | "." => {}
            _ => depth += 1,
        }
        if depth < 0 {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::leaves;

    #[test]
    fn climbing_absolute_and_file_addresses_leave() {
        for path in ["../../etc/passwd", "a/../../b", "/tmp/plan.md", "file:///etc/hosts", "C:\\x", "~/notes.md"] {
            assert!(leaves(path), "{path}");
        }
        for path in ["src/a.rs", "a/../b", "./c", "https://example.test/../x"] {
            assert!(!leaves(path), "{path}");
        }
    }
}
