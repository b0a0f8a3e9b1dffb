//! The screen of `tare doctor`: the verdict, one line per check, the calibration, the next command.

use super::{Diagnosis, KeptWidth};
use crate::calibration::{self, percent};
use std::collections::BTreeSet;
use tare_machine::doctor::{Check, State};
use tare_model::text::plural;
use tare_model::{Calibration, LayoutSpread, LevelFound};
use tare_report::{clean, significant, Line, Role, View, Volume};
use tare_store::MachineProfile;

/// Columns of the state, and of the code or label.
const STATE: usize = 13;
const LABEL: usize = 20;
/// Width findings shown without `-v`.
const FINDINGS_SHOWN: usize = 4;
/// With fewer comparisons the variance ratio is unreliable (method 5.2).
const ENOUGH: u32 = 20;

pub(super) fn screen(diagnosis: &Diagnosis, view: &View) -> Vec<Line> {
    let mut lines = vec![verdict(&diagnosis.checks)];
    let shown = |c: &&Check| view.volume != Volume::Quiet || c.state == State::Warning;
    for state in [State::Warning, State::NotVisible, State::Good] {
        let checks: Vec<&Check> = diagnosis.checks.iter().filter(|c| c.state == state).filter(shown).collect();
        if !checks.is_empty() {
            lines.push(Line::new());
        }
        lines.extend(checks.into_iter().flat_map(|c| check(c, view)));
    }
    if view.volume != Volume::Quiet && !diagnosis.core_widths.is_empty() {
        lines.push(Line::new());
        lines.extend(diagnosis.core_widths.iter().flat_map(|width| core_width(width, view)));
    }
    if let Some(calibration) = &diagnosis.calibration {
        lines.push(Line::new());
        lines.extend(calibrated(calibration, diagnosis, view));
    }
    lines.push(Line::new());
    let next = if diagnosis.calibration.is_none() { "tare doctor --calibrate" } else { "tare run" };
    lines.push(Line::of(Role::Quiet, "next: ").with(Role::Command, next));
    view.glyphs.of_lines(lines)
}

fn verdict(checks: &[Check]) -> Line {
    let codes: Vec<&str> = checks.iter().filter(|c| c.state == State::Warning).map(|c| c.code).collect();
    let hidden = checks.iter().filter(|c| c.state == State::NotVisible).count();
    if !codes.is_empty() {
        return Line::of(Role::Warning, "noisy:").with(Role::Plain, format!(" {}", codes.join(", ")));
    }
    let line = Line::of(Role::Good, "this machine is fit to measure on");
    match hidden {
        0 => line,
        n => line.with(Role::Plain, format!(", but {n} of {} checks are not possible here", checks.len())),
    }
}

fn check(check: &Check, view: &View) -> Vec<Line> {
    let (role, word) = match check.state {
        State::Good => (Role::Good, "good"),
        State::Warning => (Role::Warning, "warning"),
        State::NotVisible => (Role::Quiet, "cannot check"),
    };
    let mut line = Line::of(role, word);
    line.pad_to(STATE);
    line.push(Role::Heading, check.code);
    line.pad_to(STATE + LABEL);
    let lines = paragraph(line, &clean(&check.evidence), STATE + LABEL, view);
    let hint = check.fix.as_ref().map(|command| {
        let mut hint = Line::new();
        hint.pad_to(STATE);
        hint.with(Role::Hint, "hint:").with(Role::Command, format!(" `{}`", clean(command)))
    });
    lines.into_iter().chain(hint).collect()
}

fn core_width(width: &KeptWidth, view: &View) -> Vec<Line> {
    let level = |cycles: f64| significant(1.0 / cycles, 3);
    let who =
        |found: &LevelFound| if found.by.is_empty() { "an unknown benchmark".to_owned() } else { clean(&found.by) };
    let is_of_it = |found: &&LevelFound| width.agreed.is_some_and(|agreed| agreed.holds(found.cycles_per_addition));
    let (agree, others): (Vec<&LevelFound>, Vec<&LevelFound>) = width.found.iter().partition(is_of_it);
    let some = |mut all: Vec<String>| {
        let mut seen = BTreeSet::new();
        all.retain(|text| seen.insert(text.clone()));
        let more = all.len().saturating_sub(FINDINGS_SHOWN);
        if view.volume != Volume::Verbose && more > 0 {
            all.truncate(FINDINGS_SHOWN);
            all.push(format!("{more} more"));
        }
        all.join(", ")
    };
    let probe = if width.probe == MachineProfile::NATIVE { "native code" } else { &width.probe };
    let mut text = match width.agreed {
        Some(agreed) => {
            let names = some(agree.iter().map(|found| who(found)).collect());
            let once = if agree.len() == 1 { "once, " } else { "" };
            format!("{} additions per cycle in {}, found {once}by {names}", level(agreed.cycles_per_addition), probe)
        }
        None => format!("unknown in {probe}"),
    };
    if !others.is_empty() {
        let others = others.iter().map(|found| format!("{} by {}", level(found.cycles_per_addition), who(found)));
        text += &format!("; not used: {}", some(others.collect()));
    }
    let mut line = Line::of(Role::Quiet, "core width");
    line.pad_to(STATE);
    paragraph(line, &clean(&text), STATE, view)
}

fn paragraph(start: Line, text: &str, indent: usize, view: &View) -> Vec<Line> {
    let mut lines = Vec::new();
    tare_report::paragraph(start, text, indent, view, &mut lines);
    lines
}

fn calibrated(calibration: &Calibration, diagnosis: &Diagnosis, view: &View) -> Vec<Line> {
    let labelled = |label: &str, text: String| {
        let mut line = Line::of(Role::Quiet, label);
        line.pad_to(STATE);
        paragraph(line, &text, STATE, view)
    };
    let mut lines =
        vec![Line::of(Role::Heading, "calibrated").with(Role::Plain, format!(" {}", calibration::line(calibration)))];
    if !diagnosis.fresh && calibration.alarms <= calibration.alarms_expected {
        return lines;
    }
    let (alarms, limit) = (calibration.alarms, calibration.alarms_expected);
    let judged =
        if alarms > limit { "too many: do not trust small differences on this machine" } else { "as expected" };
    lines.extend(labelled(
        "A/A",
        format!(
            "{} in {} of identical programs; up to {limit} expected by chance (99 %): {judged}",
            plural(alarms, "alarm"),
            plural(calibration.comparisons, "comparison")
        ),
    ));
    lines.extend(labelled(
        "A/A'",
        calibration.layout.as_ref().map_or_else(|| "not measured: no other layout, or no time left".to_owned(), layout),
    ));
    let decides: Vec<String> = calibration
        .decides
        .iter()
        .map(|d| format!("±{} in {:.0} s ({} launches per side)", percent(d.effect), d.seconds, d.launches))
        .collect();
    lines.extend(labelled(
        "decides",
        if decides.is_empty() { "nothing within 30 s".to_owned() } else { decides.join(", ") },
    ));
    let kernels: Vec<String> =
        calibration.kernels.iter().map(|k| format!("{} {}", clean(&k.name), percent(k.process_sd))).collect();
    lines.extend(labelled(
        "spread",
        format!("{} between launches: {}", percent(calibration.process_sd), kernels.join(", ")),
    ));
    if let Some(lambda) = calibration.lambda {
        let meaning = match calibration.comparisons {
            ENOUGH.. => "1 is expected; above 1.3, waves disturb each other",
            _ => "too few comparisons to judge",
        };
        lines.extend(labelled("lambda", format!("{} ({meaning})", significant(lambda, 3))));
    }
    if let Some(costs) = &calibration.costs {
        let cycles = |cycles: f64| significant(cycles, 2);
        let text = format!(
            "in cycles: a misprediction {}, a miss of the first cache {}, one of all caches {}, an atomic instruction {}, a system call {}",
            cycles(costs.mispredicted), cycles(costs.l1_miss), cycles(costs.memory), cycles(costs.atomic), cycles(costs.syscall)
        );
        lines.extend(labelled("costs", text));
    }
    if let Some(cycle_ns) = diagnosis.cycle_ns.filter(|c| *c > 0.0) {
        lines.extend(labelled("clock", format!("times are shown at {} GHz", significant(1.0 / cycle_ns, 3))));
    }
    if let Some(path) = &diagnosis.kept {
        lines.extend(labelled("kept in", format!("`{}`", clean(&path.display().to_string()))));
    }
    lines
}

fn layout(layout: &LayoutSpread) -> String {
    let luck = match layout.build_sd.zip(layout.margin) {
        Some((sd, margin)) => {
            format!(
                "builds differ by {} (one sigma), so a change below {} may come from the build alone",
                percent(sd),
                percent(margin)
            )
        }
        None => "too few layouts to estimate the spread: calibrate for longer".to_owned(),
    };
    format!(
        "{} in {} of the same code in another layout; {luck}",
        plural(layout.alarms, "alarm"),
        plural(layout.comparisons, "comparison")
    )
}
