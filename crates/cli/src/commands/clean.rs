//! `tare clean`: old runs go.

use crate::args::CleanArgs;
use crate::console::Console;
use crate::failure::Failure;
use std::path::Path;
use tare_model::ExitCode;
use tare_store::Store;

/// `tare clean`.
pub fn clean(args: &CleanArgs, console: &Console) -> Result<ExitCode, Failure> {
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let dropped = store.clean(args.keep).map_err(Failure::Store)?;
    let noun = if dropped.len() == 1 { "run" } else { "runs" };
    let ids = if dropped.is_empty() { String::new() } else { format!(": {}", dropped.join(" ")) };
    console.result(&format!("dropped {} {noun}{ids}\n", dropped.len()))?;
    Ok(ExitCode::Ok)
}
