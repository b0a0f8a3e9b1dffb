//! Tests the documentation: commands print what the page shows, and every link leads to a file.
//!
//! In a `console` block, each line that starts with `$ ` is run by `sh` in a scratch folder with `tare` on the PATH. The lines after it
//! must appear in the output in this order, each as the start of a line. Bars and the widths of gaps are ignored; of a line that starts
//! with a name, only the text before the first number counts, since verdicts differ between machines. `...` stands for any lines. Measuring
//! is shortened: `--launches 2 --rounds 5` is added, and commands run four times. A line `(exit 10)` gives the expected exit code instead
//! of 0, `(exit 0 or 11)` if it depends on the machine. `console no-run: REASON` is only counted. A code block whose first line names a
//! file after the language (`cpp parse.cpp`) is written to that file for the blocks after it. Pages of `frontends/NAME` start in a copy of
//! that folder, all others in a git repository with the repository's `examples` and `spec` in two equal revisions, `main` and the current
//! branch. `crates/cli` (`tests/documents.rs`) tests that every `tare` command is parsed, also in blocks that are not run.

use crate::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../../fixtures/python_child.rs"]
mod python_child;
#[path = "../../fixtures/steady.rs"]
mod steady;

/// A command of a page with its expected output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Line of the page, from 1.
    pub line: usize,
    pub command: String,
    /// Lines that must appear in the output.
    pub output: Vec<String>,
    /// Allowed exit codes.
    pub exits: Vec<i32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A file for the blocks after it.
    File {
        /// Path in the scratch folder.
        path: String,
        text: String,
    },
    Console(Vec<Step>),
    /// Commands that are only shown, and the reason.
    NotRun(String),
}

/// The relevant blocks of a page, in order.
///
/// # Errors
/// If a block that is not run has no reason, or output comes before the first command.
pub fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let mut found = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let body: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| !line.starts_with("```")).collect();
        let info = info.trim();
        // Other Markdown readers do not open a block at such a line, which would swap all following text and code.
        if info.contains('`') {
            return Err(format!("line {}: what stands behind ``` has no backquotes", at + 1));
        }
        if let Some(rest) = info.strip_prefix("console no-run") {
            let reason = rest.trim_start_matches(':').trim();
            if reason.is_empty() {
                return Err(format!(
                    "line {}: `console no-run` needs a reason: `console no-run: needs two revisions`",
                    at + 1
                ));
            }
            found.push(Block::NotRun(reason.to_owned()));
        } else if info == "console" {
            found.push(Block::Console(steps(&body)?));
        } else if let Some((_, path)) = info.split_once(' ').filter(|(_, path)| is_file_name(path)) {
            let text = body.iter().map(|(_, line)| format!("{line}\n")).collect();
            found.push(Block::File { path: path.to_owned(), text });
        }
    }
    Ok(found)
}

fn is_file_name(text: &str) -> bool {
    text.contains('.') && !text.contains([' ', '=', '{', '"']) && !text.starts_with('/') && !text.contains("..")
}

fn steps(body: &[(usize, &str)]) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    for (at, line) in body {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { line: at + 1, command: command.to_owned(), output: Vec::new(), exits: vec![0] });
            continue;
        }
        let step = steps.last_mut().ok_or_else(|| format!("line {}: output stands above the first `$ `", at + 1))?;
        let exits = line.strip_prefix("(exit ").and_then(|rest| rest.strip_suffix(')'));
        match exits.map(|codes| codes.split(" or ").map(str::parse).collect::<Result<Vec<i32>, _>>()) {
            Some(Ok(exits)) => step.exits = exits,
            _ => step.output.push((*line).to_owned()),
        }
    }
    Ok(steps)
}

/// The comparable part of a line: without numbers and bars, with gaps normalised, and after a name without measured values.
fn loose(line: &str) -> String {
    let is_bar = |c: char| ('\u{2581}'..='\u{258f}').contains(&c);
    let is_row = line.trim_start().starts_with(char::is_alphabetic);
    let mut text = String::new();
    for word in line.split_whitespace().filter(|word| !word.chars().all(is_bar)) {
        if is_row && !text.is_empty() && word.starts_with(|c: char| c.is_ascii_digit() || c == '<') {
            break;
        }
        let mut shape = String::new();
        for c in word.chars() {
            match c {
                '0'..='9' | '.' | ',' if shape.ends_with('#') => {}
                '0'..='9' => shape.push('#'),
                '-' | ':' if shape.ends_with(c) => {}
                c => shape.push(c),
            }
        }
        // The unit depends on the size of the number, and the sign may be dropped with it.
        if !["ns", "µs", "us", "ms", "s", "<"].contains(&shape.as_str()) {
            text.push(' ');
            text.push_str(&shape);
        }
    }
    text
}

/// The first expected line that is missing from the output or out of order.
fn missing<'a>(expected: &'a [String], output: &str) -> Option<&'a str> {
    let mut lines = output.lines().map(loose);
    let wanted = expected.iter().filter(|line| !line.trim().is_empty() && line.trim() != "...");
    wanted.map(String::as_str).find(|line| !lines.any(|there| there.starts_with(&loose(line))))
}

fn pages(root: &Path) -> Vec<PathBuf> {
    let mut pages = vec![root.join("README.md")];
    markdown_below(&root.join("docs"), &mut pages);
    let front_ends = fs::read_dir(root.join("frontends")).into_iter().flatten().flatten();
    pages.extend(front_ends.map(|entry| entry.path().join("README.md")));
    pages.retain(|page| page.is_file());
    pages.sort();
    pages
}

fn markdown_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            markdown_below(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)?.flatten() {
        let name = entry.file_name();
        let hidden = name.to_string_lossy().starts_with('.');
        let (from, to) = (entry.path(), to.join(&name));
        if from.is_dir() && !hidden && name != "target" && name != "build" {
            copy_folder(&from, &to)?;
        } else if from.is_file() {
            fs::copy(&from, &to)?;
        }
    }
    Ok(())
}

/// The combined result of all pages.
#[derive(Debug, Default)]
pub struct Tally {
    passed: usize,
    links: usize,
    not_run: Vec<String>,
    failures: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.links += other.links;
        self.not_run.extend(other.not_run);
        self.failures.extend(other.failures);
    }

    /// Checks links to files of the repository.
    fn links(&mut self, page: &Path, name: &str, text: &str) {
        let folder = page.parent().unwrap_or(page);
        for target in links(text) {
            if folder.join(target).exists() {
                self.links += 1;
            } else {
                self.failures.push(format!("{name}: the link `{target}` leads nowhere"));
            }
        }
    }
}

/// The files that a page links to, without anchors. `[](` is a C++ lambda, not a link: a link has a text.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices("](").filter(|(at, _)| !text[..*at].ends_with('['));
    let targets = starts.filter_map(|(at, start)| text[at + start.len()..].split(')').next());
    let files = targets.filter_map(|target| target.split(['#', ' ']).next());
    files.filter(|file| !file.is_empty() && !file.contains(':'))
}

/// Tests all pages, prints failures and skipped blocks, and ends with the line `N passed, N failed`. Builds `tare` first if `builds` is
/// set.
///
/// # Errors
/// If a command fails or prints something else, or `tare` cannot be built.
pub fn run(builds: bool, only: &[&str]) -> Result<(), String> {
    let root = root();
    let tare = tare(&root, builds)?;
    let mut pages = pages(&root);
    pages.retain(|page| only.is_empty() || only.iter().any(|end| page.ends_with(end)));
    if pages.is_empty() {
        return Err(format!("no page ends in {}", only.join(" or ")));
    }
    // Most commands wait for a child, so two pages run at a time. Pages that build the examples share a folder, so that each example is
    // built once.
    let (with_examples, others): (Vec<_>, Vec<_>) = pages.into_iter().partition(|page| builds_examples(page));
    let new_folder = || steady::steady("tare-documents", &root).map_err(|e| format!("a folder: {e}"));
    let (folder, other_folder) = (new_folder()?, new_folder()?);
    let test_pages = |pages: &[PathBuf], folder: &Path| -> Result<Tally, String> {
        let mut tally = Tally::default();
        for page in pages {
            tally.add(test_page(&root, page, &tare, &folder.join("work"))?);
        }
        Ok(tally)
    };
    let tally = std::thread::scope(|scope| {
        let other = scope.spawn(|| test_pages(&others, &other_folder));
        let mut tally = test_pages(&with_examples, &folder)?;
        tally.add(other.join().map_err(|_| "a thread panicked")??);
        Ok::<_, String>(tally)
    })?;
    for line in tally.not_run.iter().chain(&tally.failures) {
        println!("{line}");
    }
    println!("{} links, {} commands run, {} blocks not run", tally.links, tally.passed, tally.not_run.len());
    println!("{} passed, {} failed", tally.passed + tally.links, tally.failures.len());
    if tally.failures.is_empty() {
        Ok(())
    } else {
        Err("the documents show what is not so".to_owned())
    }
}

fn builds_examples(page: &Path) -> bool {
    let text = fs::read_to_string(page).unwrap_or_default();
    text.lines().any(|line| line.starts_with("$ tare ") && line.contains(" examples/"))
}

fn test_page(root: &Path, page: &Path, tare: &Path, folder: &Path) -> Result<Tally, String> {
    let text = fs::read_to_string(page).map_err(|e| format!("{}: {e}", page.display()))?;
    let name = page.strip_prefix(root).unwrap_or(page).display().to_string();
    let mut tally = Tally::default();
    tally.links(page, &name, &text);
    match blocks(&text) {
        Ok(blocks) if blocks.iter().any(|b| !matches!(b, Block::File { .. })) => {
            run_blocks(root, page, &name, &blocks, (tare, folder), &mut tally)?;
        }
        Ok(_) => {}
        Err(problem) => tally.failures.push(format!("{name}: {problem}")),
    }
    Ok(tally)
}

/// The folder of `tare`, which is beside this program.
pub(crate) fn tare(root: &Path, builds: bool) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = || Command::new(cargo).args(["build", "--quiet", "-p", "tare-cli"]).current_dir(root).status();
    let built = !builds || build().map_err(|e| format!("cargo: {e}"))?.success();
    let here = std::env::current_exe().map_err(|e| e.to_string())?;
    let folder = here.parent().map(Path::to_owned).unwrap_or_default();
    if built && folder.join("tare").exists() {
        Ok(folder)
    } else {
        Err(format!("`tare` could not be built into `{}`", folder.display()))
    }
}

fn run_blocks(
    root: &Path,
    page: &Path,
    name: &str,
    blocks: &[Block],
    (tare, folder): (&Path, &Path),
    tally: &mut Tally,
) -> Result<(), String> {
    let _ = fs::remove_dir_all(folder);
    let is_front_end = page.starts_with(root.join("frontends"));
    let from = if is_front_end { page.parent().unwrap_or(root).to_owned() } else { root.join("examples") };
    let to = if is_front_end { folder.to_owned() } else { folder.join("examples") };
    copy_folder(&from, &to).map_err(|e| format!("{}: {e}", from.display()))?;
    if !is_front_end {
        let spec = root.join("spec");
        let to = folder.join("spec");
        copy_folder(&spec, &to).map_err(|e| format!("{}: {e}", spec.display()))?;
        let child = to.join("reference_child.py");
        let changed = fs::read_to_string(&child).map(|text| python_child::changed(&text, python_child::QUICK));
        changed.and_then(|text| fs::write(&child, text)).map_err(|e| format!("{}: {e}", child.display()))?;
        repository(folder)?;
    }
    for block in blocks {
        match block {
            Block::File { path, text } => {
                let path = folder.join(path);
                let above = path.parent().map_or(Ok(()), fs::create_dir_all);
                above.and_then(|()| fs::write(&path, text)).map_err(|e| format!("{}: {e}", path.display()))?;
            }
            Block::Console(steps) => {
                for step in steps {
                    match one_step(step, folder, tare) {
                        Ok(()) => tally.passed += 1,
                        Err(problem) => {
                            tally.failures.push(format!("{name}:{}: `{}`: {problem}", step.line, step.command))
                        }
                    }
                }
            }
            Block::NotRun(reason) => {
                tally.not_run.push(format!("skipped: {name}: a block is not run: {reason}"));
            }
        }
    }
    let _ = fs::remove_dir_all(folder);
    Ok(())
}

/// Fixed dates give the commits fixed ids, which are part of the cache keys of builds.
const DATES: [(&str, &str); 2] =
    [("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z"), ("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")];

/// Makes the folder a git repository with two equal revisions: `main` and the branch `faster-parser`.
fn repository(folder: &Path) -> Result<(), String> {
    let script = "git init --quiet --initial-branch main && git add --all && git commit --quiet -m first && \
                  git switch --quiet -c faster-parser && git commit --quiet --allow-empty -m second";
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(folder).envs(DATES);
    as_reader(&mut command);
    let output = command.output().map_err(|e| format!("git: {e}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    output.status.success().then_some(()).ok_or_else(|| format!("git: {said}"))
}

/// Gives the commits an author on any machine. A page can still set another one with git's `-c`, which wins.
fn as_reader(command: &mut Command) {
    command.env("GIT_CONFIG_COUNT", "2");
    for (number, (key, value)) in [("user.name", "a reader"), ("user.email", "reader@example.org")].iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{number}"), key).env(format!("GIT_CONFIG_VALUE_{number}"), value);
    }
}

/// Flags added to commands with these beginnings: pages show the form of the output, not precision.
const SHORT: [(&str, &str); 3] = [
    ("tare run ", " --launches 2 --rounds 5"),
    ("tare compare main ", " --launches 2 --rounds 5 --layouts 1"),
    ("tare compare HEAD ", " --launches 2 --rounds 5 --layouts 1"),
];

/// The command with as little measuring as possible.
fn shortened(command: &str) -> String {
    if command.starts_with("tare time ") {
        return command.replace(" --quick", " --runs 4");
    }
    let Some((_, flags)) = SHORT.iter().find(|(start, _)| command.starts_with(start)) else {
        return command.to_owned();
    };
    let (words, behind) = command.split_at(command.find(" -- ").unwrap_or(command.len()));
    format!("{words}{flags}{behind}")
}

fn one_step(step: &Step, folder: &Path, tare: &Path) -> Result<(), String> {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.args(["-c", &shortened(&step.command)]).current_dir(folder).stdin(std::process::Stdio::null());
    command.env("PATH", format!("{}:{path}", tare.display())).env("TARE_DIRECT", "1");
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "CXX", "CC", "CXXFLAGS", "CFLAGS"] {
        command.env_remove(name);
    }
    // Shared with the end-to-end tests, so that equal programs are built once and the user's cache stays clean.
    command.env("XDG_CACHE_HOME", tare.join("../tmp/cache")).envs(DATES);
    command.env("XDG_STATE_HOME", folder.with_extension("state"));
    as_reader(&mut command);
    let output = command.output().map_err(|e| format!("sh: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if !output.status.code().is_some_and(|code| step.exits.contains(&code)) {
        let exits: Vec<String> = step.exits.iter().map(i32::to_string).collect();
        return Err(format!("{}, not {}\n{text}", output.status, exits.join(" or ")));
    }
    match missing(&step.output, &text) {
        Some(line) => Err(format!("it does not print this line:\n{line}\nbut:\n{text}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
