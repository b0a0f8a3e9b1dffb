//! Machine code on a page, from the run's attachments: with samples of a profile, and with both sides of a comparison side by side.

use crate::elements::document::{Content, Document, ListingCell, ListingRow};
use crate::parts::attachments::Attached;
use crate::words::label::{selector, short, Naming};
use crate::words::text::clean;
use std::collections::{BTreeMap, BTreeSet};
use tare_analysis::Report;
use tare_code::{compare, lines, Beside, Code, Heat, Line, Sameness};
use tare_model::Attachment;

/// Longer listings are left out of a page.
const LINES_MAX: usize = 3000;
const BYTES_MAX: u64 = 4 << 20;
const COLUMNS: usize = 160;

/// Whether an attachment contains machine code or sample locations.
pub(crate) fn is_machine_code(attachment: &Attachment) -> bool {
    let is_it = [Code::MEDIA_TYPE, Heat::MEDIA_TYPE].contains(&attachment.media_type.as_str());
    is_it && attachment.lost.is_none() && attachment.bytes <= BYTES_MAX
}

struct OfCase {
    case: u32,
    diagnoser: String,
    code: Code,
    heat: Option<Heat>,
}

/// Adds a fold per case, or per pair of sides, with its code. Returns the case and diagnoser of each.
pub(crate) fn add_to(document: &mut Document, report: &Report, attached: &Attached) -> BTreeSet<(u32, String)> {
    let naming = Naming::of(report);
    let (mut shown, mut sides) = (BTreeSet::new(), BTreeMap::new());
    for of in all(report, attached) {
        let Some(case) = report.cases.get(of.case as usize) else { continue };
        if case.side.is_empty() {
            let title = format!("{}: machine code", short(&naming.label(report, of.case)));
            let cells = |line: Line| vec![cell(line, of.heat.as_ref())];
            let about = of.heat.iter().flat_map(Heat::about).map(|text| Line { text, ..Line::default() });
            let rows = about.chain(lines(&of.code, of.heat.as_ref(), COLUMNS));
            let rows = rows.map(|line| ListingRow { cells: cells(line), sign: "" }).collect();
            if fold(document, title, rows) {
                shown.insert((of.case, of.diagnoser));
            }
            continue;
        }
        // What both sides of a benchmark share.
        let key = [selector(case), case.language.clone(), case.job.clone()];
        match sides.remove(&key) {
            None => drop(sides.insert(key, of)),
            Some(base) => {
                let title = format!("{}: machine code of both sides", clean(&key[0]));
                if fold(document, title, beside(report, &base, &of)) {
                    shown.extend([(base.case, base.diagnoser), (of.case, of.diagnoser)]);
                }
            }
        }
    }
    shown
}

fn all(report: &Report, attached: &Attached) -> Vec<OfCase> {
    let of_type = |media_type: &'static str| {
        let its = report.attachments.iter().filter(move |one| one.attachment.media_type == media_type);
        its.filter_map(|one| {
            let content = attached.contents.get(one.path.as_ref()?)?.as_ref().ok()?.as_deref()?;
            Some((one.case?, one.attachment.diagnoser.clone(), content))
        })
    };
    let samples: BTreeMap<u32, &[u8]> = of_type(Heat::MEDIA_TYPE).map(|(case, _, content)| (case, content)).collect();
    let of_case = |(case, diagnoser, content): (u32, String, &[u8])| {
        let code = Code::parse(content).ok()?;
        let heat = samples
            .get(&case)
            .filter(|_| Heat::fits(&code))
            .map(|samples| Heat::of(&code, &String::from_utf8_lossy(samples)));
        Some(OfCase { case, diagnoser, code, heat })
    };
    of_type(Code::MEDIA_TYPE).filter_map(of_case).collect()
}

fn fold(document: &mut Document, title: String, rows: Vec<ListingRow>) -> bool {
    let fits = rows.len() <= LINES_MAX;
    if fits {
        document.fold(title, [Content::Listing(rows)]);
    }
    fits
}

fn beside(report: &Report, base: &OfCase, new: &OfCase) -> Vec<ListingRow> {
    let heats = [base.heat.as_ref(), new.heat.as_ref()];
    let row = |Beside { sides, sameness }: Beside| {
        let sign = match (sameness, &sides) {
            (Sameness::Same, _) => "",
            (Sameness::Registers, _) => "~",
            (_, [base, _]) if base.text.is_empty() => "+",
            (_, [_, new]) if new.text.is_empty() => "-",
            _ => "≠",
        };
        let cells = sides.into_iter().zip(heats).map(|(line, heat)| cell(line, heat)).collect();
        ListingRow { cells, sign }
    };
    let name = |of: &OfCase| {
        let side = report.cases.get(of.case as usize).map(|case| clean(&case.side)).unwrap_or_default();
        ListingCell { text: side, ..ListingCell::default() }
    };
    let head = ListingRow { cells: vec![name(base), name(new)], sign: "" };
    let difference = compare(&base.code, &new.code);
    std::iter::once(head).chain(difference.beside(heats).into_iter().map(row)).collect()
}

fn cell(line: Line, heat: Option<&Heat>) -> ListingCell {
    let share = line.samples as f64 / heat.map_or(1, |heat| heat.total.max(1)) as f64;
    ListingCell { text: clean(&line.text), samples: line.samples, share, is_hottest: line.is_hottest }
}
