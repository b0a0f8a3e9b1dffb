//! Benchmarks and names in the text of a Java file.

use crate::discover::without_comments;
use std::path::Path;

const IMPORTS: [&str; 2] = ["tare.", "org.openjdk.jmh.annotations."];
/// The annotation by its full name.
const IN_FULL: [&str; 2] = ["@tare.Benchmark", "@org.openjdk.jmh.annotations.Benchmark"];

pub(super) fn has_benchmarks(text: &str) -> bool {
    let code = without_comments(text);
    let imports = || code.lines().filter_map(|line| line.trim_start().strip_prefix("import ")).map(str::trim_start);
    let is_imported = || imports().any(|name| IMPORTS.iter().any(|package| name.starts_with(package)));
    (code.contains("@Benchmark") && is_imported()) || IN_FULL.iter().any(|name| code.contains(name))
}

pub(super) fn package(text: &str) -> String {
    let code = without_comments(text);
    let line = code.lines().find_map(|line| line.trim_start().strip_prefix("package ").map(str::to_owned));
    line.and_then(|rest| rest.split(';').next().map(|name| name.trim().to_owned())).unwrap_or_default()
}

/// The path of a file within the folders of its package, as in its class files: `p/A.java`.
pub(super) fn in_package(file: &Path, text: &str) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let folders =
        package(text).split('.').filter(|part| !part.is_empty()).map(|part| format!("{part}/")).collect::<String>();
    format!("{folders}{name}")
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Flags {
    pub(super) compiler: Vec<String>,
    pub(super) runtime: Vec<String>,
    pub(super) class_path: Vec<String>,
}

/// Flags of `javac` with the same prefixes as flags of `java`.
const OF_COMPILER: [&str; 5] = ["-Xlint", "-Xdoclint", "-Xmax", "-Xplugin", "-Xdiags"];
const OF_RUNTIME: [&str; 8] = ["-X", "-D", "-ea", "-da", "-esa", "-javaagent", "-agent", "--add-opens"];
const OF_BOTH: [&str; 4] = ["--add-exports", "--add-modules", "--enable-preview", "--add-reads"];

impl Flags {
    pub(super) fn of(flags: &[String], version: u32) -> Flags {
        let mut found = Flags::default();
        let mut rest = flags.iter();
        while let Some(flag) = rest.next() {
            let begins = |names: &[&str]| names.iter().any(|name| flag.starts_with(name));
            let path = ["--class-path=", "-cp=", "-classpath="].iter().find_map(|name| flag.strip_prefix(name));
            let value = |rest: &mut std::slice::Iter<String>| match flag.contains('=') {
                true => Vec::new(),
                false => rest.next().cloned().into_iter().collect(),
            };
            match flag.as_str() {
                "-cp" | "-classpath" | "--class-path" => found.class_path.extend(rest.next().cloned()),
                _ if path.is_some() => found.class_path.extend(path.map(str::to_owned)),
                "--enable-preview" => {
                    found.compiler.extend([flag.clone(), "--release".to_owned(), version.to_string()]);
                    found.runtime.push(flag.clone());
                }
                _ if begins(&OF_BOTH) => {
                    let all = [vec![flag.clone()], value(&mut rest)].concat();
                    found.compiler.extend(all.iter().cloned());
                    found.runtime.extend(all);
                }
                _ if begins(&OF_COMPILER) => found.compiler.push(flag.clone()),
                "--add-opens" => found.runtime.extend([vec![flag.clone()], value(&mut rest)].concat()),
                _ if begins(&OF_RUNTIME) => found.runtime.push(flag.clone()),
                _ => found.compiler.push(flag.clone()),
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_benchmarks_are_found() {
        let of = |import: &str| {
            format!("package a;\nimport {import};\nclass X {{ @Benchmark public int x() {{ return 1; }} }}\n")
        };
        for import in
            ["tare.*", "tare.Benchmark", "org.openjdk.jmh.annotations.*", " org.openjdk.jmh.annotations.Benchmark"]
        {
            assert!(has_benchmarks(&of(import)), "{import}");
        }
        assert!(has_benchmarks("class X { @tare.Benchmark int x() { return 1; } }"));
        for text in [of("tared.Benchmark"), "import tare.*;\nclass X {}".to_owned(), format!("/* {} */", of("tare.*"))]
        {
            assert!(!has_benchmarks(&text), "{text}");
        }
    }

    #[test]
    fn the_package_is_read_behind_comments() {
        assert_eq!(package("// package x;\n/* y */\npackage a.b ;\n"), "a.b");
        assert_eq!(package("class X {}"), "");
        assert_eq!(in_package(Path::new("/x/A.java"), "package a.b;"), "a/b/A.java");
        assert_eq!(in_package(Path::new("A.java"), ""), "A.java");
    }

    #[test]
    fn flags_go_to_whom_they_are_for() {
        let flags = "-Xmx1g -Xlint:all -Da=b -parameters -cp lib/a.jar --enable-preview --add-exports java.base/sun.misc=ALL-UNNAMED";
        let flags: Vec<String> = flags.split(' ').map(str::to_owned).collect();
        let exports = ["--add-exports", "java.base/sun.misc=ALL-UNNAMED"];
        let texts = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let found = Flags::of(&flags, 21);
        let compiler = ["-Xlint:all", "-parameters", "--enable-preview", "--release", "21"];
        assert_eq!(found.compiler, texts(&[&compiler[..], &exports].concat()));
        assert_eq!(found.runtime, texts(&[&["-Xmx1g", "-Da=b", "--enable-preview"][..], &exports].concat()));
        assert_eq!(found.class_path, ["lib/a.jar"]);
    }
}
