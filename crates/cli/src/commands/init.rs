//! `tare init`: writes a first benchmark. The language supplies the content; this chooses the place and talks to the user.

use crate::args::InitArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::request::any_of;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use tare_build::languages::first::{starters, Draft, FrontEndCopy, NewProject, Refusal, Starter};
use tare_build::languages::without_front_end;
use tare_model::text::{nearest, plural};
use tare_model::ExitCode;
use tare_report::{clean, shell_word, Line, Role};

const LIST: &str = "list the languages: `tare init --list`";

pub fn init(args: &InitArgs, console: &Console) -> Result<ExitCode, Failure> {
    if args.list {
        console.result(&console.render(&list()))?;
        return Ok(ExitCode::Ok);
    }
    let folder = args.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    if folder.exists() && !folder.is_dir() {
        let what = format!("`{}` is not a folder", clean(&folder.display().to_string()));
        return Err(Failure::Usage { what, hint: "name a folder, which is made if it is missing".to_owned() });
    }
    let place = NewProject::new(&folder);
    let starter = match &args.language {
        Some(word) => named(word)?,
        None => of_project(&place, console)?,
    };
    let refused = |Refusal { what, hint }| Failure::Usage { what: clean(&what), hint: clean(&hint) };
    let draft = starter.draft(&place, args.project).map_err(refused)?;
    refuse_to_overwrite(&place, &draft, starter)?;
    let lines = [written(&place, &draft)?, what_remains(&place, &draft)].concat();
    console.result(&console.render(&lines))?;
    if let Some((why, instead)) = starter.lack() {
        console.warn(&format!("{} {why}; {instead}", starter.title()));
    }
    Ok(ExitCode::Ok)
}

fn named(word: &str) -> Result<Starter, Failure> {
    let unknown = || {
        let words: Vec<String> = starters().iter().flat_map(|s| s.words()).map(|word| (*word).to_owned()).collect();
        if let Some(language) = without_front_end(word) {
            let what = format!("there is no front end for {language} yet");
            return Failure::Usage { what, hint: "`tare help front-ends` shows how to write one".to_owned() };
        }
        let what = format!("unknown language `{}`", clean(word));
        let hint = match nearest(&word.to_lowercase(), &words, 1).as_slice() {
            _ if Path::new(word).is_dir() => {
                format!("name the language first: `tare init LANG {}`", shell_word(&clean(word)))
            }
            // A short word is close to almost any other, so the first letter must match.
            [near, ..] if near.chars().next() == word.to_lowercase().chars().next() => {
                format!("did you mean `tare init {near}`?")
            }
            _ => LIST.to_owned(),
        };
        Failure::Usage { what, hint }
    };
    Starter::named(word).ok_or_else(unknown)
}

fn of_project(place: &NewProject, console: &Console) -> Result<Starter, Failure> {
    let found: Vec<(Starter, String)> =
        starters().into_iter().filter_map(|starter| Some((starter, starter.home(place)?))).collect();
    match found.as_slice() {
        [(starter, manifest)] => {
            console.note(&format!("`{manifest}` is a project in {}", starter.title()));
            Ok(*starter)
        }
        [] => {
            let what = format!("which language? `{}` has no project to take it from", clean(&place.shown("")));
            Err(Failure::Usage { what, hint: format!("name it, as in `tare init rust`; {LIST}") })
        }
        several => {
            let manifests: Vec<String> = several.iter().map(|(_, manifest)| format!("`{manifest}`")).collect();
            let commands: Vec<String> =
                several.iter().map(|(starter, _)| format!("`tare init {}`", starter.word())).collect();
            let what = format!("which language? `{}` has {}", clean(&place.shown("")), manifests.join(" and "));
            Err(Failure::Usage { what, hint: format!("name it: {}", any_of(&commands)) })
        }
    }
}

/// Existing files are never changed: if one is in the way, nothing is written.
fn refuse_to_overwrite(place: &NewProject, draft: &Draft, starter: Starter) -> Result<(), Failure> {
    let is_other = |path: &Path, text: &str| {
        path.symlink_metadata().is_ok() && fs::read_to_string(path).ok().as_deref() != Some(text)
    };
    let is_there = |name: &&String| place.folder.join(name).symlink_metadata().is_ok();
    let own = draft.files.iter().map(|(path, _)| path).find(is_there).cloned();
    // The front end may already be there.
    let copied = || {
        let copy = draft.front_end.as_ref()?;
        let mut names = copy.files.iter().map(|(name, text)| (format!("{}/{name}", copy.folder), text));
        names.find(|(name, text)| is_other(&place.folder.join(name), text)).map(|(name, _)| name)
    };
    match own.or_else(copied) {
        None => Ok(()),
        Some(path) => Err(Failure::Usage {
            what: format!("`{}` exists already, and nothing was written", clean(&place.shown(&path))),
            hint: format!("rename it, or write into a folder of its own: `tare init {} bench`", starter.word()),
        }),
    }
}

fn written(place: &NewProject, draft: &Draft) -> Result<Vec<Line>, Failure> {
    let mut done: Vec<PathBuf> = Vec::new();
    let undo = |done: &[PathBuf]| done.iter().for_each(|path| drop(fs::remove_file(path)));
    for (path, text) in files(place, draft) {
        match write(&path, &text) {
            Ok(true) => done.push(path),
            Ok(false) => {}
            Err(error) => {
                undo(&done);
                return Err(Failure::writing(path)(error));
            }
        }
    }
    let mut lines = Vec::new();
    for (path, _) in &draft.files {
        lines.push(Line::of(Role::Quiet, "wrote ").with(Role::Plain, clean(&place.shown(path))));
    }
    if let Some(copy) = &draft.front_end {
        lines.push(Line::of(Role::Quiet, "wrote ").with(Role::Plain, of_front_end(place, copy)));
    }
    Ok(lines)
}

fn of_front_end(place: &NewProject, copy: &FrontEndCopy) -> String {
    let folder = clean(&place.shown(&copy.folder));
    format!("{folder}/  ({} of the front end, built from source)", plural(copy.files.len(), "file"))
}

fn files(place: &NewProject, draft: &Draft) -> Vec<(PathBuf, String)> {
    let own = draft.files.iter().map(|(path, text)| (place.folder.join(path), text.clone()));
    let copied = draft.front_end.iter().flat_map(|copy| {
        copy.files.iter().map(|(name, text)| (place.folder.join(&copy.folder).join(name), text.clone()))
    });
    own.chain(copied).collect()
}

/// Writes a whole file or nothing; false if it already exists with this text.
fn write(path: &Path, text: &str) -> std::io::Result<bool> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    match File::create_new(path) {
        Ok(mut file) => {
            let written = file.write_all(text.as_bytes()).inspect_err(|_| drop(fs::remove_file(path)));
            written.map(|()| true)
        }
        Err(_) if fs::read_to_string(path).ok().as_deref() == Some(text) => Ok(false),
        Err(error) => Err(error),
    }
}

fn indented(text: &str) -> impl Iterator<Item = Line> + '_ {
    text.lines().map(|line| Line::of(Role::Plain, format!("    {}", clean_line(line)).trim_end().to_owned()))
}

/// For the screen; the file keeps its tabs.
fn clean_line(line: &str) -> String {
    clean(&line.replace('\t', "    "))
}

fn what_remains(place: &NewProject, draft: &Draft) -> Vec<Line> {
    let mut lines = vec![Line::new()];
    for (file, text) in &draft.additions {
        let file = clean(&place.shown(file));
        lines.push(Line::of(Role::Quiet, "add to ").with(Role::Plain, format!("{file}:")));
        lines.push(Line::new());
        lines.extend(indented(text));
        lines.push(Line::new());
    }
    let is_here = place.folder == Path::new(".");
    for command in &draft.before {
        let command = match is_here {
            true => command.clone(),
            false => format!("(cd {} && {command})", shell_word(&clean(&place.shown("")))),
        };
        lines.push(Line::of(Role::Quiet, "then: ").with(Role::Command, command));
    }
    let (path, flags) =
        draft.run.split_once(' ').map_or((draft.run.as_str(), None), |(path, flags)| (path, Some(flags)));
    let path = if is_here { path.to_owned() } else { clean(&place.shown(path)) };
    let words = [Some("tare run".to_owned()), Some(shell_word(&path)), flags.map(str::to_owned)];
    let command = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
    lines.push(Line::of(Role::Quiet, "next: ").with(Role::Command, command));
    lines
}

fn list() -> Vec<Line> {
    const WORDS: usize = 12;
    const ALONE: usize = 18;
    let place = NewProject::new(Path::new("shop"));
    let row = |role: Role, word: &str, files: &str, project: &str| {
        let mut line = Line::of(role, word);
        line.pad_to(WORDS);
        line.push(if role == Role::Heading { role } else { Role::Plain }, files);
        if !project.is_empty() {
            line.pad_to(WORDS + ALONE);
            line.push(Role::Quiet, project);
        }
        line
    };
    let mut lines = vec![row(Role::Heading, "LANG", "writes", "with --project also")];
    for starter in starters() {
        let [alone, project] = starter.in_empty_folder(&place);
        let paths = |draft: &Option<Draft>| draft.as_ref().map(Draft::paths).unwrap_or_default();
        let (alone, project) = (paths(&alone), paths(&project));
        let manifest = project.first().cloned().unwrap_or_default();
        match alone.is_empty() {
            true => lines.push(row(Role::Plain, starter.word(), &project.join(", "), "")),
            false => lines.push(row(Role::Plain, starter.word(), &alone.join(", "), &manifest)),
        }
    }
    lines
}
