//! What to do about what a compiler, a linker or a build tool said. The rules of a language are in its folder.

use crate::languages;

/// A rule: a hint when the output contains all of the words. `{}` stands for the text between the two marks.
pub(crate) struct Rule {
    words: &'static [&'static str],
    /// What is before and after the text for `{}`.
    between: Option<(&'static str, &'static str)>,
    hint: &'static str,
}

pub(crate) const fn rule(words: &'static [&'static str], hint: &'static str) -> Rule {
    Rule { words, between: None, hint }
}

pub(crate) const fn naming(
    words: &'static [&'static str],
    between: (&'static str, &'static str),
    hint: &'static str,
) -> Rule {
    Rule { words, between: Some(between), hint }
}

/// Of any of them.
const RULES: &[Rule] = &[
    rule(&["No space left on device"], "the disk is full: free some space, see `df -h`"),
    rule(&["Killed signal terminated program"], "out of memory: build fewer targets at once"),
];

/// The hint for what was printed, where one is known.
pub(crate) fn of_output(output: &str) -> Option<String> {
    // gcc and clang quote with these where the terminal can show them.
    let output = output.replace(['\u{2018}', '\u{2019}'], "'");
    first(RULES, &output).or_else(|| languages::all().find_map(|language| (language.hint)(&output)))
}

/// The first that fits is taken: causes before consequences.
pub(crate) fn first(rules: &[Rule], output: &str) -> Option<String> {
    rules.iter().find_map(|rule| of_rule(rule, output))
}

fn of_rule(rule: &Rule, output: &str) -> Option<String> {
    if !rule.words.iter().all(|word| output.contains(word)) {
        return None;
    }
    let Some((before, after)) = rule.between else { return Some(rule.hint.to_owned()) };
    let name = output.lines().find_map(|line| name_in(line, before, after))?;
    Some(rule.hint.replace("{}", &name))
}

/// The text between the two marks; a mark of `\n` is the end of the line, or of what comes before an explanation.
fn name_in(line: &str, before: &str, after: &str) -> Option<String> {
    let (_, rest) = line.split_once(before)?;
    let name = match after {
        "\n" => rest.split(": ").next()?,
        _ => rest.split_once(after)?.0,
    };
    Some(name.trim().chars().take(80).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_in() {
        let hint = of_output("/usr/bin/ld: cannot find -lfoo: No such file or directory\ncollect2: error\n").unwrap();
        assert!(hint.contains("package of `foo`,"), "{hint}");
        let hint = of_output("a.cpp:1:10: fatal error: x/y.h: No such file or directory\n").unwrap();
        assert!(hint.contains("`x/y.h`") && hint.contains("apt-file search x/y.h"), "{hint}");
    }

    #[test]
    fn the_right_line_gives_the_name() {
        let output = "CMake Error at CMakeLists.txt:3 (x):\n  CMake 99.0 or higher is required.  You have\n";
        assert_eq!(of_output(output).unwrap(), "install CMake 99.0 or newer");
        let hint = of_output("error: \u{2018}concept\u{2019} does not name a type").unwrap();
        assert!(hint.contains("-std=c++20"), "{hint}");
    }

    #[test]
    fn causes_before_consequences() {
        let hint = of_output("undefined reference to `main'\nundefined reference to `f'").unwrap();
        assert!(hint.contains("TARE_MAIN"), "{hint}");
        assert_eq!(of_output("something else"), None);
    }
}
