//! The agents' own programs, installed from npm into a folder that is kept between runs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// An agent: the program's name, and the package in the version that was tried.
pub struct Package {
    pub program: &'static str,
    pub package: &'static str,
    /// What it runs on, where that is not Node.
    pub runtime: Option<&'static str>,
}

pub const PI: Package = Package { program: "pi", package: "@mariozechner/pi-coding-agent@0.73.1", runtime: None };
pub const CODEX: Package = Package { program: "codex", package: "@openai/codex@0.171.0", runtime: None };
pub const CLAUDE: Package = Package { program: "claude", package: "@anthropic-ai/claude-code@2.1.332", runtime: None };
pub const GEMINI: Package = Package { program: "gemini", package: "@google/gemini-cli@0.61.0", runtime: None };
pub const QWEN: Package = Package { program: "qwen", package: "@qwen-code/qwen-code@0.24.4", runtime: None };
pub const OPENCODE: Package = Package { program: "opencode", package: "opencode-ai@1.18.33", runtime: None };
/// The version whose own packages are all there: of 18.3.4 npm lacks some. Its program is started by Bun.
pub const OMP: Package =
    Package { program: "omp", package: "@oh-my-pi/pi-coding-agent@18.2.3", runtime: Some("bun@1.4.5") };

impl Package {
    /// The program, installed when it is not there yet.
    pub fn program(&self) -> String {
        let folder = cache().join(self.package.replace(['@', '/'], "-").trim_matches('-'));
        fs::create_dir_all(&folder).expect("a folder for agents");
        let lock = File::create(folder.join("lock")).expect("a lock");
        lock.lock().expect("locked");
        let program = folder.join("node_modules/.bin").join(self.program);
        if !program.exists() {
            fs::write(folder.join("package.json"), "{\"private\": true}\n").expect("written");
            let output = Command::new("npm")
                .args(["install", "--no-audit", "--no-fund", "--loglevel=error", self.package])
                .args(self.runtime)
                .current_dir(&folder)
                .output()
                .expect("npm");
            assert!(output.status.success(), "{}: {}", self.package, String::from_utf8_lossy(&output.stderr));
        }
        program.display().to_string()
    }
}

fn cache() -> PathBuf {
    let program = Path::new(assert_cmd::cargo::cargo_bin!("fuda")).to_owned();
    std::env::var_os("FUDA_AGENTS").map_or_else(
        || program.parent().and_then(Path::parent).expect("the build's folder").join("agents"),
        PathBuf::from,
    )
}
