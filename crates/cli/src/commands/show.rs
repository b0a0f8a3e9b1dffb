//! `tare show`: a stored run again. The same run and the same screen give what the live run printed, byte for byte.

use super::output::{print, write, Shown};
use crate::args::{Format, ShowArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::request;
use std::path::Path;
use tare_model::ExitCode;
use tare_report::measurements_csv;
use tare_store::{RunRef, Store};

/// `tare show`.
pub fn show(args: &ShowArgs, console: &Console) -> Result<ExitCode, Failure> {
    let outputs = request::outputs(&args.output)?;
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let reference: RunRef = args.run.parse().map_err(Failure::Store)?;
    let run = store.load(&reference).map_err(Failure::Store)?;
    if args.measurements {
        console.result_pieces(measurements_csv(&run))?;
        return Ok(ExitCode::Ok);
    }
    let report = tare_analysis::analyse(&run);
    let shown = Shown { run: &run, report: &report, saved: true };
    let format = match (args.md, args.csv, args.json) {
        (true, _, _) => Format::Md,
        (_, true, _) => Format::Csv,
        (_, _, true) => Format::Json,
        _ => Format::Table,
    };
    print(&shown, format, console)?;
    write(&shown, &outputs, console)?;
    Ok(ExitCode::Ok)
}
