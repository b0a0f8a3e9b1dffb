//! `tare clean`: deletes old runs and unused programs.

use crate::args::CleanArgs;
use crate::console::Console;
use crate::failure::Failure;
use std::path::Path;
use std::time::{Duration, SystemTime};
use tare_build::toolchain;
use tare_model::ExitCode;
use tare_report::bytes;
use tare_store::Store;

const DAY: Duration = Duration::from_secs(24 * 3600);

/// `tare clean`.
pub fn clean(args: &CleanArgs, console: &Console) -> Result<ExitCode, Failure> {
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let dropped = store.clean(args.keep).map_err(Failure::Store)?;
    let noun = if dropped.len() == 1 { "run" } else { "runs" };
    let ids = if dropped.is_empty() { String::new() } else { format!(": {}", dropped.join(" ")) };
    console.result(&format!("deleted {} {noun}{ids}\n", dropped.len()))?;
    if let Some(cache) = tare_store::cache_dir() {
        let unused = DAY * args.unused;
        let unreadable = |source| Failure::CannotRead { path: cache.clone(), source };
        let gone = toolchain::drop_programs(&cache, unused, SystemTime::now()).map_err(unreadable)?;
        let noun = if gone.programs == 1 { "program" } else { "programs" };
        if gone.programs > 0 {
            let size = bytes(gone.bytes as f64);
            console.result(&format!("deleted {} cached {noun}: {size}\n", gone.programs))?;
        }
    }
    Ok(ExitCode::Ok)
}
