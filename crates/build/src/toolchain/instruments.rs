//! Instrumentation that a compiler built into a program: sanitizers, coverage, profilers. The symbols show it in every language.

use super::elf::{content, Elf};
use std::collections::BTreeSet;
use tare_model::Artifact;

/// Prefixes of symbols that a program defines or needs only with an instrument, and its name. Functions that a program may define for it in
/// any case (`__asan_default_options`) are excluded.
const SIGNS: [(&str, &str); 14] = [
    ("__asan_init", "AddressSanitizer"),
    ("__hwasan_init", "HWAddressSanitizer"),
    ("__lsan_init", "LeakSanitizer"),
    ("__msan_init", "MemorySanitizer"),
    ("__tsan_init", "ThreadSanitizer"),
    ("__ubsan_handle_", "UndefinedBehaviorSanitizer"),
    ("__sanitizer_cov_trace_", "SanitizerCoverage"),
    ("__gcov_", "gcov (coverage or profile counters)"),
    ("__llvm_profile_", "LLVM's coverage or profile counters"),
    ("mcount", GPROF),
    ("_mcount", GPROF),
    ("__fentry__", GPROF),
    ("__cyg_profile_func_enter", "-finstrument-functions"),
    ("__xray_", "XRay"),
];
const GPROF: &str = "-pg";

/// Fills [`Artifact::instruments`] of the programs of a run.
pub fn note_instruments(artifacts: &mut [Artifact]) {
    for artifact in artifacts {
        let file = content(artifact).unwrap_or_default();
        artifact.instruments = Elf::read(&file).map_or_else(Vec::new, |elf| instruments(elf.names()));
    }
}

fn instruments<'a>(symbols: impl Iterator<Item = &'a str>) -> Vec<String> {
    let is_whole = |sign: &str| sign.ends_with("mcount");
    let fits = |symbol: &str, sign: &str| if is_whole(sign) { symbol == sign } else { symbol.starts_with(sign) };
    // Most names of a Rust or C++ program begin like this, and there may be 100,000 of them.
    let symbols = symbols.filter(|symbol| !symbol.starts_with("_ZN") && !symbol.starts_with("_R"));
    let signs = |symbol| SIGNS.iter().filter(move |(sign, _)| fits(symbol, sign)).map(|(_, name)| *name);
    let found: BTreeSet<&str> = symbols.flat_map(signs).collect();
    // In the order of the table, since ThreadSanitizer contains parts of other sanitizers.
    let mut names: Vec<String> = Vec::new();
    for (_, name) in SIGNS.iter().filter(|(_, name)| found.contains(name)) {
        if !names.iter().any(|known| known == name) {
            names.push((*name).to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn symbols_show_what_was_built_in() {
        let of = |symbols: &[&str]| instruments(symbols.iter().copied());
        assert_eq!(of(&["main", "__ubsan_handle_add_overflow", "__asan_init"]).len(), 2);
        assert_eq!(of(&["_mcount", "mcount"]), ["-pg"]);
        // Hooks that a program may define in any case, and names that only look similar.
        for harmless in ["__asan_default_options", "__tsan_default_suppressions", "mcount_all", "__gmon_start__"] {
            assert!(of(&[harmless]).is_empty(), "{harmless}");
        }
    }

    #[test]
    fn a_compiler_builds_them_in() {
        let folder = std::env::temp_dir().join(format!("tare-instruments-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let source = folder.join("a.c");
        // A weak reference, as in the front end for C, does not count.
        let text = "void __asan_init(void) __attribute__((weak)); int main(int n, char **v) { return n + 1 + (__asan_init != 0); }";
        std::fs::write(&source, text).expect("a file");
        for (flags, expected) in [
            (&[][..], &[][..]),
            (&["-fsanitize=undefined"], &["UndefinedBehaviorSanitizer"]),
            (&["-fsanitize=address", "-s"], &["AddressSanitizer"]),
            (&["--coverage"], &["gcov (coverage or profile counters)"]),
            (&["-pg"], &["-pg"]),
        ] {
            let program = folder.join("a");
            let built =
                Command::new("gcc").args(flags).arg(&source).arg("-o").arg(&program).current_dir(&folder).output();
            match built {
                Ok(output) if output.status.success() => {
                    let mut artifacts =
                        [Artifact { command: vec![program.to_string_lossy().into_owned()], ..Artifact::default() }];
                    note_instruments(&mut artifacts);
                    assert_eq!(artifacts[0].instruments, expected, "{flags:?}");
                }
                _ => eprintln!("skipped: gcc cannot link with {flags:?}"),
            }
        }
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
