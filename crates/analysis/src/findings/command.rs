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
        let flag = word.split('=').next().unwrap_or(word);
        let takes_next = word.starts_with('-') && !word.contains('=') && !PLAIN.contains(&flag);
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
        assert_eq!(rerun(&[], &["a"], &how), "tare run --filter 'a' --launches 16");
    }
}
