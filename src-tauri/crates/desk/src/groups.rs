//! The inbox in groups: what waits for a person by repository, then what is in motion, then what others hold.

use crate::lists::Listed;
use crate::query::group;
use crate::view::{Group, GroupKind, State};
use std::collections::HashMap;

/// Rows that come newest first, in the order of their groups: the repository with the newest readable handoff first, in
/// each the newest readable first, what cannot be offered last.
pub(crate) fn grouped(newest_first: Vec<&Listed>) -> (Vec<&Listed>, Vec<Group>) {
    let offered = |listed: &&Listed| !matches!(listed.row.state, State::Refused | State::Incomplete);
    let (readable, others): (Vec<_>, Vec<_>) = newest_first.into_iter().partition(offered);
    let mut buckets: Vec<(GroupKind, Vec<&Listed>)> = Vec::new();
    let mut places: HashMap<(GroupKind, Option<&str>), usize> = HashMap::new();
    for listed in readable.into_iter().chain(others) {
        let kind = kind_of(listed);
        let repo = listed.row.repo.as_deref().filter(|_| kind == GroupKind::Repository);
        let place = *places.entry((kind, repo)).or_insert_with(|| {
            buckets.push((kind, Vec::new()));
            buckets.len() - 1
        });
        buckets[place].1.push(listed);
    }
    buckets.sort_by_key(|(kind, _)| match kind {
        GroupKind::Repository | GroupKind::NoRepository => 0,
        GroupKind::Moving => 1,
        GroupKind::Held => 2,
    });
    let mut rows: Vec<&Listed> = Vec::new();
    let mut groups = Vec::new();
    for (kind, bucket) in buckets {
        let first = bucket.first().filter(|_| kind == GroupKind::Repository);
        groups.push(Group {
            kind,
            repo: first.and_then(|listed| listed.row.repo.clone()),
            name: first.and_then(|listed| listed.row.repo_name.clone()),
            start: u32::try_from(rows.len()).unwrap_or(u32::MAX),
            count: u32::try_from(bucket.len()).unwrap_or(u32::MAX),
        });
        rows.extend(bucket);
    }
    (rows, groups)
}

fn kind_of(listed: &Listed) -> GroupKind {
    let row = &listed.row;
    match group(row.state) {
        0 if row.repo.is_some() => GroupKind::Repository,
        0 => GroupKind::NoRepository,
        _ if row.held_by.is_some() && !row.supervised => GroupKind::Held,
        _ => GroupKind::Moving,
    }
}
