//! The exact command of an advice: the user's own, with what helps added and what is in its way left out.

use super::Rerun;

/// Flags without a value; every other flag takes the next word unless it has `=`.
const PLAIN: [&str; 11] = [
    "--quick",
    "--long",
    "--wall",
    "--keep-order",
    "--ascii",
    "--no-align",
    "--no-save",
    "-v",
    "-q",
    "--verbose",
    "--quiet",
];

/// The command line `original` once more for the cases of `keys` (all that it had when empty).
pub(super) fn rerun(original: &[String], keys: &[&str], how: &Rerun) -> String {
    let mut words = vec!["tare".to_owned()];
    let mut rest = original.iter().skip(1).peekable();
    if rest.peek().is_none() {
        words.push("run".to_owned());
    }
    let added: Vec<&str> = how.flags.split_whitespace().filter(|w| w.starts_with('-')).collect();
    let in_the_way = |flag: &str| {
        how.without.contains(&flag) || added.contains(&flag) || (!keys.is_empty() && matches!(flag, "--filter" | "-f"))
    };
    while let Some(word) = rest.next() {
        let (flag, has_value) = flag_of(word);
        let takes_next = word.starts_with('-') && !has_value && !PLAIN.contains(&flag);
        let value = if takes_next { rest.next_if(|next| !next.starts_with('-')) } else { None };
        if word.starts_with('-') && in_the_way(flag) {
            continue;
        }
        words.push(quoted(word));
        words.extend(value.map(|v| quoted(v)));
    }
    for key in keys {
        words.push("--filter".to_owned());
        words.push(format!("'{}'", key.replace('\'', r"'\''")));
    }
    words.extend(how.flags.split_whitespace().map(str::to_owned));
    words.join(" ")
}

/// The flag of a word, and whether its value stands in the same word: `--flag=value`, `-fvalue`.
fn flag_of(word: &str) -> (&str, bool) {
    match word.split_once('=') {
        Some((flag, _)) if flag.starts_with("--") => (flag, true),
        _ => match word.get(..2) {
            Some(short @ ("-f" | "-o")) => (short, word.len() > 2),
            _ => (word, false),
        },
    }
}

/// What a command that takes the run up again must be told once more: where the result goes, in which form, and what must not
/// happen.
pub fn kept(original: &[String]) -> String {
    const KEPT: [&str; 5] = ["--output", "-o", "--format", "--fail-on", "--top"];
    let mut words = Vec::new();
    let mut rest = original.iter().skip(1);
    while let Some(word) = rest.next() {
        let (flag, has_value) = flag_of(word);
        if KEPT.contains(&flag) {
            words.push(quoted(word));
            if !has_value {
                words.extend(rest.next().map(|value| quoted(value)));
            }
        }
    }
    words.join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=+,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn what_was_run_stays_and_what_is_in_the_way_goes() {
        let how = Rerun::spending("--launches 16").unwrap();
        let again = |line: &str, keys: &[&str]| rerun(&words(line), keys, &how);
        assert_eq!(
            again("/usr/bin/tare run sort.cpp --quick --filter s* --job g++:-O2 --waves=2", &["sort.cpp:sort/it's"]),
            r"tare run sort.cpp --job g++:-O2 --filter 'sort.cpp:sort/it'\''s' --launches 16"
        );
        assert_eq!(again("tare run . --filter sort*", &[]), "tare run . --filter 'sort*' --launches 16");
        assert_eq!(again("tare run --quick bench.rs -v", &[]), "tare run bench.rs -v --launches 16");
        assert_eq!(
            again("tare run bench.rs -fsort* -ox.md --exclude slow -v", &["g/a"]),
            "tare run bench.rs -ox.md --exclude slow -v --filter 'g/a' --launches 16"
        );
        assert_eq!(rerun(&[], &["a"], &how), "tare run --filter 'a' --launches 16");
    }

    #[test]
    fn what_a_run_is_asked_for_is_asked_for_again() {
        let kept = |line: &str| kept(&words(line));
        assert_eq!(
            kept("tare run . --quick -o x.md --output=y.csv -oz.txt -f a --top 3"),
            "-o x.md --output=y.csv -oz.txt --top 3"
        );
        assert_eq!(kept("tare compare main HEAD --fail-on slower:3% -v"), "--fail-on slower:3%");
        assert_eq!(kept("tare run"), "");
    }
}
