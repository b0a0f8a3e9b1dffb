//! Detects commands that need a shell.

/// First words of commands that only a shell knows.
const OF_SHELLS: &[&str] = &[
    ".", ":", "!", "[[", "alias", "builtin", "case", "cd", "command", "declare", "do", "done", "elif", "else", "esac",
    "bg", "eval", "exec", "exit", "export", "fg", "fi", "for", "function", "getopts", "hash", "if", "jobs", "let",
    "local", "read", "readonly", "return", "select", "set", "shift", "shopt", "source", "then", "time", "times",
    "trap", "type", "ulimit", "umask", "unalias", "unset", "until", "wait", "while",
];

/// The word or character of a command that needs a shell. `None`: it can be started without one.
pub fn shell_syntax(text: &str) -> Option<String> {
    let mut quote = None;
    let mut at_start = true;
    for c in text.trim().chars() {
        let found = match quote {
            Some('\'') => false,
            Some(_) => matches!(c, '$' | '`' | '\\'),
            None => "|&;<>()$`\\*?[]{}\n".contains(c) || (at_start && matches!(c, '~' | '#')),
        };
        if found {
            return Some(if c == '\n' { "a line break".to_owned() } else { format!("`{c}`") });
        }
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            _ => {}
        }
        at_start = quote.is_none() && c.is_whitespace();
    }
    let first = text.split_whitespace().next().unwrap_or_default();
    // `NAME=value program`.
    let is_assignment = first.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    });
    (is_assignment || OF_SHELLS.contains(&first)).then(|| format!("`{first}`"))
}

#[cfg(test)]
mod tests {
    use super::shell_syntax;

    #[test]
    fn what_only_a_shell_understands() {
        for (text, what) in [
            ("sort big.txt", None),
            ("grep -c 'a|b' x", None),
            ("awk '{print $1}' x", None),
            ("./a.out --name=x 100%", None),
            ("sort a | uniq", Some("`|`")),
            ("echo \"$HOME\"", Some("`$`")),
            ("sleep 0.1; true", Some("`;`")),
            ("ls *.c", Some("`*`")),
            ("ls ~", Some("`~`")),
            ("git show HEAD~1", None),
            ("N=1 make", Some("`N=1`")),
            ("--x=1", None),
            ("cd x", Some("`cd`")),
            ("a\nb", Some("a line break")),
        ] {
            assert_eq!(shell_syntax(text).as_deref(), what, "{text}");
        }
    }
}
