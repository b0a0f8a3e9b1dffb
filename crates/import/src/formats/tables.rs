//! Results that are tables of text: the CSV of Celero (`-t FILE`), and what nanobench prints.
//!
//! Traps: Celero's time is that of its fastest sample, and its columns are others in each version; nanobench prints two decimals in whatever
//! unit it was told, with commas, and marks a benchmark as unstable beside its name. Of a short time two decimals are one digit or none, and the
//! rate beside it has all of them.

use crate::builder::{calls, parameter, parameter_suffix, unit_ns, Builder};
use crate::error::Problem;
use crate::node::{Fault, Node};
use tare_analysis::{Saved, SavedCase, SavedDesign, SavedSummary};

/// Columns that tell Celero's CSV.
const CELERO: &str = "Group,Experiment,Problem Space,";
/// A column that nanobench prints beside its time.
const NANOBENCH: &str = "err% |";

/// Celero has whole microseconds for all iterations of a sample.
const STEP_NS: f64 = 1e3;

/// One of the last decimal that nanobench prints.
const LAST_DECIMAL: f64 = 0.01;

/// Which of the tools wrote such a text, if one did.
pub(crate) fn tool_of(text: &str) -> Option<&'static str> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    match first {
        _ if first.starts_with(CELERO) => Some("celero"),
        _ if text.lines().any(is_nanobench) => Some("nanobench"),
        _ => None,
    }
}

/// The header of a table of nanobench.
fn is_nanobench(line: &str) -> bool {
    line.starts_with('|') && line.contains(NANOBENCH)
}

pub(crate) fn read(tool: &'static str, text: &str) -> Result<Saved, Problem> {
    let mut builder = Builder::new(tool);
    let read = match tool {
        "celero" => celero(text, &mut builder),
        _ => nanobench(text, &mut builder),
    };
    let saved = read.and_then(|()| builder.finish(tool.to_owned()));
    saved.map_err(|fault| fault.problem(tool, &Node::NOTHING, text))
}

fn celero(text: &str, builder: &mut Builder) -> Result<(), Fault> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(CELERO));
    let header = lines.next().map(cells).unwrap_or_default();
    let place = |name: &str| header.iter().position(|column| column == name);
    let (time, failure, iterations) = (place("us/Iteration"), place("Failure"), place("Iterations"));
    for row in lines.map(cells).filter(|row| row.len() >= 4) {
        let of = |place: Option<usize>| place.and_then(|at| row.get(at)).map_or("", String::as_str);
        let size = row[2].as_str();
        let sizes = [("problem_space", size)];
        // Without a problem space it writes the least number.
        let has_none = ["", "0", "-9223372036854775808"].contains(&size);
        let case = case(&row[0], &row[1], if has_none { &[] } else { &sizes });
        match number(of(time)) {
            Some(us) if ["", "0"].contains(&of(failure)) => {
                let count = number(of(iterations)).filter(|count| *count >= 1.0);
                let resolution_ns = count.map(|count| STEP_NS / count);
                builder.case(
                    SavedCase { launches: vec![vec![us * 1e3]], resolution_ns, calls: calls([count]), ..case },
                    "",
                )?;
            }
            _ => builder.lost(&case, "Celero reports a failure"),
        }
    }
    Ok(())
}

/// `|  7.81 | 128,103,931.44 |  0.7% |  0.00 | ``name`` `, under a header that names the unit and the title.
fn nanobench(text: &str, builder: &mut Builder) -> Result<(), Fault> {
    let mut header: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| line.starts_with('|')) {
        let row: Vec<&str> = line.trim_start_matches('|').split('|').map(str::trim).collect();
        if is_nanobench(line) {
            header = row;
            continue;
        }
        // A name may have bars in it.
        let Some((_, name)) = line.split_once('`') else { continue };
        let Some((name, _)) = name.rsplit_once('`') else { continue };
        let column =
            header.iter().position(|column| column.split_once('/').is_some_and(|(unit, _)| unit_ns(unit).is_some()));
        let (Some(column), Some(title)) = (column, header.last()) else { continue };
        let Some((unit, operation)) = header[column].split_once('/') else { continue };
        let cell =
            |at: Option<usize>| at.and_then(|at| row.get(at)).and_then(|cell| number(cell.trim_end_matches('%')));
        let rate = cell(header.iter().position(|column| *column == format!("{operation}/s")));
        // Both have two decimals: the greater number has more digits.
        let printed = cell(Some(column)).zip(unit_ns(unit)).map(|(value, unit)| match rate {
            Some(rate) if rate > value => (1e9 / rate, LAST_DECIMAL / rate),
            _ => (value * unit, LAST_DECIMAL / value),
        });
        let median_ns = printed.map(|(ns, _)| ns);
        let error = cell(header.iter().position(|column| *column == "err%")).map(|percent| percent / 100.0);
        let group = if *title == "benchmark" { "" } else { title };
        let case = SavedCase {
            unit: operation.to_owned(),
            resolution_ns: printed.map(|(ns, share)| ns * share).filter(|ns| ns.is_finite()),
            design: SavedDesign::Summary(SavedSummary {
                mean_ns: None,
                median_ns,
                // The median absolute deviation of a normal sample is 0.6745 standard deviations.
                sd_ns: error.zip(median_ns).map(|(error, ns)| error * ns / 0.6745),
                values: None,
            }),
            ..case(group, name, &[])
        };
        builder.case(case, "")?;
    }
    Ok(())
}

fn case(group: &str, name: &str, parameters: &[(&str, &str)]) -> SavedCase {
    let parameters: Vec<_> = parameters.iter().map(|(name, value)| parameter(*name, *value)).collect();
    let full = if group.is_empty() { name.to_owned() } else { format!("{group}/{name}") };
    SavedCase {
        group: group.to_owned(),
        language: "c++".to_owned(),
        design: SavedDesign::Iterations,
        ..SavedCase { parameters: parameters.clone(), ..SavedCase::new(full + &parameter_suffix(&parameters), name) }
    }
}

/// A number as people write it, with commas between thousands.
fn number(text: &str) -> Option<f64> {
    text.trim().replace(',', "").parse().ok()
}

fn cells(line: &str) -> Vec<String> {
    let (mut all, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut chars = line.trim_end().chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => all.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    all.push(cell);
    all
}
