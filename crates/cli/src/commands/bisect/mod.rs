//! `tare bisect`: finds the commit that made a benchmark slower. Both ends are compared first. Commits between them are then compared with
//! the good end until one is the culprit with a probability of 99 %, and that one is compared with its parent. `tare_stats::bisection`
//! chooses the next commit and computes the probabilities.

mod journal;
mod measure;
mod outcome;
mod subject;
#[cfg(test)]
mod tests;

use crate::args::Command;
use crate::console::Console;
use crate::failure::Failure;
use crate::output;
use crate::output::Forms;
use crate::request::{self, Settings};
use crate::session::Session;
use crate::sides::{self, OfElsewhere, Sides};
pub use journal::has_journal;
use journal::{Journal, Tried};
use measure::{compared, from_middle, level, only_row, Bench, Revision, Sought, Unmeasured};
use outcome::{Compared, End, Outcome, TriedCommit};
use std::path::Path;
use std::time::Instant;
#[cfg(test)]
pub use subject::KIND;
use tare_analysis::gate::Gate;
use tare_analysis::{Comparison, ComparisonRow, Verdict};
use tare_build::revision::{self, Between, WORKTREE};
use tare_engine::matches;
use tare_model::text::plural;
use tare_model::{ExitCode, Run, RunStatus};
use tare_report::{clean, shell_word, Line, Role, Volume};
use tare_stats::bisection::{most_probable, Bisection, Distance, History, Step};
use tare_store::{RunRef, Store};

/// Consecutive failures that are not a commit's before the search stops. Its results are kept.
const MISSES_MAX: u32 = 6;

pub fn bisect(settings: &Settings, console: &Console) -> Result<ExitCode, Failure> {
    // An interrupted bisection still prints what it has found.
    let _hold = tare_process::hold_interrupts();
    settings.forms.refuse(&subject::KIND, "use another, such as `-o bisection.html`, `.svg` or `.csv`")?;
    Session::hold(settings, console, |session| match &settings.resume {
        None => Search::of(*session, None)?.search(&settings.forms),
        Some(id) => {
            let journal = Journal::read(id, session.store)?;
            let begun = begun(settings, &journal)?;
            Search::of(Session { settings: &begun, ..*session }, Some(journal))?.search(&settings.forms)
        }
    })
}

/// The settings with which a resumed bisection was started.
fn begun(settings: &Settings, journal: &Journal) -> Result<Settings, Failure> {
    let wrong = |what: String, hint: String| Err(Failure::Usage { what, hint });
    if here()? != journal.folder {
        let folder = clean(&journal.folder.display().to_string());
        let hint = format!("resume it there: `cd {}`", shell_word(&folder));
        return wrong(format!("the bisection was started in `{folder}`"), hint);
    }
    let filters = &settings.selection.filters;
    if let (Some(key), false) = (&journal.key, filters.is_empty()) {
        return wrong(
            format!("the bisection is already about `{}`", clean(key)),
            format!("leave out `--filter`: `tare bisect --resume {}`", journal.run),
        );
    }
    let parsed = request::parse(&journal.command).ok();
    let Some((cli, request)) = parsed.filter(|(cli, _)| matches!(cli.command, Command::Bisect(_))) else {
        let hint = "start a new one: `tare bisect GOOD BAD`".to_owned();
        return wrong("the command of the bisection cannot be read by this version of tare".to_owned(), hint);
    };
    let mut begun = request::resolve(&cli.command, request)?;
    if !filters.is_empty() {
        begun.selection.filters.clone_from(filters);
    }
    Ok(begun)
}

fn here() -> Result<std::path::PathBuf, Failure> {
    let path = Path::new(".");
    path.canonicalize().map_err(|source| Failure::CannotRead { path: path.to_owned(), source })
}

struct Search<'a> {
    session: Session<'a>,
    between: Between,
    names: [String; 2],
    journal: Option<Journal>,
    start: Instant,
}

impl<'a> Search<'a> {
    fn of(session: Session<'a>, journal: Option<Journal>) -> Result<Search<'a>, Failure> {
        let Session { settings, console, .. } = session;
        let names = [&settings.base, &settings.new].map(|name| name.clone().unwrap_or_default());
        if let Some(word) = names.iter().find(|name| *name == WORKTREE) {
            return Err(Failure::Usage {
                what: format!("`{word}` is not a commit, and a bisection is about commits"),
                hint: "commit the changes and name the branch: `git commit`".to_owned(),
            });
        }
        // A branch may have moved since the bisection started.
        let [good, bad] = journal.as_ref().map_or_else(|| names.clone(), |journal| journal.ends.clone());
        let between =
            revision::history(Path::new("."), &good, &bad, settings.first_parent).map_err(Failure::Revision)?;
        between.warnings.iter().for_each(|warning| console.warn(&clean(warning)));
        let names = names.map(|name| sides::short_name(&name).to_owned());
        Ok(Search { session, between, names, journal, start: Instant::now() })
    }

    fn search(mut self, forms: &Forms) -> Result<ExitCode, Failure> {
        let cache = tare_store::cache_dir().unwrap_or_default();
        let Session { settings, store, console } = self.session;
        let benchmarks = OfElsewhere::of(settings.benchmarks_from.as_deref());
        let sides = Sides { store, cache: &cache, criterion: ["", ""], prepare: settings.prepare.as_ref(), benchmarks };
        self.same_benchmarks(&sides)?;
        let bench = Bench { session: self.session, sides: &sides };
        console.note(&format!(
            "{} after `{}` up to `{}`",
            plural(self.between.commits.len(), "commit"),
            clean(&self.names[0]),
            clean(&self.names[1])
        ));
        let ends = self.ends(&bench)?;
        if ends.status != RunStatus::Finished {
            return Ok(self.stopped(&ends.id));
        }
        let comparison = compared(&ends);
        let row = self.choose(&comparison)?.clone();
        let sought = Sought::of(&ends, &row.key).ok_or_else(|| self.nothing(&comparison))?;
        let verdict = subject::verdict_of(&row, &self.names[0], self.session.console.glyphs);
        self.progress(&format!("{} is {verdict}", self.names[1]));
        let last = self.between.commits.last().and_then(|last| last.first_parent.as_ref());
        let of_parent = last == Some(&self.between.good.id);
        let whole = level(&ends, Some(&row.key)).ok_or_else(|| self.nothing(&comparison))?;
        let ends = Compared { of_parent, base: self.names[0].clone(), row, run: ends.id.clone() };
        let mut bisection = self.known(&whole)?;
        let end = self.between_ends(&bench, &sought, &mut bisection, &whole)?;
        let mut outcome = self.outcome(&sought, &bisection, ends, end);
        outcome.failed = comparison.failed;
        if let Some((base, new)) = outcome.last_pair(bisection.history()) {
            self.compare_last(&bench, &sought, (base, new), &mut outcome);
        }
        outcome.elapsed_s = self.start.elapsed().as_secs_f64();
        let code = outcome.exit_code();
        let stopped = matches!(outcome.end, End::Stopped(_)).then(|| outcome.ends.run.clone());
        let shown = output::shown(Box::new(outcome), true, &Gate::default(), forms, self.session.console);
        let is_drawn = output::show(&shown, forms, self.session.console)?;
        if let Some(run) = stopped {
            self.stopped(&run);
        }
        Ok(if code == ExitCode::Ok && !is_drawn { ExitCode::NothingMatched } else { code })
    }

    /// The comparison of both ends: measured, resumed or read.
    fn ends(&mut self, bench: &Bench) -> Result<Run, Failure> {
        if let Some(journal) = &self.journal {
            let run = load(self.session.store, &journal.run)?;
            if run.status == RunStatus::Finished {
                return Ok(run);
            }
            return Ok(self.session.resume(&journal.run)?.run);
        }
        let last = self.between.commits.last().map(|c| c.commit.id.clone()).unwrap_or_default();
        let ids = [self.between.good.id.clone(), last];
        let run = bench.compare([Revision(&ids[0], &self.names[0]), Revision(&ids[1], &self.names[1])], None)?;
        let mut journal = Journal::new(self.session.settings.request.words(), here()?, ids, run.id.clone());
        journal.benchmarks = self.benchmarks(bench.sides)?;
        journal.write(self.session.store)?;
        self.journal = Some(journal);
        Ok(run)
    }

    fn benchmarks(&self, sides: &Sides) -> Result<Option<String>, Failure> {
        let of = sides.benchmarks.as_ref();
        let read = of.map(|of| of.at(&self.session.settings.paths, sides.cache)).transpose()?;
        Ok(read.map(|benchmarks| benchmarks.hash().to_owned()))
    }

    /// A resumed bisection uses the benchmarks of its first part.
    fn same_benchmarks(&self, sides: &Sides) -> Result<(), Failure> {
        let Some(journal) = &self.journal else { return Ok(()) };
        match self.benchmarks(sides)? == journal.benchmarks {
            true => Ok(()),
            false => Err(Failure::Usage {
                what: format!(
                    "the benchmarks of `{}` have changed since the bisection began",
                    clean(self.session.settings.benchmarks_from.as_deref().unwrap_or_default())
                ),
                hint: "start a new one, or bring back the files as they were".to_owned(),
            }),
        }
    }

    fn choose<'c>(&mut self, comparison: &'c Comparison) -> Result<&'c ComparisonRow, Failure> {
        let chosen = self.journal.as_ref().and_then(|journal| journal.key.clone());
        let wanted = if self.session.settings.faster { Verdict::Faster } else { Verdict::Slower };
        let is_meant = |row: &&ComparisonRow| {
            let fits = |pattern: &String| matches(pattern, &row.name()) || matches(pattern, &row.key);
            match &chosen {
                Some(key) => row.key == *key,
                None => {
                    self.session.settings.selection.filters.is_empty()
                        || self.session.settings.selection.filters.iter().any(fits)
                }
            }
        };
        let times = || comparison.rows.iter().filter(|row| row.metric.is_none());
        let mut changed: Vec<&ComparisonRow> = times().filter(|row| row.verdict == wanted).filter(is_meant).collect();
        changed.sort_by(|a, b| b.ratio.ln().abs().total_cmp(&a.ratio.ln().abs()));
        match changed[..] {
            [] => Err(self.nothing(comparison)),
            [row] => {
                if let Some(journal) = self.journal.as_mut().filter(|journal| journal.key.is_none()) {
                    journal.key = Some(row.key.clone());
                    journal.write(self.session.store)?;
                }
                Ok(row)
            }
            _ => Err(self.several(&changed, comparison)),
        }
    }

    fn nothing(&self, comparison: &Comparison) -> Failure {
        let [good, bad] = [0, 1].map(|at| clean(&self.names[at]));
        let (word, other) =
            if self.session.settings.faster { ("faster", Verdict::Slower) } else { ("slower", Verdict::Faster) };
        let rows: Vec<&ComparisonRow> = comparison.rows.iter().filter(|row| row.metric.is_none()).collect();
        let is = |verdict: Verdict| rows.iter().any(|row| row.verdict == verdict);
        let what = match rows[..] {
            [row] => {
                format!("`{}` is not {word} in `{bad}` than in `{good}`: {}", clean(&row.name()), row.verdict.word())
            }
            _ => format!("no benchmark is {word} in `{bad}` than in `{good}`"),
        };
        let hint = match (is(Verdict::Unclear), is(other)) {
            (true, _) => "some are unclear, which more measuring may decide: add `--long`",
            (false, true) if self.session.settings.faster => "some are slower: leave out `--faster`",
            (false, true) => "some are faster: add `--faster`",
            (false, false) => "choose ends further apart",
        };
        Failure::Undecided { what, hint: format!("{hint}; the comparison: `tare show {}`", comparison.run) }
    }

    fn several(&self, changed: &[&ComparisonRow], comparison: &Comparison) -> Failure {
        const LISTED: usize = 10;
        let word = if self.session.settings.faster { "faster" } else { "slower" };
        let mut what = format!("{} benchmarks are {word}, and each may be so for a commit of its own", changed.len());
        for row in changed.iter().take(LISTED) {
            let ratio = subject::ratio_of(row);
            what.push_str(&format!("\n  {}  {ratio}", clean(&row.name())));
        }
        if changed.len() > LISTED {
            what.push_str(&format!("\n  and {} more", changed.len() - LISTED));
        }
        let first = changed.first().map(|row| row.name()).unwrap_or_default();
        let command = format!("tare bisect --resume {} --filter {}", comparison.run, tare_report::shell_word(&first));
        Failure::Usage { what, hint: format!("choose one; the ends are not measured again: `{}`", clean(&command)) }
    }

    fn known(&self, whole: &Distance) -> Result<Bisection, Failure> {
        let parents: Vec<Vec<usize>> = self.between.commits.iter().map(|commit| commit.parents.clone()).collect();
        let history = History::new(&parents).ok_or(Failure::Bug { what: "the history has no order".to_owned() })?;
        let mut bisection = Bisection::new(history);
        for tried in self.tried() {
            let Some(commit) = self.place(&tried.commit) else { continue };
            match &tried.run {
                // A run that was deleted is measured again.
                Some(id) => {
                    let found = load(self.session.store, id).ok().and_then(|run| level(&run, None));
                    found.iter().for_each(|level| bisection.measured(commit, from_middle(level, whole)));
                }
                None => bisection.broken(commit),
            }
        }
        Ok(bisection)
    }

    fn tried(&self) -> impl Iterator<Item = &Tried> {
        self.journal.iter().flat_map(|journal| &journal.tried)
    }

    fn place(&self, id: &str) -> Option<usize> {
        self.between.commits.iter().position(|commit| commit.commit.id == id)
    }

    fn between_ends(
        &mut self,
        bench: &Bench,
        sought: &Sought,
        bisection: &mut Bisection,
        whole: &Distance,
    ) -> Result<End, Failure> {
        // Consecutive failures that were not a commit's.
        let mut missed = 0;
        // Terminates: each commit is measured a few times at most.
        loop {
            let commit = match bisection.step() {
                Step::Found(candidates) => return Ok(End::Found(candidates)),
                Step::Stuck(candidates) => return Ok(End::Unclear(candidates)),
                Step::Measure(_) if tare_process::interrupted() || self.is_late() => {
                    return Ok(End::Stopped(most_probable(&bisection.posterior())));
                }
                Step::Measure(commit) => commit,
            };
            let found = self.between.commits[commit].commit.clone();
            let both = [Revision(&self.between.good.id, &self.names[0]), Revision(&found.id, &found.short)];
            let measured = bench.commit(both, sought).and_then(|run| match level(&run, None) {
                Some(level) => Ok((run.id, level)),
                None => Err(Unmeasured::NotNow("too few of its visits were undisturbed".to_owned())),
            });
            let (run, reason) = match measured {
                Ok((id, level)) => {
                    bisection.measured(commit, from_middle(&level, whole));
                    missed = 0;
                    let name = clean(&self.names[0]);
                    self.progress(&format!("{}: ratio to {name} {}", found.short, subject::of_level(&level)));
                    (Some(id), None)
                }
                Err(Unmeasured::Because(reason)) => {
                    bisection.broken(commit);
                    self.progress(&format!("{}: left out: {reason}", found.short));
                    (None, Some(reason))
                }
                Err(Unmeasured::NotNow(reason)) if missed + 1 == MISSES_MAX => {
                    return Err(self.nothing_succeeds(&reason));
                }
                // Not recorded: a resumed bisection tries the commit again.
                Err(Unmeasured::NotNow(reason)) => {
                    bisection.missed(commit);
                    missed += 1;
                    self.progress(&format!("{}: not measured: {reason}", found.short));
                    continue;
                }
                Err(Unmeasured::Ends(failure)) => match *failure {
                    Failure::Interrupted => continue,
                    failure => return Err(failure),
                },
            };
            if let Some(journal) = &mut self.journal {
                journal.tried.push(Tried { commit: found.id, run, reason });
                journal.write(self.session.store)?;
            }
        }
    }

    fn outcome(&self, sought: &Sought, bisection: &Bisection, ends: Compared, end: End) -> Outcome {
        let mut all: Vec<TriedCommit> = Vec::new();
        for tried in self.tried() {
            let Some(commit) = self.place(&tried.commit) else { continue };
            let at = all.iter().position(|known| known.commit == commit).unwrap_or_else(|| {
                let bad = bisection.distance(commit).map(|distance| distance.bad());
                all.push(TriedCommit { commit, bad, ..TriedCommit::default() });
                all.len() - 1
            });
            let level = tried.run.as_ref().and_then(|id| level(&load(self.session.store, id).ok()?, None));
            all[at].levels.extend(level);
            all[at].runs.extend(tried.run.clone());
            all[at].reason = tried.reason.clone().filter(|_| all[at].runs.is_empty());
        }
        all.sort_by_key(|tried| tried.commit);
        Outcome {
            name: sought.name.clone(),
            names: self.names.clone(),
            good: self.between.good.clone(),
            commits: self.between.commits.clone(),
            posterior: bisection.posterior(),
            tried: all,
            ends,
            end,
            against_parent: None,
            trouble: None,
            failed: Vec::new(),
            elapsed_s: 0.0,
        }
    }

    fn compare_last(&mut self, bench: &Bench, sought: &Sought, (base, new): (String, usize), outcome: &mut Outcome) {
        let good = self.between.good.id.clone();
        let mut found = self.last(bench, sought, (&base, new), &outcome.ends);
        // A parent older than the good end may lack the benchmark, or not build.
        if let (Err(failure), true) = (&found, base != good && self.place(&base).is_none()) {
            if !tare_process::interrupted() {
                let why = failure.what();
                outcome.trouble = Some(format!("{}: {}", self.called(&base), why.lines().next().unwrap_or_default()));
                found = self.last(bench, sought, (&good, new), &outcome.ends);
            }
        }
        match found {
            Ok(compared) => outcome.against_parent = Some(compared),
            Err(failure) => outcome.trouble = Some(failure.what()),
        }
    }

    fn called(&self, id: &str) -> String {
        match self.place(id) {
            _ if id == self.between.good.id => self.names[0].clone(),
            Some(place) => self.between.commits[place].commit.short.clone(),
            None => id.chars().take(self.between.good.short.len()).collect(),
        }
    }

    fn last(
        &mut self,
        bench: &Bench,
        sought: &Sought,
        (base, new): (&str, usize),
        ends: &Compared,
    ) -> Result<Compared, Failure> {
        let commit = &self.between.commits[new];
        let of_parent = commit.first_parent.as_deref() == Some(base);
        // The two ends were compared at the start.
        if base == self.between.good.id && new + 1 == self.between.commits.len() {
            return Ok(Compared { of_parent, ..ends.clone() });
        }
        let (id, name, base_name) = (commit.commit.id.clone(), commit.commit.short.clone(), self.called(base));
        let before = self.journal.as_ref().and_then(|journal| journal.last.as_ref());
        let before = before.filter(|[of, to, _]| (of.as_str(), to) == (base, &id));
        let run = match before.and_then(|[.., run]| load(self.session.store, run).ok()) {
            Some(run) => run,
            None => {
                self.progress(&format!("{name} against {base_name}"));
                bench.compare([Revision(base, &base_name), Revision(&id, &name)], Some(sought))?
            }
        };
        if run.status != RunStatus::Finished {
            return Err(Failure::Interrupted);
        }
        if let Some(journal) = self.journal.as_mut() {
            journal.last = Some([base.to_owned(), id, run.id.clone()]);
            journal.write(self.session.store)?;
        }
        match only_row(&run) {
            Some(row) => Ok(Compared { of_parent, base: base_name, row, run: run.id }),
            None => Err(Failure::Undecided { what: "the benchmark failed".to_owned(), hint: String::new() }),
        }
    }

    fn nothing_succeeds(&self, reason: &str) -> Failure {
        let id = self.journal.as_ref().map(|journal| journal.run.as_str()).unwrap_or_default();
        Failure::Undecided {
            what: format!("{MISSES_MAX} measurements in a row failed, the last because {}", clean(reason)),
            hint: format!("what was measured is kept; on a quieter machine or later: `tare bisect --resume {id}`"),
        }
    }

    fn is_late(&self) -> bool {
        let most = self.session.settings.amount.of_all_s;
        most.is_some_and(|seconds| self.start.elapsed().as_secs_f64() > seconds)
    }

    fn progress(&self, text: &str) {
        if self.session.console.volume != Volume::Quiet {
            self.session.console.say(&[Line::of(Role::Quiet, clean(text))]);
        }
    }

    fn stopped(&self, id: &str) -> ExitCode {
        self.session
            .console
            .note(&format!("stopped; what was measured is kept: `tare bisect --resume {id}` continues"));
        ExitCode::Interrupted
    }
}

fn load(store: &Store, id: &str) -> Result<Run, Failure> {
    request::load(store, &RunRef::Prefix(id.to_owned()))
}
