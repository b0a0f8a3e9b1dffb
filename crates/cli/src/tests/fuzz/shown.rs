//! Output for untrusted values: no form of a valid run may panic.

use super::texts::text;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use tare_analysis::gate::{Gate, Limit};
use tare_analysis::history::History;
use tare_analysis::{analyse, compare_saved, Report, Saved, SavedOptions};
use tare_code::{compare, lines, listing, Calls, Code, Heat};
use tare_engine::matches;
use tare_model::{Attachment, Maker, Owner, Run, Stacks};
use tare_report::{
    screen, Attached, ComparisonSubject, Document, Glyphs, HistorySubject, Presentation, Rendered, Subject, Template,
    View, Volume, EXPORTERS, TEMPLATES,
};

fn presented<'a>(subject: Box<dyn Subject + 'a>, attached: Attached) -> Presentation<'a> {
    let rules = ["slower:1%", "unclear", "counts", "limit", "different", "creep"];
    let rules = rules.iter().filter_map(|rule| rule.parse().ok()).collect();
    let limits =
        ["*: time <= 1ms", "sort*: allocations <= 1"].iter().filter_map(|limit| Limit::parse(limit).ok()).collect();
    let gate = Gate { rules, limits, ..Gate::default() };
    let judgement = Some(subject.judge(&gate, matches));
    let view = View { columns: 100, glyphs: Glyphs::Unicode, volume: Volume::Verbose, saved: true };
    Presentation { subject, view, top: None, has_history: true, md_limit: None, judgement, attached }
}

fn all_forms(subject: Box<dyn Subject + '_>, attached: Attached) {
    let shown = presented(subject, attached);
    let kind = shown.subject.kind();
    for exporter in EXPORTERS.iter().filter(|exporter| exporter.refusal(kind).is_none()) {
        match exporter.render(&shown) {
            Rendered::Lines(lines) => lines.iter().for_each(|line| drop(line.plain())),
            Rendered::Text(_) | Rendered::Nothing { .. } | Rendered::Bytes(_) => {}
            Rendered::Pieces(pieces) => drop(pieces.count()),
        }
    }
    for shipped in &TEMPLATES {
        let template = Template::shipped(shipped.name).expect("it comes with Tare");
        if template.refusal(kind).is_none() {
            let _ = template.render(&shown, None);
        }
    }
}

pub(super) fn run(input: &[u8]) {
    let Ok(mut run) = Run::from_json(input) else { return };
    if run.validate().is_err() {
        return;
    }
    run.leave_out_strangers();
    let report = analyse(&run);
    all_forms(tare_report::of_run(&run, &report), Attached::default());
    let saved = Saved::from_run(&run);
    all_forms(
        Box::new(ComparisonSubject::saved(compare_saved(&saved, &saved, &SavedOptions::default()))),
        Attached::default(),
    );
}

/// The result of another tool, alone and against a valid one.
pub(super) fn saved(input: &[u8]) {
    static BASE: OnceLock<Saved> = OnceLock::new();
    let Ok(saved) = tare_import::read("results", input) else { return };
    let base = BASE.get_or_init(|| tare_import::read("base", GOOD_RUN).expect("a good run"));
    let (run, report) = (saved.empty_run(), saved.report());
    all_forms(tare_report::of_run(&run, &report), Attached::default());
    for (old, new) in [(base, &saved), (&saved, &saved)] {
        let comparison = compare_saved(old, new, &SavedOptions::default());
        all_forms(Box::new(ComparisonSubject::saved(comparison)), Attached::default());
    }
}

const GOOD_RUN: &[u8] = include_bytes!("../../../../../fixtures/foreign/tare-run-1.json");

/// A valid run with its report, made once.
fn good() -> &'static (Run, Report) {
    static GOOD: OnceLock<(Run, Report)> = OnceLock::new();
    GOOD.get_or_init(|| {
        let run = Run::from_json(GOOD_RUN).expect("a good run");
        let report = analyse(&run);
        (run, report)
    })
}

pub(super) fn template(input: &[u8]) {
    let Some(source) = text(input) else { return };
    let Ok(template) = Template::new("t.html.jinja", source) else { return };
    let (run, report) = good();
    let shown = presented(tare_report::of_run(run, report), Attached::default());
    let _ = template.render(&shown, None);
    let _ = template.render(&shown, Some("t.json"));
}

/// An attachment, read as each kind that is shown.
pub(super) fn attachments(input: &[u8]) {
    let Some((kind, content)) = input.split_first() else { return };
    let media_type = match kind % 4 {
        0 => Code::MEDIA_TYPE.to_owned(),
        1 => Calls::MEDIA_TYPE.to_owned(),
        2 => Heat::MEDIA_TYPE.to_owned(),
        _ => format!("{}; unit=samples; operations=10", Stacks::MEDIA_TYPE),
    };
    match kind % 4 {
        0 => Code::parse(content).iter().for_each(code),
        1 => Calls::parse(content).iter().for_each(|calls| drop((calls.text(80), calls.of_body(), calls.to_json()))),
        _ => {}
    }
    let mut run = good().0.clone();
    let attachment = Attachment {
        of: Owner::Case(0),
        part: 0,
        diagnoser: "code".to_owned(),
        name: "file".to_owned(),
        title: "made".to_owned(),
        media_type,
        maker: Maker::Tare,
        bytes: content.len() as u64,
        hash: "0".repeat(64),
        lost: None,
    };
    let path = attachment.path().expect("it has a hash");
    run.attachments = vec![attachment];
    let report = analyse(&run);
    let contents = BTreeMap::from([(path, Ok(Some(content.to_vec())))]);
    let attached = Attached { folder: Some("folder".to_owned()), contents };
    if let Some(document) = Document::of_profiles(&report, &attached) {
        let view = View { columns: 80, glyphs: Glyphs::Ascii, volume: Volume::Default, saved: false };
        let _ = screen(&document, &view);
    }
    all_forms(tare_report::of_run(&run, &report), attached);
}

pub(super) fn code(code: &Code) {
    let heat = Heat::of(code, "4000 3\n401a 1\n");
    for columns in [20, 100] {
        let _ = (listing(code, Some(&heat), columns), lines(code, None, columns));
    }
    let difference = compare(code, code);
    let _ = (difference.summary(), difference.lines(80), difference.inlined_differently(), code.inlining());
    let _ = difference.beside([Some(&heat), None]);
    assert!(Code::parse(&code.to_json()).is_ok(), "code that was written is not read");
}

pub(super) fn history(history: &History) {
    all_forms(Box::new(HistorySubject { history, is_detailed: true }), Attached::default());
}
