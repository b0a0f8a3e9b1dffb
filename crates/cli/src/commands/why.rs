//! `tare why`: a comparison, or a run, whose diagnosers say what differs together with the times.

use super::{compare, run};
use crate::args::{Command, WhyArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::request;
use crate::sides::Sides;
use std::path::Path;
use tare_model::{ExitCode, Request};
use tare_report::{clean, shell_word};
use tare_store::Store;

/// `tare why`.
pub fn why(args: &WhyArgs, mut request: Request, console: &Console) -> Result<ExitCode, Failure> {
    let store = Store::find_unless(args.no_save, Path::new(".")).map_err(Failure::Store)?;
    let cache = tare_store::cache_dir().unwrap_or_default();
    let sides = Sides { store: &store, cache: &cache, criterion: ["", ""], benchmarks: None };
    // A source and a word that is no side: one source, and a benchmark of it.
    let is_path = Path::new(&args.base).exists();
    let is_one = is_path && args.case.is_none() && args.new.as_deref().is_none_or(|new| !sides.is_side(new));
    if sides.is_saved(&args.base)? {
        let base = clean(&args.base);
        return Err(Failure::Usage {
            what: format!("`{base}` is a saved result: `tare why` runs both sides, to count what they do"),
            hint: format!(
                "compare what was saved: `tare compare {} NEW`; or name revisions or sources",
                shell_word(&base)
            ),
        });
    }
    let mut command = match is_one {
        true => Command::Run(Box::new(args.of_one())),
        false => Command::Compare(Box::new(args.of_sides())),
    };
    request::resolve(&mut command, &mut request, console)?;
    match &command {
        Command::Run(args) => run::run(args, &request, console),
        Command::Compare(args) => compare::compare(args, &request, console),
        _ => Err(Failure::Bug { what: "`tare why` is neither a run nor a comparison".to_owned() }),
    }
}
