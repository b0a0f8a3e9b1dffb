//! Asks a user on a terminal which of several things to take. Nowhere else: a script that waits for an answer waits for ever.

use crate::console::Console;
use crate::failure::Failure;
use crate::pipeline::Prepared;
use std::collections::BTreeSet;
use std::io::{self, BufRead};
use tare_engine::{filter_name, matches};
use tare_model::Benchmark;
use tare_report::{clean, shell_word, Line, Role};

/// From so many programs on it is asked which, where nothing says it.
const MANY: usize = 8;
/// Benchmarks up to which each has a number of its own; of more, groups have.
const SINGLE_MAX: usize = 40;

/// What can be chosen: its name, and what more there is to say.
struct Item {
    name: String,
    about: String,
}

/// Whether somebody can be asked.
fn can_ask() -> bool {
    let is_terminal = |fd| tare_process::is_terminal(fd);
    is_terminal(0) && is_terminal(2) && std::env::var_os("CI").is_none()
}

/// Asks which of the benchmarks are to be measured.
pub fn benchmarks(mut prepared: Prepared, console: &Console) -> Result<Prepared, Failure> {
    if !can_ask() {
        return Err(Failure::Usage {
            what: "`--choose` needs a terminal to ask on".to_owned(),
            hint: "choose by name: `--filter GLOB`".to_owned(),
        });
    }
    let all: Vec<String> = prepared.names();
    let of_groups = all.len() > SINGLE_MAX;
    let mut items: Vec<(String, usize)> = Vec::new();
    for benchmark in prepared.entries.iter().flat_map(|entry| &entry.benchmarks) {
        let name = name_of(benchmark, of_groups);
        match items.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => items.push((name, 1)),
        }
    }
    let about = |count: usize| if count > 1 { format!("{count} benchmarks") } else { String::new() };
    let shown: Vec<Item> =
        items.iter().map(|(name, count)| Item { name: name.clone(), about: about(*count) }).collect();
    if shown.len() < 2 {
        return Ok(prepared);
    }
    let chosen: BTreeSet<String> =
        ask("benchmarks", &shown, console)?.into_iter().map(|at| items[at].0.clone()).collect();
    for entry in &mut prepared.entries {
        entry.benchmarks.retain(|benchmark| chosen.contains(&name_of(benchmark, of_groups)));
    }
    // A part of a name may stand in others too.
    let fits = |name: &&String| chosen.iter().any(|pattern| matches(pattern, name));
    if chosen.len() < items.len() && all.iter().filter(fits).count() == prepared.names().len() {
        let flags: Vec<String> = chosen.iter().map(|name| format!("--filter {}", shell_word(name))).collect();
        console.note(&format!("to choose the same without the question: `{}`", clean(&flags.join(" "))));
    }
    Ok(prepared.without_empty())
}

fn name_of(benchmark: &Benchmark, of_groups: bool) -> String {
    match of_groups && !benchmark.group.is_empty() {
        true => format!("{}/*", benchmark.group),
        false => filter_name(benchmark),
    }
}

/// Asks which of many programs are to be built, where nothing says it; their places. None: nobody was asked.
pub fn programs(names: &[String], console: &Console) -> Result<Option<Vec<usize>>, Failure> {
    if names.len() < MANY || !can_ask() {
        return Ok(None);
    }
    let items: Vec<Item> = names.iter().map(|name| Item { name: name.clone(), about: String::new() }).collect();
    ask("programs", &items, console).map(Some)
}

/// Shows the items with their numbers, and asks until an answer fits. Nothing means all of them.
fn ask(what: &str, items: &[Item], console: &Console) -> Result<Vec<usize>, Failure> {
    let digits = items.len().to_string().len();
    let mut lines = vec![Line::of(Role::Heading, format!("which {what}?"))];
    for (at, item) in items.iter().enumerate() {
        let line = Line::of(Role::Quiet, format!("  {:>digits$}  ", at + 1)).with(Role::Plain, clean(&item.name));
        lines.push(
            line.with(Role::Quiet, if item.about.is_empty() { String::new() } else { format!("  {}", item.about) }),
        );
    }
    console.say(&lines);
    let names: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
    loop {
        console.prompt("numbers such as 1,3-5, or part of a name; nothing for all: ");
        let mut answer = String::new();
        let read = io::stdin().lock().read_line(&mut answer);
        if !matches!(read, Ok(1..)) {
            // The input has ended: there is no answer.
            return Err(Failure::Interrupted);
        }
        match chosen(&answer, &names) {
            Ok(places) => return Ok(places),
            Err(why) => console.warn(&why),
        }
    }
}

/// The places that an answer names.
fn chosen(answer: &str, names: &[&str]) -> Result<Vec<usize>, String> {
    let words: Vec<&str> = answer.split([',', ' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return Ok((0..names.len()).collect());
    }
    let mut places = BTreeSet::new();
    for word in words {
        match range(word) {
            Some((from, to)) if from >= 1 && from <= to && to <= names.len() => places.extend(from - 1..to),
            Some(_) => return Err(format!("`{word}` is not from 1 to {}", names.len())),
            None => {
                let fitting: Vec<usize> = (0..names.len()).filter(|at| matches(word, names[*at])).collect();
                if fitting.is_empty() {
                    return Err(format!("`{}` is not a number, and no name contains it", clean(word)));
                }
                places.extend(fitting);
            }
        }
    }
    Ok(places.into_iter().collect())
}

/// `3` or `3-5`.
fn range(word: &str) -> Option<(usize, usize)> {
    let (from, to) = word.split_once('-').unwrap_or((word, word));
    Some((from.parse().ok()?, to.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn numbers_ranges_and_names_choose() {
        let names = ["sort/std", "sort/own", "parse/json", "map"];
        assert_eq!(chosen("\n", &names), Ok(vec![0, 1, 2, 3]));
        assert_eq!(chosen("2, 4\n", &names), Ok(vec![1, 3]));
        assert_eq!(chosen("1-2 json", &names), Ok(vec![0, 1, 2]));
        assert_eq!(chosen("sort/*", &names), Ok(vec![0, 1]));
        for (answer, word) in
            [("5", "from 1 to 4"), ("0", "from 1"), ("3-2", "from 1"), ("list", "no name contains it")]
        {
            assert!(chosen(answer, &names).is_err_and(|why| why.contains(word)), "{answer}");
        }
    }
}
