//! Shortens function names for one line: long template and function arguments become `…`, and result types are dropped.

use std::collections::BTreeMap;

/// Longer template arguments are omitted.
const TEMPLATE_MAX: usize = 16;
/// Longer function arguments are omitted.
const ARGUMENTS_MAX: usize = 24;

/// Shortened names of several functions. Those that would be equal keep their arguments, or get a number.
pub(crate) fn distinct(names: &[String]) -> Vec<String> {
    let mut shown: Vec<String> = names.iter().map(|name| short(name)).collect();
    let is_alike = |shown: &[String], at: usize| shown.iter().filter(|other| **other == shown[at]).count() > 1;
    let alike: Vec<usize> = (0..names.len()).filter(|&at| is_alike(&shown, at)).collect();
    for at in alike {
        shown[at] = shortened(&names[at], &|arguments| shortened(arguments, &|inner| inner.to_owned()));
    }
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for name in &mut shown {
        let count = known.entry(name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            *name = format!("{name} [{count}]");
        }
    }
    shown
}

pub(crate) fn short(name: &str) -> String {
    shortened(name, &|arguments| {
        let is_long = arguments.chars().count() > ARGUMENTS_MAX;
        if is_long { "…" } else { arguments }.to_owned()
    })
}

/// A name without long template arguments; `arguments` formats those of functions.
fn shortened(name: &str, arguments: &dyn Fn(&str) -> String) -> String {
    let name = name.split(" [clone ").next().unwrap_or(name);
    let mut text = String::new();
    let mut rest = name;
    // The start of the first word that is not a result type.
    let mut start = 0;
    let mut is_named = false;
    while let Some(letter) = rest.chars().next() {
        if let Some(symbol) = operator(&text, rest) {
            text.push_str(symbol);
            rest = &rest[symbol.len()..];
            continue;
        }
        let inside = match letter {
            // In `<u64 as Text>::write` the brackets contain the name.
            '<' if text.is_empty() => None,
            '<' | '(' => inside(rest),
            _ => None,
        };
        match inside {
            Some(inside) => {
                // `(anonymous namespace)` and the like are names.
                is_named |= letter == '(' && !text.is_empty() && !text.ends_with([' ', ':']);
                text.extend([letter]);
                match letter {
                    '<' if inside.chars().count() > TEMPLATE_MAX => text.push_str("…>"),
                    '<' => text.extend([inside, ">"]),
                    _ => text.extend([&arguments(inside), ")"]),
                }
                rest = &rest[inside.len() + 2..];
            }
            None => {
                text.push(letter);
                rest = &rest[letter.len_utf8()..];
                let is_cast = text.ends_with("operator ");
                if letter == ' '
                    && !rest.starts_with(['<', '('])
                    && !is_named
                    && !is_cast
                    && !text.starts_with(['<', '['])
                {
                    start = text.len();
                }
            }
        }
    }
    // Only functions with arguments are preceded by a result type.
    if is_named {
        text.split_off(start)
    } else {
        text
    }
}

/// The operator symbol at the start of `rest`.
fn operator<'r>(text: &str, rest: &'r str) -> Option<&'r str> {
    const SYMBOLS: [&str; 10] = ["()", "<=>", "<<", ">>", "<=", ">=", "->*", "->", "<", ">"];
    let is_operator = text.strip_suffix("operator").is_some_and(|before| !before.ends_with(char::is_alphanumeric));
    SYMBOLS.iter().find(|symbol| is_operator && rest.starts_with(**symbol)).map(|symbol| &rest[..symbol.len()])
}

/// The content of a bracket at the start; None if it is not closed.
fn inside(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            // An arrow does not close a bracket.
            '>' if before == '-' || before == '=' => {}
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return text.get(1..at);
        }
        before = letter;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_one_name_are_told_apart() {
        let text = "std::basic_string<char, std::char_traits<char> >";
        let names = [format!("{text}::append({text} const&)"), format!("{text}::append(char const*, unsigned long)")];
        let wanted = [
            "std::basic_string<…>::append(std::basic_string<…> const&)",
            "std::basic_string<…>::append(char const*, unsigned long)",
        ];
        assert_eq!(distinct(&names), wanted);
        let alike = ["f<std::vector<int, A>>()", "f<std::vector<int, B>>()", "g()"].map(str::to_owned);
        assert_eq!(distinct(&alike), ["f<…>()", "f<…>() [2]", "g()"]);
    }

    #[test]
    fn what_is_long_is_left_out_and_the_name_stays() {
        for (name, wanted) in [
            ("heavy(unsigned long)", "heavy(unsigned long)"),
            ("tare", "tare"),
            ("operator()", "operator()"),
            (
                "void std::__introsort_loop<__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > >, long>(__gnu_cxx::__normal_iterator<int*>, long) [clone .isra.0]",
                "std::__introsort_loop<…>(…)",
            ),
            ("__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > >::operator--()", "__gnu_cxx::__normal_iterator<…>::operator--()"),
            ("bool a::operator()<std::vector<int, std::allocator<int>>>(int) const", "a::operator()<…>(int) const"),
            ("std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)", "std::operator<< <…>(…)"),
            ("A::operator bool() const", "A::operator bool() const"),
            ("std::vector<int>::push_back(int&&)", "std::vector<int>::push_back(int&&)"),
            ("(anonymous namespace)::f(int)", "(anonymous namespace)::f(int)"),
            ("<alloc::vec::Vec<u8> as std::io::Write>::write_all", "<alloc::vec::Vec<u8> as std::io::Write>::write_all"),
            ("stable_sort<u64, fn(&u64, &u64) -> bool>", "stable_sort<…>"),
            ("int32 [app] Bench::Heavy(int32)[Optimized]", "Bench::Heavy(int32)[Optimized]"),
            ("a<b(c", "a<b(c"),
            ("", ""),
        ] {
            assert_eq!(short(name), wanted, "{name}");
        }
    }
}
