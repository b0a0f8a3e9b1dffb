//! Enforces the glossary: user-facing texts use one term for each thing, and no phrase that reads as translated.
//!
//! User-facing texts are the documentation, the string literals of the crates and front ends that contain a space, and the command-line
//! help. Code, and anything in backquotes, is ignored.

use crate::root;
use std::fs;
use std::path::{Path, PathBuf};

/// A line of a user-facing text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The file, relative to the repository.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// The words without anything in backquotes.
    pub words: String,
}

pub const BANNED: &[(&str, &str)] = &[
    ("a mistake in tare", "internal error"),
    ("for want of", "out of"),
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("get a word", "get a verdict"),
    ("gets a word", "gets a verdict"),
    ("one of four words", "one of four verdicts"),
    ("never get", "ignored"),
    ("false words", "false verdicts"),
    ("taken up", "resumed"),
    ("cannot go on", "cannot be resumed"),
    ("is told", "is reported"),
    ("are told", "are reported"),
    ("was told", "was reported"),
    ("called otherwise", "renamed"),
    ("is called otherwise", "was renamed"),
    ("may stand in", "is allowed in"),
    ("to be rid of", "to remove"),
    ("be had", "be found"),
    ("belongs into", "belongs in"),
    ("words for the compiler", "compiler flags"),
    ("row a case", "row per case"),
    ("line a case", "line per case"),
    ("row an iteration", "row per iteration"),
    ("row a benchmark", "row per benchmark"),
    ("line a benchmark", "line per benchmark"),
    ("fits nothing", "matches nothing"),
    ("fits no", "matches no"),
    ("anew", "again"),
    ("the word for the whole", "the overall verdict"),
    ("as it should be", "as expected"),
    ("be told from nothing", "be distinguished from zero"),
    ("without any benchmark", "without benchmarks"),
    ("inside of", "inside"),
    ("outside of", "outside"),
    ("in whatever language", "in any language"),
    ("see what there is", "list them"),
    ("make room on the disk", "free disk space"),
    ("a core that others used", "others used the core"),
    ("in the middle of the run", "unexpectedly"),
    ("something waited for", "tasks waited for"),
    ("told from", "distinguished from"),
    ("told in cycles", "shown in cycles"),
    ("told as", "shown as"),
    ("launches a side", "launches per side"),
    ("processes a side", "processes per side"),
    ("layouts a side", "layouts per side"),
    ("files a side", "files per side"),
    ("bytes an operation", "bytes per operation"),
    ("allocations an operation", "allocations per operation"),
    ("additions a cycle", "additions per cycle"),
    ("windows an iteration", "windows per iteration"),
    ("invocations a turn", "invocations per turn"),
    ("invocation an iteration", "invocation per iteration"),
    ("can be worth", "can change"),
    ("where it could be seen", "where it could be detected"),
    ("as far as can be seen", "as far as known"),
    ("begun", "started"),
    ("unasked", "without a request"),
    ("process(es)", "processes"),
    ("invocation(s)", "invocations"),
    ("nobody knows", "it is unknown"),
    ("stands still", "does not advance"),
    ("stays right", "stays valid"),
    ("stay right", "stay valid"),
    ("when corrected for", "after correction for"),
    ("only in the new", "only in new"),
    ("the one benchmark", "the only benchmark"),
    ("has not the", "lacks the"),
    ("half a reply", "an incomplete reply"),
    ("by turns", "in turn"),
    ("ask for no less", "raise"),
    ("have the body do", "repeat in the body"),
    ("is no text", "is not a text"),
    ("is no value", "is not a value"),
    ("luck of one build", "build alone"),
    ("was not asked for", "was not requested"),
    ("give it more time", "raise the limit, run for longer"),
];

/// Words in the glossary's column `not` that also have a legitimate sense, and that sense.
pub const OTHER_SENSE: &[(&str, &str)] = &[
    ("project", "a folder with a Cargo.toml or CMakeLists.txt"),
    ("test", "a statistical test, a test of Tare"),
    ("function", "of a programming language"),
    ("loop", "around the invocations"),
    ("version", "of a program or format"),
    ("check", "of the doctor"),
    ("reference", "the reference clock, a reference child, the reference documentation"),
    ("profile", "of a machine, of Cargo"),
    ("config", "the file of settings"),
    ("mode", "of a distribution; of JMH"),
    ("sample", "of statistics"),
    ("mean", "of statistics; the verb"),
    ("session", "the time in which something was measured"),
    ("batch", "of invocations"),
    ("block", "of memory, of code in a page"),
    ("budget", "of time"),
    ("threshold", "of saved data"),
    ("instance", "an object of the user's type"),
    ("suite", "all benchmarks of a project together"),
    ("runner", "a machine of CI"),
    ("quiet", "of a machine without other work; the simulated one"),
    ("clean", "the command; source code"),
    ("noisy", "of a machine with other work"),
    ("arg", "an argument"),
    ("fork", "of a process"),
    ("improved", "a verdict of another tool"),
    ("regressed", "a verdict of another tool"),
    ("significant", "digits"),
    ("formatter", "of source code"),
    ("writer", "the writing end of a pipe"),
];

/// Banned terms that some files may use with another meaning, for example as terms of another tool.
pub const ALLOWED: &[(&str, &str)] = &[
    ("STYLE.md", "% faster"),
    ("STYLE.md", "speed-up"),
    ("docs/guides/reading-the-output.md", "% faster"),
    ("docs/guides/reading-the-output.md", "speed-up"),
    ("docs/concepts/other-tools.md", "epoch"),
    ("crates/import/", "epoch"),
    ("frontends/cpp/include/tare/detail/nanobench/", "epoch"),
    ("crates/import/", "sdk"),
    // The .NET SDK; a keyword of C#, Java and JavaScript.
    ("crates/build/src/languages/dotnet/", "sdk"),
    ("crates/build/src/languages/dotnet/", "class"),
    ("docs/from/benchmarkdotnet.md", "sdk"),
    ("docs/from/benchmarkdotnet.md", "class"),
    // A keyword of Java and JavaScript.
    ("crates/build/src/languages/java/", "class"),
    ("docs/from/jmh.md", "class"),
    ("docs/from/vitest.md", "class"),
    ("frontends/java/", "class"),
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub text: Text,
    pub phrase: String,
    pub instead: String,
}

/// The terms of the column `not`, each with the right term.
///
/// # Errors
/// If the glossary cannot be read.
pub fn glossary(root: &Path) -> Result<Vec<(String, String)>, String> {
    let page = fs::read_to_string(root.join("GLOSSARY.md")).map_err(|e| e.to_string())?;
    let mut terms = Vec::new();
    for row in page.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---")).skip(1) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [term, _, not] = cells[..] else { continue };
        for word in not.split(',').map(|word| word.split('(').next().unwrap_or(word).trim().trim_matches('"')) {
            if !word.is_empty() {
                terms.push((word.to_lowercase(), term.to_owned()));
            }
        }
    }
    Ok(terms)
}

/// All violations.
///
/// # Errors
/// If a file cannot be read.
pub fn findings() -> Result<Vec<Finding>, String> {
    let root = root();
    let terms = glossary(&root)?;
    let mut found = Vec::new();
    for text in texts(&root)? {
        let words = text.words.to_lowercase();
        for (phrase, instead) in BANNED {
            if holds(&words, phrase, false) {
                found.push(Finding {
                    text: text.clone(),
                    phrase: (*phrase).to_owned(),
                    instead: (*instead).to_owned(),
                });
            }
        }
        for (word, term) in &terms {
            let is_allowed = OTHER_SENSE.iter().any(|(other, _)| other == word)
                || ALLOWED.iter().any(|(file, other)| text.file.starts_with(file) && other == word);
            if !is_allowed && holds(&words, word, true) {
                found.push(Finding { text: text.clone(), phrase: word.clone(), instead: term.clone() });
            }
        }
    }
    Ok(found)
}

/// Whether a text contains a phrase as whole words; with `plural` also with an `s` appended.
pub fn holds(text: &str, phrase: &str, plural: bool) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut rest = &text[at + phrase.len()..];
        if plural {
            rest = rest.strip_prefix('s').unwrap_or(rest);
        }
        !before.is_some_and(is_letter) && !rest.chars().next().is_some_and(is_letter)
    })
}

/// All user-facing texts.
///
/// # Errors
/// If a file cannot be read.
pub fn texts(root: &Path) -> Result<Vec<Text>, String> {
    const PAGES: [&str; 6] = ["README.md", "STYLE.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "spec"];
    const CRATES: [&str; 12] = [
        "cli", "report", "analysis", "machine", "build", "runner", "import", "store", "process", "protocol", "model",
        "engine",
    ];
    let mut files = Vec::new();
    for page in PAGES {
        below(&root.join(page), "md", &mut files);
    }
    below(&root.join("docs"), "md", &mut files);
    // Decisions are for people who change Tare.
    files.retain(|file| !file.starts_with(root.join("docs/decisions")));
    for front_end in ["cpp", "rust"] {
        files.push(root.join("frontends").join(front_end).join("README.md"));
    }
    files.push(root.join("frontends/cpp/include/tare.h"));
    below(&root.join("frontends/cpp/include/tare"), "hpp", &mut files);
    below(&root.join("frontends/cpp/include/tare"), "h", &mut files);
    // Templates of files, with names from their formats.
    files.retain(|file| !file.ends_with("detail/render.hpp"));
    for library in ["tare", "tare-macros"] {
        below(&root.join("frontends/rust").join(library).join("src"), "rs", &mut files);
    }
    for name in CRATES {
        below(&root.join("crates").join(name).join("src"), "rs", &mut files);
    }
    let mut all = Vec::new();
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        let is_test = name.contains("/tests/") || name.ends_with("tests.rs");
        if is_test {
            continue;
        }
        let text = fs::read_to_string(&file).map_err(|e| format!("{name}: {e}"))?;
        let lines = if name.ends_with(".md") { of_page(&text) } else { of_source(&text, name.contains("/args")) };
        all.extend(lines.into_iter().map(|(line, words)| Text { file: name.clone(), line, words }));
    }
    Ok(all)
}

fn below(path: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    if path.is_file() {
        found.push(path.to_owned());
        return;
    }
    let mut entries: Vec<PathBuf> = fs::read_dir(path).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            below(&entry, ending, found);
        } else if entry.extension().is_some_and(|e| e == ending) {
            found.push(entry);
        }
    }
}

/// The lines of a page outside code blocks, without anything in backquotes.
fn of_page(text: &str) -> Vec<(usize, String)> {
    let mut in_block = false;
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if !in_block && !line.starts_with("    ") {
            lines.push((at + 1, without_code(line)));
        }
    }
    lines
}

/// String literals with a space, up to the tests; with `help`, also the doc comments.
pub fn of_source(text: &str, help: bool) -> Vec<(usize, String)> {
    const TESTS: [&str; 2] = ["\n#[cfg(test)]\nmod tests {", "\n#[cfg(test)]\npub(crate) mod tests {"];
    let end = TESTS.iter().filter_map(|start| text.find(start)).min().unwrap_or(text.len());
    let text = &text[..end];
    let mut found = Vec::new();
    let mut literal: Option<(usize, String)> = None;
    for (at, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        if literal.is_none() && trimmed.starts_with("//") {
            if help && trimmed.starts_with("///") {
                found.push((at + 1, without_code(trimmed.trim_start_matches('/'))));
            }
            continue;
        }
        let mut characters = if literal.is_some() { trimmed } else { line }.chars().peekable();
        while let Some(c) = characters.next() {
            match (&mut literal, c) {
                (Some((_, words)), '\\') => match characters.next() {
                    Some('n') | None => words.push(' '),
                    Some(other) => words.push(other),
                },
                (Some(_), '"') => found.extend(literal.take().map(|(line, words)| (line, without_code(&words)))),
                (Some((_, words)), c) => words.push(c),
                (None, '"') => literal = Some((at + 1, String::new())),
                // A quote as a character literal does not start a string.
                (None, '\'') if characters.peek() == Some(&'"') => drop(characters.next()),
                (None, '/') if characters.peek() == Some(&'/') => break,
                (None, _) => {}
            }
        }
        if let Some((_, words)) = &mut literal {
            words.push(' ');
        }
    }
    for (_, words) in &mut found {
        *words = without_markup(words).split_whitespace().collect::<Vec<_>>().join(" ");
    }
    found.retain(|(_, words)| words.contains(' '));
    found
}

/// Without HTML and SVG tags, whose attributes have names of their own.
fn without_markup(words: &str) -> String {
    let mut parts = words.split('<');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_element = part.starts_with(|c: char| c.is_ascii_lowercase() || "/!{".contains(c));
        match part.split_once('>') {
            Some((_, behind)) if is_element => text.extend([" ", behind]),
            _ if is_element && part.contains('=') => {}
            _ => text.extend(["<", part]),
        }
    }
    text
}

/// Without the parts in backquotes.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}
