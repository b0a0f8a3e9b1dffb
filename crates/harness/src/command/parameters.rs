//! Values that replace `{name}` in commands.

use tare_model::Parameter;

/// Limit on values of a range: a step that is too small must not exhaust memory.
const VALUES_MAX: usize = 10_000;

/// The values of `1,2,4`, `1..8`, `0.5..2:0.5` (steps), `1..1024:*2` (factors), or of several of them separated by commas. A backslash
/// before a comma makes it part of a value.
pub fn values(text: &str) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for part in parts(text) {
        match range(&part) {
            Some(range) => all.extend(range?),
            None => all.push(part),
        }
    }
    let twin = all.iter().enumerate().find(|(at, value)| all[..*at].contains(value));
    match twin {
        Some((_, value)) => Err(format!("the value `{value}` is given twice")),
        None => Ok(all),
    }
}

/// Splits at commas without a backslash before them.
fn parts(text: &str) -> Vec<String> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\\' if characters.next_if_eq(&',').is_some() => part.push(','),
            ',' => parts.push(std::mem::take(&mut part)),
            c => part.push(c),
        }
    }
    parts.push(part);
    parts
}

/// A decimal number in units of its last digit.
fn decimal(text: &str) -> Option<(i128, u32)> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let good = !whole.is_empty() && all.len() <= 30 && all.bytes().all(|b| b.is_ascii_digit());
    good.then(|| Some((sign * all.parse::<i128>().ok()?, fraction.len() as u32)))?
}

fn in_units_of(value: (i128, u32), places: u32) -> i128 {
    value.0.saturating_mul(10_i128.saturating_pow(places - value.1))
}

fn written(value: i128, places: u32) -> String {
    let (sign, digits) = (if value < 0 { "-" } else { "" }, value.unsigned_abs().to_string());
    let digits = format!("{digits:0>width$}", width = places as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places as usize);
    if fraction.is_empty() {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{fraction}")
    }
}

fn range(text: &str) -> Option<Result<Vec<String>, String>> {
    let (ends, by) = text.split_once(':').map_or((text, None), |(ends, by)| (ends, Some(by)));
    let (from, to) = ends.split_once("..")?;
    let (from, to) = (decimal(from)?, decimal(to)?);
    if let Some(factor) = by.and_then(|by| by.strip_prefix('*')) {
        return Some(factors(text, from, to, factor));
    }
    let Some(step) = decimal(by.unwrap_or("1")).filter(|step| step.0 > 0) else {
        return Some(Err(format!("the step of `{text}` is not a number above 0")));
    };
    let places = from.1.max(to.1).max(step.1);
    let (from, to, step) = (in_units_of(from, places), in_units_of(to, places), in_units_of(step, places));
    let count = to.saturating_sub(from) / step + 1;
    Some(match count {
        _ if from > to => Err(format!("the range `{text}` ends before it begins")),
        count if count > VALUES_MAX as i128 => Err(format!("the range `{text}` has more than {VALUES_MAX} values")),
        count => Ok((0..count).map(|at| written(from + at * step, places)).collect()),
    })
}

fn factors(text: &str, from: (i128, u32), to: (i128, u32), factor: &str) -> Result<Vec<String>, String> {
    let factor = factor.parse::<i128>().ok().filter(|factor| *factor >= 2);
    let Some(factor) = factor else {
        return Err(format!("the factor of `{text}` is not a whole number of at least 2"));
    };
    if from.1 + to.1 > 0 || from.0 < 1 || to.0 < from.0 {
        return Err(format!("a range with a factor must go from a whole number above 0 to a greater one: `{text}`"));
    }
    let next = |value: &i128| value.checked_mul(factor).filter(|value| *value <= to.0);
    Ok(std::iter::successors(Some(from.0), next).map(|value| value.to_string()).collect())
}

/// All combinations of values, the last parameter varying fastest; one empty combination without parameters.
pub fn product(parameters: &[(String, Vec<String>)]) -> Vec<Vec<Parameter>> {
    let mut choices: Vec<Vec<Parameter>> = vec![Vec::new()];
    for (name, values) in parameters {
        let one = |value: &String| Parameter::new(name, value);
        let more = |choice: Vec<Parameter>| values.iter().map(move |v| [choice.clone(), vec![one(v)]].concat());
        choices = choices.into_iter().flat_map(more).collect();
    }
    choices
}

/// Replaces names in braces by their values. Other braces stay.
pub fn filled(text: &str, parameters: &[Parameter]) -> String {
    // From left to right, so that braces in a value are not replaced again.
    let (mut filled, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        filled.push_str(before);
        let found =
            parameters.iter().find(|p| from[1..].strip_prefix(p.name.as_str()).is_some_and(|r| r.starts_with('}')));
        let (text, length) = found.map_or(("{", 1), |p| (p.value.as_str(), p.name.len() + 2));
        filled.push_str(text);
        rest = &from[length..];
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        for (text, expected) in [
            ("1,2,4", "1 2 4"),
            ("gcc,clang -O2", "gcc|clang -O2"),
            ("1..4", "1 2 3 4"),
            ("1..9:4", "1 5 9"),
            ("-1..1", "-1 0 1"),
            ("0.5..2:0.5", "0.5 1.0 1.5 2.0"),
            ("1..64:*4", "1 4 16 64"),
            ("1..3,8", "1 2 3 8"),
            ("a\\,b,c", "a,b|c"),
            ("a..b", "a..b"),
            ("", ""),
        ] {
            let separator = if expected.contains('|') || text.contains("..b") { "|" } else { " " };
            assert_eq!(values(text).map(|values| values.join(separator)), Ok(expected.to_owned()), "{text}");
        }
        for (text, word) in [
            ("4..1", "ends before"),
            ("1..2:0", "step"),
            ("1..2:x", "step"),
            ("0..9:*2", "above 0"),
            ("1..9:*1", "factor"),
            ("1..100000", "more than"),
            ("1,2,1", "twice"),
        ] {
            assert!(values(text).is_err_and(|error| error.contains(word)), "{text}");
        }
    }

    #[test]
    fn every_choice_and_only_the_names_in_braces() {
        let lists = [("a".to_owned(), vec!["1".to_owned(), "{b}".to_owned()]), ("b".to_owned(), vec!["x".to_owned()])];
        let texts: Vec<String> = product(&lists).iter().map(|p| filled("f {a} {b} {c} {", p)).collect();
        assert_eq!(texts, ["f 1 x {c} {", "f {b} x {c} {"]);
        assert_eq!(product(&[]), [Vec::new()]);
    }
}
