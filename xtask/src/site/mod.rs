//! The documentation as a site: one page for each Markdown file reachable from the README, with the contents of `docs/README.md` beside it,
//! links to the previous and next page, and a search. Plain files for any server, or none, and no network; only the search page has a
//! script.
//!
//! Every link is checked: a missing file or heading is an error, and nothing is written.

mod page;
mod search;

use crate::documents::tare;
use crate::root;
use page::{Entry, Page};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

/// The first page, and the page with the contents.
const START: &str = "README.md";
const CONTENTS: &str = "docs/README.md";
/// The page that contains the help of all commands in the site.
const REFERENCE: &str = "docs/reference/cli.md";
const STYLE: &str = include_str!("site.css");

/// Everything reachable from the first page.
#[derive(Debug, Default)]
struct Found {
    /// Markdown files by their path in the repository.
    pages: BTreeMap<PathBuf, Page>,
    /// Other files that pages link to.
    files: BTreeSet<PathBuf>,
    /// Links that lead nowhere.
    broken: Vec<String>,
}

/// Writes the site into a folder and prints its path. The folder is created; files of an older site are replaced.
///
/// # Errors
/// If a link leads nowhere, or a file cannot be read or written.
pub fn build(into: Option<&str>) -> Result<(), String> {
    let root = root();
    let into = into.map_or_else(|| root.join("target/site"), PathBuf::from);
    let mut found = find(&root)?;
    found.pages.insert(PathBuf::from(REFERENCE), Page::parse(&reference(&root)?));
    found.check_places();
    if !found.broken.is_empty() {
        return Err(format!("{}\n{} links lead nowhere", found.broken.join("\n"), found.broken.len()));
    }
    let sections =
        found.pages.get(Path::new(CONTENTS)).map(|page| page.sections(Path::new(CONTENTS))).unwrap_or_default();
    let order: Vec<&Entry> = sections.iter().flat_map(|section| &section.entries).collect();
    for (path, page) in &found.pages {
        let known = |target: &Path| found.pages.contains_key(target);
        let text = page.html(path, &sections, neighbours(&order, path), &known);
        write(&into.join(output(path)), text.as_bytes())?;
    }
    for file in &found.files {
        let bytes = fs::read(root.join(file)).map_err(|error| format!("{}: {error}", file.display()))?;
        write(&into.join(file), &bytes)?;
    }
    write(&into.join("site.css"), STYLE.as_bytes())?;
    write(&into.join(search::PAGE), search::page().as_bytes())?;
    write(&into.join(search::TEXTS), search::texts(&found.pages).as_bytes())?;
    write(&into.join(search::SCRIPT), search::SCRIPT_TEXT.as_bytes())?;
    let links: usize = found.pages.values().map(|page| page.links().count()).sum();
    println!("{} pages, {} files, {links} links checked", found.pages.len(), found.files.len());
    println!("{}", into.join(output(Path::new(START))).display());
    Ok(())
}

fn neighbours<'a>(order: &[&'a Entry], path: &Path) -> [Option<&'a Entry>; 2] {
    let Some(at) = order.iter().position(|entry| entry.path == path) else { return [None, None] };
    [at.checked_sub(1).and_then(|before| order.get(before)).copied(), order.get(at + 1).copied()]
}

/// The page of the command line, with the help of each command.
fn reference(root: &Path) -> Result<String, String> {
    // Without cargo, as in `./test`, this uses the `tare` beside this program.
    let tare = tare(root, std::env::var_os("CARGO").is_some())?.join("tare");
    let help = |words: &[&str]| {
        let output = Command::new(&tare).args(words).stderr(Stdio::inherit()).output();
        let output = output.map_err(|error| format!("{}: {error}", tare.display()))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(format!("`tare {}` ended with {}", words.join(" "), output.status)),
        }
    };
    let intro = page_text(root, Path::new(REFERENCE))?;
    let whole = help(&["--help"])?;
    let commands = whole.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let mut text = intro.lines().take_while(|line| !line.starts_with("The site")).collect::<Vec<_>>().join("\n");
    for name in commands.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        text.push_str(&format!("\n## tare {name}\n\n```text\n{}```\n", help(&[name, "--help"])?));
    }
    Ok(text)
}

/// All reachable pages, and the files that they link to.
fn find(root: &Path) -> Result<Found, String> {
    let mut found = Found::default();
    let mut next: VecDeque<PathBuf> = [START, CONTENTS].map(PathBuf::from).into();
    while let Some(path) = next.pop_front() {
        if found.pages.contains_key(&path) {
            continue;
        }
        let text = page_text(root, &path)?;
        let page = Page::parse(&text);
        for link in page.links() {
            let Some((target, _)) = target_of(&path, link) else { continue };
            match kind_of(root, &target) {
                PathKind::Page(page) => next.push_back(page),
                PathKind::File => drop(found.files.insert(target)),
                PathKind::Nothing => found.broken.push(format!("{}: the link `{link}` leads nowhere", path.display())),
            }
        }
        found.pages.insert(path, page);
    }
    Ok(found)
}

/// The text of a page; a folder without a `README.md` gets a list of its pages.
fn page_text(root: &Path, path: &Path) -> Result<String, String> {
    let file = root.join(path);
    if file.is_file() {
        return fs::read_to_string(&file).map_err(|error| format!("{}: {error}", path.display()));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let entries = fs::read_dir(root.join(folder)).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".md"))
        .collect();
    names.sort();
    let mut text = format!("# {}\n\n", capital(&folder.file_name().unwrap_or_default().to_string_lossy()));
    for name in names {
        let content = fs::read_to_string(root.join(folder).join(&name)).unwrap_or_default();
        let title = content.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(&name).to_owned();
        text.push_str(&format!("- [{title}]({name})\n"));
    }
    Ok(text)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What a path of the repository is in the site.
enum PathKind {
    Page(PathBuf),
    File,
    Nothing,
}

fn kind_of(root: &Path, path: &Path) -> PathKind {
    let file = root.join(path);
    if file.is_dir() {
        PathKind::Page(path.join("README.md"))
    } else if !file.is_file() {
        PathKind::Nothing
    } else if path.extension().is_some_and(|ending| ending == "md") {
        PathKind::Page(path.to_owned())
    } else {
        PathKind::File
    }
}

/// The path in the repository that a link leads to, and its anchor; None for a link out of the repository.
fn target_of(page: &Path, link: &str) -> Option<(PathBuf, Option<String>)> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, place) = match link.split_once('#') {
        Some((file, place)) => (file, Some(place.to_owned())),
        None => (link, None),
    };
    if file.is_empty() {
        return Some((page.to_owned(), place));
    }
    Some((normal(&page.parent().unwrap_or(Path::new("")).join(file)), place))
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if normal.pop() => {}
            other => normal.push(other),
        }
    }
    normal
}

/// The path of a repository page in the site.
fn output(path: &Path) -> PathBuf {
    match path.file_name().is_some_and(|name| name == "README.md") {
        true => path.with_file_name("index.html"),
        false => path.with_extension("html"),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let above = path.parent().map_or(Ok(()), fs::create_dir_all);
    above.and_then(|()| fs::write(path, bytes)).map_err(|error| format!("{}: {error}", path.display()))
}

impl Found {
    /// Records links to missing headings.
    fn check_places(&mut self) {
        let mut broken = Vec::new();
        for (path, page) in &self.pages {
            for link in page.links() {
                let Some((target, Some(place))) = target_of(path, link) else { continue };
                let target = self.pages.get(&target).or_else(|| self.pages.get(&target.join("README.md")));
                if target.is_some_and(|target| !target.has_place(&place)) {
                    broken.push(format!("{}: the link `{link}` names no heading", path.display()));
                }
            }
        }
        self.broken.extend(broken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_within_the_repository() {
        let of = |link: &str| target_of(Path::new("docs/guides/ci.md"), link);
        assert_eq!(of("../README.md#start"), Some(("docs/README.md".into(), Some("start".to_owned()))));
        assert_eq!(of("#gate"), Some(("docs/guides/ci.md".into(), Some("gate".to_owned()))));
        assert_eq!(of("../../spec/protocol.md"), Some(("spec/protocol.md".into(), None)));
        assert_eq!(of("https://example.org/a.md"), None);
        assert_eq!(output(Path::new("docs/README.md")), Path::new("docs/index.html"));
        assert_eq!(output(Path::new("docs/guides/ci.md")), Path::new("docs/guides/ci.html"));
    }

    #[test]
    fn every_page_of_the_documentation_is_in_the_site_and_every_link_leads_somewhere() {
        let mut found = find(&root()).expect("pages");
        found.check_places();
        assert!(found.broken.is_empty(), "{}", found.broken.join("\n"));
        let mut missing = Vec::new();
        let mut folders = vec![root().join("docs")];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
                let inside = path.strip_prefix(root()).expect("of the repository").to_owned();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "md") && !found.pages.contains_key(&inside) {
                    missing.push(inside);
                }
            }
        }
        assert!(missing.is_empty(), "no page leads to {missing:?}");
        let sections = found.pages[Path::new(CONTENTS)].sections(Path::new(CONTENTS));
        assert!(sections.len() >= 5 && sections.iter().all(|section| !section.entries.is_empty()), "{sections:?}");
    }
}
