//! `tare conformance`: the rules of the protocol against a program.

use crate::args::ConformanceArgs;
use crate::console::Console;
use crate::failure::Failure;
use std::path::Path;
use tare_model::ExitCode;
use tare_report::clean;
use tare_runner::conformance::{self, Options};

/// `tare conformance`.
pub fn conformance(args: &ConformanceArgs, console: &Console) -> Result<ExitCode, Failure> {
    let program = &args.command[0];
    if !is_there(program) {
        return Err(Failure::Usage {
            what: format!("program `{}` not found", clean(program)),
            hint: "give a path, such as `./bench`, or a command on the PATH, such as `python3 bench.py`".to_owned(),
        });
    }
    let options = Options { long: !args.quick, ..Options::default() };
    let report = conformance::run(&args.command, &options);
    // What the child said stands in it.
    let lines = conformance::render(&report).lines().map(|line| clean(line) + "\n").collect::<String>();
    console.result(&lines)?;
    Ok(match report.passed() {
        _ if tare_process::interrupted() => ExitCode::Interrupted,
        true => ExitCode::Ok,
        false => ExitCode::ProtocolBroken,
    })
}

/// Whether a path or a command of the PATH names a file.
fn is_there(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    match program.contains('/') {
        true => Path::new(program).is_file(),
        false => std::env::split_paths(&paths).any(|folder| folder.join(program).is_file()),
    }
}
