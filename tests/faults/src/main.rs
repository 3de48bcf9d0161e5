//! `faults [--long] [PART…]`: does the faults, prints what was counted, and writes the long form's figures down.

use faults::report::Report;
use faults::{Form, Programs, parts};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("faults: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> anyhow::Result<bool> {
    if let [word, rest @ ..] = arguments
        && word == "child"
    {
        faults::child::run(rest);
        return Ok(true);
    }
    let form = if arguments.iter().any(|word| word == "--long") { Form::Long } else { Form::Short };
    let named: Vec<&str> = arguments.iter().map(String::as_str).filter(|word| *word != "--long").collect();
    let programs = Programs::beside(&std::env::current_exe()?)?;
    let mut held = true;
    for part in parts(&named)? {
        let report: Report = (part.run)(&programs, form);
        print!("{report}");
        held &= report.held();
        if form == Form::Long {
            faults::results::write(&report)?;
        }
    }
    Ok(held)
}
