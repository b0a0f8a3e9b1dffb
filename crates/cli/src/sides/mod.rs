//! Resolves the arguments of `tare compare`: something to build, or a saved result.

mod results;

pub use results::read_result;

use crate::failure::{quoted_list, Failure};
use crate::request;
use results::{is_result, read_file, unpacked};
use serde::Deserialize;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use tare_analysis::Saved;
use tare_build::revision::{self, Benchmarks, Checkout, Side, SideContext, SideError, WORKTREE};
use tare_machine::environment;
use tare_model::{Run, SideFacts};
use tare_report::{clean, shell_word};
use tare_store::{RunRef, Store};

/// Shortest start of a run id that is accepted as one.
const ID_MIN: usize = 4;
/// Displayed digits of a revision.
const SHORT: usize = 8;

#[derive(Debug)]
pub enum SideInput {
    Runnable(Runnable),
    Saved(Box<Saved>),
}

#[derive(Debug)]
pub struct Runnable {
    pub name: String,
    /// More about it, on one line.
    pub detail: String,
    pub paths: Vec<PathBuf>,
    pub warnings: Vec<String>,
    /// The command that generates its git-ignored files, and the folder to run it in.
    pub prepare: Option<(String, PathBuf)>,
    /// What was copied over it.
    pub notes: Vec<String>,
    /// A state of the whole project: a revision or the working tree.
    pub is_project: bool,
    /// Files tracked by git differ from the commit.
    pub is_changed: bool,
}

impl Runnable {
    pub fn facts(&self) -> SideFacts {
        let (name, detail, warnings) = (self.name.clone(), self.detail.clone(), self.warnings.clone());
        SideFacts { name, detail, warnings, ..SideFacts::default() }
    }
}

pub struct Sides<'a> {
    pub store: &'a Store,
    pub cache: &'a Path,
    /// Criterion's baselines for the base and the new side.
    pub criterion: [&'a str; 2],
    /// The command that generates the git-ignored files, and its folder in the project.
    pub prepare: Option<&'a (String, PathBuf)>,
    pub benchmarks: Option<OfElsewhere<'a>>,
}

/// Benchmarks that are copied over revisions; read when the first revision needs them.
pub struct OfElsewhere<'a> {
    from: &'a str,
    read: OnceCell<Benchmarks>,
}

impl<'a> OfElsewhere<'a> {
    /// From `--benchmarks-from`.
    pub fn of(from: Option<&'a str>) -> Option<OfElsewhere<'a>> {
        from.map(|from| OfElsewhere { from, read: OnceCell::new() })
    }

    pub fn at(&self, paths: &[PathBuf], cache: &Path) -> Result<&Benchmarks, Failure> {
        if let Some(read) = self.read.get() {
            return Ok(read);
        }
        let read = revision::benchmarks(Path::new("."), self.from, paths, cache).map_err(Failure::Side)?;
        Ok(self.read.get_or_init(|| read))
    }
}

/// The meaning of a side's name, before anything is checked out or read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SideName {
    Run(RunRef),
    Side(Side),
}

impl<'a> Sides<'a> {
    /// For uses that need neither a preparation nor benchmarks from elsewhere.
    pub fn of(store: &'a Store, cache: &'a Path) -> Sides<'a> {
        Sides { store, cache, criterion: ["", ""], prepare: None, benchmarks: None }
    }

    /// Resolves both names. If the base is a revision and `NEW` is a file or folder of its repository, that path is built on both sides:
    /// comparing a whole revision with one file makes no sense.
    ///
    /// `A...B` is the fork of both against B, as for `git diff`.
    pub fn both(&self, base: &str, new: Option<&str>, paths: &[PathBuf]) -> Result<(SideInput, SideInput), Failure> {
        if let Some((old, of_new)) = forked(base) {
            let fork = revision::merge_base(Path::new("."), old, of_new).map_err(Failure::Revision)?;
            let paths: Vec<PathBuf> = new.map(PathBuf::from).into_iter().chain(paths.iter().cloned()).collect();
            return self.both(&fork.short, Some(of_new), &paths);
        }
        let of_base = self.word(base)?;
        if new.is_none() {
            refuse_itself(base, &of_base)?;
        }
        let of_new = new.map_or(Ok(SideName::Side(Side::Worktree)), |new| self.word(new))?;
        let mut paths = paths.to_vec();
        let (of_new, name) = match (&of_base, &of_new) {
            (SideName::Side(Side::Revision(_)), SideName::Side(Side::Source(source))) if self.is_own(source) => {
                paths.insert(0, source.clone());
                (SideName::Side(Side::Worktree), WORKTREE)
            }
            _ => (of_new.clone(), new.unwrap_or(WORKTREE)),
        };
        self.refuse_reports([(base, &of_base), (name, &of_new)])?;
        let [of_base_side, of_new_side] = self.criterion;
        let of_repository = match (&of_base, &of_new) {
            (SideName::Side(Side::Revision(base)), SideName::Side(Side::Worktree)) => {
                Some((base.clone(), "HEAD".to_owned()))
            }
            // An older commit as the new side is deliberate, so there is no warning.
            (SideName::Side(Side::Revision(base)), SideName::Side(Side::Revision(new))) => {
                Some((base.clone(), new.clone())).filter(|_| revision::ahead(Path::new("."), new, base) > 0)
            }
            _ => None,
        };
        let mut input = self.given(base, of_base, &paths, of_base_side)?;
        if let (SideInput::Runnable(side), Some((base, new))) = (&mut input, of_repository) {
            say_ahead(side, &base, &new);
        }
        Ok((input, self.given(name, of_new, &paths, of_new_side)?))
    }

    /// A report from `-o FILE.json` has no measurements, only the id of the run that has them.
    fn refuse_reports(&self, sides: [(&str, &SideName); 2]) -> Result<(), Failure> {
        let id = |side: &SideName| match side {
            SideName::Side(Side::Result(path)) => run_of_report(path),
            _ => None,
        };
        let ids = sides.map(|(_, side)| id(side));
        let Some(at) = ids.iter().position(Option::is_some) else { return Ok(()) };
        let lost = ids.iter().flatten().find(|id| self.store.locate(&RunRef::Prefix((*id).clone())).is_err());
        let hint = match lost {
            None => {
                let words = sides.iter().zip(&ids).map(|((name, _), id)| id.as_deref().unwrap_or(name));
                let words: Vec<String> = words.map(|word| shell_word(&clean(word))).collect();
                format!("compare the stored run: `tare compare {}`", words.join(" "))
            }
            Some(id) => {
                let id = clean(id);
                format!(
                    "run `{id}` is not stored here: copy the folder `.tare/runs/{id}` from where it was measured (without `--no-save`), then pass that folder instead of the report"
                )
            }
        };
        Err(Failure::Usage { what: format!("`{}` is a report, without the measurements", clean(sides[at].0)), hint })
    }

    /// Whether this names a saved result.
    pub fn is_saved(&self, name: &str) -> Result<bool, Failure> {
        if forked(name).is_some() {
            return Ok(false);
        }
        Ok(matches!(self.word(name)?, SideName::Run(_) | SideName::Side(Side::Result(_))))
    }

    fn is_own(&self, path: &Path) -> bool {
        let checkout = revision::checkout(Path::new("."), WORKTREE, None, self.cache);
        checkout.is_ok_and(|checkout| checkout.path(path).is_ok())
    }

    /// The run of Tare that this names, with all measurements; None for anything else.
    pub fn run(&self, name: &str) -> Result<Option<Run>, Failure> {
        let reference = match self.word(name)? {
            SideName::Run(reference) => reference,
            SideName::Side(Side::Result(path)) if is_run(&path) => RunRef::Path(path),
            SideName::Side(_) => return Ok(None),
        };
        request::load(self.store, &reference).map(Some)
    }

    pub fn is_side(&self, name: &str) -> bool {
        self.word(name).is_ok()
    }

    fn word(&self, text: &str) -> Result<SideName, Failure> {
        if let Some(run) = text.strip_prefix("run:") {
            return self.store.reference(run).map(SideName::Run).map_err(Failure::Store);
        }
        let run = self.store.reference(text).ok().filter(|run| !matches!(run, RunRef::Path(_)));
        let run = run.filter(|run| matches!(run, RunRef::Latest(_)) || self.store.locate(run).is_ok());
        let is_digits = text.bytes().all(|b| b.is_ascii_hexdigit());
        let is_short = is_digits && text.len() < ID_MIN;
        let context = SideContext { folder: Path::new("."), is_result: &is_result };
        match (run, revision::resolve_side(text, &context)) {
            // `latest` is reserved; a branch of this name can be given as `refs/heads/latest`.
            (Some(run @ RunRef::Latest(_)), _) => Ok(SideName::Run(run)),
            (_, Err(error @ SideError::Ambiguous { .. })) => Err(Failure::Side(error)),
            // One or two digits match the start of a run id by chance.
            (Some(_), Ok(side)) if is_short => Ok(SideName::Side(side)),
            (Some(_), Err(_)) if is_short => Err(Failure::Usage {
                what: format!("`{text}` is too short for a run id"),
                hint: format!("write at least {ID_MIN} digits, or `run:{text}`; list the runs with `tare runs`"),
            }),
            (Some(run), Err(_)) => Ok(SideName::Run(run)),
            // For digits, an existing file takes precedence over a run id; a full baseline name is ambiguous instead.
            (Some(_), Ok(side @ (Side::Result(_) | Side::Program(_) | Side::Source(_)))) if is_digits => {
                Ok(SideName::Side(side))
            }
            (Some(_), Ok(other)) => {
                let is_baseline = self.store.baselines().is_ok_and(|baselines| baselines.contains_key(text));
                let run = if is_baseline { "baseline" } else { "run" };
                let (_, of_other) = noun(&other).split_once(' ').unwrap_or_default();
                Err(Failure::Usage {
                    what: format!("`{text}` is a {run} and {}", noun(&other)),
                    hint: format!(
                        "write `run:{text}` for the {run} or `{}` for the {of_other}",
                        unambiguous(text, &other)
                    ),
                })
            }
            (None, Ok(side)) => Ok(SideName::Side(side)),
            (None, Err(error)) => Err(Failure::Side(error)),
        }
    }

    fn given(&self, name: &str, word: SideName, paths: &[PathBuf], criterion: &str) -> Result<SideInput, Failure> {
        let alone = || match paths.first() {
            None => Ok(()),
            Some(path) => Err(Failure::Usage {
                what: format!("`{}` cannot be built from `{name}`, which is a single file", path.display()),
                hint: "leave out the paths, or compare two revisions or folders".to_owned(),
            }),
        };
        match word {
            SideName::Run(run) => alone().and_then(|()| self.saved_run(name, &run)),
            SideName::Side(Side::Result(path)) => alone().and_then(|()| self.saved_file(name, &path, criterion)),
            SideName::Side(Side::Program(path)) => {
                alone()?;
                Ok(SideInput::Runnable(runnable(name, "a built program", vec![path])))
            }
            SideName::Side(Side::Source(path)) if path.is_dir() => {
                let prepare = self.prepare.map(|(line, _)| (line.clone(), path.clone()));
                let paths = if paths.is_empty() { vec![path] } else { paths.iter().map(|p| path.join(p)).collect() };
                Ok(SideInput::Runnable(Runnable { prepare, ..runnable(name, "a folder", paths) }))
            }
            SideName::Side(Side::Source(path)) => {
                alone()?;
                Ok(SideInput::Runnable(runnable(name, "a source file", vec![path])))
            }
            SideName::Side(Side::Worktree) => self.worktree(name, paths).map(SideInput::Runnable),
            SideName::Side(Side::Revision(text)) => self.revision(&text, paths).map(SideInput::Runnable),
        }
    }

    pub fn revision(&self, text: &str, paths: &[PathBuf]) -> Result<Runnable, Failure> {
        let here = [PathBuf::from(".")];
        if self.cache.as_os_str().is_empty() {
            return Err(Failure::NoHome { variable: "XDG_CACHE_HOME" });
        }
        let checkout = self.checkout(text, paths)?;
        let wanted = if paths.is_empty() { &here[..] } else { paths };
        let found = wanted.iter().map(|path| checkout.path(path)).collect::<Result<Vec<_>, _>>();
        let detail = checkout.commit.as_ref().map(|c| format!("{} {}", &c.id[..SHORT.min(c.id.len())], c.subject));
        let detail = self.with_benchmarks(detail.unwrap_or_default());
        let paths = found.map_err(Failure::Revision)?;
        let prepare = self.prepare_in(&checkout)?;
        let notes = [&checkout.notes[..], &self.laid_over(&checkout)].concat();
        let runnable = runnable(short_name(text), &detail, paths);
        Ok(Runnable { warnings: checkout.warnings, prepare, notes, is_project: true, ..runnable })
    }

    /// The project's preparation command, with its folder in the checkout.
    fn prepare_in(&self, checkout: &Checkout) -> Result<Option<(String, PathBuf)>, Failure> {
        let Some((line, folder)) = self.prepare else { return Ok(None) };
        let folder = checkout.path(folder).map_err(Failure::Revision)?;
        Ok(Some((line.clone(), folder)))
    }

    fn checkout(&self, text: &str, paths: &[PathBuf]) -> Result<Checkout, Failure> {
        let benchmarks = self.benchmarks.as_ref().map(|of| of.at(paths, self.cache)).transpose()?;
        revision::checkout(Path::new("."), text, benchmarks, self.cache).map_err(Failure::Revision)
    }

    /// The user's files as they are; with benchmarks from elsewhere, a copy of them.
    fn worktree(&self, name: &str, paths: &[PathBuf]) -> Result<Runnable, Failure> {
        let mut side = Runnable { prepare: self.prepare.cloned(), ..worktree(name, paths)? };
        if self.benchmarks.as_ref().is_none_or(|of| of.from == WORKTREE) {
            // Without git there is nothing to warn about.
            side.warnings.extend(self.checkout(WORKTREE, paths).into_iter().flat_map(|checkout| checkout.warnings));
            return Ok(side);
        }
        let checkout = self.checkout(WORKTREE, paths)?;
        let found = side.paths.iter().map(|path| checkout.path(path)).collect::<Result<Vec<_>, _>>();
        let (notes, detail) = (self.laid_over(&checkout), self.with_benchmarks(side.detail));
        let warnings = [side.warnings, checkout.warnings.clone()].concat();
        let prepare = self.prepare_in(&checkout)?;
        Ok(Runnable { paths: found.map_err(Failure::Revision)?, prepare, notes, detail, warnings, ..side })
    }

    fn with_benchmarks(&self, detail: String) -> String {
        match &self.benchmarks {
            Some(of) => format!("{detail}, with the benchmarks from {}", of.from).trim_start_matches(", ").to_owned(),
            None => detail,
        }
    }

    fn laid_over(&self, checkout: &Checkout) -> Vec<String> {
        let names: Vec<String> = checkout.laid_over.iter().map(|path| path.display().to_string()).collect();
        let from = self.benchmarks.as_ref().map_or("", |of| of.from);
        let note = || format!("copied over it from `{}`: {}", clean(from), quoted_list(&names));
        (!names.is_empty()).then(note).into_iter().collect()
    }

    fn saved_run(&self, name: &str, reference: &RunRef) -> Result<SideInput, Failure> {
        let run = request::load(self.store, reference)?;
        if tare_analysis::is_comparison(&run) {
            return Err(Failure::Usage {
                what: format!("run `{}` is itself a comparison of two sides", run.id),
                hint: format!("show it: `tare show {}`", run.id),
            });
        }
        Ok(SideInput::Saved(Box::new(Saved { name: name.to_owned(), ..Saved::from_run(&run) })))
    }

    fn saved_file(&self, name: &str, path: &Path, criterion: &str) -> Result<SideInput, Failure> {
        if is_run(path) {
            return self.saved_run(name, &RunRef::Path(path.to_owned()));
        }
        read_result(name, path, criterion).map(|saved| SideInput::Saved(Box::new(saved)))
    }
}

/// Both revisions of `A...B`; an omitted one is `HEAD`.
fn forked(text: &str) -> Option<(&str, &str)> {
    let (base, new) = text.split_once("...").filter(|_| !text.starts_with(['.', '/']) && !Path::new(text).exists())?;
    let [base, new] = [base, new].map(|text| if text.is_empty() { "HEAD" } else { text });
    Some((base, new))
}

/// Warns that the base has commits that the new side lacks, because their effects are charged to the new side.
fn say_ahead(side: &mut Runnable, base: &str, new: &str) {
    let ahead = revision::ahead(Path::new("."), base, new);
    if ahead == 0 {
        return;
    }
    let what = format!("it has {} that `{}` lacks", tare_model::text::plural(ahead, "commit"), clean(new));
    let fork = revision::merge_base(Path::new("."), base, new).map(|fork| fork.short);
    let since = fork.map(|fork| format!("; since the fork: `tare compare {fork}`")).unwrap_or_default();
    side.detail.push_str(&format!(" ({what})"));
    side.warnings.push(format!("{what}{since}"));
}

/// Without another side, a file of the working tree or all of it would be compared with itself.
fn refuse_itself(name: &str, side: &SideName) -> Result<(), Failure> {
    let SideName::Side(Side::Source(path)) = side else { return Ok(()) };
    let (Ok(path), Ok(here)) = (path.canonicalize(), Path::new(".").canonicalize()) else { return Ok(()) };
    if path != here && !(path.is_file() && path.starts_with(&here)) {
        return Ok(());
    }
    let word = shell_word(&clean(name));
    let committed = match is_revision("HEAD") {
        true => format!("with the last commit: `tare compare HEAD {word}`; "),
        false => String::new(),
    };
    let what = format!("`{}` would be compared with itself: no other side is named", clean(name));
    let hint = format!("{committed}with another file or folder: `tare compare {word} OTHER`; its benchmarks with each other: `tare run {word}`");
    Err(Failure::Usage { what, hint })
}

fn is_run(path: &Path) -> bool {
    ["run.json", "events.jsonl"].iter().any(|name| path.join(name).is_file())
}

fn run_of_report(path: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Document {
        format: String,
        report: About,
    }
    #[derive(Deserialize)]
    struct About {
        run: String,
    }
    if !path.is_file() {
        return None;
    }
    let bytes = unpacked(read_file(path).ok()?, tare_import::BYTES_MAX);
    let document: Document = serde_json::from_slice(&bytes).ok()?;
    let is_id = matches!(document.report.run.parse(), Ok(RunRef::Prefix(_)));
    (document.format == "tare-report" && is_id).then_some(document.report.run)
}

/// A revision for headings: a full hash is shortened.
pub fn short_name(text: &str) -> &str {
    let is_whole = [40, 64].contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_whole {
        &text[..SHORT]
    } else {
        text
    }
}
fn runnable(name: &str, detail: &str, paths: Vec<PathBuf>) -> Runnable {
    Runnable {
        name: name.to_owned(),
        detail: detail.to_owned(),
        paths,
        prepare: None,
        warnings: Vec::new(),
        notes: Vec::new(),
        is_project: false,
        is_changed: false,
    }
}

fn worktree(name: &str, paths: &[PathBuf]) -> Result<Runnable, Failure> {
    let paths = if paths.is_empty() { vec![PathBuf::from(".")] } else { paths.to_vec() };
    let git = environment::git_state(Path::new("."));
    let is_changed = git.as_ref().is_some_and(|git| git.dirty);
    let detail = git.map_or_else(String::new, |git| {
        let short: String = git.revision.chars().take(SHORT).collect();
        format!("{short}{}", if is_changed { " with changes" } else { "" })
    });
    Ok(Runnable { is_project: true, is_changed, ..runnable(name, &detail, paths) })
}

fn noun(side: &Side) -> &'static str {
    match side {
        Side::Result(_) => "a result file",
        Side::Program(_) => "a program",
        Side::Source(_) => "a file or folder",
        Side::Worktree => "the working tree",
        Side::Revision(_) => "a git revision",
    }
}

fn unambiguous(text: &str, side: &Side) -> String {
    match side {
        Side::Revision(_) => {
            let names = ["heads", "tags", "remotes"].map(|kind| format!("refs/{kind}/{text}"));
            // Skips names such as `HEAD`. `~0` is the commit itself, and no baseline name contains it.
            names.into_iter().find(|name| is_revision(name)).unwrap_or_else(|| format!("{text}~0"))
        }
        _ => format!("./{text}"),
    }
}

pub fn is_revision(text: &str) -> bool {
    let context = SideContext { folder: Path::new("."), is_result: &is_result };
    matches!(revision::resolve_side(text, &context), Ok(Side::Revision(_)))
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn a_whole_hash_is_no_heading() {
        assert_eq!(short_name("0123456789abcdef0123456789abcdef01234567"), "01234567");
        assert_eq!((short_name("main"), short_name("deadbeef")), ("main", "deadbeef"));
    }
}
