//! `tare help --man`: a manual page for each command, from the declarations of the flags.

use super::help::{tools, TOPICS};
use crate::args::Cli;
use crate::console::Console;
use crate::failure::Failure;
use clap::{Command, CommandFactory};
use clap_mangen::roff::{bold, roman, Roff};
use clap_mangen::Man;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use tare_model::text::plural;
use tare_model::ExitCode;

pub struct Page {
    /// `tare-run.1`
    pub file: String,
    pub text: Vec<u8>,
}

pub fn write(folder: &Path, console: &Console) -> Result<ExitCode, Failure> {
    let pages = pages().map_err(Failure::writing(folder))?;
    fs::create_dir_all(folder).map_err(Failure::writing(folder))?;
    for page in &pages {
        let path = folder.join(&page.file);
        fs::write(&path, &page.text).map_err(Failure::writing(path))?;
    }
    console.note(&format!("wrote {} to `{}`", plural(pages.len(), "manual page"), folder.display()));
    Ok(ExitCode::Ok)
}

pub fn pages() -> io::Result<Vec<Page>> {
    let mut root = Cli::command().disable_help_flag(false);
    root.build();
    let mut pages = Vec::new();
    add(&root, &root, &mut pages)?;
    Ok(pages)
}

fn add(command: &Command, root: &Command, pages: &mut Vec<Page>) -> io::Result<()> {
    pages.push(page(command, root)?);
    command.get_subcommands().try_for_each(|below| add(below, root, pages))
}

fn page(command: &Command, root: &Command) -> io::Result<Page> {
    // Man pages also show flags that the summary hides.
    let mut command = command.clone().mut_args(|arg| arg.hide_short_help(false));
    // A usage line with all flags would be the longest part of the page.
    let usage = command.render_usage().to_string();
    let command = command.override_usage(usage.trim_start_matches("Usage:").trim_start().to_owned());
    let examples = command.get_before_long_help().or(command.get_before_help()).map(ToString::to_string);
    let is_root = command.get_name() == root.get_name();
    let version = root.get_version().unwrap_or_default();
    let man = Man::new(command).source(format!("tare {version}")).manual("Tare");
    let mut text = Vec::new();
    man.render(&mut text)?;
    if let Some(examples) = examples {
        as_typed("EXAMPLES", examples.trim_start_matches("Examples:\n"), &mut text)?;
    }
    if is_root {
        topics(&mut text)?;
    } else {
        let mut see = Roff::new();
        see.control("SH", ["SEE ALSO"]).text([bold("tare"), roman("(1), "), bold("tare help")]);
        see.to_writer(&mut text)?;
    }
    Ok(Page { file: man.get_filename(), text })
}

fn as_typed(heading: &str, lines: &str, text: &mut Vec<u8>) -> io::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", [heading]).control("nf", []);
    for line in lines.lines() {
        roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
    }
    roff.control("fi", []);
    roff.to_writer(text)
}

fn topics(text: &mut dyn Write) -> io::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", ["TOPICS"]).text([bold("tare help"), roman(" explains these:")]);
    for topic in &TOPICS {
        roff.control("TP", []).text([bold(topic.name)]).text([roman(topic.about)]);
    }
    roff.control("TP", []).text([bold(tools().join(", "))]).text([roman("coming from another tool")]);
    roff.to_writer(text)
}
