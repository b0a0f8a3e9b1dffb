//! `tare why`: a run or comparison with diagnosers that explain differences in time. For a stored run, only what its diagnosers recorded.

use crate::args::WhyArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, no_result};
use crate::request;
use crate::sides::Sides;
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_analysis::is_comparison;
use tare_analysis::why::{can_tell, why as why_of, wished, Why};
use tare_diagnose::Diagnosers;
use tare_engine::matches;
use tare_model::{CommandLine, ExitCode, Run};
use tare_report::{clean, WhySubject};
use tare_store::Store;

/// `tare why` of a stored run; for anything else a run or comparison has replaced the command.
pub fn why(args: &WhyArgs, request: &CommandLine, console: &Console) -> Result<ExitCode, Failure> {
    let forms = output::asked(&args.output)?;
    let store = Store::find_unless(args.no_save, Path::new(".")).map_err(Failure::Store)?;
    no_result::guard(&forms.outputs, console, || {
        stored(args, &Sides::of(&store, Path::new("")), request, &forms, console)
    })
}

fn stored(
    args: &WhyArgs,
    sides: &Sides,
    request: &CommandLine,
    forms: &output::Forms,
    console: &Console,
) -> Result<ExitCode, Failure> {
    request::contradictions::check_saved(request, console)?;
    let run = told(&args.base, sides)?;
    let report = tare_analysis::analyse(&run);
    let mut why = why_of(&run, &report);
    if let Some(case) = &args.new {
        keep(&mut why, case, run.plan.cases.len())?;
    }
    let of = tare_report::of_run(&run, &report);
    let subject = WhySubject::of_run(why, of, &run, &report);
    let shown = output::shown(Box::new(subject), true, &Gate::default(), forms, console);
    let is_drawn = output::show(&shown, forms, console)?;
    Ok(if is_drawn { ExitCode::Ok } else { ExitCode::NothingMatched })
}

/// A stored run with explanatory diagnoses.
pub(super) fn told(name: &str, sides: &Sides) -> Result<Run, Failure> {
    let Some(run) = sides.run(name)? else {
        return Err(Failure::Usage {
            what: format!("`{}` holds times alone, so nothing in it tells why they are what they are", clean(name)),
            hint: "name two runs of `tare`, or what can be built: `tare why OLD NEW`".to_owned(),
        });
    };
    match can_tell(&run) {
        true => Ok(run),
        false => Err(Failure::Usage {
            what: format!("no diagnoser looked at run `{}`, so nothing in it tells why its times are what they are", run.id),
            hint: format!(
                "measure again what it measured: `tare {} --again {} --diagnose {}`; or name what can be built: `tare why OLD NEW`",
                if is_comparison(&run) { "compare" } else { "run" },
                run.id,
                able(&run).join(",")
            ),
        }),
    }
}

/// Explanatory diagnosers that support programs of this run.
fn able(run: &Run) -> Vec<&'static str> {
    let diagnosers = Diagnosers::default().wishing(&wished());
    let can_look = |name: &&str| run.artifacts.iter().any(|program| diagnosers.can_look(name, program));
    wished().into_iter().filter(can_look).collect()
}

fn keep(why: &mut Why, pattern: &str, of: usize) -> Result<(), Failure> {
    let names: Vec<String> = why.cases.iter().map(|case| case.name.clone()).collect();
    why.cases.retain(|case| matches(pattern, &case.name));
    why.undecided.retain(|case| matches(pattern, &case.name));
    match why.cases.is_empty() && why.undecided.is_empty() {
        true => Err(Failure::NothingMatched {
            selection: format!("`{}`", clean(pattern)),
            of,
            nearest: tare_model::text::nearest(pattern, &names, 3),
            list: String::new(),
        }),
        false => Ok(()),
    }
}
