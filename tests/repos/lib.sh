# What every script of this folder begins with: a hermetic git, fixed authors and dates, and a few words.
# Usage of each script: NAME.sh DIR KIND. It builds in DIR and prints KEY=VALUE lines that tests read.
set -eu
unset $(env | sed -n 's/^\(GIT_[A-Z_]*\)=.*/\1/p') 2>/dev/null || true
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0 LC_ALL=C TZ=UTC
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.test GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.test
clock=1790000000
tick() {
  clock=$((clock + 60))
  export GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000"
}
tick
say() { printf '%s=%s\n' "$1" "$2"; }
# Commits everything that is there.
commit() {
  tick
  git add -A
  git commit -q --allow-empty -m "$1"
}
by_grace() { GIT_AUTHOR_NAME=Grace GIT_AUTHOR_EMAIL=grace@example.test "$@"; }
# A repository in the current folder with three files and two commits.
begin() {
  git init -q -b main "${1:-.}"
  cd "${1:-.}"
  mkdir -p src docs
  printf 'one\ntwo\nthree\n' >src/a.txt
  printf 'alpha\nbeta\n' >src/b.txt
  printf 'read me\n' >README.md
  commit 'Begin'
  printf 'four\n' >>src/a.txt
  commit 'Count to four'
}
head_of() { git rev-parse "${1:-HEAD}"; }
mkdir -p "$1"
cd "$1"
