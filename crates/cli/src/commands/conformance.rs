//! `tare conformance`: the rules of the protocol against a program.

use crate::args::ConformanceArgs;
use crate::console::Console;
use crate::failure::Failure;
use tare_host::conformance::{self, Options};
use tare_model::ExitCode;
use tare_report::clean;

/// `tare conformance`.
pub fn conformance(args: &ConformanceArgs, console: &Console) -> Result<ExitCode, Failure> {
    let _ = tare_process::install_interrupt_handler();
    let report = conformance::run(&args.command, &Options::default());
    // What the child said stands in it.
    let lines = conformance::render(&report).lines().map(|line| clean(line) + "\n").collect::<String>();
    console.result(&lines)?;
    Ok(match report.passed() {
        _ if tare_process::interrupted() => ExitCode::Interrupted,
        true => ExitCode::Ok,
        false => ExitCode::ProtocolBroken,
    })
}
