#!/bin/sh
# Histories in which the recorded commit was rewritten, cut off, or never arrived.
. "$(dirname "$0")/lib.sh"
begin repo
feature() {
  git checkout -q -b feature
  printf 'f1\n' >src/feature.txt
  commit 'Begin the feature'
  printf 'f2\n' >>src/feature.txt
  commit 'Finish the feature'
  say head "$(head_of)"
  say subject 'Finish the feature'
  say branch feature
}
forget() {
  git reflog expire --expire=now --all
  git -c gc.auto=0 gc -q --prune=now
}
squash() {
  git checkout -q main
  printf 'm\n' >src/m.txt
  commit 'Main goes on'
  git merge -q --squash feature >/dev/null
  tick
  git commit -q -m "$1"
  git branch -q -D feature
}
case "$2" in
squash_gone)
  feature
  squash 'Finish the feature (#12)'
  forget
  ;;
squash_listed)
  feature
  squash "Feature

* Begin the feature
* Finish the feature"
  forget
  ;;
squash_kept)
  feature
  squash 'The whole feature'
  git checkout -q -b feature
  ;;
rebased_gone | rebased_kept)
  feature
  git checkout -q main
  printf 'm\n' >src/m.txt
  commit 'Main goes on'
  git checkout -q feature
  tick
  git rebase -q main
  [ "$2" = rebased_kept ] || forget
  ;;
amended_kept)
  feature
  printf 'f3\n' >>src/feature.txt
  git add -A
  tick
  git commit -q --amend --no-edit
  ;;
shallow)
  say head "$(head_of HEAD~1)"
  say subject 'Begin'
  say branch main
  printf 'x\n' >src/x.txt
  commit 'One more'
  cd ..
  git clone -q --depth 1 "file://$PWD/repo" clone
  cd clone
  ;;
other_clone)
  git clone -q . ../clone
  printf 'x\n' >src/x.txt
  commit 'Only here'
  say head "$(head_of)"
  say subject 'Only here'
  say branch main
  cd ../clone
  ;;
*) exit 2 ;;
esac
say worktree "$PWD"
