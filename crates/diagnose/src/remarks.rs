//! `remarks`: the compiler's own remarks on inlining and loops. The program is compiled again in the same way, with remarks requested, and
//! the result is thrown away. Nothing is run.

use crate::code::body::file;
use crate::{Cost, Diagnoser, Entry, Findings, Missing, Need, Pass, Tools, Work};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tare_code::readable;
use tare_model::text::plural;
use tare_model::{Artifact, Lack, LanguageFacts, Rebuild, Remark, Run};
use tare_process::helper::{self, Limits};

pub(crate) const REMARKS: Entry = Entry {
    name: NAME,
    about: "what the compiler says of the calls that it inlined and the loops that it vectorised, and of the others, with its reasons",
    cost: Cost::Compilation,
    needs: &[
        Need::Tool("the compiler that built the program: GCC, Clang or rustc"),
        Need::Language("C, C++ and Rust, for files, Cargo packages and CMake projects that Tare builds"),
    ],
    metrics: &[],
    topic: "inlining",
    make: || Box::new(Remarks::default()),
};

const NAME: &str = "remarks";
const LINES_MAX: usize = 5000;
/// Limits of a compilation and its output.
const LIMITS: Limits = Limits { time: Duration::from_secs(600), bytes: 16 << 20 };

#[derive(Default)]
struct Remarks {
    /// The compiler's remarks on each program, by its index.
    said: BTreeMap<u32, Result<Vec<CompilerRemark>, String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CompilerRemark {
    file: String,
    line: u32,
    text: String,
    of: Kind,
    is_done: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Call,
    Loop,
}

impl Diagnoser for Remarks {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, _: &dyn Tools) -> Result<(), Missing> {
        Ok(())
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        let reason = commands(program, Path::new("")).err()?;
        Some(Lack { reason: format!("`{}`: {reason}", program.name), advice: String::new() })
    }

    fn pass(&self, _: &Artifact) -> Pass {
        Pass::of(Work::Nothing)
    }

    fn read(&mut self, run: &Run, case: u32) -> Result<Findings, String> {
        let planned = run.plan.cases.get(case as usize).ok_or("the run has no such case")?;
        let program = run.artifacts.get(planned.artifact as usize).ok_or("the run has no such program")?;
        let said = self.said.entry(planned.artifact).or_insert_with(|| said(program)).clone()?;
        let count = |of, is_done| said.iter().filter(|one| (one.of, one.is_done) == (of, is_done)).count();
        let [inlined, not] = [true, false].map(|is_done| count(Kind::Call, is_done));
        let [vectorised, plain] = [true, false].map(|is_done| count(Kind::Loop, is_done));
        let text: String = said.iter().map(|one| format!("{}:{}: {}\n", one.file, one.line, one.text)).collect();
        let compiler = program.build_command.first().map_or("the compiler", String::as_str);
        let text_of_remark = format!(
            "`{compiler}` says of the sources of `{}` that it inlined {} and did not inline {not}, and that it vectorised {} and did \
             not vectorise {plain}",
            program.name,
            plural(inlined, "call"),
            plural(vectorised, "loop")
        );
        let numbers =
            [("inlined", inlined), ("not_inlined", not), ("vectorised", vectorised), ("not_vectorised", plain)];
        let facts = numbers.into_iter().map(|(name, count)| (name, count as f64)).collect();
        let title = "what the compiler says of calls and loops";
        let files = vec![file("remarks.txt", title, "text/plain", text.into_bytes())];
        let advice = "the attachment `remarks.txt` has them with their reasons".to_owned();
        let remarks = vec![Remark { is_warning: false, text: text_of_remark, advice }];
        Ok(Findings { facts, files, remarks, ..Findings::default() })
    }
}

/// The commands that rebuild a program into a folder, with the compiler's remarks. The error says why that is not possible.
fn commands(program: &Artifact, folder: &Path) -> Result<Vec<Vec<String>>, String> {
    let child = program.child.as_ref().map_or("", |child| child.language.as_str());
    let language = if program.language.is_empty() { child } else { &program.language };
    let remarks = LanguageFacts::of_any(language).remarks.ok_or("its compiler has no remarks that are known here")?;
    let folder = folder.display().to_string();
    let read = |path: &str| std::fs::read_to_string(path).ok();
    remarks(&Rebuild { command: &program.build_command, directory: &program.directory, folder: &folder, read: &read })
}

/// Compiles a program again.
fn said(program: &Artifact) -> Result<Vec<CompilerRemark>, String> {
    let folder = std::env::temp_dir().join(format!("tare-remarks-{}-{}", std::process::id(), program.hash));
    let commands = commands(program, &folder)?;
    std::fs::create_dir(&folder).map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
    let output = commands.iter().try_fold(String::new(), |_, words| run(words, program));
    let _ = std::fs::remove_dir_all(&folder);
    // A template gives the same remarks for each of its uses.
    let said: BTreeSet<CompilerRemark> =
        output?.lines().filter_map(remark).filter(is_of_user).map(|said| said.below(&program.directory)).collect();
    match said.is_empty() {
        true => Err("the compiler made no remark on the sources of this program".to_owned()),
        false => Ok(said.into_iter().take(LINES_MAX).collect()),
    }
}

/// The whole output of a command: build tools include the compiler's errors in their own.
fn run(words: &[String], program: &Artifact) -> Result<String, String> {
    let (first, rest) = words.split_first().ok_or("the command that built it is not known")?;
    let mut command = Command::new(first);
    command.args(rest).current_dir(&program.directory);
    let done = helper::run(&mut command, LIMITS).map_err(|error| format!("cannot start `{first}`: {error}"))?;
    let text = [&done.stdout, &done.stderr].map(|text| String::from_utf8_lossy(text)).join("\n");
    match done.success {
        true => Ok(text),
        false => Err(format!("`{first}` failed ({}): {}", done.status, text.lines().last().unwrap_or_default())),
    }
}

impl CompilerRemark {
    /// Makes the path of a project's file relative.
    fn below(self, directory: &str) -> CompilerRemark {
        let inner = self.file.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/')).map(str::to_owned);
        CompilerRemark { file: inner.unwrap_or(self.file), ..self }
    }
}

/// GCC: `a.cpp:5:3: optimized:  Inlining ...`; Clang: `a.cpp:5:3: remark: 'f' inlined into ...`; rustc: `note: a.rs:5:3 inline (success):
/// 'f' inlined into ... at callsite ...`. For loops, GCC also reports what it tried.
pub(crate) fn remark(line: &str) -> Option<CompilerRemark> {
    const KINDS: [&str; 7] = [
        ": optimized:",
        ": missed:",
        ": remark:",
        " inline (success):",
        " inline (missed):",
        " loop-vectorize (success):",
        " loop-vectorize (missed):",
    ];
    let line = line.trim_start().trim_start_matches("note: ");
    let (place, text) = KINDS.iter().find_map(|kind| line.split_once(kind))?;
    let mut parts = place.rsplitn(3, ':');
    let (_, number, file) = (parts.next()?, parts.next()?, parts.next()?);
    // The leading place is already the call site.
    let text = text.split(" at callsite ").next().unwrap_or(text).trim();
    let text = text.split(' ').map(named).collect::<Vec<String>>().join(" ");
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let is_loop = ["vectorized", "vectorize loop", "loop-vectorize"].iter().any(|part| line.contains(part));
    let of = if is_loop { Kind::Loop } else { Kind::Call };
    let is_call = text.contains("nlin");
    let tried = text.starts_with("not vectorized") || text.contains("basic block") || text.starts_with("***");
    if !is_loop && !is_call || tried {
        return None;
    }
    let nots = ["not inlined", "will not be inlined", "not vectorized", "couldn't vectorize"];
    let is_done = !line.contains("missed") && !nots.iter().any(|not| text.contains(not));
    Some(CompilerRemark { file: file.to_owned(), line: number.parse().ok()?, text, of, is_done })
}

/// A word; for a symbol, the name that it stands for.
fn named(word: &str) -> String {
    let symbol = word.trim_matches('\'');
    match symbol.starts_with("_Z") || symbol.starts_with("_R") {
        true => word.replace(symbol, &readable(symbol)),
        false => word.to_owned(),
    }
}

/// Excludes libraries that come with a compiler, front ends, the declarations of benchmarks, and functions that never return.
fn is_of_user(said: &CompilerRemark) -> bool {
    const DECLARES: [&str; 5] =
        ["tare::detail::", "static_initialization_and_destruction", "static initializers", "_GLOBAL__sub_I", "__TARE_"];
    const CALLED: [&str; 3] = ["tare::", "<tare::", "core::panicking::"];
    const FILES: [&str; 3] = ["/tare/frontends/", "/frontends/rust/tare/src/", "/registry/src/"];
    // Registering a benchmark involves displaying its result.
    let is_shown = said.text.contains(" as tare::");
    let called = said.text.trim_start_matches('\'');
    !DECLARES.iter().any(|part| said.text.contains(part))
        && !CALLED.iter().any(|start| called.starts_with(start))
        && !is_shown
        && said.line > 0
        && !said.file.starts_with("/usr/")
        // The loop of an iterator is in Rust's library.
        && (!said.file.starts_with("/rustc/") || said.of == Kind::Loop && said.is_done)
        && !FILES.iter().any(|part| said.file.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_of_three_compilers_are_read() {
        let lines = [
            ("a.cpp:9:41: optimized:  Inlined int twice(int)/5 into int f()/6 which now has time 9.", true),
            ("a.cpp:9:41: missed:   will not early inline: int f()/6->int slow(int)/4, function not inlinable", false),
            ("/x/a.cpp:9:41: remark: 'twice' inlined into 'f' with (cost=-30, threshold=225) [-Rpass=inline]", true),
            ("a.cpp:9:41: remark: 'slow' not inlined into 'f' because it should never be inlined [-Rpass-missed=inline]", false),
            ("note: src/a.rs:9:41 inline (missed): '_ZN1a5mixed17h0123456789abcdefE' not inlined into 'b' at callsite c:0:1;", false),
        ];
        let loops = [
            ("a.cpp:9:22: optimized: loop vectorized using 16 byte vectors", true),
            ("a.cpp:9:22: missed: couldn't vectorize loop", false),
            ("a.cpp:9:5: remark: vectorized loop (vectorization width: 4, interleaved count: 2) [-Rpass=loop-vectorize]", true),
            ("a.cpp:9:5: remark: loop not vectorized [-Rpass-missed=loop-vectorize]", false),
            ("note: src/a.rs:9:5 loop-vectorize (success): vectorized loop (vectorization width: 4)", true),
            ("note: src/a.rs:9:5 loop-vectorize (missed): loop not vectorized", false),
        ];
        let calls = lines.into_iter().map(|(line, is_done)| (line, Kind::Call, is_done));
        for (line, of, is_done) in calls.chain(loops.into_iter().map(|(line, is_done)| (line, Kind::Loop, is_done))) {
            let said = remark(line).expect(line);
            assert_eq!((said.line, said.of, said.is_done), (9, of, is_done), "{line}");
            assert!(said.file.ends_with("a.cpp") || said.file == "src/a.rs", "{said:?}");
        }
        // GCC's unsuccessful attempts are no additional loops; other messages are ignored too.
        let tried = ["a.cpp:9:5: missed: not vectorized: control flow in loop.", "a.cpp:9:5: missed: splitting region"];
        for line in ["", "a.cpp:9: warning: x", "In file included from a.cpp", "x: remark: y"].into_iter().chain(tried)
        {
            assert_eq!(remark(line), None, "{line}");
        }
        let rust =
            remark("a.rs:9:1 inline (success): '_ZN1a5mixed17h0123456789abcdefE' inlined into 'b' at callsite c;");
        assert_eq!(rust.map(|said| said.text), Some("'a::mixed' inlined into 'b'".to_owned()));
        let is_kept = |line: &str| remark(line).is_some_and(|said| is_of_user(&said));
        assert!(is_kept("src/a.cpp:9:1: optimized: Inlined a into b"));
        assert!(!is_kept("/usr/include/c++/12/vector:9:1: optimized: Inlined a into b"));
        assert!(!is_kept("/c/tare/frontends/cpp-1/include/tare.h:9:1: optimized: Inlined a into b"));
        assert!(!is_kept("a.cpp:9:1: optimized: Inlined tare::detail::add into b"));
        let of_rust = |text: &str| is_kept(&format!("note: benches/b.rs:3:1 inline (success): {text}"));
        assert!(of_rust("'b::twice' inlined into 'tare::loops::run' with (cost=5)"));
        for text in
            ["'<&T as tare::show::Look>::shown' inlined into 'b'", "core::panicking::panic will not be inlined into b"]
        {
            assert!(!of_rust(text), "{text}");
        }
        let iterator =
            |what: &str| is_kept(&format!("note: /rustc/1/library/core/src/slice/iter/macros.rs:180:28 {what}"));
        assert!(iterator("loop-vectorize (success): vectorized loop (vectorization width: 4)"));
        assert!(
            !iterator("loop-vectorize (missed): loop not vectorized")
                && !iterator("inline (success): 'f' inlined into 'g'")
        );
        assert!(!is_kept("note: <unknown file>:0:0 inline (success): 'a' inlined into 'main'"));
    }
}
