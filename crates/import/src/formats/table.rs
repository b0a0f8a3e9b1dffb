use crate::builder::{parameter, parameter_suffix, Builder};
use crate::error::Problem;
use crate::node::{Fault, Node};
use tare_analysis::{Saved, SavedCase, SavedDesign};

pub(crate) fn read(
    tool: &'static str,
    text: &str,
    rows: fn(&str, &mut Builder) -> Result<(), Fault>,
) -> Result<Saved, Problem> {
    let mut builder = Builder::new(tool);
    let saved = rows(text, &mut builder).and_then(|()| builder.finish(tool.to_owned()));
    saved.map_err(|fault| fault.problem(tool, &Node::NOTHING, text))
}

pub(crate) fn case(group: &str, name: &str, parameters: &[(&str, &str)]) -> SavedCase {
    let parameters: Vec<_> = parameters.iter().map(|(name, value)| parameter(*name, *value)).collect();
    let full = if group.is_empty() { name.to_owned() } else { format!("{group}/{name}") };
    SavedCase {
        group: group.to_owned(),
        language: "c++".to_owned(),
        design: SavedDesign::Iterations,
        ..SavedCase { parameters: parameters.clone(), ..SavedCase::new(full + &parameter_suffix(&parameters), name) }
    }
}

/// Parses a number with commas between thousands.
pub(crate) fn number(text: &str) -> Option<f64> {
    text.trim().replace(',', "").parse().ok()
}

pub(crate) fn cells(line: &str) -> Vec<String> {
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
