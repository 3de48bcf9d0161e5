#!/bin/sh
# Repository formats and extensions.
. "$(dirname "$0")/lib.sh"
case "$2" in
sha256 | reftable)
  if [ "$2" = sha256 ]; then git init -q -b main --object-format=sha256 repo; else git init -q -b main --ref-format=reftable repo; fi
  cd repo
  printf 'x\n' >a.txt
  commit 'Begin'
  ;;
worktree_config)
  begin repo
  git config extensions.worktreeConfig true
  git config --worktree core.sparseCheckout false
  ;;
precious)
  begin repo
  git config core.repositoryformatversion 1
  git config extensions.preciousObjects true
  ;;
partial)
  begin origin
  git config uploadpack.allowFilter true
  git config uploadpack.allowAnySHA1InWant true
  cd ..
  git clone -q --filter=blob:none "file://$PWD/origin" repo
  rm -rf origin
  cd repo
  printf 'later\n' >later.txt
  ;;
refstorage_files)
  begin repo
  git config core.repositoryformatversion 1
  git config extensions.refStorage files
  ;;
unknown_extension)
  begin repo
  git config core.repositoryformatversion 1
  say worktree "$PWD"
  say head "$(head_of)"
  say branch main
  git config extensions.fromTheFuture true
  exit 0
  ;;
packed)
  begin repo
  git pack-refs --all
  ;;
alternates)
  begin origin
  cd ..
  git clone -q --shared origin repo
  cd repo
  ;;
*) exit 2 ;;
esac
say worktree "$PWD"
say head "$(head_of)"
say branch main
