#!/bin/sh
# Uncommitted work of every kind, and names that are hard to carry.
. "$(dirname "$0")/lib.sh"
begin repo
say worktree "$PWD"
say branch main
say subject 'Count to four'
case "$2" in
mixed)
  printf '*.log\nbuild/\n' >.gitignore
  commit 'Count to four'
  printf 'changed\n' >>src/a.txt
  printf 'staged\n' >src/staged.txt
  git add src/staged.txt
  printf 'staged\n' >>src/b.txt
  git add src/b.txt
  printf 'and more\n' >>src/b.txt
  git rm -q --cached README.md
  printf 'new\n' >src/new.txt
  mkdir -p build deep/er
  printf 'x\n' >build/out
  printf 'x\n' >debug.log
  printf 'x\n' >deep/er/file.txt
  git init -q nested
  printf 'x\n' >nested/inner.txt
  ;;
deleted) rm src/a.txt ;;
mode) chmod +x src/a.txt ;;
link)
  rm src/a.txt
  ln -s b.txt src/a.txt
  ;;
staged_rename) git mv src/a.txt src/moved.txt ;;
touched) touch -d '2026-11-11T11:11:11Z' src/a.txt src/b.txt ;;
names)
  printf 'x\n' >'src/with space.txt'
  printf 'x\n' >"src/with 'quote\".txt"
  printf 'x\n' >'src/日本語.txt'
  printf 'x\n' >"src/new
line.txt"
  printf 'x\n' >'src/-dash.txt'
  printf 'x\n' >"$(printf 'src/not-utf8-\377.txt')"
  commit 'Count to four'
  for file in src/*; do printf 'y\n' >>"$file"; done
  printf 'x\n' >"src/untracked
line.txt"
  ;;
intent)
  printf 'x\n' >src/intent.txt
  git add -N src/intent.txt
  ;;
sparse)
  git sparse-checkout set --no-cone src >/dev/null
  printf 'changed\n' >>src/a.txt
  ;;
crlf)
  printf '*.txt text eol=crlf\n' >.gitattributes
  commit 'Count to four'
  rm src/a.txt
  git checkout -q src/a.txt
  touch -d '2026-11-11T11:11:11Z' src/a.txt
  printf 'changed\r\n' >>src/b.txt
  ;;
filtered)
  # The filter is not configured when the file is committed, so nothing runs here either.
  printf '*.bin filter=secret\n*.big filter=lfs\n' >.gitattributes
  printf 'as stored\n' >data.bin
  printf 'content of the big file\n' >model.big
  hash=$(sha256sum model.big | cut -d' ' -f1)
  size=$(wc -c <model.big)
  cp model.big ../big
  printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %s\n' "$hash" "$size" >model.big
  cp model.big changed.big
  commit 'Count to four'
  mv ../big model.big
  printf 'content of the BIG file\n' >changed.big
  printf 'as checked out\n' >data.bin
  ;;
submodule | submodule_work)
  git init -q -b main ../library
  (cd ../library && printf '1\n' >l.txt && commit 'One' && printf '2\n' >l.txt && commit 'Two')
  git -c protocol.file.allow=always submodule --quiet add ../library lib
  git -C lib checkout -q HEAD~1
  commit 'Count to four'
  if [ "$2" = submodule ]; then
    git -C lib checkout -q main
  else
    printf 'more\n' >>lib/l.txt
    printf 'x\n' >lib/new.txt
  fi
  ;;
*) exit 2 ;;
esac
say head "$(head_of)"
