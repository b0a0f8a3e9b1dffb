//! The embedded front end for Go. The flag `-overlay` makes it part of the package `testing`: nothing is written into the user's folders or
//! those of Go, and plain `go test` builds the same as before.
//!
//! It adds files to the package, and a few lines to existing files where a benchmark function, its timer and its loop begin and end.

use super::loops;
use super::sdk::Sdk;
use super::source;
use super::tool::is_test;
use crate::embedded::Files;
use crate::toolchain::cache::Key;
use crate::toolchain::context::{text, BuildContext};
use crate::toolchain::failure::BuildFailure;
use std::fs;
use std::path::{Path, PathBuf};

static FILES: Files = Files::new(|| include!(concat!(env!("OUT_DIR"), "/go.rs")));

/// Errors about the calls before loops contain this.
pub(super) const MARK: &str = loops::METHOD;

/// Code inserted next to a line in a file of `testing`.
struct Patch {
    /// Variants of the line in versions of Go.
    lines: &'static [&'static str],
    before: &'static str,
    after: &'static str,
    optional: bool,
}

const fn before(lines: &'static [&'static str], added: &'static str) -> Patch {
    Patch { lines, before: added, after: "", optional: false }
}

const fn after(lines: &'static [&'static str], added: &'static str) -> Patch {
    Patch { lines, before: "", after: added, optional: false }
}

const BENCHMARK: &[Patch] = &[
    after(&["type B struct {\n"], "\ttare *tareRun\n"),
    before(&["b.start = highPrecisionTimeNow()\n", "b.start = time.Now()\n"], "b.tare.started(); "),
    after(
        &["b.duration += highPrecisionTimeSince(b.start)\n", "b.duration += time.Since(b.start)\n"],
        "\t\tb.tare.stopped()\n",
    ),
    after(&["b.netBytes += memStats.TotalAlloc - b.startBytes\n"], "\t\tb.tare.counted()\n"),
    after(&["\tb.duration = 0\n"], "\tb.tare.reset()\n"),
    Patch {
        optional: true,
        ..after(&["func (b *B) loopSlowPath() bool {\n"], "\tif b.tare != nil { return b.tare.loop(b) }\n")
    },
    after(
        &["func (b *B) Run(name string, f func(b *B)) bool {\n"],
        "\tif b.tare != nil { return b.tare.run(b, name, f) }\n",
    ),
    Patch {
        optional: true,
        ..before(&["if b.N == 0 {\n\t\treturn // Nothing to do when probing.\n"], "if b.tareParallel() { } else ")
    },
];

const TESTING: &[Patch] = &[after(&["func (m *M) Run() (code int) {\n"], "\tif tareServe(m) { return 0 }\n")];

/// Writes the files for this Go and the metrics of this package. Returns the file for `-overlay`. `marks`: loops over `b.N` reset the
/// timer.
pub(super) fn write(
    context: &BuildContext,
    sdk: &Sdk,
    sources: &[PathBuf],
    marks: bool,
) -> Result<PathBuf, BuildFailure> {
    let testing = sdk.root.join("src/testing");
    let patched = |name: &str, patches: &[Patch]| {
        let path = testing.join(name);
        let content = fs::read_to_string(&path).map_err(|e| {
            BuildFailure::new(format!("cannot read `{}`: {e}", path.display()), Some("install Go again".to_owned()))
        })?;
        apply(&content, patches).map_err(|line| unknown(sdk, &path, line))
    };
    let mut files: Vec<(String, String)> = FILES
        .iter()
        .map(|(name, text)| (name.rsplit('/').next().unwrap_or(name).to_owned(), (*text).to_owned()))
        .collect();
    files.push(("benchmark.go".to_owned(), patched("benchmark.go", BENCHMARK)?));
    files.push(("testing.go".to_owned(), patched("testing.go", TESTING)?));
    files.push(("tare_units.go".to_owned(), units_file(sources)));
    let key =
        files.iter().fold(Key::new("go-overlay").with(text(&testing)), |key, (name, text)| key.with(name).with(text));
    let place = format!("frontends/go-{}", &key.finish()[..16]);
    let mut replace = serde_json::Map::new();
    for (name, content) in &files {
        let own = format!("{place}/{name}");
        context.cache.write(&own, content.as_bytes())?;
        replace.insert(text(&testing.join(name)), text(&context.cache.path(&own)).into());
    }
    let copies = if marks { marked(sources) } else { Vec::new() };
    let key = copies.iter().fold(Key::new("go-loops"), |key, (path, copy)| key.with(text(path)).with(copy)).finish();
    for (path, copy) in copies {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let own = format!("{place}/{}/{name}", &key[..16]);
        context.cache.write(&own, copy.as_bytes())?;
        replace.insert(text(&path), text(&context.cache.path(&own)).into());
    }
    let overlay = format!("{place}/{}.json", &key[..16]);
    let content = serde_json::json!({ "Replace": replace }).to_string();
    context.cache.write(&overlay, content.as_bytes())?;
    Ok(context.cache.path(&overlay))
}

fn marked(sources: &[PathBuf]) -> Vec<(PathBuf, String)> {
    let copy = |path: &PathBuf| Some((path.clone(), loops::marked(&fs::read_to_string(path).ok()?)?));
    sources.iter().filter_map(copy).collect()
}

/// The text with the patches, or the line that was not found.
fn apply(content: &str, patches: &[Patch]) -> Result<String, &'static str> {
    let mut content = content.to_owned();
    for patch in patches {
        match patch.lines.iter().find(|line| content.contains(**line)) {
            Some(line) => content = content.replace(line, &format!("{}{line}{}", patch.before, patch.after)),
            None if patch.optional => {}
            None => return Err(patch.lines[0].trim()),
        }
    }
    Ok(content)
}

fn unknown(sdk: &Sdk, path: &Path, line: &str) -> BuildFailure {
    let status = format!("{} is not known to this version: `{}` has no line `{line}`", sdk.version, path.display());
    let hint = "Go 1.21 to 1.26 are known: update Tare, or use one of them with `--job go1.26`".to_owned();
    BuildFailure::lacking(status, hint)
}

/// The units that the tests of a package report: the host must know them before anything runs.
fn units_file(sources: &[PathBuf]) -> String {
    let mut units: Vec<String> = Vec::new();
    for path in sources.iter().filter(|path| is_test(path)) {
        let text = fs::read_to_string(path).unwrap_or_default();
        units.extend(source::units(&text));
    }
    units.sort();
    units.dedup();
    format!("package testing\n\n// tareUnits are those that ReportMetric is called with.\nvar tareUnits = []string{units:?}\n")
        .replace("[]string[", "[]string{")
        .replace("]\n", "}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_put_beside_those_of_the_package() {
        let old = "type B struct {\n\tcommon\n}\n\t\tb.start = time.Now()\n\t\tb.duration += time.Since(b.start)\n\
                   \t\tb.netBytes += memStats.TotalAlloc - b.startBytes\n\tb.duration = 0\n\
                   func (b *B) Run(name string, f func(b *B)) bool {\n";
        let new = apply(old, BENCHMARK).expect("Go 1.21 has no Loop");
        assert!(
            new.contains("\t\tb.tare.started(); b.start = time.Now()\n") && new.contains("tare *tareRun\n\tcommon")
        );
        assert_eq!(apply("package testing\n", BENCHMARK), Err("type B struct {"));
    }

    #[test]
    fn units_are_a_list_of_go() {
        let folder = crate::toolchain::tests::help::Folder::new();
        let units_file = |folder: &Path| units_file(&super::super::tool::sources_of(folder));
        assert!(units_file(&folder.path).ends_with("var tareUnits = []string{}\n"));
        folder.write("a_test.go", "\tb.ReportMetric(1, \"x/op\")\n\tb.ReportMetric(1, \"a\")\n");
        assert!(units_file(&folder.path).ends_with("var tareUnits = []string{\"a\", \"x/op\"}\n"));
    }
}
