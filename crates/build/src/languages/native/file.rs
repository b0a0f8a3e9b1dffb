//! One C or C++ file: a compiler call with the embedded header.

use super::compiler::Compiler;
use super::header::includes_tare;
use super::{cmake, front_end, Device, Native};
use crate::discover::{read_source, Language, Target};
use crate::revision::checkout_of;
use crate::toolchain::cache::{CacheError, Key, Scratch};
use crate::toolchain::context::{text, BuildContext, BuildResult, Built};
use crate::toolchain::depfile;
use crate::toolchain::directive;
use crate::toolchain::entry::{now_ns, Entry};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::layout::{self, Notebook};
use crate::toolchain::shell_word;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tare_model::Artifact;
use tare_process::helper::Done;

/// Variables that affect C and C++ compilers.
pub(super) const VARIABLES: [&str; 8] = [
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "SOURCE_DATE_EPOCH",
    "LD_RUN_PATH",
];

/// Flags that take the next word.
const WITH_ARGUMENT: [&str; 12] = [
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-x",
    "-Xclang",
    "-target",
    "--param",
];

struct Recipe<'a> {
    target: &'a Target,
    native: &'static Native,
    compiler: Compiler,
    folder: PathBuf,
    source: String,
    /// Ours, before the source.
    defaults: Vec<String>,
    /// The user's, after the source, so that they win and libraries are where linkers expect them.
    flags: Vec<String>,
}

pub(in crate::languages) fn build(context: &BuildContext, target: &Target, native: &'static Native) -> BuildResult {
    let began_ns = now_ns();
    let unreadable = BuildFailure::unreadable(&target.path);
    let source = read_source(&target.path).map_err(unreadable)?;
    let recipe = Recipe::new(context, target, native, &source)?;
    let key = recipe.key(context, &source);
    if let Some((program, hash)) = Entry::find(&context.cache, &key) {
        if let Some(layouts) = layout::known(context, &program, &hash) {
            return Ok(Built { artifact: recipe.artifact(context, &program, hash, layouts), cached: true });
        }
    }
    front_end::write(&context.cache)?;
    let scratch = context.cache.scratch()?;
    let notes = recipe.wants_layouts(context).then(|| Notebook::open(&context.cache, &scratch.path.join("links")));
    let notes = notes.transpose()?;
    let build = Build { context, scratch: &scratch, notes: notes.as_ref() };
    let done = recipe.compile(&build, includes_tare(&source))?;
    if !done.success {
        let shown = recipe.shown(context);
        let failure = BuildFailure::of_compiler(shown, done.status.clone(), done.text());
        return Err(in_project(failure, &target.path));
    }
    let name = target.path.file_stem().map_or_else(|| "program".to_owned(), |s| s.to_string_lossy().into_owned());
    let program = scratch.path.join("program");
    let kept = context.cache.keep_program(&program, &name)?;
    let layouts = notes.map(|notes| layout::make(context, &notes, &program, &kept.path, &kept.hash));
    let layouts = layouts.transpose()?.unwrap_or_default();
    if let Some(inputs) = recipe.inputs(context, &scratch, &done) {
        Entry::store(&context.cache, &key, &kept.path, &inputs, began_ns)?;
    }
    Ok(Built { artifact: recipe.artifact(context, &kept.path, kept.hash, layouts), cached: false })
}

/// Adds a hint if the file is in a project that may know how to build it.
fn in_project(mut failure: BuildFailure, file: &Path) -> BuildFailure {
    if let (Some(hint), Some(project)) = (&failure.hint, cmake::project_of(file)) {
        let project = shell_word(project);
        failure.hint =
            Some(format!("it was compiled by itself; with its project: `tare run {project}`; alone: {hint}"));
    }
    failure
}

struct Build<'a> {
    context: &'a BuildContext<'a>,
    scratch: &'a Scratch,
    /// Records the link, if more than one layout is wanted.
    notes: Option<&'a Notebook>,
}

impl<'a> Recipe<'a> {
    fn new(
        context: &BuildContext,
        target: &'a Target,
        native: &'static Native,
        source: &str,
    ) -> Result<Recipe<'a>, BuildFailure> {
        let compiler = Compiler::find(context, native)?;
        let folder = target.path.parent().unwrap_or(Path::new("/")).to_owned();
        let name = target.path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        // Makes a name that looks like an option a path.
        let source_name = if name.starts_with('-') { format!("./{name}") } else { name };
        let mut recipe =
            Recipe { target, native, compiler, folder, source: source_name, defaults: Vec::new(), flags: Vec::new() };
        recipe.flags = directive::flags(source);
        recipe.flags.extend(super::flags(&context.options.job, recipe.to_host()));
        recipe.defaults = recipe.own_flags(context);
        let include = context.cache.path(front_end::folder()).join("include");
        recipe.defaults.extend(["-isystem".to_owned(), text(&include)]);
        Ok(recipe)
    }

    /// How the compiler splits work with the host's compiler; None if it compiles all code itself.
    fn device(&self) -> Option<&'static Device> {
        self.native.device.filter(|_| !self.compiler.is_clang())
    }

    /// Default flags of programs.
    fn own_flags(&self, context: &BuildContext) -> Vec<String> {
        // -g1: line tables and inlined calls, to show machine code with its source; it changes no instruction.
        let mut of_host = vec!["-g1"];
        if context.options.align {
            of_host.extend(["-falign-functions=64", "-falign-loops=64"]);
        }
        if self.wants_layouts(context) {
            of_host.push("-ffunction-sections");
        }
        of_host.push("-pthread");
        let both: [(&str, &[&str]); 2] = [(self.native.standard, &["-std", "--std"]), ("-O2", &["-O", "--optimize"])];
        let of_device = self.device().map_or(&[][..], |device| device.flags);
        // Ordinary compilers use the last of several flags; a device compiler rejects duplicates.
        let is_said = |starts: &[&str]| {
            self.device().is_some() && self.flags.iter().any(|flag| starts.iter().any(|start| flag.starts_with(start)))
        };
        let said_once = both.iter().chain(of_device).filter(|(_, starts)| !is_said(starts));
        let own = said_once.map(|(flag, _)| (*flag).to_owned()).collect::<Vec<_>>();
        own.into_iter().chain(of_host.into_iter().map(|flag| format!("{}{flag}", self.to_host()))).collect()
    }

    /// The prefix of a flag for the host's compiler.
    fn to_host(&self) -> &'static str {
        self.device().map_or("", |device| device.to_host)
    }

    /// The layout of host code does not matter for times of a device.
    fn wants_layouts(&self, context: &BuildContext) -> bool {
        self.native.device.is_none() && layout::wanted(context)
    }

    fn key(&self, context: &BuildContext, source: &str) -> String {
        let all = || self.defaults.iter().chain(&self.flags);
        let variables = VARIABLES.iter().map(|name| context.variables.get(name).unwrap_or_default());
        let key =
            Key::new("native").with(text(&self.target.path)).with(&self.compiler.identity).with(&self.compiler.version);
        let key = key.with_all(all()).with_all(variables).with(source).with(self.flags_definition());
        // On another machine that shares the folder, `-march=native` means another processor and `-arch=native` another GPU.
        match all().any(|flag| flag.contains("native")) {
            true => {
                let machine = tare_machine::environment::read();
                key.with(machine.cpu).with_all(machine.gpus).finish()
            }
            false => key.finish(),
        }
    }

    fn main_file(&self, context: &BuildContext) -> PathBuf {
        context.cache.path(front_end::folder()).join(self.native.main)
    }

    fn shown(&self, context: &BuildContext) -> Vec<String> {
        let mut words = vec![self.compiler.name.clone()];
        words.extend(self.compiler.arguments.iter().chain(&self.defaults).cloned());
        words.extend([self.source.clone(), text(&self.main_file(context))]);
        words.extend(self.flags.iter().cloned());
        words.extend(["-lm", "-o"].map(str::to_owned));
        words.push(self.target.path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned()));
        words
    }

    fn artifact(&self, context: &BuildContext, program: &Path, hash: String, layouts: Vec<String>) -> Artifact {
        let artifact = self.target.artifact("file", vec![text(program)], &self.folder, hash);
        Artifact { build_command: self.shown(context), layouts, ..artifact }
    }

    /// The flags that the child reports, without those that do not affect machine code: a program knows only the version of its compiler.
    fn flags_definition(&self) -> String {
        let says_nothing =
            |word: &str| ["-g1", "-pthread"].iter().any(|end| word.ends_with(end)) || word.starts_with("-std=");
        let own = self.defaults.iter().take_while(|word| *word != "-isystem").filter(|word| !says_nothing(word));
        let all: Vec<&str> = self.compiler.arguments.iter().chain(own).chain(&self.flags).map(String::as_str).collect();
        // As the user wrote them: two sides do not differ by the place of their checkout.
        let said = match checkout_of(&self.target.path) {
            Some((top, root)) => all.join(" ").replace(&text(top), &text(&root)),
            None => all.join(" "),
        };
        let quoted: String = said.chars().flat_map(in_literal).collect();
        format!("-DTARE_FLAGS=\"{quoted}\"")
    }

    fn command(&self, context: &BuildContext) -> Command {
        let mut command = context.variables.command(&self.compiler.path);
        command.args(&self.compiler.arguments).current_dir(&self.folder).arg(self.flags_definition());
        if self.compiler.is_clang() {
            command.arg("-Wno-unused-command-line-argument");
        }
        command
    }

    /// Compiles and links. If a file includes `tare.h` through a header of its own, only the linker shows that `main` is missing.
    fn compile(&self, build: &Build, with_main: bool) -> Result<Done, BuildFailure> {
        let done = self.compile_once(build, with_main)?;
        let lacks_main = !done.success && !with_main && done.text().contains("undefined reference to `main'");
        let read = fs::read_to_string(build.scratch.path.join("depfile")).unwrap_or_default();
        if lacks_main && read.contains("/tare.h") {
            return self.compile_once(build, true);
        }
        Ok(done)
    }

    fn compile_once(&self, build: &Build, with_main: bool) -> Result<Done, BuildFailure> {
        let (context, scratch) = (build.context, build.scratch);
        let mut command = self.command(context);
        command.args(&self.defaults).arg("-MD").arg("-MF").arg(scratch.path.join("depfile")).arg(&self.source);
        if with_main {
            command.arg(self.main_object(context, scratch)?);
        }
        command.args(&self.flags);
        if self.has_link_inputs() {
            command
                .arg(self.device().map_or("-Wl,--trace".to_owned(), |device| format!("{}--trace", device.to_linker)));
        }
        command.arg("-lm").arg("-o").arg(scratch.path.join("program"));
        match build.notes {
            Some(notes) => notes.compile(context, &self.shown(context), &mut command),
            None => context.compile(&self.shown(context), &mut command),
        }
    }

    /// `main` as an object, compiled once for each set of flags and for all folders; its source if it cannot be compiled alone.
    fn main_object(&self, context: &BuildContext, scratch: &Scratch) -> Result<PathBuf, BuildFailure> {
        let source = self.main_file(context);
        // hipcc would treat an object after a source as a source too.
        if self.native.device.is_some() {
            return Ok(source);
        }
        let flags = self.compile_flags();
        // A flag that may name a file depends on the folder.
        let is_for_all = self.compiler.arguments.iter().chain(&flags).all(|word| names_no_file(word));
        let folder = if is_for_all { context.cache.path(front_end::folder()) } else { self.folder.clone() };
        let key = Key::new("main")
            .with(&self.compiler.identity)
            .with(text(&source))
            .with_all(&self.defaults)
            .with_all(&flags)
            .with(self.flags_definition());
        let place = format!("objects/{}.o", key.with(text(&folder)).finish());
        let path = context.cache.path(&place);
        if path.is_file() {
            return Ok(path);
        }
        let object = scratch.path.join("main.o");
        let mut command = self.command(context);
        command.current_dir(&folder).args(&self.defaults).args(&flags).arg("-c").arg(&source).arg("-o").arg(&object);
        match tare_process::helper::run(&mut command, crate::toolchain::context::COMPILER) {
            Ok(done) if done.success => {}
            _ => return Ok(source),
        }
        let content = fs::read(&object).map_err(|e| CacheError::new("read", &object, e))?;
        context.cache.write(&place, &content)?;
        Ok(path)
    }

    fn compile_flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        let mut words = self.flags.iter();
        while let Some(word) = words.next() {
            if WITH_ARGUMENT.contains(&word.as_str()) {
                flags.push(word.clone());
                flags.extend(words.next().cloned());
            } else if word.starts_with('-') && !["-l", "-L", "-Wl,"].iter().any(|l| word.starts_with(l)) {
                flags.push(word.clone());
            }
        }
        flags
    }

    /// Whether the user links libraries or objects, whose changes must be noticed too.
    fn has_link_inputs(&self) -> bool {
        self.compile_flags().len() != self.flags.len()
    }

    /// All files that the program was made from; None if unknown.
    fn inputs(&self, context: &BuildContext, scratch: &Scratch, done: &Done) -> Option<Vec<PathBuf>> {
        // The compiler writes the headers of only one source.
        if self.flags.iter().any(|word| !word.starts_with('-') && Language::of_source(Path::new(word)).is_some()) {
            return None;
        }
        let rules = fs::read_to_string(scratch.path.join("depfile")).ok()?;
        let mut inputs = depfile::prerequisites(&rules, &self.folder);
        inputs.push(self.target.path.clone());
        if self.has_link_inputs() {
            inputs.extend(depfile::traced(&String::from_utf8_lossy(&done.stdout), &self.folder));
        }
        // The embedded header is part of the key; it and the object of `main` may have been written just now.
        inputs.retain(|path| !path.starts_with(context.cache.path("")));
        inputs.sort();
        inputs.dedup();
        Some(inputs)
    }
}

/// Whether a flag means the same in every folder; an unknown one may name a file.
fn names_no_file(word: &str) -> bool {
    let with_value = ["-O", "-D", "-U", "-g", "-std=", "-march=", "-mtune=", "-fsanitize=", "-fuse-ld="];
    let is_switch = ["-f", "-m", "-W", "-pthread"].iter().any(|start| word.starts_with(start));
    with_value.iter().any(|start| word.starts_with(start))
        || (is_switch && !word.contains(['=', ',']) && !word.contains("profile"))
}

/// Escapes a character for a string literal of C; unprintable ones become `?`.
fn in_literal(c: char) -> Vec<char> {
    match c {
        '"' | '\\' => vec!['\\', c],
        // Two of them may start a trigraph.
        '?' => vec!['\\', '?'],
        c if c.is_control() => vec!['?'],
        c => vec![c],
    }
}
