//! Folders, requests and small scripts that stand in for agents.

use desk::launch::{Keeper, Plan, Request, Rule, plan};
use handoff::{Item, Safety};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A person's home with a repository folder and a place for runs.
pub struct Person {
    _all: tempfile::TempDir,
    pub home: PathBuf,
    pub folder: PathBuf,
    pub runs: PathBuf,
    pub safety: Safety,
    pub environment: Vec<(String, String)>,
    pub help: Option<String>,
}

impl Person {
    pub fn new() -> Self {
        let all = tempfile::tempdir().expect("a folder");
        let root = all.path().canonicalize().expect("its path");
        let (home, folder, runs) = (root.join("home"), root.join("repo"), root.join("runs"));
        for folder in [&home, &folder, &runs] {
            fs::create_dir(folder).expect("a folder");
        }
        Self { _all: all, home, folder, runs, safety: Safety::default(), environment: Vec::new(), help: None }
    }

    pub fn never(mut self, rules: &[&str]) -> Self {
        self.safety.never = rules.iter().map(|rule| Item::made(*rule)).collect();
        self
    }

    pub fn ask(mut self, rules: &[&str]) -> Self {
        self.safety.ask = rules.iter().map(|rule| Item::made(*rule)).collect();
        self
    }

    pub fn may(mut self, rules: &[&str]) -> Self {
        self.safety.may = rules.iter().map(|rule| Item::made(*rule)).collect();
        self
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Writes a file below the home or the folder.
    pub fn file(self, path: &str, text: &str) -> Self {
        let path = self.home.parent().expect("a root").join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("a file");
        self
    }

    pub fn plan(&self, agent: &str, launch: &[&str]) -> Result<Plan, desk::Error> {
        self.plan_delivered(agent, launch, None)
    }

    pub fn plan_delivered(&self, agent: &str, launch: &[&str], deliver: Option<&str>) -> Result<Plan, desk::Error> {
        let launch: Vec<String> = launch.iter().map(|word| (*word).to_owned()).collect();
        let environment =
            |name: &str| self.environment.iter().find(|(set, _)| set == name).map(|(_, value)| value.clone());
        plan(&Request {
            agent,
            launch: &launch,
            deliver,
            safety: &self.safety,
            folder: &self.folder,
            run_folder: &self.runs.join("one"),
            home: &self.home,
            environment: &environment,
            help: self.help.as_deref(),
            asking: None,
        })
    }

    /// A script that can be run, named as an agent's program would be.
    pub fn script(&self, name: &str, text: &str) -> String {
        let path = self.home.join(name);
        fs::write(&path, text).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its permissions");
        path.to_string_lossy().into_owned()
    }
}

pub fn keeper() -> Keeper {
    Keeper { program: env!("CARGO_BIN_EXE_desk-keeper").into(), arguments: vec!["keep".to_owned()] }
}

pub fn rule<'a>(plan: &'a Plan, text: &str) -> &'a Rule {
    plan.rules.iter().find(|rule| rule.text == text).unwrap_or_else(|| panic!("no rule {text:?}"))
}

/// A stream that a real agent printed.
pub fn stream(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/it/desk/launch/streams").join(name)
}
