//! Why times are what they are, in plain sentences: what differs together with a time, and never because of what.

use crate::advice::Hint;
use crate::flow::paragraph;
use crate::number::{count, duration, percent, ratio};
use crate::tabulate::verdict_role;
use crate::{clean, shell_word, Content, Document, Glyphs, Line, Reading, Role, View, Volume};
use tare_analysis::why::{CaseWhy, Conclusion, Evidence, Part, Why};
use tare_analysis::Verdict;
use tare_model::{Concern, Request};

/// Benchmarks that are shown without `-v`.
const CASES_MAX: usize = 5;
/// Evidence of each that is shown without `-v`.
const EVIDENCE_MAX: usize = 6;
/// Below this share of the time a part says nothing.
const PART_LEAST: f64 = 0.01;

/// Everything that is known of it, with where it comes from.
pub(crate) struct Shown<'a> {
    pub why: &'a Why,
    pub request: &'a Request,
    pub run: Option<&'a str>,
    pub view: View,
}

impl Document {
    /// The sentences of an explanation.
    pub(crate) fn of_why(shown: &Shown, reading: &Reading) -> Document {
        let mut document = Document::default();
        let is_whole = reading.is_page || reading.volume == Volume::Verbose;
        let most = if is_whole { usize::MAX } else { CASES_MAX };
        for case in shown.why.cases.iter().take(most) {
            document.add(of_case(shown, case, is_whole, reading));
        }
        document.add(rest(shown.why, most));
        if let (Some(run), false) = (shown.run, reading.volume == Volume::Quiet) {
            let command = Some(format!("tare show {run} -v"));
            document.add([Content::Next { run: Some(run.to_owned()), command }]);
        }
        document
    }
}

/// What is not shown.
fn rest(why: &Why, most: usize) -> Vec<Content> {
    let mut notes = Vec::new();
    if why.cases.len() > most {
        notes.push(format!("{} more benchmarks changed: `-v` shows them", why.cases.len() - most));
    }
    let undecided: Vec<String> = why.undecided.iter().map(|name| clean(name)).collect();
    if let Some(first) = undecided.first() {
        let others = if undecided.len() > 1 { format!(" and {} more", undecided.len() - 1) } else { String::new() };
        notes.push(format!(
            "`{first}`{others}: neither slower nor faster, so nothing was looked at; to look all the same, name it: \
             `tare why BASE NEW {}`",
            shell_word(first)
        ));
    }
    if why.cases.is_empty() && undecided.is_empty() {
        notes.push("no benchmark was measured, so there is nothing to explain".to_owned());
    }
    notes.into_iter().map(Content::Note).collect()
}

fn of_case(shown: &Shown, case: &CaseWhy, is_whole: bool, reading: &Reading) -> Vec<Content> {
    let view = View { columns: reading.columns, ..shown.view };
    let mut contents = vec![headline(case, reading.glyphs)];
    let mut lines = Vec::new();
    let most = if is_whole { usize::MAX } else { EVIDENCE_MAX };
    for (at, found) in case.evidence.iter().take(most).enumerate() {
        let start = Line::of(Role::Quiet, format!("{:>3}. ", at + 1));
        paragraph(start, &sentence(found, case, reading.glyphs), 5, &view, &mut lines);
        if let Some(command) = more(shown, found) {
            lines.push(Line::of(Role::Quiet, "     more: ").with(Role::Command, command));
        }
    }
    for part in &case.parts {
        paragraph(Line::of(Role::Plain, "  "), &part_text(part), 4, &view, &mut lines);
    }
    let mut say = |text: String| paragraph(Line::of(Role::Plain, "  "), &text, 2, &view, &mut lines);
    if case.evidence.len() > most {
        say(format!("{} more: `-v`", case.evidence.len() - most));
    }
    if !case.equal.is_empty() {
        say(format!("equal on both sides: {}", case.equal.join(", ")));
    }
    for missing in &case.missing {
        say(format!("not looked at: {}: {}", clean(&missing.diagnoser), clean(&missing.reason)));
    }
    if let Some(conclusion) = case.conclusion {
        say(conclusion_text(conclusion, case));
    }
    if reading.volume != Volume::Quiet {
        contents.extend((!lines.is_empty()).then_some(Content::Brief(lines)));
        contents.extend(hint(shown, case));
    }
    contents
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
    let factor = ratio(compared.ratio, &compared.interval);
    let of = if compared.base.is_empty() { String::new() } else { format!(" against {}", clean(&compared.base)) };
    let times = format!("{} {} {}", time(compared.base_ns), glyphs.of("→"), time(case.time_ns));
    let word = compared.verdict.word().to_owned();
    let text = format!("{name}{of}: {times} per operation, ratio {factor}");
    Content::Headline { verdict: Some((word, verdict_role(compared.verdict))), text }
}

/// `mispredicted branches: 0.001 → 0.5 per operation (simulated); ...`.
fn sentence(found: &Evidence, case: &CaseWhy, glyphs: Glyphs) -> String {
    let mut text = clean(&found.text);
    if let Some([base, new]) = found.values {
        let [from, to] = [base, new].map(count);
        text.push_str(&format!(": {from} {} {to} per operation", glyphs.of("→")));
        let change = new / base - 1.0;
        if base > 0.0 && change.abs() < 10.0 {
            text.push_str(&format!(" ({}{})", if change > 0.0 { "+" } else { "" }, percent(change)));
        }
    }
    if found.is_simulated {
        text.push_str(", in the simulated processor");
    }
    if let (Some(each), Some(ns)) = (found.each, found.ns) {
        let difference = case.compared.as_ref().and_then(|compared| Some(case.time_ns? - compared.base_ns?));
        let of = match difference {
            Some(difference) if !found.is_against && is_changed(case) && difference != 0.0 => {
                format!(" of the {} between the sides", duration(difference.abs(), glyphs))
            }
            _ => String::new(),
        };
        let each = if each == 1.0 { "1 cycle".to_owned() } else { format!("{} cycles", count(each)) };
        text.push_str(&format!("; at a typical {each} each that is about {}{of}", duration(ns.abs(), glyphs)));
    }
    if found.is_against {
        text.push_str("; this goes the other way than the time");
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

fn conclusion_text(conclusion: Conclusion, case: &CaseWhy) -> String {
    let is_changed = is_changed(case);
    match conclusion {
        Conclusion::Typical { share } if share > 1.5 => {
            "what differs would typically cost more than the whole difference of the times: a core does much of it at the same time"
                .to_owned()
        }
        Conclusion::Typical { share } => {
            format!("the greatest of these would typically cost {} of the difference", percent(share))
        }
        Conclusion::Differs if is_changed => {
            "these differ together with the time; what they cost was not measured".to_owned()
        }
        Conclusion::Differs => "these differ between the sides; the times have no verdict to go with them".to_owned(),
        Conclusion::TooLittle { .. } if is_changed => {
            "what differs would cost little of this: nothing that was looked at here explains the difference".to_owned()
        }
        Conclusion::Nothing if is_changed => "nothing that was looked at here explains the difference".to_owned(),
        Conclusion::TooLittle { .. } | Conclusion::Nothing => "nothing that was looked at differs between the sides".to_owned(),
    }
}

/// The command that shows more of a kind of evidence, without measuring anything.
fn more(shown: &Shown, found: &Evidence) -> Option<String> {
    match (found.diagnoser, found.kind, shown.run) {
        (Some("code"), _, Some(run)) => Some(format!("tare show {run} --code")),
        (Some(_), _, Some(run)) => Some(format!("tare show {run} -v")),
        (None, "inlining", _) => Some("tare help inlined-differently".to_owned()),
        _ => None,
    }
}

/// What measures more of it.
fn hint(shown: &Shown, case: &CaseWhy) -> Option<Content> {
    let sides = shown.request.given.iter().filter(|given| given.is_word() && given.concern == Concern::Subject);
    let words: Vec<String> =
        sides.flat_map(|given| given.words()).map(|word| shell_word(&clean(&word)).to_string()).collect();
    let is_of_layout = case.evidence.iter().any(|found| found.kind == "layout");
    if words.len() < 2 || !is_of_layout {
        return None;
    }
    let name = shell_word(&clean(&case.name)).to_string();
    let command = format!("tare compare {} --filter {name} --layouts 64 --long", words.join(" "));
    Some(Content::Hint(Hint { text: "measure more layouts".to_owned(), command: Some(command) }))
}
