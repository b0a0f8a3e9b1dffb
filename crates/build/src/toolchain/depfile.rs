//! Files that a compiler read: the Makefile rules that it writes with `-MD`, and the files that a linker lists with `--trace`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The prerequisites of all rules, absolute; `folder` is where the compiler ran.
pub(crate) fn prerequisites(text: &str, folder: &Path) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    for rule in joined.lines().filter(|line| !line.starts_with('#')) {
        let mut words = words(rule).into_iter();
        // The target ends with the first word that ends in a colon; words before it belong to the target.
        for word in words.by_ref() {
            if word.ends_with(':') {
                break;
            }
        }
        found.extend(words.map(|word| folder.join(word)));
    }
    found.into_iter().collect()
}

/// Words of a rule: a backslash protects a blank or a `#`, `$$` is `$`.
fn words(rule: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut chars = rule.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next)) if next == ' ' || next == '#' || next == '\t' || next == ':' => {
                word.push(next);
                chars.next();
            }
            ('$', Some('$')) => {
                word.push('$');
                chars.next();
            }
            (' ' | '\t', _) => words.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    words.push(word);
    words.retain(|w| !w.is_empty());
    words
}

/// Files that the linker listed; `archive(member)` and `(archive)member` stand for the archive.
pub(crate) fn traced(text: &str, folder: &Path) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    for line in text.lines().map(str::trim) {
        let name = match (line.strip_prefix('('), line.split_once('(')) {
            (Some(rest), _) => rest.split_once(')').map_or(rest, |(archive, _)| archive),
            (None, Some((archive, _))) => archive,
            (None, None) => line,
        };
        let path = folder.join(name);
        if !name.is_empty() && path.is_file() {
            found.insert(path);
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_gcc_clang_and_rustc() {
        let text =
            "out: a.cpp \\\n /usr/x.h b\\ c.h \\\n d$$e.h f\\#.h\n\n/t/name.d: /abs/é.rs\n# env-dep:X=1\n/abs/é.rs:\n";
        let found = prerequisites(text, Path::new("/w"));
        let expected = ["/abs/é.rs", "/usr/x.h", "/w/a.cpp", "/w/b c.h", "/w/d$e.h", "/w/f#.h"];
        assert_eq!(found, expected.map(PathBuf::from));
    }

    #[test]
    fn damaged_rules_do_no_harm() {
        for text in ["", ":", "a", "a:", "\\", "a: \\", "a: $", ": : :"] {
            prerequisites(text, Path::new("/"));
        }
    }
}
