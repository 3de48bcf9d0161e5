//! Commits that probably carry what a missing or left-behind commit carried: found by the same subject, or by the
//! same patch where the old commit still lies in the repository. And the cause that this points to.

use crate::changes::tree_of;
use crate::model::Successor;
use crate::relation::Standing;
use crate::snapshot::subject;
use git2::{BranchType, Commit, Diff, DiffOptions, Oid, Repository, Sort};

/// Successors that are named.
const NAMED: usize = 5;
/// Commits whose patches are compared.
const PATCHES: usize = 300;

/// Said of a commit that is gone, so that nobody takes a silent search for a complete one.
const NO_PATCH: &str = "The commit's own content is not here, so its patch could not be looked for.";

/// What was found, and what it points to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heirs {
    pub(crate) successors: Vec<Successor>,
    pub(crate) likely_cause: Option<String>,
}

/// For a commit that is not in the repository: looks for its subject in what HEAD, the recorded branch and their
/// upstreams reach.
pub(crate) fn of_missing(
    repo: &Repository,
    head: Option<Oid>,
    branch: Option<&str>,
    recorded: Option<&str>,
    limit: usize,
    stop: &dyn Fn() -> bool,
) -> Heirs {
    let wanted = recorded.map(plain_subject).filter(|text| text.chars().count() >= 4);
    let mut heirs = Heirs::default();
    let mut how = How::default();
    if let Some(wanted) = &wanted {
        for commit in reachable(repo, head, branch, limit).filter_map(|id| repo.find_commit(id).ok()) {
            if heirs.successors.len() >= NAMED || stop() {
                break;
            }
            let own = plain_subject(&subject(&commit));
            let squashed = own.strip_prefix(wanted.as_str()).is_some_and(is_pull_request_mark);
            let listed = !squashed && own != *wanted && lists(&commit, wanted);
            if own == *wanted || squashed || listed {
                how.squashed |= squashed || listed;
                how.same |= own == *wanted;
                heirs.successors.push(Successor {
                    commit: commit.id().to_string(),
                    by: "subject".into(),
                    subject: subject(&commit),
                });
            }
        }
    }
    let cause = match how {
        _ if repo.is_shallow() => "This clone is shallow: the commit may lie below its cut.",
        How { squashed: true, .. } => "Probably squashed: a commit here carries its subject.",
        How { same: true, .. } => "Probably rebased or amended: a commit here has the same subject.",
        _ if wanted.is_some() => {
            "No commit here has its subject: probably it was never pushed here, or this is another clone."
        }
        _ => "The handoff gives no subject to look for: squashed, rebased, amended, or from another clone.",
    };
    heirs.likely_cause = Some(format!("{cause} {NO_PATCH}"));
    heirs
}

#[derive(Clone, Copy, Default)]
struct How {
    same: bool,
    squashed: bool,
}

/// For a commit that lies here and that HEAD has not: looks for the same patch, for the patch of all that was lost,
/// and for the same subject among HEAD's own commits.
pub(crate) fn of_left_behind(repo: &Repository, head: Oid, standing: &Standing, stop: &dyn Fn() -> bool) -> Heirs {
    of_left_behind_inner(repo, head, standing, stop).unwrap_or_default() // unreadable objects: nothing is claimed
}

fn of_left_behind_inner(
    repo: &Repository,
    head: Oid,
    standing: &Standing,
    stop: &dyn Fn() -> bool,
) -> Result<Heirs, git2::Error> {
    let mut heirs = Heirs::default();
    let Some(base) = standing.base else { return Ok(heirs) };
    let lost = repo.find_commit(base)?;
    let fork = repo.merge_base(head, base).ok();
    let one = patch_of(repo, lost.parent_id(0).ok(), base)?;
    let all = if standing.lost.len() > 1 { patch_of(repo, fork, base)? } else { None };
    let wanted = plain_subject(&subject(&lost));
    let (mut patch, mut squash, mut same, mut amended) = (false, false, false, false);
    for own in standing.since.iter().filter(|own| !own.handoff_only).take(PATCHES) {
        if stop() || heirs.successors.len() >= NAMED {
            break;
        }
        let commit = repo.find_commit(own.id)?;
        let theirs = patch_of(repo, commit.parent_id(0).ok(), own.id)?;
        let by_patch = theirs.is_some() && theirs == one;
        let by_squash = theirs.is_some() && theirs == all;
        let by_subject = wanted.chars().count() >= 4 && plain_subject(&subject(&commit)) == wanted;
        if !(by_patch || by_squash || by_subject) {
            continue;
        }
        patch |= by_patch && !by_squash;
        squash |= by_squash;
        same |= by_subject;
        amended |= by_subject && commit.parent_id(0).ok() == lost.parent_id(0).ok();
        let by = if by_patch || by_squash { "patch" } else { "subject" };
        heirs.successors.push(Successor { commit: own.id.to_string(), by: by.into(), subject: subject(&commit) });
    }
    heirs.likely_cause = if squash {
        Some("Probably squashed: a commit of HEAD carries the whole patch.".into())
    } else if amended {
        Some("Probably amended: a commit of HEAD has the same subject and parent.".into())
    } else if patch {
        Some("Probably rebased: a commit of HEAD carries the same patch.".into())
    } else if same {
        Some("Probably rebased or squashed: a commit of HEAD has the same subject.".into())
    } else {
        None
    };
    Ok(heirs)
}

/// The identity of a patch whatever its place: `None` for an empty one.
fn patch_of(repo: &Repository, before: Option<Oid>, after: Oid) -> Result<Option<Oid>, git2::Error> {
    let (before, after) = (tree_of(repo, before)?, tree_of(repo, Some(after))?);
    let mut options = DiffOptions::new();
    options.max_size(4 << 20);
    let diff: Diff = repo.diff_tree_to_tree(before.as_ref(), after.as_ref(), Some(&mut options))?;
    if diff.deltas().len() == 0 || diff.deltas().len() > 500 {
        return Ok(None);
    }
    diff.patchid(None).map(Some)
}

fn reachable(repo: &Repository, head: Option<Oid>, branch: Option<&str>, limit: usize) -> impl Iterator<Item = Oid> {
    let walk = repo.revwalk().ok().map(|mut walk| {
        // Sorting by time and a tip that cannot be pushed both only narrow the search.
        let _ = walk.set_sorting(Sort::TIME);
        let local = branch.and_then(|name| repo.find_branch(name, BranchType::Local).ok());
        let remote = branch.and_then(|name| repo.find_branch(&format!("origin/{name}"), BranchType::Remote).ok());
        let tips = [local, remote].into_iter().flatten().filter_map(|branch| branch.get().target());
        for tip in head.into_iter().chain(tips) {
            let _ = walk.push(tip);
        }
        walk
    });
    walk.into_iter().flatten().flatten().take(limit)
}

/// A subject without list marks and letters' case, for comparison.
fn plain_subject(text: &str) -> String {
    text.trim().trim_start_matches(['*', '-', ' ']).trim_matches(['"', '`', '\'', ' ']).to_lowercase()
}

/// ` (#12)`, as hosting services append it to a squashed commit.
fn is_pull_request_mark(rest: &str) -> bool {
    let number = rest
        .trim()
        .strip_prefix("(#")
        .or_else(|| rest.trim().strip_prefix("(!"))
        .and_then(|rest| rest.strip_suffix(')'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether the body of a commit has the subject on a line of its own, as a squash lists what it took in.
fn lists(commit: &Commit, wanted: &str) -> bool {
    let body = String::from_utf8_lossy(commit.message_bytes()).into_owned();
    body.lines().skip(1).any(|line| plain_subject(line) == wanted)
}
