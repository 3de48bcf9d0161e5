#!/bin/sh
# Where HEAD stands against the recorded commit.
. "$(dirname "$0")/lib.sh"
begin repo
say worktree "$PWD"
say head "$(head_of)"
say subject 'Count to four'
say branch main
case "$2" in
same) ;;
handoff_only)
  printf '# Handoff\n' >HANDOFF.md
  commit 'docs: handoff'
  mkdir -p docs/handoffs
  printf 'x\n' >docs/handoffs/2026-12-01-close.md
  commit 'docs: another'
  ;;
ahead)
  for n in 1 2 3; do
    printf 'line %s\n' "$n" >>src/b.txt
    commit "Add line $n"
  done
  printf '# Handoff\n' >HANDOFF.md
  commit 'docs: handoff'
  ;;
ahead_merge)
  git checkout -q -b side
  printf 'side\n' >src/side.txt
  commit 'Side work'
  git checkout -q main
  printf 'main\n' >src/main.txt
  commit 'Main work'
  tick
  git merge -q --no-ff -m 'Merge side' side
  ;;
others)
  printf 'hers\n' >src/hers.txt
  by_grace commit 'Work by somebody else'
  printf 'mine\n' >src/mine.txt
  commit 'WIP: half done'
  ;;
renamed)
  git mv src/a.txt src/renamed.txt
  commit 'Rename'
  git rm -q src/b.txt
  commit 'Remove'
  ;;
behind) git reset -q --hard HEAD~1 ;;
diverged)
  git reset -q --hard HEAD~1
  printf 'other\n' >src/other.txt
  commit 'Go elsewhere'
  ;;
detached) git checkout -q --detach ;;
unborn)
  git checkout -q --orphan fresh
  git rm -rfq .
  ;;
other_branch) git checkout -q -b other ;;
branch_gone)
  git checkout -q -b other
  git branch -q -D main
  ;;
far)
  n=0
  while [ $n -lt 260 ]; do
    n=$((n + 1))
    tick
    git commit -q --allow-empty -m "Step $n"
  done
  ;;
holed)
  # One commit in the middle has lost its object; only the commit-graph knows its parents.
  n=0
  while [ $n -lt 40 ]; do
    n=$((n + 1))
    tick
    git commit -q --allow-empty -m "Step $n"
  done
  git commit-graph write --reachable
  id=$(head_of HEAD~20)
  rm -f ".git/objects/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)"
  ;;
*) exit 2 ;;
esac
