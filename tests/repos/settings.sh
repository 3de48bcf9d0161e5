#!/bin/sh
# Settings, index formats and layouts that change how git itself arrives at a status.
. "$(dirname "$0")/lib.sh"
begin repo
say branch main
# Work of every kind, on top of whatever the case set up.
work() {
  printf 'changed\n' >>src/a.txt
  printf 'staged\n' >src/staged.txt
  git add src/staged.txt
  printf 'new\n' >src/new.txt
}
case "$2" in
sparse_index)
  mkdir -p far/away
  printf 'x\n' >far/away/x.txt
  commit 'Far away'
  git sparse-checkout set --cone --sparse-index src >/dev/null
  work
  ;;
split_index)
  git update-index --split-index
  work
  ;;
untracked_cache)
  git config core.untrackedCache true
  git update-index --force-untracked-cache
  work
  git status >/dev/null
  printf 'later\n' >src/later.txt
  ;;
version_4)
  git update-index --index-version 4
  work
  ;;
skip_hash)
  git config index.skipHash true
  work
  ;;
many_files)
  git config feature.manyFiles true
  work
  git status >/dev/null
  ;;
assume_unchanged)
  git update-index --assume-unchanged src/b.txt
  printf 'unseen\n' >>src/b.txt
  work
  ;;
skip_worktree)
  git update-index --skip-worktree src/b.txt
  printf 'unseen\n' >>src/b.txt
  work
  ;;
auto_crlf)
  git config core.autocrlf true
  rm src/a.txt src/b.txt
  git checkout -q -- src
  touch -d '2026-11-11T11:11:11Z' src/a.txt src/b.txt
  printf 'changed\r\n' >>src/b.txt
  printf 'new\r\n' >src/new.txt
  ;;
ident)
  printf '*.txt ident\n' >.gitattributes
  printf '$Id$\n' >src/id.txt
  printf '$Id$\n' >src/other.txt
  commit 'Keywords'
  rm src/id.txt src/other.txt
  git checkout -q -- src
  touch -d '2026-11-11T11:11:11Z' src/id.txt
  printf 'more\n' >>src/other.txt
  ;;
no_file_mode)
  git config core.fileMode false
  chmod +x src/a.txt
  printf 'changed\n' >>src/b.txt
  ;;
no_trust_ctime)
  git config core.trustctime false
  chmod 600 src/b.txt
  chmod 644 src/b.txt
  work
  ;;
ignores)
  mkdir -p build/keep deep/a/b logs 'sp ace'
  printf '/build/*\n!/build/keep/\n**/b/*.tmp\nlogs/\n!logs/kept.txt\n\\#hash\nsp\\ ace/\n*.o\n!main.o\n' >.gitignore
  printf '!a.tmp\ncase\n' >deep/a/b/.gitignore
  printf 'private/\n' >>.git/info/exclude
  commit 'Rules'
  for file in build/x build/keep/y deep/a/b/a.tmp deep/a/b/c.tmp deep/a/b/case deep/a/b/CASE logs/kept.txt '#hash' 'sp ace/f' a.o main.o; do printf 'x\n' >"$file"; done
  mkdir private
  printf 'x\n' >private/x
  git add -f logs/kept.txt
  printf 'x\n' >logs/other.txt
  ;;
ignored_and_tracked)
  mkdir vendor
  printf 'x\n' >vendor/x.txt
  git add vendor
  commit 'Vendor'
  printf 'vendor/\n' >.gitignore
  printf 'y\n' >>vendor/x.txt
  printf 'z\n' >vendor/z.txt
  ;;
worktree_inside)
  git worktree add -q -b feat/a .claude/worktrees/a
  printf 'x\n' >.claude/worktrees/a/new.txt
  ;;
in_submodule)
  git init -q -b main ../library
  (cd ../library && printf '1\n' >l.txt && commit 'One')
  git -c protocol.file.allow=always submodule --quiet add -b main ../library lib
  commit 'Library'
  cd lib
  printf 'new\n' >new.txt
  ;;
separate_git_dir)
  git init -q --separate-git-dir=../elsewhere.git
  work
  ;;
sparse_ignore)
  # The ignore file itself is left out of the tree; git takes it from the index.
  printf '*.log\n' >.gitignore
  commit 'Rules'
  git sparse-checkout set --no-cone src >/dev/null
  printf 'x\n' >src/x.log
  printf 'x\n' >src/x.txt
  ;;
nested_broken)
  mkdir -p empty/.git lost
  printf 'x\n' >empty/code.sh
  printf 'gitdir: /nowhere/at/all\n' >lost/.git
  printf 'x\n' >lost/code.sh
  mkdir src/.git
  printf 'x\n' >src/.git/x.txt
  printf 'x\n' >src/code.sh
  ;;
nested_with_commit)
  git init -q -b main nested
  (cd nested && printf 'x\n' >x.txt && commit 'Nested' && printf 'y\n' >y.txt)
  ;;
linked_folder)
  mkdir ../outside
  printf 'x\n' >../outside/x.txt
  ln -s ../outside out
  rm -r docs 2>/dev/null || true
  ln -s src docs
  ;;
empty_folders)
  mkdir -p a/b/c
  mkdir -p gone
  printf 'x\n' >gone/x.txt
  commit 'To go'
  rm gone/x.txt
  ;;
case_twins)
  printf 'x\n' >src/A.txt
  commit 'Twin'
  printf 'y\n' >>src/A.txt
  ;;
stash_conflict)
  # A conflict without an operation under way.
  printf 'mine\n' >src/b.txt
  git stash -q
  printf 'theirs\n' >src/b.txt
  commit 'Theirs'
  git stash pop -q >/dev/null 2>&1 || true
  ;;
am)
  git format-patch -1 --stdout >../patch
  git reset -q --hard HEAD~1
  printf 'other\n' >src/a.txt
  commit 'Other'
  git am -q ../patch >/dev/null 2>&1 || true
  ;;
rebase_edit)
  printf 'x\n' >src/x.txt
  commit 'One more'
  say head "$(head_of)"
  GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -q -i HEAD~1 >/dev/null 2>&1
  ;;
*) exit 2 ;;
esac
say worktree "$PWD"
[ "$2" = rebase_edit ] || say head "$(head_of)"
