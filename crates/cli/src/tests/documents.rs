//! Commands in the documentation are accepted by this version's parser. `cargo xtask documents` runs those that can be run.

use crate::args::Cli;
use clap::error::ErrorKind;
use clap::Parser;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && !["target", "build", "node_modules"].contains(&name.as_str()) {
            pages(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Splits a command line into words as a shell would; a comment ends it.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            ('#', None) if word.is_none() => break,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_with(String::new);
            }
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => words.extend(word.take()),
            (c, _) => word.get_or_insert_with(String::new).push(c),
        }
    }
    words.extend(word);
    words
}

/// The commands of a page, and whether each is complete: those in blocks are, those in the text may leave out required arguments.
fn commands(text: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        } else if in_block || line.starts_with("    ") {
            // In a table of the help pages, two spaces end the command.
            let line = line.trim_start().trim_start_matches("$ ").split("  ").next().unwrap_or_default();
            found.push((line.to_owned(), true));
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(|span| (span.to_owned(), false)));
        }
    }
    // Only lower-case verbs: `tare VERB`, `tare 0.1` and sentences that begin with `tare` are not commands.
    let is_command = |line: &str| {
        let verb = line.strip_prefix("tare ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
        !verb.is_empty() && verb.bytes().all(|b| b.is_ascii_lowercase()) && !line.contains("...") && !line.contains('…')
    };
    found.retain(|(line, _)| is_command(line));
    found
}

#[test]
fn every_command_of_the_documents_is_understood() {
    let mut all = Vec::new();
    for place in ["docs", "frontends", "spec", "fixtures", "bench"] {
        pages(&Path::new(ROOT).join(place), &mut all);
    }
    all.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "STYLE.md"].map(|name| Path::new(ROOT).join(name)));
    let (mut count, mut wrong) = (0, Vec::new());
    for page in all {
        for (line, whole) in commands(&fs::read_to_string(&page).expect("a page")) {
            count += 1;
            // What follows a pipe or redirection belongs to the shell.
            let words: Vec<String> = words(&line)
                .into_iter()
                .take_while(|w| !["|", ">", ">>", "&&", ";", "2>"].contains(&w.as_str()))
                .collect();
            let Err(error) = Cli::try_parse_from(&words) else { continue };
            let partial = [ErrorKind::MissingRequiredArgument, ErrorKind::InvalidValue, ErrorKind::MissingSubcommand];
            let is_fine = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion)
                || !whole
                    && (partial.contains(&error.kind())
                        || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand);
            if !is_fine {
                wrong.push(format!(
                    "{}: `{line}`: {}",
                    page.display(),
                    error.to_string().lines().next().unwrap_or_default()
                ));
            }
        }
    }
    assert!(count > 50, "{count} commands");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The reference lists what subjects lack. `TARE_UPDATE=1 cargo test -p tare-cli` rewrites it.
#[test]
fn every_refusal_is_in_the_reference() {
    use tare_report::{ComparisonSubject, HistorySubject, SubjectKind, EXPORTERS, OTHER_TOOL};
    const HEAD: &str = "| subject | formats that it does not have |\n|---|---|\n";
    let path = Path::new(ROOT).join("docs/reference/exporters.md");
    let page = fs::read_to_string(&path).expect("a page");
    let (before, rest) = page.split_once(HEAD).expect("the table of the subjects");
    let at = rest.find("\nA format that").expect("text after the table");
    let row = |kind: &SubjectKind| {
        let refused = EXPORTERS.iter().filter(|exporter| exporter.refusal(kind).is_some());
        let names: Vec<String> = refused.map(|exporter| format!("`{}`", exporter.name)).collect();
        format!("| {} | {} |\n", kind.phrase, names.join(", "))
    };
    let kinds = [&OTHER_TOOL, ComparisonSubject::SAVED, HistorySubject::KIND, &crate::commands::BISECTION];
    let wanted = format!("{before}{HEAD}{}{}", kinds.map(row).concat(), &rest[at..]);
    if std::env::var_os("TARE_UPDATE").is_some() {
        fs::write(&path, &wanted).expect("written");
    } else {
        assert!(page == wanted, "docs/reference/exporters.md is old: TARE_UPDATE=1 cargo test -p tare-cli");
    }
}

#[test]
fn every_exporter_is_in_the_reference() {
    const HEAD: &str = "| `--format` | extension | what it holds | version | who reads it |\n|---|---|---|---|---|\n";
    let page = fs::read_to_string(Path::new(ROOT).join("docs/reference/exporters.md")).expect("a page");
    let (_, rest) = page.split_once(HEAD).expect("the table of the forms");
    let rows: Vec<&str> = rest.lines().take_while(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), tare_report::EXPORTERS.len());
    for (row, e) in rows.iter().zip(tare_report::EXPORTERS) {
        // SVG pictures can also be written as PNG.
        let png = e.extension.strip_suffix(".svg").map(|stem| format!(", `{stem}.png`")).unwrap_or_default();
        assert!(row.starts_with(&format!("| `{}` | `{}`{png} | ", e.name, e.extension)), "{row}");
    }
}

#[test]
fn commands_are_found_and_split() {
    let text =
        "Say `tare run x` or `tare VERB`.\n\n```console\n$ tare show -f 'a b' # or so\nno\n```\n    tare list \"\"\n";
    let found: Vec<_> = commands(text).into_iter().map(|(line, whole)| (words(&line), whole)).collect();
    let wanted = [
        (vec!["tare", "run", "x"], false),
        (vec!["tare", "show", "-f", "a b"], true),
        (vec!["tare", "list", ""], true),
    ];
    assert_eq!(found, wanted.map(|(words, whole)| (words.into_iter().map(str::to_owned).collect::<Vec<_>>(), whole)));
}
