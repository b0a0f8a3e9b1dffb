//! Languages that Tare builds nothing of: what can be measured of them all the same, as commands that can be typed.

use crate::toolchain::shell_word;
use std::path::Path;

/// A language without a front end.
#[derive(Debug)]
pub(crate) struct Unbuilt {
    /// As people write it.
    pub(crate) name: &'static str,
    endings: &'static [&'static str],
    /// How a program of one file is built, where compiling it would otherwise be measured in each run. `{file}` is the file.
    build: Option<&'static str>,
    /// How it is started; `{stem}` is the file's name without its suffix. None: it is no program by itself.
    run: Option<&'static str>,
    /// A tool of this language whose results `tare compare` reads.
    harness: Option<&'static str>,
}

/// The first one whose ending a file has is taken.
const ALL: [Unbuilt; 9] = [
    Unbuilt { harness: Some("pyperf and pytest-benchmark"), ..script("Python", &[".py"], "python3 {file}") },
    script("JavaScript", &[".js", ".mjs", ".cjs"], "node {file}"),
    Unbuilt {
        build: Some("javac -d . {file}"),
        harness: Some("JMH"),
        ..script("Java", &[".java"], "java -cp . {stem}")
    },
    script("Ruby", &[".rb"], "ruby {file}"),
    script("Perl", &[".pl"], "perl {file}"),
    script("PHP", &[".php"], "php {file}"),
    script("Lua", &[".lua"], "lua {file}"),
    script("shell scripts", &[".sh"], "sh {file}"),
    script("shell scripts", &[".bash"], "bash {file}"),
];

const fn script(name: &'static str, endings: &'static [&'static str], run: &'static str) -> Unbuilt {
    Unbuilt { name, endings, build: None, run: Some(run), harness: None }
}

impl Unbuilt {
    /// The language of a file, by its name.
    pub(crate) fn of(path: &Path) -> Option<&'static Unbuilt> {
        let name = path.file_name()?.to_str()?;
        ALL.iter().find(|language| language.endings.iter().any(|ending| name.ends_with(ending)))
    }

    /// What can be done with the file, the best first. `speaks`: it looks for the variable of the protocol.
    pub(crate) fn hints(&self, path: &Path, speaks: bool) -> Vec<String> {
        let file = shell_word(path);
        let stem = path.file_stem().map(shell_word).unwrap_or_default();
        let build = self.build.map(|build| format!("{} && ", build.replace("{file}", &file))).unwrap_or_default();
        let run = self.run.map(|run| run.replace("{file}", &file).replace("{stem}", &stem));
        let as_command =
            run.as_ref().map(|run| format!("measure it as a whole command: `{build}tare time {}`", shell_word(run)));
        let by_protocol = run.map(|run| format!("`{build}tare run -- {run}`"));
        if let (true, Some(by_protocol)) = (speaks, &by_protocol) {
            let interpreter = self.run.and_then(|run| run.strip_suffix(" {file}"));
            let suffix = path.extension().map(|suffix| suffix.to_string_lossy().into_owned()).unwrap_or_default();
            let for_all = interpreter.map(|name| {
                format!("for all files of this kind: `{suffix} = \"{name}\"` below `[interpreters]` in `tare.toml`")
            });
            let this = format!("it seems to speak the protocol, so name the command that starts it: {by_protocol}");
            return std::iter::once(this).chain(for_all).collect();
        }
        let saved = self.harness.map(|harness| {
            format!("`tare compare OLD NEW` compares saved results of {harness}: `tare help comparing`")
        });
        let by_protocol = by_protocol.map(|command| {
            format!("with your own front end: {command}; `tare help front-ends` shows how to write one")
        });
        [as_command, saved, by_protocol].into_iter().flatten().collect()
    }
}

/// Suffixes of the files of these languages.
pub(super) fn suffixes() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|language| language.endings).filter_map(|ending| ending.strip_prefix('.'))
}

/// The usual interpreter of a script, by its name.
pub fn interpreter_of(script: &Path) -> Option<&'static str> {
    Unbuilt::of(script)?.run?.strip_suffix(" {file}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hints(path: &str, speaks: bool) -> Vec<String> {
        let path = Path::new(path);
        Unbuilt::of(path).map(|language| language.hints(path, speaks)).unwrap_or_default()
    }

    #[test]
    fn each_language_has_its_own_commands() {
        assert!(hints("a/bench.py", false)[0].ends_with("`tare time 'python3 a/bench.py'`"));
        assert!(
            hints("a b.js", false)[0].ends_with(r"`tare time 'node '\''a b.js'\'''`"),
            "a command within a command"
        );
        assert!(hints("x/Bench.java", false)[0].ends_with("`javac -d . x/Bench.java && tare time 'java -cp . Bench'`"));
        let child = hints("child.py", true);
        assert!(child[0].ends_with("`tare run -- python3 child.py`"), "{child:?}");
        assert!(child[1].contains("`py = \"python3\"` below `[interpreters]`"), "{child:?}");
        assert!(Unbuilt::of(Path::new("notes.txt")).is_none());
    }

    #[test]
    fn a_script_is_given_to_its_own_interpreter() {
        for (script, interpreter) in
            [("./build.sh", Some("sh")), ("a/bench.py", Some("python3")), ("b.go", None), ("./bench", None)]
        {
            assert_eq!(interpreter_of(Path::new(script)), interpreter, "{script}");
        }
    }
}
