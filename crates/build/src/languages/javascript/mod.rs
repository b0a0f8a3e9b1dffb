//! JavaScript and TypeScript: a runtime starts the front end, which loads the file. Nothing is built.

mod first;

use super::{Installed, Lack, Source};
use crate::discover::{read_source, without_comments, Target};
use crate::embedded::Files;
use crate::toolchain::context::{text, BuildContext, BuildResult, Built, Variables};
use crate::toolchain::directive::words;
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::layout;
use crate::toolchain::program::hash_of_command;
use std::path::Path;
use tare_model::Artifact;

pub(crate) const LANGUAGE: Source = Source {
    name: "javascript",
    suffixes: &["js", "mjs", "cjs", "ts", "mts", "cts"],
    interpreters: &["node", "bun", "deno"],
    includes: &["js", "mjs", "cjs", "ts", "mts", "cts"],
    settings: &["json"],
    sign: "files that import tare, mitata or tinybench, benchmarks of vitest",
    uses_tare,
    is_suite: |_, text| is_suite(text),
    lack: || Variables::of_process().find(TOOLCHAIN).is_none().then_some(LACK),
    build,
    runs_by: Some(TOOLCHAIN),
    installed: Some(&INSTALLED),
    first: first::FIRST,
    ..Source::NONE
};

const LACK: Lack =
    Lack { needs: "Node", program: "node", instead: "install it: `apt install nodejs`, or see https://nodejs.org" };

const INSTALLED: Installed = Installed {
    manifest: "package.json",
    locks: &["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"],
    folder: "node_modules",
    programs: ".bin",
    wanted,
    facts,
};
/// Fields of a manifest that determine which packages are installed.
const OF_PACKAGES: [&str; 7] = [
    "dependencies",
    "devDependencies",
    "optionalDependencies",
    "peerDependencies",
    "overrides",
    "resolutions",
    "workspaces",
];

fn wanted(manifest: &str) -> Vec<String> {
    let parsed = serde_json::from_str::<serde_json::Value>(manifest).unwrap_or_default();
    OF_PACKAGES.iter().map(|part| parsed.get(part).map(ToString::to_string).unwrap_or_default()).collect()
}

fn facts(manifest: &str) -> (String, String) {
    let parsed = serde_json::from_str::<serde_json::Value>(manifest).unwrap_or_default();
    let word = |name: &str| parsed.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    (word("name"), word("version"))
}

const TOOLCHAIN: &str = "node";
/// Makes V8 compile a hot function at once instead of later in a background thread. Next to many processes, that thread is so late that a
/// process seems warm too early. The compiled code is the same.
const COMPILES_AT_ONCE: &str = "--no-concurrent-recompilation";
static FRONT_END: Files = Files::new(|| include!(concat!(env!("OUT_DIR"), "/javascript.rs")));
/// The file of the front end that loads a file with benchmarks.
const START: &str = "start.js";

fn uses_tare(source: &str) -> bool {
    imports(source, |line| names(line, &["tare"]) || ["'@tare/", "\"@tare/"].iter().any(|name| line.contains(name)))
}

/// Whether it has benchmarks of a library whose files run as they are. Files that import vitest are more often tests.
fn is_suite(source: &str) -> bool {
    let has_benchmarks = || ["bench(", "bench."].iter().any(|call| source.contains(call));
    imports(source, |line| names(line, &["mitata", "tinybench"]) || names(line, &["vitest"]) && has_benchmarks())
}

fn imports(source: &str, is_it: impl Fn(&str) -> bool) -> bool {
    let code = without_comments(source);
    let words = ["from", "import", "require"];
    code.lines().any(|line| words.iter().any(|word| line.contains(word)) && is_it(line))
}

fn names(line: &str, packages: &[&str]) -> bool {
    let is_quoted = |package: &&str| ['\'', '"'].iter().any(|quote| line.contains(&format!("{quote}{package}{quote}")));
    packages.iter().any(is_quoted)
}

/// A program that speaks the protocol itself needs no front end.
fn is_child(source: &str) -> bool {
    source.contains("TARE_LINK") && !uses_tare(source)
}

fn build(context: &BuildContext, target: &Target) -> BuildResult {
    let unreadable = BuildFailure::unreadable(&target.path);
    let source = read_source(&target.path).map_err(unreadable)?;
    let folder = target.path.parent().unwrap_or(Path::new("/"));
    let mut command = runtime(context)?;
    if is_program(&command[0], TOOLCHAIN) {
        command.push(COMPILES_AT_ONCE.to_owned());
    }
    command.extend(options(context));
    if !is_child(&source) {
        command.push(text(&context.cache.front_end(LANGUAGE.name, &FRONT_END)?.join(START)));
    }
    command.push(text(&target.path));
    let hash = hash_of_command(&command, folder).map_err(unreadable)?;
    let layouts = layout::none(context, "a runtime compiles it while it runs");
    let artifact = Artifact { layouts, ..target.artifact(TOOLCHAIN, command, folder, hash) };
    Ok(Built { artifact, cached: true })
}

fn runtime(context: &BuildContext) -> Result<Vec<String>, BuildFailure> {
    let named = context.options.job.toolchain.get(LANGUAGE.name).map_or(TOOLCHAIN, String::as_str);
    let mut command = words(named);
    let name = command.first().cloned().unwrap_or_default();
    let Some(found) = context.variables.find(&name) else {
        let status = format!("`{name}` was not found on the PATH");
        let hint = "install Node: see https://nodejs.org; or name another runtime: `--job node=PATH`".to_owned();
        return Err(BuildFailure::lacking(status, hint));
    };
    command[0] = text(&found);
    if is_program(&name, "deno") && command.len() == 1 {
        command.extend(["run", "--allow-all"].map(str::to_owned));
    }
    Ok(command)
}

/// Whether a path is that of a runtime, in any version.
fn is_program(path: &str, name: &str) -> bool {
    Path::new(path).file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))
}

/// Options of a runtime from the job's flags. Warns of flags that it does not take.
fn options(context: &BuildContext) -> Vec<String> {
    let job = &context.options.job;
    let (options, others): (Vec<String>, Vec<String>) =
        job.flags.iter().cloned().partition(|flag| flag.starts_with("--"));
    if !others.is_empty() {
        let flags = others.join(" ");
        context.warn(format!("`{flags}` are not options of a JavaScript runtime, and are ignored here"));
    }
    context.warn_of_native_settings();
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_import_the_front_end_are_found() {
        for code in [
            "import { bench } from 'tare';",
            "import * as tare from \"tare\"",
            "const { bench } = require('tare');",
            "import { bench, run } from '@tare/mitata';",
            "const { bench } = await import('tare')",
        ] {
            assert!(uses_tare(code), "{code}");
        }
        for code in [
            "import { bench } from 'tared';",
            "// import { bench } from 'tare'",
            "const x = 'tare';",
            "import { test } from 'vitest';",
            "",
        ] {
            assert!(!uses_tare(code), "{code}");
        }
    }

    #[test]
    fn files_of_other_libraries_are_found() {
        for code in [
            "import { bench, run } from 'mitata';",
            "const { Bench } = require(\"tinybench\");",
            "import {\n  describe,\n  bench,\n} from 'vitest'\nbench('a', f)",
        ] {
            assert!(is_suite(code) && !uses_tare(code), "{code}");
        }
        for code in ["import { test } from 'vitest';", "// import { bench } from 'mitata'", "import x from 'mitata-x'"]
        {
            assert!(!is_suite(code), "{code}");
        }
    }

    #[test]
    fn a_child_is_started_as_it_is() {
        assert!(is_child("const link = process.env.TARE_LINK;"));
        assert!(!is_child("import { bench } from 'tare'; // TARE_LINK"));
    }

    #[test]
    fn a_runtime_is_known_by_its_name() {
        let setting = tare_model::ToolchainSetting::named("node").expect("there is one");
        for word in ["node", "node20", "bun", "/opt/node-22/bin/node", "node --jitless"] {
            assert!((setting.is_value)(word), "{word}");
        }
        for word in ["nodejs-thing", "x=node", "bundle", "denote"] {
            assert!(!(setting.is_value)(word), "{word}");
        }
    }
}
