#!/bin/sh
# Repositories that try to make whoever looks at them run, follow or wait for something.
. "$(dirname "$0")/lib.sh"
begin repo
say worktree "$PWD"
say head "$(head_of)"
say branch main
case "$2" in
canaries)
  top=$(dirname "$PWD")
  canary() {
    printf '#!/bin/sh\necho %s >>"%s/ran"\ncat\n' "$1" "$top" >"$top/$1.sh"
    chmod +x "$top/$1.sh"
  }
  for name in fsmonitor clean smudge process textconv external ssh hook pager editor credential askpass; do canary "$name"; done
  printf '*.txt filter=evil diff=evil\n*.md filter=evil2\n' >.gitattributes
  commit 'Attributes'
  say head "$(head_of)"
  git remote add origin ssh://nowhere.invalid/x
  git config core.fsmonitor "$top/fsmonitor.sh"
  git config filter.evil.clean "$top/clean.sh"
  git config filter.evil.smudge "$top/smudge.sh"
  git config filter.evil.required true
  git config filter.evil2.process "$top/process.sh"
  git config diff.evil.textconv "$top/textconv.sh"
  git config diff.evil.command "$top/external.sh"
  git config diff.external "$top/external.sh"
  git config core.sshCommand "$top/ssh.sh"
  git config core.pager "$top/pager.sh"
  git config core.editor "$top/editor.sh"
  git config core.askPass "$top/askpass.sh"
  git config credential.helper "$top/credential.sh"
  git config core.hooksPath "$top/hooks"
  mkdir "$top/hooks"
  for hook in post-index-change pre-commit post-checkout reference-transaction fsmonitor-watchman; do cp "$top/hook.sh" "$top/hooks/$hook"; done
  printf 'more\n' >>src/a.txt
  printf 'more\n' >>README.md
  touch src/b.txt
  rm -f "$top/ran"
  ;;
fifo_config)
  rm .git/config
  mkfifo .git/config
  ;;
fifo_include)
  mkfifo ../pipe
  printf '[include]\n\tpath = %s\n' "$(dirname "$PWD")/pipe" >>.git/config
  ;;
fifo_attributes)
  # Found by no look ahead: only the worker's budget ends it.
  mkfifo ../pipe
  printf '[core]\n\tattributesFile = %s\n' "$(dirname "$PWD")/pipe" >>.git/config
  printf 'more\n' >>src/a.txt
  ;;
fifo_excludes)
  mkfifo ../pipe
  printf '[core]\n\texcludesFile = %s\n' "$(dirname "$PWD")/pipe" >>.git/config
  printf 'x\n' >untracked.txt
  ;;
fifo_head)
  rm .git/HEAD
  mkfifo .git/HEAD
  ;;
fifo_file) rm src/a.txt && mkfifo src/a.txt ;;
fifo_alternates) mkfifo .git/objects/info/alternates ;;
fifo_ignore)
  # In a folder that is only walked because of an untracked file.
  printf 'x\n' >src/untracked.txt
  mkfifo src/.gitignore
  ;;
include_loop) printf '[include]\n\tpath = config\n' >>.git/config ;;
huge_config) head -c 3000000 /dev/zero | tr '\0' '#' >>.git/config ;;
gitdir_loop)
  rm -rf .git
  printf 'gitdir: .git\n' >.git
  ;;
index_garbage) head -c 4096 /dev/zero >.git/index ;;
device_include) printf '[include]\n\tpath = /dev/zero\n' >>.git/config ;;
core_worktree) git config core.worktree /etc ;;
git_symlink)
  mv .git ../elsewhere
  ln -s ../elsewhere .git
  ;;
git_fifo)
  rm -rf .git
  mkfifo .git
  ;;
gitdir_away)
  # A .git file that points at a repository which belongs to another worktree.
  git worktree add -q -b feat/a ../wt-a
  mkdir ../thief
  cp ../wt-a/.git ../thief/.git
  cd ../thief
  say worktree "$PWD"
  ;;
bare_inside)
  mkdir -p deep/bare
  git init -q --bare deep/bare
  say worktree "$PWD/deep/bare"
  ;;
huge)
  printf 'small\n' >huge.bin
  commit 'A file'
  say head "$(head_of)"
  truncate -s 3G huge.bin
  ;;
huge_same)
  # Committed as small, index told that its size is unchanged: the size on disk alone must decide.
  printf 'small\n' >huge.bin
  commit 'A file'
  say head "$(head_of)"
  truncate -s 4294967302 huge.bin
  touch -d '2026-11-11T11:11:11Z' huge.bin
  ;;
other_owner) chown -R 65534:65534 . ;;
stale_lock) : >.git/index.lock ;;
broken_head) printf 'ref: nonsense\n' >.git/HEAD ;;
missing_object)
  printf 'gone\n' >gone.txt
  commit 'To be damaged'
  id=$(git rev-parse HEAD:gone.txt)
  rm -f ".git/objects/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)"
  ;;
*) exit 2 ;;
esac
