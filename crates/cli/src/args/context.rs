//! Arguments that say what to remember of a run.

use clap::Args;
use tare_model::ContextEntry;

#[derive(Debug, Default, Args)]
pub struct ContextArgs {
    /// A text to keep with the result, such as data=big.txt
    ///
    /// It appears above the table, and in files that have a place for it.
    /// Repeat the flag for several. It replaces what the program says under
    /// the same name.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "NAME=VALUE", value_parser = entry, help_heading = "Output")]
    pub context: Vec<ContextEntry>,
}

/// `data=big.txt`.
fn entry(text: &str) -> Result<ContextEntry, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok(ContextEntry { name: name.trim().to_owned(), value: value.trim().to_owned() })
        }
        _ => Err("write NAME=VALUE, such as 'data=big.txt'".to_owned()),
    }
}
