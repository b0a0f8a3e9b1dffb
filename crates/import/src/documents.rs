//! The results in a text: it is one, or holds some among other things: behind lines of a log, one after the other because a program
//! rendered twice or several runs were appended, or as parts of an object of another program.

use crate::error::Problem;
use crate::sniff::{cut_off, next, sniff, Form};
use crate::{formats, json};
use tare_analysis::{Saved, SavedFailure};

/// Documents of one text.
const DOCUMENTS_MAX: usize = 10_000;

pub(crate) fn read(text: &str) -> Result<Saved, Problem> {
    match sniff(text)? {
        (Form::Run, at) => formats::tare_run::read(&text[at..]),
        (Form::GoText, _) => formats::go::read(text),
        (Form::GoJson, _) => formats::go::read_json(text),
        (Form::Catch2, at) => formats::catch2::read(&text[at..]),
        (Form::Table(tool), _) => formats::tables::read(tool, text),
        (Form::Json(tool), at) => json_documents(text, tool, at),
    }
}

/// All documents from a place on. Each is of a process of its own, as files of a folder are; one that is broken costs itself alone.
fn json_documents(text: &str, first: &'static str, begin: usize) -> Result<Saved, Problem> {
    let (mut parts, mut refused) = (Vec::new(), Vec::new());
    let mut found = Some((first, begin));
    while let Some((tool, at)) = found {
        let number = parts.len() + refused.len() + 1;
        let behind = match json::parse_at(text, at, tool) {
            Ok((root, end)) => {
                match formats::read_json(tool, &root) {
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
        found = next(text, behind).and_then(|(form, at)| match form {
            Form::Json(tool) => Some((tool, at)),
            _ => None,
        });
        if found.is_none() {
            refused.extend(cut_off(text, behind).map(|problem| (number + 1, problem)));
        }
    }
    let count = parts.len();
    let Some(mut saved) = Saved::merge("", parts) else {
        return Err(refused.into_iter().next().map_or(Problem::NoBenchmarks { tool: first }, |(_, problem)| problem));
    };
    if count > 1 {
        let tool = saved.detail.split_once(": ").map(|(_, tool)| tool.to_owned()).unwrap_or_default();
        saved.detail = format!("{tool}, {count} documents in one file, each counted as a process");
    }
    saved.failed.extend(refused.iter().map(|(number, problem)| lost(*number, problem)));
    Ok(saved)
}

/// A document of a file that could not be read, by its place among all of them.
fn lost(number: usize, problem: &Problem) -> SavedFailure {
    let key = format!("document {number}");
    SavedFailure::because(key.clone(), key, problem.to_string())
}
