//! `fuda`: the desk on the command line. Parses, calls an operation, prints; decides nothing itself.
//!
//! Exit status: 0 done, 1 failed, 2 usage, 3 not found, 4 refused or incomplete, 5 the state does not allow it,
//! 6 something changed, 7 the launched command failed.

mod acp;
mod arguments;
mod ask;
mod beside;
mod commands;
mod held;
mod hook;
mod interrupt;
mod mcp;
mod print;
mod resume;
mod rpc;

use api::{Caller, Desk, Options};
use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let supervised = || api::supervise(std::env::args_os().skip(1));
    if let Some(code) = api::keep(std::env::args_os().skip(1)).or_else(supervised) {
        return code;
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return ExitCode::from(not_understood(&error)),
    };
    if matches!(arguments.command, Command::Worker) {
        return match api::run_worker() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    if let Command::Hook { apart, .. } = arguments.command {
        return hook::apart(apart, std::env::args_os().skip(1), || ran(arguments));
    }
    ExitCode::from(ran(arguments))
}

/// Prints help, or what is wrong with the arguments. Gives the exit status.
fn not_understood(error: &clap::Error) -> u8 {
    let wrong = error.use_stderr();
    let before_command = |word: &std::ffi::OsString| word != "--";
    if wrong && std::env::args_os().take_while(before_command).any(|word| word == "--json") {
        let said = error.to_string();
        let first = said.lines().next().and_then(|line| line.strip_prefix("error: "));
        print::error_as_json(&api::ApiError {
            hints: vec!["fuda help COMMAND says what it takes.".to_owned()],
            ..api::ApiError::usage(first.unwrap_or("no command is given"))
        });
    }
    let _ = error.print();
    u8::from(wrong) * 2
}

/// Does what the arguments say. Gives the exit status.
fn ran(arguments: Arguments) -> u8 {
    let json = arguments.json;
    let hooked = matches!(arguments.command, Command::Hook { .. });
    let done = open(&arguments).inspect(Desk::note_panics).and_then(|desk| match arguments.command {
        Command::Mcp => mcp::serve(desk),
        Command::Ask { mcp: true } => ask::serve(desk),
        Command::Acp { command } => acp::run(desk, &command),
        _ => commands::run(&desk, arguments),
    });
    match done {
        Ok(0) if !print::said() => 1,
        Ok(code) => code,
        Err(error) => {
            print::error(&error, json);
            // To an agent, 2 of a hook is a refusal of what it was about to do.
            if hooked { 1 } else { api::exit_code(&error.code) }
        }
    }
}

/// What is found below it is told to programs that run elsewhere.
fn absolute(path: &std::path::Path) -> std::path::PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn open(arguments: &Arguments) -> Result<Desk, api::ApiError> {
    let program = std::env::current_exe()
        .map_err(|error| api::ApiError::usage(format!("this program does not know where it is: {error}")))?;
    let host = match arguments.command {
        Command::Rpc => "rpc",
        Command::Mcp => "mcp",
        _ => "command line",
    };
    let caller: Caller = api::caller(host);
    Ok(Desk::open(Options {
        root: arguments.home.as_deref().map_or_else(api::default_root, absolute),
        home: api::person_home(),
        worker: (program, vec!["worker".to_owned()]),
        now_ms: api::now_ms,
        caller,
    })?)
}
