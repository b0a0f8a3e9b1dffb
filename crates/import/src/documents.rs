//! The results in a text: a single document, or several among other things: after lines of a log, in sequence because a program rendered
//! twice or several runs were appended, or within an object of another program.

use crate::error::Problem;
use crate::formats::{too_little, Format, Read};
use crate::json;
use crate::sniff::{cut_off, next, sniff};
use tare_analysis::{Saved, SavedFailure};

/// Limit on documents in one text.
const DOCUMENTS_MAX: usize = 10_000;

pub(crate) fn read(text: &str) -> Result<Saved, Problem> {
    let (format, at) = sniff(text)?;
    match format.read {
        Read::Text(read) => read(text, at).map_err(|problem| match problem {
            // Its header may stand above a table.
            Problem::NoBenchmarks { .. } => too_little(text).unwrap_or(problem),
            _ => problem,
        }),
        Read::Json(_) | Read::Folder => json_documents(text, format, at),
    }
}

/// All documents from an offset on. Each counts as a process of its own, as files of a folder do; a broken one affects no other.
fn json_documents(text: &str, first: &'static Format, begin: usize) -> Result<Saved, Problem> {
    let (mut parts, mut refused) = (Vec::new(), Vec::new());
    let mut found = Some((first, begin));
    while let Some((Format { tool, read: Read::Json(read), .. }, at)) = found {
        let number = parts.len() + refused.len() + 1;
        let behind = match json::parse_at(text, at, tool) {
            Ok((root, end)) => {
                match read(&root) {
                    Ok(saved) => parts.push(saved),
                    Err(fault) => refused.push((number, fault.problem(tool, &root, text))),
                }
                end
            }
            Err(problem) => {
                let is_over = matches!(problem, Problem::CutOff { .. } | Problem::TooMany { .. });
                refused.push((number, problem));
                if is_over {
                    break;
                }
                at + 1
            }
        };
        if parts.len() + refused.len() > DOCUMENTS_MAX {
            return Err(Problem::TooMany { what: "JSON documents", limit: DOCUMENTS_MAX });
        }
        found = next(text, behind).filter(|(format, _)| matches!(format.read, Read::Json(_)));
        if found.is_none() {
            refused.extend(cut_off(text, behind).map(|problem| (number + 1, problem)));
        }
    }
    let count = parts.len();
    let Some(mut saved) = Saved::merge("", parts) else {
        return Err(refused
            .into_iter()
            .next()
            .map_or(Problem::NoBenchmarks { tool: first.tool }, |(_, problem)| problem));
    };
    if count > 1 {
        let tool = saved.detail.split_once(": ").map(|(_, tool)| tool.to_owned()).unwrap_or_default();
        saved.detail = format!("{tool}, {count} documents in one file, each counted as a process");
    }
    saved.failed.extend(refused.iter().map(|(number, problem)| lost(*number, problem)));
    Ok(saved)
}

/// The failure for an unreadable document, by its number among all of them.
fn lost(number: usize, problem: &Problem) -> SavedFailure {
    let key = format!("document {number}");
    SavedFailure::because(key.clone(), key, problem.to_string())
}
