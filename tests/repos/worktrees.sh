#!/bin/sh
# Linked worktrees: right, wrong, removed, and folders that only look like one.
. "$(dirname "$0")/lib.sh"
begin repo
say main "$PWD"
say head "$(head_of)"
say subject 'Count to four'
case "$2" in
right | wrong)
  git worktree add -q -b feat/a ../wt-a
  git worktree add -q -b feat/b ../wt-b
  say branch feat/a
  cd ..
  say worktree "$PWD/wt-a"
  say other "$PWD/wt-b"
  ;;
removed | removed_branch)
  git worktree add -q -b feat/a ../wt-a
  git worktree remove ../wt-a
  [ "$2" = removed ] || git branch -q -D feat/a
  say branch feat/a
  cd ..
  say worktree "$PWD/wt-a"
  ;;
pruned | orphaned)
  # The folder is still there; what the repository knew of it is not, or the repository itself is gone.
  git worktree add -q -b feat/a ../wt-a
  if [ "$2" = pruned ]; then rm -r .git/worktrees/wt-a; else rm -rf .git; fi
  say branch feat/a
  cd ..
  say worktree "$PWD/wt-a"
  ;;
replaced)
  git worktree add -q -b feat/a ../wt-a
  git worktree remove ../wt-a
  printf 'a file\n' >../wt-a
  say branch feat/a
  cd ..
  say worktree "$PWD/wt-a"
  ;;
plain)
  mkdir -p .claude/worktrees/x/src
  printf 'y\n' >.claude/worktrees/x/src/y.txt
  say branch main
  say worktree "$PWD/.claude/worktrees/x"
  ;;
strange)
  git worktree add -q -b feat/strange/deep "../wt with 'quote' and 日本"
  say branch feat/strange/deep
  cd ..
  say worktree "$PWD/wt with 'quote' and 日本"
  ;;
relative)
  # What `git worktree add --relative-paths` of newer versions writes.
  git worktree add -q -b feat/a ../wt-a
  printf 'gitdir: ../repo/.git/worktrees/wt-a\n' >../wt-a/.git
  printf '../../../../wt-a/.git\n' >.git/worktrees/wt-a/gitdir
  git config core.repositoryformatversion 1
  git config extensions.relativeWorktrees true
  say branch feat/a
  cd ..
  say worktree "$PWD/wt-a"
  ;;
bare_main | bare_configured | dot_bare)
  # Linked worktrees of a repository that has no working tree itself.
  cd ..
  if [ "$2" = dot_bare ]; then
    mkdir project
    git clone -q --bare repo project/.bare
    printf 'gitdir: ./.bare\n' >project/.git
    cd project
  else
    git clone -q --bare repo project.git
    cd project.git
  fi
  if [ "$2" = bare_configured ]; then
    git config extensions.worktreeConfig true
    git config --unset core.bare
    git config --worktree core.bare true
  fi
  git worktree add -q -b feat/a ../wt-a
  say branch feat/a
  cd ..
  say worktree "$PWD/wt-a"
  ;;
symlinked)
  git worktree add -q -b feat/a ../wt-a
  cd ..
  ln -s . link
  say branch feat/a
  say worktree "$PWD/link/wt-a"
  say real "$PWD/wt-a"
  ;;
*) exit 2 ;;
esac
