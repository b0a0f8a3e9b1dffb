//! Suggestions for misspelt words.

/// A suggestion for `name` among `words`.
pub(crate) fn suggestion<'a>(name: &str, words: impl Iterator<Item = &'a str>) -> String {
    let near = words
        .map(|word| (distance(name, word), word))
        .filter(|(far, word)| *far <= 2.max(word.len() / 3) && *far < word.len());
    match near.min() {
        Some((_, word)) => format!("; did you mean `{word}`?"),
        None => String::new(),
    }
}

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let best = (corner + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = row[j + 1];
            row[j + 1] = best;
        }
    }
    row[b.len()]
}
