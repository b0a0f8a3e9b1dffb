//! Names of functions as people write them.

/// Longer names are cut: nested templates may have names of megabytes.
const NAME_MAX: usize = 400;

/// The name in a symbol of C, C++ or Rust. Unreadable symbols stay as they are.
pub fn readable(symbol: &str) -> String {
    let (base, clone) = match symbol.find('.') {
        // `sum.part.0`, `sum.cold`
        Some(at) if at > 0 && !symbol.starts_with("_R") && !symbol.contains("..") => symbol.split_at(at),
        _ => (symbol, ""),
    };
    let name = match rustc_demangle::try_demangle(symbol) {
        Ok(name) => format!("{name:#}"),
        Err(_) => cpp(base).map_or_else(|| symbol.to_owned(), |name| name + clone),
    };
    harmless(&name)
}

fn cpp(symbol: &str) -> Option<String> {
    let is_mangled = symbol.starts_with("_Z") && symbol.len() <= 4096;
    let options = cpp_demangle::DemangleOptions::new().no_return_type();
    let read = || cpp_demangle::Symbol::new(symbol).ok()?.demangle_with_options(&options).ok();
    let whole = is_mangled.then(read).flatten().filter(|name| !name.is_empty());
    whole.or_else(|| beginning(symbol))
}

/// The beginning of a name that is too complicated, up to the template arguments: `std::from_chars<…>`.
fn beginning(symbol: &str) -> Option<String> {
    let mut rest = symbol.strip_prefix("_Z")?;
    rest = rest.strip_prefix('N').unwrap_or(rest).trim_start_matches(['K', 'V', 'R', 'O']);
    let mut parts: Vec<&str> = Vec::new();
    if let Some(behind) = rest.strip_prefix("St") {
        (rest, parts) = (behind, vec!["std"]);
    }
    while let Some(digits) = rest.find(|c: char| !c.is_ascii_digit()).filter(|digits| (1..5).contains(digits)) {
        let length: usize = rest[..digits].parse().ok()?;
        parts.push(rest.get(digits..digits + length).filter(|part| !part.is_empty())?);
        rest = &rest[digits + length..];
    }
    let is_named = parts.iter().any(|part| *part != "std");
    is_named.then(|| format!("{}<…>", parts.join("::")))
}

/// Replaces characters with effects in a terminal or page, and cuts long text.
pub(crate) fn harmless(text: &str) -> String {
    let plain = |c: char| if c.is_control() || is_invisible(c) { '\u{fffd}' } else { c };
    let mut name: String = text.chars().take(NAME_MAX).map(plain).collect();
    if text.chars().nth(NAME_MAX).is_some() {
        name.push('…');
    }
    name
}

/// Characters that change the text direction or are invisible.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A name without its arguments: `sum` of `sum(long, int)`.
pub(crate) fn without_arguments(name: &str) -> &str {
    let mut depth = 0_usize;
    for (at, c) in name.char_indices() {
        match c {
            '<' | '{' => depth += 1,
            '>' | '}' => depth = depth.saturating_sub(1),
            '(' if depth == 0
                && at > 0
                && !name[..at].ends_with("operator")
                && !name[at..].starts_with("(anonymous") =>
            {
                return &name[..at];
            }
            _ => {}
        }
    }
    name
}

/// The last part of a function's name: `push_back` of `std::vector<int>::push_back(int&&)`.
pub(crate) fn short(name: &str) -> &str {
    let name = without_arguments(name);
    let (mut depth, mut start, mut end) = (0_usize, 0, name.len());
    for (at, c) in name.char_indices() {
        match c {
            '<' if name[..at].ends_with("operator") || name[..at].ends_with("operator<") => {}
            '<' => {
                if depth == 0 && at > start {
                    end = at;
                }
                depth += 1;
            }
            '>' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && name[at..].starts_with("::") && at + 2 < name.len() => {
                (start, end) = (at + 2, name.len())
            }
            _ => {}
        }
    }
    name.get(start..end).filter(|short| !short.is_empty()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_become_names() {
        assert_eq!(readable("_Z6helperl"), "helper(long)");
        assert_eq!(readable("_Z6helperl.constprop.0"), "helper(long).constprop.0");
        assert_eq!(readable("_ZN1b6helper17h1ea96409da455619E"), "b::helper");
        assert_eq!(readable("_RNvCsabc_1b6helper"), "b::helper");
        assert_eq!(readable("memcpy"), "memcpy");
        assert_eq!(readable("_Znonsense"), "_Znonsense");
        // A name that the demangler cannot read.
        let long =
            "_ZSt10from_charsIlENSt9enable_ifIXsrSt5__or_IJS1_IJSt7is_sameINSt9remove_cvIT_E4typeEaES2_IS6_sES2_";
        assert_eq!(readable(long), "std::from_chars<…>");
        assert_eq!(readable("_ZN3one3two_"), "one::two<…>");
        assert_eq!(readable("_Z9x"), "_Z9x");
        assert_eq!(without_arguments("a::sum<int (*)(long)>(long, int)"), "a::sum<int (*)(long)>");
        assert_eq!(without_arguments("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
        assert_eq!(without_arguments("b::helper"), "b::helper");
        for (name, end) in [
            ("std::vector<int, std::allocator<int> >::operator[](unsigned long)", "operator[]"),
            ("a::sum<int>", "sum"),
            ("a::b::operator<", "operator<"),
            ("<u64 as core::ops::Add>::add", "add"),
            ("b::{closure#0}", "{closure#0}"),
            ("helper", "helper"),
        ] {
            assert_eq!(short(name), end, "{name}");
        }
    }

    #[test]
    fn hostile_names_are_harmless() {
        assert_eq!(readable("a\x1b[31mb\nc\u{202e}"), "a\u{fffd}[31mb\u{fffd}c\u{fffd}");
        assert_eq!(readable(&"x".repeat(100_000)).chars().count(), NAME_MAX + 1);
        // Endlessly nested names cost neither time nor stack.
        let _ = readable(&format!("_Z1fI{}E", "N1aI".repeat(900)));
        let _ = readable(&format!("_R{}", "B_".repeat(100_000)));
    }
}
