//! Commands by kind, as patterns with `*`, and paths as agents see them. One list for every agent.

use super::super::boundary::Kind;
use std::path::{Path, PathBuf};

/// Commands that a kind refuses: each is refused alone and with anything behind it. Empty for kinds that are about
/// files or the network as a whole.
pub(super) fn commands(kind: &Kind) -> Vec<String> {
    let fixed: &[&str] = match kind {
        Kind::Push => &["git push", "git * push", "gh pr create", "gh pr merge", "hub push", "jj git push"],
        Kind::ForcePush => &[
            "git push --force*",
            "git push * --force*",
            "git push -f",
            "git push * -f",
            "git * push --force*",
            "git * push * --force*",
            "git * push -f",
            "git push * +*",
        ],
        Kind::Commit => &[
            "git commit",
            "git * commit",
            "git merge",
            "git rebase",
            "git cherry-pick",
            "git revert",
            "git am",
            "git * merge",
            "git * rebase",
            "git * cherry-pick",
            "git * am",
            "git stash",
            "git commit-tree",
        ],
        Kind::Rewrite => &[
            "git rebase",
            "git * rebase",
            "git merge",
            "git * merge",
            "git reset",
            "git * reset",
            "git cherry-pick",
            "git * cherry-pick",
            "git commit --amend*",
            "git commit * --amend*",
            "git filter-branch",
            "git filter-repo",
            "git update-ref",
            "git branch -f",
            "git branch -D",
        ],
        Kind::Delete => &[
            "rm",
            "rmdir",
            "unlink",
            "shred",
            "trash",
            "git rm",
            "git * rm",
            "git clean",
            "git * clean",
            "find * -delete",
            "find * -exec rm",
            "xargs rm",
            "* | xargs rm",
        ],
        Kind::Network => &[
            "curl",
            "wget",
            "nc",
            "ssh",
            "scp",
            "rsync",
            "git fetch",
            "git pull",
            "git clone",
            "git push",
            "git * push",
        ],
        Kind::Install => &[
            "npm install",
            "npm i",
            "npm ci",
            "npm add",
            "yarn add",
            "yarn install",
            "pnpm add",
            "pnpm install",
            "pnpm i",
            "bun add",
            "bun install",
            "pip install",
            "pip3 install",
            "python -m pip install",
            "python3 -m pip install",
            "uv add",
            "uv pip install",
            "poetry add",
            "pipx install",
            "cargo add",
            "cargo install",
            "go get",
            "go install",
            "gem install",
            "bundle add",
            "composer require",
            "apt install",
            "apt-get install",
            "sudo apt",
            "sudo apt-get",
            "brew install",
            "dnf install",
            "pacman -S",
        ],
        Kind::Migrate => &[
            "*migrate",
            "*migration",
            "alembic upgrade",
            "alembic downgrade",
            "flyway",
            "liquibase",
            "prisma db push",
            "npx prisma db push",
            "diesel migration",
        ],
        Kind::Publish => &[
            "npm publish",
            "pnpm publish",
            "yarn publish",
            "yarn npm publish",
            "cargo publish",
            "twine upload",
            "uv publish",
            "poetry publish",
            "gem push",
            "gh release",
            "docker push",
            "git push --tags*",
            "git push * --tags*",
        ],
        Kind::Run(command) => return vec![command.clone()],
        Kind::ReadOnly | Kind::Touch(_) | Kind::Read(_) => &[],
    };
    fixed.iter().map(|one| (*one).to_owned()).collect()
}

/// What was refused, for a sentence.
pub(super) fn what(kind: &Kind) -> String {
    match kind {
        Kind::Push => "git push".to_owned(),
        Kind::ForcePush => "git push with force".to_owned(),
        Kind::Commit => "git commit and what makes commits".to_owned(),
        Kind::Rewrite => "merge, rebase, reset and amend".to_owned(),
        Kind::Delete => "rm, git rm, git clean and their like".to_owned(),
        Kind::Network => "network".to_owned(),
        Kind::Install => "the install commands of package managers".to_owned(),
        Kind::Migrate => "commands that migrate".to_owned(),
        Kind::Publish => "publish and release commands".to_owned(),
        Kind::ReadOnly => "editing and running commands".to_owned(),
        Kind::Touch(path) => format!("editing {path}"),
        Kind::Read(path) => format!("reading {path}"),
        Kind::Run(command) => command.clone(),
    }
}

/// A path of a rule as an absolute one, without an end slash; `~` is the person's home.
pub(super) fn absolute(path: &str, folder: &Path, home: &Path) -> PathBuf {
    let path = store::config::expand(path.trim_end_matches('/'), home);
    if path.is_absolute() { path } else { folder.join(path) }
}

/// A pattern with `*` as a regular expression: words apart by any space, `*` for anything.
pub(super) fn regex(pattern: &str) -> String {
    let mut out = String::new();
    for character in pattern.chars() {
        match character {
            '*' => out.push_str(".*"),
            ' ' => out.push_str("\\s+"),
            plain if plain.is_ascii_alphanumeric() || matches!(plain, '_' | '-' | '/') => out.push(plain),
            other => {
                out.push('\\');
                out.push(other);
            }
        }
    }
    out
}

/// Whether a kind's words come from our own tables, or from names that exist in the tree: only such may stand in an
/// argument or a variable.
pub(super) fn sayable(kind: &Kind, folder: &Path, home: &Path) -> bool {
    match kind {
        Kind::Run(_) => false,
        Kind::Touch(path) | Kind::Read(path) => !path.contains('*') && absolute(path, folder, home).exists(),
        _ => true,
    }
}
