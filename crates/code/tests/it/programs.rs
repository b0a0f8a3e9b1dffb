//! Programs that a compiler builds here, and helpers to read them.

use std::path::{Path, PathBuf};
use std::process::Command;
use tare_code::{collect, Code, LoopRequest};
use tempfile::TempDir;

/// A measuring loop with a body that makes calls, in a program with call chains of different depths.
pub const PROGRAM: &str = r#"
volatile long input = 5, output;
__attribute__((noinline)) static long deepest(long x) { __asm__ volatile(""); return x * 5 + input; }
__attribute__((noinline)) long deep(long x);
__attribute__((noinline)) static long deeper(long x) { return x > 100 ? deepest(x) + 1 : deep(x + 1) + 2; }
__attribute__((noinline)) long deep(long x) { return deeper(x) * 3; }
static inline __attribute__((always_inline)) long twice(long x) {
    return x + x;
}
__attribute__((noinline)) void loop(unsigned long turns) {
    while (turns != 0) {
        output = deep(twice(input));
        --turns;
        __asm__ volatile("" : "+r"(turns));
    }
}
int main(void) { loop(3); return 0; }
"#;

/// A folder with a source.
pub struct Made {
    folder: TempDir,
}

impl Made {
    /// `None` without a compiler, or on another processor.
    pub fn new(source: &str) -> Option<Made> {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !has("cc") {
            println!("skipped: it needs a C compiler on Linux on x86-64");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("program.c"), source).expect("it is written");
        Some(Made { folder })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Builds a program with these flags.
    pub fn build(&self, name: &str, flags: &[&str]) -> PathBuf {
        let words: Vec<&str> = ["-O2", "-o", name, "program.c"].into_iter().chain(flags.iter().copied()).collect();
        self.run("cc", &words);
        self.path(name)
    }

    pub fn run(&self, program: &str, words: &[&str]) -> String {
        let done = Command::new(program).args(words).current_dir(self.folder.path()).output().expect("it starts");
        assert!(done.status.success(), "{program} {words:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    /// The start address of a function in a program with symbols.
    pub fn address(&self, program: &Path, function: &str) -> u64 {
        let content = std::fs::read(program).expect("a program");
        let elf = tare_code::elf::Elf::read(&content).expect("an ELF program");
        let mut functions = elf.functions().into_iter();
        functions
            .find(|of| of.name == function || of.name.starts_with(&format!("{function}.")))
            .map(|of| of.address)
            .expect("the function")
    }
}

/// Whether a program exists.
pub fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|done| done.status.success())
}

/// Reads a file, as hosts do.
pub fn file(path: &str) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
}

/// The code from an address on.
pub fn code(program: &Path, start: u64, depth: u32) -> Code {
    let path = program.display().to_string();
    let request = LoopRequest { program: &path, start, depth, leaves: false, is_last: false, own_files: &[] };
    collect(&std::fs::read(program).expect("a program"), &request, &file).expect("its code")
}

/// Names of the shown functions.
pub fn names(code: &Code) -> Vec<&str> {
    code.functions.iter().map(|function| function.name.as_str()).collect()
}
