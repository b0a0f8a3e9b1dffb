//! The words of a line: a name, iterations, then pairs of value and unit.

use crate::json::number;

/// Pairs of value and unit, as many as there are; None if the line has no iterations or no pairs.
pub(super) fn pairs(numbers: &str) -> Option<Vec<(f64, &str)>> {
    let values = words_of(numbers)?.filter_map(|(value, unit)| Some((number(value)?, unit)));
    Some(values.collect()).filter(|pairs: &Vec<_>| !pairs.is_empty())
}

/// The pairs of a line whose value is not a number, but begins with one.
pub(super) fn unreadable(numbers: &str) -> Vec<(&str, &str)> {
    let all: Vec<(&str, &str)> = words_of(numbers).into_iter().flatten().collect();
    let begins = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let behind: Vec<&str> =
        numbers.split_whitespace().skip(1 + 2 * all.len()).skip_while(|word| !begins(word)).collect();
    let has_result = all.iter().any(|(value, _)| number(value).is_some());
    let rest = behind.chunks(2).map(|pair| (pair[0], pair.get(1).copied().unwrap_or_default()));
    let odd = all.iter().copied().filter(|(value, _)| number(value).is_none());
    odd.chain(rest.filter(|(value, _)| has_result && begins(value))).collect()
}

/// The words in the places of values and units, after the iterations. They end at a pair that is neither.
fn words_of(numbers: &str) -> Option<impl Iterator<Item = (&str, &str)>> {
    let mut words = numbers.split_whitespace();
    words.next().and_then(number).filter(|count| count.fract() == 0.0 && *count >= 0.0)?;
    let pairs = std::iter::from_fn(move || Some((words.next()?, words.next()?)));
    Some(pairs.take_while(|(value, unit)| number(value).is_some() || is_rate(unit)))
}

/// Whether a unit cannot be a word of prose: `ns/op`.
fn is_rate(unit: &str) -> bool {
    unit.split_once('/').is_some_and(|(of, per)| !of.is_empty() && !per.is_empty() && !per.contains('/'))
}

fn whole(numbers: &str) -> Option<Vec<(f64, &str)>> {
    pairs(numbers).filter(|found| 2 * found.len() + 1 == numbers.split_whitespace().count())
}

/// The result at the end of a line, possibly after output of the benchmark. Go prints a tab after the iterations.
pub(super) fn result_at_end(line: &str) -> Option<&str> {
    let trimmed = line.trim_start();
    let has_tab = |numbers: &str| {
        numbers.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(' ').starts_with('\t')
    };
    if let Some(found) = whole(trimmed) {
        if has_tab(trimmed) || found.iter().any(|(_, unit)| unit.contains('/')) {
            return Some(trimmed);
        }
    }
    // Earlier output may end directly before the iterations: `done10000000`.
    let is_time = |numbers: &str| whole(numbers).is_some_and(|found| found.iter().any(|(_, unit)| *unit == "ns/op"));
    let digits = |at: usize| line.as_bytes()[at].is_ascii_digit();
    let begins = (1..line.len()).filter(|&at| digits(at) && !digits(at - 1) && line.is_char_boundary(at));
    begins.map(|at| &line[at..]).find(|numbers| is_time(numbers))
}

/// The name in a line, without `Benchmark`, and the rest of the line. None for prose, such as `Benchmarking...`.
pub(super) fn named(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("Benchmark")?;
    let (name, rest) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
    // Other programs that write the format have such names too: only numbers distinguish them from prose.
    let is_prose = name.is_empty() || name.starts_with(char::is_lowercase);
    (!is_prose || (!name.is_empty() && pairs(rest).is_some())).then_some((name, rest))
}

/// Whether Go printed this line when a benchmark began: the name is followed by nothing or a tab, or ends in processors.
pub(super) fn is_beginning(name: &str, rest: &str) -> bool {
    let follows = rest.trim_start_matches(' ');
    !name.ends_with(':')
        && (follows.is_empty() || follows.starts_with('\t') || super::name::split_processors(name).1.is_some())
}

/// Whether a line is a result, the beginning of a benchmark, or facts of a unit.
pub(crate) fn is_result(line: &str) -> bool {
    let of_unit =
        || line.strip_prefix("Unit ").is_some_and(|rest| rest.contains("better=") || rest.contains("assume="));
    named(line).is_some_and(|(name, rest)| pairs(rest).is_some() || (rest.contains('\t') && is_beginning(name, rest)))
        || of_unit()
}

/// Keys are lower-case words, to exclude other text with a colon.
pub(super) fn configuration(line: &str) -> Option<(&str, &str)> {
    const MAX: usize = 24;
    let (key, value) = line.split_once(':')?;
    let is_key = key.starts_with(|c: char| c.is_ascii_lowercase())
        && key.len() <= MAX
        && key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_');
    (is_key && (value.is_empty() || value.starts_with([' ', '\t']))).then_some((key, value.trim()))
}
