#!/bin/sh
# Operations that git has begun and not ended.
. "$(dirname "$0")/lib.sh"
begin repo
say worktree "$PWD"
git checkout -q -b side
printf 'side\ntwo\nthree\nfour\n' >src/a.txt
commit 'Side changes the first line'
git checkout -q main
printf 'main\ntwo\nthree\nfour\n' >src/a.txt
commit 'Main changes the first line'
say head "$(head_of)"
say subject 'Main changes the first line'
say branch main
tick
case "$2" in
merge) git merge -q side >/dev/null 2>&1 || true ;;
rebase) git rebase -q side >/dev/null 2>&1 || true ;;
cherry_pick) git cherry-pick side >/dev/null 2>&1 || true ;;
revert) git revert --no-commit HEAD >/dev/null 2>&1 ;;
bisect)
  git bisect start -q >/dev/null 2>&1
  git bisect bad >/dev/null 2>&1
  git bisect good HEAD~2 >/dev/null 2>&1
  ;;
*) exit 2 ;;
esac
