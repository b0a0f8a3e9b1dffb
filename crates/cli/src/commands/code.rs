//! `tare show --code`: the machine code that the diagnoser `code` found, and how that of two sides differs.

use crate::console::Console;
use crate::failure::Failure;
use std::collections::BTreeMap;
use tare_analysis::Report;
use tare_code::{compare, listing, Code};
use tare_model::{ExitCode, Owner, Run};
use tare_report::{clean, selector, Volume};
use tare_store::Attachments;

/// Prints the code of the cases whose names fit, in lines of the width of the screen.
pub fn code(
    run: &Run,
    report: &Report,
    attachments: &Attachments,
    pattern: &str,
    console: &Console,
) -> Result<ExitCode, Failure> {
    let found = found(run, attachments, console);
    let name = |case: u32| report.cases.get(case as usize).map(selector).unwrap_or_default();
    let wanted: Vec<u32> = found.keys().copied().filter(|case| tare_engine::matches(pattern, &name(*case))).collect();
    if wanted.is_empty() {
        return Err(nothing(run, pattern, found.keys().map(|case| name(*case)).collect()));
    }
    let (columns, is_verbose) = (console.columns(), console.view(true).volume == Volume::Verbose);
    let mut lines: Vec<String> = Vec::new();
    for case in wanted {
        let base = baseline(run, case).filter(|base| found.contains_key(base));
        let same_benchmark =
            base.filter(|base| run.plan.cases[*base as usize].key == run.plan.cases[case as usize].key);
        let is_base = run.sides.is_some() && is_baseline_with_code(run, case, &found);
        let title = |about: String| ["", &about, ""].map(str::to_owned);
        if !is_base && same_benchmark.is_none() || is_verbose {
            lines.extend(title(full_name(report, case)));
            lines.extend(listing(&found[&case], columns));
        }
        if let Some(base) = base.filter(|_| same_benchmark.is_some() || is_verbose) {
            lines.extend(title(format!("{} against {}", full_name(report, case), full_name(report, base))));
            lines.extend(compare(&found[&base], &found[&case]).lines(columns));
        }
    }
    let text = lines.into_iter().skip_while(String::is_empty).map(|line| line + "\n").collect::<String>();
    console.result(&text)?;
    Ok(ExitCode::Ok)
}

/// The code of each case. What cannot be read is said.
fn found(run: &Run, attachments: &Attachments, console: &Console) -> BTreeMap<u32, Code> {
    let mut found = BTreeMap::new();
    for attachment in run.attachments.iter().filter(|attachment| attachment.media_type == Code::MEDIA_TYPE) {
        let Owner::Case(case) = attachment.of else { continue };
        let content = match &attachment.lost {
            Some(reason) => Err(format!("it was not stored: {reason}")),
            None => attachments.read(attachment),
        };
        match content.and_then(|content| Code::parse(&content)) {
            Ok(code) => drop(found.insert(case, code)),
            Err(why) => console.warn(&format!("the machine code of a case cannot be read: {}", clean(&why))),
        }
    }
    found
}

fn baseline(run: &Run, case: u32) -> Option<u32> {
    let group = run.plan.groups.iter().find(|group| group.cases.contains(&case))?;
    group.baseline.filter(|base| *base != case)
}

/// Another case of its group is compared with it.
fn is_baseline_with_code(run: &Run, case: u32, found: &BTreeMap<u32, Code>) -> bool {
    let of_it = run.plan.groups.iter().filter(|group| group.baseline == Some(case));
    of_it.flat_map(|group| &group.cases).any(|other| *other != case && found.contains_key(other))
}

/// The name of a case with what tells it from others of the same benchmark.
fn full_name(report: &Report, case: u32) -> String {
    let Some(of) = report.cases.get(case as usize) else { return String::new() };
    let others = [&of.job, &of.side].into_iter().filter(|text| !text.is_empty()).map(|text| clean(text));
    std::iter::once(selector(of)).chain(others.map(|text| format!("({text})"))).collect::<Vec<_>>().join(" ")
}

fn nothing(run: &Run, pattern: &str, names: Vec<String>) -> Failure {
    const SHOWN: usize = 5;
    match names.is_empty() {
        true => Failure::Usage {
            what: format!("run `{}` has no machine code", clean(&run.id)),
            hint: "measure with `--diagnose code`; `tare help code` explains what it needs".to_owned(),
        },
        false => {
            let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
            let more = if names.len() > SHOWN { format!(" and {} more", names.len() - SHOWN) } else { String::new() };
            Failure::Usage {
                what: format!("no case with machine code matches `{}`", clean(pattern)),
                hint: format!("there is code of {}{more}", shown.join(", ")),
            }
        }
    }
}
