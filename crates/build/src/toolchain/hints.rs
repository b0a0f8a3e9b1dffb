//! Hints about the output of compilers, linkers and build tools. Hints of a language are in its folder.

use crate::languages;

/// Signs and a hint; any one of the signs suffices. All parts of a sign that ` ... ` separates must occur; `{}` matches a name within a
/// line, which replaces `{}` in the hint.
pub(crate) type Hint = (&'static [&'static str], &'static str);

/// For all languages.
const HINTS: &[Hint] = &[
    (&["No space left on device"], "the disk is full: free some space, see `df -h`"),
    (&["Killed signal terminated program"], "out of memory: build fewer targets at once"),
];

pub(crate) fn of_output(output: &str) -> Option<String> {
    // gcc and clang use these quotes if the terminal can show them.
    let output = output.replace(['\u{2018}', '\u{2019}'], "'");
    first(HINTS, &output).or_else(|| languages::all().find_map(|language| first(language.hints, &output)))
}

/// The first match wins: causes come before consequences.
fn first(hints: &[Hint], output: &str) -> Option<String> {
    hints.iter().find_map(|(signs, hint)| {
        let name = signs.iter().find_map(|sign| name_of(sign, output))?;
        Some(hint.replace("{}", &name))
    })
}

/// The name that a sign matches in an output, empty if the sign has none; None if the sign does not match.
fn name_of(sign: &str, output: &str) -> Option<String> {
    let mut name = String::new();
    for part in sign.split(" ... ") {
        match part.split_once("{}") {
            Some((before, after)) => name = output.lines().find_map(|line| name_in(line, before, after))?,
            None if output.contains(part) => {}
            None => return None,
        }
    }
    Some(name)
}

/// The text between the two marks. If the second is empty, it ends at the end of the line or before `: ` and an explanation.
fn name_in(line: &str, before: &str, after: &str) -> Option<String> {
    let (_, rest) = line.split_once(before)?;
    let name = match after {
        "" => rest.split(": ").next()?,
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
