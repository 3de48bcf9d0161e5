//! What two commits have each for itself, told from the commit-graph: no object is read but for commits that are newer
//! than the graph. Where there is no graph, or it does not hold together, nothing is told and libgit2 is asked.

use crate::commit_graph::CommitGraph;
use git2::{Oid, Repository};
use std::collections::{BinaryHeap, HashMap};

/// Commits newer than the graph that are read one by one; beyond them the graph is of no use.
const NEWER: usize = 2_000;

const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const BOTH: u8 = LEFT | RIGHT;

/// The commits of one side that the other has not.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Side {
    /// How many there are.
    pub(crate) total: usize,
    /// The newest of them, children before parents.
    pub(crate) newest: Vec<Oid>,
}

/// Holds two commits against each other and lists up to `limit` of each side's own. `None`: the graph cannot tell.
pub(crate) fn sides(
    repo: &Repository,
    graph: Option<&CommitGraph>,
    left: Oid,
    right: Oid,
    limit: usize,
) -> Option<(Side, Side)> {
    let mut walk = Walk { repo, graph: graph?, nodes: Vec::new(), by_place: HashMap::new(), by_id: HashMap::new() };
    let (left, right) = (walk.tip(left)?, walk.tip(right)?);
    let (mine, theirs) = walk.paint(left, right)?;
    Some((walk.side(mine, LEFT, limit)?, walk.side(theirs, RIGHT, limit)?))
}

/// Whether one commit is the other or has it in its history. `None`: the graph cannot tell.
pub(crate) fn reaches(repo: &Repository, graph: Option<&CommitGraph>, from: Oid, to: Oid) -> Option<bool> {
    sides(repo, graph, from, to, 0).map(|(_, beyond)| beyond.total == 0)
}

/// A commit on the way.
struct Node {
    name: Name,
    level: u32,
    time: i64,
    /// Absent until somebody asks.
    parents: Option<Vec<usize>>,
    colour: u8,
    queued: bool,
}

#[derive(Clone, Copy)]
enum Name {
    /// At a place of the graph.
    Place(u32),
    /// Newer than the graph.
    Id(Oid),
}

struct Walk<'a> {
    repo: &'a Repository,
    graph: &'a CommitGraph,
    nodes: Vec<Node>,
    by_place: HashMap<u32, usize>,
    by_id: HashMap<Oid, usize>,
}

impl Walk<'_> {
    fn add(&mut self, name: Name, level: u32, time: i64, parents: Option<Vec<usize>>) -> usize {
        self.nodes.push(Node { name, level, time, parents, colour: 0, queued: false });
        self.nodes.len() - 1
    }

    /// The node of a commit, with those that are newer than the graph below it read.
    fn tip(&mut self, id: Oid) -> Option<usize> {
        // A commit is added when all its parents are: its level is one more than theirs.
        let mut open = vec![id];
        while let Some(&id) = open.last() {
            if self.known(id).is_some() {
                open.pop();
                continue;
            }
            if let Some(place) = self.graph.find(id) {
                self.place(place)?;
                open.pop();
                continue;
            }
            let commit = self.repo.find_commit(id).ok()?;
            let parents: Vec<Oid> = commit.parent_ids().collect();
            let missing: Vec<Oid> = parents.iter().copied().filter(|parent| self.known(*parent).is_none()).collect();
            if missing.is_empty() {
                let parents: Vec<usize> = parents.iter().map(|parent| self.known(*parent)).collect::<Option<_>>()?;
                let level = parents.iter().map(|parent| self.nodes[*parent].level).max().unwrap_or(0) + 1;
                let node = self.add(Name::Id(id), level, commit.time().seconds(), Some(parents));
                self.by_id.insert(id, node);
                open.pop();
            } else {
                open.extend(missing);
            }
            if self.by_id.len() + open.len() > NEWER {
                return None;
            }
        }
        self.known(id)
    }

    fn known(&self, id: Oid) -> Option<usize> {
        self.by_id.get(&id).copied().or_else(|| self.by_place.get(&self.graph.find(id)?).copied())
    }

    fn place(&mut self, place: u32) -> Option<usize> {
        if let Some(node) = self.by_place.get(&place) {
            return Some(*node);
        }
        let row = self.graph.row(place)?;
        let node = self.add(Name::Place(place), row.level, row.time, None);
        self.by_place.insert(place, node);
        Some(node)
    }

    /// The parents of a node. A parent that does not lie lower is no parent: the graph lies, and nothing is told.
    fn parents(&mut self, node: usize) -> Option<Vec<usize>> {
        if let Some(parents) = &self.nodes[node].parents {
            return Some(parents.clone());
        }
        let Name::Place(place) = self.nodes[node].name else { return None };
        let places = self.graph.row(place)?.parents;
        let parents = places.into_iter().map(|place| self.place(place)).collect::<Option<Vec<_>>>()?;
        let level = self.nodes[node].level;
        if parents.iter().any(|parent| self.nodes[*parent].level >= level) {
            return None;
        }
        self.nodes[node].parents = Some(parents.clone());
        Some(parents)
    }

    /// Paints what each side reaches, highest level first, so that a commit's colour is whole when its turn comes. Ends
    /// when whatever is left is common to both.
    fn paint(&mut self, left: usize, right: usize) -> Option<(Vec<usize>, Vec<usize>)> {
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        let mut queue = BinaryHeap::new();
        let mut open = 0_usize;
        self.colour(left, LEFT, &mut queue, &mut open);
        self.colour(right, RIGHT, &mut queue, &mut open);
        while open > 0 {
            let (_, at) = queue.pop()?;
            let own = self.nodes[at].colour;
            match own {
                LEFT => mine.push(at),
                RIGHT => theirs.push(at),
                _ => {}
            }
            open -= usize::from(own != BOTH);
            for parent in self.parents(at)? {
                self.colour(parent, own, &mut queue, &mut open);
            }
        }
        Some((mine, theirs))
    }

    /// Adds a colour to a commit, which waits for its turn from then on. `open` counts those waiting in one colour.
    fn colour(&mut self, at: usize, colour: u8, queue: &mut BinaryHeap<(u32, usize)>, open: &mut usize) {
        let node = &mut self.nodes[at];
        let before = node.colour;
        node.colour |= colour;
        if !node.queued {
            node.queued = true;
            queue.push((node.level, at));
            *open += usize::from(node.colour != BOTH);
        } else if before != BOTH && node.colour == BOTH {
            *open -= 1;
        }
    }

    /// The newest of one side: by time, but children before parents whatever their clocks said.
    fn side(&mut self, own: Vec<usize>, colour: u8, limit: usize) -> Option<Side> {
        let total = own.len();
        let mut children: HashMap<usize, u32> = HashMap::new();
        let mut ready = BinaryHeap::new();
        if limit > 0 {
            for at in &own {
                for parent in self.parents(*at)? {
                    if self.nodes[parent].colour == colour {
                        *children.entry(parent).or_default() += 1;
                    }
                }
            }
            let free = own.iter().filter(|at| !children.contains_key(at));
            ready.extend(free.map(|at| (self.nodes[*at].time, self.nodes[*at].level, *at)));
        }
        let mut newest = Vec::new();
        while newest.len() < limit
            && let Some((_, _, at)) = ready.pop()
        {
            newest.push(match self.nodes[at].name {
                Name::Id(id) => id,
                Name::Place(place) => self.graph.id(place)?,
            });
            for parent in self.parents(at)? {
                let Some(left) = children.get_mut(&parent) else { continue };
                *left -= 1;
                if *left == 0 {
                    ready.push((self.nodes[parent].time, self.nodes[parent].level, parent));
                }
            }
        }
        Some(Side { total, newest })
    }
}
