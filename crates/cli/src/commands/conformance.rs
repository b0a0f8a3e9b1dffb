//! `tare conformance`: the rules of the protocol against a program.

use crate::args::ConformanceArgs;
use crate::console::Console;
use crate::failure::Failure;
use tare_host::conformance::{self, Options};
use tare_model::ExitCode;

/// `tare conformance`.
pub fn conformance(args: &ConformanceArgs, console: &Console) -> Result<ExitCode, Failure> {
    let _ = tare_process::install_interrupt_handler();
    let report = conformance::run(&args.command, &Options::default());
    console.result(&conformance::render(&report))?;
    Ok(match report.passed() {
        _ if tare_process::interrupted() => ExitCode::Interrupted,
        true => ExitCode::Ok,
        false => ExitCode::ProtocolBroken,
    })
}
