//! The keeper as a program of its own, for tests: what hosts run as a hidden word of theirs.

use std::process::ExitCode;

fn main() -> ExitCode {
    desk::launch::keep(std::env::args_os().skip(1)).unwrap_or(ExitCode::FAILURE)
}
