//! Explains times in plain sentences: it states what differs together with a time, never that it is the reason.

use crate::elements::document::{Content, Document, Medium, View, Volume};
use crate::elements::flow::paragraph;
use crate::parts::tabulate::verdict_role;
use crate::words::label::alike;
use crate::words::number::{bytes, count, duration, percent, ratio, ratio_interval, significant};
use crate::words::text::{clean, shell_word, Glyphs, Line, Role};
use tare_analysis::why::{CaseWhy, Conclusion, Evidence, Missing, Part, Role as Of, Says, Unit, Why};
use tare_analysis::Verdict;
use tare_model::{CommandLine, Concern};

const CASES_MAX: usize = 5;
/// Evidence shown for a benchmark without `-v`; with several benchmarks there is less of each, to fit one screen.
const EVIDENCE_MAX: usize = 6;
const EVIDENCE_OF_SEVERAL: usize = 2;
const PART_LEAST: f64 = 0.01;
/// A share of the difference that is not all of it by chance.
const MORE: f64 = 1.1;

pub(crate) struct Explanation<'a> {
    pub why: &'a Why,
    pub request: &'a CommandLine,
    /// The run with more details; of two runs, the new side's.
    pub run: Option<&'a str>,
    /// Both sides were saved, so it is unknown how to build them.
    pub is_of_saved: bool,
    pub view: View,
}

impl Document {
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
        // What no benchmark was examined for is stated once.
        let of_first = cases.first().filter(|_| cases.len() > 1).into_iter().flat_map(|case| &case.missing);
        let nowhere: Vec<&Missing> = of_first.filter(|of| cases.iter().all(|case| case.missing.contains(of))).collect();
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

/// A paragraph about a benchmark, or a command to type.
struct Said {
    start: String,
    text: String,
    is_command: bool,
}

impl Said {
    fn of(start: impl Into<String>, text: String) -> Said {
        Said { start: start.into(), text, is_command: false }
    }

    fn lines(&self, view: &View, lines: &mut Vec<Line>) {
        let start = Line::of(Role::Quiet, self.start.clone());
        if self.is_command {
            return lines.push(start.with(Role::Command, self.text.clone()));
        }
        let spaces = self.start.len() - self.start.trim_start().len();
        // Text after a number is aligned below its start.
        let is_number = self.start.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let indent =
            if is_number { self.start.len() } else { spaces + if self.start.trim().is_empty() { 0 } else { 2 } };
        paragraph(start, &self.text, indent, view, lines);
    }
}

fn of_case(shown: &Explanation, case: &CaseWhy, most: usize, nowhere: &[&Missing], medium: &Medium) -> Vec<Content> {
    let mut contents = vec![headline(case, medium.glyphs)];
    if medium.volume == Volume::Quiet {
        return contents;
    }
    let mut all = of_evidence(shown, case, most, medium.glyphs);
    all.extend(case.parts.iter().map(|part| Said::of("  ", part_text(part))));
    if !case.equal.is_empty() {
        all.push(Said::of("  ", format!("equal on both sides: {}", case.equal.join(", "))));
    }
    let missing = missing_texts(case.missing.iter().filter(|missing| !nowhere.contains(missing)));
    let conclusion = case.conclusion.and_then(|conclusion| conclusion_text(conclusion, case));
    all.extend(missing.into_iter().chain(conclusion).map(|text| Said::of("  ", text)));
    if medium.is_page {
        // Readers of a page have not run the command.
        let texts = all.into_iter().filter(|said| !said.is_command);
        contents.extend(texts.map(|said| Content::Note(format!("{}{}", said.start.trim_start(), said.text))));
        return contents;
    }
    let (view, mut lines) = (View { columns: medium.columns, ..shown.view }, Vec::new());
    all.iter().for_each(|said| said.lines(&view, &mut lines));
    contents.extend((!lines.is_empty()).then_some(Content::Brief(lines)));
    contents.extend(hint(shown, case));
    contents
}

/// The place of the difference, its causes with their consequences, and other differences.
fn of_evidence(shown: &Explanation, case: &CaseWhy, most: usize, glyphs: Glyphs) -> Vec<Said> {
    let of_role = |role: Of| case.evidence.iter().filter(move |found| found.role == role);
    let together = |start: &str, role: Of| {
        let texts: Vec<String> = of_role(role).map(|found| brief(found, case, glyphs)).collect();
        (!texts.is_empty()).then(|| Said::of(start, texts.join("; ")))
    };
    let mut all: Vec<Said> = of_role(Of::Place).map(|place| Said::of("  ", sentence(place, case, glyphs))).collect();
    let causes: Vec<&Evidence> = of_role(Of::Cause).take(most).collect();
    let commands: Vec<Option<String>> = causes.iter().map(|found| more(shown, case, found)).collect();
    for (at, found) in causes.iter().enumerate() {
        all.push(Said::of(format!("{:>3}. ", at + 1), sentence(found, case, glyphs)));
        all.extend(together("     with it: ", Of::Follows).filter(|_| at == 0));
        // A repeated command is shown once, below the last cause it is for.
        let is_last = at + 1 == causes.len() || commands[at + 1] != commands[at];
        let command = commands[at].clone().filter(|_| is_last);
        all.extend(command.map(|text| Said { is_command: true, ..Said::of("     more: ", text) }));
    }
    if most > EVIDENCE_OF_SEVERAL {
        all.extend(together("  elsewhere: ", Of::Where));
        let little = "  differs too, at less than a tenth of the difference or at an unknown cost: ";
        all.extend(together(little, Of::Remark));
        all.extend(together("  the other way than the time: ", Of::Against));
    }
    let hidden = of_role(Of::Cause).count() - causes.len();
    all.extend((hidden > 0).then(|| Said::of("  ", format!("{hidden} more: `-v`"))));
    all
}

fn missing_texts<'a>(all: impl Iterator<Item = &'a Missing>) -> Vec<String> {
    let text = |of: Vec<&Missing>| {
        let names: Vec<String> = of.iter().map(|missing| clean(&missing.diagnoser)).collect();
        format!("not looked at: {}: {}", names.join(", "), clean(&of[0].reason))
    };
    alike(all, |missing| &missing.reason).into_iter().map(text).collect()
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
    let factor = compared.of_times(case.time_ns);
    let factor = match &compared.interval {
        Some(interval) => format!("{} {}", ratio(factor, interval), ratio_interval(interval)),
        None => significant(factor, 3),
    };
    let of = if compared.base.is_empty() { String::new() } else { format!(" against {}", clean(&compared.base)) };
    let times = format!("{} {} {}", time(compared.base_ns), glyphs.of("→"), time(case.time_ns));
    let word = compared.verdict.word().to_owned();
    let text = format!("{name}{of}: {times} per operation, ratio {factor}");
    Content::Headline { verdict: Some((word, verdict_role(compared.verdict))), text }
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

fn sentence(found: &Evidence, case: &CaseWhy, glyphs: Glyphs) -> String {
    let mut text = brief(found, case, glyphs);
    let difference = case.compared.as_ref().and_then(|compared| Some(case.time_ns? - compared.base_ns?));
    if let (Some(each), Some(ns)) = (found.each, found.ns) {
        let of = match difference {
            Some(difference) if is_changed(case) && difference != 0.0 => {
                let than = if ns.abs() > difference.abs() { ", more than" } else { " of" };
                format!("{than} the {} between the sides", duration(difference.abs(), glyphs))
            }
            _ => String::new(),
        };
        let each = cost(each, found.is_calibrated);
        text.push_str(&format!("; at {each} that is about {}{of}", duration(ns.abs(), glyphs)));
    } else if let Some(share) = found.share.filter(|_| found.is_measured && is_changed(case)) {
        text.push_str(&match share > MORE {
            true => "; that is more than all of the difference, since other things take less".to_owned(),
            false => format!("; that is {} of the difference", percent(share.min(1.0))),
        });
    }
    text
}

fn cost(each: f64, is_calibrated: bool) -> String {
    match is_calibrated {
        true => format!("{} cycles each on this machine", significant(each, 2)),
        false if each == 1.0 => "a typical 1 cycle each".to_owned(),
        false => format!("a typical {} cycles each", count(each)),
    }
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
        text.push_str(&format!(": at {}, {} of the time", cost(each, part.is_calibrated), percent(share.min(1.0))));
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
        Conclusion::Typical { .. } if case.evidence.iter().any(|found| found.role == Of::Cause && (found.is_measured || is_suspect(found))) => {
            return None;
        }
        Conclusion::Typical { share } => {
            format!("the largest of these typically costs {} of the difference", percent(share))
        }
        Conclusion::Differs if is_changed => {
            "these differ together with the time; what they cost was not measured".to_owned()
        }
        Conclusion::Differs if case.compared.as_ref().is_some_and(|compared| compared.verdict == Verdict::Unclear) => {
            "these differ between the sides; which side takes longer is unclear, and `--long` decides it".to_owned()
        }
        Conclusion::Differs => "these differ between the sides, which take the same time".to_owned(),
        Conclusion::TooLittle { .. } if is_changed => {
            "what differs would cost little of this: nothing that was looked at here explains the difference".to_owned()
        }
        Conclusion::Place => "it is known where the time differs; nothing that was looked at says what was done there".to_owned(),
        Conclusion::Nothing if is_changed => "nothing that was looked at here explains the difference".to_owned(),
        Conclusion::TooLittle { .. } | Conclusion::Nothing => "nothing that was looked at differs between the sides".to_owned(),
    })
}

/// A suspect of last resort, without a cost of its own.
fn is_suspect(found: &Evidence) -> bool {
    ["layout", "sharing", "stalls"].contains(&found.kind)
}

/// The command that shows more of a kind of evidence without measuring.
fn more(shown: &Explanation, case: &CaseWhy, found: &Evidence) -> Option<String> {
    let show = |flag: &str| shown.run.map(|run| format!("tare show {run} {flag}"));
    let of_case = |flag: &str| show(&format!("{flag} {}", shell_word(&clean(&case.name))));
    match (found.kind, found.says, found.diagnoser) {
        (_, Says::Where, _) => of_case("--flame"),
        ("vectors" | "calls" | "code" | "inlining", ..) => of_case("--code"),
        (.., Some(_)) => show("-v"),
        // It is not a count.
        (.., None) => None,
    }
}

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
    Some(Content::hint("measure more layouts", command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_analysis::why::Compared;

    const VIEW: View = View { columns: 100, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true };

    fn evidence(kind: &'static str, role: Of, values: [f64; 2]) -> Evidence {
        Evidence {
            kind,
            text: format!("the {kind}"),
            values: Some(values),
            unit: Unit::Count,
            is_simulated: true,
            cycles: 100.0,
            each: Some(15.0),
            is_calibrated: false,
            ns: Some(50.0),
            says: Says::What,
            is_measured: false,
            weight: 0.0,
            share: Some(0.5),
            role,
            is_against: false,
            diagnoser: Some("instructions"),
        }
    }

    fn explained() -> Why {
        let mut place = evidence("place", Of::Place, [12.0, 112.0]);
        (place.unit, place.each, place.is_measured, place.is_simulated) = (Unit::Time, None, true, false);
        let compared = Compared {
            base: String::new(),
            verdict: Verdict::Slower,
            ratio: 1.9,
            interval: Some(tare_stats::interval::Interval { lower: 1.5, upper: 2.5 }),
            base_ns: Some(100.0),
        };
        let case = CaseWhy {
            key: "k".to_owned(),
            name: "g/a".to_owned(),
            compared: Some(compared),
            time_ns: Some(200.0),
            evidence: vec![
                place,
                evidence("cause", Of::Cause, [0.0, 4.0]),
                evidence("consequence", Of::Follows, [1.0, 2.0]),
                evidence("remark", Of::Remark, [7.0, 7.1]),
            ],
            equal: vec!["branches"],
            parts: Vec::new(),
            missing: Vec::new(),
            conclusion: Some(Conclusion::Typical { share: 0.5 }),
        };
        let unclear = tare_analysis::why::Undecided {
            name: "g/b".to_owned(),
            verdict: Verdict::Unclear,
            times_ns: [Some(9100.0), Some(19_200.0)],
        };
        Why { cases: vec![case], undecided: vec![unclear] }
    }

    fn shown(medium: &Medium) -> Vec<Content> {
        let (why, request) = (explained(), CommandLine::default());
        let shown = Explanation { why: &why, request: &request, run: Some("1234"), is_of_saved: false, view: VIEW };
        Document::of_why(&shown, medium).parts.into_iter().flat_map(|part| part.contents).collect()
    }

    const TEXTS: [&str; 5] = [
        "the place: 12.00 ns → 112.0 ns (+833 %); that is 50.0 % of the difference",
        "1. the cause: 0 → 4 per operation, in the simulated processor; at a typical 15 cycles each that is about 50.00 ns of the 100.0 ns \
         between the sides",
        "with it: the consequence: 1 → 2 (+100 %)",
        "differs too, at less than a tenth of the difference or at an unknown cost: the remark: 7 → 7.1 (+1.4 %), in the simulated \
         processor",
        "equal on both sides: branches",
    ];

    #[test]
    fn a_page_has_all_that_a_screen_has() {
        let notes: Vec<String> = shown(&Medium::page(Volume::Verbose, Glyphs::Unicode))
            .into_iter()
            .filter_map(|content| match content {
                Content::Note(text) => Some(text),
                _ => None,
            })
            .collect();
        assert_eq!(notes[..TEXTS.len()], TEXTS, "{notes:#?}");
        let screen: String = shown(&Medium::screen(&VIEW))
            .into_iter()
            .filter_map(|content| match content {
                Content::Brief(lines) => {
                    Some(lines.iter().map(|line| format!("{}\n", line.plain())).collect::<String>())
                }
                _ => None,
            })
            .collect();
        assert!(
            screen.contains("\n  1. the cause: ") && screen.contains("\n     with it: the consequence"),
            "{screen}"
        );
        assert!(screen.contains("     more: tare show 1234 -v"), "{screen}");
    }

    #[test]
    fn one_ratio_is_shown_that_of_the_times_and_what_is_unclear_is_said_so() {
        let contents = shown(&Medium::page(Volume::Default, Glyphs::Unicode));
        let headline = contents.iter().find_map(|content| match content {
            Content::Headline { text, .. } => Some(text.as_str()),
            _ => None,
        });
        assert!(headline.is_some_and(|text| text.ends_with("ratio 2.00 [1.500, 2.500]")), "{headline:?}");
        let is_said = |content: &Content| matches!(content, Content::Note(text) if text.starts_with("`g/b`: unclear (9.1") && text.contains("--long` decides"));
        assert!(contents.iter().any(is_said), "{contents:?}");
    }
}
