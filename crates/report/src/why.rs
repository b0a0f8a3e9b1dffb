//! Why times are what they are, in plain sentences: what differs together with a time, and never because of what.

use crate::advice::Hint;
use crate::flow::paragraph;
use crate::number::{bytes, count, duration, percent, ratio, significant};
use crate::tabulate::verdict_role;
use crate::{clean, shell_word, Content, Document, Glyphs, Line, Medium, Role, View, Volume};
use tare_analysis::why::{CaseWhy, Conclusion, Evidence, Missing, Part, Role as Of, Says, Unit, Why};
use tare_analysis::Verdict;
use tare_model::{Concern, Request};

/// Benchmarks that are shown without `-v`.
const CASES_MAX: usize = 5;
/// Evidence of each that is shown without `-v`: fewer of each of several, so that all fit one screen.
const EVIDENCE_MAX: usize = 6;
const EVIDENCE_OF_SEVERAL: usize = 2;
/// Below this share of the time a part says nothing.
const PART_LEAST: f64 = 0.01;

/// Everything that is known of it, with where it comes from.
pub(crate) struct Explanation<'a> {
    pub why: &'a Why,
    pub request: &'a Request,
    /// The run that holds more of it; of two that of the new side.
    pub run: Option<&'a str>,
    /// Both sides were saved, so that nothing is known of how to build them.
    pub is_of_saved: bool,
    pub view: View,
}

impl Document {
    /// The sentences of an explanation.
    pub(crate) fn of_why(shown: &Explanation, medium: &Medium) -> Document {
        let mut document = Document::default();
        let is_whole = medium.is_page || medium.volume == Volume::Verbose;
        let most = if is_whole { usize::MAX } else { CASES_MAX };
        let cases = &shown.why.cases[..shown.why.cases.len().min(most)];
        let of_each = match cases.len() {
            _ if is_whole => usize::MAX,
            0 | 1 => EVIDENCE_MAX,
            _ => EVIDENCE_OF_SEVERAL,
        };
        // What was looked at nowhere is said once.
        let nowhere: Vec<&Missing> = match cases {
            [first, _, ..] => {
                first.missing.iter().filter(|of| cases.iter().all(|case| case.missing.contains(of))).collect()
            }
            _ => Vec::new(),
        };
        for case in cases {
            document.add(of_case(shown, case, of_each, &nowhere, medium));
        }
        document.add(missing_texts(nowhere.into_iter()).into_iter().map(Content::Note));
        document.add(rest(shown.why, most, medium.glyphs));
        if let (Some(run), false) = (shown.run, medium.volume == Volume::Quiet) {
            let command = Some(format!("tare show {run} -v"));
            document.add([Content::Next { run: Some(run.to_owned()), command }]);
        }
        document
    }
}

/// What is not shown.
fn rest(why: &Why, most: usize, glyphs: Glyphs) -> Vec<Content> {
    let mut notes = Vec::new();
    if why.cases.len() > most {
        notes.push(format!("{} more benchmarks changed: `-v` shows them", why.cases.len() - most));
    }
    if let Some(first) = why.undecided.first() {
        let name = clean(&first.name);
        let others = match why.undecided.len() {
            1 => String::new(),
            all => format!(" and {} more are not examined either", all - 1),
        };
        let times = match first.times_ns {
            [Some(base), Some(new)] => {
                format!(" ({} {} {})", duration(base, glyphs), glyphs.of("→"), duration(new, glyphs))
            }
            _ => String::new(),
        };
        let named = format!("tare why BASE NEW {}", shell_word(&name));
        notes.push(match first.verdict {
            Verdict::Unclear => format!(
                "`{name}`: unclear{times}, so not examined{others}; `{named} --long` decides, and `{named}` examines it anyway"
            ),
            _ => format!("`{name}`: neither slower nor faster{times}, so not examined{others}; `{named}` examines it anyway"),
        });
    }
    if why.cases.is_empty() && why.undecided.is_empty() {
        notes.push("no benchmark was measured, so there is nothing to explain".to_owned());
    }
    notes.into_iter().map(Content::Note).collect()
}

fn of_case(shown: &Explanation, case: &CaseWhy, most: usize, nowhere: &[&Missing], medium: &Medium) -> Vec<Content> {
    let view = View { columns: medium.columns, ..shown.view };
    let mut contents = vec![headline(case, medium.glyphs)];
    let mut lines = Vec::new();
    let of_role = |role: Of| case.evidence.iter().filter(move |found| found.role == role);
    for place in of_role(Of::Place) {
        paragraph(Line::of(Role::Plain, "  "), &sentence(place, case, medium.glyphs), 2, &view, &mut lines);
    }
    let causes: Vec<&Evidence> = of_role(Of::Cause).take(most).collect();
    let commands: Vec<Option<String>> = causes.iter().map(|found| more(shown, case, found)).collect();
    for (at, found) in causes.iter().enumerate() {
        let start = Line::of(Role::Quiet, format!("{:>3}. ", at + 1));
        paragraph(start, &sentence(found, case, medium.glyphs), 5, &view, &mut lines);
        if at == 0 {
            together("     with it: ", of_role(Of::Follows), case, (medium.glyphs, &view), &mut lines);
        }
        // The same command stands below the last that it is about.
        let is_last = at + 1 == causes.len() || commands[at + 1] != commands[at];
        if let Some(command) = commands[at].as_ref().filter(|_| is_last) {
            lines.push(Line::of(Role::Quiet, "     more: ").with(Role::Command, command.clone()));
        }
    }
    let beside = [
        ("  elsewhere: ", Of::Where),
        ("  differs too, at less than a tenth of the difference or at an unknown cost: ", Of::Remark),
        ("  the other way than the time: ", Of::Against),
    ];
    for (start, role) in beside.into_iter().filter(|_| most > EVIDENCE_OF_SEVERAL) {
        together(start, of_role(role), case, (medium.glyphs, &view), &mut lines);
    }
    for part in &case.parts {
        paragraph(Line::of(Role::Plain, "  "), &part_text(part), 4, &view, &mut lines);
    }
    let mut say = |text: String| paragraph(Line::of(Role::Plain, "  "), &text, 2, &view, &mut lines);
    let hidden = of_role(Of::Cause).count() - causes.len();
    if hidden > 0 {
        say(format!("{hidden} more: `-v`"));
    }
    if !case.equal.is_empty() {
        say(format!("equal on both sides: {}", case.equal.join(", ")));
    }
    missing_texts(case.missing.iter().filter(|missing| !nowhere.contains(missing))).into_iter().for_each(&mut say);
    if let Some(conclusion) = case.conclusion {
        conclusion_text(conclusion, case).into_iter().for_each(&mut say);
    }
    if medium.volume != Volume::Quiet {
        contents.extend((!lines.is_empty()).then_some(Content::Brief(lines)));
        contents.extend(hint(shown, case));
    }
    contents
}

/// What was not looked at, each reason once.
fn missing_texts<'a>(all: impl Iterator<Item = &'a Missing>) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for Missing { diagnoser, reason } in all {
        let name = clean(diagnoser);
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((reason, vec![name])),
        }
    }
    reasons.iter().map(|(reason, names)| format!("not looked at: {}: {}", names.join(", "), clean(reason))).collect()
}

fn headline(case: &CaseWhy, glyphs: Glyphs) -> Content {
    let name = clean(&case.name);
    let time = |ns: Option<f64>| ns.map_or_else(|| "not measurable".to_owned(), |ns| duration(ns, glyphs));
    let Some(compared) = &case.compared else {
        return Content::Headline {
            verdict: None,
            text: format!("{name}: {} per operation consist of", time(case.time_ns)),
        };
    };
    let (factor, interval) = compared.of_times(case.time_ns);
    let factor = interval.map_or_else(|| significant(factor, 3), |of| ratio(factor, &of));
    let of = if compared.base.is_empty() { String::new() } else { format!(" against {}", clean(&compared.base)) };
    let times = format!("{} {} {}", time(compared.base_ns), glyphs.of("→"), time(case.time_ns));
    let word = compared.verdict.word().to_owned();
    let text = format!("{name}{of}: {times} per operation, ratio {factor}");
    Content::Headline { verdict: Some((word, verdict_role(compared.verdict))), text }
}

/// Several pieces of evidence in one paragraph.
fn together<'a>(
    start: &str,
    all: impl Iterator<Item = &'a Evidence>,
    case: &CaseWhy,
    (glyphs, view): (Glyphs, &View),
    lines: &mut Vec<Line>,
) {
    let texts: Vec<String> = all.map(|found| brief(found, case, glyphs)).collect();
    if !texts.is_empty() {
        let indent = start.len() - start.trim_start().len();
        paragraph(Line::of(Role::Quiet, start), &texts.join("; "), indent + 2, view, lines);
    }
}

/// `mispredicted branches: 0.001 → 0.5 per operation (+12 %), in the simulated processor`.
fn brief(found: &Evidence, case: &CaseWhy, glyphs: Glyphs) -> String {
    let mut text = clean(&found.text);
    if let Some([base, new]) = found.values {
        let value = |value: f64| match found.unit {
            Unit::Count => count(value),
            Unit::Time => duration(value, glyphs),
            Unit::Bytes => bytes(value),
        };
        let per = if found.unit == Unit::Bytes || found.role != Of::Cause { "" } else { " per operation" };
        text.push_str(&format!(": {} {} {}{per}", value(base), glyphs.of("→"), value(new)));
        let change = new / base - 1.0;
        if base > 0.0 && change.abs() < 10.0 {
            text.push_str(&format!(" ({}{})", if change > 0.0 { "+" } else { "" }, percent(change)));
        }
    }
    if found.is_simulated && (found.role != Of::Follows || case.evidence.iter().all(|other| !other.is_simulated)) {
        text.push_str(", in the simulated processor");
    }
    text
}

/// The same with what it costs.
fn sentence(found: &Evidence, case: &CaseWhy, glyphs: Glyphs) -> String {
    let mut text = brief(found, case, glyphs);
    let difference = case.compared.as_ref().and_then(|compared| Some(case.time_ns? - compared.base_ns?));
    if let (Some(each), Some(ns)) = (found.each, found.ns) {
        let of = match difference {
            Some(difference) if is_changed(case) && difference != 0.0 => {
                format!(" of the {} between the sides", duration(difference.abs(), glyphs))
            }
            _ => String::new(),
        };
        let each = if each == 1.0 { "1 cycle".to_owned() } else { format!("{} cycles", count(each)) };
        text.push_str(&format!("; at a typical {each} each that is about {}{of}", duration(ns.abs(), glyphs)));
    } else if let Some(share) = found.share.filter(|_| found.is_measured && is_changed(case)) {
        text.push_str(&format!("; that is {} of the difference", percent(share.min(1.0))));
    }
    text
}

fn part_text(part: &Part) -> String {
    let mut text = match part.unit {
        "share" => format!("{} of the {}", percent(part.value), part.text),
        "ratio" => format!("{} {}", count(part.value), part.text),
        _ => format!("{} {}", count(part.value), part.text),
    };
    if part.is_simulated {
        text.push_str(" (simulated)");
    }
    if let (Some(share), Some(each)) = (part.share.filter(|share| *share >= PART_LEAST), part.each) {
        text.push_str(&format!(": at a typical {} cycles each, {} of the time", count(each), percent(share.min(1.0))));
    }
    text
}

fn is_changed(case: &CaseWhy) -> bool {
    case.compared.as_ref().is_some_and(|compared| matches!(compared.verdict, Verdict::Slower | Verdict::Faster))
}

fn conclusion_text(conclusion: Conclusion, case: &CaseWhy) -> Option<String> {
    let is_changed = is_changed(case);
    Some(match conclusion {
        Conclusion::Typical { share } if share > 1.5 => {
            "what differs would typically cost more than the whole difference of the times: a core does much of it at the same time"
                .to_owned()
        }
        Conclusion::Typical { .. } if case.evidence.iter().any(|found| found.role == Of::Cause && found.is_measured) => return None,
        Conclusion::Typical { share } => {
            format!("the largest of these typically costs {} of the difference", percent(share))
        }
        Conclusion::Differs if is_changed => {
            "these differ together with the time; what they cost was not measured".to_owned()
        }
        Conclusion::Differs => "these differ between the sides; the times have no verdict to go with them".to_owned(),
        Conclusion::TooLittle { .. } if is_changed => {
            "what differs would cost little of this: nothing that was looked at here explains the difference".to_owned()
        }
        Conclusion::Place => "it is known where the time differs; nothing that was looked at says what was done there".to_owned(),
        Conclusion::Nothing if is_changed => "nothing that was looked at here explains the difference".to_owned(),
        Conclusion::TooLittle { .. } | Conclusion::Nothing => "nothing that was looked at differs between the sides".to_owned(),
    })
}

/// The command that shows more of a kind of evidence, without measuring anything.
fn more(shown: &Explanation, case: &CaseWhy, found: &Evidence) -> Option<String> {
    let show = |flag: &str| shown.run.map(|run| format!("tare show {run} {flag}"));
    let of_case = |flag: &str| show(&format!("{flag} {}", shell_word(&clean(&case.name))));
    match (found.kind, found.says, found.diagnoser) {
        (_, Says::Where, _) => of_case("--flame"),
        ("vectors" | "calls" | "code" | "inlining", ..) => of_case("--code"),
        (.., Some(_)) => show("-v"),
        // Nothing counted it.
        (.., None) => None,
    }
}

/// What measures more of it.
fn hint(shown: &Explanation, case: &CaseWhy) -> Option<Content> {
    let sides = shown.request.given.iter().filter(|given| given.is_word() && given.concern == Concern::Subject);
    let words: Vec<String> =
        sides.flat_map(|given| given.words()).map(|word| shell_word(&clean(&word)).to_string()).collect();
    let is_of_layout = case.evidence.iter().any(|found| found.kind == "layout");
    if words.len() < 2 || !is_of_layout || shown.is_of_saved {
        return None;
    }
    let name = shell_word(&clean(&case.name)).to_string();
    let command = format!("tare compare {} --filter {name} --layouts 64 --long", words.join(" "));
    Some(Content::Hint(Hint { text: "measure more layouts".to_owned(), command: Some(command) }))
}
