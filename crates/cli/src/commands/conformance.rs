//! `tare conformance`: checks a program against the protocol.

use crate::args::ConformanceArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::request;
use tare_model::ExitCode;
use tare_report::clean;
use tare_runner::conformance::{self, Options};

pub fn conformance(args: &ConformanceArgs, console: &Console) -> Result<ExitCode, Failure> {
    request::check_command(&args.command)?;
    let options = Options { long: !args.quick, ..Options::default() };
    let report = conformance::run(&args.command, &options);
    // It quotes the child's output.
    let lines = conformance::render(&report).lines().map(|line| clean(line) + "\n").collect::<String>();
    console.result(&lines)?;
    Ok(match report.passed() {
        _ if tare_process::interrupted() => ExitCode::Interrupted,
        true => ExitCode::Ok,
        false => ExitCode::ProtocolBroken,
    })
}
