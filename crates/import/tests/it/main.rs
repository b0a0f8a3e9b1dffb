//! Tests of the importers: a file in, values or a named problem out.

mod broken;
mod counts;
mod files;
mod folders;
mod golden;
mod hostile;
mod logs;
mod metrics;
mod texts;
mod traps;
mod versions;
mod wrapped;

use tare_analysis::{Saved, SavedCase};

fn case<'a>(saved: &'a Saved, key: &str) -> &'a SavedCase {
    let keys = || saved.cases.iter().map(|c| c.key.as_str()).collect::<Vec<_>>().join(", ");
    saved.cases.iter().find(|c| c.key == key).unwrap_or_else(|| panic!("no case `{key}` among {}", keys()))
}

fn read(text: &str) -> Saved {
    tare_import::read("given", text.as_bytes()).unwrap_or_else(|e| panic!("{e}"))
}

fn refused(text: &str) -> (String, String) {
    match tare_import::read("given", text.as_bytes()) {
        Ok(saved) => panic!("read as {} with {} cases", saved.tool, saved.cases.len()),
        Err(error) => (error.to_string(), error.hint()),
    }
}
