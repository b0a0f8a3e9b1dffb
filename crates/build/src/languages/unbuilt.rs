//! Scripts of languages without a front end, with their usual interpreters: they can be measured as commands.

use crate::toolchain::shell_word;
use std::path::Path;

#[derive(Debug)]
pub(crate) struct Unbuilt {
    pub(crate) name: &'static str,
    suffixes: &'static [&'static str],
    interpreter: &'static str,
}

const ALL: [Unbuilt; 8] = [
    script("Python", &["py"], "python3"),
    script("JavaScript", &["js", "mjs", "cjs"], "node"),
    script("Ruby", &["rb"], "ruby"),
    script("Perl", &["pl"], "perl"),
    script("PHP", &["php"], "php"),
    script("Lua", &["lua"], "lua"),
    script("shell scripts", &["sh"], "sh"),
    script("shell scripts", &["bash"], "bash"),
];

const fn script(name: &'static str, suffixes: &'static [&'static str], interpreter: &'static str) -> Unbuilt {
    Unbuilt { name, suffixes, interpreter }
}

impl Unbuilt {
    /// The language of a file, by its suffix.
    pub(crate) fn of(path: &Path) -> Option<&'static Unbuilt> {
        let suffix = path.extension()?.to_str()?;
        ALL.iter().find(|language| language.suffixes.contains(&suffix))
    }

    /// What can be done with the file, the best first. `speaks`: it reads the variable of the protocol.
    pub(crate) fn hints(&self, path: &Path, speaks: bool) -> Vec<String> {
        let run = format!("{} {}", self.interpreter, shell_word(path));
        let by_protocol = format!("`tare run -- {run}`");
        match speaks {
            true => vec![
                format!("it seems to speak the protocol, so name the command that starts it: {by_protocol}"),
                format!(
                    "for all files of this kind: `{} = \"{}\"` below `[interpreters]` in `tare.toml`",
                    path.extension().unwrap_or_default().to_string_lossy(),
                    self.interpreter
                ),
            ],
            false => vec![
                format!("measure it as a whole command: `tare time {}`", shell_word(run)),
                format!("with your own front end: {by_protocol}; `tare help front-ends` shows how to write one"),
            ],
        }
    }
}

pub(super) fn suffixes() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|language| language.suffixes).copied()
}

/// The language without a front end that the user named.
pub fn without_front_end(word: &str) -> Option<&'static str> {
    ALL.iter().map(|language| language.name).find(|name| name.eq_ignore_ascii_case(word))
}

pub fn interpreter_of(script: &Path) -> Option<&'static str> {
    Some(Unbuilt::of(script)?.interpreter)
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
