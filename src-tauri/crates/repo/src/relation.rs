//! How HEAD stands to the recorded commit. Commits that touch nothing but handoffs do not count: a handoff that
//! was committed is always one commit behind itself.

use crate::handoff_path::HandoffPaths;
use crate::history;
use crate::model::Relation;
use crate::taken::Opened;
use crate::trees::Trees;
use git2::{Commit, ErrorCode, ObjectType, Oid, Repository, Sort};
use std::ops::ControlFlow;

/// Straight history that is walked before the general question is asked; most handoffs are found within it.
const NEAR: usize = 200;

/// A commit that one side has and the other has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Own {
    pub(crate) id: Oid,
    pub(crate) handoff_only: bool,
}

/// Where now stands against then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) relation: Relation,
    /// Commits that HEAD has and the recorded one has not, handoff-only ones left out as far as examined.
    pub(crate) ahead: u32,
    pub(crate) behind: u32,
    /// The recorded commit, when it is there.
    pub(crate) base: Option<Oid>,
    /// HEAD's own commits, newest first, as many as the budget allows.
    pub(crate) since: Vec<Own>,
    /// The recorded commit's own commits, newest first, as many as the budget allows.
    pub(crate) lost: Vec<Own>,
    /// How many commits HEAD has in all that the recorded one has not.
    pub(crate) since_total: u32,
    /// Why the recorded text names no commit, when that is so.
    pub(crate) unclear: Option<String>,
}

/// What a recorded hash names here.
pub(crate) enum Found {
    Commit(Oid),
    Nothing,
    Unclear(String),
}

/// Looks for a commit by 7 to 64 hexadecimal digits.
pub(crate) fn find_commit(repo: &Repository, hash: &str) -> Found {
    let hash = hash.trim().trim_matches('`');
    if hash.len() < 4 || !hash.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return named_by_a_tag(repo, hash);
    }
    if hash.len() > 40 {
        return Found::Nothing;
    }
    match repo.find_object_by_prefix(hash, None) {
        Ok(object) => match object.peel(ObjectType::Commit) {
            Ok(commit) => Found::Commit(commit.id()),
            Err(_) => Found::Unclear(format!("{hash} is no commit here")),
        },
        Err(error) if error.code() == ErrorCode::Ambiguous => match repo.find_commit_by_prefix(hash) {
            Ok(commit) => Found::Commit(commit.id()),
            Err(_) => Found::Unclear(format!("{hash} is the beginning of several objects here")),
        },
        Err(_) => Found::Nothing,
    }
}

/// Some record a version instead of a hash. A branch is not taken: it moves, so it names no commit of then.
fn named_by_a_tag(repo: &Repository, name: &str) -> Found {
    let tag = repo.find_reference(&format!("refs/tags/{}", name.trim_start_matches("refs/tags/")));
    match tag.and_then(|tag| tag.peel_to_commit()) {
        Ok(commit) => Found::Commit(commit.id()),
        Err(_) => Found::Unclear(format!("{name} is no commit hash")),
    }
}

/// Holds HEAD against the recorded commit. Up to `limit` commits of each side are examined.
pub(crate) fn standing(opened: &Opened, recorded: Option<&str>, limit: usize) -> Result<Standing, git2::Error> {
    let (repo, paths) = (&opened.repo, &opened.paths);
    let Some(recorded) = recorded else { return Ok(Standing::default()) };
    let base = match find_commit(repo, recorded) {
        Found::Commit(base) => base,
        nothing => {
            let relation = if repo.is_shallow() { Relation::Shallow } else { Relation::Missing };
            let unclear = if let Found::Unclear(why) = nothing { Some(why) } else { None };
            return Ok(Standing { relation, unclear, ..Standing::default() });
        }
    };
    let Some(head) = opened.head.commit else {
        let lost = own_commits(repo, base, None, paths, limit)?;
        let behind = counted(&lost);
        return Ok(Standing {
            relation: Relation::Behind,
            behind,
            base: Some(base),
            lost: lost.list,
            ..Standing::default()
        });
    };
    if head == base {
        return Ok(Standing { relation: Relation::Same, base: Some(base), ..Standing::default() });
    }
    let (since, lost) = sides(opened, head, base, limit)?;
    let (ahead, behind) = (counted(&since), counted(&lost));
    let relation = match (ahead, behind) {
        (0, 0) => Relation::Same,
        (_, 0) => Relation::Ahead,
        (0, _) => Relation::Behind,
        // Below the cut of a shallow clone the two may be one line.
        _ if repo.is_shallow() => Relation::Shallow,
        _ => Relation::Diverged,
    };
    Ok(Standing {
        relation,
        ahead,
        behind,
        base: Some(base),
        since_total: since.total,
        since: since.list,
        lost: lost.list,
        unclear: None,
    })
}

/// One side's own commits: those examined, and how many there are.
#[derive(Default)]
struct Side {
    list: Vec<Own>,
    total: u32,
}

fn counted(side: &Side) -> u32 {
    side.total - side.list.iter().filter(|own| own.handoff_only).count() as u32
}

fn sides(opened: &Opened, head: Oid, base: Oid, limit: usize) -> Result<(Side, Side), git2::Error> {
    let (repo, paths) = (&opened.repo, &opened.paths);
    if let Some((since, lost)) = history::sides(repo, opened.graph(), head, base, limit) {
        let side = |side: history::Side| Side { total: side.total as u32, ..examined(repo, side.newest, paths, limit) };
        return Ok((side(since), side(lost)));
    }
    if let Some(ids) = straight_line(repo, head, base)? {
        return Ok((examined(repo, ids, paths, limit), Side::default()));
    }
    if let Some(ids) = straight_line(repo, base, head)? {
        return Ok((Side::default(), examined(repo, ids, paths, limit)));
    }
    let (ahead, behind) = repo.graph_ahead_behind(head, base)?;
    let side = |of, without, total: usize| -> Result<Side, git2::Error> {
        let mut side = if total == 0 { Side::default() } else { own_commits(repo, of, Some(without), paths, limit)? };
        side.total = total as u32;
        Ok(side)
    };
    Ok((side(head, base, ahead)?, side(base, head, behind)?))
}

/// The commits from one down to but without another, when nothing but single parents lies between.
fn straight_line(repo: &Repository, from: Oid, to: Oid) -> Result<Option<Vec<Oid>>, git2::Error> {
    let mut ids = Vec::new();
    let mut commit = repo.find_commit(from)?;
    while ids.len() < NEAR {
        ids.push(commit.id());
        if commit.parent_count() != 1 {
            return Ok(None);
        }
        let Ok(parent) = commit.parent(0) else { return Ok(None) };
        if parent.id() == to {
            return Ok(Some(ids));
        }
        commit = parent;
    }
    Ok(None)
}

fn own_commits(
    repo: &Repository,
    of: Oid,
    without: Option<Oid>,
    paths: &HandoffPaths,
    limit: usize,
) -> Result<Side, git2::Error> {
    let mut walk = repo.revwalk()?;
    walk.set_sorting(Sort::TOPOLOGICAL | Sort::TIME)?;
    walk.push(of)?;
    if let Some(without) = without {
        walk.hide(without)?;
    }
    let ids: Vec<Oid> = walk.collect::<Result<_, _>>()?;
    Ok(examined(repo, ids, paths, limit))
}

fn examined(repo: &Repository, ids: Vec<Oid>, paths: &HandoffPaths, limit: usize) -> Side {
    let total = ids.len() as u32;
    // A commit that cannot be read is one that counts.
    let told = |id| repo.find_commit(id).is_ok_and(|commit| handoff_only(repo, &commit, paths));
    let list = ids.into_iter().take(limit).map(|id| Own { id, handoff_only: told(id) }).collect();
    Side { list, total }
}

/// Whether a commit changes something against its first parent, and nothing but handoffs. A tree that cannot be
/// read (partial or shallow clones) makes it one that counts.
pub(crate) fn handoff_only(repo: &Repository, commit: &Commit, paths: &HandoffPaths) -> bool {
    only_handoffs(repo, commit, paths).unwrap_or(false)
}

fn only_handoffs(repo: &Repository, commit: &Commit, paths: &HandoffPaths) -> Result<bool, git2::Error> {
    let before = if commit.parent_count() == 0 { None } else { Some(commit.parent(0)?.tree_id()) };
    let mut changed = false;
    let flow = Trees::new(repo)?.differences(before, Some(commit.tree_id()), &mut |difference| {
        changed = true;
        if paths.contains(difference.path) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(changed && flow.is_continue())
}
