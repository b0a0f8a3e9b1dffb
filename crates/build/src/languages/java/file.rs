//! Single Java files, compiled by the JDK, and ready-made jars.

use super::jdk::Jdk;
use super::source::{self, Flags};
use super::start::{hash_of_classes, Program};
use super::{front_end, TOOLCHAIN};
use crate::discover::{read_source, Target};
use crate::toolchain::cache::{CacheError, Key};
use crate::toolchain::context::{text, BuildContext, BuildResult, COMPILER};
use crate::toolchain::entry::{now_ns, Entry};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::program::here;
use crate::toolchain::BuildEvent;
use crate::toolchain::{directive, tool};
use std::fs;
use std::path::{Path, PathBuf};

const LIST: &str = "classes.txt";
const CLASSES: &str = "classes";

pub(super) fn build(context: &BuildContext, target: &Target) -> BuildResult {
    context.warn_of_native_settings();
    let jdk = Jdk::find(context)?;
    match target.path.extension().is_some_and(|suffix| suffix == "jar") {
        true => jar(context, target, &jdk),
        false => file(context, target, &jdk),
    }
}

fn jar(context: &BuildContext, target: &Target, jdk: &Jdk) -> BuildResult {
    let front_end = front_end::ready(context, jdk)?;
    let Flags { runtime, class_path, .. } = Flags::of(&context.options.job.flags, jdk.version);
    let here = here()?;
    let program = Program {
        jdk,
        options: runtime,
        places: vec![text(&target.path)],
        class_path,
        file: None,
        folder: &here,
        build_command: Vec::new(),
        cached: true,
    };
    program.artifact(context, target, &front_end)
}

fn file(context: &BuildContext, target: &Target, jdk: &Jdk) -> BuildResult {
    let unreadable = BuildFailure::unreadable(&target.path);
    let text_of_file = read_source(&target.path).map_err(unreadable)?;
    let folder = target.path.parent().unwrap_or(Path::new("/"));
    let front_end = front_end::ready(context, jdk)?;
    let mut all = directive::flags(&text_of_file);
    all.extend(context.options.job.flags.iter().cloned());
    let Flags { compiler, runtime, class_path } = Flags::of(&all, jdk.version);
    let own = context.variables.get("CLASSPATH").map(str::to_owned);
    let class_path = class_path.iter().chain(&own).flat_map(|path| path.split(':'));
    let class_path: Vec<String> =
        class_path.filter(|path| !path.is_empty()).map(|path| text(&folder.join(path))).collect();
    let call = Call {
        context,
        target,
        javac: jdk.javac()?,
        words: words(&front_end.jar, &class_path, &root(folder, &source::package(&text_of_file)), compiler),
    };
    let (classes, cached) = call.compiled()?;
    let program = Program {
        jdk,
        options: runtime,
        places: vec![text(&classes)],
        class_path,
        file: Some(source::in_package(&target.path, &text_of_file)),
        folder,
        build_command: call.shown(),
        cached,
    };
    program.artifact(context, target, &front_end)
}

/// The root folder of the package, if the file lies in the folders of its package.
fn root(folder: &Path, package: &str) -> PathBuf {
    let below: PathBuf = package.split('.').filter(|part| !part.is_empty()).collect();
    match folder.ends_with(&below) {
        true => folder.ancestors().nth(below.iter().count()).unwrap_or(folder).to_owned(),
        false => folder.to_owned(),
    }
}

fn words(front_end: &Path, class_path: &[String], root: &Path, flags: Vec<String>) -> Vec<String> {
    let path = front_end::before(front_end, class_path);
    let mut words: Vec<String> = ["-g", "-encoding", "UTF-8", "-implicit:class"].map(str::to_owned).to_vec();
    // Classes that JMH's annotation processor generates are not needed.
    if !flags.iter().any(|flag| flag.starts_with("-proc")) {
        words.push("-proc:none".to_owned());
    }
    words.extend(flags);
    words.extend(["-cp".to_owned(), path, "-sourcepath".to_owned(), text(root)]);
    words
}

struct Call<'a> {
    context: &'a BuildContext<'a>,
    target: &'a Target,
    javac: PathBuf,
    words: Vec<String>,
}

impl Call<'_> {
    fn shown(&self) -> Vec<String> {
        [text(&self.javac)].into_iter().chain(self.words.iter().cloned()).chain([text(&self.target.path)]).collect()
    }

    fn compiled(&self) -> Result<(PathBuf, bool), BuildFailure> {
        let cache = &self.context.cache;
        let key =
            Key::new(TOOLCHAIN).with(tool::state(&self.javac)).with_all(&self.words).with(text(&self.target.path));
        let key = key.finish();
        if let Some((list, _)) = Entry::find(cache, &key) {
            let classes = list.with_file_name(CLASSES);
            if classes.is_dir() {
                return Ok((classes, true));
            }
        }
        let began_ns = now_ns();
        let scratch = cache.scratch()?;
        let to = scratch.path.join(CLASSES);
        // The compiler makes no folder if the file has no classes.
        fs::create_dir(&to).map_err(|e| CacheError::new("create", &to, e))?;
        let inputs = self.compile(&to)?;
        let unreadable = |e| BuildFailure::new(format!("its classes cannot be read: {e}"), None);
        let hash = hash_of_classes(&to).map_err(unreadable)?;
        let place = format!("{TOOLCHAIN}/{}", &hash[..16]);
        cache.write(&format!("{place}/{LIST}"), hash.as_bytes())?;
        let classes = cache.path(&format!("{place}/{CLASSES}"));
        if let Err(e) = fs::rename(&to, &classes) {
            if !classes.is_dir() {
                return Err(CacheError::new("write", &classes, e).into());
            }
        }
        Entry::store(cache, &key, &classes.with_file_name(LIST), &inputs, began_ns)?;
        Ok((classes, false))
    }

    fn compile(&self, to: &Path) -> Result<Vec<PathBuf>, BuildFailure> {
        let target = &self.target.name;
        self.context.say(BuildEvent::Started { target: target.clone(), command: self.shown() });
        let mut command = self.context.variables.command(&self.javac);
        command.args(front_end::SOON).args(&self.words).arg("-verbose").arg("-d").arg(to).arg(&self.target.path);
        let done = self.context.run(&self.shown(), &mut command, COMPILER)?;
        let output = done.text();
        let (told, said): (Vec<&str>, Vec<&str>) = output.lines().partition(|line| line.starts_with('['));
        if !done.success {
            return Err(BuildFailure::of_compiler(self.shown(), done.status.clone(), said.join("\n")));
        }
        if self.context.options.verbose && !said.is_empty() {
            self.context.warn(said.join("\n"));
        }
        Ok(sources(&told, &self.target.path))
    }
}

/// The sources in lines like `[parsing started SimpleFileObject[/x/A.java]]`, and the file itself.
fn sources(told: &[&str], file: &Path) -> Vec<PathBuf> {
    let of_line = |line: &&str| {
        let inner = line.strip_prefix("[parsing started ")?.split_once('[')?.1.strip_suffix("]]")?;
        Some(PathBuf::from(inner.replacen(':', "/", 1)))
    };
    let mut found: Vec<PathBuf> = told.iter().filter_map(of_line).filter(|path| path.is_absolute()).collect();
    found.push(file.to_owned());
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_begin_above_the_folder_of_a_package() {
        assert_eq!(root(Path::new("/x/src/a/b"), "a.b"), Path::new("/x/src"));
        assert_eq!(root(Path::new("/x/src/a/b"), ""), Path::new("/x/src/a/b"));
        assert_eq!(root(Path::new("/x/other"), "a.b"), Path::new("/x/other"));
    }

    #[test]
    fn sources_are_read_from_what_the_compiler_tells() {
        let told = [
            "[parsing started SimpleFileObject[/x/A.java]]",
            "[parsing completed 9ms]",
            "[parsing started DirectoryFileObject[/x:p/B.java]]",
            "[loading /modules/java.base/java/lang/Object.class]",
        ];
        assert_eq!(sources(&told, Path::new("/x/A.java")), [PathBuf::from("/x/A.java"), PathBuf::from("/x/p/B.java")]);
    }
}
