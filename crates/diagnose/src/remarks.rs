//! `remarks`: what the compiler itself says of inlining. The program is compiled once more, as it was, and asked for its remarks; the result
//! is thrown away. Nothing is run.

use crate::code::body::file;
use crate::{Cost, Diagnoser, Entry, Findings, Missing, Need, Tools, Work};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tare_code::readable;
use tare_model::{Artifact, Lack, LanguageFacts, Remark, Run};
use tare_process::helper::{self, Limits};

pub(crate) const REMARKS: Entry = Entry {
    name: NAME,
    about: "what the compiler says of the calls that it inlined and of those that it did not, with its reasons",
    cost: Cost::Compilation,
    needs: &[
        Need::Tool("the compiler that built the program: GCC, Clang or rustc"),
        Need::Language("C, C++ and Rust, for programs that Tare builds from one file"),
    ],
    metrics: &[],
    topic: "inlining",
    make: || Box::new(Remarks::default()),
};

const NAME: &str = "remarks";
/// Remarks of a program at most.
const LINES_MAX: usize = 5000;
/// Of a compilation, and of what it says.
const LIMITS: Limits = Limits { time: Duration::from_secs(600), bytes: 16 << 20 };

#[derive(Default)]
struct Remarks {
    /// What the compiler said of each program, by its index.
    said: BTreeMap<u32, Result<Vec<Said>, String>>,
}

/// A remark of a compiler.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Said {
    file: String,
    line: u32,
    text: String,
    is_inlined: bool,
}

impl Diagnoser for Remarks {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, _: &dyn Tools) -> Result<(), Missing> {
        Ok(())
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        let reason = command(program, Path::new("")).err()?;
        Some(Lack { reason: format!("`{}`: {reason}", program.name), advice: String::new() })
    }

    fn work(&self) -> Work {
        Work::Nothing
    }

    fn read(&mut self, run: &Run, case: u32) -> Result<Findings, String> {
        let planned = run.plan.cases.get(case as usize).ok_or("the run has no such case")?;
        let program = run.artifacts.get(planned.artifact as usize).ok_or("the run has no such program")?;
        let said = self.said.entry(planned.artifact).or_insert_with(|| said(program)).clone()?;
        let inlined = said.iter().filter(|one| one.is_inlined).count();
        let not = said.len() - inlined;
        let text: String = said.iter().map(|one| format!("{}:{}: {}\n", one.file, one.line, one.text)).collect();
        let compiler = program.build_command.first().map_or("the compiler", String::as_str);
        let text_of_remark = format!(
            "`{compiler}` says of the sources of `{}` that it inlined {inlined} calls and did not inline {not}",
            program.name
        );
        let facts = vec![("inlined", inlined as f64), ("not_inlined", not as f64)];
        let files = vec![file("remarks.txt", "what the compiler says of inlining", "text/plain", text.into_bytes())];
        let advice = "the attachment `remarks.txt` has them with their reasons".to_owned();
        let remarks = vec![Remark { is_warning: false, text: text_of_remark, advice }];
        Ok(Findings { facts, files, remarks, ..Findings::default() })
    }
}

/// The words that build a program again, into a folder, with the compiler's remarks. Err: why that is not possible.
fn command(program: &Artifact, folder: &Path) -> Result<Vec<String>, String> {
    let child = program.child.as_ref().map_or("", |child| child.language.as_str());
    let language = if program.language.is_empty() { child } else { &program.language };
    let remarks = LanguageFacts::of_any(language).remarks.ok_or("its compiler has no remarks that are known here")?;
    remarks(&program.build_command, &folder.display().to_string())
        .ok_or_else(|| "only programs that are built from one file are compiled once more for remarks".to_owned())
}

/// Compiles a program once more.
fn said(program: &Artifact) -> Result<Vec<Said>, String> {
    let folder = std::env::temp_dir().join(format!("tare-remarks-{}-{}", std::process::id(), program.hash));
    let words = command(program, &folder)?;
    std::fs::create_dir(&folder).map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
    let output = run(&words, program);
    let _ = std::fs::remove_dir_all(&folder);
    // Of a template the same is said for each of its uses.
    let said: BTreeSet<Said> = output?.lines().filter_map(remark).filter(is_of_user).collect();
    match said.is_empty() {
        true => Err("the compiler made no remark on inlining in the sources of this program".to_owned()),
        false => Ok(said.into_iter().take(LINES_MAX).collect()),
    }
}

fn run(words: &[String], program: &Artifact) -> Result<String, String> {
    let (first, rest) = words.split_first().ok_or("the command that built it is not known")?;
    let mut command = Command::new(first);
    command.args(rest).current_dir(&program.directory);
    let done = helper::run(&mut command, LIMITS).map_err(|error| format!("cannot start `{first}`: {error}"))?;
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    match done.success {
        true => Ok(text),
        false => Err(format!("`{first}` failed ({}): {}", done.status, text.lines().last().unwrap_or_default())),
    }
}

/// GCC: `a.cpp:5:3: optimized:  Inlining ...`; Clang: `a.cpp:5:3: remark: 'f' inlined into ...`; rustc:
/// `note: a.rs:5:3 inline (success): 'f' inlined into ... at callsite ...`.
fn remark(line: &str) -> Option<Said> {
    const KINDS: [&str; 5] = [": optimized:", ": missed:", ": remark:", " inline (success):", " inline (missed):"];
    let line = line.trim_start().trim_start_matches("note: ");
    let (place, text) = KINDS.iter().find_map(|kind| line.split_once(kind))?;
    let mut parts = place.rsplitn(3, ':');
    let (_, number, file) = (parts.next()?, parts.next()?, parts.next()?);
    // Where it is called is the place in front.
    let text = text.split(" at callsite ").next().unwrap_or(text).trim();
    let text = text.split(' ').map(named).collect::<Vec<String>>().join(" ");
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let is_inlined =
        !line.contains(": missed:") && !text.contains("not inlined") && !text.contains("will not be inlined");
    Some(Said { file: file.to_owned(), line: number.parse().ok()?, text, is_inlined })
}

/// A word; of a symbol the name that it stands for.
fn named(word: &str) -> String {
    let symbol = word.trim_matches('\'');
    match symbol.starts_with("_Z") || symbol.starts_with("_R") {
        true => word.replace(symbol, &readable(symbol)),
        false => word.to_owned(),
    }
}

/// Not of a library that comes with a compiler, of a front end, or of how benchmarks are declared.
fn is_of_user(said: &Said) -> bool {
    const DECLARES: [&str; 4] =
        ["tare::detail::", "static_initialization_and_destruction", "static initializers", "_GLOBAL__sub_I"];
    const OTHERS: [&str; 2] = ["/tare/frontends/", "/registry/src/"];
    !DECLARES.iter().any(|part| said.text.contains(part))
        && !said.text.starts_with("'tare::")
        && !["/usr/", "/rustc/"].iter().any(|start| said.file.starts_with(start))
        && !OTHERS.iter().any(|part| said.file.contains(part))
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
        for (line, is_inlined) in lines {
            let said = remark(line).expect(line);
            assert_eq!((said.line, said.is_inlined), (9, is_inlined), "{line}");
            assert!(said.file.ends_with("a.cpp") || said.file == "src/a.rs", "{said:?}");
        }
        for line in ["", "a.cpp:9: warning: x", "In file included from a.cpp", "x: remark: y"] {
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
    }
}
