//! Suggests names that the user may have meant.

use std::collections::HashSet;

const LENGTH_MAX: usize = 200;

/// Letters to change, insert or delete, and neighbours to swap, to turn one word into the other: their optimal string alignment distance.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let cut = |text: &str| text.chars().take(LENGTH_MAX).collect::<String>();
    strsim::osa_distance(&cut(a), &cut(b))
}

/// Typing errors tolerated in a short name.
pub fn slips_in(name: &str) -> usize {
    1 + name.chars().count() / 4
}

/// At most `most` of the names, most similar first; empty if none is similar.
pub fn nearest(pattern: &str, names: &[String], most: usize) -> Vec<String> {
    let wanted = letters(pattern);
    let mut scored: Vec<(usize, &String)> = names.iter().map(|name| (distance_within(&wanted, name), name)).collect();
    scored.sort_by_key(|(distance, _)| *distance);
    let mut seen = HashSet::new();
    scored.retain(|(_, name)| seen.insert(*name));
    // One error per three letters is tolerated. Next to a close match, names twice as far away are dropped.
    let best = scored.first().map_or(0, |(distance, _)| *distance);
    let limit = (wanted.len() / 3).min((2 * best).saturating_sub(1)).max(1);
    scored.into_iter().filter(|(distance, _)| *distance <= limit).take(most).map(|(_, name)| name.clone()).collect()
}

fn letters(text: &str) -> Vec<char> {
    text.to_lowercase().chars().filter(|c| !"*?".contains(*c)).take(LENGTH_MAX).collect()
}

/// The fewest letters to insert, delete or change, and neighbours to swap, to make the pattern a substring of the name.
fn distance_within(pattern: &[char], name: &str) -> usize {
    let mut above: Vec<usize> = (0..=pattern.len()).collect();
    // The row before the previous one, with its letter.
    let mut before: Option<(Vec<usize>, char)> = None;
    let mut best = pattern.len();
    for c in letters(name) {
        let mut row = vec![0; pattern.len() + 1];
        for (at, p) in pattern.iter().enumerate() {
            row[at + 1] = (above[at] + usize::from(*p != c)).min(above[at + 1] + 1).min(row[at] + 1);
            match &before {
                Some((before, last)) if at > 0 && *p == *last && pattern[at - 1] == c => {
                    row[at + 1] = row[at + 1].min(before[at - 1] + 1);
                }
                _ => {}
            }
        }
        best = best.min(row[pattern.len()]);
        before = Some((std::mem::replace(&mut above, row), c));
    }
    best
}
