//! `tare show --code` and `--inlining`: the machine code that a diagnoser recorded, how it differs between two sides, and what was inlined.

use crate::console::Console;
use crate::failure::{quoted_list, Failure};
use std::collections::{BTreeMap, BTreeSet};
use tare_analysis::Report;
use tare_code::{compare, listing, Calls, Code, Heat};
use tare_model::{Attachment, ExitCode, Maker, Owner, Run};
use tare_report::{clean, selector, Volume};
use tare_store::Attachments;

/// Prints the code of the matching cases, at the width of the screen.
pub fn code(
    run: &Run,
    report: &Report,
    attachments: &Attachments,
    pattern: &str,
    console: &Console,
) -> Result<ExitCode, Failure> {
    let has_code = |attachment: &Attachment| attachment.media_type == CODE.media_type;
    // A program may supply its own listing, such as bytecode.
    let is_text = |attachment: &Attachment| {
        attachment.maker == Maker::Program
            && attachment.diagnoser == CODE.diagnoser
            && attachment.media_type == "text/plain"
    };
    let text = |content: &[u8]| Ok(String::from_utf8_lossy(content).into_owned());
    let texts = found(run, attachments, (&CODE, &is_text), text, console);
    let found = found(run, attachments, (&CODE, &has_code), Code::parse, console);
    let wanted = wanted(run, report, found.keys().chain(texts.keys()), pattern, &CODE)?;
    let (columns, is_verbose) = (console.columns(), console.view(true).volume == Volume::Verbose);
    let mut lines: Vec<String> = Vec::new();
    for case in wanted {
        if let Some(text) = texts.get(&case) {
            lines.extend(["", &full_name(report, case), ""].map(str::to_owned));
            lines.extend(text.lines().map(clean));
            continue;
        }
        let base = baseline(run, case).filter(|base| found.contains_key(base));
        let same_benchmark =
            base.filter(|base| run.plan.cases[*base as usize].key == run.plan.cases[case as usize].key);
        let is_base = run.sides.is_some() && is_baseline_with_code(run, case, &found);
        let title = |about: String| ["", &about, ""].map(str::to_owned);
        if !is_base && same_benchmark.is_none() || is_verbose {
            lines.extend(title(full_name(report, case)));
            let heat = heat(run, attachments, case, &found[&case], console);
            lines.extend(listing(&found[&case], heat.as_ref(), columns));
        }
        if let Some(base) = base.filter(|_| same_benchmark.is_some() || is_verbose) {
            lines.extend(title(format!("{} against {}", full_name(report, case), full_name(report, base))));
            lines.extend(compare(&found[&base], &found[&case]).lines(columns));
        }
    }
    print(lines, console)
}

pub fn inlining(
    run: &Run,
    report: &Report,
    attachments: &Attachments,
    pattern: &str,
    console: &Console,
) -> Result<ExitCode, Failure> {
    let has_calls = |attachment: &Attachment| attachment.media_type == INLINING.media_type;
    let found = found(run, attachments, (&INLINING, &has_calls), Calls::parse, console);
    let mut lines: Vec<String> = Vec::new();
    for case in wanted(run, report, found.keys(), pattern, &INLINING)? {
        lines.extend(["", &full_name(report, case), ""].map(str::to_owned));
        lines.extend(found[&case].text(console.columns()));
    }
    print(lines, console)
}

fn print(lines: Vec<String>, console: &Console) -> Result<ExitCode, Failure> {
    let text = lines.into_iter().skip_while(String::is_empty).map(|line| line + "\n").collect::<String>();
    console.result(&text)?;
    Ok(ExitCode::Ok)
}

struct Kept {
    media_type: &'static str,
    what: &'static str,
    diagnoser: &'static str,
}

const CODE: Kept = Kept { media_type: Code::MEDIA_TYPE, what: "machine code", diagnoser: tare_diagnose::CODE };
const INLINING: Kept =
    Kept { media_type: Calls::MEDIA_TYPE, what: "list of calls", diagnoser: tare_diagnose::INLINING };

fn found<T>(
    run: &Run,
    attachments: &Attachments,
    (kept, is_it): (&Kept, &dyn Fn(&Attachment) -> bool),
    parse: impl Fn(&[u8]) -> Result<T, String>,
    console: &Console,
) -> BTreeMap<u32, T> {
    let mut found = BTreeMap::new();
    for attachment in run.attachments.iter().filter(|attachment| is_it(attachment)) {
        let Owner::Case(case) = attachment.of else { continue };
        match content(attachment, attachments).and_then(|content| parse(&content)) {
            Ok(read) => drop(found.insert(case, read)),
            Err(why) => console.warn(&format!("the {} of a case cannot be read: {}", kept.what, clean(&why))),
        }
    }
    found
}

fn wanted<'a>(
    run: &Run,
    report: &Report,
    found: impl Iterator<Item = &'a u32>,
    pattern: &str,
    kept: &Kept,
) -> Result<Vec<u32>, Failure> {
    let name = |case: u32| report.cases.get(case as usize).map(selector).unwrap_or_default();
    let found: BTreeSet<u32> = found.copied().collect();
    let wanted: Vec<u32> = found.iter().copied().filter(|case| tare_engine::matches(pattern, &name(*case))).collect();
    match wanted.is_empty() {
        true => Err(nothing(run, pattern, found.into_iter().map(name).collect(), kept)),
        false => Ok(wanted),
    }
}

/// The samples of a case's profile by its lines of code; None if it was not profiled. Unreadable profiles are reported.
fn heat(run: &Run, attachments: &Attachments, case: u32, code: &Code, console: &Console) -> Option<Heat> {
    let is_of_it =
        |attachment: &&Attachment| attachment.of == Owner::Case(case) && attachment.media_type == Heat::MEDIA_TYPE;
    let attachment = run.attachments.iter().find(is_of_it)?;
    if !Heat::fits(code) {
        console.note("samples cannot be laid over this code: its runtime lists it without addresses");
        return None;
    }
    match content(attachment, attachments) {
        Ok(content) => Some(Heat::of(code, &String::from_utf8_lossy(&content))),
        Err(why) => {
            console.warn(&format!("the samples of a case cannot be read: {}", clean(&why)));
            None
        }
    }
}

fn content(attachment: &Attachment, attachments: &Attachments) -> Result<Vec<u8>, String> {
    match &attachment.lost {
        Some(reason) => Err(format!("it was not stored: {reason}")),
        None => attachments.read(attachment),
    }
}

fn baseline(run: &Run, case: u32) -> Option<u32> {
    let group = run.plan.groups.iter().find(|group| group.cases.contains(&case))?;
    group.baseline.filter(|base| *base != case)
}

/// Whether another case of its group is compared with this one.
fn is_baseline_with_code(run: &Run, case: u32, found: &BTreeMap<u32, Code>) -> bool {
    let of_it = run.plan.groups.iter().filter(|group| group.baseline == Some(case));
    of_it.flat_map(|group| &group.cases).any(|other| *other != case && found.contains_key(other))
}

fn full_name(report: &Report, case: u32) -> String {
    let Some(of) = report.cases.get(case as usize) else { return String::new() };
    let others = [&of.job, &of.side].into_iter().filter(|text| !text.is_empty()).map(|text| clean(text));
    std::iter::once(selector(of)).chain(others.map(|text| format!("({text})"))).collect::<Vec<_>>().join(" ")
}

fn nothing(run: &Run, pattern: &str, names: Vec<String>, kept: &Kept) -> Failure {
    let (what, diagnoser) = (kept.what, kept.diagnoser);
    match names.is_empty() {
        true => Failure::Usage {
            what: format!("run `{}` has no {what}", clean(&run.id)),
            hint: format!("measure with `--diagnose {diagnoser}`; `tare help {diagnoser}` explains what it needs"),
        },
        false => Failure::Usage {
            what: format!("no case with {what} matches `{}`", clean(pattern)),
            hint: format!("those that have it are {}", quoted_list(&names)),
        },
    }
}
