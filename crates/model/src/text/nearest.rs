//! The names that the user may have meant.

use std::collections::HashSet;

/// Longer names are not compared letter by letter.
const LENGTH_MAX: usize = 200;

/// Letters to change, add or take away, and neighbours to swap, until one word is the other: their optimal string alignment.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let cut = |text: &str| text.chars().take(LENGTH_MAX).collect::<String>();
    strsim::osa_distance(&cut(a), &cut(b))
}

/// How many letters of a short name may be wrong for it still to be meant.
pub fn slips_in(name: &str) -> usize {
    1 + name.chars().count() / 4
}

/// At most `most` of the names, those that are most like the pattern first; none when nothing is like it.
pub fn nearest(pattern: &str, names: &[String], most: usize) -> Vec<String> {
    let wanted = letters(pattern);
    let mut scored: Vec<(usize, &String)> = names.iter().map(|name| (distance_within(&wanted, name), name)).collect();
    scored.sort_by_key(|(distance, _)| *distance);
    let mut seen = HashSet::new();
    scored.retain(|(_, name)| seen.insert(*name));
    // A slip in each three letters is still the same word; beside a near name, those twice as far off are not meant.
    let best = scored.first().map_or(0, |(distance, _)| *distance);
    let limit = (wanted.len() / 3).min((2 * best).saturating_sub(1)).max(1);
    scored.into_iter().filter(|(distance, _)| *distance <= limit).take(most).map(|(_, name)| name.clone()).collect()
}

fn letters(text: &str) -> Vec<char> {
    text.to_lowercase().chars().filter(|c| !"*?".contains(*c)).take(LENGTH_MAX).collect()
}

/// The least number of letters to insert, delete or change, and of neighbours to swap, so that the pattern stands somewhere in the name.
fn distance_within(pattern: &[char], name: &str) -> usize {
    let mut above: Vec<usize> = (0..=pattern.len()).collect();
    // The row before that one, and the letter that led from it.
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
